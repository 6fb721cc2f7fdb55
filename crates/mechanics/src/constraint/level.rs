//! Derivatives of constraints.

/// Which derivative of Φ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstraintLevel {
    /// Φ.
    Position,
    /// Φ̇.
    Velocity,
    /// Φ̈.
    Acceleration,
}
