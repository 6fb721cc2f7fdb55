//! What a search may leave out without missing anything: samples that say nothing new about poor
//! starts, and starts when nothing is left to explain.

use super::Objective;
use super::start::starts;
use crate::optimise::Optimum;
use crate::options::Options;
use crate::statistics::{correlation_time, noise, quantile, rms};
use crate::{Record, RecordKind};

/// Samples on which poor starts are separated from good ones.
const SCREEN_SAMPLES: usize = 2000;

/// Starts that pass the screen, for each that is followed.
const PASS: usize = 4;

/// A motion is resolved by every k-th sample if straight lines between them keep within this share
/// of the speed of each piece, in all but [`REVERSALS`] of the pieces.
const STRAIGHT: f64 = 0.05;
const REVERSALS: f64 = 0.1;

/// The starts to follow, best first: tried on few samples, and ranked on those of `rough`.
pub(super) fn candidates(rough: &Objective<'_>, options: &Options) -> Vec<Vec<f64>> {
    let total: usize = rough.records.iter().map(Record::len).sum();
    let mut thin = 1;
    while total / (2 * thin) >= SCREEN_SAMPLES
        && rough.records.iter().all(|r| is_resolved(r, 2 * thin))
    {
        thin *= 2;
    }
    if thin == 1 {
        return starts(rough, options.starts, options.draws);
    }
    let few: Vec<Record> = rough.records.iter().map(|r| r.thinned(thin)).collect();
    let screen = Objective::coarse(rough.model, &few);
    let mut ranked: Vec<(f64, Vec<f64>)> = starts(&screen, PASS * options.starts, options.draws)
        .iter()
        .map(|theta| rough.pack(&screen.unpack(theta)))
        .map(|theta| (rough.cost(&theta), theta))
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.truncate(options.starts);
    ranked.into_iter().map(|(_, theta)| theta).collect()
}

fn is_resolved(record: &Record, k: usize) -> bool {
    if record.kind != RecordKind::Motion {
        return false;
    }
    let pieces = record.velocity.windows(k + 1).step_by(k);
    let bends: Vec<f64> = pieces.map(bend).collect();
    quantile(&bends, 1.0 - REVERSALS).is_some_and(|bend| bend <= STRAIGHT)
}

/// Largest distance from the straight line through the ends, as a share of the largest speed.
fn bend(v: &[f64]) -> f64 {
    let steps = (v.len() - 1) as f64;
    let (first, last) = (v[0], v[v.len() - 1]);
    let (mut most, mut speed) = (0.0_f64, 0.0_f64);
    for (i, v) in v.iter().enumerate() {
        let line = first + (last - first) * i as f64 / steps;
        most = most.max((v - line).abs());
        speed = speed.max(v.abs());
    }
    if speed > 0.0 { most / speed } else { 0.0 }
}

/// Whether the residual is white noise, so that no other parameters explain the records better.
pub(super) fn nothing_is_left(objective: &Objective<'_>, optimum: &Optimum) -> bool {
    let residual = objective.residual(&optimum.theta);
    let mut first = 0;
    objective.records.iter().all(|record| {
        let own = &residual[first..first + record.len()];
        first += record.len();
        // four standard deviations of the estimate of the noise
        let most = noise(own) * (1.0 + 4.0 / (own.len() as f64).sqrt());
        rms(own) <= most && correlation_time(own) < 1.5
    })
}

/// Whether two descents ended at the same point.
pub(super) fn same(a: &Optimum, b: &Optimum) -> bool {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-3;
    (a.cost - b.cost).abs() <= 1e-5 * a.cost && a.theta.iter().zip(&b.theta).all(near)
}
