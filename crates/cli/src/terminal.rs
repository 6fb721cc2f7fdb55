//! The one place that prints: its width, its colours, and readers that have gone away.

use std::io::{self, IsTerminal as _, Write as _};

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

    /// Prints `text`. A reader that has gone away, such as `head`, is no error of ours.
    pub(crate) fn print(self, text: &str) {
        // a full disk behind a redirection is the only other case, and there is no way to tell of it
        let _ = match self {
            Self::Out => {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes()).and_then(|()| out.flush())
            }
            Self::Err => io::stderr().lock().write_all(text.as_bytes()),
        };
    }
}
