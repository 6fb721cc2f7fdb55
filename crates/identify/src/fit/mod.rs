//! The fit: from records to judged parameters.

pub(crate) mod flat;
mod free;
mod global;
mod objective;
mod search;

pub(crate) use objective::Objective;

use bristle_laws::{Friction, Notice, Values};

use crate::coverage::Coverage;
use crate::follow::Mesh;
use crate::judge::{self, Verdict};
use crate::model::{Model, Role};
use crate::record::Record;
use crate::residuals::Residuals;
use crate::statistics::{correlation_time, rms};
use crate::{Error, baseline, simulate};

/// How large residuals count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loss {
    /// By their squares.
    #[default]
    Squares,
    /// Linearly beyond the scale.
    Huber,
    /// A smooth form of Huber's.
    SoftL1,
    /// Logarithmically: for many outliers.
    Cauchy,
}

/// What the fit is asked to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The loss.
    pub loss: Loss,
    /// Points of the search for starting values.
    pub draws: u32,
    /// Starts that are followed to their optimum.
    pub starts: usize,
    /// Most iterations of each.
    pub iterations: u64,
    /// Whether a global method looks for an optimum too.
    pub global: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            loss: Loss::Squares,
            draws: 240,
            starts: 6,
            iterations: 80,
            global: false,
        }
    }
}

/// One parameter, as the data tell it.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Field of the law or name of a term.
    pub name: String,
    /// Symbol.
    pub symbol: String,
    /// SI unit; of the product with the normal force if that was not measured.
    pub unit: String,
    /// What it does.
    pub role: Role,
    /// The value, SI.
    pub value: f64,
    /// Its standard error, if the data tell it at all.
    pub standard_error: Option<f64>,
    /// The 95 % confidence interval.
    pub interval: Option<(f64, f64)>,
    /// Identified or not.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// Which experiment would tell it (better).
    pub experiment: Option<String>,
}

/// How well a record is described.
#[derive(Clone, Debug, PartialEq)]
pub struct Errors {
    /// The record.
    pub record: String,
    /// Samples that count.
    pub samples: usize,
    /// Root mean square of the error, N.
    pub rms: f64,
    /// The same, relative to that of the force.
    pub relative: f64,
    /// Largest error, N.
    pub largest: f64,
    /// Mean error, N.
    pub mean: f64,
    /// Share of the variance of the force that is explained.
    pub explained: f64,
}

/// Measured and fitted force of one record.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The record as it was used.
    pub record: Record,
    /// The force of the model, N.
    pub force: Vec<f64>,
    /// Measured minus fitted, N, through the filter of the record if it has one.
    pub residual: Vec<f64>,
    /// The error in numbers.
    pub errors: Errors,
}

/// A fitted model.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Catalogue name of the law.
    pub law: String,
    /// The parameters, in the order of the model.
    pub parameters: Vec<Estimate>,
    /// Names of those that were fitted.
    pub fitted: Vec<String>,
    /// Their correlations.
    pub correlations: Vec<Vec<f64>>,
    /// The records that were fitted.
    pub train: Vec<Prediction>,
    /// The records that were not.
    pub test: Vec<Prediction>,
    /// Residuals looked at from all sides.
    pub residuals: Residuals,
    /// Samples that count, and as how many independent ones.
    pub samples: usize,
    /// Samples over the correlation time of the residuals.
    pub effective_samples: f64,
    /// Standard deviation of the residuals, N.
    pub sigma: f64,
    /// Akaike's information criterion with the correction for short samples.
    pub aicc: f64,
    /// Iterations of the optimiser, over all starts.
    pub iterations: u64,
    /// How many of the starts that were followed ended at this optimum.
    pub agreeing_starts: usize,
    /// Starts that were followed.
    pub starts: usize,
    /// Whether the normal force was known.
    pub load_known: bool,
    /// What the user should know.
    pub warnings: Vec<Notice>,
    /// The law's values, and those for negative velocities if they differ.
    pub values: Values,
    /// Values for negative velocities.
    pub values_negative: Option<Values>,
    /// The law itself.
    pub friction: Option<Friction>,
}

impl Fit {
    /// Root mean square error over all fitted records, N.
    pub fn rms(&self) -> f64 {
        pooled(&self.train)
    }

    /// Unit of the errors: N, or m where positions were fitted.
    pub fn target_unit(&self) -> &'static str {
        let first = self.train.first();
        first.map_or("N", |p| p.record.target_unit())
    }

    /// The estimate of a name.
    pub fn parameter(&self, name: &str) -> Option<&Estimate> {
        self.parameters.iter().find(|p| p.name == name)
    }
}

/// Root mean square error over records, N.
pub(crate) fn pooled(predictions: &[Prediction]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for p in predictions {
        sum += p.errors.rms.powi(2) * p.errors.samples as f64;
        count += p.errors.samples as f64;
    }
    (sum / f64::max(count, 1.0)).sqrt()
}

/// Fits a model to `train` and tries it on `test`.
///
/// # Errors
/// If a record cannot tell anything ([`Error::Uninformative`]), the law has no view that suits the
/// data ([`Error::Unsuited`]), or no start leads to a finite force ([`Error::Diverged`]).
pub fn identify(
    model: &Model,
    train: &[Record],
    test: &[Record],
    options: &Options,
) -> Result<Fit, Error> {
    crate::coverage::informative(model, train)?;
    let mut train = numbered(model, train);
    let mut found = search::search(model, &train, options)?;
    if search::mask_start(model, &mut train, &found) {
        found = search::search(model, &train, options)?;
    }
    let objective = Objective::with_meshes(model, &train, found.meshes.clone());
    let values = objective.unpack(&found.theta);
    let acting = model.acting(&values)?;
    let predict = |record: &Record, mesh: &Mesh| {
        prediction(record, &simulate::predicted(record, &acting, mesh))
    };
    let trained: Vec<Prediction> = train
        .iter()
        .zip(&found.meshes)
        .map(|(r, m)| predict(r, m))
        .collect();
    let tolerance = 1e-4 * objective.unit;
    let tested: Vec<Prediction> = test
        .iter()
        .map(|r| predict(r, &Mesh::fine(r, &acting, tolerance)))
        .collect();
    let all: Vec<f64> = trained.iter().flat_map(counted).collect();
    let time = trained
        .iter()
        .map(|p| correlation_time(&counted(p)))
        .fold(1.0, f64::max);
    let samples = all.len();
    let fitted = model.numbers().count();
    let freedom = (samples as f64 - fitted as f64).max(1.0);
    let sigma = (all.iter().map(|r| r * r).sum::<f64>() / freedom).sqrt();
    let coverage = Coverage::of(&train, &acting, &trained);
    let judged = judge::judge(&judge::Evidence {
        objective: &objective,
        theta: &found.theta,
        sigma,
        correlation_time: time,
        coverage: &coverage,
        line: baseline(&train),
        explained: explained(&trained),
    });
    let effective = samples as f64 / time;
    let (forward, backward) = model.values(&values);
    let mut fit = Fit {
        law: model.law.clone(),
        parameters: judged.estimates,
        fitted: judged.fitted,
        correlations: judged.correlations,
        residuals: Residuals::of(&trained),
        train: trained,
        test: tested,
        samples,
        effective_samples: effective,
        sigma,
        aicc: aicc(
            effective,
            all.iter().map(|r| r * r).sum::<f64>() / samples.max(1) as f64,
            fitted,
        ),
        iterations: found.iterations,
        agreeing_starts: found.agreeing,
        starts: found.followed,
        load_known: train.iter().all(|r| r.load_known),
        warnings: Vec::new(),
        values: forward,
        values_negative: backward,
        friction: acting.forward.clone(),
    };
    fit.warnings = crate::coverage::warnings(model, &fit, &coverage, &train);
    Ok(fit)
}

/// Records that know which start velocity is theirs.
fn numbered(model: &Model, records: &[Record]) -> Vec<Record> {
    let own = |(k, record): (usize, &Record)| Record {
        start: (k < model.terms.starts).then_some(k),
        ..record.clone()
    };
    records.iter().enumerate().map(own).collect()
}

/// n ln σ² + 2k n/(n − k − 1), with the error variance as one more parameter.
pub(crate) fn aicc(n: f64, variance: f64, fitted: usize) -> f64 {
    let k = fitted as f64 + 1.0;
    n * variance.max(f64::MIN_POSITIVE).ln() + 2.0 * k * n / (n - k - 1.0).max(1.0)
}

/// The residuals that count.
pub(crate) fn counted(p: &Prediction) -> Vec<f64> {
    p.residual
        .iter()
        .zip(&p.record.weight)
        .filter(|(_, w)| **w > 0.0)
        .map(|(r, _)| *r)
        .collect()
}

fn explained(predictions: &[Prediction]) -> f64 {
    let (mut left, mut total) = (0.0, 0.0);
    for p in predictions {
        let n = p.errors.samples as f64;
        left += p.errors.rms.powi(2) * n;
        total += if p.errors.explained < 1.0 {
            p.errors.rms.powi(2) * n / (1.0 - p.errors.explained)
        } else {
            p.record.target_rms().powi(2) * n
        };
    }
    if total > 0.0 { 1.0 - left / total } else { 0.0 }
}

/// Compares a force with that of a record.
pub(crate) fn prediction(record: &Record, force: &[f64]) -> Prediction {
    let residual = objective::filtered(record, force);
    let kept: Vec<usize> = (0..record.len())
        .filter(|&i| record.weight[i] > 0.0)
        .collect();
    let errors: Vec<f64> = kept.iter().map(|&i| residual[i]).collect();
    let target = record.target();
    let forces: Vec<f64> = kept.iter().map(|&i| target[i]).collect();
    let mean_force = crate::statistics::mean(&forces);
    let spread: Vec<f64> = forces.iter().map(|f| f - mean_force).collect();
    let (error, size) = (rms(&errors), rms(&forces));
    Prediction {
        errors: Errors {
            record: record.name.clone(),
            samples: kept.len(),
            rms: error,
            relative: if size > 0.0 {
                error / size
            } else {
                f64::INFINITY
            },
            largest: errors.iter().fold(0.0, |m, e| m.max(e.abs())),
            mean: crate::statistics::mean(&errors),
            explained: {
                let total = rms(&spread);
                if total > 0.0 {
                    1.0 - (error / total).powi(2)
                } else {
                    0.0
                }
            },
        },
        record: record.clone(),
        force: force.to_vec(),
        residual,
    }
}
