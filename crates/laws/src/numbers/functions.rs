//! eˣ and related functions for one number or two at once, inlined and without branches.
//!
//! The functions of the standard library are calls into the system's: a call makes its caller save
//! every number it holds, and the branches inside are guessed wrong at points in random order. Here
//! x = −(n ln 2/128 + r), so that e^(−x) = 2^(n/128) eʳ with |r| ≤ ln 2/256 = 0.0027: a table of the
//! powers and five terms of the series. Lanes, which would have to gather from a table, have a
//! longer series in its place: the functions get a way to split e^(−x) into a power of two
//! T and e^(−x)/T − 1.

#![allow(
    clippy::inline_always,
    reason = "blocks of lanes compile these into their own instruction set"
)]

use crate::numbers::powers::{LN_2_HIGH, LN_2_LOW, ROUNDER, ROWS};
use crate::numbers::simd_pair::Word;

/// Rows of the table of powers.
const PARTS: f64 = ROWS as f64;

/// 2^(n/128) = T and e^(−x)/T − 1 for |x| ≤ 708, to 4e-19.
#[inline(always)]
pub(crate) fn parts<W: Word>(x: W) -> (W, W) {
    // the low bits of the shifted number are n
    let c = |value: f64| x.constant(value);
    let shifted = c(ROUNDER) - x * c(PARTS * std::f64::consts::LOG2_E);
    let (power, lost) = shifted.power();
    let minus_n = c(ROUNDER) - shifted;
    let r = (minus_n * c(LN_2_HIGH / PARTS) - x) + minus_n * c(LN_2_LOW / PARTS);
    let r2 = r * r;
    // r⁶/6! < 6e-19
    let high = c(1.0 / 24.0) + r * c(1.0 / 120.0);
    let q = (c(0.5) + r * c(1.0 / 6.0)) + r2 * high;
    (power, (lost + r) + r2 * q)
}

/// ln 2/128: the step of the table.
const STEP: f64 = std::f64::consts::LN_2 / PARTS;

/// Its powers over k!, for k = 1, 2, …, 5.
const STEPS: [f64; 5] = [
    STEP,
    STEP * STEP / 2.0,
    STEP * STEP * STEP / 6.0,
    STEP * STEP * STEP * STEP / 24.0,
    STEP * STEP * STEP * STEP * STEP / 120.0,
];

/// low + span e^(−x) for x ≥ 0, to two roundings of the larger of both.
///
/// e^(−x) itself is wrong by x e^(−x) 2⁻⁵³, since the product x 128/ln 2 is rounded: less than half a
/// rounding of 1, and two operations less to wait for.
#[inline(always)]
pub(crate) fn fall<W: Word>(x: W, span: W, low: W) -> W {
    let c = |value: f64| x.constant(value);
    let steps = x.at_most(FAR) * c(PARTS * std::f64::consts::LOG2_E);
    let shifted = c(ROUNDER) - steps;
    let (power, lost) = shifted.power();
    let f = (c(ROUNDER) - shifted) - steps;
    let f2 = f * f;
    let high = c(STEPS[3]) + f * c(STEPS[4]);
    let q = (c(STEPS[1]) + f * c(STEPS[2])) + f2 * high;
    let rest = (lost + f * c(STEPS[0])) + f2 * q;
    let power = power * span;
    (power + low) + power * rest
}

/// Beyond this the results leave the normal numbers.
const FAR: f64 = 708.0;

/// e^(−x) for x ≥ 0, to 1 ulp; never below e^(−708).
#[inline(always)]
pub(crate) fn decay<W: Word>(x: W, parts: impl Fn(W) -> (W, W)) -> W {
    let (power, rest) = parts(x.at_most(FAR));
    power + power * rest
}

/// tanh x, to 5 ulp.
#[inline(always)]
pub(crate) fn tanh(x: f64, parts: impl Fn(f64) -> (f64, f64)) -> f64 {
    // 1 − tanh 20 is far below an ulp
    let twice = x.abs() * 2.0;
    let (power, rest) = parts(if twice > 40.0 { 40.0 } else { twice });
    let less = (1.0 - power) - power * rest;
    (less / (2.0 - less)).copysign(x)
}

/// −1/3!, 1/5!, …, 1/21!: the next term is below 2e-18 for |x| ≤ π/2.
const SINE: [f64; 10] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
    -1.0 / 121_645_100_408_832_000.0,
    1.0 / 51_090_942_171_709_440_000.0,
];

/// sin x for |x| ≤ π/2, to 3 ulp.
#[inline]
pub(crate) fn quarter_sin(x: f64) -> f64 {
    let c = &SINE;
    let (x2, pair) = (x * x, |k: usize, x2: f64| c[k] + c[k + 1] * x2);
    let x4 = x2 * x2;
    let low = pair(0, x2) + pair(2, x2) * x4;
    let high = (pair(4, x2) + pair(6, x2) * x4) + pair(8, x2) * (x4 * x4);
    x + x * x2 * (low + high * (x4 * x4))
}

/// e^(−x) and 1 − e^(−x) for x ≥ 0, to 1 and 4 ulp.
#[inline(always)]
pub(crate) fn decay_and_rest<W: Word>(x: W, parts: impl Fn(W) -> (W, W)) -> (W, W) {
    let (power, rest) = parts(x.at_most(FAR));
    let more = power * rest;
    (power + more, (x.constant(1.0) - power) - more)
}

/// e^(−a) and (1 − e^(−a))/a for a ≥ 0, to 1 and 6 ulp.
#[inline(always)]
pub(crate) fn relaxation<W: Word>(a: W, parts: impl Fn(W) -> (W, W)) -> (W, W) {
    // the quotient of two small numbers is 1, that of two zeros is not
    let a = a.at_least(f64::MIN_POSITIVE);
    let (decay, rest) = decay_and_rest(a, parts);
    (decay, rest / a)
}

/// The slope of φ(a) = (1 − e^(−a))/a from e^(−a) and φ: (e^(−a) − φ)/a.
#[inline]
pub fn relaxation_slope(a: f64, decay: f64, phi: f64) -> f64 {
    if a < 0.01 {
        // the next term is below 2e-16
        let high = 1.0 / 30.0 - a * (1.0 / 144.0 - a * (1.0 / 840.0));
        a * (1.0 / 3.0 - a * (1.0 / 8.0 - a * high)) - 0.5
    } else {
        (decay - phi) / a
    }
}

/// e^(−a) for a ≥ 0, and x (1 − e^(−a))/a for every x; the quotient does not wait for the exponential.
#[inline(always)]
pub(crate) fn relaxed<const D: usize>(a: f64, path: [f64; D]) -> (f64, [f64; D]) {
    // the least number on both sides of the quotient: 1 for 0/0, and nothing where a is normal
    let inverse = 1.0 / (a + f64::MIN_POSITIVE);
    let reach = path.map(|x| x * inverse);
    let (power, rest) = parts(a.at_most(FAR));
    let more = power * rest;
    let rest = ((1.0 - power) + f64::MIN_POSITIVE) - more;
    (power + more, reach.map(|x| rest * x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::lanes;

    /// The largest distance of `f` from the standard library's in units of the last place, over
    /// numbers of many sizes up to `most`.
    fn worst(f: impl Fn(f64) -> f64, exact: impl Fn(f64) -> f64, most: f64) -> f64 {
        let mut worst = 0.0_f64;
        for k in -30_000..30_000 {
            for scale in [1e-12, 1e-6, 1e-4, 1e-3, 0.011, 0.1, 1.0] {
                let x = f64::from(k) / 30_000.0 * most * scale;
                let (a, b) = (f(x), exact(x));
                worst = worst.max((a - b).abs() / (b.abs().next_up() - b.abs()));
            }
        }
        worst
    }

    /// Both ways to take eˣ apart.
    const BOTH: [fn(f64) -> (f64, f64); 2] = [parts, lanes::parts];

    #[test]
    fn accuracy_in_units_of_the_last_place() {
        let mean = |x: f64| {
            let a = x.abs().max(1e-300);
            -(-a).exp_m1() / a
        };
        let exp = |x: f64| (-x.abs()).exp();
        let rest = |x: f64| -(-x.abs()).exp_m1();
        for parts in BOTH {
            // half a unit each of std and of the last rounding, and what the series carries
            assert!(worst(|x| decay(x.abs(), parts), exp, 700.0) <= 1.0);
            // T − 1 and T (eʳ − 1) cancel to a half where the power changes; a sum, a quotient
            assert!(worst(|x| tanh(x, parts), f64::tanh, 21.0) <= 5.0);
            // up to 0.57 is taken from x, after four roundings: 2.3 ulp of 1, and half each for the
            // difference and for std
            assert!(worst(quarter_sin, f64::sin, std::f64::consts::FRAC_PI_2) <= 3.3);
            for most in [0.1, 30.0, 700.0] {
                let path = |a: f64| relaxed(a, [0.7]).1[0] / 0.7;
                // three products and a quotient more
                assert!(worst(|x| path(x.abs()), mean, most) <= 6.0);
                assert!(worst(|x| relaxation(x.abs(), parts).0, exp, most) <= 1.0);
                assert!(worst(|x| decay_and_rest(x.abs(), parts).1, rest, most) <= 4.0);
                assert!(worst(|x| relaxation(x.abs(), parts).1, mean, most) <= 6.0);
            }
        }
    }

    #[test]
    fn falls_are_right_to_two_roundings() {
        for (span, low) in [(0.05, 0.1), (3.0, 0.2), (0.0, 0.7), (-0.1, 0.3)] {
            for k in 0..200_000 {
                let x = f64::from(k) * 1e-4;
                let x = x * x;
                let exact = f64::mul_add(span, (-x).exp(), low);
                let size = low.max(span);
                let off = (fall(x, span, low) - exact).abs() / (size.next_up() - size);
                assert!(off <= 2.0, "{span} {low} {x}: {off}");
            }
            for x in [709.0, 1e300, f64::INFINITY] {
                assert!((fall(x, span, low) - low).abs() <= 0.0);
            }
        }
        assert!(fall(f64::NAN, 1.0, 0.5).is_nan());
    }

    #[test]
    fn limits() {
        let same = |a: f64, b: f64| assert_eq!(a.to_bits(), b.to_bits(), "{a:e} {b:e}");
        for parts in BOTH {
            let decay = |x| decay(x, parts);
            same(decay(0.0), 1.0);
            assert!(decay(1e300) < 1e-307 && decay(f64::INFINITY) > 0.0);
            let tanh = |x| tanh(x, parts);
            same(tanh(f64::NEG_INFINITY), -1.0);
            same(tanh(-0.0), -0.0);
            let relaxation = |a| relaxation(a, parts);
            for a in [0.0, 5e-324, 1e-310, 1e-200] {
                same(relaxation(a).0, 1.0);
                same(relaxation(a).1, 1.0);
                let (decay, [still, x]) = relaxed(a, [0.0, a]);
                same(decay, 1.0);
                same(still, 0.0);
                // a few roundings; the least numbers are 5e-324 apart
                assert!((x - a).abs() <= 1e-15 * a + 1e-323);
            }
            for a in [800.0, 1e120, f64::INFINITY] {
                assert!(relaxation(a).0 < 1e-307);
                same(relaxation(a).1, 1.0 / a);
            }
            let nan = f64::NAN;
            let results = [decay(nan), tanh(nan), relaxation(nan).1];
            assert!(results.iter().all(|x| x.is_nan()));
        }
    }
}
