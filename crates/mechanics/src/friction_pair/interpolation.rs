//! The history of a pair inside a step.

use super::FrictionPair;

/// A history at one end of a step.
#[derive(Clone, Copy, Debug)]
pub struct HistoryEnd<'a> {
    /// The history.
    pub history: &'a [f64],
    /// Rates of its entries; of a pair those of the states of the law ([`FrictionPair::rates`]).
    pub rates: &'a [f64],
}

/// An instant inside a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepFraction {
    /// Length of the step, s.
    pub duration: f64,
    /// Part of it that has passed, in [0, 1].
    pub fraction: f64,
}

impl<const D: usize> FrictionPair<D> {
    /// The history inside a step: vector states of the law by a cubic with the rates at both
    /// ends, modes as at the start, the rest linear.
    pub fn between(&self, ends: &[HistoryEnd<'_>; 2], at: StepFraction, history: &mut [f64]) {
        let [from, to] = ends;
        for (x, (a, b)) in history.iter_mut().zip(from.history.iter().zip(to.history)) {
            *x = a + at.fraction * (b - a);
        }
        if self.law.is_none() {
            return;
        }
        let (a, b) = (self.split(from.history), self.split(to.history));
        let rates = [from, to].map(|end| self.split(end.rates).law);
        let latest = if at.fraction < 1.0 { &a } else { &b };
        let own = self.split_mut(history);
        for (i, x) in own.law.iter_mut().enumerate() {
            *x = if i < self.vectors {
                let slopes = [at.duration * rates[0][i], at.duration * rates[1][i]];
                hermite([a.law[i], b.law[i]], slopes, at.fraction)
            } else {
                latest.law[i]
            };
        }
        if let Some(mode) = own.clamp.get_mut(D) {
            *mode = latest.clamp[D];
        }
    }
}

impl<const D: usize> FrictionPair<D> {
    /// Puts the slip inside a step on the cubic through displacements and velocities at both ends,
    /// for those who have it from the history alone. Its velocity on a line would be off by
    /// h²/8 of the jerk, in a long step many times its error.
    pub fn on_path(&self, ends: &[HistoryEnd<'_>; 2], at: StepFraction, history: &mut [f64]) {
        let [from, to] = ends.map(|end| self.split(end.history).motion);
        let (h, s) = (at.duration, at.fraction);
        let mut motion = self.split(history).motion;
        for i in 0..D {
            let d = to.displacement[i] - from.displacement[i];
            let (v0, v1) = (from.velocity[i], to.velocity[i]);
            let (c2, c3) = (3.0 * d - h * (2.0 * v0 + v1), h * (v0 + v1) - 2.0 * d);
            motion.displacement[i] = from.displacement[i] + s * (h * v0 + s * (c2 + s * c3));
            motion.velocity[i] = v0 + s * (2.0 * c2 + s * 3.0 * c3) / h;
        }
        motion.write(self.split_mut(history).motion);
    }
}

/// Cubic through two values with two slopes (times the length of the step), limited where the
/// slopes are stiff: a relaxation faster than the step has slopes that say nothing about it.
fn hermite([a, b]: [f64; 2], slopes: [f64; 2], x: f64) -> f64 {
    let (y, change) = (1.0 - x, b - a);
    let limit = 3.0 * change.abs();
    // min and max, because clamp panics where a state is not a number
    let [da, db] = slopes.map(|slope| slope.min(limit).max(-limit));
    a * y + b * x + x * y * ((da - change) * y + (change - db) * x)
}
