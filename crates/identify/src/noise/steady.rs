//! The noise of the velocity of a steady curve.
//!
//! Rows that follow each other along the curve show it as that of any signal. Rows in any order show
//! it in the residuals, which are larger where the curve is steep.

use crate::model::Acting;
use crate::predict::{Mesh, predict};
use crate::prediction::Prediction;
use crate::statistics::{mean, noise, rms};
use crate::{Record, RecordKind};

/// Rows with less noise than this share of the spread follow each other along the curve.
const ORDERED: f64 = 0.3;

/// Noises that are tried, as shares of the spread of the velocities.
const TRIED: i32 = 48;

/// What twice the logarithm of the likelihood must gain.
const SIGNIFICANT: f64 = 10.0;

/// Rows that may be off without making a noise.
const ALONE: usize = 2;

/// Quantiles of the normal distribution at 1/18, 3/18, …: its points of equal weight.
const POINTS: [f64; 9] = [
    -1.593_22, -0.967_42, -0.589_46, -0.282_22, 0.0, 0.282_22, 0.589_46, 0.967_42, 1.593_22,
];

/// Standard deviation of the noise, m/s; 0 for other records, or where there is none to be seen.
pub(super) fn velocity_noise(prediction: &Prediction, acting: &Acting) -> f64 {
    let record = &prediction.record;
    if record.kind != RecordKind::Steady || record.len() < 20 {
        return 0.0;
    }
    if is_unordered(record) {
        from_residuals(prediction, acting, spread(&record.velocity))
    } else {
        noise(&record.velocity)
    }
}

/// Whether the rows of a steady curve stand in any order.
pub(super) fn is_unordered(record: &Record) -> bool {
    let v = &record.velocity;
    record.kind == RecordKind::Steady && noise(v) >= ORDERED * spread(v)
}

/// Root mean square about the mean.
fn spread(values: &[f64]) -> f64 {
    let middle = mean(values);
    rms(&values.iter().map(|v| v - middle).collect::<Vec<_>>())
}

/// The noise that makes the residuals likeliest, with a noise of the force beside it.
fn from_residuals(prediction: &Prediction, acting: &Acting, spread: f64) -> f64 {
    let mut squares: Vec<f64> = prediction.residual.iter().map(|r| r * r).collect();
    // a row at rest, or another one that stands alone, is no noise of all rows
    for _ in 0..ALONE {
        if let Some(largest) = squares.iter_mut().max_by(|a, b| a.total_cmp(b)) {
            *largest = 0.0;
        }
    }
    let whole = mean(&squares);
    if whole <= 0.0 {
        return 0.0;
    }
    let likelihood = |made: &[f64], own: f64| -> f64 {
        let each = made.iter().zip(&squares);
        -each
            .map(|(made, square)| {
                let variance = made + own;
                variance.ln() + square / variance
            })
            .sum::<f64>()
    };
    let none = vec![0.0; squares.len()];
    let without = likelihood(&none, whole);
    let (mut best, mut noise) = (without + SIGNIFICANT, 0.0);
    for k in 0..TRIED {
        let size = spread * 10.0_f64.powf(-3.0 + 2.6 * f64::from(k) / f64::from(TRIED - 1));
        let made = variances(prediction, acting, size);
        for j in 0..16 {
            let own = whole * 10.0_f64.powf(-0.25 * f64::from(j));
            let found = likelihood(&made, own);
            if found > best {
                (best, noise) = (found, size);
            }
        }
    }
    noise
}

/// Variance of the force at every row by a noise of the velocity.
fn variances(prediction: &Prediction, acting: &Acting, size: f64) -> Vec<f64> {
    let mesh = Mesh::coarse(&prediction.record);
    let shifted = POINTS.iter().map(|point| {
        let mut record = prediction.record.clone();
        for v in &mut record.velocity {
            *v += point * size;
        }
        predict(&record, acting, &mesh)
    });
    let forces: Vec<Vec<f64>> = shifted.collect();
    (0..prediction.record.len())
        .map(|i| {
            let own: Vec<f64> = forces.iter().map(|f| f[i]).collect();
            let middle = mean(&own);
            mean(&own.iter().map(|f| (f - middle).powi(2)).collect::<Vec<_>>())
        })
        .collect()
}
