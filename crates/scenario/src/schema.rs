//! The JSON Schema of scenario files.

use bristle_laws::curve::Shape;
use bristle_laws::{Friction, LawCard, Normal, Sides};
use serde_json::{Value, json};

use crate::fields::{QUANTITY, json_schema, object_schema};
use crate::sections::{SCENARIO, law};
use crate::signal_schema;

/// The JSON Schema (draft 2020-12) of a scenario file.
///
/// Fields that are required may come from a file that is included, so they are asked for only where
/// nothing is. Of a text that holds a quantity the number is checked, not the unit.
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
    if let Some(needed) = needed(&mut schema) {
        schema["if"] = json!({ "not": { "required": ["include"] } });
        schema["then"] = needed;
    }
    schema["$defs"] = json!({
        "signal": signal_schema(),
        "friction": friction(),
        "normal": normal(),
    });
    schema
}

/// Takes what is required out of a schema; the schema of that alone.
fn needed(schema: &mut Value) -> Option<Value> {
    let object = schema.as_object_mut()?;
    let mut all = serde_json::Map::new();
    if let Some(required) = object.remove("required") {
        all.insert("required".to_owned(), required);
    }
    if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
        let inner = properties.iter_mut();
        let inner: serde_json::Map<_, _> = inner
            .filter_map(|(name, property)| Some((name.clone(), needed(property)?)))
            .collect();
        if !inner.is_empty() {
            all.insert("properties".to_owned(), Value::Object(inner));
        }
    }
    for part in ["additionalProperties", "items"] {
        if let Some(needed) = object.get_mut(part).and_then(needed) {
            all.insert(part.to_owned(), needed);
        }
    }
    (!all.is_empty()).then_some(Value::Object(all))
}

/// Where a field holds more than one kind of value, and what it holds there.
fn shapes() -> Vec<(&'static str, Value)> {
    let quantity = json!({ "type": ["number", "string"], "pattern": QUANTITY });
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
        (
            "/properties/expect/items/properties/tolerance",
            json!({ "type": ["number", "string"], "minimum": 0, "pattern": QUANTITY }),
        ),
        (
            "/properties/plot/additionalProperties/properties/channels",
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }),
        ),
    ]
}

fn friction() -> Value {
    let mut options = vec![file()];
    options.extend(Friction::CARDS.iter().map(of_law));
    options.push(law::own_schema());
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
    let negative = match Friction::sides_of(card.name) {
        Sides::Same => Vec::new(),
        Sides::OfVelocity | Sides::OfState => card.negative_parameters(),
    };
    let fields = law::declared(card, &negative, None);
    let mut schema = object_schema(card.title, card.summary, &fields);
    schema["properties"]["law"] = json!({ "const": card.name });
    if let Some(curve) = schema["properties"].get_mut(Shape::FIELD) {
        let description = curve["description"].take();
        *curve = law::curve_schema();
        curve["description"] = description;
    }
    // the points of a Stribeck table stand in for the levels
    if card
        .parameters
        .iter()
        .any(|p| p.kind == bristle_laws::card::ParameterKind::Curve)
    {
        relax(&mut schema);
    }
    schema
}

/// Lets a Stribeck table, or a file with one, stand in for the fields that it gives.
fn relax(schema: &mut Value) {
    let required = schema["allOf"].take();
    let table = json!({
        "properties": { (Shape::FIELD): { "anyOf": [
            { "type": "string", "pattern": "\\.csv$" },
            { "type": "object", "anyOf": [{ "required": ["csv"] }, { "required": ["points"] }] },
        ] } },
        "required": [Shape::FIELD],
    });
    let given = |condition: &Value| {
        let field = condition["anyOf"][0]["required"][0].as_str();
        if field.is_some_and(law::replaces_field) {
            json!({ "anyOf": [condition, table] })
        } else {
            condition.clone()
        }
    };
    if let Some(conditions) = required.as_array() {
        schema["allOf"] = conditions.iter().map(given).collect();
    }
}
