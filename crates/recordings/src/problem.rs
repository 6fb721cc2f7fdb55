//! What is wrong with recorded data, and what to do about it.

use crate::RecordError;

use std::fmt;

/// What is wrong with a file, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, with file and line.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without a remedy.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: None,
        }
    }

    /// A problem and its remedy.
    pub fn with(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: Some(help.into()),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// An error of a record, with its file.
pub(crate) fn refused(file: &str) -> impl Fn(RecordError) -> Problem + '_ {
    move |error| Problem {
        message: format!("{file}: {error}"),
        help: error.help().map(str::to_owned),
    }
}
