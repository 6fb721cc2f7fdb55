//! The modes of an element of `gms`.

use crate::numbers::scalar::Scalar;

/// An element across the motion within this share of its force is on the border f·v = 0.
pub(super) const ACROSS: f64 = 1e-11;

/// What an element does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementMode {
    /// It is a spring.
    Stuck,
    /// It relaxes towards α g u.
    Sliding,
    /// It is held on f·v = 0 above its level.
    Held,
    /// It is held on f·v = 0 at its level, which falls.
    AtLevel,
}

impl ElementMode {
    /// The mode of a stored number.
    pub(super) fn of<T: Scalar>(number: T) -> Self {
        match number.value() {
            x if x < 0.5 => Self::Stuck,
            x if x < 1.5 => Self::Sliding,
            x if x < 2.5 => Self::Held,
            _ => Self::AtLevel,
        }
    }

    /// The number that is stored.
    pub(super) fn number(self) -> f64 {
        match self {
            Self::Stuck => 0.0,
            Self::Sliding => 1.0,
            Self::Held => 2.0,
            Self::AtLevel => 3.0,
        }
    }

    /// Whether it is held on f·v = 0.
    pub(super) fn on_border(self) -> bool {
        matches!(self, Self::Held | Self::AtLevel)
    }
}
