//! `jenkins`: an elastic, perfectly plastic element.

use crate::branches::Branches;
use crate::card::{Behaviour, Equation, LawCard, Range, StateCard, Typical};
use crate::elements;
use crate::kind::General;
use crate::law::{FrictionLaw, Law, StateLayout};
use crate::parameters;
use crate::scalar::{MixesWith, Scalar};
use crate::slip::{
    RATE_INDEPENDENT_SLIP_SPEED, Slip, Step, clip, dot, old_vector_at, travel, vector_at,
};

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

impl<P: Scalar> Law<P> for Jenkins<P> {
    type Kind = General;

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let f = vector_at::<T, D>(state, 0);
        let limit = slip.normal_force * self.kinetic_coefficient;
        if limit.value() <= 0.0 {
            rates[..D].fill(T::zero());
            return [T::zero(); D];
        }
        let df = elements::rate(&f, &slip.velocity, self.tangential_stiffness, limit);
        rates[..D].copy_from_slice(&df);
        clip(&f, limit)
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let mu_k = self.kinetic_coefficient;
        let f = elements::advance(
            &old_vector_at(old, 0),
            &travel(step).0,
            self.tangential_stiffness,
            step.mean.normal_force * mu_k,
            step.end.normal_force * mu_k,
        );
        new[..D].copy_from_slice(&f);
        f
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        (speed.value() > 0.0).then_some(self.kinetic_coefficient * normal_force)
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
        states: &[StateCard::new(
            "f",
            "N",
            "spring force in the tangent plane (vector)",
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

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 0,
        }
    }

    /// In one dimension, at a constant normal force, the update is exact.
    fn branches<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        if D == 1 && change.normal_force == 0.0 {
            return Branches::NONE;
        }
        let (limit, limit_rate) = (
            self.kinetic_coefficient * slip.normal_force,
            self.kinetic_coefficient * change.normal_force,
        );
        let (f, k) = (vector_at(state, 0), self.tangential_stiffness);
        Branches::NONE.with(
            0,
            elements::branch(&f, &slip.velocity, k, limit, limit_rate),
        )
    }

    fn stored_energy<const D: usize>(&self, _normal_force: f64, state: &[f64]) -> f64 {
        let f = vector_at::<f64, D>(state, 0);
        0.5 * dot(&f, &f) / self.tangential_stiffness
    }

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
