//! Unknowns of a simulation that somebody else makes: a whole machine instead of one contact.
//!
//! Outputs of the simulation are compared with measured ones (output error). Each output counts by
//! its own noise: by the spread of the measured values first, then by what is left over.
//! Derivatives are differences, with steps far above the tolerance of a simulation and far
//! below what an optimum is known to; everything else is as for a law: bounded least squares from
//! the values given, the covariance s²(JᵀJ)⁻¹ widened by the correlation time of the residuals,
//! and a verdict for each unknown.

mod scale;

use std::convert::Infallible;

use basin::{
    BoundedLevenbergMarquardt, BoxBounds, ConstraintDescription, ConstraintSet, Constraints,
    DenseMatrix, Executor, Jacobian, PointState, Residual,
};
use nalgebra::DMatrix;
use rayon::prelude::*;

use self::scale::Scale;
use crate::Error;
use crate::fit::{Estimate, Progress, Watch};
use crate::judge::{general, inverse};
use crate::statistics::{correlation_time, mean, rms, student95};

/// Step of the differences, in numbers of order 1 or in the logarithm.
const STEP: f64 = 1e-3;

/// Residual of a simulation that failed: far from any sensible one, and finite.
const FAR: f64 = 1e3;

/// Most iterations.
const ITERATIONS: u64 = 40;

/// Relative change of the sum of squares at which the search ends: simulations have an error too.
const CLOSE: f64 = 1e-9;

/// A number that is sought.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Where the search begins.
    pub start: f64,
    /// Bounds, if there are any. Without them a positive unknown stays positive.
    pub bounds: Option<(f64, f64)>,
}

/// A measured output.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Its values.
    pub values: Vec<f64>,
}

/// All outputs for values of the unknowns; none if the simulation fails.
pub type Simulate<'a> = dyn Fn(&[f64]) -> Option<Vec<Vec<f64>>> + Sync + 'a;

/// An output beside its measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Simulated values at the optimum.
    pub values: Vec<f64>,
    /// Root mean square of measured minus simulated.
    pub rms: f64,
    /// The same over the spread of the measured values.
    pub relative: f64,
    /// Samples over which residuals hang together.
    pub correlation_time: f64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The unknowns.
    pub unknowns: Vec<Estimate>,
    /// Their correlations.
    pub correlations: Vec<Vec<f64>>,
    /// The outputs.
    pub outputs: Vec<Output>,
    /// Iterations of the optimiser.
    pub iterations: u64,
}

/// The residuals as functions of the optimiser's numbers.
struct Task<'a> {
    scales: &'a [Scale],
    measured: &'a [Measured],
    /// The size of the noise of each output.
    noise: Vec<f64>,
    simulate: &'a Simulate<'a>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Task<'_> {
    fn values(&self, numbers: &[f64]) -> Vec<f64> {
        let pairs = self.scales.iter().zip(numbers);
        pairs.map(|(scale, x)| scale.value(*x)).collect()
    }

    /// Measured minus simulated over the noise, output after output.
    fn residuals(&self, numbers: &[f64]) -> Vec<Vec<f64>> {
        let simulated = (self.simulate)(&self.values(numbers));
        let each = self.measured.iter().zip(&self.noise).enumerate();
        each.map(|(k, (measured, noise))| {
            let values = measured.values.iter().enumerate();
            values
                .map(|(i, m)| {
                    let model = simulated.as_ref().map(|s| s[k][i]);
                    let r = model.map_or(FAR, |model| (m - model) / noise);
                    if r.is_finite() { r } else { FAR }
                })
                .collect()
        })
        .collect()
    }

    fn flat(&self, numbers: &[f64]) -> Vec<f64> {
        self.residuals(numbers).into_iter().flatten().collect()
    }

    /// One column for each number; one-sided at a bound.
    fn columns(&self, numbers: &[f64]) -> Vec<Vec<f64>> {
        (0..numbers.len())
            .into_par_iter()
            .map(|j| {
                let at = |x: f64| {
                    let mut moved = numbers.to_vec();
                    moved[j] = x;
                    self.flat(&moved)
                };
                let up = (numbers[j] + STEP).min(self.upper[j]);
                let down = (numbers[j] - STEP).max(self.lower[j]);
                let (high, low, span) = (at(up), at(down), up - down);
                let pairs = high.iter().zip(&low);
                pairs
                    .map(|(a, b)| if span > 0.0 { (a - b) / span } else { 0.0 })
                    .collect()
            })
            .collect()
    }
}

impl Constraints for Task<'_> {
    type Set = ConstraintSet<BoxBounds<Vec<f64>>>;
    fn constraints(&self) -> <Self::Set as ConstraintDescription>::Borrowed<'_> {
        ConstraintSet::new().with_bounds(BoxBounds::new(Some(&self.lower), Some(&self.upper)))
    }
}

impl Residual for Task<'_> {
    type Param = Vec<f64>;
    type Output = Vec<f64>;
    type Error = Infallible;
    fn residual(&self, numbers: &Vec<f64>) -> Result<Vec<f64>, Infallible> {
        Ok(self.flat(numbers))
    }
}

impl Jacobian for Task<'_> {
    type Jacobian = DenseMatrix;
    fn jacobian(&self, numbers: &Vec<f64>) -> Result<DenseMatrix, Infallible> {
        let columns = self.columns(numbers);
        let rows = columns.first().map_or(0, Vec::len);
        Ok(DenseMatrix::from_fn(rows, columns.len(), |i, j| {
            columns[j][i]
        }))
    }
}

/// Finds the unknowns with which the simulated outputs are closest to the measured ones.
///
/// # Errors
/// [`Error::Value`] if a start is outside of its bounds, [`Error::Diverged`] if the simulation
/// fails at the start, [`Error::Uninformative`] if there are fewer values than unknowns.
pub fn find(
    unknowns: &[Unknown],
    measured: &[Measured],
    simulate: &Simulate<'_>,
    watch: &Watch<'_>,
) -> Result<Found, Error> {
    checked(unknowns, measured)?;
    let scales: Vec<Scale> = unknowns.iter().map(Scale::of).collect();
    let spread = |m: &Measured| {
        let middle = mean(&m.values);
        rms(&m.values.iter().map(|x| x - middle).collect::<Vec<_>>())
    };
    let positive = |x: f64| if x > 0.0 { x } else { 1.0 };
    let spreads: Vec<f64> = measured.iter().map(|m| positive(spread(m))).collect();
    let mut numbers: Vec<f64> = unknowns
        .iter()
        .zip(&scales)
        .map(|(u, s)| s.number(u.start).clamp(s.low, s.high))
        .collect();
    if simulate(&unknowns.iter().map(|u| u.start).collect::<Vec<_>>()).is_none() {
        return Err(Error::Diverged {
            law: "the scenario".to_owned(),
            help: "it does not run with the values that it gives: see bristle run".to_owned(),
        });
    }
    let mut noise = spreads.clone();
    let mut iterations = 0;
    // with one output the noise is a common factor
    let rounds = if measured.len() > 1 { 2 } else { 1 };
    for round in 0..rounds {
        watch(Progress {
            stage: "simulations",
            done: round,
            of: rounds,
        });
        let task = task(&scales, measured, noise.clone(), simulate);
        let solver = BoundedLevenbergMarquardt::new().with_relative_cost_change_tolerance(CLOSE);
        let result = Executor::new(task, solver, PointState::new(numbers.clone()))
            .max_iter(ITERATIONS)
            .run();
        if let Ok(result) = result {
            numbers.clone_from(result.param());
            iterations += result.iter();
        }
        let task = self::task(&scales, measured, noise.clone(), simulate);
        let left = task.residuals(&numbers);
        for ((n, r), spread) in noise.iter_mut().zip(&left).zip(&spreads) {
            // an output that fits to rounding must not outweigh all others
            *n = (*n * rms(r)).max(1e-6 * spread);
        }
    }
    let task = task(&scales, measured, noise, simulate);
    Ok(Found {
        iterations,
        ..judged(unknowns, &task, &numbers, &spreads)
    })
}

fn checked(unknowns: &[Unknown], measured: &[Measured]) -> Result<(), Error> {
    for u in unknowns {
        if let Some((low, high)) = u.bounds
            && !(low..=high).contains(&u.start)
        {
            return Err(Error::Value {
                name: u.name.clone(),
                value: u.start,
                unit: u.unit.clone(),
                reason: format!("the start is outside of the bounds, {low} to {high}"),
            });
        }
    }
    let count: usize = measured.iter().map(|m| m.values.len()).sum();
    if count < 3 * unknowns.len() {
        return Err(Error::Uninformative {
            record: "the outputs".to_owned(),
            reason: format!("{count} values cannot tell {} unknowns", unknowns.len()),
            help: format!("give {} values or more", 3 * unknowns.len()),
        });
    }
    Ok(())
}

fn task<'a>(
    scales: &'a [Scale],
    measured: &'a [Measured],
    noise: Vec<f64>,
    simulate: &'a Simulate<'a>,
) -> Task<'a> {
    Task {
        scales,
        measured,
        noise,
        simulate,
        lower: scales.iter().map(|s| s.low).collect(),
        upper: scales.iter().map(|s| s.high).collect(),
    }
}

/// Intervals, verdicts and errors at the optimum.
fn judged(unknowns: &[Unknown], task: &Task<'_>, numbers: &[f64], spreads: &[f64]) -> Found {
    let residuals = task.residuals(numbers);
    let columns = task.columns(numbers);
    let times: Vec<f64> = residuals.iter().map(|r| correlation_time(r)).collect();
    let time = times.iter().copied().fold(1.0, f64::max);
    let count: f64 = residuals.iter().map(|r| r.len() as f64).sum();
    let squares: f64 = residuals.iter().flatten().map(|r| r * r).sum();
    let freedom = (count / time - unknowns.len() as f64).max(1.0);
    let variance = squares / (count - unknowns.len() as f64).max(1.0) * time;
    let unscaled = inverse(&columns);
    let slopes: Vec<f64> = task
        .scales
        .iter()
        .zip(numbers)
        .map(|(s, x)| s.slope(*x))
        .collect();
    let n = unknowns.len();
    let covariance = DMatrix::from_fn(n, n, |i, j| {
        unscaled[(i, j)] * slopes[i] * slopes[j] * variance
    });
    let values = task.values(numbers);
    let estimates = (0..n).map(|i| {
        let seen = columns[i].iter().any(|x| x.abs() > 1e-9);
        general::estimate(
            &unknowns[i].name,
            &unknowns[i].unit,
            values[i],
            covariance[(i, i)].max(0.0).sqrt(),
            student95(freedom),
            seen,
        )
    });
    let correlation = |i: usize, j: usize| {
        let size = (covariance[(i, i)] * covariance[(j, j)]).sqrt();
        if size > 0.0 {
            (covariance[(i, j)] / size).clamp(-1.0, 1.0)
        } else {
            0.0
        }
    };
    let correlations: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| correlation(i, j)).collect())
        .collect();
    let outputs = task.measured.iter().enumerate().map(|(k, m)| {
        let left = rms(&residuals[k]) * task.noise[k];
        Output {
            name: m.name.clone(),
            unit: m.unit.clone(),
            values: m
                .values
                .iter()
                .zip(&residuals[k])
                .map(|(measured, r)| measured - r * task.noise[k])
                .collect(),
            rms: left,
            relative: left / spreads[k],
            correlation_time: times[k],
        }
    });
    let mut unknowns: Vec<Estimate> = estimates.collect();
    general::tell_of_twins(&mut unknowns, &correlations);
    Found {
        unknowns,
        correlations,
        outputs: outputs.collect(),
        iterations: 0,
    }
}
