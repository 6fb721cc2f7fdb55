//! What can be wrong with data, a model or a fit.

use bristle_laws::ParameterError;

/// Why a fit is refused or has failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Columns of a record have different lengths.
    #[error("{record}: column {column} has {found} values, expected {expected}")]
    Length {
        /// The record.
        record: String,
        /// The column.
        column: &'static str,
        /// Its length.
        found: usize,
        /// The length of the others.
        expected: usize,
    },
    /// A value is not a finite number.
    #[error("{record}: {column} of sample {sample} is not a finite number")]
    NotFinite {
        /// The record.
        record: String,
        /// The column.
        column: &'static str,
        /// The sample, counted from 1.
        sample: usize,
    },
    /// Times do not increase.
    #[error("{record}: t = {t} s of sample {sample} comes after t = {previous} s")]
    Order {
        /// The record.
        record: String,
        /// The sample, counted from 1.
        sample: usize,
        /// Its time, s.
        t: f64,
        /// The time before it, s.
        previous: f64,
    },
    /// A normal force is negative.
    #[error("{record}: normal force = {value} N in sample {sample}, must be 0 or more")]
    NegativeLoad {
        /// The record.
        record: String,
        /// The sample, counted from 1.
        sample: usize,
        /// The value, N.
        value: f64,
    },
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
            _ => None,
        }
    }
}
