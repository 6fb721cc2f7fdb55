//! Stick and slip of `armstrong`, and the changes between them.

use super::Armstrong;
use crate::law::slip::{REST, Slip, Step, direction, norm, old_vector_at, travel};
use crate::numbers::scalar::{MixesWith, Scalar};

/// Part of a step over which the slope of the reserve is taken.
const PROBE: f64 = 1e-6;

/// State of a pair.
#[derive(Clone, Copy)]
pub(super) struct Contact<T, const D: usize> {
    pub(super) x: [T; D],
    pub(super) last: [T; D],
    pub(super) slips: bool,
    /// t₂.
    pub(super) dwell: T,
    /// s_a in stick, s in slip.
    pub(super) excess: T,
    /// y.
    pub(super) speed: T,
}

impl<T: Scalar, const D: usize> Contact<T, D> {
    pub(super) fn of<P: Scalar>(state: &[P]) -> Self
    where
        T: MixesWith<P>,
    {
        let scalar = |i: usize| T::of(state[2 * D + i]);
        Self {
            x: old_vector_at(state, 0),
            last: old_vector_at(state, 1),
            slips: state[2 * D].value() > 0.5,
            dwell: scalar(1),
            excess: scalar(2),
            speed: scalar(3),
        }
    }

    pub(super) fn store(&self, state: &mut [T]) {
        state[..D].copy_from_slice(&self.x);
        state[D..2 * D].copy_from_slice(&self.last);
        let mode = T::from_f64(if self.slips { 1.0 } else { 0.0 });
        state[2 * D..].copy_from_slice(&[mode, self.dwell, self.excess, self.speed]);
    }
}

impl<P: Scalar> Armstrong<P> {
    /// s(t₂) in stick.
    pub(super) fn risen<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        contact: &Contact<T, D>,
    ) -> T {
        let share = contact.dwell / (contact.dwell + self.dwell_time);
        contact.excess + (-contact.excess + self.stribeck_excess) * share
    }

    /// s/(1 + (y/v_s)²).
    pub(super) fn falling<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        contact: &Contact<T, D>,
    ) -> T {
        // squares of the fastest speeds overflow, where nothing is left
        let y = (contact.speed / self.stribeck_velocity).min(T::from_f64(1e100));
        contact.excess / (y * y + 1.0)
    }

    /// Back in stick: the spring carries the force of slip at rest.
    pub(super) fn stuck<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Contact<T, D>,
    ) -> Contact<T, D> {
        let excess = self.falling(slip);
        let size = (excess + self.kinetic_coefficient) / self.stick_stiffness;
        Contact {
            x: direction(&slip.last, norm(&slip.last)).map(|e| e * size),
            last: [T::zero(); D],
            slips: false,
            dwell: T::zero(),
            excess,
            speed: slip.speed,
        }
    }

    /// Broken away, along the motion, or along the spring at rest.
    pub(super) fn released<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        stick: &Contact<T, D>,
        motion: &[T; D],
    ) -> Contact<T, D> {
        let speed = norm(motion);
        let along = if speed.value() > REST {
            motion
        } else {
            &stick.x
        };
        Contact {
            x: [T::zero(); D],
            last: direction(along, norm(along)),
            slips: true,
            dwell: T::zero(),
            excess: self.risen(stick),
            speed: stick.speed,
        }
    }

    /// Where the pair breaks away between `old` and `held`, the ends of a step in stick, if it does:
    /// with the dwell time of that instant.
    ///
    /// The spring is a convex function of time and its limit a concave one, so that they meet once.
    pub(super) fn break_away<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        old: &Contact<T, D>,
        held: &Contact<T, D>,
    ) -> Option<Contact<T, D>> {
        let at = |part: T| Contact {
            x: std::array::from_fn(|i| old.x[i] + part * (held.x[i] - old.x[i])),
            dwell: old.dwell + part * (held.dwell - old.dwell),
            ..*held
        };
        let reserve = |part: f64| self.reserve(&at(T::from_f64(part))).value();
        if reserve(1.0) >= 0.0 {
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
        Some(at(if slope < 0.0 { part } else { T::from_f64(high) }))
    }

    /// How far the spring is below its limit, over the limit.
    pub(super) fn reserve<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        contact: &Contact<T, D>,
    ) -> T {
        let limit = self.risen(contact) + self.kinetic_coefficient;
        -(norm(&contact.x) * self.stick_stiffness / limit) + 1.0
    }

    pub(super) fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        contact: &Contact<T, D>,
        u: &[T; D],
    ) -> [T; D] {
        let (v, n) = (&slip.velocity, slip.normal_force);
        if !contact.slips {
            return contact.x.map(|x| n * (x * self.stick_stiffness));
        }
        let level = self.falling(contact) + self.kinetic_coefficient;
        std::array::from_fn(|i| n * (level * u[i] + v[i] * self.viscous_coefficient))
    }

    /// The delayed speed after a step over which the speed changes evenly.
    pub(super) fn delayed<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        y: T,
    ) -> T {
        let (mean, end) = (norm(&step.mean.velocity), norm(&step.end.velocity));
        let (decay, phi) = (T::from_f64(step.duration) / self.memory_time).relaxation();
        let (start, rise) = (mean * 2.0 - end, (end - mean) * 2.0);
        decay * (y - start) + end - rise * phi
    }

    /// The state after a step in stick.
    pub(super) fn held<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        mut contact: Contact<T, D>,
    ) -> Contact<T, D> {
        let (d, _) = travel(step);
        contact.x = std::array::from_fn(|i| contact.x[i] + d[i]);
        contact.dwell = contact.dwell + step.duration;
        contact.speed = self.delayed(step, contact.speed);
        contact
    }
}
