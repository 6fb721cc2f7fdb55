//! The direction of slip that a pair remembers: e follows u over a travel ℓ (`memory`, m),
//! ė = (v − |v| e)/ℓ.

#![allow(
    clippy::inline_always,
    reason = "blocks of lanes compile these into their own instruction set"
)]

use crate::law::slip::{REST, Step, direction, dot, norm, travel};
use crate::numbers::scalar::{MixesWith, Scalar};

/// ℓ of a law without length: shorter than any slide of interest.
pub(crate) const MEMORY: f64 = 1e-5;

/// Direction of slip while the mode lasts: that of v, |v| = `speed`, and that of e once v has
/// reversed.
#[inline(always)]
pub(crate) fn heading<T: Scalar, const D: usize>(v: &[T; D], speed: T, last: &[T; D]) -> [T; D] {
    let size = norm(last);
    if size.value() <= REST || dot(v, last).value() > 0.1 * speed.value() {
        direction(v, speed)
    } else {
        direction(last, size)
    }
}

/// e after a path d of length s.
#[inline(always)]
pub(crate) fn turned<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    last: &[T; D],
    d: &[T; D],
    s: T,
    memory: P,
) -> [T; D] {
    let (decay, phi) = (s / memory).relaxation();
    std::array::from_fn(|i| decay * last[i] + phi * (d[i] / memory))
}

/// Where the slip is nearest to rest in a step over which its velocity changes evenly.
pub(crate) struct Nearest<T, const D: usize> {
    /// Velocity at the start of the step.
    start: [T; D],
    /// Share of the step.
    share: T,
    /// Velocity there.
    pub(crate) velocity: [T; D],
}

impl<T: Scalar, const D: usize> Nearest<T, D> {
    /// `None` if that is the end of the step.
    #[inline]
    pub(crate) fn of(step: &Step<T, D>) -> Option<Self> {
        let v = &step.end.velocity;
        let start: [T; D] = std::array::from_fn(|i| step.mean.velocity[i] * 2.0 - v[i]);
        let change: [T; D] = std::array::from_fn(|i| v[i] - start[i]);
        let share = -dot(&start, &change) / dot(&change, &change);
        // at a constant velocity the share is not a number
        (share.value() < 1.0).then(|| {
            let share = share.max(T::zero());
            Self {
                start,
                share,
                velocity: std::array::from_fn(|i| start[i] + share * change[i]),
            }
        })
    }

    /// The ways to that instant, and on from there to the end.
    #[inline]
    fn ways(&self, step: &Step<T, D>) -> [[T; D]; 2] {
        let way = |from: &[T; D], to: &[T; D], share: T| -> [T; D] {
            std::array::from_fn(|i| (from[i] + to[i]) * (share * 0.5 * step.duration))
        };
        let (w, v) = (&self.velocity, &step.end.velocity);
        [
            way(&self.start, w, self.share),
            way(w, v, -self.share + 1.0),
        ]
    }

    /// Whether the slip turns so near to rest that e cannot follow: |w|² < ℓ |dv/dt|.
    #[inline]
    fn is_rest(&self, step: &Step<T, D>, memory: f64) -> bool {
        let change: [T; D] = std::array::from_fn(|i| step.end.velocity[i] - self.start[i]);
        let speed = norm(&self.velocity).value();
        speed * speed * step.duration <= memory * norm(&change).value()
    }
}

/// e and the direction of slip after a step of any length that stays in slip.
///
/// Where the slip turns back through rest both stay as they were there: a way back much longer
/// than ℓ would take e along, and v·e < 0 would never be seen. A turn that takes more travel than
/// ℓ is one that e can follow.
#[inline]
pub(crate) fn followed<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    last: &[T; D],
    step: &Step<T, D>,
    memory: P,
) -> ([T; D], [T; D]) {
    let v = &step.end.velocity;
    let Some(nearest) = Nearest::of(step) else {
        let (d, s) = travel(step);
        return (turned(last, &d, s, memory), heading(v, norm(v), last));
    };
    let [there, back] = nearest.ways(step);
    let at_nearest = turned(last, &there, norm(&there), memory);
    let rest = nearest.is_rest(step, memory.value());
    let e = if rest && dot(v, &at_nearest).value() < 0.0 {
        at_nearest
    } else {
        turned(&at_nearest, &back, norm(&back), memory)
    };
    let u = if rest {
        heading(v, norm(v), last)
    } else {
        direction(v, norm(v))
    };
    (e, u)
}
