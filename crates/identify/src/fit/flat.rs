//! Parameters whose error has steps and no slope: where a law jumps, samples are on one side of
//! the jump or on the other, and between two samples nothing changes.

use super::Objective;

/// First move away from the optimum, in numbers of the optimiser.
const FIRST: f64 = 1e-5;

/// Beyond this, a factor e³, the data do not bound a parameter on that side.
const FARTHEST: f64 = 3.0;

/// Halvings after the first move that was too far.
const HALVINGS: u32 = 24;

/// How far the number `k` may go down and up, the others held, before the cost exceeds `most`;
/// infinite where it may go anywhere.
pub(crate) fn range(objective: &Objective<'_>, theta: &[f64], k: usize, most: f64) -> (f64, f64) {
    let p = objective.unpack(theta);
    let (lower, upper) = objective.model.limits(&p, &objective.sizes);
    let fits = |x: f64| {
        let mut moved = theta.to_vec();
        moved[k] = x;
        objective.cost(&moved) <= most
    };
    let end = |direction: f64| {
        let bound = if direction < 0.0 { lower[k] } else { upper[k] };
        let (mut inside, mut step) = (theta[k], FIRST);
        let mut outside = loop {
            let next = theta[k] + direction * step;
            if direction * (next - bound) >= 0.0 {
                return bound;
            }
            if !fits(next) {
                break next;
            }
            if step > FARTHEST {
                return direction * f64::INFINITY;
            }
            inside = next;
            step *= 2.0;
        };
        for _ in 0..HALVINGS {
            let middle = 0.5 * (inside + outside);
            if fits(middle) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    (end(-1.0), end(1.0))
}

/// Puts every number that has steps only into the middle of the step on which it stands.
pub(crate) fn centre(objective: &Objective<'_>, theta: &mut [f64]) {
    let most = objective.cost(theta) * (1.0 + 1e-9) + f64::MIN_POSITIVE;
    for k in 0..theta.len() {
        let (low, high) = range(objective, theta, k, most);
        if low.is_finite() && high.is_finite() && high - low > 2.0 * FIRST {
            theta[k] = 0.5 * (low + high);
        }
    }
}
