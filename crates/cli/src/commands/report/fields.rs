//! Fields of a scenario, for the scene of the animation.

use bristle_mechanics::BodyId;
use bristle_scenario::{ParameterValue, Scenario};

/// Place in the list of bodies; the ground has none.
pub(super) fn index(body: BodyId) -> Option<usize> {
    body.index().checked_sub(1)
}

/// What a scenario has at a path.
pub(super) fn parameter<'s>(scenario: &'s Scenario, path: &str) -> Option<&'s ParameterValue> {
    let found = scenario.parameters.iter().find(|p| p.path == path);
    found.map(|parameter| &parameter.value)
}

/// A number, SI.
pub(super) fn number(scenario: &Scenario, path: &str) -> Option<f64> {
    parameter(scenario, path)?.as_number()
}

/// Three numbers, SI.
pub(super) fn vector(scenario: &Scenario, path: &str) -> Option<[f64; 3]> {
    parameter(scenario, path)?.as_numbers()?.try_into().ok()
}

/// The numbers of a field that has several.
pub(super) fn numbers_of(scenario: &Scenario, path: &str) -> Option<Vec<f64>> {
    Some(parameter(scenario, path)?.as_numbers()?.to_vec())
}

/// A text.
pub(super) fn text<'s>(scenario: &'s Scenario, path: &str) -> Option<&'s str> {
    match parameter(scenario, path)? {
        ParameterValue::Text(text) => Some(text),
        _ => None,
    }
}

/// The body that a field names: `Some(None)` for the ground.
#[allow(clippy::option_option, reason = "no such field, the ground, or a body")]
pub(super) fn body(scenario: &Scenario, path: &str) -> Option<Option<usize>> {
    match text(scenario, path)? {
        "ground" => Some(None),
        name => scenario.model.body(name).map(index),
    }
}
