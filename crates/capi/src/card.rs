//! The card of a law as JSON.

use bristle_laws::card::{Default, ParameterKind, Typical};
use bristle_laws::{Friction, LawCard, ParameterCard, StateCard};
use serde_json::{Value, json};

fn parameter(card: &ParameterCard) -> Value {
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
        "typical": match card.typical {
            Typical::Number(x) => json!(x),
            Typical::List(list) => json!(list),
            Typical::Flag(flag) => json!(flag),
            Typical::Curve(name) => json!(name),
        },
        "required": card.default == Default::Required,
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

/// Meta data of all laws of the catalogue.
pub(crate) fn catalogue() -> Value {
    let each = Friction::CARDS.iter().map(|card| {
        let equations: Vec<String> = card.equations.iter().map(|e| e.text.to_owned()).collect();
        json_of(card, &equations)
    });
    each.collect()
}
