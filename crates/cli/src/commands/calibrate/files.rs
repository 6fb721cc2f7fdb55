//! The folder of `--out`.

use std::fmt::Write as _;
use std::path::Path;

use bristle_recordings::Problem;
use bristle_report::{Cell, Grid, Report};
use bristle_results::{Axis, Curve, Figure, draw, format_number};

use bristle_identify::machine::Output;

use super::data::MeasuredRun;
use super::{Outcome, json};
use crate::commands::fits::put;

/// Writes the fitted scenario, the JSON, the outputs and their plots, and a page if it is asked
/// for.
pub(super) fn write(folder: &Path, outcome: &Outcome<'_>) -> Result<(), Problem> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let place = folder.display();
        Problem::new(format!("cannot create the folder {place}: {error}"))
    })?;
    put(&folder.join("fitted.toml"), &fitted(outcome))?;
    let options = &outcome.arguments.output_to;
    let mut all = Vec::new();
    for (k, (run, outputs)) in outcome.outputs().enumerate() {
        let suffix = outcome.suffix(k);
        let place = folder.join(format!("outputs{suffix}.csv"));
        put(&place, &table(run, outputs))?;
        for (name, figure) in figures(run, outputs) {
            if !options.no_plots
                && let Ok(svg) = draw(&figure)
            {
                put(&folder.join(format!("{name}{suffix}.svg")), &svg)?;
            }
            all.push(figure);
        }
    }
    if options.report {
        page(outcome, &all)
            .write(folder.join("report.html"))
            .map_err(|error| Problem::new(error.to_string()))?;
    }
    let text = format!("{:#}\n", json::outcome(outcome));
    put(&folder.join("calibrate.json"), &text)
}

/// A scenario that includes the one that was fitted, with the values that were found.
fn fitted(outcome: &Outcome<'_>) -> String {
    let path = Path::new(&outcome.scenario);
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let files: Vec<&str> = outcome.runs.iter().map(|run| &*run.file).collect();
    let mut text = format!("# calibrated with {}\n", files.join(", "));
    let _ = writeln!(text, "include = [{:?}]", whole.display().to_string());
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
    if part.chars().all(bare) {
        part.to_owned()
    } else {
        format!("{part:?}")
    }
}

fn table(run: &MeasuredRun, outputs: &[Output]) -> String {
    let mut text = String::from("t");
    for o in outputs {
        let _ = write!(text, ",{}.measured,{}.model", o.name, o.name);
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
    let axis = |label: &str, unit: &str| Axis {
        label: label.to_owned(),
        unit: unit.to_owned(),
    };
    let curve = |label: &str, y: Vec<f64>| Curve {
        label: label.to_owned(),
        x: run.times.clone(),
        y,
    };
    let mut all = Vec::new();
    for (k, (o, channel)) in outputs.iter().zip(&run.outputs).enumerate() {
        let measured = &channel.series.values;
        let pairs = measured.iter().zip(&o.values);
        let residual = pairs.map(|(measured, model)| measured - model).collect();
        let figure = |title: String, curves: Vec<Curve>| Figure {
            title,
            x: axis("time", "s"),
            y: axis(&o.name, &o.unit),
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

fn page(outcome: &Outcome<'_>, figures: &[Figure]) -> Report {
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
    for figure in figures {
        report = report.figure(figure);
    }
    report
}
