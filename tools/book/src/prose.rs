//! Tells prose from code in Markdown, so that dollars and links in code stay what they are.

/// A piece of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Code, in a fence or between backticks, with its marks.
    Code(&'a str),
    /// Everything else.
    Prose(&'a str),
}

/// The pieces of a page, in order; together they are the page.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let begins_line = at == 0 || text.as_bytes()[at - 1] == b'\n';
        let length = match code(rest, begins_line) {
            Some(length) => length,
            None => {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            }
        };
        found.push(Piece::Prose(&text[start..at]));
        found.push(Piece::Code(&text[at..at + length]));
        at += length;
        start = at;
    }
    found.push(Piece::Prose(&text[start..]));
    found
}

/// The length of the code that the text begins with.
fn code(rest: &str, begins_line: bool) -> Option<usize> {
    if begins_line {
        let indent = rest.len() - rest.trim_start_matches(' ').len();
        if rest[indent..].starts_with("```") {
            let end = rest[indent + 3..]
                .find("\n```")
                .map(|found| indent + 3 + found + 4);
            return Some(end.unwrap_or(rest.len()));
        }
    }
    let ticks = rest.len() - rest.trim_start_matches('`').len();
    if ticks == 0 {
        return None;
    }
    let close = rest[ticks..].find(&rest[..ticks]);
    close.map(|found| ticks + found + ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_told_from_prose() {
        let text = "a `b` c\n```sh\n$x\n```\nd";
        let expected = [
            Piece::Prose("a "),
            Piece::Code("`b`"),
            Piece::Prose(" c\n"),
            Piece::Code("```sh\n$x\n```"),
            Piece::Prose("\nd"),
        ];
        assert_eq!(pieces(text), expected);
    }
}
