//! Noise and quantisation of the columns of a record.

use crate::statistics::{median, noise, quantile};

/// Fewer levels than this are held values, not a quantised signal.
const FEWEST_LEVELS: usize = 8;

/// A signal that takes a new value at more than this share of its samples shows no levels.
const MOST_LEVELS: f64 = 0.5;

/// How far the distance of two levels may be from whole steps: files round their numbers.
const ROUNDING: f64 = 0.2;

/// What disturbs a column, in SI.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColumnNoise {
    /// Standard deviation of the fast noise.
    pub deviation: f64,
    /// The step between two values that the sensor can give, if it shows.
    pub step: Option<f64>,
}

impl ColumnNoise {
    /// That of samples in the order of time.
    pub fn of(values: &[f64]) -> Self {
        Self {
            deviation: noise(values),
            step: quantisation(values),
        }
    }

    /// The standard deviation of noise and rounding together: a signal that rests between two
    /// levels shows no noise and is off by up to half a step.
    pub fn size(&self) -> f64 {
        self.deviation
            .max(self.step.unwrap_or(0.0) / 12.0_f64.sqrt())
    }
}

/// The signal that the velocity of a motion is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionSource {
    /// A measured position: velocity and acceleration are its derivatives.
    Position,
    /// A measured velocity: the acceleration is its derivative.
    Velocity,
}

/// The noise of the signal that a motion is from, before any filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionNoise {
    /// What was measured.
    pub source: MotionSource,
    /// Its standard deviation, m or m/s.
    pub deviation: f64,
    /// That of a measured acceleration, m/s².
    pub acceleration: Option<f64>,
}

/// The step of a sensor that gives whole multiples of it: most neighbouring levels lie one step
/// apart, and all of them some whole steps.
fn quantisation(values: &[f64]) -> Option<f64> {
    let mut levels = values.to_vec();
    levels.sort_by(f64::total_cmp);
    let (first, last) = (*levels.first()?, *levels.last()?);
    let least = 1e-9 * (last - first).max(first.abs()).max(last.abs());
    levels.dedup_by(|a, b| (*a - *b).abs() <= least);
    let count = levels.len();
    if count < FEWEST_LEVELS || count as f64 > MOST_LEVELS * values.len() as f64 {
        return None;
    }
    let gaps: Vec<f64> = levels.windows(2).map(|p| p[1] - p[0]).collect();
    let step = quantile(&gaps, 0.1)?;
    // the mean of all that are about as wide is free of the rounding of the file
    let alike: Vec<f64> = gaps
        .iter()
        .copied()
        .filter(|gap| (gap / step - 1.0).abs() < 0.5)
        .collect();
    let step = median(&alike)?;
    let whole = gaps
        .iter()
        .filter(|gap| (*gap / step - (*gap / step).round()).abs() < ROUNDING)
        .count();
    (step > 0.0 && whole as f64 > 0.9 * gaps.len() as f64).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine(count: u32, step: f64) -> Vec<f64> {
        let exact = (0..count).map(|i| (0.01 * f64::from(i)).sin());
        exact.map(|x| (x / step).round() * step).collect()
    }

    #[test]
    fn the_step_of_a_sensor_is_found() {
        for bits in [6, 8, 10] {
            let step = 2.0 / f64::from(1 << bits);
            let found = ColumnNoise::of(&sine(4000, step));
            assert!((found.step.unwrap() / step - 1.0).abs() < 1e-9, "{bits}");
            assert!(found.size() >= step / 12.0_f64.sqrt());
        }
    }

    #[test]
    fn smooth_signals_and_held_values_have_no_step() {
        assert_eq!(ColumnNoise::of(&sine(4000, 1e-12)).step, None);
        let held: Vec<f64> = (0..400).map(|i| f64::from(i / 80)).collect();
        assert_eq!(ColumnNoise::of(&held).step, None);
        assert_eq!(ColumnNoise::of(&[]).step, None);
    }
}
