//! Measured and fitted side by side, and the size of the differences.

use bristle_recordings::lowpass;

use crate::Record;
use crate::statistics::{correlation_time, mean, rms};

/// How well a record is described.
#[derive(Clone, Debug, PartialEq)]
pub struct Errors {
    /// The record.
    pub record: String,
    /// Samples that count.
    pub samples: usize,
    /// Root mean square of the error, N.
    pub rms: f64,
    /// The same, relative to that of the force.
    pub relative: f64,
    /// Largest error, N.
    pub largest: f64,
    /// Mean error, N.
    pub mean: f64,
    /// Share of the variance of the force that is explained.
    pub explained: f64,
}

/// Measured and fitted force of one record.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The record as it was used.
    pub record: Record,
    /// The force of the model, N.
    pub force: Vec<f64>,
    /// Measured minus fitted, N, through the filter of the record if it has one.
    pub residual: Vec<f64>,
    /// The error in numbers.
    pub errors: Errors,
}

/// An error below this share of the force is a fit, whatever the force does.
pub(crate) const CLOSE: f64 = 0.05;

/// The residuals of a fit in numbers.
pub(crate) struct ResidualSums {
    /// Samples that count.
    pub(crate) samples: usize,
    /// Numbers that were fitted.
    pub(crate) fitted: usize,
    /// Longest correlation time of the residuals of a record, in samples.
    pub(crate) time: f64,
    /// Sum of the squares of the residuals.
    squares: f64,
}

impl ResidualSums {
    pub(crate) fn of(predictions: &[Prediction], fitted: usize) -> Self {
        let all: Vec<Vec<f64>> = predictions.iter().map(counted).collect();
        Self {
            samples: all.iter().map(Vec::len).sum(),
            fitted,
            time: all.iter().map(|r| correlation_time(r)).fold(1.0, f64::max),
            squares: all.iter().flatten().map(|r| r * r).sum(),
        }
    }

    /// Standard deviation of the residuals.
    pub(crate) fn sigma(&self) -> f64 {
        let freedom = (self.samples as f64 - self.fitted as f64).max(1.0);
        (self.squares / freedom).sqrt()
    }

    /// As how many independent samples they count.
    pub(crate) fn effective(&self) -> f64 {
        self.samples as f64 / self.time
    }

    /// Akaike's criterion.
    pub(crate) fn aicc(&self) -> f64 {
        let variance = self.squares / self.samples.max(1) as f64;
        aicc(self.effective(), variance, self.fitted)
    }
}

/// Root mean square error over records, N.
pub(crate) fn pooled(predictions: &[Prediction]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for p in predictions {
        sum += p.errors.rms.powi(2) * p.errors.samples as f64;
        count += p.errors.samples as f64;
    }
    (sum / f64::max(count, 1.0)).sqrt()
}

/// n ln σ² + 2k n/(n − k − 1), with the error variance as one more parameter.
pub(crate) fn aicc(n: f64, variance: f64, fitted: usize) -> f64 {
    let k = fitted as f64 + 1.0;
    n * variance.max(f64::MIN_POSITIVE).ln() + 2.0 * k * n / (n - k - 1.0).max(1.0)
}

/// The residuals that count.
pub(crate) fn counted(p: &Prediction) -> Vec<f64> {
    p.residual
        .iter()
        .zip(&p.record.weight)
        .filter(|(_, w)| **w > 0.0)
        .map(|(r, _)| *r)
        .collect()
}

pub(crate) fn explained(predictions: &[Prediction]) -> f64 {
    let (mut left, mut total) = (0.0, 0.0);
    for p in predictions {
        let n = p.errors.samples as f64;
        left += p.errors.rms.powi(2) * n;
        // a force that hardly changes is explained by its level, not by how it changes
        total += if p.errors.explained < 1.0 && p.errors.relative > CLOSE {
            p.errors.rms.powi(2) * n / (1.0 - p.errors.explained)
        } else {
            p.record.target_rms().powi(2) * n
        };
    }
    if total > 0.0 { 1.0 - left / total } else { 0.0 }
}

/// Compares a force with that of a record.
pub(crate) fn compared(record: &Record, force: &[f64]) -> Prediction {
    let residual = filtered(record, force);
    let kept: Vec<usize> = (0..record.len())
        .filter(|&i| record.weight[i] > 0.0)
        .collect();
    let errors: Vec<f64> = kept.iter().map(|&i| residual[i]).collect();
    let target = record.target();
    let forces: Vec<f64> = kept.iter().map(|&i| target[i]).collect();
    let mean_force = mean(&forces);
    let spread: Vec<f64> = forces.iter().map(|f| f - mean_force).collect();
    let (error, size) = (rms(&errors), rms(&forces));
    Prediction {
        errors: Errors {
            record: record.name.clone(),
            samples: kept.len(),
            rms: error,
            relative: if size > 0.0 {
                error / size
            } else {
                f64::INFINITY
            },
            largest: errors.iter().fold(0.0, |m, e| m.max(e.abs())),
            mean: mean(&errors),
            explained: {
                let total = rms(&spread);
                if total > 0.0 {
                    1.0 - (error / total).powi(2)
                } else {
                    0.0
                }
            },
        },
        record: record.clone(),
        force: force.to_vec(),
        residual,
    }
}

/// Measured minus fitted force, through the record's low-pass if it has one: the same filter on
/// both sides.
pub(crate) fn filtered(record: &Record, force: &[f64]) -> Vec<f64> {
    let target = record.target().iter();
    smoothed(record, target.zip(force).map(|(m, f)| m - f).collect())
}

/// A column of the length of a record through its low-pass, if it has one.
pub(crate) fn smoothed(record: &Record, column: Vec<f64>) -> Vec<f64> {
    match record.cutoff {
        Some(cutoff) => lowpass(&column, 1.0 / record.interval(), cutoff),
        None => column,
    }
}
