//! What can be wrong with the equations of a law.

use std::ops::Range;

/// A place in the equations of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which of the texts, from 0.
    pub text: usize,
    /// Byte range within that text.
    pub range: Range<usize>,
}

/// Why equations are not a law, with the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct EquationError {
    /// Where; the whole set of equations if something is missing from it.
    pub place: Option<Place>,
    /// What is wrong, and what was expected.
    pub reason: String,
    /// A name that is not known, and those that are.
    pub unknown: Option<(String, Vec<String>)>,
}

impl EquationError {
    pub(super) fn at(place: &Place, reason: impl Into<String>) -> Self {
        Self {
            place: Some(place.clone()),
            reason: reason.into(),
            unknown: None,
        }
    }

    pub(super) fn missing(reason: impl Into<String>) -> Self {
        Self {
            place: None,
            reason: reason.into(),
            unknown: None,
        }
    }
}
