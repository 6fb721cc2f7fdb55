//! What preparation did to a record: numbers of every stage, and raw beside prepared signals.

use bristle_identify::{Kind, Record};
use bristle_results::{Axis, Curve, Figure};
use serde_json::{Value, json};

use super::columns::Quantity;
use super::data::{Plan, Prepared};
use super::rows::Values;

/// Signals as they stand in the file, in SI.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Raw {
    pub(super) t: Vec<f64>,
    pub(super) position: Option<Vec<f64>>,
    pub(super) velocity: Option<Vec<f64>>,
    pub(super) force: Option<Vec<f64>>,
}

impl Raw {
    /// The signals of the rows that are complete.
    pub(super) fn of(values: &Values<'_>) -> Self {
        Self {
            t: values.get(Quantity::Time).unwrap_or_default(),
            position: values.get(Quantity::Position),
            velocity: values.get(Quantity::Velocity),
            force: values.get(Quantity::Force),
        }
    }
}

/// How many samples each of the first stages left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Counts {
    pub(super) read: usize,
    pub(super) complete: usize,
    pub(super) trimmed: usize,
    pub(super) resampled: usize,
}

/// The stages in the order in which they were done, as JSON.
pub(super) fn stages(prepared: &Prepared, plan: &Plan) -> Vec<Value> {
    let Prepared {
        record,
        preparation,
        counts,
        raw,
        ..
    } = prepared;
    let mut all = vec![json!({
        "stage": "rows", "read": counts.read, "left_out": counts.read - counts.complete,
    })];
    if let Some((from, to)) = plan.trim {
        all.push(json!({
            "stage": "trim", "from": from, "to": to, "samples": counts.trimmed,
        }));
    }
    if let Some(rate) = plan.rate {
        all.push(json!({
            "stage": "resample", "rate_hz": rate, "samples": counts.resampled,
            "between": "linear",
        }));
    }
    if let Some(cutoff) = record.cutoff {
        let ends = record.weight.iter().take_while(|w| **w == 0.0).count();
        all.push(json!({
            "stage": "lowpass", "kind": "Butterworth, fourth order, forward and backward",
            "cutoff_hz": cutoff, "attenuation_at_cutoff_db": 6.02, "left_out_at_each_end": ends,
        }));
    }
    if record.kind != Kind::Steady && raw.velocity.is_none() && raw.position.is_some() {
        all.push(json!({ "stage": "differentiate", "from": "position", "to": "velocity" }));
    }
    if plan.delay != 0.0 || preparation.delay.is_some() {
        all.push(json!({
            "stage": "delay", "taken_out": plan.delay, "estimated_rest": preparation.delay,
        }));
    }
    let times: Vec<f64> = outliers(record).map(|i| record.t[i]).collect();
    all.push(json!({ "stage": "outliers", "count": preparation.outliers, "times": times }));
    all
}

/// Single samples that are left out, but not the ends.
fn outliers(record: &Record) -> impl Iterator<Item = usize> + '_ {
    let w = &record.weight;
    let inner = 1..w.len().saturating_sub(1);
    inner.filter(|&i| w[i] == 0.0 && w[i - 1] > 0.0 && w[i + 1] > 0.0)
}

/// Raw beside prepared: the force with its outliers, the position and the velocity.
pub(super) fn figures(prepared: &Prepared) -> Vec<(String, Figure)> {
    let (record, raw) = (&prepared.record, &prepared.raw);
    if record.kind == Kind::Steady || raw.t.is_empty() {
        return Vec::new();
    }
    let axis = |label: &str, unit: &str| Axis {
        label: label.to_owned(),
        unit: unit.to_owned(),
    };
    let curve = |label: &str, x: &[f64], y: &[f64]| Curve {
        label: label.to_owned(),
        x: x.to_vec(),
        y: y.to_vec(),
    };
    let figure = |what: &str, unit: &str, curves: Vec<Curve>| Figure {
        title: format!("{}: {what}, raw and prepared", record.name),
        x: axis("time", "s"),
        y: axis(what, unit),
        curves,
    };
    let mut all = Vec::new();
    if let Some(force) = &raw.force {
        let mut curves = vec![
            curve("raw", &raw.t, force),
            curve("prepared", &record.t, &record.force),
        ];
        // a stroke down to the middle of the neighbours for each sample that is left out
        for i in outliers(record).take(MOST_MARKS) {
            let middle = 0.5 * (record.force[i - 1] + record.force[i + 1]);
            let t = [record.t[i], record.t[i]];
            curves.push(curve("left out", &t, &[record.force[i], middle]));
        }
        all.push(("prepared-force".to_owned(), figure("force", "N", curves)));
    }
    let velocity = raw.velocity.clone().or_else(|| {
        let position = raw.position.as_ref()?;
        Some(bristle_identify::derivative(&raw.t, position))
    });
    if let Some(velocity) = velocity {
        let label = if raw.velocity.is_some() {
            "raw"
        } else {
            "differences of raw positions"
        };
        let curves = vec![
            curve(label, &raw.t, &velocity),
            curve("prepared", &record.t, &record.velocity),
        ];
        let figure = figure("velocity", "m/s", curves);
        all.push(("prepared-velocity".to_owned(), figure));
    }
    if let (Some(raw_position), Some(position)) = (&raw.position, &record.position) {
        let curves = vec![
            curve("raw", &raw.t, raw_position),
            curve("prepared", &record.t, position),
        ];
        all.push((
            "prepared-position".to_owned(),
            figure("position", "m", curves),
        ));
    }
    all
}

/// More marks of single samples than this are not told apart.
const MOST_MARKS: usize = 20;
