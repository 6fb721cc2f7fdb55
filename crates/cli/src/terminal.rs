//! The one place that prints: its width, its colours, and readers that have gone away.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::OnceLock;

/// Columns where there is no terminal to ask.
const PLAIN_WIDTH: usize = 100;
/// Wider lines are hard to read.
const WIDEST: usize = 120;

/// One of the two ways out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output: what was asked for.
    Out,
    /// Standard error: errors, warnings, progress.
    Err,
}

impl Stream {
    /// Whether somebody looks at it.
    pub(crate) fn is_terminal(self) -> bool {
        match self {
            Self::Out => io::stdout().is_terminal(),
            Self::Err => io::stderr().is_terminal(),
        }
    }

    /// Whether text may be coloured: on a terminal that does not ask for plain text
    /// (<https://no-color.org>).
    pub(crate) fn colour(self) -> bool {
        let asked = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        self.is_terminal()
            && asked("NO_COLOR").is_none()
            && asked("TERM").is_none_or(|term| term != "dumb")
    }

    /// Columns to fill.
    pub(crate) fn width(self) -> usize {
        let size = match self {
            Self::Out => terminal_size::terminal_size_of(io::stdout()),
            Self::Err => terminal_size::terminal_size_of(io::stderr()),
        };
        size.map_or(PLAIN_WIDTH, |(width, _)| usize::from(width.0).min(WIDEST))
    }

    /// Prints `text`, in which nothing but colours may steer a terminal.
    pub(crate) fn print(self, text: &str) {
        let text = harmless(text, self.colour());
        match self {
            Self::Out => {
                let mut out = io::stdout().lock();
                let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                if let Err(error) = written {
                    // the first reason is the one that matters
                    let _ = UNWRITTEN.set(error);
                }
            }
            // there is no other place to say that this one is closed
            Self::Err => drop(io::stderr().lock().write_all(text.as_bytes())),
        }
    }

    /// Clears the line of a progress bar that stays behind.
    pub(crate) fn clear_line(self) {
        if self.is_terminal() {
            let clear = b"\r\x1b[2K";
            drop(match self {
                Self::Out => io::stdout().lock().write_all(clear),
                Self::Err => io::stderr().lock().write_all(clear),
            });
        }
    }
}

/// Why standard output could not be written. It belongs to the process as a whole, and so does this.
static UNWRITTEN: OnceLock<io::Error> = OnceLock::new();

/// Why something that was printed did not arrive: a full disk, or a reader that has gone away.
pub(crate) fn unwritten() -> Option<&'static io::Error> {
    UNWRITTEN.get()
}

/// `text` without control characters, which names and titles of files may hold; with `colours`,
/// sequences that set colours stay.
fn harmless(text: &str, colours: bool) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(steers) {
        let (plain, from) = rest.split_at(at);
        shown.push_str(plain);
        let colour = colour_sequence(from).filter(|_| colours);
        let length = if let Some(length) = colour {
            shown.push_str(&from[..length]);
            length
        } else {
            shown.push('\u{fffd}');
            from.chars().next().map_or(1, char::len_utf8)
        };
        rest = &from[length..];
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// The length of a sequence ESC [ numbers m at the start.
fn colour_sequence(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("\x1b[")?;
    let length = inner.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    inner[length..].starts_with('m').then_some(length + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_reach_the_terminal() {
        let text = "\x1b[1mbold\x1b[0m \x1b]0;title\x07 \x1b[2Jgone\r\u{9b}5n µ\n";
        assert_eq!(
            harmless(text, true),
            "\x1b[1mbold\x1b[0m \u{fffd}]0;title\u{fffd} \u{fffd}[2Jgone\u{fffd}\u{fffd}5n µ\n"
        );
        assert!(!harmless(text, false).contains('\x1b'));
        assert!(matches!(harmless("plain\ttext\n", false), Cow::Borrowed(_)));
    }
}
