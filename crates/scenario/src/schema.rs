//! The JSON Schema of scenario files.

use bristle_laws::{Friction, LawCard, Normal};
use serde_json::{Value, json};

use crate::build::{SCENARIO, law};
use crate::fields::{json_schema, object_schema};
use crate::signal_schema;

/// The JSON Schema (draft 2020-12) of a scenario file.
///
/// The fields of laws come from their cards; functions of time are at `#/$defs/signal`, laws at
/// `#/$defs/friction` and `#/$defs/normal`.
pub fn schema() -> Value {
    let mut schema = json_schema(&SCENARIO);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["properties"]["include"] = json!({
        "description": "Files to be read first, relative to this one; fields of this file win.",
        "anyOf": [
            { "type": "string" },
            { "type": "array", "items": { "type": "string" } },
        ],
    });
    for (place, shape) in shapes() {
        if let Some(property) = schema.pointer_mut(place) {
            let description = property["description"].take();
            *property = shape;
            property["description"] = description;
        }
    }
    schema["$defs"] = json!({
        "signal": signal_schema(),
        "friction": friction(),
        "normal": normal(),
    });
    schema
}

/// Where a field holds more than one kind of value, and what it holds there.
fn shapes() -> Vec<(&'static str, Value)> {
    let quantity = json!({ "type": ["number", "string"] });
    let vector = json!({ "type": "array", "items": quantity, "minItems": 3, "maxItems": 3 });
    let matrix = json!({ "type": "array", "items": vector, "minItems": 3, "maxItems": 3 });
    let angle = json!({
        "type": "object",
        "properties": { "angle": quantity, "in": { "enum": ["xy", "yz", "xz"] } },
        "required": ["angle", "in"],
        "additionalProperties": false,
    });
    vec![
        (
            "/properties/body/additionalProperties/properties/inertia",
            json!({ "anyOf": [vector, matrix] }),
        ),
        (
            "/properties/contact/additionalProperties/properties/points/properties/at",
            json!({ "type": "array", "items": vector, "minItems": 1 }),
        ),
        (
            "/properties/contact/additionalProperties/properties/normal",
            json!({ "$ref": "#/$defs/normal" }),
        ),
        (
            "/properties/contact/additionalProperties/properties/friction",
            json!({ "$ref": "#/$defs/friction" }),
        ),
        (
            "/properties/force/additionalProperties/properties/direction",
            json!({ "anyOf": [vector, angle] }),
        ),
        (
            "/properties/expect/items/properties/expected",
            quantity.clone(),
        ),
        ("/properties/expect/items/properties/tolerance", quantity),
        (
            "/properties/plot/additionalProperties/properties/channels",
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }),
        ),
    ]
}

fn friction() -> Value {
    let mut options = vec![file()];
    options.extend(Friction::CARDS.iter().map(of_law));
    json!({ "description": "A friction law with its fields, or a file that holds them.",
            "oneOf": options })
}

fn normal() -> Value {
    let force = |name: &str| {
        json!({
            "type": "object",
            "properties": { name: { "$ref": "#/$defs/signal" } },
            "required": [name],
            "additionalProperties": false,
        })
    };
    let mut options = vec![file(), force("prescribed"), force("total")];
    options.extend(Normal::CARDS.iter().map(of_law));
    json!({ "description": "A normal-force law with its fields, a file that holds them, or a \
                            normal force as a function of time.",
            "oneOf": options })
}

fn file() -> Value {
    json!({ "type": "string", "pattern": "\\.toml$" })
}

fn of_law(card: &LawCard) -> Value {
    let mut schema = object_schema(card.title, card.summary, &law::declared(card, None));
    schema["properties"]["law"] = json!({ "const": card.name });
    if let Some(curve) = schema["properties"].get_mut("stribeck") {
        let description = curve["description"].take();
        *curve = law::curve_schema();
        curve["description"] = description;
    }
    // the points of a Stribeck table stand in for the levels
    if card
        .parameters
        .iter()
        .any(|p| p.kind == bristle_laws::card::Kind::Curve)
    {
        relax(&mut schema);
    }
    schema
}

/// Lets a Stribeck table, or a file with one, stand in for the fields that it gives.
fn relax(schema: &mut Value) {
    let required = schema["allOf"].take();
    let table = json!({
        "properties": { "stribeck": { "anyOf": [
            { "type": "string", "pattern": "\\.csv$" },
            { "type": "object", "anyOf": [{ "required": ["csv"] }, { "required": ["points"] }] },
        ] } },
        "required": ["stribeck"],
    });
    let given = |condition: &Value| {
        let field = condition["anyOf"][0]["required"][0].as_str();
        if field.is_some_and(law::is_in_table) {
            json!({ "anyOf": [condition, table] })
        } else {
            condition.clone()
        }
    };
    if let Some(conditions) = required.as_array() {
        schema["allOf"] = conditions.iter().map(given).collect();
    }
}
