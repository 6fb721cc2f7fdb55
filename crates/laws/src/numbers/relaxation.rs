//! The relaxation of a linear state over a step: e^(−a) and its mean.

#![allow(
    clippy::inline_always,
    reason = "blocks of lanes compile these into their own instruction set"
)]

use crate::numbers::functions::relaxation_slope;
use crate::numbers::partials::Partials;
use crate::numbers::scalar::Real;
use crate::numbers::simd_pair::Word as _;

/// Below this a the differences below lose digits, and their series need few terms.
const SHORT: f64 = 0.1;

/// (k − 1)/(k + 1)! for k = 2, 3, …, 11 with alternating signs.
const LEANING: [f64; 10] = [
    1.0 / 6.0,
    -2.0 / 24.0,
    3.0 / 120.0,
    -4.0 / 720.0,
    5.0 / 5_040.0,
    -6.0 / 40_320.0,
    7.0 / 362_880.0,
    -8.0 / 3_628_800.0,
    9.0 / 39_916_800.0,
    -10.0 / 479_001_600.0,
];

/// ψ = (1 + e^(−a) − 2φ)/a from e^(−a) and φ: how much the end of a step counts more than its
/// start for what relaxes.
#[inline(always)]
fn leaning<T: Real>(a: T, decay: T, phi: T) -> T {
    // the next term of the series is below 2e-11/12! of it
    let series = || {
        let terms = LEANING.iter().rev();
        terms.fold(T::zero(), |sum, factor| (sum + *factor) * a)
    };
    let least = T::from_f64(SHORT);
    let long = || (decay - phi * 2.0 + 1.0) / a.max(least);
    T::either(a.less(least), series, long)
}

/// The relaxation of a state whose level changes from 2 n̄ − n to n over a step, in proportion to a
/// load; `travel` is the path over the relaxation length at a load of 1. Returns the
/// factors of the old state and of the path.
///
/// With the level y of the state, ẏ = −r (y − level): the old distance from the level decays, and
/// the level drags the state along. Exact for a constant load, of second order for one that
/// changes. As n → 0 the state is on its level, however short the step is: r at the end of the
/// step counts the more, the more the load falls.
#[inline(always)]
pub(crate) fn falling_relaxation<T: Real>(travel: T, mean_load: T, load: T) -> (T, T) {
    let a = (travel / mean_load).min(T::from_f64(FAR));
    let fall = (mean_load / load - 1.0)
        .max(T::zero())
        .min(T::from_f64(FAR));
    let more = fall * (a * fall / (a * (fall + 1.0) + 1.0)) + 1.0;
    let a = (a * more).min(T::from_f64(FAR));
    let (decay, phi) = a.relaxation();
    let rise = (load / mean_load - 1.0).min(T::from_f64(1.0));
    (decay, more * (phi + rise * leaning(a, decay, phi)))
}

/// The [relaxation](Real::relaxation) e^(−a), φ(a) with the slope φ'(a) and the [leaning] ψ(a). Under one
/// load n, where it begins to change: ∂share/∂n = ψ/n beside ∂share/∂n̄ = −(φ' a + ψ)/n.
#[inline(always)]
pub(crate) fn relaxation_under_load(a: f64) -> (f64, f64, f64, f64) {
    let a = a.at_least(f64::MIN_POSITIVE);
    // one quotient for all, which does not wait for the exponential
    let inverse = 1.0 / a;
    let (decay, rest) = a.decay_and_rest();
    let phi = rest * inverse;
    if a < SHORT {
        let slope = relaxation_slope(a, decay, phi);
        return (decay, phi, slope, leaning(a, decay, phi));
    }
    let (down, left) = (decay - phi, 1.0 - phi);
    (decay, phi, down * inverse, (down + left) * inverse)
}

/// [`falling_relaxation`] with its derivatives by the travel, the mean load and the last.
#[inline(always)]
pub(crate) fn falling_relaxation_slopes(
    travel: f64,
    mean_load: f64,
    load: f64,
) -> [Partials<3>; 2] {
    let [travel, mean_load, load] =
        [(travel, 0), (mean_load, 1), (load, 2)].map(|(x, k)| Partials::variable(x, k));
    let (decay, share) = falling_relaxation(travel, mean_load, load);
    [decay, share]
}

/// Relaxed for good.
const FAR: f64 = 1e120;
