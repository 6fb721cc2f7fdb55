//! The result as JSON.

use serde_json::{Value, json};

use super::super::json::{estimate, word};
use super::Outcome;

pub(super) fn outcome(outcome: &Outcome<'_>) -> Value {
    let found = &outcome.found;
    let names: Vec<&str> = found.unknowns.iter().map(|u| &*u.name).collect();
    let outputs = found.outputs.iter().zip(&outcome.data.outputs);
    let outputs: Vec<Value> = outputs
        .map(|(o, column)| {
            json!({
                "channel": o.name, "column": column.source, "unit": o.unit, "rms": o.rms,
                "relative": o.relative, "correlation_time_samples": o.correlation_time,
            })
        })
        .collect();
    let inputs = &outcome.data.inputs;
    json!({
        "scenario": outcome.scenario,
        "status": word(&found.unknowns),
        "parameters": found.unknowns.iter().map(estimate).collect::<Vec<_>>(),
        "correlations": { "names": names, "matrix": found.correlations },
        "outputs": outputs,
        "inputs": inputs.iter().map(|i| &*i.path).collect::<Vec<_>>(),
        "set": outcome.changes(),
        "optimiser": { "iterations": found.iterations },
        "data": [{
            "file": outcome.data.file, "samples": outcome.data.times.len(),
            "notes": outcome.data.notes,
        }],
        "version": env!("CARGO_PKG_VERSION"),
    })
}
