//! A fitted model.

use bristle_laws::{Friction, Values};
use bristle_recordings::MotionUnits;

use crate::estimate::Estimate;
use crate::notice::FitNotice;
use crate::prediction::{Prediction, pooled};
use crate::profile::Profile;
use crate::residuals::Residuals;
use crate::steady_curve::SteadyCurve;

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
    pub warnings: Vec<FitNotice>,
    /// The law's values, those for negative velocities last.
    pub values: Values,
    /// The law itself.
    pub friction: Option<Friction>,
    /// Its friction in steady motion; nothing without a law.
    pub steady: Option<SteadyCurve>,
}

impl Fit {
    /// Root mean square error over all fitted records, N.
    pub fn rms(&self) -> f64 {
        pooled(&self.train)
    }

    /// Whether the machine moves along a line or about an axis.
    pub fn units(&self) -> MotionUnits {
        self.train
            .first()
            .map_or(MotionUnits::Linear, |p| p.record.units)
    }

    /// Unit of the errors: N, or m where positions were fitted; N m or rad about an axis.
    pub fn target_unit(&self) -> &'static str {
        let first = self.train.first();
        first.map_or("N", |p| p.record.target_unit())
    }

    /// The estimate of a name.
    pub fn parameter(&self, name: &str) -> Option<&Estimate> {
        self.parameters.iter().find(|p| p.name == name)
    }
}
