//! What can be wrong with data, a model or a fit.

use bristle_laws::ParameterError;
use bristle_recordings::RecordError;

/// Why a fit is refused or has failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Columns that make no record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is nothing to learn from a record.
    #[error("{record}: {reason}")]
    Uninformative {
        /// The record.
        record: String,
        /// What is missing.
        reason: String,
        /// What to do.
        help: String,
    },
    /// The law or a value of it is refused.
    #[error(transparent)]
    Law(#[from] ParameterError),
    /// A parameter that does not exist.
    #[error("{model} has no parameter `{name}`; it has {known}")]
    UnknownParameter {
        /// The model.
        model: String,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A value, a start or a bound that contradicts another.
    #[error("{name} = {value} {unit}: {reason}")]
    Value {
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// Its unit.
        unit: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A law without the view that the data ask for.
    #[error("{law}: {reason}")]
    Unsuited {
        /// The law.
        law: String,
        /// Why it cannot be fitted.
        reason: String,
    },
    /// The caller has ended it.
    #[error("the fit was stopped")]
    Stopped,
    /// A part of the fit that was computed elsewhere.
    #[error("a part of the fit: {reason}")]
    Part {
        /// What is wrong with it.
        reason: String,
    },
    /// The optimiser found no finite force.
    #[error("{law}: no parameters with a finite force were found; {help}")]
    Diverged {
        /// The law.
        law: String,
        /// What to do.
        help: String,
    },
}

impl Error {
    /// What to do about it, where that is known.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Uninformative { help, .. } => Some(help),
            Self::Record(error) => error.help(),
            _ => None,
        }
    }
}
