//! The table of a response: a row for each point of each curve.

use bristle_response::{ChannelResult, MarkedPoint, PairResult};
use bristle_results::{Channel, PairKind, format_number};
use serde_json::{Map, Value, json};

use super::reading::stable;
use super::{CaseCurve, ResponseOutcome};
use crate::commands::escape::csv_cell;

/// Below this part of its amplitude the first harmonic of a channel has no phase.
const SILENT: f64 = 1e-9;

/// Columns and rows.
pub(super) struct ResponseTable {
    columns: Vec<Channel>,
    rows: Vec<Vec<String>>,
}

impl ResponseTable {
    /// The table of all curves; columns are those of the first one that has points.
    pub(super) fn of(outcome: &ResponseOutcome) -> Self {
        let first = outcome.cases.iter().find_map(|c| c.curve.points.first());
        let pairs = first.map_or(&[][..], |point| &point.result.pairs);
        let rows = outcome.cases.iter().enumerate().flat_map(|(i, case)| {
            let points = case.curve.points.iter();
            points.map(move |point| row(outcome, i, case, point))
        });
        Self {
            rows: rows.collect(),
            columns: columns(outcome, pairs),
        }
    }

    /// As text that every program reads.
    pub(super) fn csv(&self) -> String {
        let names = self.columns.iter().map(|column| csv_cell(&column.name));
        let mut text = names.collect::<Vec<_>>().join(",") + "\n";
        for row in &self.rows {
            text.push_str(&row.join(","));
            text.push('\n');
        }
        text
    }

    /// What the columns mean.
    pub(super) fn meanings(&self) -> Value {
        let entry = |column: &Channel| {
            let means = json!({ "unit": column.unit, "meaning": column.meaning });
            (column.name.clone(), means)
        };
        Value::Object(self.columns.iter().map(entry).collect::<Map<_, _>>())
    }
}

/// The name of a pair in columns and plots, as `contact.base`.
pub(super) fn pair_name(pair: &PairResult) -> String {
    let kind = if pair.is_contact {
        PairKind::Contact
    } else {
        PairKind::Joint
    };
    format!("{}.{}", kind.section(), pair.name)
}

/// The phase of the first harmonic, rad.
pub(super) fn phase(read: &ChannelResult) -> Option<f64> {
    let first = read.harmonics.get(1)?;
    (first.norm() > SILENT * read.amplitude).then(|| first.arg())
}

fn columns(outcome: &ResponseOutcome, pairs: &[PairResult]) -> Vec<Channel> {
    let mut out = Vec::new();
    if !outcome.varied.is_empty() {
        out.push(Channel::new("case", "1", "number of the curve, from 1"));
        let values = |i: usize| outcome.cases.first().and_then(|case| case.values.get(i));
        for (i, path) in outcome.varied.iter().enumerate() {
            let unit = values(i).map_or("", |value| &value.unit);
            out.push(Channel::new(path, unit, "value of --vary"));
        }
    }
    for (name, unit, meaning) in [
        (
            "frequency",
            "Hz",
            "frequency of order 1 of the harmonic loads",
        ),
        (
            "stable",
            "1",
            "1 if small deviations die out, 0 if not, empty if not known",
        ),
        ("peak", "1", "1 at a peak of the first channel"),
        ("fold", "1", "1 where the curve turns back"),
    ] {
        out.push(Channel::new(name, unit, meaning));
    }
    for channel in &outcome.channels {
        let Channel { name, unit, .. } = channel;
        for (what, unit, meaning) in [
            ("amplitude", unit.as_str(), "half of peak to peak"),
            (
                "phase",
                "rad",
                "of the first harmonic, negative where it lags",
            ),
            ("mean", unit, "mean over the period"),
            (
                "rms",
                unit,
                "root mean square over the period, the mean included",
            ),
        ] {
            let meaning = format!("{}: {meaning}", channel.meaning);
            out.push(Channel::new(format!("{name}.{what}"), unit, meaning));
        }
    }
    out.extend(pairs.iter().flat_map(pair_columns));
    for (name, meaning) in [
        ("residual", "residual over the size of the motion"),
        ("harmonics_used", "highest harmonic"),
        ("samples_used", "samples of a period"),
    ] {
        out.push(Channel::new(name, "1", meaning));
    }
    out
}

fn pair_columns(pair: &PairResult) -> impl Iterator<Item = Channel> {
    let name = pair_name(pair);
    let columns = [
        (
            "dissipated_per_cycle",
            "J",
            "energy lost in friction in a period",
        ),
        ("max_slip_speed", "m/s or rad/s", "largest slip speed"),
        ("max_coefficient", "1", "largest friction over load"),
        (
            "stuck_fraction",
            "1",
            "part of the period in which it sticks",
        ),
    ];
    let column = move |(what, unit, meaning)| Channel::new(format!("{name}.{what}"), unit, meaning);
    columns.into_iter().map(column)
}

fn row(outcome: &ResponseOutcome, i: usize, case: &CaseCurve, point: &MarkedPoint) -> Vec<String> {
    let flag = |on: bool| if on { "1" } else { "0" }.to_owned();
    let result = &point.result;
    let mut cells = Vec::new();
    if !outcome.varied.is_empty() {
        cells.push((i + 1).to_string());
        let values = case.values.iter();
        cells.extend(values.map(|v| v.si.map_or_else(|| csv_cell(&v.text), format_number)));
    }
    cells.push(format_number(result.frequency));
    cells.push(stable(point).map(flag).unwrap_or_default());
    cells.extend([flag(point.peak), flag(point.marks.fold)]);
    for read in &result.channels {
        cells.push(format_number(read.amplitude));
        cells.push(phase(read).map(format_number).unwrap_or_default());
        cells.extend([format_number(read.mean), format_number(read.rms)]);
    }
    for pair in &result.pairs {
        let numbers = [
            pair.dissipated_per_cycle,
            pair.max_slip_speed,
            pair.max_coefficient,
            pair.stuck_fraction,
        ];
        cells.extend(numbers.map(format_number));
    }
    cells.push(format_number(result.residual));
    cells.extend([result.harmonics.to_string(), result.samples.to_string()]);
    cells
}
