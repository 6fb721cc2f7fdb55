//! Bounded nonlinear least squares: the crate `basin` behind one function.

use basin::{
    BoundedLevenbergMarquardt, BoxBounds, CauchyLoss, ConstraintDescription, ConstraintSet,
    Constraints, DenseMatrix, Executor, HuberLoss, Jacobian, PointState, Residual,
    RobustLeastSquares, SoftL1Loss,
};
use rayon::prelude::*;
use std::convert::Infallible;

use crate::loss::Loss;

/// How exact a residual is, which says how to differentiate it and when to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Precision {
    /// Difference step in the numbers of the optimiser, which are of order 1.
    pub(crate) step: f64,
    /// Relative change of the cost at which a run ends.
    pub(crate) close: f64,
}

impl Precision {
    /// A law along a record: rounding 1e-16/1e-5 and truncation 1e-10 are both far below the noise
    /// of any record. Noise-free data reach zero cost, where only the gradient ends a run.
    pub(crate) const LAW: Self = Self {
        step: 1e-5,
        close: 1e-10,
    };
    /// A simulation under error control: steps far above its tolerance, and an error of its own.
    pub(crate) const SIMULATION: Self = Self {
        step: 1e-3,
        close: 1e-9,
    };
}

/// Columns of a Jacobian, one per number of the optimiser.
pub(crate) type Columns = Vec<Vec<f64>>;

/// A sum of squares to be made small within bounds.
pub(crate) struct LeastSquares<'a> {
    pub(crate) residual: &'a (dyn Fn(&[f64]) -> Vec<f64> + Sync),
    /// The exact columns of its Jacobian, where there are any.
    pub(crate) exact: &'a (dyn Fn(&[f64]) -> Option<Columns> + Sync),
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) precision: Precision,
}

/// Where the optimiser ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Optimum {
    pub(crate) theta: Vec<f64>,
    pub(crate) cost: f64,
    pub(crate) iterations: u64,
}

impl LeastSquares<'_> {
    /// The columns of the Jacobian: exact ones, or by differences.
    pub(crate) fn columns(&self, theta: &[f64]) -> Columns {
        (self.exact)(theta).unwrap_or_else(|| self.differences(theta))
    }

    /// The Jacobian by central differences, one column per thread; one-sided at a bound.
    pub(crate) fn differences(&self, theta: &[f64]) -> Columns {
        (0..theta.len())
            .into_par_iter()
            .map(|j| {
                let step = self.precision.step * theta[j].abs().max(1.0);
                let up = (theta[j] + step).min(self.upper[j]);
                let down = (theta[j] - step).max(self.lower[j]);
                let at = |x: f64| {
                    let mut moved = theta.to_vec();
                    moved[j] = x;
                    (self.residual)(&moved)
                };
                let (high, low, span) = (at(up), at(down), up - down);
                high.iter()
                    .zip(&low)
                    .map(|(a, b)| if span > 0.0 { (a - b) / span } else { 0.0 })
                    .collect()
            })
            .collect()
    }

    /// Half the sum of squares.
    pub(crate) fn cost(&self, theta: &[f64]) -> f64 {
        0.5 * (self.residual)(theta).iter().map(|r| r * r).sum::<f64>()
    }

    /// Runs at most `iterations` steps from `start`. `loss` has the scale `width` in the unit of
    /// the residual.
    pub(crate) fn run(&self, start: &[f64], loss: Loss, width: f64, iterations: u64) -> Optimum {
        let inside = self.clamped(start.iter().copied());
        let fallback = Optimum {
            cost: self.cost(&inside),
            theta: inside.clone(),
            iterations: 0,
        };
        if inside.is_empty() || !fallback.cost.is_finite() {
            return fallback;
        }
        let Some(stretch) = self.stretch(&inside) else {
            return fallback;
        };
        let scaled = |x: &[f64]| {
            x.iter()
                .zip(&stretch)
                .map(|(x, s)| x * s)
                .collect::<Vec<_>>()
        };
        let task = StretchedProblem {
            problem: self,
            lower: scaled(&self.lower),
            upper: scaled(&self.upper),
            stretch: &stretch,
        };
        let ended = minimise(task, scaled(&inside), iterations, loss, width);
        let Some((z, iterations)) = ended else {
            return fallback;
        };
        let theta = self.clamped(z.iter().zip(&stretch).map(|(z, s)| z / s));
        let cost = self.cost(&theta);
        if cost.is_finite() && (cost <= fallback.cost || loss != Loss::Squares) {
            Optimum {
                theta,
                cost,
                iterations,
            }
        } else {
            fallback
        }
    }

    /// Values within the bounds.
    fn clamped(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        values
            .zip(self.lower.iter().zip(&self.upper))
            .map(|(x, (low, high))| x.clamp(*low, *high))
            .collect()
    }

    /// Factors that make the columns of the derivatives equal in size: the damping of the method
    /// then means the same for all. None if the residual depends on nothing.
    fn stretch(&self, at: &[f64]) -> Option<Vec<f64>> {
        let columns = self.columns(at);
        let size = |c: &Vec<f64>| c.iter().map(|x| x * x).sum::<f64>().sqrt();
        let sizes: Vec<f64> = columns.iter().map(size).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        (largest > 0.0 && largest.is_finite())
            .then(|| sizes.iter().map(|s| (s / largest).max(1e-4)).collect())
    }
}

/// The minimum by the method of the loss, which has the scale `width`; with the iterations.
fn minimise(
    task: StretchedProblem<'_>,
    begin: Vec<f64>,
    iterations: u64,
    loss: Loss,
    width: f64,
) -> Option<(Vec<f64>, u64)> {
    let close = task.problem.precision.close;
    let width = if width.is_finite() && width > 0.0 {
        width
    } else {
        1.0
    };
    match loss {
        Loss::Squares => solve(task, begin, iterations),
        Loss::Huber => solve_robust(
            RobustLeastSquares::new(task, HuberLoss).with_scale(width),
            begin,
            iterations,
            close,
        ),
        Loss::SoftL1 => solve_robust(
            RobustLeastSquares::new(task, SoftL1Loss).with_scale(width),
            begin,
            iterations,
            close,
        ),
        Loss::Cauchy => solve_robust(
            RobustLeastSquares::new(task, CauchyLoss).with_scale(width),
            begin,
            iterations,
            close,
        ),
    }
}

fn solve(task: StretchedProblem<'_>, start: Vec<f64>, iterations: u64) -> Option<(Vec<f64>, u64)> {
    let close = task.problem.precision.close;
    let solver = BoundedLevenbergMarquardt::new()
        .with_absolute_scaled_gradient_tolerance(1e-14)
        .with_relative_cost_change_tolerance(close);
    let result = Executor::new(task, solver, PointState::new(start))
        .max_iter(iterations)
        .run()
        .ok()?;
    Some((result.param().clone(), result.iter()))
}

fn solve_robust<L: basin::LossFunction<f64>>(
    task: RobustLeastSquares<StretchedProblem<'_>, L>,
    start: Vec<f64>,
    iterations: u64,
    close: f64,
) -> Option<(Vec<f64>, u64)> {
    let solver = BoundedLevenbergMarquardt::new()
        .with_absolute_scaled_gradient_tolerance(1e-14)
        .with_relative_cost_change_tolerance(close);
    let result = Executor::new(task, solver, PointState::new(start))
        .max_iter(iterations)
        .run()
        .ok()?;
    Some((result.param().clone(), result.iter()))
}

/// The problem in stretched numbers.
struct StretchedProblem<'a> {
    problem: &'a LeastSquares<'a>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    stretch: &'a [f64],
}

impl StretchedProblem<'_> {
    fn theta(&self, z: &[f64]) -> Vec<f64> {
        z.iter().zip(self.stretch).map(|(z, s)| z / s).collect()
    }
}

impl Constraints for StretchedProblem<'_> {
    type Set = ConstraintSet<BoxBounds<Vec<f64>>>;
    fn constraints(&self) -> <Self::Set as ConstraintDescription>::Borrowed<'_> {
        ConstraintSet::new().with_bounds(BoxBounds::new(Some(&self.lower), Some(&self.upper)))
    }
}

impl Residual for StretchedProblem<'_> {
    type Param = Vec<f64>;
    type Output = Vec<f64>;
    type Error = Infallible;
    fn residual(&self, z: &Vec<f64>) -> Result<Vec<f64>, Infallible> {
        Ok((self.problem.residual)(&self.theta(z)))
    }
}

impl Jacobian for StretchedProblem<'_> {
    type Jacobian = DenseMatrix;
    fn jacobian(&self, z: &Vec<f64>) -> Result<DenseMatrix, Infallible> {
        let columns = self.problem.columns(&self.theta(z));
        let rows = columns.first().map_or(0, Vec::len);
        Ok(DenseMatrix::from_fn(rows, columns.len(), |i, j| {
            columns[j][i] / self.stretch[j]
        }))
    }
}
