//! `kelvin_voigt`: a linear spring and damper.

use super::{Indentation, NormalLaw};
use crate::card::{Default, Equation, LawCard, Range, Typical};
use crate::numbers::scalar::Scalar;
use crate::parameters;

parameters! {
    /// A linear spring and damper.
    ///
    /// $$ N = \max(0,\; K\delta + D\,\dot\delta) $$
    ///
    /// N jumps by D δ̇ at touch-down. The clamp stops adhesion on leaving, which raises the
    /// restitution above exp(−πζ/√(1−ζ²)).
    /// **Source.** Kelvin–Voigt element, clamped at zero.
    pub law KelvinVoigt for "kelvin_voigt" {
        /// Contact stiffness K.
        stiffness: f64 = {
            symbol: "K", unit: "N/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e6),
        },
        /// Contact damping D.
        damping: f64 = {
            symbol: "D", unit: "N s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(100.0),
            default: Default::Number(0.0),
        },
    }
}

impl NormalLaw for KelvinVoigt {
    const CARD: LawCard<'static> = LawCard {
        name: "kelvin_voigt",
        title: "Kelvin-Voigt",
        summary: "A linear spring and damper, clamped at zero.",
        equations: &[Equation {
            text: "N = max(0, K d + D dd/dt)",
            tex: r"N = \max(0,\;K\delta + D\,\dot\delta)",
            source: "Kelvin-Voigt element, clamped at zero",
        }],
        parameters: Self::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &["compliant contact", "energy loss"],
        cannot: &[
            "a continuous force: it jumps by D dd/dt at touch-down",
            "adhesion: N is never negative",
        ],
        source: "Kelvin-Voigt element",
        remarks: "The clamp raises the restitution above exp(-pi z/sqrt(1 - z^2)), z = D/(2 sqrt(K m)).",
    };

    fn unclamped<T: Scalar>(&self, c: &Indentation<T>) -> T {
        c.depth * self.stiffness + c.rate * self.damping
    }

    fn stored_energy(&self, depth: f64) -> f64 {
        0.5 * self.stiffness * depth * depth
    }
}
