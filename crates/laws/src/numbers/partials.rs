//! A number with its derivatives by a few variables, for the chain rule over scalars.
//!
//! The components of a vector law share their factors: the derivatives of a handful of scalars give
//! those of all components. Dual numbers for every component and every input cost several times as
//! much.

#![allow(
    clippy::inline_always,
    reason = "the derivatives are a few products between those of the value"
)]

use crate::numbers::functions::relaxation_slope;
use crate::numbers::functions::{self, parts};
use crate::numbers::scalar::{MixesWith, Real, Scalar};
use crate::numbers::simd_pair::{Word, in_pairs};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number with its derivatives by `K` variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partials<const K: usize> {
    /// The number.
    pub(crate) value: f64,
    /// Its derivative by each variable.
    pub(crate) by: [f64; K],
}

impl<const K: usize> Partials<K> {
    /// The variable number `k`; a constant if there are fewer.
    #[inline(always)]
    pub(crate) fn variable(value: f64, k: usize) -> Self {
        let by = std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        Self { value, by }
    }

    /// A function of this number, from its value and its slope.
    #[inline(always)]
    fn chain(self, value: f64, slope: f64) -> Self {
        let by = self.by.map(|x| slope * x);
        Self { value, by }
    }

    /// A function of two numbers, from its value and the derivatives of it by one and the other.
    #[inline(always)]
    fn join(self, other: Self, value: f64, by_self: f64, by_other: f64) -> Self {
        let by = std::array::from_fn(|i| by_self * self.by[i] + by_other * other.by[i]);
        Self { value, by }
    }
}

impl<const K: usize> Add for Partials<K> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let by = std::array::from_fn(|i| self.by[i] + other.by[i]);
        let value = self.value + other.value;
        Self { value, by }
    }
}

impl<const K: usize> Sub for Partials<K> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let by = std::array::from_fn(|i| self.by[i] - other.by[i]);
        let value = self.value - other.value;
        Self { value, by }
    }
}

impl<const K: usize> Mul for Partials<K> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.join(other, self.value * other.value, other.value, self.value)
    }
}

impl<const K: usize> Div for Partials<K> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let inverse = 1.0 / other.value;
        let by = std::array::from_fn(|i| {
            (self.by[i] * other.value - other.by[i] * self.value) * inverse * inverse
        });
        let value = self.value * inverse;
        Self { value, by }
    }
}

impl<const K: usize> Neg for Partials<K> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let (value, by) = (-self.value, self.by.map(|x| -x));
        Self { value, by }
    }
}

impl<const K: usize> Add<f64> for Partials<K> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, x: f64) -> Self {
        self.value += x;
        self
    }
}

impl<const K: usize> Sub<f64> for Partials<K> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, x: f64) -> Self {
        self.value -= x;
        self
    }
}

impl<const K: usize> Mul<f64> for Partials<K> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, x: f64) -> Self {
        self.chain(self.value * x, x)
    }
}

impl<const K: usize> Div<f64> for Partials<K> {
    type Output = Self;
    #[inline(always)]
    fn div(self, x: f64) -> Self {
        let (value, by) = (self.value / x, self.by.map(|d| d / x));
        Self { value, by }
    }
}

impl<const K: usize> Real for Partials<K> {
    type Mask = bool;
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        let by = [0.0; K];
        Self { value, by }
    }
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root)
    }
    #[inline]
    fn exp(self) -> Self {
        let exp = self.value.exp();
        self.chain(exp, exp)
    }
    #[inline]
    fn exp_m1(self) -> Self {
        self.chain(self.value.exp_m1(), self.value.exp())
    }
    #[inline(always)]
    fn decay(self) -> Self {
        let decay = functions::decay(self.value, parts);
        self.chain(decay, -decay)
    }
    #[inline(always)]
    fn falls<const N: usize>(x: [Self; N], span: Self, low: Self) -> [Self; N] {
        let (numbers, c) = (x.map(|x| x.value), (span.value, low.value));
        let values = in_pairs(
            numbers,
            |pair| functions::fall(pair, pair.constant(c.0), pair.constant(c.1)).numbers(),
            |x| functions::fall(x, c.0, c.1),
        );
        let decays = in_pairs(
            numbers,
            |pair| functions::decay(pair, parts).numbers(),
            |x| functions::decay(x, parts),
        );
        std::array::from_fn(|i| {
            let fall = x[i].chain(values[i], -decays[i] * span.value);
            let levels = span.chain(0.0, decays[i]) + low;
            let by = std::array::from_fn(|k| fall.by[k] + levels.by[k]);
            Self {
                value: values[i],
                by,
            }
        })
    }
    #[inline(always)]
    fn decay_and_rest(self) -> (Self, Self) {
        let (decay, rest) = functions::decay_and_rest(self.value, parts);
        (self.chain(decay, -decay), self.chain(rest, decay))
    }
    #[inline(always)]
    fn relaxation(self) -> (Self, Self) {
        let (decay, mean) = functions::relaxation(self.value, parts);
        let slope = relaxation_slope(self.value, decay, mean);
        (self.chain(decay, -decay), self.chain(mean, slope))
    }
    #[inline]
    fn ln(self) -> Self {
        self.chain(self.value.ln(), 1.0 / self.value)
    }
    #[inline]
    fn tanh(self) -> Self {
        let tanh = functions::tanh(self.value, parts);
        self.chain(tanh, 1.0 - tanh * tanh)
    }
    #[inline]
    fn sin(self) -> Self {
        self.chain(self.value.sin(), self.value.cos())
    }
    #[inline]
    fn cos(self) -> Self {
        self.chain(self.value.cos(), -self.value.sin())
    }
    #[inline]
    fn atan(self) -> Self {
        let x = self.value;
        self.chain(x.atan(), 1.0 / (1.0 + x * x))
    }
    #[inline]
    fn powf(self, e: f64) -> Self {
        let power = self.value.powf(e);
        self.chain(power, e * power / self.value)
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self.value < other.value
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn either(mask: bool, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        if mask { yes() } else { no() }
    }
}

impl<const K: usize> MixesWith<Self> for Partials<K> {
    #[inline(always)]
    fn of(parameter: Self) -> Self {
        parameter
    }
    #[inline]
    fn power(self, exponent: Self) -> Self {
        let value = self.value.powf(exponent.value);
        let by_self = exponent.value * value / self.value;
        self.join(exponent, value, by_self, value * self.value.ln())
    }
}

impl<const K: usize> Scalar for Partials<K> {
    #[inline(always)]
    fn value(self) -> f64 {
        self.value
    }
    #[inline]
    fn is_constant(self) -> bool {
        self.by.iter().all(|x| *x == 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_dual::{Derivative, DualSVec64};

    /// An expression with every function.
    fn expression<T: Scalar>(x: T, y: T) -> T {
        let (decay, rest) = x.decay_and_rest();
        let (fading, mean) = (x * 0.3).relaxation();
        let [first, second] = T::falls([x, y], y, x);
        let powers = x.powf(1.7) + x.power(y) - (x + y).sqrt() * (y - 0.2).ln();
        let waves = (x.sin() - y.cos() / 3.0) * (-x).atan() + y.tanh();
        let growth = x.exp_m1() * y.exp() / (x * y + 2.0);
        decay * rest + fading / mean + first * second + powers * waves - growth
            + x.max(y) * (x - y).abs() * x.min(y)
    }

    #[test]
    fn derivatives_are_those_of_other_dual_numbers() {
        type Dual = DualSVec64<2>;
        let dual = |x: f64, unit: [f64; 2]| Dual::new(x, Derivative::some(unit.into()));
        for (x, y) in [(0.3, 0.9), (1.4, 0.5), (4.0, 4.5)] {
            let ours = expression(Partials::<2>::variable(x, 0), Partials::variable(y, 1));
            let theirs = expression(dual(x, [1.0, 0.0]), dual(y, [0.0, 1.0]));
            let by = theirs.eps.0.map_or([0.0; 2], Into::into);
            let size = theirs.re.abs().max(by[0].abs()).max(by[1].abs());
            // some fifty roundings
            assert!((ours.value - theirs.re).abs() < 1e-13 * size);
            for (a, b) in ours.by.iter().zip(by) {
                assert!((a - b).abs() < 1e-13 * size, "{ours:?} {theirs:?}");
            }
        }
    }
}
