//! What was read of a scenario, field by field: for reports, and for whoever asks what a run used.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::Unit;

/// A field of a scenario with the value that was used.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its path, such as `body.cube.mass`.
    pub path: String,
    /// The value in SI.
    pub value: ParameterValue,
    /// The SI unit; [`Unit::ONE`] for texts, flags and numbers without dimension.
    pub unit: Unit,
    /// What it means, in one sentence.
    pub meaning: String,
    /// Whether the scenario gives it; else it is the default.
    pub given: bool,
}

/// The value of a [`Parameter`].
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    /// A number in SI.
    Number(f64),
    /// Numbers in SI: a vector or a list.
    Numbers(Vec<f64>),
    /// Rows of numbers in SI: a matrix.
    Rows(Vec<Vec<f64>>),
    /// A word, a text or a flag.
    Text(String),
    /// Anything else, such as a function of time, as it is written in the file.
    Written(String),
}

impl ParameterValue {
    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The numbers, if they are several.
    pub fn as_numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Numbers(values) => Some(values),
            _ => None,
        }
    }
}

/// Each path once, in the order in which paths were first read. A text stands until a value is read
/// of it.
pub(crate) fn unique(read: Vec<Parameter>) -> Vec<Parameter> {
    let mut unique: Vec<Parameter> = Vec::with_capacity(read.len());
    let mut places = BTreeMap::new();
    for parameter in read {
        match places.entry(parameter.path.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(unique.len());
                unique.push(parameter);
            }
            Entry::Occupied(entry) => {
                let first = &mut unique[*entry.get()];
                if matches!(first.value, ParameterValue::Written(_)) {
                    *first = parameter;
                }
            }
        }
    }
    unique
}
