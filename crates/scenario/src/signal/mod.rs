//! Functions of time in a scenario.

mod forms;
mod rates;

use bristle_laws::Shortest;
use bristle_signals::{Expression, Signal, SignalError};

use crate::{
    Field, FieldKind, FieldRange, Fields, Node, NodeValue, QuantityError, Reader, Section, Span,
    Unit, json_schema, parse_quantity, read_columns,
};

/// Products and sums within each other that are still read.
const MAX_NESTING: usize = 16;

const FORMS: &[&str] = &[
    "table",
    "csv",
    "sine",
    "harmonic",
    "chirp",
    "pulses",
    "ramp",
    "expression",
    "sum",
    "velocity",
    "acceleration",
];
const FUNCTION: FieldKind = FieldKind::Any("a function of time");

const SIGNAL: &[Field] = &[
    Field::optional(
        "table",
        FieldKind::Any("rows [t, value]"),
        "Points, with straight lines between them",
    ),
    Field::optional(
        "csv",
        FieldKind::Text,
        "A file with columns, relative to the scenario",
    ),
    Field::optional("time", FieldKind::Text, "Column of the time in the file (s)").default("t"),
    Field::optional("value", FieldKind::Text, "Column of the value in the file (SI)"),
    Field::optional(
        "interpolation",
        FieldKind::Choice(&["linear", "cubic"]),
        "Of a table or a file: straight lines, or a cubic spline with a continuous second derivative",
    )
    .default("linear"),
    Field::optional(
        "velocity",
        FUNCTION,
        "Of a displacement or an angle: its rate, which is integrated exactly",
    ),
    Field::optional(
        "acceleration",
        FUNCTION,
        "Of a displacement or an angle: its second derivative, which is integrated exactly",
    ),
    Field::optional(
        "start",
        FieldKind::Any("a number"),
        "With velocity or acceleration: the value at t = 0",
    )
    .default("0"),
    Field::optional(
        "start_velocity",
        FieldKind::Any("a number"),
        "With acceleration: the rate at t = 0",
    )
    .default("0"),
    Field::optional("sine", FieldKind::Any("a sine"), "A sine of a fixed frequency"),
    Field::optional(
        "harmonic",
        FieldKind::Table(&forms::HARMONIC),
        "A cosine; without frequency a load of `bristle response`",
    ),
    Field::optional("chirp", FieldKind::Any("a chirp"), "A sine of varying frequency"),
    Field::optional("pulses", FieldKind::Any("pulses"), "Rectangular pulses"),
    Field::optional(
        "ramp",
        FieldKind::Any("a ramp"),
        "A transition from one value to another",
    ),
    Field::optional("expression", FieldKind::Text, "A formula in t, in SI"),
    Field::optional("sum", FieldKind::Any("a list of functions of time"), "A sum"),
    Field::optional(
        "times",
        FUNCTION,
        "A factor: a function of time without unit",
    ),
];

/// Reads a function of time with values in `unit` from a node that stands at `path`.
///
/// It is a number, a text with a unit, a formula in `t`, or a table with one of `table`, `csv`,
/// `sine`, `harmonic`, `chirp`, `pulses`, `ramp`, `expression`, `sum`, and optionally the factor `times`.
/// `None`, with the reason recorded, if it is none of these.
pub fn read_signal(reader: &Reader<'_>, node: &Node, path: &str, unit: Unit) -> Option<Signal> {
    Context {
        reader,
        unit,
        nesting: 0,
    }
    .signal(node, path)
}

/// The JSON Schema of a function of time, which [`json_schema`] refers to as `#/$defs/signal`.
pub fn signal_schema() -> serde_json::Value {
    let doc = "A function of time: a number, a text with a unit, a formula in t, or a table";
    let table = json_schema(&Section {
        name: "signal",
        doc,
        fields: SIGNAL,
    });
    serde_json::json!({
        "description": doc,
        "anyOf": [{ "type": "number" }, { "type": "string" }, table],
    })
}

#[derive(Clone, Copy)]
struct Context<'a> {
    reader: &'a Reader<'a>,
    unit: Unit,
    nesting: usize,
}

impl<'a> Context<'a> {
    fn signal(self, node: &'a Node, path: &str) -> Option<Signal> {
        match &node.value {
            NodeValue::Integer(_) | NodeValue::Float(_) => {
                self.number(node, path).map(Signal::Constant)
            }
            NodeValue::Text(text) => self.text(node, text, path),
            NodeValue::Table(_) => self.table(node, path),
            _ => {
                self.reader
                    .wrong_kind(node, path, &FieldKind::Signal { unit: self.unit });
                None
            }
        }
    }

    fn number(self, node: &Node, path: &str) -> Option<f64> {
        self.reader.number(node, path, self.unit, FieldRange::Any)
    }

    /// A quantity is a constant, anything else a formula.
    fn text(self, node: &Node, text: &str, path: &str) -> Option<Signal> {
        let quantity_error = match parse_quantity(text, self.unit) {
            Ok(value) => return Some(Signal::Constant(value)),
            Err(error @ QuantityError::WrongDimension { .. }) => {
                self.reader.quantity_error(&error, node, path);
                return None;
            }
            Err(error) => error,
        };
        match Expression::parse(text) {
            Ok(expression) => Some(expression.into()),
            // "5 mmm" is a misspelt unit rather than a formula.
            Err(_)
                if !matches!(quantity_error, QuantityError::NoNumber { .. })
                    && !text.contains(['(', '*', '^', '+']) =>
            {
                self.reader.quantity_error(&quantity_error, node, path);
                None
            }
            Err(error) => self.formula_error(error, node, path),
        }
    }

    fn formula_error(self, error: SignalError, node: &Node, path: &str) -> Option<Signal> {
        let (span, message) = match error {
            SignalError::Expression { range, reason, .. } => (
                self.reader.within(node, range),
                format!("not a formula in t: {reason}"),
            ),
            other => (node.span, other.to_string()),
        };
        self.reader.error(span, format!("{path}: {message}"));
        None
    }

    fn table(mut self, node: &'a Node, path: &str) -> Option<Signal> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            self.reader.error(
                node.span,
                format!("{path}: functions of time nested too deeply"),
            );
            return None;
        }
        let fields = Fields::open_with(self.reader, node, node.span, path, SIGNAL)?;
        let form = fields.exactly_one(self.forms(&fields))?;
        for name in ["time", "value"] {
            if form != "csv" && fields.has(name) {
                fields.error(name, "names a column and needs \"csv\"");
            }
        }
        if !["table", "csv"].contains(&form) && fields.has("interpolation") {
            fields.error("interpolation", "needs \"table\" or \"csv\" beside it");
        }
        for (name, forms) in rates::STARTS {
            if fields.has(name) && !forms.contains(&form) {
                fields.error(name, format!("needs {} beside it", rates::quoted(forms)));
            }
        }
        let base = match form {
            "velocity" | "acceleration" => self.integrated(&fields, form),
            "table" => self.points(&fields),
            "csv" => self.csv(&fields),
            "sine" => self.sine(&fields),
            "harmonic" => self.harmonic(&fields),
            "chirp" => self.chirp(&fields),
            "pulses" => self.pulses(&fields),
            "ramp" => self.ramp(&fields),
            "expression" => fields.node(form).and_then(|formula| {
                let text = fields.text(form)?;
                Expression::parse(text).map(Signal::from).map_or_else(
                    |error| self.formula_error(error, formula, &fields.path_of(form)),
                    Some,
                )
            }),
            _ => self.sum(&fields),
        };
        let Some(factor) = fields.node("times") else {
            return base;
        };
        let pure = Self {
            unit: Unit::ONE,
            ..self
        };
        let factor = pure.signal(factor, &fields.path_of("times"));
        Some(Signal::product(base?, factor?))
    }

    /// The forms that a function of time of this unit may have.
    fn forms(self, fields: &Fields<'a>) -> &'static [&'static str] {
        let moves = self.has_rates() || fields.has("velocity") || fields.has("acceleration");
        let own = FORMS.len() - if moves { 0 } else { 2 };
        &FORMS[..own]
    }

    fn sum(self, fields: &Fields<'a>) -> Option<Signal> {
        let Some(list) = fields.node("sum").and_then(Node::as_list) else {
            fields.error("sum", "expected a list of functions of time");
            return None;
        };
        let path = fields.path_of("sum");
        let read = |(index, item)| self.signal(item, &format!("{path}.{index}"));
        let terms: Vec<Option<Signal>> = list.iter().enumerate().map(read).collect();
        terms
            .into_iter()
            .collect::<Option<Vec<_>>>()
            .map(Signal::sum)
    }

    fn points(self, fields: &Fields<'a>) -> Option<Signal> {
        let path = fields.path_of("table");
        let node = fields.node("table")?;
        let Some(rows) = node.as_list() else {
            fields.error(
                "table",
                format!("expected rows [t, value], found {}", node.kind_name()),
            );
            return None;
        };
        let (mut times, mut values) = (Vec::new(), Vec::new());
        let mut sound = true;
        for (index, row) in rows.iter().enumerate() {
            let Some([time, value]) = row.as_list() else {
                let message = format!("{path}: row {} must be a pair [t, value]", index + 1);
                self.reader.error(row.span, message);
                sound = false;
                continue;
            };
            let row_path = format!("{path}.{index}");
            let time = self
                .reader
                .number(time, &row_path, Unit::SECOND, FieldRange::Any);
            let value = self.number(value, &row_path);
            sound &= time.is_some() && value.is_some();
            times.extend(time);
            values.extend(value);
        }
        if !sound {
            return None;
        }
        let place = |row: usize| rows.get(row).map_or(node.span, |row| row.span);
        match interpolated(fields, times, values)? {
            Ok(signal) => Some(signal),
            Err(error) => self.refused(&error, row_of(&error).map_or(node.span, place), &path),
        }
    }

    fn refused(self, error: &SignalError, span: Span, path: &str) -> Option<Signal> {
        // The kind of signal is in the path already.
        let text = match error {
            SignalError::OutOfRange {
                field,
                value,
                unit,
                allowed,
                ..
            } => {
                let unit = if unit.is_empty() {
                    String::new()
                } else {
                    format!(" {unit}")
                };
                format!(
                    "{path}.{field} = {}{unit}, must be in {allowed}{unit}",
                    Shortest(*value)
                )
            }
            other => format!("{path}: {other}"),
        };
        self.reader.error(span, text);
        None
    }

    fn csv(self, fields: &Fields<'a>) -> Option<Signal> {
        let (file, span) = fields.text_spanned("csv")?;
        let time = fields.text("time")?;
        let Some(value) = fields.text("value") else {
            if !fields.has("value") {
                fields.error(
                    "csv",
                    "the column of the value is missing: value = \"NAME\"",
                );
            }
            return None;
        };
        let folder = self
            .reader
            .sources()
            .get(span.source)
            .map(crate::Source::directory);
        let full = folder.map_or_else(|| file.into(), |folder| folder.join(file));
        let path = fields.path_of("csv");
        let (columns, lines) = match read_columns(&full, &[time, value]) {
            Ok(read) => read,
            Err(error) => {
                self.reader.error(span, format!("{path}: {error}"));
                return None;
            }
        };
        let mut columns = columns.into_iter();
        match interpolated(fields, columns.next()?, columns.next()?)? {
            Ok(signal) => Some(signal),
            Err(error) => {
                let line = row_of(&error).and_then(|row| lines.get(row));
                let line = line.map(|line| format!(":{line}")).unwrap_or_default();
                let message = format!("{path}: {}{line}: {error}", full.display());
                self.reader.error(span, message);
                None
            }
        }
    }
}

/// A curve through points, as the fields say; `None` where they are wrong, which is reported.
fn interpolated(
    fields: &Fields<'_>,
    times: Vec<f64>,
    values: Vec<f64>,
) -> Option<Result<Signal, SignalError>> {
    Some(match fields.choice("interpolation")? {
        "cubic" => Signal::cubic(times, values),
        _ => Signal::table(times, values),
    })
}

/// The row of a table that an error is about.
fn row_of(error: &SignalError) -> Option<usize> {
    match error {
        SignalError::TimesNotIncreasing { row, .. } | SignalError::NotFinite { row, .. } => {
            Some(*row)
        }
        _ => None,
    }
}
