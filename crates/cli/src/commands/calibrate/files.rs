//! The folder of `--out`.

use std::fmt::Write as _;
use std::path::Path;

use bristle_report::{Cell, Grid, Report};
use bristle_results::{
    Figure, FigureAxis, FigureCurve, FolderMaker, OutputFolder, Result, format_number,
};

use bristle_identify::machine::Output;

use super::data::MeasuredRun;
use super::{CalibrationOutcome, json};
use crate::commands::escape::{csv_cell, one_line, toml_text};
use crate::commands::fits::plot;

/// Writes the fitted scenario, the JSON, the outputs and their plots.
pub(super) fn write(folder: &Path, outcome: &CalibrationOutcome<'_>) -> Result<()> {
    let maker = FolderMaker {
        command: "calibrate",
        last: "calibrate.json",
    };
    let options = &outcome.arguments.output_to;
    let place = OutputFolder::open(folder, maker, options.force.into())?;
    place.write("fitted.toml", fitted(outcome).as_bytes())?;
    for (k, (run, outputs)) in outcome.outputs().enumerate() {
        let suffix = outcome.suffix(k);
        let name = format!("outputs{suffix}.csv");
        place.write(&name, table(run, outputs).as_bytes())?;
        let Some(format) = options.plots() else {
            continue;
        };
        for (name, figure) in figures(run, outputs) {
            plot(&place, &format!("{name}{suffix}"), figure, format)?;
        }
    }
    let text = format!("{:#}\n", json::outcome(outcome));
    place.finish(text.as_bytes())
}

/// A scenario that includes the one that was fitted, with the values that were found.
fn fitted(outcome: &CalibrationOutcome<'_>) -> String {
    let path = Path::new(&outcome.scenario);
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let files: Vec<&str> = outcome.runs.iter().map(|run| &*run.file).collect();
    let mut text = format!("# calibrated with {}\n", one_line(&files.join(", ")));
    let include = toml_text(&whole.display().to_string());
    let _ = writeln!(text, "include = [{include}]");
    for u in &outcome.found.unknowns {
        let error = u
            .standard_error
            .map_or_else(String::new, |s| format!(" ± {s:.1e}"));
        let key: Vec<String> = u.name.split('.').map(key).collect();
        let _ = writeln!(
            text,
            "{} = {:?}  # {}{error}, {}",
            key.join("."),
            u.value,
            u.unit,
            u.verdict.words()
        );
    }
    text
}

/// A part of a path as TOML has it.
fn key(part: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !part.is_empty() && part.chars().all(bare) {
        part.to_owned()
    } else {
        toml_text(part)
    }
}

fn table(run: &MeasuredRun, outputs: &[Output]) -> String {
    let mut text = String::from("t");
    for o in outputs {
        let of = |what: &str| csv_cell(&format!("{}.{what}", o.name));
        let _ = write!(text, ",{},{}", of("measured"), of("model"));
    }
    text.push('\n');
    for (i, t) in run.times.iter().enumerate() {
        text.push_str(&format_number(*t));
        for (o, channel) in outputs.iter().zip(&run.outputs) {
            let measured = format_number(channel.series.values[i]);
            let _ = write!(text, ",{measured},{}", format_number(o.values[i]));
        }
        text.push('\n');
    }
    text
}

fn figures(run: &MeasuredRun, outputs: &[Output]) -> Vec<(String, Figure)> {
    let curve = |label: &str, y: Vec<f64>| FigureCurve::new(label, &*run.times, y);
    let mut all = Vec::new();
    for (k, (o, channel)) in outputs.iter().zip(&run.outputs).enumerate() {
        let measured = &channel.series.values;
        let pairs = measured.iter().zip(&o.values);
        let residual = pairs.map(|(measured, model)| measured - model).collect();
        let figure = |title: String, curves: Vec<FigureCurve>| Figure {
            title,
            x: FigureAxis::new("time", "s"),
            y: FigureAxis::new(&*o.name, &*o.unit),
            curves,
        };
        let both = vec![
            curve("measured", measured.clone()),
            curve("scenario", o.values.clone()),
        ];
        all.push((format!("output-{}", k + 1), figure(o.name.clone(), both)));
        let title = format!("{}: measured minus simulated", o.name);
        let residual = vec![curve("residual", residual)];
        all.push((format!("residual-{}", k + 1), figure(title, residual)));
    }
    all
}

/// The page of the report.
pub(super) fn page(outcome: &CalibrationOutcome<'_>) -> Report {
    let heads = ["field", "value", "standard error", "verdict", "why"];
    let mut grid = Grid::new("Free fields", heads);
    for u in &outcome.found.unknowns {
        grid.push([
            Cell::text(&*u.name),
            Cell::number(u.value, &*u.unit),
            u.standard_error
                .map_or(Cell::Empty, |s| Cell::number(s, &*u.unit)),
            Cell::text(u.verdict.words()),
            Cell::text(&*u.reason),
        ]);
    }
    let files: Vec<&str> = outcome.runs.iter().map(|run| &*run.file).collect();
    let mut report = Report::new(format!("{} from measurements", outcome.scenario))
        .subtitle(files.join(", "))
        .footer(format!("bristle {}", env!("CARGO_PKG_VERSION")))
        .section("Fields")
        .table(grid)
        .section("Outputs");
    for (run, outputs) in outcome.outputs() {
        for (_, figure) in figures(run, outputs) {
            report = report.figure(&figure);
        }
    }
    report
}
