//! The folder of `--out`.

use std::fmt::Write as _;
use std::path::Path;

use bristle_report::{Cell, Grid, Report};
use bristle_results::{Axis, Curve, Figure, draw, format_number};

use super::super::files::put;
use super::{Outcome, json};
use crate::motion::Problem;

/// Writes the fitted scenario, the JSON, the outputs and their plots, and a page if it is asked
/// for.
pub(super) fn write(folder: &Path, outcome: &Outcome<'_>) -> Result<(), Problem> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let place = folder.display();
        Problem::new(format!("cannot create the folder {place}: {error}"))
    })?;
    put(&folder.join("fitted.toml"), &fitted(outcome))?;
    put(&folder.join("outputs.csv"), &table(outcome))?;
    let figures = figures(outcome);
    for (name, figure) in figures.iter().filter(|_| !outcome.arguments.no_plots) {
        if let Ok(svg) = draw(figure) {
            put(&folder.join(format!("{name}.svg")), &svg)?;
        }
    }
    if outcome.arguments.report {
        page(outcome, &figures)
            .write(folder.join("report.html"))
            .map_err(|error| Problem::new(error.to_string()))?;
    }
    let text = format!("{:#}\n", json::outcome(outcome));
    put(&folder.join("identify.json"), &text)
}

/// A scenario that includes the one that was fitted, with the values that were found.
fn fitted(outcome: &Outcome<'_>) -> String {
    let path = Path::new(&outcome.scenario);
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut text = format!("# identified from {}\n", outcome.data.file);
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

fn table(outcome: &Outcome<'_>) -> String {
    let mut text = String::from("t");
    for o in &outcome.found.outputs {
        let _ = write!(text, ",{}.measured,{}.model", o.name, o.name);
    }
    text.push('\n');
    for (i, t) in outcome.data.times.iter().enumerate() {
        text.push_str(&format_number(*t));
        for (o, m) in outcome.found.outputs.iter().zip(&outcome.measured) {
            let (measured, model) = (format_number(m.values[i]), format_number(o.values[i]));
            let _ = write!(text, ",{measured},{model}");
        }
        text.push('\n');
    }
    text
}

fn figures(outcome: &Outcome<'_>) -> Vec<(String, Figure)> {
    let t = &outcome.data.times;
    let axis = |label: &str, unit: &str| Axis {
        label: label.to_owned(),
        unit: unit.to_owned(),
    };
    let curve = |label: &str, y: Vec<f64>| Curve {
        label: label.to_owned(),
        x: t.clone(),
        y,
    };
    let mut all = Vec::new();
    for (k, (o, m)) in outcome
        .found
        .outputs
        .iter()
        .zip(&outcome.measured)
        .enumerate()
    {
        let pairs = m.values.iter().zip(&o.values);
        let residual = pairs.map(|(measured, model)| measured - model).collect();
        let figure = |title: String, curves: Vec<Curve>| Figure {
            title,
            x: axis("time", "s"),
            y: axis(&o.name, &o.unit),
            curves,
        };
        let both = vec![
            curve("measured", m.values.clone()),
            curve("scenario", o.values.clone()),
        ];
        all.push((format!("output-{}", k + 1), figure(o.name.clone(), both)));
        let title = format!("{}: measured minus simulated", o.name);
        let residual = vec![curve("residual", residual)];
        all.push((format!("residual-{}", k + 1), figure(title, residual)));
    }
    all
}

fn page(outcome: &Outcome<'_>, figures: &[(String, Figure)]) -> Report {
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
    let mut report = Report::new(format!("{} from measurements", outcome.scenario))
        .subtitle(outcome.data.file.clone())
        .footer(format!("bristle {}", env!("CARGO_PKG_VERSION")))
        .section("Fields")
        .table(grid)
        .section("Outputs");
    for (_, figure) in figures {
        report = report.figure(figure);
    }
    report
}
