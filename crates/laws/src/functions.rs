//! eˣ and its kin for one number or two at once, inlined and without branches.
//!
//! The functions of the standard library are calls into the system's: a call makes its caller save
//! every number it holds, and the branches inside are guessed wrong at points in no order. Here
//! x = −(n ln 2/128 + r), so that e^(−x) = 2^(n/128) eʳ with |r| ≤ ln 2/256 = 0.0027: a table of the
//! powers and five terms of the series. Lanes, which would have to gather from a table, have a
//! longer series in its place: the functions are told how to take e^(−x) apart into a power of two
//! T and e^(−x)/T − 1.

#![allow(
    clippy::inline_always,
    reason = "blocks of lanes compile these into their own instruction set"
)]

use crate::lanes::{LN_2_HIGH, LN_2_LOW, ROUNDER};
use crate::pair::Word;
use crate::powers::ROWS;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes;

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
            for most in [0.1, 30.0, 700.0] {
                assert!(worst(|x| relaxation(x.abs(), parts).0, exp, most) <= 1.0);
                assert!(worst(|x| decay_and_rest(x.abs(), parts).1, rest, most) <= 4.0);
                assert!(worst(|x| relaxation(x.abs(), parts).1, mean, most) <= 6.0);
            }
        }
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
