//! `lankarani_nikravesh`: damping chosen for a coefficient of restitution.

use super::{Indentation, NormalLaw, depth_power, impact_speed};
use crate::card::{Default, Equation, LawCard, Range, Typical};
use crate::numbers::scalar::Scalar;
use crate::parameters;

parameters! {
    /// The law of Lankarani and Nikravesh.
    ///
    /// $$ N = \max\Bigl(0,\; K\delta^n\bigl\lbrack 1 + \tfrac34(1-e^2)\,\dot\delta/v_{in}\bigr\rbrack \Bigr) $$
    ///
    /// v_in is the closing speed at touch-down, kept until separation (`impact_rate`); for a
    /// contact that was not closing a floor stands in for it. Accurate near e = 1 only: e set to 0.9, 0.7, 0.3 gives 0.913, 0.796, 0.684. Use flores for low restitution.
    /// **Source.** Lankarani and Nikravesh 1990.
    pub law LankaraniNikravesh for "lankarani_nikravesh" {
        /// Contact stiffness K, in N/m^n.
        stiffness: f64 = {
            symbol: "K", unit: "N/m^n", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e9),
        },
        /// Exponent n of the elastic force.
        exponent: f64 = {
            symbol: "n", unit: "1", role: Shape, range: Range::Closed(1.0, 10.0), typical: Typical::Number(1.5),
            default: Default::Number(1.5),
        },
        /// Coefficient of restitution e.
        restitution: f64 = {
            symbol: "e", unit: "1", role: Shape, range: Range::Closed(0.0, 1.0), typical: Typical::Number(0.7),
        },
    }
}

impl NormalLaw for LankaraniNikravesh {
    const CARD: LawCard<'static> = LawCard {
        name: "lankarani_nikravesh",
        title: "Lankarani-Nikravesh",
        summary: "Power-law stiffness with damping chosen for a coefficient of restitution.",
        equations: &[Equation {
            text: "N = max(0, K d^n [1 + 3/4 (1 - e^2) (dd/dt)/v_in])",
            tex: r"N = \max\bigl(0,\;K\delta^n[1+\tfrac34(1-e^2)\,\dot\delta/v_{in}]\bigr)",
            source: "Lankarani and Nikravesh 1990",
        }],
        parameters: Self::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &["compliant contact", "a given restitution near 1"],
        cannot: &["adhesion: N is never negative"],
        source: "Lankarani and Nikravesh 1990",
        remarks: "Accurate near e = 1 only: e set to 0.9, 0.7, 0.3 gives 0.913, 0.796, 0.684. Use flores for low restitution. v_in is kept until separation.",
    };

    fn unclamped<T: Scalar>(&self, c: &Indentation<T>) -> T {
        let elastic = depth_power(c.depth, self.exponent) * self.stiffness;
        elastic
            * (c.rate
                * (0.75 * (1.0 - self.restitution * self.restitution)
                    / impact_speed(c.impact_rate))
                + 1.0)
    }

    fn stored_energy(&self, depth: f64) -> f64 {
        self.stiffness * depth.powf(self.exponent + 1.0) / (self.exponent + 1.0)
    }
}
