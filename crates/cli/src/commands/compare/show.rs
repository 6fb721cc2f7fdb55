//! What a comparison prints.

use std::path::Path;

use bristle_results::{PairKind, format_quantity};
use bristle_study::compare::{LawComparison, LawRun, PairRun};
use serde_json::{Value, json};

use super::files::{PairName, of_pair, pairs, results_file};
use crate::page;

/// Table and remarks.
pub(super) fn text(comparison: &LawComparison, runs: &[LawRun], out: &Path) {
    let mut page = page::new();
    page.bold(comparison.title());
    for pair in pairs(runs) {
        let PairName { kind, name } = pair;
        page.heading(&format!("{} {name}", kind.word()));
        let heads = [
            "law",
            "first slip",
            "stuck",
            "sticks",
            "peak force",
            "peak F/N",
            "drift",
            "creep",
            "dissipated",
        ];
        let rows: Vec<Vec<String>> = of_pair(runs, pair)
            .map(|(run, found)| row(run, found))
            .collect();
        page.table(&heads, &rows);
        page.line("");
        for (run, found) in of_pair(runs, pair) {
            for remark in &found.behaviour.remarks {
                page.paragraph(&format!("  {}: ", run.label), remark);
            }
        }
    }
    page.heading("effort");
    let heads = ["law", "steps", "rejected", "iterations", "time", "status"];
    let rows: Vec<Vec<String>> = runs.iter().map(effort).collect();
    page.table(&heads, &rows);
    let notes: Vec<(&LawRun, &String)> = runs
        .iter()
        .flat_map(|run| run.notes.iter().map(move |note| (run, note)))
        .collect();
    if !notes.is_empty() {
        page.heading("converted parameters");
        for (run, note) in notes {
            let lead = if run.label == run.law {
                "  ".to_owned()
            } else {
                format!("  {}: ", run.label)
            };
            page.paragraph(&lead, note);
        }
    }
    page.line("");
    page.line(&format!("plots and tables in {}", out.display()));
    page::print(page);
}

fn row(run: &LawRun, pair: &PairRun) -> Vec<String> {
    let quantity = |value: Option<f64>, unit: &str| {
        value.map_or_else(|| "–".to_owned(), |value| rounded(value, unit))
    };
    let (slip, behaviour, units) = (&pair.summary, &pair.behaviour, pair.trace.units);
    vec![
        run.label.clone(),
        slip.first_slip_time
            .map_or_else(|| "never".to_owned(), |t| format_quantity(t, "s")),
        rounded(slip.stuck_time(), "s"),
        format!("{} times", slip.stick_intervals.len()),
        rounded(behaviour.peak_force, units.force),
        format!("{:.4}", behaviour.peak_ratio),
        quantity(behaviour.drift, units.slip),
        quantity(behaviour.creep, units.speed),
        rounded(slip.dissipated, "J"),
    ]
}

/// Three digits are enough where numbers stand side by side.
fn rounded(value: f64, unit: &str) -> String {
    let short = format!("{value:.2e}").parse().unwrap_or(value);
    format_quantity(short, unit)
}

fn effort(run: &LawRun) -> Vec<String> {
    let status = match (&run.summary, &run.reason) {
        (_, None) => "complete".to_owned(),
        (Some(_), Some(reason)) => format!("failed: {reason}"),
        (None, Some(reason)) => format!("refused: {reason}"),
    };
    let summary = run.summary.as_ref();
    let count = |of: fn(&bristle_results::Summary) -> u64| {
        summary.map_or_else(|| "–".to_owned(), |summary| of(summary).to_string())
    };
    vec![
        run.label.clone(),
        count(|s| s.steps),
        count(|s| s.rejected_steps),
        count(|s| s.iterations),
        summary.map_or_else(|| "–".to_owned(), |s| rounded(s.wall_s, "s")),
        status,
    ]
}

/// Everything for programs.
pub(super) fn json(comparison: &LawComparison, runs: &[LawRun], scenario: &Path) -> Value {
    let pair = |c: &PairRun| {
        let (slip, behaviour, units) = (&c.summary, &c.behaviour, c.trace.units);
        let fields = json!({
            "first_slip_time": slip.first_slip_time,
            "stick_intervals": slip.stick_intervals,
            "stuck_time": slip.stuck_time(),
            "stick_count": slip.stick_intervals.len(),
            "max_slip_speed": slip.max_slip_speed,
            "friction_radius": slip.friction_radius,
            "dissipated": slip.dissipated,
            "peak_force": behaviour.peak_force,
            "peak_time": behaviour.peak_time,
            "peak_ratio": behaviour.peak_ratio,
            "drift": behaviour.drift,
            "creep": behaviour.creep,
            "remarks": behaviour.remarks,
            "units": { "force": units.force, "slip": units.slip, "speed": units.speed },
        });
        (c.name.clone(), fields)
    };
    let law = |run: &LawRun| {
        let of = |kind: PairKind| -> serde_json::Map<String, Value> {
            let pairs = run.pairs.iter().filter(|pair| pair.kind == kind);
            pairs.map(pair).collect()
        };
        let summary = run.summary.as_ref();
        let results = run.table.as_ref().map(|table| {
            let channels = table.channels().iter();
            let channels = channels.map(|c| json!([c.name, c.unit, c.meaning]));
            json!({ "file": results_file(run), "channels": channels.collect::<Vec<_>>() })
        });
        json!({
            "results": results,
            "law": run.label,
            "catalogue_name": run.law,
            "status": match (summary, &run.reason) {
                (_, None) => "complete",
                (Some(_), Some(_)) => "failed",
                (None, Some(_)) => "refused",
            },
            "reason": run.reason,
            "steps": summary.map(|s| s.steps),
            "rejected_steps": summary.map(|s| s.rejected_steps),
            "iterations": summary.map(|s| s.iterations),
            "wall_s": summary.map(|s| s.wall_s),
            "end_time": summary.map(|s| s.end_time),
            "energy": summary.map(|s| s.energy),
            "contacts": of(PairKind::Contact),
            "joints": of(PairKind::Joint),
            "changes": run.changes,
            "notes": run.notes,
        })
    };
    json!({
        "scenario": scenario.display().to_string(),
        "title": comparison.title(),
        "version": env!("CARGO_PKG_VERSION"),
        "laws": runs.iter().map(law).collect::<Vec<_>>(),
    })
}
