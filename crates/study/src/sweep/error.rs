//! Why a sweep is refused.

use bristle_scenario::{Diagnostics, SourceMap};

use super::measure::{CHANNELS, MeasureError};

/// What is wrong with the table, the sample or the ranges of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DesignError {
    /// The place, the value and what is allowed.
    pub message: String,
    /// What to write.
    pub help: Option<String>,
}

impl DesignError {
    /// About the text of an option.
    pub(super) fn new(option: &str, text: &str, reason: impl std::fmt::Display) -> Self {
        let help = match option {
            "--range" => {
                "for example --range \"body.cube.mass=1 kg:5 kg\", or with equal weight for each \
                 ratio --range spring.drive.stiffness=1e3:1e5:log"
            }
            _ => "for example --sample lhs:1000, --sample sobol:1024 or --sample saltelli:512",
        };
        Self {
            message: format!("{option} {text}: {reason}"),
            help: Some(help.to_owned()),
        }
    }
}

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
    #[error("{origin} {path} is given twice")]
    Twice {
        /// Where it is given: the option, or the table and its line.
        origin: String,
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
    #[error("{origin} {path}: the scenario has no {missing}{suggestion}")]
    NoSuchPart {
        /// Where it is given: the option, or the table and its line.
        origin: String,
        /// The path.
        path: String,
        /// The part.
        missing: String,
        /// Perhaps what was meant.
        suggestion: String,
    },
    /// A channel that the scenario does not have.
    #[error("--channel {name}: there is no such channel; {}", suggestion.as_deref().unwrap_or(CHANNELS))]
    NoSuchChannel {
        /// The name.
        name: String,
        /// Perhaps what was meant.
        suggestion: Option<String>,
    },
    /// A measure that the scenario cannot give.
    #[error(transparent)]
    Measure(#[from] MeasureError),
}
