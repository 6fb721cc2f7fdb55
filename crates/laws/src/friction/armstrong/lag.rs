//! The delayed speed of `armstrong`: dy/dt = (|v| − y)/t_L over a step.

use super::Armstrong;
use crate::law::slip::{Step, norm};
use crate::numbers::scalar::{MixesWith, Scalar};

/// Below this share of t_L a step is short.
const SHORT: f64 = 0.1;

impl<P: Scalar> Armstrong<P> {
    /// The delayed speed after a step, over which |v| is taken as a parabola.
    pub(super) fn delayed<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        y: T,
    ) -> T {
        let (w, v) = (&step.mean.velocity, &step.end.velocity);
        let start: [T; D] = std::array::from_fn(|i| w[i] * 2.0 - v[i]);
        let [start, mean, end] = [norm(&start), norm(w), norm(v)];
        let bend = (start + end - mean * 2.0) * 2.0;
        let slope = end - start - bend;
        let a = T::from_f64(step.duration) / self.memory_time;
        let [share, first, second] = lags(a);
        y + (start - y) * share + slope * first + bend * second
    }
}

/// ∫ a e^(−a(1 − τ)) τⁿ dτ over 0 … 1 for n = 0, 1, 2: what a lag has taken in of a power of time,
/// without cancellation in short steps.
fn lags<T: Scalar>(a: T) -> [T; 3] {
    let (_, share) = a.decay_and_rest();
    if a.value() >= SHORT {
        let first = -(share / a) + 1.0;
        return [share, first, -(first * 2.0 / a) + 1.0];
    }
    // Σ (−1)ᵏ n! aᵏ⁺¹/(n + 1 + k)!; the terms behind are below 1e-16 of the first
    let series = |n: u32| {
        let (mut sum, mut term) = (T::zero(), a * (1.0 / f64::from(n + 1)));
        for k in 0..9 {
            sum = sum + term;
            term = -(term * a) / f64::from(n + 2 + k);
        }
        sum
    };
    [share, series(1), series(2)]
}
