//! From many starts to one optimum.

use super::descent::SearchOptimum;
use super::many_starts::{choose, follow_up};
use super::{Objective, free};
use crate::Error;
use crate::model::FitModel;
use crate::options::Options;
use crate::part::PartDesk;
use crate::statistics::rms;
use crate::{Record, RecordKind};

/// Finds the best optimum from many starts.
pub(crate) fn search(
    model: &FitModel,
    records: &[Record],
    options: &Options,
    desk: &PartDesk<'_>,
) -> Result<SearchOptimum, Error> {
    if records.iter().any(|r| r.kind == RecordKind::Free) {
        return free::search(model, records, options, desk);
    }
    let mut iterations = 0;
    let ended = follow_up(model, records, options, &mut iterations, desk)?;
    choose(model, records, ended, iterations)
}

/// A record that starts in the middle of a motion has bristles that are bent already. If the first
/// stretch fits much worse than the rest, it is left out: how many samples of each record that is.
pub(crate) fn transients(
    model: &FitModel,
    records: &[Record],
    found: &SearchOptimum,
) -> Vec<usize> {
    let objective = Objective::with_meshes(model, records, found.meshes.clone());
    let residual = objective.residual(&found.theta);
    let mut first = 0;
    let count = |record: &Record| {
        let own = &residual[first..first + record.len()];
        first += record.len();
        if record.kind != RecordKind::Motion || record.weight[0] == 0.0 {
            0
        } else {
            transient(record, own)
        }
    };
    records.iter().map(count).collect()
}

/// Leaves out so many samples at the start of each record.
pub(crate) fn mask(records: &mut [Record], counts: &[usize]) {
    for (record, &count) in records.iter_mut().zip(counts) {
        let count = count.min(record.len());
        for w in &mut record.weight[..count] {
            *w = 0.0;
        }
    }
}

/// Samples of the first fifth of the range of motion, if they fit three times worse than the rest.
fn transient(record: &Record, residual: &[f64]) -> usize {
    let x = record.displacement();
    let (low, high) = x
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
            (l.min(*x), h.max(*x))
        });
    let mut path = 0.0;
    let mut count = 1;
    while count < record.len() && path < 0.2 * (high - low) {
        path += (x[count] - x[count - 1]).abs();
        count += 1;
    }
    if count * 3 > record.len() || count < 3 {
        return 0;
    }
    let noise = 1e-3 * rms(&record.force);
    let unit = rms(residual);
    let (begin, rest) = (rms(&residual[..count]), rms(&residual[count..]));
    // residuals are in units of the typical force, so 1e-3 of it is nothing to act upon
    if begin > 3.0 * rest && begin > 1e-3 && unit > 0.0 && noise > 0.0 {
        count
    } else {
        0
    }
}
