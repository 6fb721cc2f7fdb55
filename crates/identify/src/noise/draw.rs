//! A fit to records with a draw of noise added.

use super::added::{Disturbance, NormalNumbers};
use crate::Record;
use crate::fit::{Objective, descend};
use crate::model::FitModel;
use crate::options::Options;
use crate::part::{NoiseDraw, PartOutcome};
use crate::predict::predict;

/// Iterations of each fit that goes on from the optimum.
const ITERATIONS: u64 = 12;

/// The noise of that seed for each record.
pub(super) fn drawn(records: &[Record], sizes: &[f64], seed: u64) -> Vec<Option<Disturbance>> {
    let mut random = NormalNumbers::seeded(seed);
    let each = records.iter().zip(sizes);
    each.map(|(r, s)| Disturbance::draw(r, *s, &mut random))
        .collect()
}

/// The records with noise, each multiplied by its scale.
pub(super) fn disturbed(
    records: &[Record],
    draw: &[Option<Disturbance>],
    scales: &[f64],
    factor: f64,
) -> Vec<Record> {
    let each = records.iter().zip(draw).zip(scales);
    each.map(|((r, d), s)| match d {
        Some(d) if *s > 0.0 => d.added_to(r, factor * s),
        _ => r.clone(),
    })
    .collect()
}

/// The parameters of a fit to noisier records that goes on from an optimum.
pub(crate) fn refitted(
    model: &FitModel,
    records: &[Record],
    options: &Options,
    draw: &NoiseDraw,
) -> PartOutcome {
    let objective = Objective::with_meshes(model, records, draw.meshes.clone());
    let made = if draw.made_with.is_empty() {
        Some(records.to_vec())
    } else {
        own_forces(&objective, &draw.made_with)
    };
    let Some(made) = made else {
        return PartOutcome::default();
    };
    let noise = drawn(records, &draw.sizes, draw.seed);
    let noisy = disturbed(&made, &noise, &draw.scales, draw.factor);
    let objective = with_records(&objective, &noisy);
    let found = descend(&objective, &draw.theta, options.loss, ITERATIONS);
    PartOutcome {
        points: vec![objective.unpack(&found.theta)],
        iterations: found.iterations,
        ..PartOutcome::default()
    }
}

pub(super) fn with_records<'a>(objective: &Objective<'a>, records: &'a [Record]) -> Objective<'a> {
    Objective {
        model: objective.model,
        records,
        meshes: objective.meshes.clone(),
        sizes: objective.sizes.clone(),
        unit: objective.unit,
    }
}

/// The records with the forces that the model makes of their motion.
fn own_forces(objective: &Objective<'_>, p: &[f64]) -> Option<Vec<Record>> {
    let acting = objective.model.acting(p).ok()?;
    let each = objective.records.iter().zip(&objective.meshes);
    let made = each.map(|(record, mesh)| Record {
        force: predict(record, &acting, mesh),
        ..record.clone()
    });
    Some(made.collect())
}
