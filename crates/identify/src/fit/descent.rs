//! One descent from a start to its optimum, and what comes of several.

use crate::Error;
use crate::Record;
use crate::fit::Objective;
use crate::loss::Loss;
use crate::model::FitModel;
use crate::optimise::{LeastSquares, Optimum, Precision};
use crate::options::Options;
use crate::predict::{Mesh, fine_mesh};
use crate::statistics::{median, rms};

/// Iterations from each start before they are compared again.
pub(crate) const FIRST_ITERATIONS: u64 = 15;

/// Rounds of choosing the steps of the law again at the optimum.
const MESH_ROUNDS: usize = 4;

/// Where the search ended.
pub(crate) struct SearchOptimum {
    pub(crate) theta: Vec<f64>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) iterations: u64,
    pub(crate) followed: usize,
    pub(crate) agreeing: usize,
}

/// A start that was followed to its end.
#[derive(Clone)]
pub(crate) struct Followed {
    pub(crate) optimum: Optimum,
    pub(crate) meshes: Vec<Mesh>,
}

/// The error of a model without a finite force.
pub(super) fn diverged(model: &FitModel) -> Error {
    Error::Diverged {
        law: model.law.clone(),
        help: "fix parameters that are known (--fix), or try a simpler law".to_owned(),
    }
}

/// Goes down from `start` to the nearest optimum.
pub(crate) fn descend(
    objective: &Objective<'_>,
    start: &[f64],
    loss: Loss,
    iterations: u64,
) -> Optimum {
    let p = objective.unpack(start);
    let (lower, upper) = objective.model.limits(&p, &objective.sizes);
    let residual = |theta: &[f64]| objective.residual(theta);
    let problem = LeastSquares {
        residual: &residual,
        exact: &|theta| objective.exact_columns(theta),
        lower,
        upper,
        precision: Precision::LAW,
    };
    // the scale of a robust loss: 1.5 robust standard deviations at the start
    let sizes: Vec<f64> = objective.residual(start).iter().map(|r| r.abs()).collect();
    let width = 1.5 * 1.4826 * median(&sizes).unwrap_or(1.0);
    problem.run(start, loss, width, iterations)
}

/// Goes on from an optimum with steps of the law as short as they must be; with the iterations of
/// this alone.
pub(super) fn refine(
    model: &FitModel,
    records: &[Record],
    from: &Optimum,
    options: &Options,
) -> (Optimum, Vec<Mesh>) {
    let mut objective = Objective::coarse(model, records);
    let mut best = from.clone();
    let mut iterations = 0;
    for round in 0..MESH_ROUNDS {
        if model.stop.is_set() {
            break;
        }
        let residual = rms(&objective.residual(&best.theta));
        // far below what is left over, and not finer than makes sense
        let tolerance = objective.unit * (0.01 * residual).clamp(1e-6, 1e-3);
        let Ok(acting) = model.acting(&objective.unpack(&best.theta)) else {
            break;
        };
        let meshes: Vec<Mesh> = records
            .iter()
            .map(|r| fine_mesh(r, &acting, tolerance))
            .collect();
        if round > 0 && meshes == objective.meshes {
            break;
        }
        objective.meshes = meshes;
        let start = best.theta.clone();
        best = descend(&objective, &start, options.loss, options.iterations);
        iterations += best.iterations;
    }
    best.iterations = iterations;
    (best, objective.meshes)
}
