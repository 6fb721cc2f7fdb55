//! The border of sliding and sticking, f·v = 0, on which the motion may hold a sliding element.

use super::{Drive, Gms, relaxed};
use crate::branches::Branches;
use crate::scalar::{Over, Scalar};
use crate::slip::{REST, Slip, dot, norm, vector_at};

/// An element across the motion within this share of its force is on the border f·v = 0.
pub(super) const ACROSS: f64 = 1e-11;

/// Shares up to which it is told to be on the border, and from which beside it.
const AT_BORDER: f64 = 1e-9;
const OFF_BORDER: f64 = 1e-8;

/// Steps in which a stuck element would go beyond its level this many times tell no turning.
const LONGEST: f64 = 1e6;

/// Iterations for the time of sliding on the border; a few are enough.
const MOST_ITERATIONS: usize = 50;

/// Whether f·v is 0 or more, but for a share of |f| |v|.
pub(super) fn ahead<T: Scalar, const D: usize>(f: &[T; D], v: &[T; D], share: f64) -> bool {
    dot(f, v).value() >= -share * (norm(f) * norm(v)).value()
}

impl<P: Scalar> Gms<P> {
    /// A sliding element above its level that the motion of the step turns across: where it ends, or
    /// `None` if it has not come to the border f·v = 0.
    pub(super) fn held<T: Scalar + Over<P>, const D: usize>(
        &self,
        element: usize,
        f: &[T; D],
        drive: &Drive<T, D>,
    ) -> Option<([T; D], bool)> {
        let (k, fraction) = (self.stiffness[element], self.fraction[element]);
        let level = drive.g * fraction;
        let first =
            std::array::from_fn(|i| drive.displacement[i] * (2.0 / drive.duration) - drive.last[i]);
        let above = norm(f).value() >= level.value() * (1.0 - AT_BORDER);
        let turns = dot(&drive.u, &drive.last).value() > 0.0
            && (drive.path * k).value() < LONGEST * level.value();
        let near = if above { AT_BORDER } else { ACROSS };
        if D == 1 || !turns || !ahead(f, &first, near) {
            return None;
        }
        let slid = relaxed(f, level, &drive.u, drive.decay);
        if ahead(&slid, &drive.last, 0.0) {
            return Some((slid, true));
        }
        if !above {
            return None;
        }
        let stuck = std::array::from_fn(|i| f[i] + drive.displacement[i] * k);
        let power = dot(&stuck, &drive.last).value();
        if power <= 0.0 {
            // it leaves the border, or is behind it by rounding
            return Some((stuck, power >= dot(f, &first).value()));
        }
        let held = self.on_border(f, k, level, drive);
        let last_level = self.curve.value(norm(&drive.last)) * fraction;
        let size = norm(&held);
        if size.value() < last_level.value() && last_level.value() < level.value() {
            return Some((held.map(|f| f * (last_level / size)), true));
        }
        let above = size.value() >= last_level.value() * (1.0 - AT_BORDER);
        Some((held, above))
    }

    /// An element that is stuck, slides for a time, and is stuck, so that f·v = 0 at the end: of
    /// second order, as it is the same backwards.
    fn on_border<T: Scalar + Over<P>, const D: usize>(
        &self,
        f: &[T; D],
        k: P,
        level: T,
        drive: &Drive<T, D>,
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

impl Gms {
    /// The branches of elements on the border: see [`crate::FrictionLaw::branches`].
    pub(super) fn sides<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        let speed = norm(&slip.velocity);
        if D == 1 || speed <= REST {
            return Branches::NONE;
        }
        let g = self.curve.value(speed);
        (0..self.count).fold(Branches::NONE, |branches, i| {
            if state[self.count * D + i] < 0.5 {
                return branches;
            }
            let f = vector_at::<f64, D>(state, i);
            let (size, level) = (norm(&f), g * self.fraction[i]);
            // between the two it leaves the border
            let side = |x: f64| (x <= AT_BORDER || x > OFF_BORDER).then_some(x > OFF_BORDER);
            let ahead = side(dot(&f, &slip.velocity) / (size * speed));
            let off_level = side((size / level - 1.0).abs());
            let above = size >= level * (1.0 - AT_BORDER);
            let off_corner = match (ahead, off_level) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
            let (turn, pull) = (
                dot(&f, &change.velocity),
                self.parameters.attraction * speed,
            );
            let leads_on = turn + pull * self.fraction[i] > 0.0;
            branches
                .with(3 * i, ahead.filter(|_| above))
                .with(3 * i + 1, off_corner)
                .with(
                    3 * i + 2,
                    (ahead == Some(false) && above).then_some(leads_on),
                )
        })
    }
}
