//! Stick and slip of `armstrong`, and the changes between them.

use super::Armstrong;
use crate::kind::elements::AT_LIMIT;
use crate::kind::spring_slip::{SpringSlip, memory};
use crate::law::slip::{Slip, Step, norm};
use crate::numbers::scalar::{MixesWith, Scalar};

/// Part of a step over which the slope of the reserve is taken.
const PROBE: f64 = 1e-6;

/// State of a pair.
#[derive(Clone, Copy)]
pub(super) struct ArmstrongState<T, const D: usize> {
    pub(super) pair: SpringSlip<T, D>,
    /// t₂.
    pub(super) dwell: T,
    /// s_a in stick, s in slip.
    pub(super) excess: T,
    /// y.
    pub(super) speed: T,
}

/// Scalars of the state behind the mode.
pub(super) const SCALARS: usize = 3;

impl<T: Scalar, const D: usize> ArmstrongState<T, D> {
    /// At the start of a step.
    pub(super) fn of<P: Scalar>(old: &[P]) -> Self
    where
        T: MixesWith<P>,
    {
        let [dwell, excess, speed] = std::array::from_fn(|i| T::of(old[2 * D + 1 + i]));
        let pair = SpringSlip::of(old);
        Self {
            pair,
            dwell,
            excess,
            speed,
        }
    }

    /// In the continuous view.
    pub(super) fn at(state: &[T]) -> Self {
        let [dwell, excess, speed] = std::array::from_fn(|i| state[2 * D + 1 + i]);
        let pair = SpringSlip::at(state);
        Self {
            pair,
            dwell,
            excess,
            speed,
        }
    }

    pub(super) fn store(&self, state: &mut [T]) {
        self.pair.store(state);
        state[2 * D + 1..].copy_from_slice(&[self.dwell, self.excess, self.speed]);
    }
}

impl<P: Scalar> Armstrong<P> {
    /// ℓ of the remembered direction.
    pub(super) fn memory(&self) -> P {
        memory(self.kinetic_coefficient / self.stick_stiffness)
    }

    /// s(t₂) in stick.
    pub(super) fn risen<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        contact: &ArmstrongState<T, D>,
    ) -> T {
        let share = contact.dwell / (contact.dwell + self.dwell_time);
        contact.excess + (-contact.excess + self.stribeck_excess) * share
    }

    /// s/(1 + (y/v_s)²).
    pub(super) fn falling<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        contact: &ArmstrongState<T, D>,
    ) -> T {
        // squares of the fastest speeds overflow, where nothing is left
        let y = (contact.speed / self.stribeck_velocity).min(T::from_f64(1e100));
        contact.excess / (y * y + 1.0)
    }

    /// Back in stick: the spring carries the force of slip at rest.
    pub(super) fn stuck<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &ArmstrongState<T, D>,
    ) -> ArmstrongState<T, D> {
        let excess = self.falling(slip);
        let deflection = (excess + self.kinetic_coefficient) / self.stick_stiffness;
        ArmstrongState {
            pair: slip.pair.stuck(deflection),
            dwell: T::zero(),
            excess,
            ..*slip
        }
    }

    /// Broken away, with the Stribeck excess that has come back.
    pub(super) fn released<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        stick: &ArmstrongState<T, D>,
        motion: &[T; D],
    ) -> ArmstrongState<T, D> {
        ArmstrongState {
            pair: stick.pair.released(motion),
            dwell: T::zero(),
            excess: self.risen(stick),
            ..*stick
        }
    }

    /// Where the pair breaks away between `old` and `held`, the ends of a step in stick, if it does:
    /// with the dwell time of that instant.
    ///
    /// The spring is a convex function of time and its limit a concave one, so that they meet once.
    pub(super) fn break_away<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        old: &ArmstrongState<T, D>,
        held: &ArmstrongState<T, D>,
    ) -> Option<ArmstrongState<T, D>> {
        let (from, to) = (&old.pair.x, &held.pair.x);
        let at = |part: T| ArmstrongState {
            pair: SpringSlip {
                x: std::array::from_fn(|i| from[i] + part * (to[i] - from[i])),
                ..held.pair
            },
            dwell: old.dwell + part * (held.dwell - old.dwell),
            ..*held
        };
        let reserve = |part: f64| self.reserve(&at(T::from_f64(part))).value();
        // back in stick the spring is at its limit, but for rounding
        if reserve(1.0) >= -AT_LIMIT {
            return None;
        }
        let (mut low, mut high) = (0.0, 1.0);
        // halving leaves rounding
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if reserve(middle) >= 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        // one step of Newton's method gives the derivatives of the instant
        let slope = (reserve(high + PROBE) - reserve(high - PROBE)) / (2.0 * PROBE);
        let part = -(self.reserve(&at(T::from_f64(high))) / slope) + high;
        // a spring beyond its limit from the start breaks away there
        let part = part.max(T::zero());
        Some(at(if slope < 0.0 { part } else { T::from_f64(high) }))
    }

    /// How far the spring is below its limit, over the limit.
    pub(super) fn reserve<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        contact: &ArmstrongState<T, D>,
    ) -> T {
        let limit = self.risen(contact) + self.kinetic_coefficient;
        -(norm(&contact.pair.x) * self.stick_stiffness / limit) + 1.0
    }

    pub(super) fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        contact: &ArmstrongState<T, D>,
        u: &[T; D],
    ) -> [T; D] {
        let (v, n) = (&slip.velocity, slip.normal_force);
        if !contact.pair.slips {
            return contact.pair.x.map(|x| n * (x * self.stick_stiffness));
        }
        let level = self.falling(contact) + self.kinetic_coefficient;
        std::array::from_fn(|i| n * (level * u[i] + v[i] * self.viscous_coefficient))
    }

    /// The state after a step in stick.
    pub(super) fn held<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        contact: &ArmstrongState<T, D>,
    ) -> ArmstrongState<T, D> {
        ArmstrongState {
            pair: contact.pair.held(step),
            dwell: contact.dwell + step.duration,
            speed: self.delayed(step, contact.speed),
            ..*contact
        }
    }
}
