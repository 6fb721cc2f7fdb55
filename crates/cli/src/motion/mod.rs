//! Motions from a text file, row by row.

mod columns;
mod rows;

pub(crate) use columns::Columns;
pub(crate) use rows::{Row, Rows};

/// What is wrong with a file, and what to do about it.
#[derive(Debug, PartialEq)]
pub(crate) struct Problem {
    /// With file and line.
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Problem {
    pub(crate) fn new(message: String) -> Self {
        Self {
            message,
            help: None,
        }
    }

    pub(crate) fn with(message: String, help: impl Into<String>) -> Self {
        let help = Some(help.into());
        Self { message, help }
    }
}

/// The cells of a line; a separator between quotes is a part of the text.
fn cells(line: &str, separator: char) -> Vec<&str> {
    if !line.contains('"') {
        return line.split(separator).collect();
    }
    let mut quoted = false;
    let ends = |c: char| {
        quoted ^= c == '"';
        c == separator && !quoted
    };
    line.split(ends).collect()
}

/// A cell without blanks and quotes.
fn bare(cell: &str) -> &str {
    cell.trim().trim_matches('"').trim()
}

/// Names in quotes, for messages.
fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    quoted.join(", ")
}
