//! `model.json`: what a run keeps of its model, so that a report can be made later.

use bristle_report::Scene;
use bristle_results::{ChannelTable, Plot, format_number};
use bristle_scenario::{Origin, Parameter, ParameterValue, Scenario, SourceMap};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{animation, loops};
use crate::model::friction_laws;
use crate::plots;

/// Version of the file's format; a reader refuses a later one.
const FORMAT: u64 = 1;

/// The content of `model.json`.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptModel {
    format: u64,
    /// The texts that the scenario was read from, and the changes of the command line.
    pub(super) sources: Vec<KeptSource>,
    /// Every field that was read, and every parameter of the laws.
    pub(super) parameters: Vec<KeptParameter>,
    /// The friction laws with their equations; runs of before the version that keeps them have none.
    #[serde(default)]
    pub(super) laws: Vec<KeptLaw>,
    /// What moves.
    pub(super) scene: Scene,
    /// The plots of the run.
    pub(super) plots: Vec<Plot>,
    /// The contacts whose loops are drawn.
    pub(super) loops: Vec<loops::LoopContact>,
}

/// One text.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptSource {
    pub(super) name: String,
    pub(super) text: String,
}

/// One friction law.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptLaw {
    pub(super) name: String,
    /// The contacts and joints that have it.
    pub(super) of: Vec<String>,
    pub(super) equations: Vec<String>,
}

/// One parameter.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptParameter {
    pub(super) path: String,
    pub(super) value: KeptValue,
    pub(super) unit: String,
    pub(super) meaning: String,
    /// Whether the scenario gives it; else it is the default.
    pub(super) given: bool,
}

/// A value: in SI, or as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum KeptValue {
    Number(f64),
    Numbers(Vec<f64>),
    Text(String),
}

impl KeptModel {
    pub(super) fn of(scenario: &Scenario, sources: &SourceMap, table: &ChannelTable) -> Self {
        Self {
            format: FORMAT,
            sources: texts(sources),
            parameters: parameters(scenario),
            laws: laws(scenario),
            scene: animation::of_scenario(scenario),
            plots: plots::of_scenario(scenario, table),
            loops: loops::of_scenario(scenario),
        }
    }

    pub(super) fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self).map(|text| text + "\n")
    }

    /// Reads what a run kept. `Err` says why it cannot be read.
    pub(super) fn from_json(value: &Value) -> Result<Self, String> {
        let format = value.get("format").and_then(Value::as_u64);
        if format != Some(FORMAT) {
            let found = format.map_or("none".to_owned(), |format| format.to_string());
            return Err(format!(
                "model.json has the format {found}, this version of bristle reads {FORMAT}: the \
                 page has neither the scenario nor an animation"
            ));
        }
        Self::deserialize(value).map_err(|error| {
            format!("model.json cannot be read: {error}; the page has no animation")
        })
    }
}

/// Files one by one, and all changes of the command line together.
fn texts(sources: &SourceMap) -> Vec<KeptSource> {
    let mut texts = Vec::new();
    let mut changes = String::new();
    for (_, source) in sources.iter() {
        if *source.origin() == Origin::Override {
            changes.push_str(source.text());
            changes.push('\n');
        } else {
            texts.push(KeptSource {
                name: source.name().to_owned(),
                text: source.text().to_owned(),
            });
        }
    }
    if !changes.is_empty() {
        let name = "changed on the command line".to_owned();
        texts.insert(
            0,
            KeptSource {
                name,
                text: changes,
            },
        );
    }
    texts
}

/// The laws of contacts and joints, each once.
fn laws(scenario: &Scenario) -> Vec<KeptLaw> {
    let mut laws: Vec<KeptLaw> = Vec::new();
    for (of, law) in friction_laws(&scenario.model) {
        let equations = law.declaration().equations();
        let name = law.card().name;
        let mut known = laws.iter_mut();
        match known.find(|known| known.name == name && known.equations == equations) {
            Some(known) => known.of.push(of),
            None => laws.push(KeptLaw {
                name: name.to_owned(),
                of: vec![of],
                equations,
            }),
        }
    }
    laws
}

/// What was read, and after the fields of the friction laws the defaults of those laws.
fn parameters(scenario: &Scenario) -> Vec<KeptParameter> {
    let mut all: Vec<KeptParameter> = scenario.parameters.iter().map(read).collect();
    for (of, law) in friction_laws(&scenario.model) {
        let path = format!("{of}.friction");
        let (card, values) = (law.card(), law.to_values());
        for parameter in card.parameters {
            let name = format!("{path}.{}", parameter.name);
            let known = all.iter().any(|other| other.path == name);
            let value = values.iter().find(|(name, _)| **name == *parameter.name);
            let value = value
                .filter(|_| !known)
                .and_then(|(_, value)| of_law(value));
            let Some(value) = value else {
                continue;
            };
            let after = all.iter().rposition(|other| other.path.starts_with(&path));
            let meaning = parameter.meaning.trim().to_owned();
            let default = KeptParameter {
                path: name,
                value,
                unit: parameter.unit.to_string(),
                meaning,
                given: false,
            };
            all.insert(after.map_or(all.len(), |at| at + 1), default);
        }
    }
    all
}

fn of_law(value: &bristle_laws::Value) -> Option<KeptValue> {
    Some(match value {
        bristle_laws::Value::Number(value) => KeptValue::Number(*value),
        bristle_laws::Value::List(values) => KeptValue::Numbers(values.clone()),
        bristle_laws::Value::Flag(flag) => KeptValue::Text(flag.to_string()),
        // the fields of a curve are read one by one
        bristle_laws::Value::Curve(_) => return None,
    })
}

/// The rows of a matrix, as a scenario has them.
fn matrix(rows: &[Vec<f64>]) -> String {
    let row = |row: &Vec<f64>| {
        let numbers: Vec<String> = row.iter().map(|x| format_number(*x)).collect();
        format!("[{}]", numbers.join(", "))
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("[{}]", rows.join(", "))
}

fn read(parameter: &Parameter) -> KeptParameter {
    KeptParameter {
        path: parameter.path.clone(),
        value: match &parameter.value {
            ParameterValue::Number(value) => KeptValue::Number(*value),
            ParameterValue::Numbers(values) => KeptValue::Numbers(values.clone()),
            ParameterValue::Rows(rows) => KeptValue::Text(matrix(rows)),
            ParameterValue::Text(text) | ParameterValue::Written(text) => {
                KeptValue::Text(text.clone())
            }
        },
        unit: parameter.unit.to_string(),
        meaning: parameter.meaning.clone(),
        given: parameter.given,
    }
}
