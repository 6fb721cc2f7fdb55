//! What a response prints.

use bristle_response::{MarkedPoint, PairResult};
use bristle_results::{TextPage, format_quantity};
use bristle_units::{number_of, significant};

use super::reading::leading_amplitude;
use super::reading::stable;
use super::table::{pair_name, phase};
use super::time::{self, TimeCheck};
use super::{CaseCurve, CaseEnding, ResponseOutcome, optimise};
use crate::exit::Exit;
use crate::{page, render};

/// Folds and changes of stability that are listed one by one, of each curve.
const TOLD: usize = 12;

/// Warnings of the curves, each once.
pub(super) fn warnings(outcome: &ResponseOutcome) {
    let mut told: Vec<&str> = Vec::new();
    for warning in outcome.cases.iter().flat_map(|case| &case.curve.warnings) {
        if !told.contains(&warning.as_str()) {
            told.push(warning);
            render::warning(warning, None);
        }
    }
    for check in &outcome.checks {
        if let Some(warning) = time::unsteady(&check.in_time) {
            render::warning(warning, None);
        }
    }
}

/// Says which curves ended early, and with what the command ends.
pub(super) fn ends(outcome: &ResponseOutcome) -> Exit {
    let mut worst = Exit::Done;
    for case in &outcome.cases {
        let CaseEnding::Early { reason, help, exit } = &case.end else {
            continue;
        };
        let label = case.label(&outcome.varied);
        let reason = if label.is_empty() || reason.starts_with(&label) {
            reason.clone()
        } else {
            format!("{label}: {reason}")
        };
        render::error(reason, help.clone());
        if worst != Exit::RunFailed {
            worst = *exit;
        }
    }
    worst
}

/// The curves, as far as they fit a terminal.
pub(super) fn text(outcome: &ResponseOutcome, optimised: bool) {
    let mut page = page::new();
    page.bold(&outcome.title);
    page.line(&counts(outcome));
    if let Some(channel) = outcome.channels.first() {
        page.paragraph(
            "",
            &format!("amplitude and phase are those of {}", channel.name),
        );
    }
    page.line("");
    highest(outcome, &mut page);
    if optimised
        && let Some(best) = optimise::of(outcome)
        && let Some(point) = best.case.highest()
    {
        let unit = outcome.channels.first().map_or("1", |c| &c.unit);
        let label = best.case.label(&outcome.varied);
        let size = format_quantity(leading_amplitude(point), unit);
        page.line("");
        page.bold(&format!("least highest amplitude: {size} at {label}"));
    }
    let single = outcome.cases.len() == 1;
    for case in &outcome.cases {
        let changes = changes(case, outcome);
        if changes.is_empty() {
            continue;
        }
        page.heading(&if single {
            "Folds and changes of stability".to_owned()
        } else {
            case.label(&outcome.varied)
        });
        for change in changes.iter().take(TOLD) {
            page.paragraph("  ", change);
        }
        if changes.len() > TOLD {
            page.line(&format!("  … and {} more", changes.len() - TOLD));
        }
    }
    verified(outcome, &mut page);
    page::print(page);
}

/// Points beside the same by integration in time.
fn verified(outcome: &ResponseOutcome, page: &mut TextPage) {
    if outcome.checks.is_empty() {
        return;
    }
    let unit = outcome.channels.first().map_or("1", |c| &c.unit);
    page.heading("Beside integration in time");
    let heads = [
        "frequency",
        "amplitude",
        "in time",
        "differs by",
        "lost",
        "in time",
        "differs by",
    ];
    let losses = outcome.checks.iter().map(|check| check.losses()[0]);
    // a loss that is nothing beside the others differs by nothing
    let least = SMALL * losses.fold(0.0, f64::max);
    let row = |check: &TimeCheck| {
        let (amplitudes, losses) = (check.amplitudes(), check.losses());
        let largest = losses[0].max(least);
        let mut cells = vec![format!("{} Hz", significant(check.in_time.frequency, 6))];
        cells.extend(amplitudes.map(|x| format_quantity(x, unit)));
        cells.push(apart(amplitudes, amplitudes[0]));
        cells.extend(losses.map(|x| format_quantity(x, "J")));
        cells.push(apart(losses, largest));
        cells
    };
    let rows: Vec<Vec<String>> = outcome.checks.iter().map(row).collect();
    page.table(&heads, &rows);
}

/// Losses below this part of the largest are compared with it.
const SMALL: f64 = 1e-2;

/// A difference in percent.
fn apart([a, b]: [f64; 2], unit: f64) -> String {
    if unit > 0.0 {
        format!("{:.3} %", 100.0 * (b - a) / unit)
    } else {
        "–".to_owned()
    }
}

/// Numbers of curves, points, harmonics and samples.
pub(super) fn counts(outcome: &ResponseOutcome) -> String {
    let points = || outcome.cases.iter().flat_map(|case| &case.curve.points);
    let most = |of: fn(&MarkedPoint) -> usize| points().map(of).max().unwrap_or(0);
    let mut words = Vec::new();
    if !outcome.varied.is_empty() {
        words.push(number_of(outcome.cases.len(), "curve", "curves"));
    }
    words.push(number_of(points().count(), "point", "points"));
    words.push(format!("harmonics up to {}", most(|p| p.result.harmonics)));
    words.push(format!(
        "{} samples of a period at most",
        most(|p| p.result.samples)
    ));
    words.join(", ")
}

/// Peaks of one curve, or the highest of every one.
pub(super) fn shown(outcome: &ResponseOutcome) -> Vec<(&CaseCurve, &MarkedPoint)> {
    let several = outcome.cases.len() > 1;
    let of_case = |case| -> Vec<(&CaseCurve, &MarkedPoint)> {
        let case: &CaseCurve = case;
        let peaks: Vec<_> = case.curve.peaks().map(|peak| (case, peak)).collect();
        if several || peaks.is_empty() {
            case.highest()
                .map(|point| (case, point))
                .into_iter()
                .collect()
        } else {
            peaks
        }
    };
    outcome.cases.iter().flat_map(of_case).collect()
}

fn highest(outcome: &ResponseOutcome, page: &mut TextPage) {
    let unit = outcome.channels.first().map_or("1", |c| &c.unit);
    let several = outcome.cases.len() > 1;
    let mut heads = vec![
        "frequency",
        "amplitude",
        "phase",
        "lost in a cycle",
        "stuck",
        "motion",
    ];
    if several {
        heads.insert(0, "curve");
    }
    let row = |(case, point): (&CaseCurve, &MarkedPoint)| {
        let mut cells = vec![
            format!("{} Hz", significant(point.result.frequency, 6)),
            format_quantity(leading_amplitude(point), unit),
            degrees(point),
            format_quantity(lost(point), "J"),
            stuck(&point.result.pairs),
            motion(point),
        ];
        if several {
            cells.insert(0, case.label(&outcome.varied));
        }
        cells
    };
    let rows: Vec<Vec<String>> = shown(outcome).into_iter().map(row).collect();
    page.table(&heads, &rows);
}

/// Phase of the first channel.
pub(super) fn degrees(point: &MarkedPoint) -> String {
    let angle = point.result.channels.first().and_then(phase);
    angle.map_or_else(|| "–".to_owned(), |a| format!("{:.2}°", a.to_degrees()))
}

/// Energy lost in friction in a period, in all pairs.
pub(super) fn lost(point: &MarkedPoint) -> f64 {
    let pairs = point.result.pairs.iter();
    pairs.map(|pair| pair.dissipated_per_cycle).sum()
}

/// Part of the period that each pair sticks.
pub(super) fn stuck(pairs: &[PairResult]) -> String {
    let percent = |pair: &PairResult| format!("{:.0} %", 100.0 * pair.stuck_fraction);
    match pairs {
        [] => "–".to_owned(),
        [pair] => percent(pair),
        _ => {
            let words = pairs
                .iter()
                .map(|pair| format!("{} {}", pair.name, percent(pair)));
            words.collect::<Vec<_>>().join(", ")
        }
    }
}

/// What kind of motion a point is.
pub(super) fn motion(point: &MarkedPoint) -> String {
    let kind = match stable(point) {
        Some(true) => "stable",
        Some(false) => "unstable",
        None => "–",
    };
    let place = if point.peak { "" } else { ", no peak" };
    format!("{kind}{place}")
}

/// Folds and changes of stability in words.
pub(super) fn changes(case: &CaseCurve, outcome: &ResponseOutcome) -> Vec<String> {
    let unit = outcome.channels.first().map_or("1", |c| &c.unit);
    let words = |point: &MarkedPoint| {
        let kind = match point.bifurcation {
            Some(kind) => kind.name(),
            None if point.marks.fold => "fold",
            None => return None,
        };
        let frequency = significant(point.result.frequency, 6);
        let size = format_quantity(leading_amplitude(point), unit);
        Some(format!("{kind} at {frequency} Hz, amplitude {size}"))
    };
    case.curve.points.iter().filter_map(words).collect()
}

/// Names of the pairs, for tables.
pub(super) fn pairs_of(outcome: &ResponseOutcome) -> Vec<String> {
    let first = outcome.cases.iter().find_map(|c| c.curve.points.first());
    let pairs = first.map_or(&[][..], |point| &point.result.pairs);
    pairs.iter().map(pair_name).collect()
}
