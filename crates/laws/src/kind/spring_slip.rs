//! Pairs that stick by a spring x and slip along a remembered direction e, with a switch between.
//!
//! States: the vectors x (m) and e, and the mode, 0 stick, 1 slip. In stick e is 0; in slip x is 0,
//! and e follows u ([`remembered_direction`](super::remembered_direction)). "v changes its sign" of
//! the scalar laws is v·e < 0.

use super::remembered_direction::{followed, heading, turned};
use crate::law::StateLayout;
use crate::law::slip::{Step, direction, dot, norm, old_vector_at, travel, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};

/// ℓ of a spring that breaks away at a deflection (m): short beside it, so that a turn as tight as the
/// deflection is no return.
pub(crate) fn memory<P: Scalar>(deflection: P) -> P {
    deflection * 0.1
}

/// A spring that unloads breaks away only this much beyond its limit, as a share of it: it was
/// pulled there within a long step.
const UNLOADS: f64 = 1e-6;

/// State of a pair.
#[derive(Clone, Copy)]
pub(crate) struct SpringSlip<T, const D: usize> {
    /// Displacement in stick.
    pub(crate) x: [T; D],
    /// e.
    pub(crate) last: [T; D],
    pub(crate) slips: bool,
}

impl<T: Scalar, const D: usize> SpringSlip<T, D> {
    /// The states, with the scalars that a law adds behind the mode.
    pub(crate) const fn layout(own_scalars: usize) -> StateLayout {
        StateLayout {
            vectors: 2,
            scalars: 1 + own_scalars,
        }
    }

    /// In stick at rest, else in slip.
    pub(crate) fn start(velocity: &[T; D]) -> Self {
        let speed = norm(velocity);
        Self {
            x: [T::zero(); D],
            last: direction(velocity, speed),
            slips: speed.value() > 0.0,
        }
    }

    /// In slip along e.
    #[inline(always)]
    pub(crate) fn sliding(last: [T; D]) -> Self {
        Self {
            x: [T::zero(); D],
            last,
            slips: true,
        }
    }

    /// At the start of a step.
    #[inline(always)]
    pub(crate) fn of<P: Scalar>(old: &[P]) -> Self
    where
        T: MixesWith<P>,
    {
        Self {
            x: old_vector_at(old, 0),
            last: old_vector_at(old, 1),
            slips: old[2 * D].value() > 0.5,
        }
    }

    /// In the continuous view.
    #[inline(always)]
    pub(crate) fn at(state: &[T]) -> Self {
        Self {
            x: vector_at(state, 0),
            last: vector_at(state, 1),
            slips: state[2 * D].value() > 0.5,
        }
    }

    #[inline(always)]
    pub(crate) fn store(&self, state: &mut [T]) {
        state[..D].copy_from_slice(&self.x);
        state[D..2 * D].copy_from_slice(&self.last);
        state[2 * D] = T::from_f64(if self.slips { 1.0 } else { 0.0 });
    }

    /// dx/dt = v in stick, de/dt = (v − |v| e)/ℓ in slip.
    #[inline(always)]
    pub(crate) fn rates<P: Scalar>(&self, v: &[T; D], memory: P, rates: &mut [T])
    where
        T: MixesWith<P>,
    {
        if self.slips {
            Self::rates_in_slip(v, norm(v), &self.last, memory, rates);
        } else {
            Self::rates_in_stick(v, rates);
        }
    }

    #[inline(always)]
    pub(crate) fn rates_in_stick(v: &[T; D], rates: &mut [T]) {
        rates[..D].copy_from_slice(v);
        rates[D..=2 * D].fill(T::zero());
    }

    /// At |v| = `speed`, e = `last`.
    #[inline(always)]
    pub(crate) fn rates_in_slip<P: Scalar>(
        v: &[T; D],
        speed: T,
        last: &[T; D],
        memory: P,
        rates: &mut [T],
    ) where
        T: MixesWith<P>,
    {
        rates[..D].fill(T::zero());
        for (i, rate) in rates[D..2 * D].iter_mut().enumerate() {
            *rate = (v[i] - speed * last[i]) / memory;
        }
        rates[2 * D] = T::zero();
    }

    /// The direction of slip.
    #[inline(always)]
    pub(crate) fn heading(&self, v: &[T; D]) -> [T; D] {
        heading(v, norm(v), &self.last)
    }

    /// Back in stick, the spring deflected along the slip before.
    #[inline(always)]
    pub(crate) fn stuck(&self, deflection: T) -> Self {
        Self {
            x: direction(&self.last, norm(&self.last)).map(|e| e * deflection),
            last: [T::zero(); D],
            slips: false,
        }
    }

    /// Back in stick with the spring unloaded.
    #[inline(always)]
    pub(crate) fn unloaded() -> Self {
        Self::held_at([T::zero(); D])
    }

    /// In stick with the spring at x.
    #[inline(always)]
    pub(crate) fn held_at(x: [T; D]) -> Self {
        Self {
            x,
            last: [T::zero(); D],
            slips: false,
        }
    }

    /// Broken away, along the motion, or along the spring where that does not load it.
    #[inline(always)]
    pub(crate) fn released(&self, motion: &[T; D]) -> Self {
        let loads = dot(motion, &self.x).value() > 0.0;
        let along = if loads { motion } else { &self.x };
        Self::sliding(direction(along, norm(along)))
    }

    /// The margin of stick, from the share of its limit that the spring is below it. Where stick
    /// began, or a swing turns, a spring that unloads may be beyond it by a rounding.
    pub(crate) fn margin(&self, reserve: T, v: &[T; D]) -> T {
        let loads = dot(v, &self.x).value() > 0.0;
        reserve + if loads { 0.0 } else { UNLOADS }
    }

    /// The spring after a step in stick.
    #[inline(always)]
    pub(crate) fn held(&self, step: &Step<T, D>) -> Self {
        let (d, _) = travel(step);
        Self {
            x: std::array::from_fn(|i| self.x[i] + d[i]),
            ..*self
        }
    }

    /// Whether a step leads back against e as a whole.
    #[inline(always)]
    pub(crate) fn turns_back(&self, step: &Step<T, D>) -> bool {
        dot(&travel(step).0, &self.last).value() < 0.0
    }

    /// e after a step in slip.
    #[inline(always)]
    pub(crate) fn slid<P: Scalar>(&self, step: &Step<T, D>, memory: P) -> Self
    where
        T: MixesWith<P>,
    {
        let (d, s) = travel(step);
        let last = turned(&self.last, &d, s, memory);
        Self { last, ..*self }
    }

    /// e and the direction of slip after a step of any length that stays in slip.
    #[inline(always)]
    pub(crate) fn slid_in_mode<P: Scalar>(&self, step: &Step<T, D>, memory: P) -> (Self, [T; D])
    where
        T: MixesWith<P>,
    {
        let (last, u) = followed(&self.last, step, memory);
        (Self { last, ..*self }, u)
    }
}
