//! The scalars a law can be evaluated on: `f64`, dual numbers, SIMD lanes.
//!
//! A law text is written once over [`Real`]. Branches that must also work on lanes go
//! through [`Real::select`] or [`Real::either`]; laws with modes ask for [`Scalar`], which has a value to
//! branch on. [`MixesWith`] says which numbers may stand beside which parameters.

#![allow(
    clippy::inline_always,
    reason = "blocks of lanes compile these into their own instruction set"
)]

pub use crate::numbers::functions::relaxation_slope;
use crate::numbers::functions::{self, parts};
use crate::numbers::simd_pair::{SimdPair, Word, in_pairs};
use num_dual::{DualNum, DualSVec64};
use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number that a law can compute with.
pub trait Real:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// The result of a comparison: `bool`, or one per lane.
    type Mask: Copy;

    /// The constant `x`.
    fn from_f64(x: f64) -> Self;
    /// √x.
    #[must_use]
    fn sqrt(self) -> Self;
    /// eˣ.
    #[must_use]
    fn exp(self) -> Self;
    /// eˣ − 1 without cancellation at small x.
    #[must_use]
    fn exp_m1(self) -> Self;
    /// e^(−x) for x ≥ 0; results below the normal numbers may come out as the least of those.
    #[must_use]
    #[inline]
    fn decay(self) -> Self {
        (-self).exp()
    }
    /// e^(−x) and 1 − e^(−x) for x ≥ 0, neither with cancellation.
    fn decay_and_rest(self) -> (Self, Self);
    /// e^(−a) and (1 − e^(−a))/a for a ≥ 0: how a linear state relaxes over a step, and the mean
    /// of that.
    fn relaxation(self) -> (Self, Self);
    /// low + span e^(−x) of several numbers x ≥ 0: two cost little more than one.
    #[must_use]
    #[inline]
    fn falls<const N: usize>(x: [Self; N], span: Self, low: Self) -> [Self; N] {
        x.map(|x| x.decay() * span + low)
    }
    /// [`Self::decay_and_rest`] of several numbers.
    #[inline]
    fn decays_and_rests<const N: usize>(x: [Self; N]) -> [(Self, Self); N] {
        x.map(Self::decay_and_rest)
    }
    /// [`Self::relaxation`] of several numbers.
    #[inline]
    fn relaxations<const N: usize>(a: [Self; N]) -> [(Self, Self); N] {
        a.map(Self::relaxation)
    }
    /// e^(−a) for a ≥ 0, and x (1 − e^(−a))/a for every x: what is left of a state that relaxes along
    /// a path, and how far the path draws it.
    #[inline]
    fn relaxed<const D: usize>(a: Self, path: [Self; D]) -> (Self, [Self; D]) {
        let (decay, mean) = a.relaxation();
        (decay, path.map(|x| mean * x))
    }
    /// ln x.
    #[must_use]
    fn ln(self) -> Self;
    /// tanh x.
    #[must_use]
    fn tanh(self) -> Self;
    /// sin x.
    #[must_use]
    fn sin(self) -> Self;
    /// sin x for |x| ≤ π/2.
    #[must_use]
    #[inline]
    fn quarter_sin(self) -> Self {
        self.sin()
    }
    /// cos x.
    #[must_use]
    fn cos(self) -> Self;
    /// atan x.
    #[must_use]
    fn atan(self) -> Self;
    /// x to the constant power `e`, for x > 0.
    #[must_use]
    fn powf(self, e: f64) -> Self;
    /// `self < other`, lane by lane.
    fn less(self, other: Self) -> Self::Mask;
    /// `yes` where `mask` holds, else `no`. Both sides are evaluated.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// `yes()` where `mask` holds, else `no()`: a branch for one number, [`Self::select`] on lanes,
    /// where what is not selected may be anything.
    #[must_use]
    #[inline(always)]
    fn either(mask: Self::Mask, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        Self::select(mask, yes(), no())
    }

    /// Zero.
    #[inline]
    fn zero() -> Self {
        Self::from_f64(0.0)
    }
    /// The smaller of the two.
    #[must_use]
    #[inline]
    fn min(self, other: Self) -> Self {
        Self::select(self.less(other), self, other)
    }
    /// The larger of the two.
    #[must_use]
    #[inline]
    fn max(self, other: Self) -> Self {
        Self::select(other.less(self), self, other)
    }
    /// |x|, with the derivative of x at 0.
    #[must_use]
    #[inline]
    fn abs(self) -> Self {
        Self::select(self.less(Self::zero()), -self, self)
    }
}

/// A [`Real`] with one value, so that a law may branch on it.
pub trait Scalar: Real<Mask = bool> + MixesWith<Self> {
    /// The value without derivatives.
    fn value(self) -> f64;
    /// Whether it has no derivative, so that a formula for its very value will do.
    #[inline]
    fn is_constant(self) -> bool {
        true
    }
}

/// A number that may be computed with beside parameters of the type `P`.
///
/// Every [`Real`] stands beside `f64` parameters. Dual numbers also stand beside parameters that
/// are dual themselves: then a law gives the derivatives by its parameters.
pub trait MixesWith<P>:
    Real + Add<P, Output = Self> + Sub<P, Output = Self> + Mul<P, Output = Self> + Div<P, Output = Self>
{
    /// The parameter as such a number.
    fn of(parameter: P) -> Self;
    /// This number, which is above 0, to the power of the parameter.
    #[must_use]
    fn power(self, exponent: P) -> Self;
}

impl<T: Real> MixesWith<f64> for T {
    #[inline]
    fn of(parameter: f64) -> Self {
        T::from_f64(parameter)
    }
    #[inline]
    fn power(self, exponent: f64) -> Self {
        self.powf(exponent)
    }
}

impl<const N: usize> MixesWith<Self> for DualSVec64<N> {
    #[inline]
    fn of(parameter: Self) -> Self {
        parameter
    }
    #[inline]
    fn power(self, exponent: Self) -> Self {
        // d(x^e) = x^e (e dx/x + ln x de)
        let value = self.re.powf(exponent.re);
        let (by_x, by_e) = (exponent.re * value / self.re, value * self.re.ln());
        Self::new(value, self.eps * by_x + exponent.eps * by_e)
    }
}

/// Two results of a function with two values.
#[inline]
fn both(results: (SimdPair, SimdPair)) -> [(f64, f64); 2] {
    let ([a, b], [c, d]) = (results.0.numbers(), results.1.numbers());
    [(a, c), (b, d)]
}

impl Real for f64 {
    type Mask = bool;
    #[inline]
    fn from_f64(x: f64) -> Self {
        x
    }
    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline]
    fn exp(self) -> Self {
        f64::exp(self)
    }
    #[inline]
    fn exp_m1(self) -> Self {
        f64::exp_m1(self)
    }
    #[inline]
    fn decay(self) -> Self {
        functions::decay(self, parts)
    }
    #[inline]
    fn decay_and_rest(self) -> (Self, Self) {
        functions::decay_and_rest(self, parts)
    }
    #[inline]
    fn relaxation(self) -> (Self, Self) {
        functions::relaxation(self, parts)
    }
    #[inline(always)]
    fn falls<const N: usize>(x: [Self; N], span: Self, low: Self) -> [Self; N] {
        in_pairs(
            x,
            |pair| functions::fall(pair, pair.constant(span), pair.constant(low)).numbers(),
            |x| functions::fall(x, span, low),
        )
    }
    #[inline(always)]
    fn decays_and_rests<const N: usize>(x: [Self; N]) -> [(Self, Self); N] {
        in_pairs(
            x,
            |pair| both(functions::decay_and_rest(pair, parts)),
            Self::decay_and_rest,
        )
    }
    #[inline(always)]
    fn relaxations<const N: usize>(a: [Self; N]) -> [(Self, Self); N] {
        in_pairs(
            a,
            |pair| both(functions::relaxation(pair, parts)),
            Self::relaxation,
        )
    }
    #[inline]
    fn relaxed<const D: usize>(a: Self, path: [Self; D]) -> (Self, [Self; D]) {
        functions::relaxed(a, path)
    }
    #[inline]
    fn ln(self) -> Self {
        f64::ln(self)
    }
    #[inline]
    fn tanh(self) -> Self {
        functions::tanh(self, parts)
    }
    #[inline]
    fn sin(self) -> Self {
        f64::sin(self)
    }
    #[inline]
    fn quarter_sin(self) -> Self {
        functions::quarter_sin(self)
    }
    #[inline]
    fn cos(self) -> Self {
        f64::cos(self)
    }
    #[inline]
    fn atan(self) -> Self {
        f64::atan(self)
    }
    #[inline]
    fn powf(self, e: f64) -> Self {
        f64::powf(self, e)
    }
    #[inline]
    fn less(self, other: Self) -> bool {
        self < other
    }
    #[inline]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn either(mask: bool, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        if mask { yes() } else { no() }
    }
}

impl Scalar for f64 {
    #[inline]
    fn value(self) -> f64 {
        self
    }
}

impl<const N: usize> Real for DualSVec64<N> {
    type Mask = bool;
    #[inline]
    fn from_f64(x: f64) -> Self {
        Self::from_re(x)
    }
    #[inline]
    fn sqrt(self) -> Self {
        DualNum::sqrt(&self)
    }
    #[inline]
    fn exp(self) -> Self {
        DualNum::exp(&self)
    }
    #[inline]
    fn exp_m1(self) -> Self {
        DualNum::exp_m1(&self)
    }
    #[inline]
    fn decay(self) -> Self {
        let decay = functions::decay(self.re, parts);
        Self::new(decay, self.eps * -decay)
    }
    #[inline]
    fn falls<const M: usize>(x: [Self; M], span: Self, low: Self) -> [Self; M] {
        x.map(|x| {
            let decay = functions::decay(x.re, parts);
            let value = functions::fall(x.re, span.re, low.re);
            let slope = x.eps * (-decay * span.re);
            Self::new(value, slope + span.eps * decay + low.eps)
        })
    }
    #[inline]
    fn decay_and_rest(self) -> (Self, Self) {
        let (decay, rest) = functions::decay_and_rest(self.re, parts);
        (
            Self::new(decay, self.eps * -decay),
            Self::new(rest, self.eps * decay),
        )
    }
    #[inline]
    fn relaxation(self) -> (Self, Self) {
        let (decay, mean) = functions::relaxation(self.re, parts);
        let slope = relaxation_slope(self.re, decay, mean);
        (
            Self::new(decay, self.eps * -decay),
            Self::new(mean, self.eps * slope),
        )
    }
    #[inline]
    fn ln(self) -> Self {
        DualNum::ln(&self)
    }
    #[inline]
    fn tanh(self) -> Self {
        let tanh = functions::tanh(self.re, parts);
        Self::new(tanh, self.eps * (1.0 - tanh * tanh))
    }
    #[inline]
    fn sin(self) -> Self {
        DualNum::sin(&self)
    }
    #[inline]
    fn quarter_sin(self) -> Self {
        Self::new(functions::quarter_sin(self.re), self.eps * self.re.cos())
    }
    #[inline]
    fn cos(self) -> Self {
        DualNum::cos(&self)
    }
    #[inline]
    fn atan(self) -> Self {
        DualNum::atan(&self)
    }
    #[inline]
    fn powf(self, e: f64) -> Self {
        DualNum::powf(&self, e)
    }
    #[inline]
    fn less(self, other: Self) -> bool {
        self.re < other.re
    }
    #[inline]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn either(mask: bool, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        if mask { yes() } else { no() }
    }
}

impl<const N: usize> Scalar for DualSVec64<N> {
    #[inline]
    fn value(self) -> f64 {
        self.re
    }
    #[inline]
    fn is_constant(self) -> bool {
        self.eps.0.is_none_or(|eps| eps.iter().all(|x| *x == 0.0))
    }
}
