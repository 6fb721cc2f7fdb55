//! The line through the data: Coulomb and viscous friction, mass, offset by linear least squares.
//!
//! It needs no start, gives one to everything else, and shows whether the signs make sense.

use nalgebra::{DMatrix, DVector};

use crate::Record;
use crate::statistics::sign;

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
pub fn least_squares(columns: &[Vec<f64>], target: &[f64]) -> Option<Vec<f64>> {
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
    // the decomposition of what is no number would never end
    if !gram.iter().chain(right.iter()).all(|x| x.is_finite()) {
        return None;
    }
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
