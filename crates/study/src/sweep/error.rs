//! Why a sweep is refused.

use bristle_scenario::{Diagnostics, SourceMap};

use super::measure::MeasureError;

/// Why a sweep is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The scenario is not sound, with any of the values.
    #[error("the scenario is not sound")]
    Scenario {
        /// What is wrong.
        diagnostics: Diagnostics,
        /// Where.
        sources: Box<SourceMap>,
    },
    /// A path is varied twice.
    #[error("--vary {path} is given twice")]
    Twice {
        /// The path.
        path: String,
    },
    /// A path is set and varied.
    #[error("{path} is both varied and set by --set {set}")]
    SetAndVaried {
        /// The path.
        path: String,
        /// The other option.
        set: String,
    },
    /// A part of the scenario that it does not have.
    #[error("--vary {path}: the scenario has no {missing}{suggestion}")]
    NoSuchPart {
        /// The path.
        path: String,
        /// The part.
        missing: String,
        /// Perhaps what was meant.
        suggestion: String,
    },
    /// More runs than can be counted.
    #[error("the axes make more runs than can be counted")]
    TooMany,
    /// A measure that the scenario cannot give.
    #[error(transparent)]
    Measure(#[from] MeasureError),
}
