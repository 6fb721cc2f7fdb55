//! The values that cards give: a set to try a law with, and that of the test bench.

use super::{Default, LawCard, ParameterCard, Typical};
use crate::curve::Shape;
use crate::parameters::{Value, Values};

/// The typical value of a parameter.
pub fn typical_value(parameter: &ParameterCard) -> Value {
    match parameter.typical {
        Typical::Number(x) => Value::Number(x),
        Typical::List(list) => Value::List(list.to_vec()),
        Typical::Flag(x) => Value::Flag(x),
        Typical::Curve(name) => Value::Curve(Shape::named(name).unwrap_or_default()),
    }
}

/// The typical parameter set of a card, without what may be left out for good.
pub fn typical(card: &LawCard) -> Values {
    let needed = card
        .parameters
        .iter()
        .filter(|p| p.default != Default::Absent);
    needed
        .map(|p| (p.name.to_string(), typical_value(p)))
        .collect()
}

/// The set of the test bench: the typical one with the standard values of the cards, μs 0.15,
/// μk 0.1, σ₀ 10⁴ 1/m, v_s 1 mm/s, where the law has them.
pub fn standard(card: &LawCard) -> Values {
    let mut values = typical(card);
    for (name, value) in &mut values {
        let parameter = card.parameters.iter().find(|p| p.name == *name);
        if let Some(x) = parameter.and_then(|p| p.standard) {
            *value = Value::Number(x);
        }
    }
    values
}
