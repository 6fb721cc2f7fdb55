//! The model about its optimum: slopes of the residuals, and the covariance that follows.

use nalgebra::DMatrix;

use super::covariance::{ErrorAxis, axes, derivative_of_map, inverse};
use super::evidence::Evidence;
use crate::optimise::{Columns, LeastSquares, Precision};

/// Slopes and covariance at the optimum.
pub(super) struct LinearisedFit {
    /// The parameters that are fitted.
    pub(super) free: Vec<usize>,
    /// The parameter of each number of the optimiser.
    numbers: Vec<usize>,
    /// Slopes of the residuals by these numbers.
    columns: Columns,
    /// Covariance of the fitted parameters for residuals of variance 1.
    covariance: DMatrix<f64>,
    /// The same as axes of its ellipsoid.
    pub(super) axes: Vec<ErrorAxis>,
    /// Variance of the residuals, widened by their correlation time.
    pub(super) variance: f64,
    /// Independent samples less fitted numbers.
    pub(super) freedom: f64,
    samples: f64,
}

impl LinearisedFit {
    /// At the optimum, where the parameters are `p`.
    pub(super) fn at(evidence: &Evidence<'_>, p: &[f64]) -> Self {
        let objective = evidence.objective;
        let model = objective.model;
        let (lower, upper) = model.limits(p, &objective.sizes);
        let residual = |theta: &[f64]| objective.residual(theta);
        let problem = LeastSquares {
            residual: &residual,
            exact: &|theta| objective.exact_columns(theta),
            lower,
            upper,
            precision: Precision::LAW,
        };
        let columns = problem.columns(evidence.theta);
        let free: Vec<usize> = model.free().map(|(i, _)| i).collect();
        let map = derivative_of_map(objective, evidence.theta, &free);
        let unscaled = inverse(&columns);
        let samples = columns.first().map_or(0, Vec::len) as f64;
        let time = evidence.correlation_time;
        Self {
            covariance: &map * &unscaled * map.transpose(),
            axes: axes(&columns, &map),
            variance: (evidence.sigma / objective.unit).powi(2) * time,
            freedom: (samples / time - columns.len() as f64).max(1.0),
            numbers: model.numbers().collect(),
            free,
            columns,
            samples,
        }
    }

    /// Variance of a parameter for residuals of variance 1; none if it is not fitted.
    pub(super) fn unit_variance(&self, parameter: usize) -> Option<f64> {
        let place = self.free.iter().position(|&i| i == parameter)?;
        Some(self.covariance[(place, place)].max(0.0))
    }

    /// The number of the optimiser that belongs to a parameter.
    pub(super) fn number(&self, parameter: usize) -> Option<usize> {
        self.numbers.iter().position(|&i| i == parameter)
    }

    /// Root mean square change of the force, as a share of it, per unit of a number.
    pub(super) fn effect(&self, number: usize) -> f64 {
        let sum: f64 = self.columns[number].iter().map(|x| x * x).sum();
        (sum / self.samples.max(1.0)).sqrt()
    }

    /// Correlations of the fitted parameters.
    pub(super) fn correlations(&self) -> Vec<Vec<f64>> {
        let covariance = &self.covariance;
        let correlation = |a: usize, b: usize| {
            let size = (covariance[(a, a)] * covariance[(b, b)]).sqrt();
            if size > 0.0 {
                (covariance[(a, b)] / size).clamp(-1.0, 1.0)
            } else {
                0.0
            }
        };
        let count = self.free.len();
        let row = |a: usize| (0..count).map(|b| correlation(a, b)).collect();
        (0..count).map(row).collect()
    }
}
