//! Values of a fit file.

use bristle_laws::card::ParameterCard;
use bristle_scenario::{Fields, Node, NodeValue, Span};
use bristle_units::parse_any_quantity;

use super::sections::QUANTITY;

/// A text or a list of texts.
pub(super) fn texts(fields: &Fields<'_>, name: &str) -> Vec<String> {
    match fields.node(name) {
        None => Vec::new(),
        Some(node) => node.as_text().map_or_else(
            || {
                let all = fields.texts(name).unwrap_or_default().into_iter();
                all.map(|(text, _)| text.to_owned()).collect()
            },
            |text| vec![text.to_owned()],
        ),
    }
}

/// A number in SI, or a text with a unit of the kind that the parameter has.
pub(super) fn value(
    fields: &Fields<'_>,
    field: &str,
    node: &Node,
    card: Option<&ParameterCard>,
) -> Option<f64> {
    let wrong = |span: Span, what: &str| {
        let path = fields.path_of(field);
        fields.reader().error(span, format!("{path}: {what}"));
    };
    let text = match &node.value {
        NodeValue::Integer(x) => return Some(*x as f64),
        NodeValue::Float(x) if x.is_finite() => return Some(*x),
        NodeValue::Text(text) => text,
        _ => {
            wrong(node.span, &format!("expected {QUANTITY}"));
            return None;
        }
    };
    let Some(read) = parse_any_quantity(text) else {
        wrong(node.span, &format!("\"{text}\" is no number with a unit"));
        return None;
    };
    let unit = card.map(|card| card.unit.to_string());
    let one = unit.as_ref().map(|unit| format!("1 {unit}"));
    let expected = one.as_deref().and_then(parse_any_quantity);
    if !read.unit.is_empty() && expected.is_some_and(|q| q.dimension != read.dimension) {
        let unit = unit.unwrap_or_default();
        wrong(node.span, &format!("\"{text}\" is not in units of {unit}"));
        return None;
    }
    Some(read.si())
}

/// The lower and the upper bound.
pub(super) fn bounds(
    fields: &Fields<'_>,
    quantity: &dyn Fn(&str, &Node) -> Option<f64>,
) -> Option<(f64, f64)> {
    let node = fields.node("bounds")?;
    let Some([low, high]) = node.as_list() else {
        fields.error(
            "bounds",
            "expected a list of two values such as [0.05, 0.3]",
        );
        return None;
    };
    Some((quantity("bounds", low)?, quantity("bounds", high)?))
}
