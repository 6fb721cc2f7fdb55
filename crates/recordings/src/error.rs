//! Why columns make no record.

/// Why columns make no record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
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
    /// A motion that is to be computed has no measured one beside it.
    #[error("{record}: there is no measured position to compare with")]
    NoPosition {
        /// The record.
        record: String,
    },
    /// The gain of a controller is not above 0.
    #[error("servo gain = {value} 1/rad: must be above 0")]
    Gain {
        /// The gain, 1/rad.
        value: f64,
    },
}

impl RecordError {
    /// What to do about it, where that is known.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NoPosition { .. } => Some("give a column of the position and one of the time"),
            _ => None,
        }
    }
}
