//! `iwan`: Jenkins elements in parallel.

use crate::card::StateCard;
use crate::card::{Behaviour, Equation, LawCard, Range, Relation, Typical};
use crate::kind::elements::{Elements, check_fractions};
use crate::kind::{OfKind, Slider, SliderLaw, Sliders};
use crate::law::FrictionLaw;
use crate::law::slip::RATE_INDEPENDENT_SLIP_SPEED;
use crate::numbers::scalar::Scalar;
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the Iwan law.
    pub struct IwanParameters<P> for "iwan" {
        /// Tangential stiffness of every element, at most ten.
        element_stiffnesses: Vec<P> = {
            symbol: "k_i", unit: "N/m", role: Stiffness, range: Range::Positive,
            typical: Typical::List(&[4e4, 3e4, 2e4, 1e4]),
        },
        /// Share of every element in the kinetic level; the sum is 1.
        element_fractions: Vec<P> = {
            symbol: "alpha_i", unit: "1", role: Share, range: Range::Positive,
            typical: Typical::List(&[0.1, 0.2, 0.3, 0.4]),
                    relation: Relation::SumIsOne,
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
    }
}

/// Jenkins elements in parallel: microslip with any curve of first loading.
///
/// $$ \dot{\mathbf f}_i = k_i\mathbf v\ \text{(stuck)}, \qquad
///    \dot{\mathbf f}_i = k_i\mathbf v - (k_i\,\mathbf e_i\cdot\mathbf v - \alpha_i\mu_k\dot N)\,\mathbf e_i
///    \ \text{at}\ |\mathbf f_i| = \alpha_i\mu_k N, \qquad \mathbf F = \sum_i\mathbf f_i $$
///
/// **States.** Per element one vector fᵢ (N), initially 0; at N = 0 fᵢ = 0.
/// **Reproduces** the rules of Masing: every branch after a reversal is the curve of first loading,
/// twice as large, and inner loops close.
/// **Numerics.** As [`Jenkins`](super::Jenkins): exact for a straight path and a normal force that
/// is linear in time.
/// **Source.** Iwan 1966; the vector form is ours (every slider moves along its own force).
#[derive(Clone, Debug, PartialEq)]
pub struct Iwan<P = f64> {
    parameters: IwanParameters<P>,
    elements: Elements<P>,
}

impl<P: Scalar> Iwan<P> {
    /// The law.
    ///
    /// # Errors
    /// If the lists are too long or of different length, or if the fractions do not add to 1.
    pub fn new(parameters: IwanParameters<P>) -> Result<Self, ParameterError> {
        let (k, fractions) = (
            &parameters.element_stiffnesses,
            &parameters.element_fractions,
        );
        let mut elements = Elements::new("iwan", k, "element_fractions", fractions)?;
        check_fractions("iwan", fractions)?;
        let mu_k = parameters.kinetic_coefficient;
        elements.level = elements.level.map(|share| share * mu_k);
        Ok(Self {
            parameters,
            elements,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &IwanParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for Iwan<P> {
    type Number = P;
    type Kind = Sliders;
}

impl<P: Scalar> SliderLaw<P> for Iwan<P> {
    fn count(&self) -> usize {
        self.elements.count
    }

    fn slider(&self, i: usize) -> Slider<P> {
        Slider {
            stiffness: self.elements.stiffness[i],
            coefficient: self.elements.level[i],
        }
    }
}

impl FrictionLaw for Iwan {
    const CARD: LawCard<'static> = LawCard {
        name: "iwan",
        title: "Iwan (Jenkins elements in parallel)",
        summary: "Springs in series with Coulomb sliders, side by side: microslip of joints, without Stribeck effect.",
        equations: &[
            Equation {
                text: "stuck: df_i/dt = k_i v",
                tex: r"\dot{\mathbf f}_i = k_i\mathbf v",
                source: "Iwan 1966",
            },
            Equation {
                text: "|f_i| = alpha_i mu_k N, sliding: df_i/dt = k_i v - (k_i e_i.v - alpha_i mu_k dN/dt) e_i,  e_i = f_i/|f_i|",
                tex: r"\dot{\mathbf f}_i = k_i\mathbf v - (k_i\,\mathbf e_i\cdot\mathbf v - \alpha_i\mu_k\dot N)\,\mathbf e_i",
                source: "Iwan 1966, vector form of this project",
            },
            Equation {
                text: "F = sum f_i",
                tex: r"\mathbf F = \sum_i\mathbf f_i",
                source: "Iwan 1966",
            },
        ],
        parameters: IwanParameters::CARDS,
        states: &[
            StateCard::vector("f", "N", "spring force of the element in the tangent plane")
                .per_element(),
        ],
        behaviour: &[Behaviour::Holds],
        printed: None,
        reproduces: &[
            "presliding displacement",
            "hysteresis with non-local memory",
            "hold without drift",
            "varying normal force",
        ],
        cannot: &[
            "a static level above the kinetic one, stick-slip, frictional lag, viscous friction (use gms)",
        ],
        source: "Iwan 1966; Masing 1926",
        remarks: "Vector form ours: every slider moves along its own force. One element is the Jenkins element.",
    };

    fn slip_speed(&self) -> f64 {
        RATE_INDEPENDENT_SLIP_SPEED
    }

    fn state_size(&self, normal_force: f64) -> Option<f64> {
        Some(self.parameters.kinetic_coefficient * normal_force)
    }

    /// The displacement from rest at which the last element starts to slide.
    fn breakaway_deflection(&self, normal_force: f64) -> Option<f64> {
        (0..self.elements.count)
            .map(|i| self.elements.level[i] * normal_force / self.elements.stiffness[i])
            .reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::law::slip::{Slip, Step};

    fn law() -> Iwan {
        Iwan::new(IwanParameters {
            element_stiffnesses: vec![4e4, 3e4, 1e4],
            element_fractions: vec![0.2, 0.5, 0.3],
            kinetic_coefficient: 0.1,
        })
        .expect("admissible")
    }

    /// The force after strokes from rest at N = 10 N, 1 m/s.
    fn after(strokes: &[f64]) -> f64 {
        let mut state = [0.0; 3];
        let mut force = 0.0;
        for stroke in strokes {
            let old = state;
            let step = Step::constant(Slip::new([stroke.signum()], 10.0), stroke.abs());
            [force] = law().update(&step, &old, &mut state);
        }
        force
    }

    #[test]
    fn first_loading_and_masing() {
        // limits 0.2, 0.5, 0.3 N are met after 5, 16.67 and 30 µm
        let first = |x: f64| (4e4 * x).min(0.2) + (3e4 * x).min(0.5) + (1e4 * x).min(0.3);
        for x in [2e-6, 9e-6, 20e-6, 40e-6] {
            assert!((after(&[x]) - first(x)).abs() < 1e-14);
            // Masing: the branch after a reversal is the first one, twice as large
            let back = after(&[25e-6, -x]);
            let masing = first(25e-6) - 2.0 * first(0.5 * x);
            assert!((back - masing).abs() < 1e-14, "{back} {masing}");
        }
        // an inner loop closes, and the outer branch goes on as if it had not been
        let outer = after(&[25e-6, -20e-6]);
        assert!((after(&[25e-6, -20e-6, 8e-6, -8e-6]) - outer).abs() < 1e-14);
    }
}
