//! A piece of the path of the Leuven law.

use super::{Forces, Leuven};
use crate::elements::slides;
use crate::scalar::{Over, Scalar};
use crate::slip::{direction, dot, norm};

/// Substep over the length in which the slip of z changes.
const SUBSTEP: f64 = 0.1;

/// |dz/ds| below which z is steady but for rounding, and the rest of the path is one step.
const NEAR: f64 = 1e-13;

/// The motion of z about one point of the path, linearised: dz per path is p + A z.
///
/// Along Fh only the stuck elements resist z, and the power n sharpens; across Fh all do, as a
/// sliding element turns.
pub(super) struct Piece<T, const D: usize> {
    /// Displacement of z if dz/ds kept its value over the whole path.
    p: [T; D],
    /// Direction of Fh; of p where Fh is zero.
    e: [T; D],
    /// Decay of p over the whole path, along e.
    along: T,
    /// Decay of p over the whole path, across e.
    across: T,
}

impl<T: Scalar, const D: usize> Piece<T, D> {
    pub(super) fn at<P: Scalar>(law: &Leuven<P>, f: &Forces<T, D>, d: &[T; D], s: T, g: T) -> Self
    where
        T: Over<P>,
    {
        let sum = law.sum(f);
        let size = norm(&sum);
        let loss = law.loss(size, g) * s;
        let p = std::array::from_fn(|i| d[i] - loss * sum[i]);
        let e = if size.value() > 0.0 {
            direction(&sum, size)
        } else {
            direction(&p, norm(&p))
        };
        let total = law.total_stiffness();
        let stuck = law.stuck_stiffness(f, &p);
        let (along, across) = (
            loss * (stuck * law.parameters.leuven_exponent),
            loss * total,
        );
        Self {
            p,
            e,
            along,
            across,
        }
    }

    /// φ(A) x for the share of the path: along Fh and across it.
    fn relax(&self, x: &[T; D], phi: impl Fn(T) -> T) -> [T; D] {
        if D == 1 {
            let along = phi(self.along);
            return x.map(|x| along * x);
        }
        let across = phi(self.across);
        let extra = (phi(self.along) - across) * dot(x, &self.e);
        std::array::from_fn(|i| across * x[i] + extra * self.e[i])
    }

    /// Exponential Euler step of z over a share of the path.
    pub(super) fn displacement(&self, share: T) -> [T; D] {
        self.relax(&self.p, |a| (a * share).relaxation().1 * share)
    }

    /// The step corrected with the slip at its guessed end: second order for any A.
    pub(super) fn corrected(&self, next: &Self, share: T) -> [T; D] {
        let z = self.displacement(share);
        // next.p − p − A z
        let along = dot(&z, &self.e) * (self.along - self.across);
        let misfit =
            std::array::from_fn(|i| next.p[i] - self.p[i] + self.across * z[i] + along * self.e[i]);
        let half = self.relax(&misfit, |a| second_relaxation(a * share) * share);
        std::array::from_fn(|i| z[i] + half[i])
    }

    /// The share of the path up to which the piece may be used: smooth, and no element at its limit.
    pub(super) fn longest_share<P: Scalar>(&self, law: &Leuven<P>, f: &Forces<T, D>, s: T) -> T
    where
        T: Over<P>,
    {
        let p = norm(&self.p);
        if p.value() <= NEAR * s.value() {
            return T::from_f64(1.0);
        }
        let pace = self.along;
        let mut share = if D == 1 && law.parameters.leuven_exponent.value() <= 1.0 {
            T::from_f64(1.0)
        } else {
            // p decays with the pace, and its curvature with p
            let slip = (p / s).min(T::from_f64(1.0)).sqrt();
            let loading = p * (law.total_stiffness() / law.parameters.static_coefficient);
            T::from_f64(SUBSTEP) / (pace.max(loading) * slip)
        };
        for (i, f) in f[..law.count].iter().enumerate() {
            let (k, limit) = (law.stiffness[i], law.limit[i]);
            if slides(f, &self.p, T::of(limit)) {
                continue;
            }
            let along = dot(f, &self.p) / p;
            let square = along * along - dot(f, f) + limit * limit;
            let length = if square.value() > 0.0 {
                (square.sqrt() - along) / k
            } else {
                -along / k
            };
            // length = p (1 − e^(−pace share))/pace
            let used = length * pace / p;
            if length.value() > 0.0 && used.value() < 1.0 {
                let at = if used.value() < 1e-8 {
                    length / p
                } else {
                    -(-used + 1.0).ln() / pace
                };
                share = share.min(at);
            }
        }
        share
    }
}

/// (1 − φ(a))/a with φ = (1 − e^(−a))/a.
fn second_relaxation<T: Scalar>(a: T) -> T {
    if a.value() < 1e-3 {
        // the series is exact to a³/120 < 1e-11 of the correction
        a * (a / 24.0 - 1.0 / 6.0) + 0.5
    } else {
        (-a.relaxation().1 + 1.0) / a
    }
}
