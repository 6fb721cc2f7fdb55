//! The card of `dahl`, and the rest that is asked of a law.

use super::Dahl;
use crate::card::StateCard;
use crate::card::{Behaviour, Equation, LawCard, Printed};
use crate::kind::{Bristles, Kind, KindVisitor};
use crate::law::slip::{RATE_INDEPENDENT_SLIP_SPEED, Step, dot, vector_at};
use crate::law::{FrictionLaw, Sides, StateLayout, Tangent, tangent_by_dual};

impl FrictionLaw for Dahl {
    const CARD: LawCard<'static> = LawCard {
        name: "dahl",
        title: "Dahl",
        summary: "Rate-independent presliding hysteresis that grows into Coulomb friction.",
        equations: &[
            Equation {
                text: "dz/dt = |1 - r|^n sgn(1 - r) v - sigma_0 |v|/mu_k (z - (z.u) u),  r = sigma_0 z.u/mu_k",
                tex: r"\dot{\mathbf z} = |1-r|^n\operatorname{sgn}(1-r)\,\mathbf v - \tfrac{\sigma_0|\mathbf v|}{\mu_k}\bigl(\mathbf z-(\mathbf z\cdot\mathbf u)\mathbf u\bigr),\quad r=\tfrac{\sigma_0}{\mu_k}\mathbf z\cdot\mathbf u",
                source: "Dahl 1976; vector form of this project",
            },
            Equation {
                text: "F = N sigma_0 z",
                tex: r"\mathbf F = N\sigma_0\mathbf z",
                source: "Dahl 1976, per unit of normal force",
            },
        ],
        parameters: Self::CARDS,
        states: &[StateCard::vector(
            "z",
            "m",
            "deflection in the tangent plane",
        )],
        behaviour: &[Behaviour::Holds, Behaviour::Drifts],
        printed: Some(Printed {
            has: &["presliding_displacement", "computational_cost"],
            differs: &[],
        }),
        reproduces: &[
            "presliding displacement",
            "hysteresis independent of the rate",
            "varying normal force",
        ],
        cannot: &[
            "a static level above the kinetic one, stick-slip, frictional lag, viscous friction",
            "hold without drift under a vibrating load: it drifts, undamped",
            "hysteresis with non-local memory",
        ],
        source: "Dahl 1968, 1976",
        remarks: "n = 1 is lugre with sigma_1 = sigma_2 = 0 and mu_s = mu_k, in every dimension. For other n the part of z across the motion decays as for n = 1; n < 1 is meant for one dimension.",
    };

    const SIDES: Sides = Sides::OfVelocity;

    fn has_stage(&self) -> bool {
        true
    }

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 0,
        }
    }

    fn visit_kind<V: KindVisitor>(&self, visitor: V) -> V::Output {
        if self.is_linear() {
            <Bristles<1> as Kind<Self>>::visit(self, visitor)
        } else {
            visitor.general()
        }
    }

    #[inline]
    fn update_with_tangent<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        if self.is_linear() {
            <Bristles<1> as Kind<Self>>::update_with_tangent(self, step, old, new)
        } else {
            tangent_by_dual(self, step, old, new)
        }
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let z = vector_at::<f64, D>(state, 0);
        0.5 * self.bristle_stiffness * normal_force * dot(&z, &z)
    }

    fn slip_speed(&self) -> f64 {
        RATE_INDEPENDENT_SLIP_SPEED
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some(self.kinetic_coefficient / self.bristle_stiffness)
    }
}
