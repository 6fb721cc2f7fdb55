//! Friction parameters from measurements, with their uncertainty.
//!
//! A [`Record`] holds what was measured: motion, load, force. A [`FitModel`] says what is fitted:
//! any law of the catalogue, driven by the measured motion, plus the terms that a machine adds
//! (mass, gravity, an offset of the sensor, a preload, backlash). [`identify`] finds starting
//! values in the data, fits, and judges every parameter: whether these data identify it, how well,
//! and if not, why not and which experiment would. The way through stands in `pipeline.rs`.
//!
//! ```
//! use bristle_identify::{MachineTerms, FitModel, Options, Record, identify};
//!
//! # fn main() -> Result<(), bristle_identify::Error> {
//! // force of Coulomb and viscous friction along a slow sine, 10 N of load
//! let t: Vec<f64> = (0..2000).map(|i| f64::from(i) * 1e-3).collect();
//! let v: Vec<f64> = t.iter().map(|t| 0.1 * (6.0 * t).sin()).collect();
//! let force = v.iter().map(|v| 10.0 * 0.3 * (v / 1e-3_f64).tanh()).collect();
//! let record = Record::motion("bench", t, v, force)?.with_load(vec![10.0; 2000])?;
//! let model = FitModel::of("coulomb_tanh", &MachineTerms::default())?;
//! let fit = identify(&model, &[record], &[], &Options::default())?;
//! let mu = &fit.parameters[0];
//! assert!((mu.value - 0.3).abs() < 1e-6, "{}", mu.value);
//! # Ok(())
//! # }
//! ```
//!
//! Nothing here reads or writes a file, and nothing prints.

#![allow(
    clippy::float_cmp,
    reason = "at rest a velocity is zero exactly, and signs are whole numbers"
)]
#![allow(
    clippy::needless_range_loop,
    reason = "several columns are read at one sample"
)]
#![allow(
    clippy::match_same_arms,
    reason = "each role of a parameter has its own line"
)]

mod compare;
mod compute_part;
mod coverage;
mod error;
mod estimate;
mod feedforward;
mod fit;
mod fitted;
mod judge;
mod loss;
pub mod machine;
mod model;
mod multi_dual;
mod noise;
mod notice;
mod optimise;
mod options;
mod part;
mod pipeline;
mod predict;
mod prediction;
mod profile;
mod residuals;
mod scales;
mod statistics;
mod steady_curve;
mod stribeck;
mod warnings;

pub use bristle_recordings::{
    Baseline, MotionNoise, MotionSource, MotionUnits, Record, RecordError, RecordKind, Servo,
    baseline,
};
pub use compare::{Comparison, compare};
pub use compute_part::compute_part;
pub use error::Error;
pub use estimate::{Estimate, Verdict};
pub use feedforward::{Feedforward, FrictionFunction, Language};
pub use fitted::Fit;
pub use loss::Loss;
pub use model::{FitModel, FitParameter, FitRole, MachineTerms};
pub use notice::{FitNotice, FitTopic};
pub use options::{FitControl, FitExecutor, Options, Progress, StopFlag, Watch};
pub use pipeline::{identify, identify_watched};
pub use prediction::{Errors, Prediction};
pub use profile::Profile;
pub use residuals::{Residuals, Structure};
pub use steady_curve::SteadyCurve;
