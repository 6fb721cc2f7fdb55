//! Frequency and level of what drives the machine.

/// What drives the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excitation {
    /// Ω, rad/s.
    pub omega: f64,
    /// Factor of the excitation.
    pub level: f64,
    /// γ, 1/s: a force γ M ẋ that feeds a free vibration, so that it is periodic
    /// ([`nonlinear_mode`](crate::nonlinear_mode)).
    pub feeding: f64,
}

impl Excitation {
    /// The whole excitation at an angular frequency (rad/s).
    pub fn at(omega: f64) -> Self {
        Self {
            omega,
            level: 1.0,
            feeding: 0.0,
        }
    }
}
