//! `hunt_crossley_1975`: the form of 1975, with damping in proportion to the elastic force.

use super::{Indentation, NormalLaw, depth_power};
use crate::card::{Default, Equation, LawCard, Range, Typical};
use crate::numbers::scalar::Scalar;
use crate::parameters;

parameters! {
    /// The law of Hunt and Crossley.
    ///
    /// $$ N = \max\bigl(0,\; K\delta^n(1 + \tfrac32 a\,\dot\delta)\bigr) $$
    ///
    /// The restitution is about 1 − a v_in for small a v_in: a is the slope of restitution against speed.
    /// **Source.** Hunt and Crossley 1975.
    pub law HuntCrossley1975 for "hunt_crossley_1975" {
        /// Contact stiffness K, in N/m^n.
        stiffness: f64 = {
            symbol: "K", unit: "N/m^n", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e9),
        },
        /// Exponent n of the elastic force.
        exponent: f64 = {
            symbol: "n", unit: "1", role: Shape, range: Range::Closed(1.0, 10.0), typical: Typical::Number(1.5),
            default: Default::Number(1.5),
        },
        /// Dissipation a: the slope of the restitution against the impact speed.
        dissipation: f64 = {
            symbol: "a", unit: "s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(0.1),
            default: Default::Number(0.0),
        },
    }
}

impl NormalLaw for HuntCrossley1975 {
    const CARD: LawCard<'static> = LawCard {
        name: "hunt_crossley_1975",
        title: "Hunt-Crossley (1975)",
        summary: "Power-law stiffness with damping in proportion to the elastic force; the restitution falls with the impact speed.",
        equations: &[Equation {
            text: "N = max(0, K d^n (1 + 3/2 a dd/dt))",
            tex: r"N = \max\bigl(0,\;K\delta^n(1+\tfrac32a\,\dot\delta)\bigr)",
            source: "Hunt and Crossley 1975",
        }],
        parameters: Self::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &[
            "compliant contact",
            "restitution that falls with the impact speed",
        ],
        cannot: &["adhesion: N is never negative"],
        source: "Hunt and Crossley 1975",
        remarks: "a can be read off a measured curve of restitution against speed. hunt_crossley with q = p and D = 3/2 a K is the same law.",
    };

    fn unclamped<T: Scalar>(&self, c: &Indentation<T>) -> T {
        let elastic = depth_power(c.depth, self.exponent) * self.stiffness;
        elastic * (c.rate * (1.5 * self.dissipation) + 1.0)
    }

    fn stored_energy(&self, depth: f64) -> f64 {
        self.stiffness * depth.powf(self.exponent + 1.0) / (self.exponent + 1.0)
    }
}
