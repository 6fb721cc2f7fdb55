//! The line through the data: Coulomb and viscous friction, mass, offset by linear least squares.
//!
//! It needs no start, gives one to everything else, and tells whether the signs make sense.

use nalgebra::{DMatrix, DVector};

use crate::follow::sign;
use crate::record::Record;

/// F = level · N sign(v) + viscous · v + mass · a + offset, by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baseline {
    /// Coulomb level per normal force.
    pub level: f64,
    /// Standard error of the level, for independent residuals.
    pub level_error: f64,
    /// Viscous friction, N s/m.
    pub viscous: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Offset, N.
    pub offset: f64,
    /// Root mean square of what is left, N.
    pub rms: f64,
    /// Share of the variance of the force that is explained.
    pub explained: f64,
}

/// Least squares for a few columns; none if they are linearly dependent throughout.
pub(crate) fn least_squares(columns: &[Vec<f64>], target: &[f64]) -> Option<Vec<f64>> {
    let n = columns.len();
    let sizes: Vec<f64> = columns
        .iter()
        .map(|c| c.iter().map(|x| x * x).sum::<f64>().sqrt())
        .collect();
    let scaled = |i: usize| if sizes[i] > 0.0 { 1.0 / sizes[i] } else { 0.0 };
    let gram = DMatrix::from_fn(n, n, |i, j| {
        let product: f64 = columns[i].iter().zip(&columns[j]).map(|(a, b)| a * b).sum();
        product * scaled(i) * scaled(j)
    });
    let right = DVector::from_fn(n, |i, _| {
        let product: f64 = columns[i].iter().zip(target).map(|(a, b)| a * b).sum();
        product * scaled(i)
    });
    let solution = gram.svd(true, true).solve(&right, 1e-10).ok()?;
    let found: Vec<f64> = (0..n).map(|i| solution[i] * scaled(i)).collect();
    found.iter().all(|x| x.is_finite()).then_some(found)
}

/// Fits the line to records; none if there is nothing to fit.
pub fn baseline(records: &[Record]) -> Option<Baseline> {
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); 4];
    let mut target = Vec::new();
    for record in records {
        for i in 0..record.len() {
            let (v, w) = (record.velocity[i], record.weight[i]);
            columns[0].push(w * record.load[i] * sign(v));
            columns[1].push(w * v);
            columns[2].push(w * record.acceleration[i]);
            columns[3].push(w);
            target.push(w * record.force[i]);
        }
    }
    let x = least_squares(&columns, &target)?;
    let count: f64 = columns[3].iter().sum();
    let mean = target.iter().sum::<f64>() / count;
    let (mut left, mut total, mut own) = (0.0, 0.0, 0.0);
    for (k, y) in target.iter().enumerate() {
        let fit: f64 = columns.iter().zip(&x).map(|(c, x)| c[k] * x).sum();
        left += (y - fit).powi(2);
        total += (y - mean * columns[3][k]).powi(2);
        own += columns[0][k].powi(2);
    }
    let rms = (left / count).sqrt();
    Some(Baseline {
        level: x[0],
        level_error: if own > 0.0 {
            rms / own.sqrt()
        } else {
            f64::INFINITY
        },
        viscous: x[1],
        mass: x[2],
        offset: x[3],
        rms,
        explained: if total > 0.0 { 1.0 - left / total } else { 0.0 },
    })
}

/// Levels of the Stribeck curve, from samples that slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Curve {
    pub(crate) kinetic: f64,
    pub(crate) excess: f64,
    pub(crate) speed: f64,
    /// Per normal force, s/m.
    pub(crate) viscous: f64,
}

/// Fits |F|/N = kinetic + excess e^−(v/speed)² + viscous v over a grid of speeds. `force` is
/// without the terms around friction. Samples soon after a reversal do not slide yet and are
/// left out.
pub(crate) fn stribeck(records: &[Record], forces: &[Vec<f64>]) -> Option<Curve> {
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
    let low = crate::statistics::quantile(&speeds, 0.01)?.max(1e-12);
    let high = crate::statistics::quantile(&speeds, 0.99)?.max(2.0 * low);
    let mut best: Option<(f64, Curve)> = None;
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
            let curve = Curve {
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
    if record.kind == crate::Kind::Steady {
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
