//! Paths as SVG writes them, traced into a page.

use pdf_writer::Content;

/// Traces the path data `d`: the commands M, L, H, V, C and Z with absolute places.
pub(super) fn trace(content: &mut Content, d: &str) {
    let (mut here, mut numbers, mut command) = ([0.0_f32; 2], Vec::new(), ' ');
    for word in words(d) {
        match word {
            PathWord::Command('Z' | 'z') => {
                content.close_path();
                command = 'M';
            }
            PathWord::Command(c) => {
                (command, numbers) = (c, Vec::new());
            }
            PathWord::Number(x) => {
                numbers.push(x);
                if draw(content, command, &numbers, &mut here) {
                    numbers.clear();
                    if command == 'M' {
                        command = 'L';
                    }
                }
            }
        }
    }
}

/// Draws a command once it has all its numbers; whether it had.
fn draw(content: &mut Content, command: char, numbers: &[f32], here: &mut [f32; 2]) -> bool {
    match (command, numbers) {
        ('M', &[x, y]) => {
            content.move_to(x, y);
            *here = [x, y];
        }
        ('L', &[x, y]) => {
            content.line_to(x, y);
            *here = [x, y];
        }
        ('H', &[x]) => {
            content.line_to(x, here[1]);
            here[0] = x;
        }
        ('V', &[y]) => {
            content.line_to(here[0], y);
            here[1] = y;
        }
        ('C', &[a, b, c, d, x, y]) => {
            content.cubic_to(a, b, c, d, x, y);
            *here = [x, y];
        }
        _ => return false,
    }
    true
}

enum PathWord {
    Command(char),
    Number(f32),
}

fn words(d: &str) -> Vec<PathWord> {
    let mut found = Vec::new();
    let mut start = None;
    let ends = d.char_indices().chain([(d.len(), ' ')]);
    for (i, c) in ends {
        let of_number = c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
        // a sign begins a number, but behind an exponent
        let sign = matches!(c, '-' | '+') && !d[..i].ends_with(['e', 'E']);
        if (!of_number || sign)
            && let Some(from) = start.take()
        {
            found.extend(d[from..i].parse().ok().map(PathWord::Number));
        }
        if of_number {
            start = start.or(Some(i));
        } else if c.is_ascii_alphabetic() {
            found.push(PathWord::Command(c));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_traced_in_order() {
        let mut content = Content::new();
        trace(&mut content, "M1 2L3-4 5,6H7V8C1 2 3 4 5 6Z");
        let text = String::from_utf8(content.finish().to_vec()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let expected = [
            "1 2 m",
            "3 -4 l",
            "5 6 l",
            "7 6 l",
            "7 8 l",
            "1 2 3 4 5 6 c",
            "h",
        ];
        assert_eq!(lines, expected);
    }
}
