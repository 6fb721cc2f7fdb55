//! What can go wrong when a report is written.

use thiserror::Error;

/// An error of a report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The template could not be filled: an error of the program.
    #[error("the template of the report cannot be filled: {source}")]
    Template {
        /// Why.
        #[from]
        source: minijinja::Error,
    },
    /// The data of the report cannot be written as JSON: an error of the program.
    #[error("the data of the report cannot be written as JSON: {source}")]
    Json {
        /// Why.
        #[from]
        source: serde_json::Error,
    },
    /// A plot, or the file of the report.
    #[error(transparent)]
    Results(#[from] bristle_results::Error),
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
