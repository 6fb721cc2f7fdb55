//! Half a cosine from μs to μk, as Simpack has it.

use crate::numbers::scalar::{MixesWith, Scalar};
use std::f64::consts::PI;

/// The sine Stribeck curve: μs up to vs, half a cosine down to μk at the dynamic velocity vd.
///
/// $$ g = \mu_k + \frac{\mu_s-\mu_k}{2}\Bigl(1 + \cos\pi\frac{|v|-v_s}{v_d-v_s}\Bigr), \qquad v_s \le |v| \le v_d $$
///
/// with μs, μk (1), vs, vd (m/s). Source: the regularised law of Simpack (Schuderer, Rill,
/// Schaeffer, Schulz, section 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SineCurve<P = f64> {
    mu_k: P,
    half: P,
    v_s: P,
    span: P,
}

impl<P: Scalar> SineCurve<P> {
    /// The curve; v_d > v_s has been checked.
    pub(crate) fn new(mu_s: P, mu_k: P, v_s: P, v_d: P) -> Self {
        Self {
            mu_k,
            half: (mu_s - mu_k) * 0.5,
            v_s,
            span: v_d - v_s,
        }
    }

    /// g at a speed |v| ≥ 0.
    #[allow(
        clippy::inline_always,
        reason = "vector instructions are chosen by the caller, into which this must go"
    )]
    #[inline(always)]
    pub fn value<T: MixesWith<P>>(&self, speed: T) -> T {
        let r = ((speed - self.v_s) / self.span)
            .max(T::zero())
            .min(T::from_f64(1.0));
        ((r * PI).cos() + 1.0) * self.half + self.mu_k
    }
}

impl SineCurve {
    /// g and dg/d|v| at a speed |v| ≥ 0.
    #[inline]
    pub fn value_and_slope(&self, speed: f64) -> (f64, f64) {
        let r = (speed - self.v_s) / self.span;
        let slope = if 0.0 < r && r < 1.0 {
            -(r * PI).sin() * self.half * PI / self.span
        } else {
            0.0
        };
        (self.value(speed), slope)
    }
}
