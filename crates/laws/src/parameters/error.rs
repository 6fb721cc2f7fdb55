//! What a law refuses.

use crate::card::Shortest;

/// A parameter that a law refuses, by name.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// The law is not in the catalogue.
    #[error("unknown {kind} law `{name}`; known: {known}")]
    UnknownLaw {
        /// `friction` or `normal`.
        kind: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The law has no such parameter.
    #[error("{law} has no parameter `{name}`; it has {known}")]
    Unknown {
        /// The law.
        law: String,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A required parameter is missing.
    #[error("{law}.{name} ({symbol}) is missing; it must be in {allowed} {unit}")]
    Missing {
        /// The law.
        law: String,
        /// The parameter.
        name: String,
        /// Its symbol.
        symbol: String,
        /// Its unit.
        unit: String,
        /// The admissible range.
        allowed: String,
    },
    /// The parameter is given twice (by field name and symbol, say).
    #[error("{law}.{name} is given twice")]
    Twice {
        /// The law.
        law: String,
        /// The parameter.
        name: String,
    },
    /// The value has the wrong type.
    #[error("{law}.{name} must be {expected}")]
    WrongKind {
        /// The law.
        law: String,
        /// The parameter.
        name: String,
        /// What it must be.
        expected: &'static str,
    },
    /// The value leaves its range.
    #[error("{law}.{name} = {} {unit}, must be in {allowed} {unit}", Shortest(*value))]
    OutOfRange {
        /// The law.
        law: String,
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// The unit.
        unit: String,
        /// The admissible range.
        allowed: String,
    },
    /// A law that is the same for both directions was given a number for negative velocities.
    #[error(
        "{law} has no {name}: this law is the same for both directions of motion; leave it out, or \
         choose another law"
    )]
    SameBothWays {
        /// The law.
        law: String,
        /// The parameter for negative velocities.
        name: String,
    },
    /// Two parameters contradict each other.
    #[error("{law}.{name} = {} {unit}: {reason}", Shortest(*value))]
    Inconsistent {
        /// The law.
        law: String,
        /// The parameter to change.
        name: String,
        /// The value.
        value: f64,
        /// The unit.
        unit: String,
        /// The condition that fails.
        reason: String,
    },
}

impl ParameterError {
    /// The parameter that the error is about, if it is about one.
    pub fn parameter(&self) -> Option<&str> {
        match self {
            Self::UnknownLaw { .. } => None,
            Self::Unknown { name, .. }
            | Self::Missing { name, .. }
            | Self::Twice { name, .. }
            | Self::WrongKind { name, .. }
            | Self::OutOfRange { name, .. }
            | Self::SameBothWays { name, .. }
            | Self::Inconsistent { name, .. } => Some(name),
        }
    }
}

/// Hyphens and underscores are the same in a name.
pub fn same_name(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .all(|(x, y)| x == y || matches!((x, y), (b'-' | b'_', b'-' | b'_')))
}
