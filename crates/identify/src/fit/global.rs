//! A global search, where following the slope from many starts is not enough.
//!
//! Differential evolution (Storn and Price 1997, rand/1/bin with dither) over the box that the
//! starting points span, with these points as its first population; then the slope is followed
//! from the best member. Laws that jump, where a sample is stuck or not, have an error of many
//! small steps that no slope shows: their optimum is polished by CMA-ES (Hansen 2016) with the
//! final steps of the law. The seed is fixed and evaluations are collected in order: the same
//! input gives the same bits on any number of cores.

use rayon::prelude::*;
use std::convert::Infallible;

use basin::{
    BoundedCmaEs, BoxBounds, ConstraintDescription, ConstraintSet, Constraints, CostFunction, De,
    DenseMatrix, Executor, PopulationProgress,
};

use super::Objective;
use super::descent::descend;
use super::start::spread;
use crate::loss::Loss;
use crate::optimise::Optimum;

/// Seed of both methods: any number, always the same.
const SEED: u64 = 2022;

/// Populations that do not mix.
const ISLANDS: usize = 4;

/// Generations of each.
const GENERATIONS: u64 = 60;

/// Members of a population for each number of the optimiser, at least and at most.
const MEMBERS: usize = 5;
const LEAST_MEMBERS: usize = 8;
const MOST_MEMBERS: usize = 60;

/// How far beyond the starting points the box reaches, in numbers of the optimiser: a factor e.
const MARGIN: f64 = 1.0;

/// First spread of the polish, in numbers of the optimiser: a tenth of a positive parameter.
const FIRST_SPREAD: f64 = 0.1;

/// Evaluations of the polish for each number.
const POLISH: u64 = 250;

/// Iterations of the descent from where a global method ended.
const DESCENT: u64 = 30;

/// The box around points, within the limits of the optimiser.
fn around(objective: &Objective<'_>, points: &[Vec<f64>]) -> Option<(Vec<f64>, Vec<f64>)> {
    let middle = points.first()?;
    let (least, most) = objective
        .model
        .limits(&objective.unpack(middle), &objective.sizes);
    let end = |k: usize, larger: bool| {
        let values = points.iter().map(|p| p[k]);
        if larger {
            (values.fold(f64::NEG_INFINITY, f64::max) + MARGIN).min(most[k])
        } else {
            (values.fold(f64::INFINITY, f64::min) - MARGIN).max(least[k])
        }
    };
    let lower: Vec<f64> = (0..middle.len()).map(|k| end(k, false)).collect();
    let upper = (0..middle.len())
        .map(|k| end(k, true).max(lower[k]))
        .collect();
    Some((lower, upper))
}

/// A sum of squares within a box, by its value alone.
struct Landscape<'a> {
    objective: &'a Objective<'a>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Constraints for Landscape<'_> {
    type Set = ConstraintSet<BoxBounds<Vec<f64>>>;
    fn constraints(&self) -> <Self::Set as ConstraintDescription>::Borrowed<'_> {
        ConstraintSet::new().with_bounds(BoxBounds::new(Some(&self.lower), Some(&self.upper)))
    }
}

impl CostFunction for Landscape<'_> {
    type Param = Vec<f64>;
    type Output = f64;
    type Error = Infallible;
    fn cost(&self, theta: &Vec<f64>) -> Result<f64, Infallible> {
        let cost = self.objective.cost(theta);
        Ok(if cost.is_finite() { cost } else { f64::MAX })
    }
}

/// The best point of populations that began with the starting points, and what the slope makes of
/// it. The populations know nothing of each other, and so can be computed at the same time.
pub(crate) fn evolve(objective: &Objective<'_>) -> Option<Optimum> {
    let count = objective.model.numbers().count();
    if count == 0 {
        return None;
    }
    let members = (MEMBERS * count).clamp(LEAST_MEMBERS, MOST_MEMBERS);
    let all = u32::try_from(members * ISLANDS).unwrap_or(u32::MAX);
    let mut first = spread(objective, all);
    first.retain(|theta| theta.iter().all(|x| x.is_finite()));
    let (lower, upper) = around(objective, &first)?;
    let best = (0..ISLANDS)
        .into_par_iter()
        .map(|island| {
            let own = first.iter().skip(island).step_by(ISLANDS);
            let population: Vec<Vec<f64>> = own.cloned().collect();
            let landscape = Landscape {
                objective,
                lower: lower.clone(),
                upper: upper.clone(),
            };
            island_best(landscape, population, SEED + island as u64)
        })
        .collect::<Vec<_>>();
    let best = best
        .into_iter()
        .flatten()
        .min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(descend(objective, &best.0, Loss::Squares, DESCENT))
}

/// Where one population ends, and its cost.
fn island_best(
    landscape: Landscape<'_>,
    population: Vec<Vec<f64>>,
    seed: u64,
) -> Option<(Vec<f64>, f64)> {
    if population.len() < LEAST_MEMBERS {
        return None;
    }
    let method = De::new(seed)
        .with_pop_size(population.len())
        .with_dither(0.5, 1.0);
    let start = PopulationProgress::from_population(population);
    let result = Executor::new(landscape, method, start)
        .max_iter(GENERATIONS)
        .run()
        .ok()?;
    Some((result.best_param().clone(), result.best_cost()))
}

/// Goes on from an optimum by trial, within a shrinking cloud; then by the slope again. The better
/// one of both ends.
pub(crate) fn polish(objective: &Objective<'_>, from: &Optimum, loss: Loss) -> Optimum {
    let p = objective.unpack(&from.theta);
    let (lower, upper) = objective.model.limits(&p, &objective.sizes);
    let count = lower.len() as u64;
    let landscape = Landscape {
        objective,
        lower,
        upper,
    };
    let method: BoundedCmaEs<Vec<f64>, DenseMatrix> =
        BoundedCmaEs::new(SEED, FIRST_SPREAD).with_absolute_distribution_size_tolerance(1e-9);
    let each = BoundedCmaEs::<Vec<f64>, DenseMatrix>::default_lambda(from.theta.len()) as u64;
    let ended = Executor::new(
        landscape,
        method,
        PopulationProgress::from_point(from.theta.clone()),
    )
    .max_iter(POLISH * count / each.max(1))
    .run();
    let Ok(result) = ended else {
        return from.clone();
    };
    let best = result.best_param().clone();
    let descended = descend(objective, &best, loss, DESCENT);
    let mut all = [
        from.clone(),
        Optimum {
            cost: result.best_cost(),
            theta: best,
            ..from.clone()
        },
        descended,
    ];
    all.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    all[0].clone()
}
