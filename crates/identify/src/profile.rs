//! Intervals by profile likelihood: one parameter is moved away from the optimum and held, all
//! others are fitted again, until the error has risen as far as chance would make it.
//!
//! D(p) = (S(p) − S(p̂))/(s² τ) ≤ F₀.₉₅(1, n/τ − k) = t², with the sum of squares S, the variance s²
//! of the residuals, their correlation time τ, n samples and k fitted numbers. For a model that is
//! linear in its parameters this is the interval of the covariance; where an interval bends, or is
//! open to one side, only this one shows it. Source: Bates and Watts, Nonlinear Regression
//! Analysis and Its Applications, 1988, chapter 6.

use rayon::prelude::*;

use crate::estimate::Estimate;
use crate::fit::{Objective, descend};
use crate::loss::Loss;
use crate::model::{FitModel, Slot};
use crate::prediction::ResidualSums;
use crate::statistics::student95;

/// Iterations of each new fit, which begins close to its optimum.
const ITERATIONS: u64 = 25;

/// New fits on each side.
const MOST_FITS: usize = 14;

/// The end of an interval is where √D is within this share of t.
const CLOSE: f64 = 5e-3;

/// Beyond so many times the first step, or for a positive parameter beyond a factor of e¹⁰, a side
/// is open.
const FARTHEST: f64 = 1e4;
const FARTHEST_POWER: f64 = 10.0;

/// The profile of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The parameter.
    pub name: String,
    /// Its SI unit.
    pub unit: String,
    /// Values at which the others were fitted, in rising order; the optimum is among them.
    pub values: Vec<f64>,
    /// D there.
    pub deviance: Vec<f64>,
    /// D at the ends of the 95 % interval.
    pub threshold: f64,
    /// The lower end; none if D stays below the threshold.
    pub low: Option<f64>,
    /// The upper end; none if D stays below the threshold.
    pub high: Option<f64>,
}

/// What the profiles of a fit rest on.
pub(crate) struct Basis<'a> {
    pub(crate) objective: &'a Objective<'a>,
    pub(crate) theta: &'a [f64],
    /// s² τ, in units of the residual.
    pub(crate) variance: f64,
    /// n/τ − k.
    pub(crate) freedom: f64,
}

impl<'a> Basis<'a> {
    pub(crate) fn of(objective: &'a Objective<'a>, theta: &'a [f64], sums: &ResidualSums) -> Self {
        // residuals without noise still have their rounding
        let spread = (sums.sigma() / objective.unit).max(1e-9);
        Self {
            objective,
            theta,
            variance: spread.powi(2) * sums.time,
            freedom: (sums.effective() - sums.fitted as f64).max(1.0),
        }
    }
}

/// The profiles of all fitted parameters. Shares and limits of elements have none: they are tied
/// together by their sum, and none can be held alone.
pub(crate) fn profiles(basis: &Basis<'_>, estimates: &[Estimate]) -> Vec<Profile> {
    let model = basis.objective.model;
    let free: Vec<usize> = model
        .free()
        .filter(|(_, p)| !matches!(p.slot, Slot::Share { .. } | Slot::Limit { .. }))
        .map(|(i, _)| i)
        .collect();
    free.into_par_iter()
        .filter_map(|i| {
            let name = &model.parameters[i].name;
            let estimate = estimates.iter().find(|e| &e.name == name)?;
            Some(of_one(basis, i, estimate))
        })
        .collect()
}

/// Where a side begins to be searched.
struct Side {
    /// Towards larger values, or smaller ones.
    up: bool,
    first: f64,
    /// Whether steps are factors.
    positive: bool,
    optimum: f64,
    /// The farthest value that the parameter may take.
    bound: f64,
}

impl Side {
    /// Whether this is so far that the side counts as open.
    fn is_open(&self, size: f64) -> bool {
        size > FARTHEST || self.positive && size * self.first > FARTHEST_POWER
    }

    /// The value after a step of this size, in units of the first one.
    fn at(&self, size: f64) -> f64 {
        let sign = if self.up { 1.0 } else { -1.0 };
        let x = if self.positive {
            self.optimum * (sign * size * self.first).exp()
        } else {
            self.optimum + sign * size * self.first
        };
        if self.up {
            x.min(self.bound)
        } else {
            x.max(self.bound)
        }
    }
}

fn of_one(basis: &Basis<'_>, i: usize, estimate: &Estimate) -> Profile {
    let model = basis.objective.model;
    let parameter = &model.parameters[i];
    let p = basis.objective.unpack(basis.theta);
    let least = basis.objective.cost(basis.theta);
    let t = student95(basis.freedom);
    let deviance = |x: f64| (2.0 * (refitted(basis, i, &p, x) - least) / basis.variance).max(0.0);
    let positive = matches!(parameter.slot, Slot::Log | Slot::Below { .. });
    let error = estimate.standard_error.unwrap_or(0.5 * p[i].abs());
    let first = t * if positive { error / p[i] } else { error };
    let (least_value, most_value) = ends(model, i, &p);
    let mut points = vec![(p[i], 0.0)];
    let mut end = |up: bool| {
        let bound = if up { most_value } else { least_value };
        let side = Side {
            up,
            first: if positive { first.min(1.0) } else { first },
            positive,
            optimum: p[i],
            bound,
        };
        if side.first <= 0.0 || p[i] == bound {
            return None;
        }
        find_end(&side, t, &deviance, &mut points)
    };
    let (low, high) = (end(false), end(true));
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Profile {
        name: parameter.name.clone(),
        unit: estimate.unit.clone(),
        values: points.iter().map(|p| p.0).collect(),
        deviance: points.iter().map(|p| p.1).collect(),
        threshold: t * t,
        low,
        high,
    }
}

/// Where √D reaches t: nearly linear in the step, so that a secant within a bracket ends soon.
fn find_end(
    side: &Side,
    t: f64,
    deviance: &dyn Fn(f64) -> f64,
    points: &mut Vec<(f64, f64)>,
) -> Option<f64> {
    let (mut inside, mut outside) = ((0.0, 0.0), None::<(f64, f64)>);
    let mut size = 1.0;
    for _ in 0..MOST_FITS {
        let x = side.at(size);
        let d = deviance(x);
        points.push((x, d));
        let root = d.sqrt();
        if (root - t).abs() <= CLOSE * t {
            return Some(x);
        }
        if root > t {
            outside = Some((size, root));
        } else {
            if x == side.bound {
                return None;
            }
            inside = (size, root);
        }
        size = match outside {
            Some((far, high)) => {
                let part = (t - inside.1) / (high - inside.1);
                inside.0 + (far - inside.0) * part.clamp(0.05, 0.95)
            }
            None if side.is_open(size) => return None,
            None => size * (t / root.max(1e-3 * t)).clamp(1.1, 8.0),
        };
    }
    outside.map(|(far, _)| side.at(0.5 * (inside.0 + far)))
}

/// Half the sum of squares with one parameter held at `x` and all others fitted.
fn refitted(basis: &Basis<'_>, i: usize, p: &[f64], x: f64) -> f64 {
    let mut model = basis.objective.model.clone();
    model.parameters[i].fixed = Some(x);
    let held = Objective {
        model: &model,
        records: basis.objective.records,
        meshes: basis.objective.meshes.clone(),
        sizes: basis.objective.sizes.clone(),
        unit: basis.objective.unit,
    };
    let start = held.pack(p);
    descend(&held, &start, Loss::Squares, ITERATIONS).cost
}

/// The least and the largest value that a parameter may take beside the others.
fn ends(model: &FitModel, i: usize, p: &[f64]) -> (f64, f64) {
    let (low, high) = match model.parameters[i].slot {
        Slot::Linear { positive: true } => (0.0, f64::INFINITY),
        Slot::Above { .. } | Slot::Linear { .. } => (f64::NEG_INFINITY, f64::INFINITY),
        Slot::Between { low, high } => (low, high),
        Slot::Below { level, stiffness } => (0.0, p[level] / p[stiffness]),
        Slot::Log | Slot::Share { .. } | Slot::Limit { .. } => (0.0, f64::INFINITY),
    };
    match model.parameters[i].bounds {
        Some((from, to)) => (low.max(from), high.min(to)),
        None => (low, high),
    }
}
