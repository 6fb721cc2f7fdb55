//! Laws of your own: `law = { equations = …, parameters = … }`.

use std::sync::Arc;

use bristle_laws::card::{self, Default as Fallback, Relation, Role, Typical};
use bristle_laws::curve::Shape;
use bristle_laws::own::{self, EquationError, OwnEquations, OwnParameter, OwnSource};
use bristle_laws::{Friction, ParameterCard};
use serde_json::json;

use super::LAW;
use crate::{
    Diagnostic, Dimension, Entry, Field, FieldKind, FieldRange, Fields, Node, Reader, Section,
    Unit, json_schema, parse_any_quantity, suggest,
};

const EQUATIONS: &str = "equations";
const EXPECTED: &str = "a text with one equation per line, or a list of such texts, as in \
                        \"F = mu*N*tanh(v/v_r)\"";

/// The fields of a law of your own.
const SECTION: Section = Section {
    name: "law",
    doc: "A law of your own, written as equations",
    fields: &[
        Field::optional("name", FieldKind::Text, "Its name in results").default("own"),
        Field::required(
            EQUATIONS,
            FieldKind::Any(EXPECTED),
            "The force F = …, rates dz/dt = … of states, and quantities of their own",
        ),
        Field::optional(
            "parameters",
            FieldKind::Any("a table with a unit, or a table, for every parameter"),
            "The parameters by name: a unit such as \"1/m\", or a table",
        ),
    ],
};

/// The fields of a parameter.
const PARAMETER: Section = Section {
    name: "parameter",
    doc: "A parameter of a law of your own",
    fields: &[
        Field::optional("unit", FieldKind::Text, "SI unit").default("1"),
        Field::optional(
            "symbol",
            FieldKind::Text,
            "Another name, as in the literature",
        ),
        Field::optional(
            "range",
            FieldKind::Any("\"positive\", \"non-negative\", \"any\", or [low, high]"),
            "Admissible values",
        )
        .default("positive"),
        Field::optional(
            "default",
            FieldKind::Any("a number"),
            "The value if none is given",
        ),
        Field::optional("typical", FieldKind::Any("a number"), "A typical value"),
        Field::optional(
            "role",
            FieldKind::Choice(ROLES),
            "What it means to a fit; by default from its unit and from what it does",
        ),
        Field::optional("meaning", FieldKind::Text, "What it is, in one sentence"),
    ],
};

const ROLES: &[&str] = &[
    "level",
    "static_level",
    "stiffness",
    "damping",
    "viscous",
    "stribeck_speed",
    "stick_speed",
    "speed",
    "length",
    "time",
    "shape",
];

fn role(word: &str) -> Role {
    match word {
        "level" => Role::Level,
        "static_level" => Role::StaticLevel,
        "stiffness" => Role::Stiffness,
        "damping" => Role::Damping,
        "viscous" => Role::Viscous,
        "stribeck_speed" => Role::StribeckSpeed,
        "stick_speed" => Role::StickSpeed,
        "speed" => Role::Speed,
        "length" => Role::Length,
        "time" => Role::Time,
        _ => Role::Shape,
    }
}

/// Whether the table of a law holds equations.
pub(super) fn is_own(entry: &Entry) -> bool {
    let law = entry.node.as_table().and_then(|table| table.get(LAW));
    law.is_some_and(|law| law.node.as_table().is_some())
}

/// Reads the equations of `{ law = { equations = … }, … }`.
pub(super) fn read<'a>(
    reader: &'a Reader<'a>,
    entry: &'a Entry,
    path: &str,
) -> Option<Arc<OwnEquations>> {
    let law = entry.node.as_table()?.get(LAW)?;
    let path = format!("{path}.{LAW}");
    let fields = Fields::open(reader, &law.node, law.key_span, path, &SECTION)?;
    let parameters = parameters(&fields);
    let name = name(&fields)?;
    let texts = texts(&fields)?;
    let source = OwnSource {
        name,
        equations: texts
            .iter()
            .map(|node| node.as_text().unwrap_or_default().to_owned())
            .collect(),
        parameters: parameters?,
    };
    OwnEquations::new(source)
        .map_err(|error| report(&fields, &error))
        .ok()
}

/// Reports what is wrong with equations at its place.
fn report(fields: &Fields<'_>, error: &EquationError) {
    let reader = fields.reader();
    let texts = texts(fields).unwrap_or_default();
    let place = error.place.as_ref().and_then(|place| {
        let node = texts.get(place.text)?;
        Some(reader.within(node, place.range.clone()))
    });
    let place = place.unwrap_or_else(|| fields.span(EQUATIONS));
    let message = format!("{}: {error}", fields.path_of(EQUATIONS));
    let mut diagnostic = Diagnostic::error(message);
    match &error.unknown {
        Some((name, known)) => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let meant = suggest::did_you_mean(name, known.iter().copied());
            diagnostic = diagnostic
                .label(place, meant.unwrap_or_default())
                .help(format!("known names are {}", known.join(", ")));
        }
        None => diagnostic = diagnostic.at(place),
    }
    reader.report(diagnostic);
}

/// Checks that a law is finite at rest.
pub(super) fn check(reader: &Reader<'_>, entry: &Entry, path: &str, law: &Friction) -> Option<()> {
    let Friction::Own(law) = law else {
        return Some(());
    };
    let Err(error) = law.check_at_rest() else {
        return Some(());
    };
    let node = entry.node.as_table()?.get(LAW)?;
    let path = format!("{path}.{LAW}");
    // what is read once more is not reported once more
    let quiet = Reader::new(reader.sources());
    let fields = Fields::open(&quiet, &node.node, node.key_span, path, &SECTION)?;
    report(&fields, &error);
    quiet
        .into_diagnostics()
        .iter()
        .for_each(|diagnostic| reader.report(diagnostic.clone()));
    None
}

fn name(fields: &Fields<'_>) -> Option<String> {
    let name = fields.text("name")?;
    if !own::is_name(name) {
        fields.error("name", "a name has letters, digits and _ only");
        return None;
    }
    if Friction::card_of(name).is_some() {
        let message = format!("{name} is a law of the catalogue; choose another name");
        fields.error("name", message);
        return None;
    }
    Some(name.to_owned())
}

/// The nodes of the equations: one text, or a list of them.
fn texts<'a>(fields: &Fields<'a>) -> Option<Vec<&'a Node>> {
    let node = fields.node(EQUATIONS)?;
    let nodes: Vec<&Node> = match node.as_list() {
        Some(list) => list.iter().collect(),
        None => vec![node],
    };
    match nodes.iter().find(|node| node.as_text().is_none()) {
        None => Some(nodes),
        Some(other) => {
            let found = other.kind_name();
            let message = format!(
                "{}: expected {EXPECTED}, found {found}",
                fields.path_of(EQUATIONS)
            );
            fields.reader().error(other.span, message);
            None
        }
    }
}

fn parameters(fields: &Fields<'_>) -> Option<Vec<OwnParameter>> {
    let Some(node) = fields.node("parameters") else {
        return Some(Vec::new());
    };
    let Some(table) = node.as_table() else {
        let found = node.kind_name();
        let message = format!("expected a table such as {{ sigma_0 = \"1/m\" }}, found {found}");
        fields.error("parameters", message);
        return None;
    };
    let path = fields.path_of("parameters");
    let all: Vec<Option<OwnParameter>> = table
        .entries
        .iter()
        .map(|entry| parameter(fields.reader(), entry, &format!("{path}.{}", entry.key)))
        .collect();
    all.into_iter().collect()
}

fn parameter<'a>(reader: &'a Reader<'a>, entry: &'a Entry, path: &str) -> Option<OwnParameter> {
    let refuse = |message: &str| {
        reader.error(entry.key_span, format!("{path}: {message}"));
        None
    };
    if !own::is_name(&entry.key) {
        return refuse("a name has letters, digits and _ only");
    }
    if [LAW, Shape::FIELD, "F", "v", "N"].contains(&entry.key.as_str()) {
        return refuse("this name has a meaning of its own; choose another one");
    }
    if entry.node.as_text().is_some() {
        let (text, unit) = unit(reader, &entry.node, path)?;
        return Some(made(&entry.key, text, unit, None));
    }
    let fields = Fields::open(reader, &entry.node, entry.key_span, path, &PARAMETER)?;
    let (text, unit) = match fields.node("unit") {
        Some(node) => unit(reader, node, &fields.path_of("unit"))?,
        None => ("1".to_owned(), Unit::ONE),
    };
    let range = match fields.node("range") {
        Some(node) => self::range(&fields, node, unit)?,
        None => card::Range::Positive,
    };
    let number = |name: &str| -> Option<Option<f64>> {
        let Some(node) = fields.node(name) else {
            return Some(None);
        };
        let path = fields.path_of(name);
        let read = super::range(range);
        reader.number(node, &path, unit, read).map(Some)
    };
    let (default, typical) = (number("default")?, number("typical")?);
    let mut parameter = made(&entry.key, text, unit, default);
    parameter.card.range = range;
    parameter.role = fields.choice("role").map(role);
    if let Some(typical) = typical.or(default).or_else(|| middle(range)) {
        parameter.card.typical = Typical::Number(typical);
    }
    if fields.has("symbol") {
        let symbol = fields.text("symbol")?;
        if !own::is_name(symbol) {
            fields.error("symbol", "a symbol has letters, digits and _ only");
            return None;
        }
        parameter.card.symbol = symbol.to_owned().into();
    }
    if fields.has("meaning") {
        parameter.card.meaning = fields.text("meaning")?.to_owned().into();
    }
    Some(parameter)
}

/// A typical value of a parameter that may not be 1.
fn middle(range: card::Range) -> Option<f64> {
    match range {
        card::Range::Open(low, high) | card::Range::Closed(low, high) => Some(0.5 * (low + high)),
        _ => None,
    }
}

fn made(name: &str, text: String, unit: Unit, default: Option<f64>) -> OwnParameter {
    let d = unit.dimension;
    let [length, mass, time] = [d.length, d.mass, d.time].map(|halves| 0.5 * f64::from(halves));
    OwnParameter {
        card: ParameterCard {
            name: name.to_owned().into(),
            symbol: name.to_owned().into(),
            unit: text.into(),
            role: Role::Shape,
            kind: card::ParameterKind::Number,
            range: card::Range::Positive,
            typical: Typical::Number(default.unwrap_or(1.0)),
            standard: None,
            default: default.map_or(Fallback::Required, Fallback::Number),
            relation: Relation::Free,
            fitted: default.is_none(),
            meaning: format!("Parameter {name} of the equations.").into(),
        },
        // 1 kg = 1 N s²/m
        dimension: own::OwnDimension::new(mass, length - mass, time + 2.0 * mass),
        role: None,
    }
}

/// The unit of a parameter, as it is written and as units go: it is SI.
fn unit(reader: &Reader<'_>, node: &Node, path: &str) -> Option<(String, Unit)> {
    let text = node.as_text().unwrap_or_default().trim();
    let refuse = |reason: &str| {
        let message = format!("{path}: {reason}");
        let help = "units are SI, such as 1/m, s/m, N s/m, m/s; 1 is a pure number";
        reader.report(Diagnostic::error(message).at(node.span).help(help));
        None
    };
    let written = format!("1 {text}");
    match parse_any_quantity(&written) {
        Some(unit) if unit.unit.is_empty() => refuse("expected a unit"),
        Some(unit) if unit.factor.to_bits() != 1.0_f64.to_bits() => refuse(&format!(
            "\"{text}\" is not an SI unit; values may be given in it all the same"
        )),
        Some(unit) => Some((text.to_owned(), known(unit.dimension))),
        None => refuse(&format!("\"{text}\" is not a unit")),
    }
}

/// Units that parameters of friction laws have.
const UNITS: [&str; 31] = [
    "1",
    "m",
    "1/m",
    "m^2",
    "1/m^2",
    "s",
    "1/s",
    "s^2",
    "1/s^2",
    "m/s",
    "s/m",
    "m/s^2",
    "s^2/m",
    "m^2/s",
    "s/m^2",
    "m^2/s^2",
    "s^2/m^2",
    "N",
    "1/N",
    "N/m",
    "m/N",
    "N s/m",
    "m/(N s)",
    "N s",
    "N s^2/m^2",
    "N m",
    "N/m^2",
    "N/m^1.5",
    "N^0.5",
    "rad",
    "1/rad",
];

/// A unit of this dimension.
fn known(dimension: Dimension) -> Unit {
    let mut units = UNITS.iter().filter_map(|text| Unit::from_symbol(text).ok());
    // others take plain numbers
    units
        .find(|unit| unit.dimension == dimension)
        .unwrap_or(Unit {
            text: "SI",
            dimension,
        })
}

/// The unit of a parameter of a law of your own, which has been read.
pub(super) fn unit_of(text: &str) -> Unit {
    parse_any_quantity(&format!("1 {text}")).map_or(Unit::ONE, |unit| known(unit.dimension))
}

fn range(fields: &Fields<'_>, node: &Node, unit: Unit) -> Option<card::Range> {
    if let Some(word) = node.as_text() {
        match suggest::canonical(word).as_str() {
            "positive" => return Some(card::Range::Positive),
            "non_negative" => return Some(card::Range::NonNegative),
            "any" => return Some(card::Range::Finite),
            _ => {}
        }
    }
    let path = fields.path_of("range");
    if let Some([low, high]) = node.as_list() {
        let end = |node: &Node, i: usize| {
            fields
                .reader()
                .number(node, &format!("{path}.{i}"), unit, FieldRange::Any)
        };
        let (low, high) = end(low, 0).zip(end(high, 1))?;
        if low < high {
            return Some(card::Range::Closed(low, high));
        }
        fields.error("range", "the lower end must be below the upper one");
        return None;
    }
    fields.error(
        "range",
        "expected \"positive\", \"non-negative\", \"any\", or [low, high]",
    );
    None
}

/// The JSON Schema of a law of your own: its fields are those that its parameters name.
pub(crate) fn schema() -> serde_json::Value {
    let mut law = json_schema(&SECTION);
    let text = json!({ "type": "string" });
    law["properties"][EQUATIONS] = json!({
        "description": "The force F = …, rates dz/dt = … of states, and quantities of their own",
        "anyOf": [text, { "type": "array", "items": text, "minItems": 1 }],
    });
    law["properties"]["parameters"] = json!({
        "description": "The parameters by name: a unit such as \"1/m\", or a table",
        "type": "object",
        "additionalProperties": { "anyOf": [text, json_schema(&PARAMETER)] },
    });
    json!({
        "title": "A law of your own",
        "description": "Equations, and the values of their parameters.",
        "type": "object",
        "properties": { LAW: law },
        "required": [LAW],
    })
}
