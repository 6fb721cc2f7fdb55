//! Several numbers at once: [`Lanes`] evaluates one law text on `W` points.
//!
//! Everything a law without modes needs is written without branches, as loops over the
//! lanes that a compiler turns into vector instructions. No operation looks across lanes
//! and none is fused, so a lane has the same bits whatever `W`, its neighbours and the
//! processor are.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use crate::numbers::functions;
use crate::numbers::powers::{LN_2_HIGH, LN_2_LOW, ROUNDER};
use crate::numbers::scalar::Real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// `W` numbers, one per lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes<const W: usize>(pub [f64; W]);

impl<const W: usize> Lanes<W> {
    /// Applies `f` lane by lane.
    #[inline(always)]
    fn map(mut self, f: impl Fn(f64) -> f64) -> Self {
        for x in &mut self.0 {
            *x = f(*x);
        }
        self
    }

    /// Applies `f`, of which two numbers come out, lane by lane.
    #[inline(always)]
    fn both(mut self, f: impl Fn(f64) -> (f64, f64)) -> (Self, Self) {
        let mut second = self;
        for (x, y) in self.0.iter_mut().zip(&mut second.0) {
            (*x, *y) = f(*x);
        }
        (self, second)
    }

    /// Applies `f` to pairs of lanes.
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        for (x, y) in self.0.iter_mut().zip(other.0) {
            *x = f(*x, y);
        }
        self
    }
}

/// Lane by lane, with another lane or with one number for all.
macro_rules! operators {
    ($($Trait:ident::$method:ident),*) => {$(
        impl<const W: usize> $Trait for Lanes<W> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, |x, y| $Trait::$method(x, y))
            }
        }

        impl<const W: usize> $Trait<f64> for Lanes<W> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: f64) -> Self {
                self.map(|x| $Trait::$method(x, other))
            }
        }
    )*};
}

operators!(Add::add, Sub::sub, Mul::mul, Div::div);

impl<const W: usize> Neg for Lanes<W> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}

impl<const W: usize> Real for Lanes<W> {
    type Mask = [bool; W];

    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        Self([x; W])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        self.map(exp)
    }
    #[inline(always)]
    fn exp_m1(self) -> Self {
        self.map(exp_m1)
    }
    #[inline(always)]
    fn decay(self) -> Self {
        self.map(|x| functions::decay(x, parts))
    }
    #[inline(always)]
    fn falls<const N: usize>(x: [Self; N], span: Self, low: Self) -> [Self; N] {
        x.map(|x| x.decay() * span + low)
    }
    #[inline(always)]
    fn decay_and_rest(self) -> (Self, Self) {
        self.both(|x| functions::decay_and_rest(x, parts))
    }
    #[inline(always)]
    fn relaxation(self) -> (Self, Self) {
        self.both(|a| functions::relaxation(a, parts))
    }
    #[inline(always)]
    fn ln(self) -> Self {
        self.map(f64::ln)
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        self.map(|x| functions::tanh(x, parts))
    }
    #[inline(always)]
    fn sin(self) -> Self {
        self.map(f64::sin)
    }
    #[inline(always)]
    fn cos(self) -> Self {
        self.map(f64::cos)
    }
    #[inline(always)]
    fn atan(self) -> Self {
        self.map(f64::atan)
    }
    #[inline(always)]
    fn powf(self, e: f64) -> Self {
        self.map(|x| exp(ln(x) * e))
    }
    #[inline(always)]
    fn less(self, other: Self) -> [bool; W] {
        let mut mask = [false; W];
        for (m, (x, y)) in mask.iter_mut().zip(self.0.iter().zip(&other.0)) {
            *m = x < y;
        }
        mask
    }
    #[inline(always)]
    fn select(mask: [bool; W], yes: Self, mut no: Self) -> Self {
        for (x, (m, y)) in no.0.iter_mut().zip(mask.iter().zip(&yes.0)) {
            *x = if *m { *y } else { *x };
        }
        no
    }
}

/// 1/2!, 1/3!, …, 1/13!: the rest of the series is below 2e-17 of it for |r| ≤ ln 2/2.
const SERIES: [f64; 12] = [
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// n and eʳ − 1 with x = n ln 2 + r, |r| ≤ ln 2/2.
#[inline(always)]
fn reduced(x: f64) -> (f64, f64) {
    let n = (x * std::f64::consts::LOG2_E + ROUNDER) - ROUNDER;
    (n, series((x - n * LN_2_HIGH) - n * LN_2_LOW))
}

/// eʳ − 1 for |r| ≤ ln 2/2.
#[inline(always)]
fn series(r: f64) -> f64 {
    // Estrin's order of evaluation: four steps deep instead of eleven
    let c = &SERIES;
    let (r2, pair) = (r * r, |k: usize| c[k] + c[k + 1] * r);
    let r4 = r2 * r2;
    let low = pair(0) + pair(2) * r2;
    let middle = pair(4) + pair(6) * r2;
    let high = pair(8) + pair(10) * r2;
    let q = low + (middle + high * r4) * r4;
    r + r2 * q
}

/// Adding it rounds to a whole number n; the low bits are then the exponent of 2ⁿ.
const BIASED: f64 = ROUNDER + 1023.0;

/// A power of two T and e^(−x)/T − 1, for |x| ≤ 708.
#[inline(always)]
pub(crate) fn parts(x: f64) -> (f64, f64) {
    let shifted = BIASED - x * std::f64::consts::LOG2_E;
    let power = f64::from_bits(shifted.to_bits() << 52);
    let minus_n = BIASED - shifted;
    (
        power,
        series((minus_n * LN_2_HIGH - x) + minus_n * LN_2_LOW),
    )
}

/// 2ⁿ for a whole n in −1022..=1023.
#[inline(always)]
fn power_of_two(n: f64) -> f64 {
    f64::from_bits((n + ROUNDER).to_bits().wrapping_add(1023) << 52)
}

/// y 2ⁿ in two factors: results below the normal numbers, and n = 1024, come out right.
#[inline(always)]
fn scaled(y: f64, n: f64) -> f64 {
    let half = (n * 0.5 + ROUNDER) - ROUNDER;
    y * power_of_two(half) * power_of_two(n - half)
}

/// `x` kept between the bounds; NaN stays.
#[inline(always)]
fn clamped(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// eˣ without branches, to 1 ulp: 0 below −745.13, ∞ above 709.78.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let (n, p) = reduced(clamped(x, -800.0, 800.0));
    scaled(p + 1.0, n)
}

/// eˣ − 1 without branches and without cancellation, to 2 ulp.
#[inline(always)]
pub fn exp_m1(x: f64) -> f64 {
    // e^(−50) is far below an ulp of 1
    let x = clamped(x, -50.0, 800.0);
    let (n, p) = reduced(x);
    // (eʳ − 1) + (1 − 2⁻ⁿ), times 2ⁿ; from n = 100 on 2⁻ⁿ no longer counts
    let below = power_of_two(-(if n < 100.0 { n } else { 100.0 }));
    let y = scaled(p + (1.0 - below), n);
    // x = −0 keeps its sign; a select here would keep compilers from using vectors
    y.copysign(x)
}

/// The reciprocals of 3, 5, …, 21.
const ODD: [f64; 10] = [
    1.0 / 3.0,
    1.0 / 5.0,
    1.0 / 7.0,
    1.0 / 9.0,
    1.0 / 11.0,
    1.0 / 13.0,
    1.0 / 15.0,
    1.0 / 17.0,
    1.0 / 19.0,
    1.0 / 21.0,
];

/// ln x for a normal x > 0 without branches, to 2 ulp.
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    // x = 2ⁿ m with m in [1/√2, √2); the exponent becomes a number by way of 2⁵² + exponent
    let bits = x.to_bits();
    let n =
        f64::from_bits((bits >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let m = f64::from_bits((bits & MANTISSA) | 0x3ff0_0000_0000_0000);
    let above = m > std::f64::consts::SQRT_2;
    let (n, m) = (
        if above { n + 1.0 } else { n },
        if above { m * 0.5 } else { m },
    );
    // ln m = 2 artanh s = 2 s (1 + s²/3 + s⁴/5 + …), s ≤ 0.172: the next term is below 1e-18
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for reciprocal in ODD.iter().rev() {
        sum = sum * square + reciprocal;
    }
    let twice = s * 2.0;
    n * LN_2_HIGH + (twice + (twice * square * sum + n * LN_2_LOW))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distance in units of the last place of `b`.
    fn ulps(a: f64, b: f64) -> f64 {
        (a - b).abs() / (b.abs().next_up() - b.abs())
    }

    #[test]
    fn exp_is_accurate() {
        let mut worst = 0.0_f64;
        for k in -70_000..70_000 {
            let x = f64::from(k) * 0.010_123_7;
            worst = worst.max(ulps(exp(x), x.exp()));
        }
        // half an ulp each of std and of the last rounding, and what r and p carry
        assert!(worst <= 1.0, "{worst} ulp");
    }

    #[test]
    fn exp_m1_is_accurate() {
        let mut worst = 0.0_f64;
        for k in -70_000..70_000 {
            for scale in [1e-12, 1e-6, 1e-3, 1.3e-5, 0.010_123_7] {
                let x = f64::from(k) * scale;
                worst = worst.max(ulps(exp_m1(x), x.exp_m1()));
            }
        }
        assert!(worst <= 2.0, "{worst} ulp");
    }

    #[test]
    fn ln_is_accurate() {
        let mut worst = 0.0_f64;
        for k in -140_000..140_000 {
            // all binades, and closely about 1
            for x in [(f64::from(k) * 0.005).exp(), 1.0 + f64::from(k) * 1e-6] {
                worst = worst.max(ulps(ln(x), x.ln()));
            }
        }
        assert!(worst <= 2.0, "{worst} ulp");
        assert!(ln(1.0).abs() <= 0.0 && ulps(ln(f64::MIN_POSITIVE), -708.396_418_532_264_1) <= 1.0);
    }

    #[test]
    fn limits() {
        let same = |a: f64, b: f64| assert_eq!(a.to_bits(), b.to_bits(), "{a:e} {b:e}");
        for x in [
            0.0,
            -0.0,
            710.0,
            1e300,
            f64::INFINITY,
            -746.0,
            -1e300,
            f64::NEG_INFINITY,
        ] {
            same(exp(x), x.exp());
            same(exp_m1(x), x.exp_m1());
        }
        for x in [f64::MIN_POSITIVE, 5e-324, -1e-310, 1e-290, -1e-290] {
            same(exp_m1(x), x);
        }
        // subnormal results, and the last binade before overflow
        for x in [-708.5, -720.0, -744.9, 709.5, 709.78] {
            assert!(ulps(exp(x), x.exp()) <= 1.0, "exp({x})");
        }
        assert!(exp(f64::NAN).is_nan() && exp_m1(f64::NAN).is_nan());
    }

    #[test]
    fn lanes_do_not_mix() {
        let x = Lanes([-0.3, 0.0, 1.7, -40.0]);
        let y = x.exp() * 2.0 + x;
        for i in 0..4 {
            let alone = (Lanes([x.0[i]]).exp() * 2.0 + Lanes([x.0[i]])).0[0];
            assert_eq!(alone.to_bits(), y.0[i].to_bits());
        }
        assert_eq!(x.less(Lanes::zero()), [true, false, false, true]);
        assert_eq!(x.max(Lanes::zero()), Lanes([0.0, 0.0, 1.7, 0.0]));
        assert_eq!(Real::abs(x), Lanes([0.3, 0.0, 1.7, 40.0]));
    }
}
