//! The folder of a comparison: tables and overlaid plots.

use std::path::Path;

use bristle_results::{
    Error, Figure, FigureAxis, FigureCurve, FolderMaker, Foreign, OutputFolder, PairKind,
    PlotFormat, Result, format_number,
};
use bristle_study::compare::{LawRun, PairRun, along};
use serde_json::Value;

use crate::commands::escape::csv_cell;

const TABLE: &str = "compare.csv";
/// Columns of the table.
const COLUMNS: usize = 24;
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
    plots: Option<PlotFormat>,
) -> Result<()> {
    if let Some(format) = plots {
        for name in pairs(runs) {
            for (file, figure) in figures(runs, name) {
                // without slip there is no loop to draw
                match folder.write_drawing(&file, &figure.into(), format) {
                    Ok(()) | Err(Error::EmptyPlot { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }
    for run in runs {
        if let Some(table) = &run.table {
            folder.write(&results_file(run), &table.csv()?)?;
        }
    }
    folder.write(TABLE, csv(runs).as_bytes())?;
    folder.finish(format!("{json:#}\n").as_bytes())
}

/// The file of the channels of a law's run.
pub(super) fn results_file(run: &LawRun) -> String {
    format!("results_{}.csv", run.label)
}

/// What a contact or a joint is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PairName<'r> {
    pub(super) kind: PairKind,
    pub(super) name: &'r str,
}

impl PairName<'_> {
    fn is_of(self, pair: &PairRun) -> bool {
        pair.kind == self.kind && pair.name == self.name
    }
}

/// The contacts and joints, in order.
pub(super) fn pairs(runs: &[LawRun]) -> Vec<PairName<'_>> {
    let mut names: Vec<PairName<'_>> = Vec::new();
    for pair in runs.iter().flat_map(|run| &run.pairs) {
        let name = PairName {
            kind: pair.kind,
            name: &pair.name,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The runs that have a contact or joint.
pub(super) fn of_pair<'r>(
    runs: &'r [LawRun],
    name: PairName<'r>,
) -> impl Iterator<Item = (&'r LawRun, &'r PairRun)> {
    let found = move |run: &'r LawRun| {
        let pair = run.pairs.iter().find(|pair| name.is_of(pair))?;
        Some((run, pair))
    };
    runs.iter().filter_map(found)
}

/// One row for each law and contact or joint.
fn csv(runs: &[LawRun]) -> String {
    let mut text = "law,catalogue_name,kind,name,status,first_slip_time,stuck_time,stick_count,\
                    max_slip_speed,peak_force,peak_time,peak_ratio,drift,creep,dissipated,\
                    energy_dissipated,energy_relative_imbalance,steps,rejected_steps,iterations,wall_s,\
                    force_unit,slip_unit,speed_unit\n"
        .to_owned();
    let number = |value: Option<f64>| {
        value
            .filter(|v| v.is_finite())
            .map_or_else(String::new, format_number)
    };
    for run in runs {
        let Some(summary) = &run.summary else {
            let rest = ",".repeat(COLUMNS - 5);
            text += &[
                csv_cell(&run.label),
                format!("{},,,refused{rest}\n", run.law),
            ]
            .join(",");
            continue;
        };
        let status = if run.reason.is_some() {
            "failed"
        } else {
            "complete"
        };
        for pair in &run.pairs {
            let (slip, behaviour, units) = (&pair.summary, &pair.behaviour, pair.trace.units);
            let cells: [String; COLUMNS] = [
                csv_cell(&run.label),
                run.law.clone(),
                pair.kind.word().to_owned(),
                csv_cell(&pair.name),
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
                units.force.to_owned(),
                units.slip.to_owned(),
                units.speed.to_owned(),
            ];
            text.push_str(&cells.join(","));
            text.push('\n');
        }
    }
    text
}

/// What an axis shows: quantity, unit, and the values of a contact or joint.
type AxisQuantity<'q> = (&'q str, &'q str, &'q dyn Fn(&PairRun) -> Vec<f64>);

/// Overlaid plots of one contact or joint, with the names of their files.
pub(super) fn figures(runs: &[LawRun], of: PairName<'_>) -> Vec<(String, Figure)> {
    let all: Vec<(&LawRun, &PairRun)> = of_pair(runs, of).collect();
    // one direction for all laws, so that signs can be compared
    let Some(direction) = all.iter().find_map(|(_, c)| c.trace.direction()) else {
        return Vec::new();
    };
    let force = |c: &PairRun| along(&c.trace.force, &direction);
    let slip = |c: &PairRun| along(&c.trace.slip, &direction);
    let velocity = |c: &PairRun| along(&c.trace.velocity, &direction);
    let time = |c: &PairRun| c.trace.t.clone();
    let units = all
        .first()
        .map(|(_, pair)| pair.trace.units)
        .unwrap_or_default();
    let (t, f): (AxisQuantity<'_>, AxisQuantity<'_>) =
        (("time", "s", &time), ("friction", units.force, &force));
    let (u, v): (AxisQuantity<'_>, AxisQuantity<'_>) = (
        ("slip", units.slip, &slip),
        ("slip velocity", units.speed, &velocity),
    );
    let PairName { kind, name } = of;
    // a joint of the same name as a contact has files of its own
    let taken = PairName {
        kind: PairKind::Contact,
        name,
    };
    let taken = kind == PairKind::Joint && of_pair(runs, taken).next().is_some();
    let word = if taken { "joint_" } else { "" };
    let mut figures = Vec::new();
    for (file, title, x, y) in [
        ("friction", "Friction over time", t, f),
        ("loop", "Friction over slip", u, f),
        ("characteristic", "Friction over slip velocity", v, f),
        ("slip", "Slip over time", t, u),
        ("velocity", "Slip velocity over time", t, v),
    ] {
        let curves = all
            .iter()
            .map(|(run, c)| FigureCurve::new(&*run.label, (x.2)(c), (y.2)(c)));
        let axis = |(label, unit, _): AxisQuantity<'_>| FigureAxis::new(label, unit);
        let figure = Figure {
            title: format!("{title}, {} {name}", kind.word()),
            x: axis(x),
            y: axis(y),
            curves: curves.collect(),
        };
        figures.push((format!("{file}_{word}{name}"), figure));
    }
    figures
}
