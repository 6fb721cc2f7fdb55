//! JSON Schema of sections.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Field, FieldKind, FieldRange, Section};
use crate::Unit;

/// What a text with a quantity begins with.
pub(crate) const QUANTITY: &str = r"^\s*[+-]?(\d|\.\d)";

/// The JSON Schema (draft 2020-12) of a section, without `$schema`, to be put into a whole.
///
/// Functions of time refer to `#/$defs/signal`, which the whole must define.
pub fn json_schema(section: &Section) -> Value {
    object_schema(section.name, section.doc, section.fields)
}

/// As [`json_schema`], with fields that are put together at run time.
pub(crate) fn object_schema(title: &str, doc: &str, fields: &[Field]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut either = Vec::new();
    for field in fields {
        properties.insert(field.name.to_owned(), property(field));
        if let Some(symbol) = field.symbol {
            let mut alias = property(field);
            alias["description"] = json!(format!("The same as {}.", field.name));
            properties.insert(symbol.to_owned(), alias);
        }
        match (field.required, field.symbol) {
            (true, None) => required.push(field.name),
            (true, Some(symbol)) => either.push(json!({
                "anyOf": [{ "required": [field.name] }, { "required": [symbol] }]
            })),
            (false, _) => {}
        }
    }
    let mut schema = json!({
        "type": "object",
        "title": title,
        "description": doc,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !either.is_empty() {
        schema["allOf"] = json!(either);
    }
    schema
}

fn property(field: &Field) -> Value {
    let mut schema = kind(&field.kind);
    let unit = match field.kind {
        FieldKind::Number { unit, .. }
        | FieldKind::Vector3 { unit }
        | FieldKind::List { unit, .. }
        | FieldKind::Signal { unit } => (!unit.is_one()).then_some(unit.text),
        _ => None,
    };
    let mut description = format!("{}.", field.doc.trim_end_matches('.'));
    if let Some(unit) = unit {
        let _ = write!(description, " In {unit}, or a text with a unit.");
        schema["x-unit"] = json!(unit);
    }
    schema["description"] = json!(description);
    if let Some(default) = field.default {
        schema["default"] = serde_json::from_str(default).unwrap_or_else(|_| json!(default));
    }
    schema
}

fn kind(kind: &FieldKind) -> Value {
    match kind {
        FieldKind::Number { unit, range } => number(*unit, *range),
        FieldKind::Integer { range } => bounded("integer", *range),
        FieldKind::Text => json!({ "type": "string" }),
        FieldKind::Choice(words) => json!({ "enum": words }),
        FieldKind::Flag => json!({ "type": "boolean" }),
        FieldKind::Vector3 { unit } => json!({
            "type": "array", "items": number(*unit, FieldRange::Any), "minItems": 3, "maxItems": 3
        }),
        FieldKind::List { unit, range } => {
            json!({ "type": "array", "items": number(*unit, *range) })
        }
        // A sibling of $ref may carry the description in this draft.
        FieldKind::Signal { .. } => json!({ "$ref": "#/$defs/signal" }),
        FieldKind::Table(section) => json_schema(section),
        FieldKind::Named(section) => {
            json!({ "type": "object", "additionalProperties": json_schema(section) })
        }
        FieldKind::Tables(section) => json!({ "type": "array", "items": json_schema(section) }),
        FieldKind::Any(_) => json!({}),
    }
}

fn number(unit: Unit, range: FieldRange) -> Value {
    // A pure number may be a text as well, such as "5 %".
    let example = unit.example();
    let text = json!({ "type": "string", "pattern": QUANTITY, "examples": [example] });
    json!({ "anyOf": [bounded("number", range), text] })
}

fn bounded(kind: &str, range: FieldRange) -> Value {
    let mut schema = json!({ "type": kind });
    let (low, low_open, high, high_open) = range.ends();
    if low.is_finite() {
        schema[if low_open {
            "exclusiveMinimum"
        } else {
            "minimum"
        }] = json!(low);
    }
    if high.is_finite() {
        schema[if high_open {
            "exclusiveMaximum"
        } else {
            "maximum"
        }] = json!(high);
    }
    schema
}
