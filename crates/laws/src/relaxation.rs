//! The relaxation of a linear state over a step: e^(−a) and its mean.

#![allow(
    clippy::inline_always,
    reason = "blocks of lanes compile these into their own instruction set"
)]

use crate::scalar::{Real, Scalar};

/// Below this a the series of (1 − e^(−a))/a needs no exponential and no division.
const SHORT: f64 = 0.1;

/// The reciprocals of 2, 3, …, 10.
const RECIPROCALS: [f64; 9] = [
    1.0 / 2.0,
    1.0 / 3.0,
    1.0 / 4.0,
    1.0 / 5.0,
    1.0 / 6.0,
    1.0 / 7.0,
    1.0 / 8.0,
    1.0 / 9.0,
    1.0 / 10.0,
];

/// (1 − e^(−a))/a = 1 − a/2 (1 − a/3 (1 − …)), for a < [`SHORT`]: the next term is below
/// 1e-10/11! < 3e-18.
#[inline(always)]
fn short_relaxation<T: Real>(a: T) -> T {
    let mut sum = T::from_f64(1.0);
    for reciprocal in RECIPROCALS.iter().rev() {
        sum = -(a * sum) * *reciprocal + 1.0;
    }
    sum
}

/// e^(−a) and (1 − e^(−a))/a for a ≥ 0, without branches: on lanes.
#[inline(always)]
pub(crate) fn relaxation_on_lanes<T: Real>(a: T) -> (T, T) {
    let short = a.less(T::from_f64(SHORT));
    let decay = a.decay();
    let long = (-decay + 1.0) / a.max(T::from_f64(SHORT));
    (decay, T::select(short, short_relaxation(a), long))
}

/// e^(−a) and (1 − e^(−a))/a for a ≥ 0.
#[inline]
pub(crate) fn relaxation<T: Scalar>(a: T) -> (T, T) {
    if a.value() < SHORT {
        let phi = short_relaxation(a);
        (-(a * phi) + 1.0, phi)
    } else {
        let decay = (-a).exp();
        (decay, (-decay + 1.0) / a)
    }
}
