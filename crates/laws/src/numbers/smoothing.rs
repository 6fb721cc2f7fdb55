//! Curves through rest, without 0/0.

#![allow(
    clippy::inline_always,
    reason = "blocks of lanes compile these into their own instruction set"
)]

use crate::numbers::scalar::Real;

/// Below this x the series 1 − x²/3 of tanh(x)/x is exact in double precision (2x⁴/15 < ε).
const SMALL: f64 = 1e-4;

/// tanh x is 1 in double precision from here on.
const SATURATED: f64 = 20.0;

/// tanh(x)/x for x ≥ 0, with its derivative; 1 at rest.
#[inline(always)]
pub(crate) fn tanh_over_argument<T: Real>(x: T) -> T {
    let series = || -(x * x) / 3.0 + 1.0;
    let rise = || {
        // tanh x = (1 − e^(−2x))/(1 + e^(−2x)), in one quotient
        let (decay, rest) = (x * 2.0).decay_and_rest();
        rest / ((decay + 1.0) * x)
    };
    let level = || T::from_f64(1.0) / x;
    let slides = || T::either(T::from_f64(SATURATED).less(x), level, rise);
    T::either(x.less(T::from_f64(SMALL)), series, slides)
}
