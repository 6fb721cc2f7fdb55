//! g(|v|) = μk + (μs − μk) exp(−(|v|/vs)^α)

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use crate::numbers::scalar::{MixesWith, Real, Scalar};

/// The exponential Stribeck curve.
///
/// $$ g(|v|) = \mu_k + (\mu_s - \mu_k)\,e^{-(|v|/v_s)^\alpha} $$
///
/// with the static and kinetic coefficients μs, μk (1), the Stribeck velocity vs (m/s)
/// and the exponent α (1). Source: Colantonio et al. 2022, eq. 23 (with |V| taken before
/// the power, as in eq. 4 of the same authors' 2021 abstract); Bo & Pavelescu 1982.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential<P = f64> {
    mu_k: P,
    mu_s: P,
    v_s: P,
    /// 1/vs; a quotient in every evaluation would cost as much as the exponential.
    per_v_s: P,
    /// 1/vs².
    per_v_s_square: P,
    exponent: Exponent<P>,
    /// |v|/vs beyond which the exponential underflows; keeps powers finite.
    limit: f64,
}

/// α = 2 and α = 1 need no power function.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Exponent<P> {
    One,
    Two,
    Other(P),
}

/// exp(−750) is zero in double precision.
const UNDERFLOW: f64 = 750.0;

/// The largest 1/vs: finite for every vs.
const MOST: f64 = 1e300;

impl<P: Scalar> Exponential<P> {
    /// The curve; the parameters have been checked by the law that owns it.
    pub fn new(mu_s: P, mu_k: P, v_s: P, alpha: P) -> Self {
        let is = |x: f64| (alpha.value() - x).abs() < f64::EPSILON && alpha.is_constant();
        let exponent = if is(2.0) {
            Exponent::Two
        } else if is(1.0) {
            Exponent::One
        } else {
            Exponent::Other(alpha)
        };
        let per_v_s = (P::from_f64(1.0) / v_s).min(P::from_f64(MOST));
        Self {
            mu_k,
            mu_s,
            v_s,
            per_v_s,
            per_v_s_square: (per_v_s * per_v_s).min(P::from_f64(MOST)),
            exponent,
            limit: UNDERFLOW.powf(1.0 / alpha.value()).min(1e100),
        }
    }

    /// |v|/vs, kept where powers are finite.
    #[inline(always)]
    fn ratio<T: MixesWith<P>>(&self, speed: T) -> T {
        (speed * self.per_v_s).min(T::from_f64(self.limit))
    }

    /// g from each (|v|/vs)^α.
    #[inline(always)]
    fn levels<T: MixesWith<P>, const N: usize>(&self, powers: [T; N]) -> [T; N] {
        T::falls(powers, T::of(self.mu_s - self.mu_k), T::of(self.mu_k))
    }

    /// Whether α = 2.
    #[inline]
    pub(crate) fn is_square(&self) -> bool {
        matches!(self.exponent, Exponent::Two)
    }

    /// g at a speed |v| ≥ 0 for α = 2.
    #[inline(always)]
    pub(crate) fn of_square<T: MixesWith<P>>(&self, speed: T) -> T {
        let [g] = self.of_speeds([speed]);
        g
    }

    /// g at several speeds |v| ≥ 0 for α = 2.
    #[inline(always)]
    pub(super) fn of_speeds<T: MixesWith<P>, const N: usize>(&self, speeds: [T; N]) -> [T; N] {
        self.levels(speeds.map(|speed| {
            let x = self.ratio(speed);
            x * x
        }))
    }

    /// g from several |v|² for α = 2: no root to wait for.
    #[inline(always)]
    pub(super) fn of_squares<T: MixesWith<P>, const N: usize>(&self, squares: [T; N]) -> [T; N] {
        self.levels(squares.map(|square| square * self.per_v_s_square))
    }

    /// g at a speed |v| ≥ 0 for any α.
    #[inline(always)]
    pub(crate) fn of_power<T: MixesWith<P>>(&self, speed: T, alpha: P) -> T {
        let x = self.ratio(speed);
        // x^α has no derivative at 0 for α < 1: hold μs there
        let positive = x.max(T::from_f64(f64::MIN_POSITIVE));
        let power = T::select(T::zero().less(x), positive.power(alpha), T::zero());
        let [g] = self.levels([power]);
        g
    }

    /// g at a speed |v| ≥ 0.
    #[inline]
    pub fn value<T: MixesWith<P>>(&self, speed: T) -> T {
        match self.exponent {
            Exponent::Two => self.of_square(speed),
            Exponent::One => {
                let [g] = self.levels([self.ratio(speed)]);
                g
            }
            Exponent::Other(alpha) => self.of_power(speed, alpha),
        }
    }

    /// The exponent α.
    pub(crate) fn alpha(&self) -> P {
        match self.exponent {
            Exponent::One => P::from_f64(1.0),
            Exponent::Two => P::from_f64(2.0),
            Exponent::Other(alpha) => alpha,
        }
    }

    /// The static coefficient μs = g(0).
    pub fn mu_s(&self) -> P {
        self.mu_s
    }

    /// The kinetic coefficient μk = g(∞).
    pub fn mu_k(&self) -> P {
        self.mu_k
    }

    /// The Stribeck velocity vs, m/s.
    pub fn v_s(&self) -> P {
        self.v_s
    }
}

impl Exponential {
    /// g and dg/d|v| at a speed |v| ≥ 0.
    #[inline]
    pub fn value_and_slope(&self, speed: f64) -> (f64, f64) {
        let x = (speed * self.per_v_s).min(self.limit);
        // power = x^α and its derivative by |v|
        let (power, slope) = match self.exponent {
            Exponent::Two => (x * x, 2.0 * x * self.per_v_s),
            Exponent::One => (x, self.per_v_s),
            Exponent::Other(alpha) if x > 0.0 => {
                let power = x.powf(alpha);
                (power, alpha * power / x * self.per_v_s)
            }
            Exponent::Other(_) => (0.0, 0.0),
        };
        let excess = (self.mu_s - self.mu_k) * power.decay();
        (self.mu_k + excess, -excess * slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        // Wojtyra's set: g = mu - sigma_2 |v| of the steady coefficients computed elsewhere
        let curve = Exponential::new(0.15, 0.1, 1e-3, 2.0);
        for (v, mu) in [
            (1e-4, 0.149_506_492),
            (1e-3, 0.118_433_972),
            (5e-3, 0.100_2),
        ] {
            // the references are printed with nine digits
            assert!((curve.value(v) - (mu - 0.04 * v)).abs() < 1e-9);
        }
        // alpha = 1/2 at |v| = 10 vs, computed elsewhere (levels 1 and 1.5)
        assert!(
            (Exponential::new(1.5, 1.0, 1e-3, 0.5).value(0.01) - 1.021_164_609_8).abs() < 1e-10
        );
    }

    #[test]
    fn finite_everywhere() {
        for alpha in [0.5, 1.0, 1.7, 2.0, 8.0] {
            let curve = Exponential::new(0.15, 0.1, 1e-3, alpha);
            for v in [0.0, 1e-300, 1e-3, 1.0, 1e200, f64::MAX] {
                let (g, slope) = curve.value_and_slope(v);
                assert!(
                    g.is_finite() && slope.is_finite(),
                    "alpha {alpha}, v {v}: {g} {slope}"
                );
                assert!((0.1..=0.15).contains(&g));
            }
        }
    }
}
