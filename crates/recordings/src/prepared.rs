//! How records are prepared, and what comes of it.

use crate::{ColumnMap, ColumnNoise, Preparation, Quantity, Record, Stage};

/// How a record is prepared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreparationPlan {
    /// What is known of the columns.
    pub map: ColumnMap,
    /// Constant normal force, N.
    pub load: Option<f64>,
    /// Whether the normal force is its mean throughout.
    pub mean_load: bool,
    /// The low-pass.
    pub lowpass: Lowpass,
    /// Delay of the force to be taken out, s.
    pub delay: f64,
    /// First and last time to keep, s.
    pub trim: Option<(f64, f64)>,
    /// Rate to which the record is resampled, Hz.
    pub rate: Option<f64>,
    /// Whether the fit uses the acceleration: a noisy velocity is filtered before it is
    /// differentiated.
    pub accelerates: bool,
    /// Whether the position is compared, of a mass that the force drives.
    pub free: bool,
    /// Gain of a position controller that makes the force, 1/m or 1/rad.
    pub servo: Option<f64>,
}

/// The low-pass of motion and residual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Lowpass {
    /// As the noise asks for, where positions are differentiated.
    #[default]
    Automatic,
    /// None.
    Off,
    /// At this cut-off, Hz.
    At(f64),
}

/// A record and what was done to it.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The record.
    pub record: Record,
    /// Noise, gaps, delay, and notes for the user.
    pub preparation: Preparation,
    /// The columns that were used.
    pub columns: Vec<UsedColumn>,
    /// Rows of the file.
    pub rows: usize,
    /// Signals before preparation.
    pub raw: Raw,
    /// What each stage of the preparation did.
    pub stages: Vec<Stage>,
}

/// A column of the file that was used.
#[derive(Clone, Debug, PartialEq)]
pub struct UsedColumn {
    /// What it is.
    pub quantity: Quantity,
    /// Its name in the file.
    pub name: String,
    /// The unit as given; empty for SI.
    pub unit: String,
    /// What the values are multiplied with.
    pub factor: f64,
    /// Its noise and quantisation, SI; none for the time.
    pub noise: Option<ColumnNoise>,
}

/// Signals as they stand in the file, in SI.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Raw {
    /// Time, s; empty where there is none.
    pub t: Vec<f64>,
    /// Position, m or rad.
    pub position: Option<Vec<f64>>,
    /// Velocity, m/s or rad/s.
    pub velocity: Option<Vec<f64>>,
    /// Force, N or N m.
    pub force: Option<Vec<f64>>,
}
