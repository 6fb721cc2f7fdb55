//! The result as people read it.

use std::fmt::Write as _;

use bristle_identify::{Fit, RecordKind, Verdict};
use bristle_recordings::{MotionUnits, UsedColumn};
use bristle_units::number_of;

use super::FitOutcome;
use crate::args::OutputArguments;
use crate::commands::fits::{significant, status, with_error};
use crate::render;
use crate::terminal::Stream;

/// Prints tables to standard output, unless it is to be quiet, and warnings to standard error.
pub(super) fn print(outcome: &FitOutcome, to: &OutputArguments) {
    let mut text = String::new();
    for p in outcome.train.iter().chain(&outcome.test) {
        let _ = writeln!(
            text,
            "{}: {}",
            p.record.name,
            number_of(p.record.counted(), "sample", "samples")
        );
        for column in &p.columns {
            let _ = writeln!(text, "  {}", mapped(column, p.record.units));
        }
        for note in &p.preparation.notes {
            let _ = writeln!(text, "  {note}");
        }
    }
    for fit in &outcome.fits {
        one(fit, &mut text);
    }
    if !outcome.comparison.is_empty() {
        comparison(outcome, &mut text);
    }
    if let Some(folder) = &to.out {
        let _ = writeln!(text, "\nwritten to {}", folder.display());
    }
    if !to.quiet {
        Stream::Out.print(&text);
    }
    for warning in outcome.warnings() {
        warn(&warning);
    }
    for notice in &outcome.notices {
        warn(&notice.text);
    }
}

/// What a column is taken for: its name, unit and factor, and what disturbs it.
fn mapped(column: &UsedColumn, units: MotionUnits) -> String {
    let quantity = column.quantity;
    let unit = if column.unit.is_empty() {
        "no unit"
    } else {
        &column.unit
    };
    let mut text = format!("{:12} \"{}\" [{unit}]", quantity.name(), column.name);
    let si = quantity.units();
    let turns = usize::from(units == MotionUnits::Angular);
    let si = si[turns.min(si.len() - 1)];
    if (column.factor - 1.0).abs() > f64::EPSILON {
        let _ = write!(text, " × {} in {si}", significant(column.factor));
    } else if column.unit.is_empty() {
        let _ = write!(text, ", taken as {si}");
    }
    if let Some(noise) = column.noise {
        if noise.deviation > 0.0 {
            let _ = write!(text, ", noise {}", significant(noise.deviation));
        }
        if let Some(step) = noise.step {
            let _ = write!(text, ", steps of {}", significant(step));
        }
    }
    text
}

fn warn(text: &str) {
    render::print_one(
        &bristle_scenario::Diagnostic::warning(text),
        &bristle_scenario::SourceMap::new(),
    );
}

fn one(fit: &Fit, text: &mut String) {
    let _ = writeln!(text, "\n{}: {}", fit.law, status(&fit.parameters).words());
    parameters(fit, text);
    profiles(fit, text);
    errors(fit, text);
    residuals(fit, text);
}

/// A table of the parameters, and what is to be known of those that are not.
fn parameters(fit: &Fit, text: &mut String) {
    let rows: Vec<[String; 5]> = fit
        .parameters
        .iter()
        .map(|e| {
            let interval = e.interval.map_or_else(String::new, |(low, high)| {
                format!("{} … {}", significant(low), significant(high))
            });
            [
                e.name.clone(),
                with_error(e),
                e.unit.clone(),
                interval,
                e.verdict.words().to_owned(),
            ]
        })
        .collect();
    let head = ["parameter", "value", "unit", "95 % interval", "verdict"].map(str::to_owned);
    let width = |k: usize| {
        let cells = rows.iter().chain([&head]).map(|r| r[k].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..5).map(width).collect();
    for row in [&head].into_iter().chain(&rows) {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, w)| {
                let pad = w - cell.chars().count();
                format!("{cell}{}", " ".repeat(pad))
            })
            .collect();
        let _ = writeln!(text, "  {}", cells.join("  ").trim_end());
    }
    for e in fit
        .parameters
        .iter()
        .filter(|e| !matches!(e.verdict, Verdict::Identified | Verdict::Fixed))
    {
        let _ = writeln!(text, "  {}: {}", e.name, e.reason);
        if let Some(experiment) = &e.experiment {
            let _ = writeln!(text, "    to identify it: {experiment}");
        }
    }
}

fn profiles(fit: &Fit, text: &mut String) {
    for p in &fit.profiles {
        let end = |x: Option<f64>| x.map_or_else(|| "open".to_owned(), significant);
        let _ = writeln!(
            text,
            "  profile of {}: {} … {} {}",
            p.name,
            end(p.low),
            end(p.high),
            p.unit
        );
    }
}

/// The errors of each record.
fn errors(fit: &Fit, text: &mut String) {
    for (what, all) in [("fitted", &fit.train), ("test  ", &fit.test)] {
        for p in all {
            let e = &p.errors;
            let what_is = p.record.units.name(if p.record.kind == RecordKind::Free {
                "position"
            } else {
                "force"
            });
            let _ = writeln!(
                text,
                "  {what}  {}: error {} {} rms, {:.2} % of the {what_is}; largest {}",
                e.record,
                significant(e.rms),
                p.record.target_unit(),
                100.0 * e.relative,
                significant(e.largest)
            );
        }
    }
}

fn residuals(fit: &Fit, text: &mut String) {
    let r = &fit.residuals;
    let whole = if r.white {
        "white".to_owned()
    } else {
        format!("correlated over {:.0} samples", r.correlation_time)
    };
    let _ = write!(text, "  residuals: {whole}");
    for (i, part) in r.structure.iter().enumerate() {
        let share = 100.0 * part.share;
        let _ = match i {
            0 => write!(
                text,
                "; {share:.0} % of their variance depends on {}",
                part.against
            ),
            _ => write!(text, ", {share:.0} % on {}", part.against),
        };
    }
    let _ = writeln!(text);
}

fn comparison(outcome: &FitOutcome, text: &mut String) {
    let unit = outcome.fits.first().map_or("", Fit::target_unit);
    let [error, test] = ["error", "test"].map(|name| format!("{name} [{unit}]"));
    let _ = writeln!(
        text,
        "\n  {:24} {:>10} {error:>12} {test:>12} {:>10}",
        "law", "parameters", "ΔAICc"
    );
    for c in &outcome.comparison {
        let test = c.test.map_or_else(|| "–".to_owned(), significant);
        let _ = writeln!(
            text,
            "  {:24} {:>10} {:>12} {:>12} {:>10.1}",
            c.law,
            c.parameters,
            significant(c.train),
            test,
            c.delta
        );
    }
}
