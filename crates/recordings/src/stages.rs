//! What preparation did to a record, stage by stage.

use serde::Serialize;

use crate::Record;

/// A stage of the preparation with its numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "stage", rename_all = "lowercase")]
pub enum Stage {
    /// Rows that are not complete are left out.
    Rows {
        /// Rows of the file.
        read: usize,
        /// Rows without all numbers.
        left_out: usize,
    },
    /// Only a part of the time is kept.
    Trim {
        /// First time, s.
        from: f64,
        /// Last time, s.
        to: f64,
        /// Samples that are left.
        samples: usize,
    },
    /// Samples at even times, by interpolation.
    Resample {
        /// The rate, Hz.
        rate_hz: f64,
        /// Samples after it.
        samples: usize,
        /// How values between samples are found.
        between: &'static str,
    },
    /// The zero-phase low-pass.
    Lowpass {
        /// Its kind.
        kind: &'static str,
        /// Its cut-off, Hz.
        cutoff_hz: f64,
        /// Attenuation there, dB.
        attenuation_at_cutoff_db: f64,
        /// Samples at either end that it distorts.
        left_out_at_each_end: usize,
    },
    /// The velocity is a derivative.
    Differentiate {
        /// Of what.
        from: &'static str,
        /// What it gives.
        to: &'static str,
    },
    /// The force is moved against the motion.
    Delay {
        /// Delay that is taken out, s.
        taken_out: f64,
        /// Delay that may be left, s.
        estimated_rest: Option<f64>,
    },
    /// Single samples of the force are left out.
    Outliers {
        /// How many.
        count: usize,
        /// When, s.
        times: Vec<f64>,
    },
}

/// Single samples that are left out, but not the ends.
pub fn outliers(record: &Record) -> impl Iterator<Item = usize> + '_ {
    let w = &record.weight;
    let inner = 1..w.len().saturating_sub(1);
    inner.filter(|&i| w[i] == 0.0 && w[i - 1] > 0.0 && w[i + 1] > 0.0)
}
