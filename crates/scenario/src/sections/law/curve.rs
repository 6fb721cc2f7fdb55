//! The Stribeck curve of a law: a name, or a table with the fields of the curve.

use std::sync::Arc;

use bristle_laws::ParameterCard;
use bristle_laws::card::Role;
use bristle_laws::curve::{Shape, TableCurve, TableError};
use serde_json::json;

use crate::{
    Diagnostic, Field, FieldKind, FieldRange, Fields, Node, Reader, Unit, read_columns, suggest,
};

/// What the field `stribeck` holds.
pub(super) const KIND: FieldKind = FieldKind::Any(
    "a Stribeck curve: its name, a file \"curve.csv\", or a table such as \
     { curve = \"NAME\", … }",
);

/// Whether a Stribeck table stands in for a parameter of a law.
pub(super) fn replaces(parameter: &ParameterCard) -> bool {
    matches!(
        parameter.role,
        Role::Level | Role::StaticLevel | Role::StribeckSpeed
    )
}

/// Whether a Stribeck table stands in for a field of this name, in any law that may have one.
pub(crate) fn replaces_field(name: &str) -> bool {
    let mut levels = Shape::CARDS.iter().flat_map(|card| card.parameters);
    levels.any(|parameter| parameter.name == name && replaces(parameter))
}

const SPEED: FieldKind = FieldKind::Number {
    unit: Unit::METRE_PER_SECOND,
    range: FieldRange::Positive,
};

/// Whether the value of `stribeck` is a table of points, also one that is wrong inside.
pub(super) fn is_table(node: Option<&Node>) -> bool {
    let given = |node: &Node| {
        let table = node.as_table()?;
        let points = ["csv", "points"].iter().any(|key| table.get(key).is_some());
        let named = table.get("curve").and_then(|entry| entry.node.as_text());
        Some(points || named == Some("table"))
    };
    node.and_then(given).unwrap_or(false)
}

/// Reads the field `name` of a law.
pub(super) fn read(law: &Fields<'_>, name: &str) -> Option<Shape> {
    let entry = law.entry(name)?;
    let (reader, path) = (law.reader(), law.path_of(name));
    if let Some(text) = entry.node.as_text() {
        return named(reader, &entry.node, &path, text);
    }
    let Some(table) = entry.node.as_table() else {
        reader.wrong_kind(&entry.node, &path, &KIND);
        return None;
    };
    let curve = table.get("curve").map(|entry| &entry.node);
    let shape = match curve.map(|node| (node, node.as_text())) {
        Some((node, Some(text))) if suggest::canonical(text) != "table" => {
            named(reader, node, &format!("{path}.curve"), text)?
        }
        Some((node, None)) => {
            reader.wrong_kind(node, &format!("{path}.curve"), &FieldKind::Text);
            return None;
        }
        // points are enough to say that it is a table
        _ => {
            let declared = points_fields();
            let fields = Fields::open_with(reader, &entry.node, entry.key_span, path, declared)?;
            return points(&fields).map(|table| Shape::Table(Arc::new(table)));
        }
    };
    let declared = shape_fields(&shape);
    let fields = Fields::open_with(reader, &entry.node, entry.key_span, path, declared)?;
    let end = dynamic_speed(&shape);
    let dynamic = || {
        let name = &*end?.name;
        match fields.number(name) {
            None if fields.has(name) => None,
            speed => Some(speed),
        }
    };
    Some(match shape {
        Shape::Step5(_) => Shape::Step5(dynamic()?),
        Shape::Sine(_) => Shape::Sine(dynamic()?),
        other => other,
    })
}

fn names() -> impl Iterator<Item = &'static str> + Clone {
    Shape::CARDS.iter().map(|card| card.name)
}

fn named(reader: &Reader<'_>, node: &Node, path: &str, name: &str) -> Option<Shape> {
    let shape = Shape::named(name);
    if shape.is_none() {
        let list = names().collect::<Vec<_>>().join(", ");
        let table = suggest::canonical(name) == "table";
        let message = if table {
            format!("{path}: the points of the table are missing")
        } else {
            format!("{path}: there is no Stribeck curve \"{name}\"")
        };
        let help = format!(
            "the curves are {list}; write a table of points as \"FILE.csv\" with columns v and mu"
        );
        let meant = suggest::did_you_mean(name, names()).filter(|_| !table);
        reader.report(
            Diagnostic::error(message)
                .label(node.span, meant.unwrap_or_default())
                .help(help),
        );
    }
    shape
}

fn shape_fields(shape: &Shape) -> Vec<Field<'static>> {
    let mut fields = vec![Field::required(
        "curve",
        FieldKind::Text,
        "Name of the curve",
    )];
    if let Some(speed) = dynamic_speed(shape) {
        let doc = "Speed above the Stribeck velocity from which the level is the kinetic one";
        fields.push(Field::optional(&speed.name, SPEED, doc).symbol(&speed.symbol));
    }
    fields
}

/// The speed at which a curve ends, if it has one.
fn dynamic_speed(shape: &Shape) -> Option<&'static ParameterCard> {
    Shape::card_of(shape.name())?.with_role(Role::Speed)
}

fn points_fields() -> Vec<Field<'static>> {
    vec![
        Field::optional("curve", FieldKind::Text, "Name of the curve").default("table"),
        Field::optional(
            "csv",
            FieldKind::Text,
            "File with columns of speeds and coefficients",
        ),
        Field::optional("speed", FieldKind::Text, "Column of the speeds").default("v"),
        Field::optional("coefficient", FieldKind::Text, "Column of the coefficients").default("mu"),
        Field::optional(
            "points",
            FieldKind::Any("a list of [speed, coefficient]"),
            "Points, each [speed, coefficient]",
        ),
    ]
}

fn points(fields: &Fields<'_>) -> Option<TableCurve> {
    match fields.exactly_one(&["csv", "points"])? {
        "csv" => from_csv(fields),
        _ => from_list(fields),
    }
}

fn from_csv(fields: &Fields<'_>) -> Option<TableCurve> {
    let (file, span) = fields.text_spanned("csv")?;
    let (speed, mu) = (fields.text("speed")?, fields.text("coefficient")?);
    let reader = fields.reader();
    let folder = reader.sources().get(span.source);
    let full = folder.map_or_else(|| file.into(), |source| source.directory().join(file));
    let path = fields.path_of("csv");
    let (columns, lines) = read_columns(&full, &[speed, mu])
        .map_err(|error| reader.error(span, format!("{path}: {error}")))
        .ok()?;
    let [speeds, levels] = columns.as_slice() else {
        return None;
    };
    let points: Vec<(f64, f64)> = speeds.iter().copied().zip(levels.iter().copied()).collect();
    let refused = |error: TableError| {
        let line = error.row().and_then(|row| lines.get(row));
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        reader.error(span, format!("{path}: {}{line}: {error}", full.display()));
    };
    TableCurve::new(&points).map_err(refused).ok()
}

fn from_list(fields: &Fields<'_>) -> Option<TableCurve> {
    let (reader, path) = (fields.reader(), fields.path_of("points"));
    let node = fields.node("points")?;
    let pairs = node.as_list().map(|rows| {
        let pair = |row: &Node| row.as_list().is_some_and(|pair| pair.len() == 2);
        (rows, rows.iter().all(pair))
    });
    let Some((rows, true)) = pairs else {
        let found = node.kind_name();
        let message = format!(
            "{path}: expected a list of pairs [speed, coefficient] such as \
             [[0, 0.15], [\"1 cm/s\", 0.1]], found {found}"
        );
        reader.error(node.span, message);
        return None;
    };
    let mut points = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let [speed, mu] = row.as_list()? else {
            return None;
        };
        let at = |entry: usize| format!("{path}.{index}.{entry}");
        let speed = reader.number(speed, &at(0), Unit::METRE_PER_SECOND, FieldRange::Any);
        let mu = reader.number(mu, &at(1), Unit::ONE, FieldRange::Any);
        points.push(speed.zip(mu)?);
    }
    let refused = |error: TableError| {
        let place = error.row().and_then(|row| rows.get(row)).unwrap_or(node);
        reader.error(place.span, format!("{path}: {error}"));
    };
    TableCurve::new(&points).map_err(refused).ok()
}

/// The JSON Schema of a Stribeck curve.
pub(crate) fn schema() -> serde_json::Value {
    let names: Vec<&str> = names().filter(|name| *name != "table").collect();
    let mut fields = json!({ "curve": { "enum": names } });
    let speeds = Shape::CARDS
        .iter()
        .filter_map(|card| card.with_role(Role::Speed));
    for name in speeds.flat_map(|speed| [&*speed.name, &*speed.symbol]) {
        fields[name] = json!({ "type": ["number", "string"], "x-unit": "m/s" });
    }
    json!({
        "anyOf": [
            { "enum": names },
            { "type": "string", "pattern": "\\.csv$" },
            {
                "type": "object",
                "properties": fields,
                "required": ["curve"],
                "additionalProperties": false,
            },
            {
                "type": "object",
                "properties": {
                    "curve": { "const": "table" },
                    "csv": { "type": "string" },
                    "speed": { "type": "string" },
                    "coefficient": { "type": "string" },
                    "points": {
                        "type": "array",
                        "minItems": 2,
                        "items": {
                            "type": "array",
                            "items": { "type": ["number", "string"] },
                            "minItems": 2,
                            "maxItems": 2,
                        },
                    },
                },
                "additionalProperties": false,
            },
        ],
    })
}
