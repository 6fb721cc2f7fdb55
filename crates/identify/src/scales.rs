//! The sizes of what was measured: forces, speeds, lengths, times.

use crate::Record;
use crate::model::{FitModel, FitRole, Slot};
use crate::statistics::{mean, median, quantile, rms};

/// What a set of records can show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordScales {
    /// Typical force, N.
    pub(crate) force: f64,
    /// Typical load, N.
    pub(crate) load: f64,
    /// Slow and fast speeds, m/s.
    pub(crate) slow: f64,
    pub(crate) fast: f64,
    /// Typical acceleration, m/s².
    pub(crate) acceleration: f64,
    /// Displacement between samples, and range of the motion, m.
    pub(crate) step: f64,
    pub(crate) range: f64,
    /// Time between samples, and duration, s.
    pub(crate) interval: f64,
    pub(crate) duration: f64,
}

impl RecordScales {
    pub(crate) fn of(records: &[Record]) -> Self {
        let gather =
            |f: &dyn Fn(&Record) -> Vec<f64>| -> Vec<f64> { records.iter().flat_map(f).collect() };
        let positive = |x: Option<f64>, other: f64| x.filter(|x| *x > 0.0).unwrap_or(other);
        let speeds: Vec<f64> = gather(&|r| r.velocity.iter().map(|v| v.abs()).collect())
            .into_iter()
            .filter(|v| *v > 0.0)
            .collect();
        let forces = gather(&|r| r.force.clone());
        let loads = gather(&|r| r.load.clone());
        let steps: Vec<f64> = gather(&|r| {
            let x = r.displacement();
            x.windows(2).map(|p| (p[1] - p[0]).abs()).collect()
        })
        .into_iter()
        .filter(|d| *d > 0.0)
        .collect();
        let ranges = records.iter().map(|r| {
            let x = r.displacement();
            let (low, high) = x
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                    (l.min(*x), h.max(*x))
                });
            high - low
        });
        let fast = positive(quantile(&speeds, 0.99), 1.0);
        let range = positive(Some(ranges.fold(0.0, f64::max)), 1.0);
        let duration =
            |r: &Record| r.t.last().copied().unwrap_or(0.0) - r.t.first().copied().unwrap_or(0.0);
        Self {
            force: positive(Some(rms(&forces)), 1.0),
            load: positive(Some(mean(&loads)), 1.0),
            slow: positive(quantile(&speeds, 0.02), 1e-3 * fast).max(1e-6 * fast),
            fast,
            acceleration: positive(Some(rms(&gather(&|r| r.acceleration.clone()))), 1.0),
            step: positive(median(&steps), 1e-3 * range),
            range,
            interval: records
                .iter()
                .map(Record::interval)
                .fold(f64::INFINITY, f64::min),
            duration: records.iter().map(duration).fold(0.0, f64::max).max(1e-12),
        }
    }

    /// The size of each linear parameter of a model.
    pub(crate) fn sizes(&self, model: &FitModel) -> Vec<f64> {
        let mu = self.force / self.load;
        model
            .parameters
            .iter()
            .map(|p| {
                // some laws have stiffness and damping per normal force
                let level = if p.unit.starts_with('N') {
                    self.force
                } else {
                    mu
                };
                match (p.slot, p.role) {
                    (Slot::Linear { .. }, FitRole::Viscous | FitRole::Damping) => level / self.fast,
                    (Slot::Linear { .. }, FitRole::Mass) => self.force / self.acceleration,
                    (Slot::Linear { .. }, FitRole::Offset) if p.unit == "rad" => 1.0,
                    (Slot::Linear { .. }, FitRole::Offset | FitRole::Gravity) => self.force,
                    (Slot::Linear { .. }, FitRole::Preload) => self.load,
                    (Slot::Linear { .. }, FitRole::Start) => 0.1 * self.fast,
                    (Slot::Linear { .. }, FitRole::LevelDifference) => mu,
                    (Slot::Linear { .. }, FitRole::Transmitted) => self.load / self.force,
                    (Slot::Above { .. }, FitRole::Speed) => self.fast,
                    // the reciprocal of a speed
                    (Slot::Above { .. }, FitRole::Shape) => 1.0 / (self.slow * self.fast).sqrt(),
                    (Slot::Above { .. }, _) => mu,
                    _ => 1.0,
                }
            })
            .collect()
    }
}
