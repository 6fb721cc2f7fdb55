//! From many starts to one optimum.

use super::descent::SearchOptimum;
use super::many_starts::{choose, follow_up};
use super::{Objective, free};
use crate::Error;
use crate::model::FitModel;
use crate::options::{Options, Watch};
use crate::statistics::rms;
use crate::{Record, RecordKind};

/// Finds the best optimum from many starts.
pub(crate) fn search(
    model: &FitModel,
    records: &[Record],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<SearchOptimum, Error> {
    if records.iter().any(|r| r.kind == RecordKind::Free) {
        return free::search(model, records, options, watch);
    }
    let mut iterations = 0;
    let ended = follow_up(model, records, options, &mut iterations, watch)?;
    choose(model, records, ended, iterations)
}

/// A record that starts in the middle of a motion has bristles that are bent already. If the first
/// stretch fits much worse than the rest, it is left out; says whether anything was.
pub(crate) fn mask_start(model: &FitModel, records: &mut [Record], found: &SearchOptimum) -> bool {
    let objective = Objective::with_meshes(model, records, found.meshes.clone());
    let residual = objective.residual(&found.theta);
    let mut first = 0;
    let mut masks = Vec::new();
    for record in records.iter() {
        let own = &residual[first..first + record.len()];
        first += record.len();
        masks.push(
            if record.kind != RecordKind::Motion || record.weight[0] == 0.0 {
                0
            } else {
                transient(record, own)
            },
        );
    }
    for (record, &count) in records.iter_mut().zip(&masks) {
        for w in &mut record.weight[..count] {
            *w = 0.0;
        }
    }
    masks.iter().any(|count| *count > 0)
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
