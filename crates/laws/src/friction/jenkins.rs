//! `jenkins`: an elastic, perfectly plastic element.

use crate::card::StateCard;
use crate::card::{Behaviour, Equation, LawCard, Range, Typical};
use crate::kind::{OfKind, Slider, SliderLaw, Sliders};
use crate::law::FrictionLaw;
use crate::law::slip::RATE_INDEPENDENT_SLIP_SPEED;
use crate::numbers::scalar::Scalar;
use crate::parameters;

parameters! {
    /// The Jenkins element: a spring in series with a Coulomb slider.
    ///
    /// $$ \dot{\mathbf f} = k_t\mathbf v\ \text{(stuck)}, \qquad
    ///    \dot{\mathbf f} = k_t\mathbf v - (k_t\,\mathbf e\cdot\mathbf v - \mu_k\dot N)\,\mathbf e\ \text{at}\ |\mathbf f| = \mu_k N,
    ///    \qquad \mathbf F = \mathbf f,\ \mathbf e = \mathbf f/|\mathbf f| $$
    ///
    /// **State.** One vector f (N), initially 0; at N = 0 f = 0.
    /// **Reproduces** presliding with one slider; several in parallel are an Iwan model.
    /// **Numerics.** Exact for a straight path and a normal force that is linear in time; in one
    /// dimension f := clip(f + k_t dx, ±μk N). The continuous view does not know dN/dt: there a
    /// rising N makes the slider stick until the limit is reached again.
    /// **Source.** Masing 1926, Iwan 1966; the vector form is ours (the slider moves along f).
    pub law Jenkins<P> for "jenkins" {
        /// Tangential stiffness.
        tangential_stiffness: P = {
            symbol: "k_t", unit: "N/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e5),
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
    }
}

impl<P: Scalar> OfKind for Jenkins<P> {
    type Number = P;
    type Kind = Sliders;
}

impl<P: Scalar> SliderLaw<P> for Jenkins<P> {
    const SINGLE: bool = true;

    fn count(&self) -> usize {
        1
    }

    #[inline(always)]
    fn slider(&self, _: usize) -> Slider<P> {
        Slider {
            stiffness: self.tangential_stiffness,
            coefficient: self.kinetic_coefficient,
        }
    }
}

impl FrictionLaw for Jenkins {
    const CARD: LawCard<'static> = LawCard {
        name: "jenkins",
        title: "Jenkins element (elastic, perfectly plastic)",
        summary: "A spring in series with a Coulomb slider, the element of blade and joint models.",
        equations: &[
            Equation {
                text: "stuck: df/dt = k_t v",
                tex: r"\dot{\mathbf f} = k_t\mathbf v",
                source: "Iwan 1966",
            },
            Equation {
                text: "|f| = mu_k N, sliding: df/dt = k_t v - (k_t e.v - mu_k dN/dt) e,  e = f/|f|",
                tex: r"\dot{\mathbf f} = k_t\mathbf v - (k_t\,\mathbf e\cdot\mathbf v - \mu_k\dot N)\,\mathbf e",
                source: "Iwan 1966, vector form of this project",
            },
            Equation {
                text: "F = f",
                tex: r"\mathbf F = \mathbf f",
                source: "Iwan 1966",
            },
        ],
        parameters: Self::CARDS,
        states: &[StateCard::vector(
            "f",
            "N",
            "spring force in the tangent plane",
        )],
        behaviour: &[Behaviour::Holds],
        printed: None,
        reproduces: &[
            "presliding displacement (one slider)",
            "hysteresis whose inner loops close",
            "hold without drift",
            "varying normal force",
        ],
        cannot: &[
            "a static level above the kinetic one, stick-slip, frictional lag, viscous friction",
        ],
        source: "Masing 1926; Iwan 1966",
        remarks: "Vector form ours: the slider moves along f. A falling normal force makes the element slide at rest.",
    };

    fn slip_speed(&self) -> f64 {
        RATE_INDEPENDENT_SLIP_SPEED
    }

    fn state_size(&self, normal_force: f64) -> Option<f64> {
        Some(self.kinetic_coefficient * normal_force)
    }

    fn breakaway_deflection(&self, normal_force: f64) -> Option<f64> {
        Some(self.kinetic_coefficient * normal_force / self.tangential_stiffness)
    }
}
