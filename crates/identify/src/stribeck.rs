//! The Stribeck curve through samples that slide, by linear least squares.

use bristle_recordings::least_squares;

use crate::statistics::{quantile, sign};
use crate::{Record, RecordKind};

/// Levels of the Stribeck curve, from samples that slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SlidingLevels {
    pub(crate) kinetic: f64,
    pub(crate) excess: f64,
    pub(crate) speed: f64,
    /// Per normal force, s/m.
    pub(crate) viscous: f64,
}

/// Fits |F|/N = kinetic + excess e^−(v/speed)² + viscous v over a grid of speeds. `force` is
/// without the terms around friction. Samples soon after a reversal do not slide yet and are
/// left out.
pub(crate) fn stribeck(records: &[Record], forces: &[Vec<f64>]) -> Option<SlidingLevels> {
    let mut points: Vec<(f64, f64, f64)> = Vec::new();
    for (record, force) in records.iter().zip(forces) {
        let slides = sliding(record);
        for i in 0..record.len() {
            let (v, n) = (record.velocity[i], record.load[i]);
            if slides[i] && n > 0.0 && record.weight[i] > 0.0 && v != 0.0 {
                points.push((v.abs(), n, force[i] * sign(v)));
            }
        }
    }
    if points.len() < 4 {
        return None;
    }
    let speeds: Vec<f64> = points.iter().map(|p| p.0).collect();
    let low = quantile(&speeds, 0.01)?.max(1e-12);
    let high = quantile(&speeds, 0.99)?.max(2.0 * low);
    let mut best: Option<(f64, SlidingLevels)> = None;
    let target: Vec<f64> = points.iter().map(|p| p.2).collect();
    for k in 0..25 {
        let speed = low * (high / low).powf(f64::from(k) / 24.0);
        let peak = |v: f64| (-(v / speed).powi(2)).exp();
        let level: Vec<f64> = points.iter().map(|p| p.1).collect();
        let excess: Vec<f64> = points.iter().map(|p| p.1 * peak(p.0)).collect();
        let viscous: Vec<f64> = points.iter().map(|p| p.1 * p.0).collect();
        let columns = [level, excess, viscous];
        // a negative part is dropped, so that the curve stays a Stribeck curve
        for keep in [&[0_usize, 1, 2][..], &[0, 1], &[0, 2], &[0]] {
            let chosen: Vec<Vec<f64>> = keep.iter().map(|&i| columns[i].clone()).collect();
            let Some(x) = least_squares(&chosen, &target) else {
                continue;
            };
            let part = |i: usize| keep.iter().position(|&k| k == i).map_or(0.0, |k| x[k]);
            let curve = SlidingLevels {
                kinetic: part(0),
                excess: part(1),
                speed,
                viscous: part(2),
            };
            if curve.excess < 0.0 || curve.viscous < 0.0 || curve.kinetic <= 0.0 {
                continue;
            }
            let cost: f64 = points
                .iter()
                .map(|(v, n, f)| {
                    let fit = curve.kinetic + curve.excess * peak(*v) + curve.viscous * v;
                    (f - n * fit).powi(2)
                })
                .sum();
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, curve));
            }
            break;
        }
    }
    best.map(|(_, curve)| curve)
}

/// Whether a sample slides for sure: it has gone a fifth of its stroke since the last reversal.
pub(crate) fn sliding(record: &Record) -> Vec<bool> {
    if record.kind == RecordKind::Steady {
        return vec![true; record.len()];
    }
    let x = record.displacement();
    let mut slides = vec![false; record.len()];
    let mut start = 0;
    for i in 1..=record.len() {
        let turns = i == record.len() || sign(record.velocity[i]) != sign(record.velocity[start]);
        if turns {
            let stroke = (x[i - 1] - x[start]).abs();
            for k in start..i {
                slides[k] = stroke > 0.0 && (x[k] - x[start]).abs() > 0.2 * stroke;
            }
            start = i;
        }
    }
    slides
}
