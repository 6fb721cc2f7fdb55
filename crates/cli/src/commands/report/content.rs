//! What stands on the page of a run, in which order.

use bristle_report::{Cell, Grid, PageNotice, Report, Timeline, TimelineRow, Tone};
use bristle_results::{ChannelTable, PairKind, Plot, Summary, format_quantity};

use super::kept::{KeptModel, KeptParameter, KeptValue};
use super::loops;
use crate::commands::equations;

/// Rows in which loops are looked for.
const PATH_ROWS: usize = 100_000;
/// Numbers of a list that are shown.
const LISTED: usize = 12;

/// The page of a run, of whatever there is of it.
pub(super) fn report(
    summary: Option<&Summary>,
    kept: Option<&KeptModel>,
    table: &ChannelTable,
    notices: Vec<PageNotice>,
) -> Report {
    let title = summary
        .map(|s| s.title.as_str())
        .filter(|title| !title.is_empty());
    let mut report = Report::new(title.unwrap_or("Run without a summary")).channels(table);
    report = match summary {
        Some(summary) => report.summary(summary),
        None => report.badge(Tone::Caution, "incomplete"),
    };
    for notice in notices {
        report = report.notice(notice);
    }
    let enough = table.rows() > 1;
    if let Some(kept) = kept.filter(|_| enough) {
        report = report.section("Motion").scene(kept.scene.clone());
    }
    if let Some(summary) = summary.filter(|summary| summary.pairs().next().is_some()) {
        report = stick_and_slip(report, summary, table, kept.is_none());
    }
    if enough {
        report = plots(report, kept, table);
    }
    if let Some(summary) = summary {
        report = energy(report, summary, kept.filter(|_| enough));
        if !summary.expectations.is_empty() {
            let expectations = Grid::of_expectations(&summary.expectations);
            report = report.section("Expectations").table(expectations);
        }
    }
    if let Some(kept) = kept {
        report = inputs(report, kept);
    }
    if enough {
        report = report.section("All channels").every_channel();
    }
    report.footer(footer(summary))
}

fn footer(summary: Option<&Summary>) -> String {
    let Some(summary) = summary else {
        return String::new();
    };
    let mut parts = vec![
        format!("scenario {}", summary.scenario),
        format!("simulated by Bristle {}", summary.version),
    ];
    if !summary.scenario_hash.is_empty() {
        parts.push(format!("scenario hash {}", summary.scenario_hash));
    }
    parts.join(" · ")
}

/// Bands of stick and slip over time, and the numbers of each contact and joint with friction.
fn stick_and_slip(
    report: Report,
    summary: &Summary,
    table: &ChannelTable,
    heading: bool,
) -> Report {
    let report = if heading || table.rows() < 2 {
        report.section("Stick and slip")
    } else {
        report
    };
    let time = table.time();
    let span = (
        time.first().copied().unwrap_or(0.0),
        time.last().copied().unwrap_or(summary.end_time),
    );
    let rows = summary
        .pairs()
        .map(|(_, name, pair)| TimelineRow::of_stick_intervals(name, span, &pair.stick_intervals));
    let timeline = Timeline {
        title: "Stick and slip".to_owned(),
        start: span.0,
        end: span.1,
        rows: rows.collect(),
    };
    let report = if span.1 > span.0 {
        report.timeline(timeline)
    } else {
        report
    };
    let report = report.table(Grid::of_pairs(summary));
    let remarks = summary.pairs().filter_map(|(kind, name, pair)| {
        let remark = pair.remark.as_ref()?;
        Some(format!("{} {name} {remark}.", capitalised(kind.word())))
    });
    remarks.fold(report, Report::text)
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn is_energy(plot: &Plot) -> bool {
    plot.series
        .iter()
        .all(|series| series.y.starts_with("energy."))
}

/// Whether a plot shows what a contact or a joint does over another quantity than time.
fn is_loop(plot: &Plot) -> bool {
    let of_pair = |channel: &str| {
        let section = channel.split('.').next();
        let kinds = [PairKind::Contact, PairKind::Joint];
        kinds.iter().any(|kind| section == Some(kind.section()))
    };
    let mut series = plot.series.iter();
    series.all(|series| series.x != "t" && of_pair(&series.y))
}

fn plots(mut report: Report, kept: Option<&KeptModel>, table: &ChannelTable) -> Report {
    let chosen = kept.map_or_else(|| guessed(table), |kept| kept.plots.clone());
    report = report.section("Plots").text(
        "Drag over a plot to zoom, double click to see all again; all plots over time zoom and \
         point together. A click moves the animation to that moment. The strip at the foot of a \
         plot shows when the contact or joint sticks and when it slips.",
    );
    let chosen = chosen.into_iter().filter(|plot| !is_energy(plot));
    let chosen = chosen.flat_map(|plot| apart(&plot, table));
    let (paths, over_time): (Vec<Plot>, Vec<Plot>) = chosen.partition(is_loop);
    report = over_time.into_iter().fold(report, Report::plot);
    let whole = table.whole_rows(PATH_ROWS);
    let contacts = kept.map_or(&[][..], |kept| &kept.loops);
    let all: Vec<_> = contacts
        .iter()
        .flat_map(|contact| loops::of_table(contact, &whole))
        .collect();
    if all.is_empty() && paths.is_empty() {
        return report;
    }
    report = report.section("Friction loops");
    report = all.into_iter().fold(report, Report::loops);
    paths.into_iter().fold(report, Report::plot)
}

/// A chart for each unit of a plot.
fn apart(plot: &Plot, table: &ChannelTable) -> Vec<Plot> {
    let mut parts = plot.by_unit(|name| table.channel(name).map(|channel| channel.unit.clone()));
    if parts.len() > 1 {
        for part in &mut parts {
            part.title = match &*part.y_label {
                "" => part.title.clone(),
                quantity => format!("{}: {quantity}", part.title),
            };
        }
    }
    parts
}

/// The plots of a folder that does not say which it had: contacts, joints, and motions.
fn guessed(table: &ChannelTable) -> Vec<Plot> {
    let names = || table.channels().iter().map(|channel| channel.name.as_str());
    let mut plots = Vec::new();
    for (end, title, label) in [
        (".friction.magnitude", "Friction", "friction"),
        (".friction", "Friction of joints", "friction"),
        (".slip_speed", "Slip speed", "slip speed"),
        (".slip_velocity", "Slip velocity of joints", "slip velocity"),
        (".normal_force", "Normal force", "normal force"),
        (".position.x", "Position along x", "position"),
        (".velocity.x", "Velocity along x", "velocity"),
    ] {
        let mut plot = Plot::over_time("", title, label);
        for name in names().filter(|name| name.ends_with(end) && !name.contains(".point")) {
            let short = name.strip_suffix(end).unwrap_or(name);
            plot = plot.with(short, name);
        }
        plots.extend((!plot.series.is_empty()).then_some(plot));
    }
    plots
}

fn energy(report: Report, summary: &Summary, kept: Option<&KeptModel>) -> Report {
    let mut report = report.section("Energy");
    let plots = kept.map_or(&[][..], |kept| &kept.plots);
    for plot in plots.iter().filter(|plot| is_energy(plot)) {
        report = report.plot(plot.clone());
    }
    if kept.is_some() {
        let imbalance = Plot::over_time("", "Imbalance of the energies", "imbalance");
        report = report.plot(imbalance.with("imbalance", "energy.imbalance"));
    }
    report.table(Grid::of_energy(&summary.energy))
}

fn inputs(mut report: Report, kept: &KeptModel) -> Report {
    if !kept.laws.is_empty() {
        let of: Vec<String> = kept.laws.iter().map(|law| law.of.join(", ")).collect();
        let laws = kept.laws.iter().zip(&of);
        let rows = laws.map(|(law, of)| (&*law.name, &**of, &*law.equations));
        report = report.section("Friction laws").table(equations::grid(rows));
    }
    report = report.section("Scenario");
    for source in &kept.sources {
        report = report.source(source.name.as_str(), source.text.as_str());
    }
    let mut grid = Grid::new("", ["parameter", "value", "from", "meaning"]);
    for parameter in &kept.parameters {
        let from = if parameter.given {
            "scenario"
        } else {
            "default"
        };
        grid.push([
            Cell::text(&parameter.path),
            value(parameter),
            Cell::text(from),
            Cell::text(&parameter.meaning),
        ]);
    }
    report.section("Parameters").table(grid)
}

fn value(parameter: &KeptParameter) -> Cell {
    match &parameter.value {
        KeptValue::Number(value) => Cell::number(*value, parameter.unit.as_str()),
        KeptValue::Numbers(values) => {
            let shown = values.iter().take(LISTED);
            let shown: Vec<String> = shown
                .map(|v| format_quantity(*v, &parameter.unit))
                .collect();
            let more = if values.len() > LISTED { ", …" } else { "" };
            Cell::text(format!("{}{more}", shown.join(", ")))
        }
        KeptValue::Text(text) => {
            // the unit of a function of time as it is written is that of its numbers
            let unit =
                Some(parameter.unit.as_str()).filter(|unit| !unit.is_empty() && *unit != "1");
            Cell::text(unit.map_or_else(|| text.clone(), |unit| format!("{text} ({unit})")))
        }
    }
}
