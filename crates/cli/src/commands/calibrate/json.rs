//! The result as JSON.

use serde_json::{Value, json};

use super::CalibrationOutcome;
use crate::commands::fits::{estimate, status};

pub(super) fn outcome(outcome: &CalibrationOutcome<'_>) -> Value {
    let found = &outcome.found;
    let names: Vec<&str> = found.unknowns.iter().map(|u| &*u.name).collect();
    let outputs = outcome.outputs().flat_map(|(run, outputs)| {
        let each = outputs.iter().zip(&run.outputs);
        each.map(|(o, channel)| {
            json!({
                "file": run.file, "channel": o.name, "column": channel.series.name,
                "unit": o.unit, "rms": o.rms, "relative": o.relative,
                "correlation_time_samples": o.correlation_time,
            })
        })
    });
    let inputs = outcome.runs.first().into_iter().flat_map(|run| &run.inputs);
    let data = outcome
        .runs
        .iter()
        .map(|run| json!({ "file": run.file, "samples": run.times.len(), "notes": run.notes }));
    json!({
        "scenario": outcome.scenario,
        "status": status(&found.unknowns).words(),
        "parameters": found.unknowns.iter().map(estimate).collect::<Vec<_>>(),
        "correlations": { "names": names, "matrix": found.correlations },
        "outputs": outputs.collect::<Vec<_>>(),
        "inputs": inputs.map(|i| &*i.path).collect::<Vec<_>>(),
        "set": outcome.changes(),
        "optimiser": { "iterations": found.iterations },
        "data": data.collect::<Vec<_>>(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}
