//! g(|v|) = μk + (μs − μk)/(1 + (|v|/vs)^α)

use crate::numbers::scalar::{MixesWith, Scalar};

/// The rational Stribeck curve.
///
/// $$ g(|v|) = \mu_k + \frac{\mu_s - \mu_k}{1 + (|v|/v_s)^\alpha} $$
///
/// with μs, μk (1), vs (m/s) and α (1). Source: Hess & Soom 1990 with α = 2 (the Stribeck
/// term of the seven-parameter law of Armstrong-Hélouvry et al. 1994); other exponents are ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rational<P = f64> {
    mu_k: P,
    excess: P,
    v_s: P,
    alpha: P,
    /// α = 2 needs no power function.
    square: bool,
    /// |v|/vs beyond which the excess is below an ulp of nothing; keeps powers finite.
    limit: f64,
}

impl<P: Scalar> Rational<P> {
    /// The curve; the parameters have been checked by the law that owns it.
    pub fn new(mu_s: P, mu_k: P, v_s: P, alpha: P) -> Self {
        Self {
            mu_k,
            excess: mu_s - mu_k,
            v_s,
            alpha,
            square: (alpha.value() - 2.0).abs() < f64::EPSILON && alpha.is_constant(),
            limit: 1e100_f64.powf(1.0 / alpha.value()).min(1e100),
        }
    }

    /// g at a speed |v| ≥ 0.
    #[allow(
        clippy::inline_always,
        reason = "vector instructions are chosen by the caller, into which this must go"
    )]
    #[inline(always)]
    pub fn value<T: MixesWith<P>>(&self, speed: T) -> T {
        let x = (speed / self.v_s).min(T::from_f64(self.limit));
        let power = if self.square {
            x * x
        } else {
            // x^α has no derivative at 0 for α < 1: hold μs there
            let positive = x.max(T::from_f64(f64::MIN_POSITIVE));
            T::select(T::zero().less(x), positive.power(self.alpha), T::zero())
        };
        T::of(self.excess) / (power + 1.0) + self.mu_k
    }
}

impl Rational {
    /// g and dg/d|v| at a speed |v| ≥ 0.
    #[inline]
    pub fn value_and_slope(&self, speed: f64) -> (f64, f64) {
        let x = (speed / self.v_s).min(self.limit);
        if x <= 0.0 {
            // for α < 1 there is no derivative at rest: held there, as the value is
            let linear = (self.alpha - 1.0).abs() < f64::EPSILON;
            let slope = if linear { -self.excess / self.v_s } else { 0.0 };
            return (self.mu_k + self.excess, slope);
        }
        let power = if self.square {
            x * x
        } else {
            x.powf(self.alpha)
        };
        let share = 1.0 / (power + 1.0);
        let slope = -self.excess * self.alpha * (power * share) * share / (x * self.v_s);
        (self.mu_k + self.excess * share, slope)
    }
}
