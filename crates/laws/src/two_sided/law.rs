//! Both views of a law with two sides.
//!
//! Nothing here is inlined, and nothing here calls the views of [`Friction`]: they would call themselves through
//! it, and a compiler would no longer put them into the loops of laws whose directions are the same. Tangents and
//! stages follow by dual numbers.

use super::TwoSided;
use crate::card::LawCard;
use crate::friction::{Friction, of_each_law};
use crate::kind::General;
use crate::law::branches::Branches;
use crate::law::slip::{Slip, Step};
use crate::law::{FrictionLaw, Law, MAX_STATES, Sides, StateLayout, StictionLimit};
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
        rates_of(law, slip, state, rates)
    }

    #[inline(never)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        if self.sides == Sides::OfState {
            let force = update_of(&self.laws[0], step, old, new);
            if !is_negative(new) {
                return force;
            }
            return update_of(&self.laws[1], step, old, new);
        }
        let [mean, end] = [&step.mean, &step.end].map(|slip| self.at(slip));
        let force = update_of(mean, step, old, new);
        if std::ptr::eq(mean, end) {
            return force;
        }
        let mut rates = [T::zero(); MAX_STATES];
        rates_of(end, &step.end, new, &mut rates[..new.len()])
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        self.laws[0].steady(speed, normal_force)
    }
}

/// [`Law::rates`] of a side.
#[inline(never)]
fn rates_of<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    law: &Friction<P>,
    slip: &Slip<T, D>,
    state: &[T],
    rates: &mut [T],
) -> [T; D] {
    of_each_law!(law, law => law.rates(slip, state, rates))
}

/// [`Law::update`] of a side.
#[inline(never)]
fn update_of<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    law: &Friction<P>,
    step: &Step<T, D>,
    old: &[P],
    new: &mut [T],
) -> [T; D] {
    of_each_law!(law, law => law.update(step, old, new))
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

    /// That of both: the springs are the same.
    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        self.laws[0].stored_energy::<D>(normal_force, state)
    }

    fn slip_speed(&self) -> f64 {
        self.laws[0].slip_speed().max(self.laws[1].slip_speed())
    }

    fn has_load_direction(&self) -> bool {
        self.laws.iter().any(Friction::has_load_direction)
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
