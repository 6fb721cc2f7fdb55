//! The card of a law as JSON.

use bristle_laws::card::{Default, ParameterKind, Range, Typical};
use bristle_laws::curve::Shape;
use bristle_laws::{Friction, LawCard, ParameterCard, StateCard, Value as LawValue, friction};
use serde_json::{Value, json};

/// The ends of a range, where it has them.
fn ends(range: Range) -> (Option<f64>, Option<f64>) {
    match range {
        Range::Positive | Range::NonNegative => (Some(0.0), None),
        Range::Finite => (None, None),
        Range::Open(low, high) | Range::Closed(low, high) => (Some(low), Some(high)),
    }
}

fn parameter(card: &ParameterCard) -> Value {
    let (minimum, maximum) = ends(card.range);
    json!({
        "name": card.name,
        "symbol": card.symbol,
        "unit": card.unit,
        "kind": match card.kind {
            ParameterKind::Number => "number",
            ParameterKind::List => "list",
            ParameterKind::Flag => "flag",
            ParameterKind::Curve => "curve",
        },
        "range": card.range.to_string(),
        "minimum": minimum,
        "maximum": maximum,
        "typical": match card.typical {
            Typical::Number(x) => json!(x),
            Typical::List(list) => json!(list),
            Typical::Flag(flag) => json!(flag),
            Typical::Curve(name) => json!(name),
        },
        "required": card.default == Default::Required,
        "default": match card.default {
            Default::Number(x) => json!(x),
            Default::Flag(flag) => json!(flag),
            Default::Curve(name) => json!(name),
            Default::Required | Default::Absent | Default::Scaled(..) => Value::Null,
        },
        "meaning": card.meaning.trim(),
    })
}

fn state(card: &StateCard) -> Value {
    json!({
        "name": card.name,
        "unit": card.unit,
        "meaning": card.meaning,
        "vector": card.is_vector,
        "per_element": card.is_per_element,
    })
}

/// Meta data of a law, with its equations as plain text.
pub(crate) fn json_of(card: &LawCard<'_>, equations: &[String]) -> Value {
    let behaviour = card.behaviour.iter().map(|own| format!("{own:?}"));
    json!({
        "name": card.name,
        "title": card.title,
        "summary": card.summary,
        "equations": equations,
        "parameters": card.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "states": card.states.iter().map(state).collect::<Vec<_>>(),
        "behaviour": behaviour.collect::<Vec<_>>(),
        "reproduces": card.reproduces,
        "cannot": card.cannot,
        "source": card.source,
    })
}

/// The values of the standard set of the test bench, by the names of parameters.
fn standard(card: &LawCard<'_>) -> Value {
    let value = |value: &LawValue| match value {
        LawValue::Number(x) => json!(x),
        LawValue::List(list) => json!(list),
        LawValue::Flag(flag) => json!(flag),
        LawValue::Curve(curve) => json!(curve.name()),
    };
    let values = friction::standard(card);
    values
        .iter()
        .map(|(name, own)| (name.clone(), value(own)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// Meta data of all laws of the catalogue, with the values that the test bench uses.
pub(crate) fn catalogue() -> Value {
    let curves: Vec<&str> = Shape::CARDS.iter().map(|card| card.name).collect();
    let each = Friction::CARDS.iter().map(|card| {
        let equations: Vec<String> = card.equations.iter().map(|e| e.text.to_owned()).collect();
        let mut law = json_of(card, &equations);
        law["standard"] = standard(card);
        law["curves"] = json!(curves);
        law
    });
    each.collect()
}
