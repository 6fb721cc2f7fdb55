//! `hertz`: elastic contact of curved bodies.

use super::{Indentation, NormalLaw};
use crate::card::{Equation, LawCard, Range, Typical};
use crate::numbers::scalar::Scalar;
use crate::parameters;

parameters! {
    /// Elastic contact of two spheres.
    ///
    /// $$ N = K\delta^{3/2}, \qquad K = \tfrac43 E^*\sqrt R, \qquad
    ///    \frac1{E^*} = \sum\frac{1-\nu^2}{E}, \quad \frac1R = \sum\frac1{R_i} $$
    ///
    /// No loss: the restitution is 1. **Source.** Hertz 1882.
    pub law Hertz for "hertz" {
        /// Contact stiffness K.
        stiffness: f64 = {
            symbol: "K", unit: "N/m^1.5", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e9),
        },
    }
}

impl NormalLaw for Hertz {
    const CARD: LawCard<'static> = LawCard {
        name: "hertz",
        title: "Hertz",
        summary: "Elastic contact of curved bodies, without loss.",
        equations: &[Equation {
            text: "N = K d^(3/2),  K = 4/3 E* sqrt(R),  1/E* = sum (1 - nu^2)/E",
            tex: r"N = K\delta^{3/2},\quad K=\tfrac43E^*\sqrt R,\quad 1/E^*=\sum(1-\nu^2)/E",
            source: "Hertz 1882",
        }],
        parameters: Self::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &["compliant contact"],
        cannot: &["energy loss: the restitution is 1", "adhesion"],
        source: "Hertz 1882",
        remarks: "For loss use hunt_crossley_1975, lankarani_nikravesh or flores with exponent 1.5.",
    };

    fn unclamped<T: Scalar>(&self, c: &Indentation<T>) -> T {
        c.depth * c.depth.sqrt() * self.stiffness
    }

    fn stored_energy(&self, depth: f64) -> f64 {
        0.4 * self.stiffness * depth * depth * depth.sqrt()
    }
}
