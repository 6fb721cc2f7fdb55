//! What can be wrong with the definition of a signal.

use std::ops::Range;

/// Why a signal could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SignalError {
    /// A parameter is outside its range, or not a number.
    #[error("{signal}.{field} = {}, must be in {allowed}{}", with_unit(*value, unit), suffix(unit))]
    OutOfRange {
        /// Kind of signal, such as `chirp`.
        signal: &'static str,
        /// Field of that signal.
        field: &'static str,
        /// The value that was given.
        value: f64,
        /// Its unit; empty where the unit is that of the quantity described.
        unit: &'static str,
        /// The admissible interval.
        allowed: &'static str,
    },
    /// A table without rows.
    #[error("table has no rows; it needs at least one pair of time and value")]
    EmptyTable,
    /// As many values as times are needed.
    #[error("table has {times} times but {values} values")]
    UnequalLengths {
        /// Number of times.
        times: usize,
        /// Number of values.
        values: usize,
    },
    /// A time in a table does not exceed the one before it.
    #[error(
        "table row {}: time {} must be greater than {}, the time of the row before",
        row + 1, with_unit(*time, "s"), with_unit(*previous, "s")
    )]
    TimesNotIncreasing {
        /// Row, counted from 0.
        row: usize,
        /// Its time, s.
        time: f64,
        /// The time of the row before, s.
        previous: f64,
    },
    /// A table entry is infinite or not a number.
    #[error("table row {}: {field} = {value}, must be finite", row + 1)]
    NotFinite {
        /// Row, counted from 0.
        row: usize,
        /// `time` or `value`.
        field: &'static str,
        /// The entry.
        value: f64,
    },
    /// The integral of a signal is not known exactly.
    #[error(
        "{signal} has no exact integral here; give a number, a table, a csv file, a sine without start, or a sum of them"
    )]
    NoIntegral {
        /// Kind of signal.
        signal: &'static str,
    },
    /// A signal is no sum of a constant and harmonics.
    #[error("{signal} is no harmonic load; give a number, a harmonic, or a sum of them")]
    NotHarmonic {
        /// Kind of the part that is neither.
        signal: &'static str,
    },
    /// An expression could not be read.
    #[error("expression \"{text}\": {reason}")]
    Expression {
        /// The whole expression.
        text: String,
        /// Byte range of the part at fault within `text`.
        range: Range<usize>,
        /// What is wrong, and what was expected.
        reason: String,
    },
}

/// A number with an exponent where zeros would have to be counted, and its unit.
fn with_unit(value: f64, unit: &str) -> String {
    let size = value.abs();
    if size == 0.0 || !size.is_finite() || (1e-4..1e9).contains(&size) {
        format!("{value}{}", suffix(unit))
    } else {
        format!("{value:e}{}", suffix(unit))
    }
}

fn suffix(unit: &str) -> String {
    if unit.is_empty() {
        String::new()
    } else {
        format!(" {unit}")
    }
}

/// A named parameter on its way through validation.
#[derive(Clone, Copy)]
pub(crate) struct Check {
    pub(crate) signal: &'static str,
    pub(crate) field: &'static str,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
}

impl Check {
    fn require(self, admissible: bool, allowed: &'static str) -> Result<(), SignalError> {
        if admissible && self.value.is_finite() {
            return Ok(());
        }
        let Self {
            signal,
            field,
            value,
            unit,
        } = self;
        Err(SignalError::OutOfRange {
            signal,
            field,
            value,
            unit,
            allowed,
        })
    }

    pub(crate) fn finite(self) -> Result<(), SignalError> {
        self.require(true, "(-∞, ∞)")
    }

    pub(crate) fn positive(self) -> Result<(), SignalError> {
        self.require(self.value > 0.0, "(0, ∞)")
    }

    pub(crate) fn not_negative(self) -> Result<(), SignalError> {
        self.require(self.value >= 0.0, "[0, ∞)")
    }

    pub(crate) fn at_least_one(self) -> Result<(), SignalError> {
        self.require(self.value >= 1.0, "[1, ∞)")
    }

    pub(crate) fn at_most(self, limit: f64, allowed: &'static str) -> Result<(), SignalError> {
        self.require(self.value <= limit, allowed)
    }
}
