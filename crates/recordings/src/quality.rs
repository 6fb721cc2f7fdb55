//! How good a record is: noise, gaps, a delay of the force.

use crate::statistics::{noise, rms};
use crate::{Record, baseline, least_squares};

/// Lengths of presliding that are tried: the range of the motion, halved so often.
const HALVINGS: i32 = 12;

/// What was done to a record before the fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preparation {
    /// Sentences for the user.
    pub notes: Vec<String>,
    /// Cut-off of the zero-phase low-pass, Hz.
    pub cutoff: Option<f64>,
    /// Delay of the force behind the motion, s, estimated.
    pub delay: Option<f64>,
    /// Standard deviation of the fast noise of the force, N.
    pub force_noise: f64,
    /// Standard deviation of the fast noise of the velocity, m/s.
    pub velocity_noise: f64,
    /// Samples left out as outliers.
    pub outliers: usize,
    /// Longest gap in time, s, if there is one.
    pub gap: Option<f64>,
}

/// By how much the force lags behind the motion, s: the shift that makes the force most like
/// a sum of the direction of motion, the velocity and the acceleration. Only whole samples are
/// tried, up to ten; none if no shift is better by a third, or if the best one is the largest.
/// Presliding delays the force too, by a way and not by a time: none if that explains the force
/// better. At one speed both are the same, so this is a hint only.
pub fn delay(record: &Record) -> Option<f64> {
    let n = record.len();
    if n < 100 {
        return None;
    }
    let left = |shift: i32| {
        #[allow(clippy::cast_sign_loss, reason = "shifts are taken by their size")]
        let size = shift.unsigned_abs() as usize;
        let (v, f) = if shift >= 0 { (0, size) } else { (size, 0) };
        let part = Record {
            velocity: record.velocity[v..n - size + v].to_vec(),
            acceleration: record.acceleration[v..n - size + v].to_vec(),
            load: record.load[v..n - size + v].to_vec(),
            force: record.force[f..n - size + f].to_vec(),
            t: record.t[..n - size].to_vec(),
            weight: record.weight[v..n - size + v].to_vec(),
            position: None,
            ..record.clone()
        };
        baseline(&[part]).map(|b| b.rms)
    };
    let here = left(0)?;
    let mut best = (0, here);
    for shift in -10..=10 {
        if let Some(rms) = left(shift)
            && rms < best.1
        {
            best = (shift, rms);
        }
    }
    let inside = best.0 != 0 && best.0.abs() < 8;
    let found = inside && best.1 < 0.67 * here;
    (found && best.1 <= presliding(record)).then(|| f64::from(best.0) * record.interval())
}

/// What is left of the force, N, if its direction follows the motion over a way, as that of a spring
/// that slides: the least over ways from the range of the motion down.
fn presliding(record: &Record) -> f64 {
    let x = record.displacement();
    let (low, high) = x
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
            (l.min(*x), h.max(*x))
        });
    let weighted = |values: &[f64]| -> Vec<f64> {
        let pairs = values.iter().zip(&record.weight);
        pairs.map(|(value, weight)| value * weight).collect()
    };
    let target = weighted(&record.force);
    let left = |way: f64| {
        let mut direction = 0.0_f64;
        let mut before = x.first().copied().unwrap_or(0.0);
        let mut friction = Vec::with_capacity(x.len());
        for (place, load) in x.iter().zip(&record.load) {
            direction = (direction + (place - before) / way).clamp(-1.0, 1.0);
            before = *place;
            friction.push(load * direction);
        }
        let columns = [
            weighted(&friction),
            weighted(&record.velocity),
            weighted(&record.acceleration),
            record.weight.clone(),
        ];
        let found = least_squares(&columns, &target)?;
        let rest = target.iter().enumerate().map(|(i, f)| {
            let fit: f64 = columns.iter().zip(&found).map(|(c, k)| c[i] * k).sum();
            f - fit
        });
        Some(rms(&rest.collect::<Vec<f64>>()))
    };
    let range = high - low;
    if !range.is_finite() || range <= 0.0 {
        return f64::INFINITY;
    }
    let ways = (1..=HALVINGS).map(|k| range * f64::from(-k).exp2());
    ways.filter_map(left).fold(f64::INFINITY, f64::min)
}

impl Preparation {
    /// Noise and gaps of a record.
    pub fn of(record: &Record) -> Self {
        let longest = record.longest_step();
        let gap = record
            .t
            .windows(2)
            .map(|p| p[1] - p[0])
            .filter(|h| *h > longest)
            .fold(0.0, f64::max);
        Self {
            cutoff: record.cutoff,
            force_noise: noise(&record.force),
            velocity_noise: noise(&record.velocity),
            gap: (gap > 0.0).then_some(gap),
            ..Self::default()
        }
    }
}
