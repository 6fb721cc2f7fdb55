//! Smooth transitions of multibody codes.

use crate::numbers::scalar::{MixesWith, Real, Scalar};

/// The quintic transition from y0 at x0 to y1 at x1, constant outside.
///
/// $$ y = y_0 + (y_1-y_0)\,r^3(10 - 15r + 6r^2), \qquad r = \frac{x-x_0}{x_1-x_0} \text{ kept between 0 and 1} $$
///
/// Value, slope and curvature are continuous. Source: STEP5 of Adams and RecurDyn
/// (Schuderer, Rill, Schaeffer, Schulz, section 2).
#[allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which this must go"
)]
#[inline(always)]
pub fn step5<P: Scalar, T: MixesWith<P>>(x: T, x0: P, y0: P, x1: P, y1: P) -> T {
    let r = ((x - x0) / (x1 - x0)).max(T::zero()).min(T::from_f64(1.0));
    r * r * r * ((r * 6.0 - 15.0) * r + 10.0) * (y1 - y0) + y0
}

/// STEP5 from −1 at −1 to 1 at 1, divided by its argument, at the square r² ≤ 1.
///
/// The transition is odd, y = r (15 − 10 r² + 3 r⁴)/8, so the quotient is free of 0/0 at rest.
#[allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which this must go"
)]
#[inline(always)]
pub fn odd_step5_over_argument<T: Real>(square: T) -> T {
    (square * (square * 3.0 - 10.0) + 15.0) / 8.0
}

/// The STEP5 Stribeck curve: μs up to vs, a quintic down to μk at the dynamic velocity vd.
///
/// $$ g = \mathrm{STEP5}(|v|, v_s, \mu_s, v_d, \mu_k) $$
///
/// with μs, μk (1), vs, vd (m/s). Source: the second part of the regularised laws of Adams and
/// RecurDyn (Schuderer, Rill, Schaeffer, Schulz, section 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step5<P = f64> {
    mu_s: P,
    mu_k: P,
    v_s: P,
    v_d: P,
}

impl<P: Scalar> Step5<P> {
    /// The curve; v_d > v_s has been checked.
    pub(crate) fn new(mu_s: P, mu_k: P, v_s: P, v_d: P) -> Self {
        Self {
            mu_s,
            mu_k,
            v_s,
            v_d,
        }
    }

    /// g at a speed |v| ≥ 0.
    #[inline]
    pub fn value<T: MixesWith<P>>(&self, speed: T) -> T {
        step5(speed, self.v_s, self.mu_s, self.v_d, self.mu_k)
    }
}

impl Step5 {
    /// g and dg/d|v| at a speed |v| ≥ 0.
    #[inline]
    pub fn value_and_slope(&self, speed: f64) -> (f64, f64) {
        let span = self.v_d - self.v_s;
        let r = ((speed - self.v_s) / span).clamp(0.0, 1.0);
        // d(10 r³ − 15 r⁴ + 6 r⁵)/dr
        let slope = 30.0 * r * r * (1.0 - r) * (1.0 - r) * (self.mu_k - self.mu_s) / span;
        (self.value(speed), slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_one_sided_step() {
        // mu_s = 0.5, mu_d = 0.3, v_s = 1, v_d = 3, computed elsewhere with six decimals
        for (s, mu) in [(0.25, 0.051_758), (0.5, 0.25), (1.0, 0.5)] {
            assert!((step5(s, 0.0, 0.0, 1.0, 0.5) - mu).abs() < 5e-7, "{s}");
        }
        for (s, mu) in [(1.0, 0.5), (2.0, 0.4), (3.0, 0.3), (1e200, 0.3)] {
            // exact fractions: rounding only
            assert!((step5(s, 1.0, 0.5, 3.0, 0.3) - mu).abs() < 1e-15, "{s}");
        }
    }

    #[test]
    fn the_odd_form_is_the_same_polynomial() {
        for r in [-1.0, -0.3, 0.0, 1e-9, 0.506_727, 1.0_f64] {
            let odd = r * odd_step5_over_argument(r * r);
            // two orders of evaluation: rounding only
            assert!((odd - step5(r, -1.0, -1.0, 1.0, 1.0)).abs() < 1e-15, "{r}");
        }
    }
}
