//! The report page of a comparison.

use std::path::Path;

use bristle_report::{Cell, Fact, Grid, PageNotice, Report, Result, Tone};
use bristle_results::PairKind;
use bristle_study::compare::{LawComparison, LawRun};

use super::files::{PairName, figures, of_pair, pairs};

/// Writes `report.html`.
pub(super) fn write(
    comparison: &LawComparison,
    runs: &[LawRun],
    scenario: &Path,
    out: &Path,
) -> Result<()> {
    let failed = runs.iter().filter(|run| run.reason.is_some()).count();
    let (tone, word) = if failed == 0 {
        (Tone::Good, "complete".to_owned())
    } else {
        (Tone::Bad, format!("{failed} failed"))
    };
    let labels: Vec<&str> = runs.iter().map(|run| run.label.as_str()).collect();
    let mut report = Report::new(comparison.title())
        .subtitle(format!(
            "{} under {}",
            scenario.display(),
            labels.join(", ")
        ))
        .badge(tone, word)
        .fact(Fact::new("laws", runs.len().to_string()))
        .footer(format!("bristle {}", env!("CARGO_PKG_VERSION")));
    for run in runs {
        if let Some(reason) = &run.reason {
            report = report.notice(PageNotice::error(format!("{}: {reason}", run.label)));
        }
        for pair in &run.pairs {
            for remark in &pair.behaviour.remarks {
                let (kind, name) = (pair.kind.word(), &pair.name);
                let text = format!("{}, {kind} {name}: {remark}", run.label);
                report = report.notice(PageNotice::info(text));
            }
        }
    }
    for pair in pairs(runs) {
        let PairName { kind, name } = pair;
        let heading = match kind {
            PairKind::Contact => format!("Contact {name}"),
            PairKind::Joint => format!("Joint {name}"),
        };
        report = report.section(heading).table(slips(runs, pair));
        for (_, figure) in figures(runs, pair) {
            report = report.figure(&figure);
        }
    }
    report = report.section("Effort").table(effort(runs));
    let mut notes = Grid::new("Converted parameters", ["law", "note"]);
    for run in runs {
        for note in &run.notes {
            notes.push([Cell::text(&*run.label), Cell::text(&**note)]);
        }
    }
    if !notes.is_empty() {
        report = report.section("Parameters").table(notes);
    }
    report.write(out.join("report.html"))
}

fn quantity(value: Option<f64>, unit: &str) -> Cell {
    value.map_or(Cell::Empty, |value| Cell::number(value, unit))
}

fn slips(runs: &[LawRun], name: PairName<'_>) -> Grid {
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
    let mut grid = Grid::new("Slip, force and energy", heads);
    for (run, pair) in of_pair(runs, name) {
        let (slip, behaviour, units) = (&pair.summary, &pair.behaviour, pair.trace.units);
        grid.push([
            Cell::text(&*run.label),
            quantity(slip.first_slip_time, "s"),
            quantity(Some(slip.stuck_time()), "s"),
            quantity(Some(slip.stick_intervals.len() as f64), "1"),
            quantity(Some(behaviour.peak_force), units.force),
            quantity(Some(behaviour.peak_ratio), "1"),
            quantity(behaviour.drift, units.slip),
            quantity(behaviour.creep, units.speed),
            quantity(Some(slip.dissipated), "J"),
        ]);
    }
    grid
}

fn effort(runs: &[LawRun]) -> Grid {
    let heads = [
        "law",
        "steps",
        "rejected",
        "iterations",
        "time on the clock",
    ];
    let mut grid = Grid::new("Steps and time", heads);
    for run in runs {
        let Some(summary) = &run.summary else {
            continue;
        };
        grid.push([
            Cell::text(&*run.label),
            Cell::number(summary.steps as f64, "1"),
            Cell::number(summary.rejected_steps as f64, "1"),
            Cell::number(summary.iterations as f64, "1"),
            Cell::number(summary.wall_s, "s"),
        ]);
    }
    grid
}
