//! Unknowns of a simulation that the caller makes: a whole machine instead of one contact.
//!
//! Outputs of the simulation are compared with measured ones (output error). Each output counts by
//! its own noise: by the spread of the measured values first, then by what is left over.
//! Derivatives are those that the simulation gives, or else differences, with steps far above the
//! tolerance of a simulation and far below what an optimum is known to; everything else is as for a law: bounded least squares from
//! the values given, the covariance s²(JᵀJ)⁻¹ widened by the correlation time of the residuals,
//! and a verdict for each unknown.

mod scale;
mod unknown;

pub use unknown::Unknown;

use bristle_recordings::number_of;
use nalgebra::DMatrix;

use self::scale::UnknownScale;
use crate::Error;
use crate::estimate::Estimate;
use crate::judge::{general, inverse, warn_collinear};
use crate::loss::Loss;
use crate::optimise::{LeastSquares, Precision};
use crate::options::{FitControl, Progress, StopFlag};
use crate::statistics::{correlation_time, mean, rms, student95};

/// Residual of a simulation that failed: far from any sensible one, and finite.
const FAR: f64 = 1e3;

/// Most iterations.
const ITERATIONS: u64 = 40;

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

/// A simulation as a function of its unknowns.
pub trait SimulatedMachine: Sync {
    /// All outputs for values of the unknowns; none if the simulation fails.
    fn outputs(&self, values: &[f64]) -> Option<Vec<Vec<f64>>>;

    /// The derivatives of all outputs by each unknown, unknown after unknown; without them
    /// differences of outputs are taken.
    fn slopes(&self, _values: &[f64]) -> Option<Vec<Vec<Vec<f64>>>> {
        None
    }
}

impl<F: Fn(&[f64]) -> Option<Vec<Vec<f64>>> + Sync> SimulatedMachine for F {
    fn outputs(&self, values: &[f64]) -> Option<Vec<Vec<f64>>> {
        self(values)
    }
}

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
    /// Samples over which residuals are correlated.
    pub correlation_time: f64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineFit {
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
struct ResidualTask<'a> {
    scales: &'a [UnknownScale],
    measured: &'a [Measured],
    /// The size of the noise of each output.
    noise: Vec<f64>,
    simulate: &'a dyn SimulatedMachine,
    stop: &'a StopFlag,
}

impl ResidualTask<'_> {
    fn values(&self, numbers: &[f64]) -> Vec<f64> {
        let pairs = self.scales.iter().zip(numbers);
        pairs.map(|(scale, x)| scale.value(*x)).collect()
    }

    /// Measured minus simulated over the noise, output after output.
    fn residuals(&self, numbers: &[f64]) -> Vec<Vec<f64>> {
        let simulated = if self.stop.is_set() {
            None
        } else {
            self.simulate.outputs(&self.values(numbers))
        };
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

    /// The columns of the Jacobian, where the simulation gives derivatives.
    fn columns(&self, numbers: &[f64]) -> Option<Vec<Vec<f64>>> {
        if self.stop.is_set() {
            return None;
        }
        let slopes = self.simulate.slopes(&self.values(numbers))?;
        let each = slopes.iter().zip(self.scales.iter().zip(numbers));
        each.map(|(by_value, (scale, x))| {
            let by_number = scale.slope(*x);
            let outputs = by_value.iter().zip(&self.noise);
            let column = outputs.flat_map(|(output, noise)| {
                let of_residual = move |slope: &f64| -slope * by_number / noise;
                output.iter().map(of_residual)
            });
            // a derivative that is no number leaves it to differences
            column.map(|x| x.is_finite().then_some(x)).collect()
        })
        .collect()
    }

    /// Hands the problem of least squares to `use_it`.
    fn with_problem<R>(&self, use_it: impl FnOnce(&LeastSquares<'_>) -> R) -> R {
        let of = |end: fn(&UnknownScale) -> f64| self.scales.iter().map(end).collect();
        use_it(&LeastSquares {
            residual: &|numbers| self.flat(numbers),
            exact: &|numbers| self.columns(numbers),
            lower: of(|s| s.low),
            upper: of(|s| s.high),
            precision: Precision::SIMULATION,
        })
    }
}

/// Finds the unknowns with which the simulated outputs are closest to the measured ones.
///
/// # Errors
/// [`Error::Value`] if a start is outside of its bounds, [`Error::Diverged`] if the simulation
/// fails at the start, [`Error::Uninformative`] if there are fewer values than unknowns,
/// [`Error::Stopped`].
pub fn find(
    unknowns: &[Unknown],
    measured: &[Measured],
    simulate: &dyn SimulatedMachine,
    control: &FitControl<'_>,
) -> Result<MachineFit, Error> {
    checked(unknowns, measured)?;
    let found = control.on_threads(|| searched(unknowns, measured, simulate, control));
    control.stop.check()?;
    found
}

fn searched(
    unknowns: &[Unknown],
    measured: &[Measured],
    simulate: &dyn SimulatedMachine,
    control: &FitControl<'_>,
) -> Result<MachineFit, Error> {
    let FitControl { watch, stop, .. } = *control;
    let scales: Vec<UnknownScale> = unknowns.iter().map(UnknownScale::of).collect();
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
    if simulate
        .outputs(&unknowns.iter().map(|u| u.start).collect::<Vec<_>>())
        .is_none()
    {
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
        let task = task(&scales, measured, noise.clone(), simulate, stop);
        let optimum = task.with_problem(|p| p.run(&numbers, Loss::Squares, 1.0, ITERATIONS));
        numbers = optimum.theta;
        iterations += optimum.iterations;
        let left = task.residuals(&numbers);
        for ((n, r), spread) in noise.iter_mut().zip(&left).zip(&spreads) {
            // an output that fits to rounding must not outweigh all others
            *n = (*n * rms(r)).max(1e-6 * spread);
        }
    }
    control.stop.check()?;
    let task = task(&scales, measured, noise, simulate, stop);
    Ok(MachineFit {
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
            reason: format!(
                "{} cannot determine {}",
                number_of(count, "value", "values"),
                number_of(unknowns.len(), "unknown", "unknowns")
            ),
            help: format!("give {} values or more", 3 * unknowns.len()),
        });
    }
    Ok(())
}

fn task<'a>(
    scales: &'a [UnknownScale],
    measured: &'a [Measured],
    noise: Vec<f64>,
    simulate: &'a dyn SimulatedMachine,
    stop: &'a StopFlag,
) -> ResidualTask<'a> {
    ResidualTask {
        scales,
        measured,
        noise,
        simulate,
        stop,
    }
}

/// Intervals, verdicts and errors at the optimum.
fn judged(
    unknowns: &[Unknown],
    task: &ResidualTask<'_>,
    numbers: &[f64],
    spreads: &[f64],
) -> MachineFit {
    let residuals = task.residuals(numbers);
    let columns = task.with_problem(|p| p.columns(numbers));
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
    let names: Vec<String> = unknowns.iter().map(|u| u.name.clone()).collect();
    warn_collinear(&mut unknowns, &names, &correlations, |_| true);
    MachineFit {
        unknowns,
        correlations,
        outputs: outputs.collect(),
        iterations: 0,
    }
}
