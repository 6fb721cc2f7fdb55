//! The numbers of a summary by their paths.

use bristle_results::Summary;
use serde_json::Value;

/// What a run measures: energies, contacts, joints, events, expectations. The imbalance is an error,
/// and not among them.
pub(crate) fn numbers_of(summary: &Summary) -> Vec<(String, f64)> {
    let parts = [
        ("energy", serde_json::to_value(summary.energy)),
        ("contacts", serde_json::to_value(&summary.contacts)),
        ("joints", serde_json::to_value(&summary.joints)),
        ("events", serde_json::to_value(&summary.events)),
    ];
    let mut all = Vec::new();
    for (name, value) in parts {
        if let Ok(value) = value {
            flatten(name, &value, &mut all);
        }
    }
    for expectation in &summary.expectations {
        if let Some(value) = expectation.value {
            all.push((format!("expectations.{}", expectation.name), value));
        }
    }
    all.retain(|(name, _)| !name.ends_with("imbalance"));
    all
}

/// The numbers of a value by their paths.
fn flatten(path: &str, value: &Value, out: &mut Vec<(String, f64)>) {
    match value {
        Value::Number(number) => out.extend(number.as_f64().map(|x| (path.to_owned(), x))),
        Value::Object(fields) => {
            for (name, value) in fields {
                flatten(&format!("{path}.{name}"), value, out);
            }
        }
        Value::Array(entries) => {
            for (i, value) in entries.iter().enumerate() {
                flatten(&format!("{path}[{i}]"), value, out);
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
