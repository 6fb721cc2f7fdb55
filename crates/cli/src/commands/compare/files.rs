//! The folder of a comparison: tables and overlaid plots.

use std::path::Path;

use bristle_results::{
    Figure, FigureAxis, FigureCurve, FolderMaker, Foreign, OutputFolder, Result, draw,
    format_number,
};
use bristle_study::compare::{ContactRun, LawRun, along};
use serde_json::Value;

use crate::commands::escape::csv_cell;

const TABLE: &str = "compare.csv";
/// Written last: where it is, the folder is complete.
const SUMMARY: &str = "compare.json";

/// Creates the folder, or opens that of an earlier comparison, which is replaced.
pub(super) fn prepare(out: &Path, foreign: Foreign) -> Result<OutputFolder> {
    let maker = FolderMaker {
        command: "compare",
        last: SUMMARY,
    };
    let folder = OutputFolder::open(out, maker, foreign)?;
    folder.remove(TABLE)?;
    Ok(folder)
}

/// Writes everything.
pub(super) fn write(
    runs: &[LawRun],
    json: &Value,
    folder: OutputFolder,
    plots: bool,
) -> Result<()> {
    if plots {
        for name in contacts(runs) {
            for (file, figure) in figures(runs, &name) {
                // a contact without slip has no loop to draw
                if let Ok(svg) = draw(&figure) {
                    folder.write(&file, svg.as_bytes())?;
                }
            }
        }
    }
    folder.write(TABLE, csv(runs).as_bytes())?;
    folder.finish(format!("{json:#}\n").as_bytes())
}

/// Names of the contacts, in order.
pub(super) fn contacts(runs: &[LawRun]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for contact in runs.iter().flat_map(|run| &run.contacts) {
        if !names.contains(&contact.name) {
            names.push(contact.name.clone());
        }
    }
    names
}

/// One row for each law and contact.
fn csv(runs: &[LawRun]) -> String {
    let mut text = "law,catalogue_name,contact,status,first_slip_time,stuck_time,stick_count,\
                    max_slip_speed,peak_force,peak_time,peak_ratio,drift,creep,dissipated,\
                    energy_dissipated,energy_relative_imbalance,steps,rejected_steps,iterations,wall_s\n"
        .to_owned();
    let number = |value: Option<f64>| {
        value
            .filter(|v| v.is_finite())
            .map_or_else(String::new, format_number)
    };
    for run in runs {
        let Some(summary) = &run.summary else {
            let rest = ",".repeat(16);
            text += &[
                csv_cell(&run.label),
                format!("{},,refused{rest}\n", run.law),
            ]
            .join(",");
            continue;
        };
        let status = if run.reason.is_some() {
            "failed"
        } else {
            "complete"
        };
        for contact in &run.contacts {
            let (slip, behaviour) = (&contact.summary, &contact.behaviour);
            let cells = [
                csv_cell(&run.label),
                run.law.clone(),
                csv_cell(&contact.name),
                status.to_owned(),
                number(slip.first_slip_time),
                number(Some(slip.stuck_time())),
                slip.stick_intervals.len().to_string(),
                number(Some(slip.max_slip_speed)),
                number(Some(behaviour.peak_force)),
                number(Some(behaviour.peak_time)),
                number(Some(behaviour.peak_ratio)),
                number(behaviour.drift),
                number(behaviour.creep),
                number(Some(slip.dissipated)),
                number(Some(summary.energy.dissipated)),
                number(Some(summary.energy.relative_imbalance)),
                summary.steps.to_string(),
                summary.rejected_steps.to_string(),
                summary.iterations.to_string(),
                number(Some(summary.wall_s)),
            ];
            text.push_str(&cells.join(","));
            text.push('\n');
        }
    }
    text
}

/// What an axis shows: quantity, unit, and the values of a contact.
type AxisQuantity<'q> = (&'q str, &'q str, &'q dyn Fn(&ContactRun) -> Vec<f64>);

/// Overlaid plots of one contact, with the names of their files.
pub(super) fn figures(runs: &[LawRun], name: &str) -> Vec<(String, Figure)> {
    let contact = |run: &'_ LawRun| run.contacts.iter().position(|c| c.name == name);
    let all: Vec<(&LawRun, &ContactRun)> = runs
        .iter()
        .filter_map(|run| Some((run, run.contacts.get(contact(run)?)?)))
        .collect();
    // one direction for all laws, so that signs can be compared
    let Some(direction) = all.iter().find_map(|(_, c)| c.trace.direction()) else {
        return Vec::new();
    };
    let force = |c: &ContactRun| along(&c.trace.force, &direction);
    let slip = |c: &ContactRun| along(&c.trace.slip, &direction);
    let velocity = |c: &ContactRun| along(&c.trace.velocity, &direction);
    let time = |c: &ContactRun| c.trace.t.clone();
    let (t, f): (AxisQuantity<'_>, AxisQuantity<'_>) =
        (("time", "s", &time), ("friction", "N", &force));
    let (u, v): (AxisQuantity<'_>, AxisQuantity<'_>) =
        (("slip", "m", &slip), ("slip velocity", "m/s", &velocity));
    let mut figures = Vec::new();
    for (file, title, x, y) in [
        ("friction", "Friction over time", t, f),
        ("loop", "Friction over slip", u, f),
        ("characteristic", "Friction over slip velocity", v, f),
        ("slip", "Slip over time", t, u),
        ("velocity", "Slip velocity over time", t, v),
    ] {
        let curves = all.iter().map(|(run, c)| FigureCurve {
            label: run.label.clone(),
            x: (x.2)(c),
            y: (y.2)(c),
        });
        let axis = |(label, unit, _): AxisQuantity<'_>| FigureAxis {
            label: label.to_owned(),
            unit: unit.to_owned(),
        };
        let figure = Figure {
            title: format!("{title}, contact {name}"),
            x: axis(x),
            y: axis(y),
            curves: curves.collect(),
        };
        figures.push((format!("{file}_{name}.svg"), figure));
    }
    figures
}
