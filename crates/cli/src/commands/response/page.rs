//! The report page of a response.

use std::path::Path;

use bristle_report::{Cell, Fact, Grid, PageNotice, Report, Result, Tone};
use bristle_response::MarkedPoint;

use super::animation::ShownMotion;
use super::plots::ResponsePlot;
use super::reading::leading_amplitude;
use super::table::phase;
use super::{CaseCurve, CaseEnding, ResponseOutcome, show};

/// Writes `report.html`.
pub(super) fn write(
    outcome: &ResponseOutcome,
    plots: &[ResponsePlot],
    folder: &Path,
) -> Result<()> {
    let early = outcome
        .cases
        .iter()
        .filter(|c| c.end != CaseEnding::Complete);
    let (tone, word) = match early.count() {
        0 => (Tone::Good, "complete".to_owned()),
        1 if outcome.cases.len() == 1 => (Tone::Bad, "ended early".to_owned()),
        n => (Tone::Bad, format!("{n} ended early")),
    };
    let points = outcome.cases.iter().map(|case| case.curve.points.len());
    let mut report = Report::new(format!("Response of {}", outcome.title))
        .subtitle(show::counts(outcome))
        .badge(tone, word)
        .fact(Fact::new("points", points.sum::<usize>().to_string()))
        .footer(format!("bristle {}", env!("CARGO_PKG_VERSION")));
    if let Some((_, highest)) = largest(outcome) {
        let unit = outcome.channels.first().map_or("1", |c| &c.unit);
        let size = bristle_results::format_quantity(leading_amplitude(highest), unit);
        let at = bristle_results::format_quantity(highest.result.frequency, "Hz");
        let fact = Fact::new("largest amplitude", size);
        report = report.fact(fact.note(format!("at {at}")));
    }
    for notice in notices(outcome) {
        report = report.notice(notice);
    }
    report = report.section("Peaks").table(peaks(outcome));
    let changes = changes(outcome);
    if !changes.is_empty() {
        report = report.table(changes);
    }
    report = report.section("Curves");
    for plot in plots {
        report = report.path(&plot.figure);
    }
    if let Some((case, _)) = largest(outcome)
        && let Some(motion) = &case.motion
    {
        report = moving(report, motion);
    }
    report.write(folder.join("report.html"))
}

/// The machine at the highest point.
fn moving(report: Report, motion: &ShownMotion) -> Report {
    let frequency = bristle_results::format_quantity(motion.frequency, "Hz");
    let text = format!(
        "Some periods of the steady motion at {frequency}, where the amplitude is largest. \
         \"Magnify\" shows small motions."
    );
    let report = report
        .channels(&motion.table)
        .section("The motion at the largest amplitude")
        .text(text)
        .scene(motion.scene.clone());
    motion.loops.iter().cloned().fold(report, Report::plot)
}

/// The point with the largest amplitude of all.
fn largest(outcome: &ResponseOutcome) -> Option<(&CaseCurve, &MarkedPoint)> {
    let highest = outcome.cases.iter().filter_map(|c| Some((c, c.highest()?)));
    highest.max_by(|a, b| leading_amplitude(a.1).total_cmp(&leading_amplitude(b.1)))
}

fn notices(outcome: &ResponseOutcome) -> Vec<PageNotice> {
    let mut notices = Vec::new();
    let mut told: Vec<&str> = Vec::new();
    for case in &outcome.cases {
        if let CaseEnding::Early { reason, .. } = &case.end {
            let label = case.label(&outcome.varied);
            notices.push(PageNotice::error(match label.as_str() {
                "" => reason.clone(),
                label => format!("{label}: {reason}"),
            }));
        }
        for warning in &case.curve.warnings {
            if !told.contains(&warning.as_str()) {
                told.push(warning);
                notices.push(PageNotice::warning(warning));
            }
        }
    }
    notices
}

fn peaks(outcome: &ResponseOutcome) -> Grid {
    let unit = outcome.channels.first().map_or("1", |c| &c.unit);
    let name = outcome.channels.first().map_or("", |c| &c.name);
    let pairs = show::pairs_of(outcome);
    let several = !outcome.varied.is_empty();
    let mut heads: Vec<String> = ["frequency", "amplitude", "phase [°]"]
        .map(str::to_owned)
        .into();
    if several {
        heads.insert(0, "curve".to_owned());
    }
    for pair in &pairs {
        heads.extend([format!("{pair}: lost"), format!("{pair}: stuck")]);
    }
    heads.push("motion".to_owned());
    let mut grid = Grid::new(format!("Peaks of {name}"), heads);
    for (case, point) in show::shown(outcome) {
        let angle = point.result.channels.first().and_then(phase);
        let mut cells = vec![
            Cell::number(point.result.frequency, "Hz"),
            Cell::number(leading_amplitude(point), unit),
            angle.map_or(Cell::Empty, |a| {
                Cell::text(format!("{:.2}", a.to_degrees()))
            }),
        ];
        if several {
            cells.insert(0, Cell::text(case.label(&outcome.varied)));
        }
        for pair in &point.result.pairs {
            cells.push(Cell::number(pair.dissipated_per_cycle, "J"));
            cells.push(Cell::number(pair.stuck_fraction, "1"));
        }
        cells.push(Cell::text(show::motion(point)));
        grid.push(cells);
    }
    grid
}

fn changes(outcome: &ResponseOutcome) -> Grid {
    let several = !outcome.varied.is_empty();
    let heads: &[&str] = if several {
        &["curve", "what happens"]
    } else {
        &["what happens"]
    };
    let mut grid = Grid::new("Folds and changes of stability", heads.iter().copied());
    for case in &outcome.cases {
        for change in show::changes(case, outcome) {
            let label = several.then(|| Cell::text(case.label(&outcome.varied)));
            grid.push(label.into_iter().chain([Cell::text(change)]));
        }
    }
    grid
}
