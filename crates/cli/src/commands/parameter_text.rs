//! What a card says of a parameter, as text.

use bristle_laws::card::{Default, ParameterCard, ParameterKind, Typical};

/// The range of its values.
pub(super) fn range(parameter: &ParameterCard) -> String {
    match parameter.kind {
        ParameterKind::Number => parameter.range.to_string(),
        ParameterKind::List => format!("list in {}", parameter.range),
        ParameterKind::Flag => "true or false".to_owned(),
        ParameterKind::Curve => "a Stribeck curve".to_owned(),
    }
}

/// Its typical value.
pub(super) fn typical(value: Typical) -> String {
    match value {
        Typical::Number(x) => bristle_results::format_number(x),
        Typical::List(list) => {
            let texts: Vec<String> = list
                .iter()
                .map(|&x| bristle_results::format_number(x))
                .collect();
            format!("[{}]", texts.join(", "))
        }
        Typical::Flag(flag) => flag.to_string(),
        Typical::Curve(name) => name.to_owned(),
    }
}

/// Its value where none is given.
pub(super) fn default(parameter: &ParameterCard) -> String {
    match parameter.default {
        Default::Required => "required".to_owned(),
        Default::Number(x) => bristle_results::format_number(x),
        Default::Flag(flag) => flag.to_string(),
        Default::Curve(name) => name.to_owned(),
        Default::Scaled(other, factor) if (factor - 1.0).abs() < f64::EPSILON => other.to_owned(),
        Default::Scaled(other, factor) => format!("{factor} {other}"),
        Default::Absent => "none".to_owned(),
    }
}
