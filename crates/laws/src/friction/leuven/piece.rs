//! A piece of the path of the Leuven law.

use super::flow::{RowMatrix, apply};
use super::{Forces, Leuven};
use crate::kind::elements::MAX_ELEMENTS;
use crate::law::slip::{REST, direction, dot, norm};
use crate::numbers::scalar::{MixesWith, Scalar};
use std::f64::consts::PI;

/// A straight displacement d of length s at constant g.
pub(super) struct StraightPath<T, const D: usize> {
    pub(super) d: [T; D],
    pub(super) s: T,
    pub(super) g: T,
}

/// Which elements slide.
pub(super) type Modes = [bool; MAX_ELEMENTS];

/// Substep over the length in which the slip of z changes.
const SUBSTEP: f64 = 0.07;

/// Weights beside loading, by trial for errors of one size: of the decay, which a step follows but for
/// its change; of the turning of sliding elements; and of how fast they follow p, where longer
/// substeps swing about it.
const DECAY: f64 = 0.4;
const TURNING: f64 = 0.15;
const FOLLOWING: f64 = 0.05;

/// |Fh|ⁿ bends sharply at Fh = 0 where n is no whole number: |Fh|/μs below which substeps stay short,
/// and how short.
const BEND: f64 = 0.02;
const ROUGH: f64 = 0.1;

/// Square of the sine below which elements are about in line.
const IN_LINE: f64 = 1e-4;

/// |dz/ds| below which z is steady but for rounding, and the rest of the path is one step.
const NEAR: f64 = 1e-13;

/// The elements at one point of the path, and how z moves there.
pub(super) struct PathPoint<T, const D: usize> {
    pub(super) f: Forces<T, D>,
    /// Displacement of z if dz/ds kept its value over the whole path.
    pub(super) p: [T; D],
    /// Fh.
    sum: [T; D],
    /// What p loses per Fh.
    loss: T,
}

impl<P: Scalar> Leuven<P> {
    /// How sharply |Fh|ⁿ bends at Fh = 0, smooth in n.
    fn roughness(&self) -> P {
        let n = self.parameters.leuven_exponent;
        if n.value().fract() == 0.0 {
            return P::zero();
        }
        let sine = (n * PI).sin();
        sine * sine * ROUGH
    }
}

/// p, `sum` and `loss` of a [`PathPoint`].
fn balance<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    law: &Leuven<P>,
    f: &Forces<T, D>,
    path: &StraightPath<T, D>,
) -> ([T; D], [T; D], T) {
    let sum = law.sum(f);
    let loss = law.loss(norm(&sum), path.g) * path.s;
    let p = std::array::from_fn(|i| path.d[i] - loss * sum[i]);
    (p, sum, loss)
}

/// p of a [`PathPoint`], where the rest of it is not wanted.
pub(super) fn motion<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    law: &Leuven<P>,
    f: &Forces<T, D>,
    path: &StraightPath<T, D>,
) -> [T; D] {
    balance(law, f, path).0
}

impl<T: Scalar, const D: usize> PathPoint<T, D> {
    pub(super) fn at<P: Scalar>(law: &Leuven<P>, f: Forces<T, D>, path: &StraightPath<T, D>) -> Self
    where
        T: MixesWith<P>,
    {
        let (p, sum, loss) = balance(law, &f, path);
        Self { f, p, sum, loss }
    }

    /// Whether z is steady but for rounding, or the path is none.
    pub(super) fn is_steady(&self, path: &StraightPath<T, D>) -> bool {
        norm(&self.p).value() <= (NEAR * path.s.value()).max(REST)
    }
}

/// The motion of z about one point of the path, linearised: dz per path is p − A z, with
/// A = |Fh|ⁿ⁻¹/gⁿ (1 + (n − 1) e e) Σ kᵢ (1 − eᵢ eᵢ), e along Fh and eᵢ along the sliding elements.
pub(super) struct Piece<T, const D: usize> {
    /// A over the whole path.
    pub(super) a: RowMatrix<T, D>,
    /// e·A e.
    along: T,
}

impl<T: Scalar, const D: usize> Piece<T, D> {
    pub(super) fn at<P: Scalar>(law: &Leuven<P>, point: &PathPoint<T, D>, modes: &Modes) -> Self
    where
        T: MixesWith<P>,
    {
        let mut stiffness = [[T::zero(); D]; D];
        for (i, f) in point.f[..law.elements.count].iter().enumerate() {
            let k = T::of(law.elements.stiffness[i]);
            for (j, row) in stiffness.iter_mut().enumerate() {
                row[j] = row[j] + k;
                if modes[i] {
                    let pull = f[j] * k / dot(f, f);
                    *row = std::array::from_fn(|l| row[l] - pull * f[l]);
                }
            }
        }
        let e = direction(&point.sum, norm(&point.sum));
        let sharpened = apply(&stiffness, &e).map(|x| x * (law.parameters.leuven_exponent - 1.0));
        let a: RowMatrix<T, D> = std::array::from_fn(|j| {
            std::array::from_fn(|l| (stiffness[j][l] + e[j] * sharpened[l]) * point.loss)
        });
        let along = dot(&e, &apply(&a, &e));
        Self { a, along }
    }

    /// A over a share of the path.
    pub(super) fn decay(&self, share: T) -> RowMatrix<T, D> {
        self.a.map(|row| row.map(|x| x * share))
    }

    /// The share of the path over which the motion is smooth, were no element to change its mode.
    pub(super) fn smooth_share<P: Scalar>(
        &self,
        law: &Leuven<P>,
        point: &PathPoint<T, D>,
        modes: &Modes,
        path: &StraightPath<T, D>,
    ) -> T
    where
        T: MixesWith<P>,
    {
        let p = norm(&point.p);
        let mu_s = law.parameters.static_coefficient;
        let rough = T::of(mu_s * law.roughness()) / (norm(&point.sum) + mu_s * BEND);
        let loading = p * (law.total_stiffness() / mu_s) * (rough + 1.0);
        let to = direction(&point.p, p);
        let mut turning = T::zero();
        for i in (0..law.elements.count).filter(|&i| modes[i]) {
            let e = direction(&point.f[i], norm(&point.f[i]));
            let cosine = dot(&e, &to);
            let sine: [T; D] = std::array::from_fn(|j| to[j] - cosine * e[j]);
            // smooth where the element comes into line
            let sine = (dot(&sine, &sine) + IN_LINE).sqrt();
            turning = turning
                + (sine * TURNING + FOLLOWING) * law.elements.stiffness[i] / law.elements.level[i];
        }
        // with p its curvature decays, but not that of what it turns
        let pace = (self.along * DECAY + loading) * (p / path.s).sqrt() + turning * p;
        T::from_f64(SUBSTEP) / pace
    }

    /// The share of the path at which a stuck element comes to its limit, if z keeps its direction.
    pub(super) fn share_to_limit(&self, f: &[T; D], p: &[T; D], stiffness: T, limit: T) -> f64 {
        let pace = norm(p);
        let along = dot(f, p) / pace;
        let square = along * along - dot(f, f) + limit * limit;
        let length = ((square.max(T::zero()).sqrt() - along) / stiffness).value();
        // length = p (1 − e^(−decay share))/decay
        let (p, decay) = (pace.value(), self.along.value());
        let used = length * decay / p;
        if used < 1e-8 {
            length / p
        } else if used < 1.0 {
            -(-used).ln_1p() / decay
        } else {
            f64::INFINITY
        }
    }
}

impl<P: Scalar> Leuven<P> {
    /// Stiffness of all elements together.
    fn total_stiffness(&self) -> P {
        self.elements
            .stiffness
            .iter()
            .fold(P::zero(), |sum, k| sum + *k)
    }
}
