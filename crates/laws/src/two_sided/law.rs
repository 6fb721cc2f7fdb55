//! Both views of a law with two sides.
//!
//! Nothing here is inlined: a law whose directions are the same has its own loops, and these calls
//! stay out of them.

use super::TwoSided;
use crate::card::LawCard;
use crate::friction::Friction;
use crate::kind::General;
use crate::law::branches::Branches;
use crate::law::slip::{Slip, StageStep, Step};
use crate::law::{
    FrictionLaw, Jacobian, Law, MAX_STATES, Sides, StateLayout, StictionLimit, Tangent,
    tangent_by_dual,
};
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};

impl<P: Scalar> Law<P> for TwoSided<P> {
    type Kind = General;

    fn start<const D: usize>(&self, slip: &Slip<P, D>, state: &mut [P]) {
        self.laws[0].start(slip, state);
    }

    #[inline(never)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let law = match self.sides {
            Sides::OfState => self.of_state(state),
            Sides::OfVelocity | Sides::Same => self.at(slip),
        };
        law.rates(slip, state, rates)
    }

    #[inline(never)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        if self.sides == Sides::OfState {
            let force = self.laws[0].update(step, old, new);
            if !is_negative(new) {
                return force;
            }
            return self.laws[1].update(step, old, new);
        }
        let [mean, end] = [&step.mean, &step.end].map(|slip| self.at(slip));
        let force = mean.update(step, old, new);
        if std::ptr::eq(mean, end) {
            return force;
        }
        let mut rates = [T::zero(); MAX_STATES];
        end.rates(&step.end, new, &mut rates[..new.len()])
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        self.laws[0].steady(speed, normal_force)
    }
}

impl<P: Scalar> TwoSided<P> {
    /// The side of a slider.
    fn of_state<T: Scalar>(&self, state: &[T]) -> &Friction<P> {
        &self.laws[usize::from(is_negative(state))]
    }
}

/// Whether the force of a slider is negative.
fn is_negative<T: Scalar>(state: &[T]) -> bool {
    state.first().is_some_and(|force| force.value() < 0.0)
}

/// The larger one, where both are known.
fn larger([one, other]: [Option<f64>; 2]) -> Option<f64> {
    Some(one?.max(other?))
}

impl FrictionLaw for TwoSided {
    const CARD: LawCard<'static> = Self::SHARED;

    fn card(&self) -> LawCard<'_> {
        LawCard {
            parameters: &self.cards,
            ..self.laws[0].card()
        }
    }

    fn layout(&self) -> StateLayout {
        self.laws[0].layout()
    }

    fn has_stage(&self) -> bool {
        self.laws[0].has_stage()
    }

    fn update_with_tangent<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        if self.sides == Sides::OfState {
            let end = self.laws[0].update_with_tangent(step, old, new);
            if !is_negative(new) {
                return end;
            }
            return self.laws[1].update_with_tangent(step, old, new);
        }
        let [mean, end] = [&step.mean, &step.end].map(|slip| self.at(slip));
        if std::ptr::eq(mean, end) {
            mean.update_with_tangent(step, old, new)
        } else {
            tangent_by_dual(self, step, old, new)
        }
    }

    fn stage<const D: usize>(
        &self,
        stage: &StageStep<D>,
        base: &[f64],
        new: &mut [f64],
        wants_tangent: bool,
    ) -> Option<([f64; D], Tangent<D>)> {
        self.at(&stage.end).stage(stage, base, new, wants_tangent)
    }

    fn set_modes_after_event<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &mut [f64],
    ) -> bool {
        self.after(slip, change)
            .set_modes_after_event(slip, change, state)
    }

    fn branches<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        let law = match self.sides {
            Sides::OfState => self.of_state(state),
            Sides::OfVelocity | Sides::Same => self.after(slip, change),
        };
        law.branches(slip, change, state)
    }

    /// That of positive velocities; each [side](Self::side) has its own.
    fn stiction(&self) -> Option<StictionLimit> {
        self.laws[0].stiction()
    }

    fn jacobian<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> Jacobian<D> {
        let law = match self.sides {
            Sides::OfState => self.of_state(state),
            Sides::OfVelocity | Sides::Same => self.at(slip),
        };
        law.jacobian(slip, state)
    }

    /// That of both: the springs are the same.
    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        self.laws[0].stored_energy::<D>(normal_force, state)
    }

    fn slip_speed(&self) -> f64 {
        self.laws[0].slip_speed().max(self.laws[1].slip_speed())
    }

    fn breakaway_deflection(&self, normal_force: f64) -> Option<f64> {
        larger([0, 1].map(|side| self.laws[side].breakaway_deflection(normal_force)))
    }

    fn state_size(&self, normal_force: f64) -> Option<f64> {
        larger([0, 1].map(|side| self.laws[side].state_size(normal_force)))
    }

    /// Those of both sides; what holds on one only says so.
    fn notices(&self) -> Vec<Notice> {
        let [mut all, negative] = [0, 1].map(|side| self.laws[side].notices());
        for mut notice in negative {
            if !all.contains(&notice) {
                notice.text = format!("at negative velocities: {}", notice.text);
                all.push(notice);
            }
        }
        all
    }
}

impl TwoSided {
    /// The side just after an instant.
    fn after<const D: usize>(&self, slip: &Slip<f64, D>, change: &Slip<f64, D>) -> &Friction {
        let is_at_rest = D == 1 && slip.velocity[0] == 0.0 && self.dead_zone < 0.0;
        self.at(if is_at_rest { change } else { slip })
    }
}
