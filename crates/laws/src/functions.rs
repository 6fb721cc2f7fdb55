//! eˣ and its kin for one number, inlined and without branches.
//!
//! The functions of the standard library are calls into the system's: a call makes its caller save
//! every number it holds, and the branches inside are guessed wrong at points in no order. Here
//! x = n ln 2/32 + r, so that eˣ = 2^(n/32) eʳ with |r| ≤ ln 2/64 = 0.011: a table of the powers
//! and six terms of the series. Lanes, which would have to gather from a table, have a longer
//! series in its place: the functions are told how to take eˣ apart into a power of two T and
//! eˣ/T − 1.

#![allow(
    clippy::inline_always,
    reason = "blocks of lanes compile these into their own instruction set"
)]

use crate::lanes::{LN_2_HIGH, LN_2_LOW, ROUNDER};

/// Powers of the table in a factor of 2.
const PARTS: f64 = 32.0;

/// 2^(k/32), and what is lost by its rounding, over it; made with 60 digits.
#[rustfmt::skip]
#[allow(clippy::unreadable_literal, reason = "numbers that a program made")]
const POWERS: [(f64, f64); 32] = [
    (f64::from_bits(0x3ff0_0000_0000_0000), 0.0),
    (f64::from_bits(0x3ff0_59b0_d315_8574), 4.999_744_872_272_632_6e-17),
    (f64::from_bits(0x3ff0_b558_6cf9_890f), 8.189_317_638_195_515e-17),
    (f64::from_bits(0x3ff1_1301_d012_5b51), -7.402_825_309_426_177e-17),
    (f64::from_bits(0x3ff1_72b8_3c7d_517b), -2.793_911_485_951_573_3e-17),
    (f64::from_bits(0x3ff1_d487_3168_b9aa), 9.341_710_609_905_046e-17),
    (f64::from_bits(0x3ff2_387a_6e75_6238), 7.826_573_258_636_076e-17),
    (f64::from_bits(0x3ff2_9e9d_f51f_dee1), 3.290_472_664_600_841_6e-17),
    (f64::from_bits(0x3ff3_06fe_0a31_b715), 3.348_462_333_625_152_4e-17),
    (f64::from_bits(0x3ff3_71a7_373a_a9cb), -6.346_552_106_729_483e-17),
    (f64::from_bits(0x3ff3_dea6_4c12_3422), 3.750_854_201_303_127e-17),
    (f64::from_bits(0x3ff4_4e08_6061_892d), 2.102_304_967_521_571_4e-18),
    (f64::from_bits(0x3ff4_bfda_d536_2a27), 1.957_258_529_311_203_6e-17),
    (f64::from_bits(0x3ff5_342b_569d_4f82), -2.157_147_725_120_875_2e-17),
    (f64::from_bits(0x3ff5_ab07_dd48_5429), 5.686_480_957_911_74e-17),
    (f64::from_bits(0x3ff6_247e_b03a_5585), -4.892_306_751_352_275_6e-17),
    (f64::from_bits(0x3ff6_a09e_667f_3bcd), -6.835_808_657_661_922e-17),
    (f64::from_bits(0x3ff7_1f75_e8ec_5f74), -2.092_304_381_843_353e-17),
    (f64::from_bits(0x3ff7_a114_73eb_0187), -2.359_109_477_085_005_3e-17),
    (f64::from_bits(0x3ff8_2589_994c_ce13), -6.735_219_232_374_683e-17),
    (f64::from_bits(0x3ff8_ace5_422a_a0db), 5.154_830_117_078_678_3e-17),
    (f64::from_bits(0x3ff9_3737_b0cd_c5e5), -6.432_131_775_424_189e-18),
    (f64::from_bits(0x3ff9_c491_82a3_f090), 1.534_141_005_360_372_3e-17),
    (f64::from_bits(0x3ffa_5503_b23e_255d), -6.152_602_891_550_265e-17),
    (f64::from_bits(0x3ffa_e89f_995a_d3ad), 4.875_160_526_227_062e-17),
    (f64::from_bits(0x3ffb_7f76_f2fb_5e47), -1.077_248_707_893_405_6e-17),
    (f64::from_bits(0x3ffc_199b_dd85_529c), 1.685_487_290_628_973e-17),
    (f64::from_bits(0x3ffc_b720_dcef_9069), 1.015_621_901_164_15e-17),
    (f64::from_bits(0x3ffd_5818_dcfb_a487), 1.790_126_907_604_513e-17),
    (f64::from_bits(0x3ffd_fc97_337b_9b5f), -3.266_924_100_901_318e-17),
    (f64::from_bits(0x3ffe_a4af_a2a4_90da), -5.545_065_618_639_427e-17),
    (f64::from_bits(0x3fff_5076_5b6e_4540), 4.578_491_527_706_009_5e-17),
];

/// 2^(n/32) = T and eˣ/T − 1 for |x| ≤ 708, to 3e-19.
#[inline(always)]
pub(crate) fn parts(x: f64) -> (f64, f64) {
    // the low bits of the shifted number are n
    let shifted = x * (PARTS * std::f64::consts::LOG2_E) + ROUNDER;
    let (bits, n) = (shifted.to_bits(), shifted - ROUNDER);
    let r = (x - n * (LN_2_HIGH / PARTS)) - n * (LN_2_LOW / PARTS);
    let (power, lost) = POWERS[(bits & 31) as usize];
    let power = f64::from_bits(power.to_bits().wrapping_add((bits >> 5) << 52));
    let r2 = r * r;
    // r⁷/7! < 4e-18
    let high = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0);
    let q = (0.5 + r * (1.0 / 6.0)) + r2 * high;
    (power, (lost + r) + r2 * q)
}

/// Beyond this the results leave the normal numbers.
const FAR: f64 = 708.0;

/// x, not above 708; NaN stays.
#[inline(always)]
fn near(x: f64) -> f64 {
    if FAR < x { FAR } else { x }
}

/// e^(−x) for x ≥ 0, to 1 ulp; never below e^(−708).
#[inline(always)]
pub(crate) fn decay(x: f64, parts: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (power, rest) = parts(-near(x));
    power + power * rest
}

/// tanh x, to 5 ulp.
#[inline(always)]
pub(crate) fn tanh(x: f64, parts: impl Fn(f64) -> (f64, f64)) -> f64 {
    // 1 − tanh 20 is far below an ulp
    let twice = x.abs() * 2.0;
    let (power, rest) = parts(if twice > 40.0 { 40.0 } else { twice });
    let more = (power - 1.0) + power * rest;
    (more / (more + 2.0)).copysign(x)
}

/// e^(−x) and 1 − e^(−x) for x ≥ 0, to 1 and 4 ulp.
#[inline(always)]
pub(crate) fn decay_and_rest(x: f64, parts: impl Fn(f64) -> (f64, f64)) -> (f64, f64) {
    let (power, rest) = parts(-near(x));
    let more = power * rest;
    (power + more, (1.0 - power) - more)
}

/// e^(−a) and (1 − e^(−a))/a for a ≥ 0, to 1 and 6 ulp.
#[inline(always)]
pub(crate) fn relaxation(a: f64, parts: impl Fn(f64) -> (f64, f64)) -> (f64, f64) {
    // the quotient of two small numbers is 1, that of two zeros is not
    let a = if f64::MIN_POSITIVE > a {
        f64::MIN_POSITIVE
    } else {
        a
    };
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
