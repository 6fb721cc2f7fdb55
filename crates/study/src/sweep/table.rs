//! The table of a sweep: one row for each case.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use bristle_results::{Error, Operation, Result, format_number, write_atomically};
use serde::Serialize;

use super::journal::file_error;
use super::record::{CaseEnd, CaseRecord, EXTREMES, Schema};
use super::study::Study;

/// One row.
#[derive(Clone, Debug)]
pub struct SweepRow {
    schema: Arc<Schema>,
    /// As many as the schema has, with a line feed after each.
    cells: String,
    /// How the run ended.
    pub end: CaseEnd,
    /// Why it did not complete.
    pub reason: Option<String>,
    /// What the user can do about it.
    pub help: Option<String>,
    /// Time on the clock (s).
    pub wall_s: f64,
}

impl SweepRow {
    pub(super) fn new(record: CaseRecord, schema: Arc<Schema>) -> Self {
        let mut cells = String::new();
        for number in &record.numbers {
            cells.push_str(number.text.as_deref().unwrap_or(""));
            cells.push('\n');
        }
        Self {
            schema,
            cells,
            end: record.end,
            reason: record.reason,
            help: record.help,
            wall_s: record.wall_s,
        }
    }

    /// The texts of the numbers, in the order of the schema; empty where there is no number.
    fn texts(&self) -> impl Iterator<Item = &str> {
        self.cells.split_terminator('\n')
    }

    /// A number by its name.
    pub fn value(&self, name: &str) -> Option<f64> {
        let place = self.schema.iter().position(|(known, _)| known == name)?;
        self.texts().nth(place)?.parse().ok()
    }
}

/// Schemas that are shared by the rows that have them.
#[derive(Debug, Default)]
pub(super) struct Schemas(Vec<Arc<Schema>>);

impl Schemas {
    pub(super) fn of(&mut self, record: &CaseRecord) -> Arc<Schema> {
        let same = |schema: &&Arc<Schema>| {
            schema.len() == record.numbers.len()
                && schema
                    .iter()
                    .zip(&record.numbers)
                    .all(|((name, unit), b)| b.is(name, unit))
        };
        if let Some(known) = self.0.iter().find(same) {
            return Arc::clone(known);
        }
        let numbers = record.numbers.iter();
        let schema = Arc::new(numbers.map(|n| (n.name.clone(), n.unit.clone())).collect());
        self.0.push(Arc::clone(&schema));
        schema
    }
}

/// All rows of a sweep that are there.
#[derive(Debug)]
pub struct SweepTable {
    rows: Vec<Option<SweepRow>>,
    /// Names and units of the numbers of all rows, extremes last.
    columns: Schema,
}

/// A column of the table as `columns.json` describes it.
#[derive(Serialize)]
struct ColumnDescription {
    unit: String,
    meaning: String,
}

impl SweepTable {
    pub(super) fn new(rows: Vec<Option<SweepRow>>) -> Self {
        let (mut first, mut extremes) = (Vec::new(), Vec::new());
        let mut seen = std::collections::HashSet::new();
        let mut last: Option<&Arc<Schema>> = None;
        for row in rows.iter().flatten() {
            if last.is_some_and(|last| Arc::ptr_eq(last, &row.schema)) {
                continue;
            }
            last = Some(&row.schema);
            for entry in row.schema.iter() {
                if seen.insert(entry.0.clone()) {
                    let list = if entry.0.starts_with(EXTREMES) {
                        &mut extremes
                    } else {
                        &mut first
                    };
                    list.push(entry.clone());
                }
            }
        }
        first.extend(extremes);
        Self {
            rows,
            columns: first,
        }
    }

    /// The row of a case, if it was run.
    pub fn row(&self, case: usize) -> Option<&SweepRow> {
        self.rows.get(case)?.as_ref()
    }

    /// Rows that are there, with their cases.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &SweepRow)> {
        let rows = self.rows.iter().enumerate();
        rows.filter_map(|(case, row)| Some((case, row.as_ref()?)))
    }

    /// Whether the run of a case completed.
    pub(super) fn is_complete(&self, case: usize) -> bool {
        self.row(case)
            .is_some_and(|row| row.end == CaseEnd::Complete)
    }

    /// The values of all columns, by case; NaN where there is none.
    pub fn numbers(&self) -> Vec<Vec<f64>> {
        let places = self.places();
        let mut columns = vec![vec![f64::NAN; self.rows.len()]; self.columns.len()];
        for (case, row) in self.rows() {
            for ((name, _), text) in row.schema.iter().zip(row.texts()) {
                if let (Some(&place), Ok(value)) = (places.get(name.as_str()), text.parse()) {
                    columns[place][case] = value;
                }
            }
        }
        columns
    }

    /// The places of the columns by their names.
    fn places(&self) -> BTreeMap<&str, usize> {
        let columns = self.columns.iter().enumerate();
        columns.map(|(i, c)| (c.0.as_str(), i)).collect()
    }

    /// Names and units of the numbers.
    pub fn columns(&self) -> &[(String, String)] {
        &self.columns
    }

    /// Cases that were not run.
    pub fn missing(&self) -> usize {
        self.rows.iter().filter(|row| row.is_none()).count()
    }

    /// Cases that ended early or were refused.
    pub fn failed(&self) -> usize {
        self.rows()
            .filter(|(_, row)| row.end != CaseEnd::Complete)
            .count()
    }

    /// Writes the table as CSV, and what its columns mean as JSON beside it.
    pub(super) fn write(&self, study: &Study, path: &Path) -> Result<()> {
        let bytes = self.csv(study).map_err(|error| {
            let source = std::io::Error::other(error.to_string());
            file_error(Operation::Write, path, source)
        })?;
        let columns = path.with_file_name("columns.json");
        let mut text =
            serde_json::to_string_pretty(&self.meanings(study)).map_err(|source| Error::Json {
                path: columns.clone(),
                source,
            })?;
        text.push('\n');
        write_atomically(&columns, text.as_bytes())?;
        write_atomically(path, &bytes)
    }

    fn csv(&self, study: &Study) -> std::result::Result<Vec<u8>, csv::Error> {
        let mut out = csv::Writer::from_writer(Vec::new());
        let mut header = vec!["case".to_owned()];
        for axis in study.axes() {
            header.push(axis.path.clone());
            header.push(given(&axis.path));
        }
        header.extend(["status".to_owned(), "reason".to_owned()]);
        header.extend(self.columns.iter().map(|(name, _)| name.clone()));
        out.write_record(&header)?;
        let places = self.places();
        let mut numbers = vec![""; self.columns.len()];
        for case in 0..self.rows.len() {
            let mut record = vec![(case + 1).to_string()];
            for value in study.values(case) {
                record.push(value.si.map_or_else(|| value.text.clone(), format_number));
                record.push(value.text.clone());
            }
            numbers.fill("");
            match self.row(case) {
                Some(row) => {
                    record.push(row.end.word().to_owned());
                    record.push(row.reason.clone().unwrap_or_default());
                    for ((name, _), text) in row.schema.iter().zip(row.texts()) {
                        if let Some(&place) = places.get(name.as_str()) {
                            numbers[place] = text;
                        }
                    }
                }
                None => record.extend(["missing".to_owned(), String::new()]),
            }
            let fields = record
                .iter()
                .map(String::as_str)
                .chain(numbers.iter().copied());
            out.write_record(fields)?;
        }
        out.into_inner()
            .map_err(|error| csv::Error::from(error.into_error()))
    }

    fn meanings(&self, study: &Study) -> bristle_results::Ordered<ColumnDescription> {
        let mut all = Vec::new();
        let mut add = |name: &str, unit: &str, meaning: &str| {
            let (unit, meaning) = (unit.to_owned(), meaning.to_owned());
            all.push((name.to_owned(), ColumnDescription { unit, meaning }));
        };
        add("case", "1", "number of the case");
        for axis in study.axes() {
            add(&axis.path, axis.unit(), "parameter, in SI");
            add(&given(&axis.path), "", "the same as it was given");
        }
        add(
            "status",
            "",
            "complete, failed, refused (bad values) or missing (not run yet)",
        );
        add("reason", "", "why the run did not complete");
        for (name, unit) in &self.columns {
            add(name, unit, meaning(name));
        }
        all.into_iter().collect()
    }

    /// Axes that change no number of any row.
    ///
    /// A parameter without effect is mostly a mistake: the wrong part, or a field that the law or
    /// the load does not use. Only a grid shows it: elsewhere other parameters change as well.
    pub(super) fn without_effect(&self, study: &Study) -> Vec<usize> {
        if !study.design().is_grid() {
            return Vec::new();
        }
        let mut stride = self.rows.len();
        let mut idle = Vec::new();
        for (i, axis) in study.axes().iter().enumerate() {
            let length = axis.values.len();
            stride /= length.max(1);
            let same = |case: usize| {
                let place = case / stride.max(1) % length;
                let first = case - place * stride;
                match (self.row(case), self.row(first)) {
                    (Some(a), Some(b)) => {
                        a.end == b.end && a.cells == b.cells && a.reason == b.reason
                    }
                    _ => true,
                }
            };
            if length > 1 && self.missing() == 0 && (0..self.rows.len()).all(same) {
                idle.push(i);
            }
        }
        idle
    }
}

/// Name of the column of a parameter as it was given.
fn given(path: &str) -> String {
    format!("{path} (as given)")
}

pub(super) fn meaning(name: &str) -> &'static str {
    let last = name.rsplit('.').next().unwrap_or(name);
    if name.starts_with(EXTREMES) {
        return match last {
            "t_min" | "t_max" => "when the extreme of the channel first occurred",
            _ => "extreme of the channel over the run",
        };
    }
    if name.starts_with("measured.") {
        return "measured, as asked for";
    }
    if name.starts_with("expectations.") {
        return match last {
            "met" => {
                "1 if the expectation of the scenario is met, else 0; empty if it looks later than the run went"
            }
            _ => "what the run gave for the expectation of the scenario",
        };
    }
    match last {
        "end_time" => "model time that was reached",
        "steps" => "accepted steps",
        "rejected_steps" => "rejected steps",
        "iterations" => "Newton iterations",
        "first_slip_time" => "when it first slipped; empty if it never did",
        "break_away_coefficient" => {
            "largest friction over normal force with which it broke away; empty if it never did, and of laws without bristles"
        }
        "max_slip_speed" => "fastest slip of any point",
        "max_angular_speed" => "fastest slip as an angular speed",
        "stuck_time" => "time for which it stuck",
        "stick_count" => "number of stick intervals",
        "hold_time" => "length of the longest stick interval; empty if there is none",
        "hold_slip" => "how far it moved in its longest stick interval; empty if not known",
        "hold_angle" => "how far it turned in its longest stick interval",
        "input" => "work put in by loads and prescribed motions",
        "kinetic" => "kinetic energy, end minus start",
        "stored" => "stored energy, end minus start",
        "dissipated" => "energy lost",
        "imbalance" => "energy that the balance does not account for",
        "relative_imbalance" => "the imbalance as a part of the energy turned over",
        _ => "",
    }
}
