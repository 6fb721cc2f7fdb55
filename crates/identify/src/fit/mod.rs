//! The fit: from records to judged parameters.

mod exact;
pub(crate) mod flat;
mod free;
mod global;
mod objective;
mod prediction;
mod screen;
pub(crate) mod search;

pub(crate) use objective::Objective;
use prediction::explained;
pub(crate) use prediction::{CLOSE, Sums, aicc, counted, pooled, prediction};
pub use prediction::{Errors, Prediction};

use bristle_laws::{Friction, Notice, Values};

use crate::coverage::Coverage;
use crate::follow::Mesh;
use crate::judge::{self, Verdict};
use crate::model::{Model, Role};
use crate::profile::{self, Profile};
use crate::record::Record;
use crate::residuals::Residuals;
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
    /// Whether intervals by profile likelihood are computed too.
    pub profile: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            loss: Loss::Squares,
            draws: 240,
            starts: 6,
            iterations: 80,
            global: false,
            profile: false,
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
    /// Intervals by profile likelihood, if they were asked for.
    pub profiles: Vec<Profile>,
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

/// How far a fit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, in a word or two.
    pub stage: &'static str,
    /// Parts of it that are done.
    pub done: usize,
    /// All parts of it.
    pub of: usize,
}

/// Is told how far a fit is, from any thread.
pub type Watch<'a> = dyn Fn(Progress) + Sync + 'a;

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
    identify_watched(model, train, test, options, &|_| ())
}

/// The same as [`identify`], with a word on every stage to `watch`.
///
/// # Errors
/// As [`identify`].
pub fn identify_watched(
    model: &Model,
    train: &[Record],
    test: &[Record],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Fit, Error> {
    crate::coverage::informative(model, train)?;
    let mut train = numbered(model, train);
    let mut found = search::search(model, &train, options, watch)?;
    if search::mask_start(model, &mut train, &found) {
        found = search::search(model, &train, options, watch)?;
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
    let sums = Sums::of(&trained, model.numbers().count());
    let coverage = Coverage::of(&train, &acting, &trained);
    let judged = judge::judge(&judge::Evidence {
        objective: &objective,
        theta: &found.theta,
        sigma: sums.sigma(),
        correlation_time: sums.time,
        coverage: &coverage,
        line: baseline(&train),
        explained: explained(&trained),
    });
    let profiles = if options.profile {
        watch(Progress {
            stage: "profiles",
            done: 0,
            of: 1,
        });
        let basis = profile::Basis::of(&objective, &found.theta, &sums);
        profile::profiles(&basis, &judged.estimates)
    } else {
        Vec::new()
    };
    let (forward, backward) = model.values(&values);
    let mut fit = Fit {
        law: model.law.clone(),
        parameters: judged.estimates,
        fitted: judged.fitted,
        correlations: judged.correlations,
        profiles,
        residuals: Residuals::of(&trained),
        train: trained,
        test: tested,
        samples: sums.samples,
        effective_samples: sums.effective(),
        sigma: sums.sigma(),
        aicc: sums.aicc(),
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
