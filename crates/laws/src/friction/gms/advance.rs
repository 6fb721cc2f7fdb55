//! An element of `gms` over a step.

use super::Gms;
use super::mode::ACROSS;
use super::mode::ElementMode;
use crate::kind::elements::AT_LIMIT;
use crate::law::slip::{REST, dot};
use crate::numbers::scalar::{MixesWith, Scalar};

/// What an element meets during a step at constant slip velocity.
pub(super) struct ElementDrive<T, const D: usize> {
    pub(super) displacement: [T; D],
    pub(super) path: T,
    pub(super) u: [T; D],
    pub(super) duration: f64,
    pub(super) g: T,
    /// What is left after the whole step of the distance of a sliding element from its level.
    pub(super) decay: T,
    /// Slip velocity at the start and at the end.
    pub(super) first: [T; D],
    pub(super) last: [T; D],
}

impl<P: Scalar> Gms<P> {
    /// What is left after a time t of the distance of a sliding element from its level.
    #[inline]
    pub(super) fn decay<T: Scalar + MixesWith<P>>(&self, time: T, g: T) -> T {
        (time * self.parameters.attraction / g).decay()
    }

    /// The element and its mode at the end.
    pub(super) fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        element: usize,
        f: &[T; D],
        mode: ElementMode,
        drive: &ElementDrive<T, D>,
    ) -> ([T; D], ElementMode) {
        let k = self.elements.stiffness[element];
        let level = drive.g * self.elements.level[element];
        let end = std::array::from_fn(|i| f[i] + drive.displacement[i] * k);
        if drive.path.value() <= REST {
            return (end, ElementMode::Stuck);
        }
        let turns = drive.turns(level / k);
        if turns && mode.on_border() {
            return self.along_border(element, f, mode, drive);
        }
        let along = dot(f, &drive.u);
        let limit = (level * level).value();
        let square = dot(f, f).value();
        let across = ACROSS * square.sqrt();
        let slides = if mode == ElementMode::Stuck {
            along.value() > across && square >= limit * (1.0 - 2.0 * AT_LIMIT)
        } else {
            along.value() >= -across || turns && drive.starts_ahead(f)
        };
        if slides {
            return self.sliding(element, f, drive, turns);
        }
        let pushed =
            dot(&end, &drive.u).value() > 0.0 && !(turns && dot(&end, &drive.last).value() <= 0.0);
        if !pushed || dot(&end, &end).value() <= limit {
            return (end, ElementMode::Stuck);
        }
        // the chord leaves the circle |f| = level; if it misses it, sliding starts where f.v = 0
        let q: [T; D] = std::array::from_fn(|i| f[i] - along * drive.u[i]);
        let across = dot(&q, &q);
        let square = level * level - across;
        let reach = if square.value() > 0.0 {
            square.sqrt()
        } else {
            T::zero()
        };
        let at = std::array::from_fn(|i| q[i] + reach * drive.u[i]);
        let share = (reach - along) / (drive.path * k);
        let left = (-share + 1.0).max(T::zero()) * drive.duration;
        let decay = self.decay(left, drive.g);
        (relaxed(&at, level, &drive.u, decay), ElementMode::Sliding)
    }
}

/// A sliding element on its way to αᵢ g u.
#[inline]
pub(super) fn relaxed<T: Scalar, const D: usize>(
    f: &[T; D],
    level: T,
    u: &[T; D],
    decay: T,
) -> [T; D] {
    std::array::from_fn(|i| {
        let target = level * u[i];
        target + (f[i] - target) * decay
    })
}
