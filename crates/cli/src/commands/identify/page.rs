//! The report page of an identification.

use std::path::Path;

use bristle_identify::{Estimate, Fit, Prediction, Verdict};
use bristle_recordings::Prepared;
use bristle_report::{Cell, Fact, Grid, PageNotice, Report, Result, Tone};

use super::files::{figures, profiles, steady_curve};
use super::{FitOutcome, stages};
use crate::commands::equations;
use crate::commands::fits::{FitStatus, status};

/// Writes `report.html`.
pub(super) fn write(outcome: &FitOutcome, folder: &Path) -> Result<()> {
    let names: Vec<&str> = outcome.train.iter().map(|p| &*p.record.name).collect();
    let laws: Vec<&str> = outcome.fits.iter().map(|fit| &*fit.law).collect();
    let mut report = Report::new(format!("{} from measurements", laws.join(", ")))
        .subtitle(names.join(", "))
        .footer(format!("bristle {}", env!("CARGO_PKG_VERSION")));
    if let [fit] = &outcome.fits[..] {
        let status = status(&fit.parameters);
        let tone = match status {
            FitStatus::Identified => Tone::Good,
            FitStatus::PartlyIdentified => Tone::Caution,
            FitStatus::NotIdentifiable => Tone::Bad,
        };
        report = report.badge(tone, status.words());
    }
    for fit in &outcome.fits {
        let error = bristle_results::format_quantity(fit.rms(), fit.target_unit());
        report = report.fact(Fact::new(format!("{}, error rms", fit.law), error));
    }
    for warning in outcome.warnings() {
        report = report.notice(PageNotice::warning(warning));
    }
    for notice in &outcome.notices {
        report = report.notice(PageNotice::warning(&*notice.text));
    }
    if !outcome.comparison.is_empty() {
        report = report
            .section("Laws side by side")
            .table(comparison(outcome));
    }
    for fit in &outcome.fits {
        report = of_law(report, fit);
    }
    report = report.section("Data").table(data(outcome));
    for prepared in outcome.train.iter().chain(&outcome.test) {
        for (_, figure) in stages::figures(prepared) {
            report = report.figure(&figure);
        }
    }
    report.write(folder.join("report.html"))
}

fn of_law(report: Report, fit: &Fit) -> Report {
    let mut report = report.section(fit.law.clone());
    if let Some(law) = &fit.friction {
        let equations = law.declaration().equations();
        let place = fit.train.iter().map(|p| &*p.record.name);
        let records: Vec<&str> = place.collect();
        let rows = [(&*fit.law, &*records.join(", "), &*equations)];
        report = report.table(equations::grid(rows));
    }
    report = report.table(parameters(fit)).table(errors(fit));
    if let Some(figure) = steady_curve(fit) {
        report = report.figure(&figure);
    }
    for (_, figure) in profiles(fit) {
        report = report.figure(&figure);
    }
    for prediction in fit.train.iter().chain(&fit.test) {
        let x = prediction.record.displacement();
        for (_, figure) in figures(prediction, &x, &fit.law) {
            report = report.figure(&figure);
        }
    }
    report
}

fn parameters(fit: &Fit) -> Grid {
    let heads = [
        "parameter",
        "symbol",
        "value",
        "standard error",
        "95 % from",
        "to",
        "verdict",
        "why",
        "what would decide",
    ];
    let mut grid = Grid::new(format!("Parameters of {}", fit.law), heads);
    for estimate in &fit.parameters {
        let number = |value: Option<f64>| {
            value.map_or(Cell::Empty, |value| Cell::number(value, &*estimate.unit))
        };
        grid.push([
            Cell::text(&*estimate.name),
            Cell::text(&*estimate.symbol),
            number(Some(estimate.value)),
            number(estimate.standard_error),
            number(estimate.interval.map(|interval| interval.0)),
            number(estimate.interval.map(|interval| interval.1)),
            verdict(estimate),
            Cell::text(&*estimate.reason),
            estimate.experiment.clone().map_or(Cell::Empty, Cell::Text),
        ]);
    }
    grid
}

fn verdict(estimate: &Estimate) -> Cell {
    let words = estimate.verdict.words().to_owned();
    match estimate.verdict {
        Verdict::Identified => Cell::Toned(words, Tone::Good),
        Verdict::NotIdentifiable => Cell::Toned(words, Tone::Bad),
        _ => Cell::Text(words),
    }
}

fn errors(fit: &Fit) -> Grid {
    let heads = [
        "record",
        "used to",
        "samples",
        "rms",
        "over rms of the target",
        "largest",
    ];
    let mut grid = Grid::new(format!("Errors of {}", fit.law), heads);
    let mut push = |prediction: &Prediction, used: &str| {
        let errors = &prediction.errors;
        grid.push([
            Cell::text(&*errors.record),
            Cell::text(used),
            Cell::number(errors.samples as f64, "1"),
            Cell::number(errors.rms, fit.target_unit()),
            Cell::number(errors.relative, "1"),
            Cell::number(errors.largest, fit.target_unit()),
        ]);
    };
    fit.train.iter().for_each(|p| push(p, "fit"));
    fit.test.iter().for_each(|p| push(p, "test"));
    grid
}

fn comparison(outcome: &FitOutcome) -> Grid {
    let heads = [
        "law",
        "parameters",
        "rms of the fit",
        "rms of the test",
        "ΔAICc",
    ];
    let mut grid = Grid::new("Best first", heads);
    let unit = outcome.fits.first().map_or("N", Fit::target_unit);
    for row in &outcome.comparison {
        grid.push([
            Cell::text(&*row.law),
            Cell::number(row.parameters as f64, "1"),
            Cell::number(row.train, unit),
            row.test
                .map_or(Cell::Empty, |test| Cell::number(test, unit)),
            Cell::number(row.delta, "1"),
        ]);
    }
    grid
}

fn data(outcome: &FitOutcome) -> Grid {
    let mut grid = Grid::new(
        "Records",
        ["file", "used to", "rows", "samples", "prepared"],
    );
    let mut push = |p: &Prepared, used: &str| {
        grid.push([
            Cell::text(&*p.record.name),
            Cell::text(used),
            Cell::number(p.rows as f64, "1"),
            Cell::number(p.record.counted() as f64, "1"),
            Cell::text(p.preparation.notes.join("; ")),
        ]);
    };
    outcome.train.iter().for_each(|p| push(p, "fit"));
    outcome.test.iter().for_each(|p| push(p, "test"));
    grid
}
