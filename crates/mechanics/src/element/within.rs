//! What happens inside a step: the memory between its ends, and where a slip turns back.

use bristle_laws::Friction;

/// Part of the break-away deflection that a law may miss where the slip turns within a step.
const UNSEEN: f64 = 0.02;

/// Cubic through two values with two slopes (times the length of the step), limited where the
/// slopes are stiff: a relaxation faster than the step has slopes that say nothing about it.
pub(super) fn hermite([a, b]: [f64; 2], slopes: [f64; 2], x: f64) -> f64 {
    let (y, way) = (1.0 - x, b - a);
    let limit = 3.0 * way.abs();
    // min and max, because clamp panics where a state is not a number
    let [da, db] = slopes.map(|slope| slope.min(limit).max(-limit));
    a * y + b * x + x * y * ((da - way) * y + (way - db) * x)
}

/// The fraction of a step of `h` s at which a slip turns that goes `forth` and `back` (m/s at the
/// ends), if the law would miss too much of it under the load, N.
pub(super) fn turn(law: &Friction, h: f64, (forth, back): (f64, f64), load: f64) -> Option<f64> {
    let missed = 0.5 * h * forth.min(back).powi(2) / (forth + back);
    let deflection = law.breakaway_deflection(load)?;
    (missed > UNSEEN * deflection).then_some(forth / (forth + back))
}
