//! The yield zone of `elastoplastic`, and the path through it.

use super::ElastoPlastic;
use crate::law::slip::{REST, dot, norm};
use crate::numbers::scalar::{MixesWith, Scalar};
use std::f64::consts::PI;

/// Substep of the plastic part over the width of the yield zone.
pub(super) const SUBSTEP: f64 = 0.1;

/// Distance to the steady state, over Δ²/z_m, below which 1 − α is negligible in the rate.
pub(super) const NEAR: f64 = 1e-4;

/// Distance to |z| = z_m, over the width of the yield zone, below which a substep may cross it.
pub(super) const AT_KINK: f64 = 1e-3;

/// Substeps that reach [`NEAR`] from anywhere, also turning by half a circle within a yield zone of
/// Δ ≥ z_m/500; the rest is taken in closed form.
pub(super) const MOST_SUBSTEPS: usize = 100_000;

/// The deflections between which bristles yield.
#[derive(Clone, Copy)]
pub(super) struct Zone<T> {
    pub(super) z_ba: T,
    pub(super) z_m: T,
    /// (z_m + z_ba)/2.
    pub(super) middle: T,
    /// 1/(z_m − z_ba).
    pub(super) per_width: T,
}

impl<T: Scalar> Zone<T> {
    /// α for a bristle that is loaded, z·v > 0.
    #[inline]
    pub(super) fn yielding(&self, size: T) -> T {
        if size.value() <= self.z_ba.value() {
            T::zero()
        } else if size.value() >= self.z_m.value() {
            T::from_f64(1.0)
        } else {
            let x = (size - self.middle) * self.per_width;
            ((x * PI).quarter_sin() + 1.0) * 0.5
        }
    }
}

impl<P: Scalar> ElastoPlastic<P> {
    /// The yield zone for a steady deflection z_m.
    #[inline]
    pub(super) fn zone<T: Scalar + MixesWith<P>>(&self, z_m: T) -> Zone<T> {
        let z_ba = T::of(self.parameters.breakaway_deflection);
        Zone {
            z_ba,
            z_m,
            middle: (z_m + z_ba) * 0.5,
            per_width: T::from_f64(1.0) / (z_m - z_ba),
        }
    }

    /// z after a straight displacement d of length s at constant z_m.
    #[inline]
    pub(super) fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        z: &[T; D],
        d: &[T; D],
        s: T,
        z_m: T,
    ) -> [T; D] {
        let z_ba = self.parameters.breakaway_deflection;
        let end = std::array::from_fn(|i| z[i] + d[i]);
        if s.value() <= REST {
            return end;
        }
        let u = d.map(|x| x / s);
        let along = dot(z, &u);
        if along.value() + s.value() <= 0.0 || norm(&end).value() <= z_ba.value() {
            return end;
        }
        // elastic up to z·v = 0 and |z| = z_ba; across the path q is kept till then
        let q: [T; D] = std::array::from_fn(|i| z[i] - along * u[i]);
        let across = norm(&q);
        let reach = if across.value() < z_ba.value() {
            (-(across * across) + z_ba * z_ba).sqrt()
        } else {
            T::zero()
        };
        let from = along.max(reach);
        let (along, kept) = self.plastic(from, across, s - (from - along), z_m);
        std::array::from_fn(|i| along * u[i] + kept * q[i])
    }

    /// The part of z along the path, and the factor of the part across, after a plastic path.
    pub(super) fn plastic<T: Scalar + MixesWith<P>>(
        &self,
        from: T,
        across: T,
        path: T,
        z_m: T,
    ) -> (T, T) {
        let zone = self.zone(z_m);
        let (square, per_z_m) = (across * across, T::from_f64(1.0) / z_m);
        let rate = |c: T, m: T| {
            let size = (c * c + m * m * square).max(T::from_f64(f64::MIN_POSITIVE));
            let r = zone.yielding(size.sqrt()) * per_z_m;
            (-(r * c) + 1.0, -(r * m))
        };
        let width = z_m - self.parameters.breakaway_deflection;
        let near = NEAR * (width * width / z_m).value();
        let runge_kutta = |c: T, m: T, k1: (T, T), h: T| {
            let k2 = rate(c + h * 0.5 * k1.0, m + h * 0.5 * k1.1);
            let k3 = rate(c + h * 0.5 * k2.0, m + h * 0.5 * k2.1);
            let k4 = rate(c + h * k3.0, m + h * k3.1);
            let sixth = h * (1.0 / 6.0);
            let mean = |a: T, b: T, c: T, d: T| (a + (b + c) * 2.0 + d) * sixth;
            (
                c + mean(k1.0, k2.0, k3.0, k4.0),
                m + mean(k1.1, k2.1, k3.1, k4.1),
            )
        };
        // the slope of alpha has a kink at |z| = z_m
        let beyond = |c: T, m: T| norm(&[c, m * across]) - z_m;
        // substeps depend on the state with their derivatives: the tangent is that of the text
        let (mut c, mut m, mut rest) = (from, T::from_f64(1.0), path);
        for _ in 0..MOST_SUBSTEPS {
            let k1 = rate(c, m);
            let distance = norm(&[z_m - c, m * across]);
            if distance.value() <= near {
                break;
            }
            let speed = norm(&[k1.0, k1.1 * across]);
            let mut h = (distance.min(width) * SUBSTEP / speed).min(rest);
            let mut next = runge_kutta(c, m, k1, h);
            let (before, after) = (beyond(c, m), beyond(next.0, next.1));
            let kink = before.value() * after.value() < 0.0;
            if kink && before.value().abs() > AT_KINK * width.value() {
                h = h * (before / (before - after));
                next = runge_kutta(c, m, k1, h);
            }
            (c, m) = next;
            rest = rest - h;
            if rest.value() <= 0.0 {
                return (c, m);
            }
        }
        // alpha = 1: relaxation to z_m u
        let decay = (rest * per_z_m).decay();
        (z_m + (c - z_m) * decay, m * decay)
    }
}
