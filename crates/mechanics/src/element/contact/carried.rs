//! The tangents in which a contact point keeps its friction states on a curved surface.
//!
//! As the point wanders, its tangents are carried along its track by parallel transport in the
//! frame of the body with the surface: they turn with the normal and not about it,
//!
//! $$ \dot{\mathbf t} = -\mathbf n\,(\dot{\mathbf n}\cdot\mathbf t) . $$
//!
//! So a bristle that is held turns with the body of the surface, and round a closed track by the
//! solid angle that the normal encloses. A step turns the tangents along the great circle from one
//! normal to the next, and by the solid angle between the great circle and the cubic through both
//! normals with their rates: the error is of the fourth order in the step.

use super::surface::tangent_to;
use crate::frame::{Mat3, Vec3};

/// Normals that turn by more than this in a step (rad) have no track between them.
const FARTHEST: f64 = 1.0;

/// Normal and first tangent at an instant, in the axes of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CarriedTangent {
    normal: Vec3,
    tangent: Vec3,
    /// Rate of the normal, 1/s.
    rate: Vec3,
}

/// How the normal stands and turns at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct NormalMotion {
    pub(super) normal: Vec3,
    /// Its rate, 1/s.
    pub(super) rate: Vec3,
}

impl CarriedTangent {
    /// Entries in the history.
    pub(super) const LEN: usize = 9;

    /// At the start of a run: the tangent is the projection of the first axis of the surface.
    pub(super) fn begin(at: &NormalMotion) -> Self {
        Self {
            normal: at.normal,
            tangent: tangent_to(&at.normal),
            rate: at.rate,
        }
    }

    /// Carried to where the normal is after `duration` s; 0 for the same instant.
    pub(super) fn carry(&self, to: &NormalMotion, duration: f64) -> Self {
        let NormalMotion { normal, rate } = *to;
        let sum = 1.0 + self.normal.dot(&normal);
        if sum < 1e-3 {
            return Self::begin(to);
        }
        let along = self.tangent - (self.normal + normal) * (self.tangent.dot(&normal) / sum);
        // at right angles to the normal to the last digit
        let along = (along - normal * normal.dot(&along)).normalize();
        let angle = self.solid_angle(to, duration);
        Self {
            normal,
            tangent: along * angle.cos() + normal.cross(&along) * angle.sin(),
            rate,
        }
    }

    /// The solid angle between the cubic through both normals with their rates, and their chord.
    fn solid_angle(&self, to: &NormalMotion, duration: f64) -> f64 {
        let [first, last] = [self.rate * duration, to.rate * duration];
        let rates = first.norm_squared().max(last.norm_squared());
        if duration == 0.0 || rates.is_nan() || rates >= FARTHEST * FARTHEST {
            return 0.0;
        }
        let chord = to.normal - self.normal;
        // ½ ∫ r × dr of the cubic with the ends 0 and d, and the slopes v₀ and v₁
        let area = chord.cross(&(last - first)) / 10.0 - first.cross(&last) / 60.0;
        area.dot(&(self.normal + to.normal)) * 0.5
    }

    /// Columns: both tangents and the normal, in the axes of the surface.
    pub(super) fn axes(&self) -> Mat3 {
        let second = self.normal.cross(&self.tangent);
        Mat3::from_columns(&[self.tangent, second, self.normal])
    }

    /// From the history of a point.
    pub(super) fn read(entries: &[f64]) -> Self {
        let vector = |i: usize| Vec3::new(entries[i], entries[i + 1], entries[i + 2]);
        Self {
            normal: vector(0),
            tangent: vector(3),
            rate: vector(6),
        }
    }

    /// Into the history of a point.
    pub(super) fn write(&self, entries: &mut [f64]) {
        entries[..3].copy_from_slice(self.normal.as_slice());
        entries[3..6].copy_from_slice(self.tangent.as_slice());
        entries[6..9].copy_from_slice(self.rate.as_slice());
    }

    /// Rates of the entries, in the continuous view. The rate of the normal is not needed there.
    pub(super) fn write_rates(&self, entries: &mut [f64]) {
        let turning = -self.normal * self.rate.dot(&self.tangent);
        entries[..3].copy_from_slice(self.rate.as_slice());
        entries[3..6].copy_from_slice(turning.as_slice());
        entries[6..9].fill(0.0);
    }

    /// Between two instants, for output.
    pub(super) fn between(&self, other: &Self, fraction: f64) -> Self {
        let mixed = |a: &Vec3, b: &Vec3| a + (b - a) * fraction;
        let to = NormalMotion {
            normal: mixed(&self.normal, &other.normal)
                .try_normalize(f64::MIN_POSITIVE)
                .unwrap_or(self.normal),
            rate: mixed(&self.rate, &other.rate),
        };
        let from = self.carry(&to, 0.0);
        let end = other.carry(&to, 0.0);
        let tangent = mixed(&from.tangent, &end.tangent);
        Self {
            tangent: tangent
                .try_normalize(f64::MIN_POSITIVE)
                .unwrap_or(from.tangent),
            ..from
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// Round a circle of latitude at the angle `polar` from the pole in `steps` steps.
    fn turned(polar: f64, steps: u32) -> f64 {
        let at = |k: u32| {
            let turn = TAU * f64::from(k) / f64::from(steps);
            let (s, c) = (polar.sin(), polar.cos());
            NormalMotion {
                normal: Vec3::new(s * turn.cos(), s * turn.sin(), c),
                rate: Vec3::new(-s * turn.sin(), s * turn.cos(), 0.0) * TAU,
            }
        };
        let first = CarriedTangent::begin(&at(0));
        let last = (1..=steps).fold(first, |tangent, k| {
            tangent.carry(&at(k), 1.0 / f64::from(steps))
        });
        let axes = first.axes().transpose() * last.axes();
        axes[(1, 0)].atan2(axes[(0, 0)])
    }

    #[test]
    fn a_closed_track_turns_the_tangents_by_its_solid_angle() {
        for polar in [0.2_f64, 0.9, 1.3] {
            let whole = TAU * (1.0 - polar.cos());
            let error = |steps| {
                let off = turned(polar, steps) - whole;
                (off - TAU * (off / TAU).round()).abs()
            };
            assert!(error(200) < 1e-6, "{polar}: {:e}", error(200));
            // order 4
            assert!(error(40) > 10.0 * error(80), "{polar}");
        }
    }

    #[test]
    fn opposite_normals_and_wild_rates_give_a_tangent() {
        let at = |normal, rate| NormalMotion { normal, rate };
        let first = CarriedTangent::begin(&at(Vec3::z(), Vec3::zeros()));
        let opposite = first.carry(&at(-Vec3::z(), Vec3::repeat(1e300)), 1.0);
        assert!((opposite.tangent.norm() - 1.0).abs() < 1e-14);
        let wild = first.carry(&at(Vec3::x(), Vec3::repeat(1e300)), 1.0);
        assert!((wild.tangent.norm() - 1.0).abs() < 1e-14);
        assert!(wild.tangent.dot(&Vec3::x()).abs() < 1e-15);
    }
}
