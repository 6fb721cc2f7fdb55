//! The modes of an element, and the border of sliding and sticking, f·v = 0, on which the motion may
//! hold it.

use super::Gms;
use super::advance::{ElementDrive, relaxed};
use super::mode::{ACROSS, ElementMode};
use crate::law::slip::{dot, norm};
use crate::numbers::scalar::{MixesWith, Scalar};

/// Distance from its level, relative to it, within which an element on the border is at it.
pub(super) const AT_LEVEL: f64 = 1e-9;

/// Share of its rate with which sliding has to lead an element back to be held on the border.
pub(super) const LEADS_BACK: f64 = 1e-9;

/// Steps in which a stuck element would go beyond its level this many times do not show a reversal.
const LONGEST: f64 = 1e6;

/// Iterations for the time of sliding on the border; a few are enough.
const MOST_ITERATIONS: usize = 50;

/// f·v relative to |f| |v|.
pub(super) fn share<T: Scalar, const D: usize>(f: &[T; D], v: &[T; D]) -> f64 {
    dot(f, v).value() / (norm(f) * norm(v)).value().max(f64::MIN_POSITIVE)
}

impl<T: Scalar, const D: usize> ElementDrive<T, D> {
    /// Whether the motion of the step changes, but does not reverse, so that an element may come to
    /// be across it; `length` is that in which a stuck element goes by its level.
    pub(super) fn turns(&self, length: T) -> bool {
        let steady = (0..D).all(|i| (self.first[i] - self.last[i]).value() == 0.0);
        D > 1
            && !steady
            && dot(&self.u, &self.first).value() > 0.0
            && dot(&self.u, &self.last).value() > 0.0
            && self.path.value() < LONGEST * length.value()
    }

    /// Whether f·v is not below 0 at the start.
    pub(super) fn starts_ahead(&self, f: &[T; D]) -> bool {
        share(f, &self.first) >= -ACROSS
    }
}

impl<P: Scalar> Gms<P> {
    /// A sliding element, which may come to the border if the motion turns.
    pub(super) fn sliding<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        element: usize,
        f: &[T; D],
        drive: &ElementDrive<T, D>,
        turns: bool,
    ) -> ([T; D], ElementMode) {
        let level = drive.g * self.elements.level[element];
        let slid = relaxed(f, level, &drive.u, drive.decay);
        if !turns || share(&slid, &drive.last) >= -ACROSS {
            return (slid, ElementMode::Sliding);
        }
        let last_level = self.last_level(element, drive);
        let k = self.elements.stiffness[element];
        let stuck: [T; D] = std::array::from_fn(|i| f[i] + drive.displacement[i] * k);
        if norm(&slid).value() < last_level.value() * (1.0 - AT_LEVEL) {
            return (slid, ElementMode::Stuck);
        }
        if dot(&stuck, &drive.last).value() <= 0.0 {
            return (stuck, ElementMode::Stuck);
        }
        (self.on_border(f, k, level, drive), ElementMode::Held)
    }

    /// An element that is held on the border at the start.
    pub(super) fn along_border<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        element: usize,
        f: &[T; D],
        mode: ElementMode,
        drive: &ElementDrive<T, D>,
    ) -> ([T; D], ElementMode) {
        let k = self.elements.stiffness[element];
        let level = drive.g * self.elements.level[element];
        let slid = relaxed(f, level, &drive.u, drive.decay);
        if share(&slid, &drive.last) > ACROSS {
            return (slid, ElementMode::Sliding);
        }
        let stuck = std::array::from_fn(|i| f[i] + drive.displacement[i] * k);
        if share(&stuck, &drive.last) < -ACROSS {
            return (stuck, ElementMode::Stuck);
        }
        let held = self.on_border(f, k, level, drive);
        let (size, last_level) = (norm(&held), self.last_level(element, drive));
        let above = size.value() / last_level.value() - 1.0;
        // what is within rounding of a turning point is told at an instant: see `across`
        let rise = last_level.value() / level.value() - 1.0;
        let at_level = || (held.map(|f| f * (last_level / size)), ElementMode::AtLevel);
        match mode {
            ElementMode::AtLevel if rise > AT_LEVEL => (held, ElementMode::Stuck),
            ElementMode::AtLevel if above <= AT_LEVEL => at_level(),
            _ if above >= -AT_LEVEL => (held, ElementMode::Held),
            _ if rise < 0.0 => at_level(),
            _ => (held, ElementMode::Stuck),
        }
    }

    /// α g at the end of a step.
    fn last_level<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        element: usize,
        drive: &ElementDrive<T, D>,
    ) -> T {
        self.curve.value(norm(&drive.last)) * self.elements.level[element]
    }

    /// An element that is stuck, slides for a time, and is stuck, so that f·v = 0 at the end: of
    /// second order, as it is the same backwards.
    fn on_border<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        f: &[T; D],
        k: P,
        level: T,
        drive: &ElementDrive<T, D>,
    ) -> [T; D] {
        let half = |time: T| (-(time / drive.duration) + 1.0) * 0.5 * k;
        let moved = |f: &[T; D], by: T| -> [T; D] {
            std::array::from_fn(|i| f[i] + by * drive.displacement[i])
        };
        let slid = |time: T| {
            let before = moved(f, half(time));
            relaxed(&before, level, &drive.u, self.decay(time, drive.g))
        };
        let after = |time: T| moved(&slid(time), half(time));
        let power = |time: T| dot(&after(time), &drive.last);
        let rate = T::of(self.parameters.attraction) / drive.g;
        // d power/d time
        let slope = |time: T| {
            let (slid, decay) = (slid(time), self.decay(time, drive.g));
            let loss = std::array::from_fn(|i| {
                let unstick = drive.displacement[i] * (k * 0.5 / drive.duration);
                (level * drive.u[i] - slid[i]) * rate - unstick * (decay + 1.0)
            });
            dot::<T, D>(&loss, &drive.last)
        };
        let (mut low, mut high) = (0.0, drive.duration);
        let mut time = 0.5 * high;
        for _ in 0..MOST_ITERATIONS {
            let at = T::from_f64(time);
            let value = power(at).value();
            if value > 0.0 {
                low = time;
            } else {
                high = time;
            }
            let newton = time - value / slope(at).value();
            let next = if newton > low && newton < high {
                newton
            } else {
                0.5 * (low + high)
            };
            let moved = (next - time).abs();
            time = next;
            if moved <= f64::EPSILON * drive.duration {
                break;
            }
        }
        // once more, with the derivatives
        let at = T::from_f64(time);
        after(at - power(at) / slope(at))
    }
}
