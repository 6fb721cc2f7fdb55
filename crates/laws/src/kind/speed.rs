//! Laws of the speed alone.

#![allow(
    clippy::inline_always,
    reason = "small laws go into the loop that calls them, as in the catalogue"
)]

use super::{Formulas, Kind, KindVisitor};
use crate::curve::Curve;
use crate::law::slip::{Slip, Step, norm};
use crate::law::{Law, Sides, Tangent, tangent_by_dual};
use crate::numbers::partials::Partials;
use crate::numbers::scalar::{MixesWith, Real, Scalar};
use std::fmt::Debug;

/// A law of the speed alone, without state: **F** = N s **v** with s = μ(|**v**|)/|**v**|.
///
/// The formula of s has no branches, so that it serves numbers, dual numbers and lanes alike. The
/// vector form is radial: friction is along **v**, of the size that the speed gives.
pub trait SpeedLaw<P: Scalar>: Clone + Debug {
    /// s = μ/|v|, s/m, finite at rest; `g` is the [curve](Self::curve) of the law.
    fn over_speed<T: MixesWith<P>>(&self, speed: T, g: impl Fn(T) -> T) -> T;

    /// The Stribeck curve, if the law has one.
    fn curve(&self) -> Option<&Curve<P>> {
        None
    }
}

/// The kind of a [`SpeedLaw`].
#[derive(Clone, Copy, Debug)]
pub struct Speed;

impl<P: Scalar, L: SpeedLaw<P>> Formulas<P, L> for Speed {
    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        law: &L,
        slip: &Slip<T, D>,
        _state: &[T],
        _rates: &mut [T],
    ) -> [T; D] {
        let g = |speed: T| match law.curve() {
            Some(curve) => curve.value(speed),
            None => T::zero(),
        };
        let slope = slip.normal_force * law.over_speed(norm(&slip.velocity), g);
        slip.velocity.map(|v| slope * v)
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        law: &L,
        step: &Step<T, D>,
        _old: &[P],
        _new: &mut [T],
    ) -> [T; D] {
        Self::rates(law, &step.end, &[], &mut [])
    }

    fn steady(law: &L, speed: P, normal_force: P) -> Option<P> {
        Some(Self::rates(law, &Slip::new([speed], normal_force), &[], &mut [])[0])
    }
}

impl<L: SpeedLaw<f64> + Law> Kind<L> for Speed {
    const SIDES: Sides = Sides::OfVelocity;

    /// F = N s v: s and its slope give the derivatives of all components. On a line, where s v is a
    /// level that may be constant, the dual numbers follow the formula of s itself.
    #[inline]
    fn update_with_tangent<const D: usize>(
        law: &L,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        if D == 1 {
            return tangent_by_dual(law, step, old, new);
        }
        let (v, n) = (&step.end.velocity, step.end.normal_force);
        let speed = norm(v);
        let g = |speed: Partials<1>| match law.curve() {
            Some(curve) => curve.value(speed),
            None => Partials::zero(),
        };
        let slope = law.over_speed(Partials::variable(speed, 0), g);
        let inverse = if speed < f64::MIN_POSITIVE {
            0.0
        } else {
            1.0 / speed
        };
        let u = v.map(|v| v * inverse);
        let (direct, bend) = (n * slope.value, n * slope.by[0]);
        let mut tangent = Tangent::ZERO;
        tangent.velocity = v.map(|v| u.map(|u| bend * v * u));
        for (i, row) in tangent.velocity.iter_mut().enumerate() {
            row[i] += direct;
        }
        tangent.normal_force = v.map(|v| slope.value * v);
        (v.map(|v| direct * v), tangent)
    }

    fn visit<V: KindVisitor>(law: &L, visitor: V) -> V::Output {
        visitor.speed(law)
    }
}
