//! Verdicts on parameters whose error has steps only, such as the speed at which a law sticks.

use super::estimate::{LEAST_ERROR, percent};
use super::evidence::Evidence;
use crate::estimate::{Estimate, Verdict};
use crate::fit::flat;

/// Such a parameter lies between two samples: identified if they are this close, relative to it.
const CLOSE: f64 = 0.01;

/// Known within a half at most, else not at all.
const FAR: f64 = 0.5;

/// Puts the range that the samples leave in place of the interval that slopes would give. `k` is
/// the number of the optimiser, `t` the quantile of the interval.
pub(super) fn judge(estimate: &mut Estimate, k: usize, t: f64, evidence: &Evidence<'_>) {
    let objective = evidence.objective;
    let variance = (evidence.sigma / objective.unit).max(LEAST_ERROR).powi(2);
    let allowed = 0.5 * t * t * variance * evidence.correlation_time;
    let most = objective.cost(evidence.theta) + allowed;
    let (low, high) = flat::range(objective, evidence.theta, k, most);
    if !low.is_finite() || !high.is_finite() {
        return;
    }
    let value = |x: f64| {
        let mut moved = evidence.theta.to_vec();
        moved[k] = x;
        let p = objective.unpack(&moved);
        let index = objective.model.index(&estimate.name);
        index.map_or(f64::NAN, |i| p[i])
    };
    let (low, high) = (value(low), value(high));
    if !(low.is_finite() && high.is_finite()) || estimate.value == 0.0 {
        return;
    }
    let half = 0.5 * (high - low) / estimate.value.abs();
    estimate.interval = Some((low, high));
    // a uniform distribution over the range
    estimate.standard_error = Some((high - low) / f64::sqrt(12.0));
    estimate.verdict = if half <= CLOSE {
        Verdict::Identified
    } else if half <= FAR {
        Verdict::Weak
    } else {
        Verdict::NotIdentifiable
    };
    estimate.reason = format!(
        "the force jumps there, and no sample lies between the ends of the interval: known within \
         {}",
        percent(half)
    );
    estimate.experiment = (estimate.verdict != Verdict::Identified).then(|| {
        "pass the jump slowly, at the same load, with many samples on both sides of it".to_owned()
    });
}
