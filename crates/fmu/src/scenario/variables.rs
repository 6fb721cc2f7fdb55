//! The variables of a scenario.

use std::collections::BTreeSet;

use bristle_scenario::{Node, NodeValue, ParameterValue, Scenario, parse_any_quantity, suggest};
use bristle_study::channels_of;

use crate::contents::{FmuChoices, FmuName};
use crate::error::FmuError;
use crate::variable::{Causality, FmuVariable, Variability, VariableRole};

/// The variables of an FMU, and where the values of its outputs are.
pub(super) struct ScenarioVariables {
    pub(super) variables: Vec<FmuVariable>,
    /// Places of the outputs among the channels.
    pub(super) channels: Vec<usize>,
    /// Values of the parameters.
    pub(super) parameters: Vec<f64>,
    /// Values of the inputs at the start, and whether each is the speed of a motion.
    pub(super) inputs: Vec<f64>,
}

fn unknown<'n>(kind: &str, path: &str, names: impl Iterator<Item = &'n str>) -> FmuError {
    let meant = suggest::did_you_mean(path, names);
    let meant = meant.map_or(String::new(), |meant| format!("; {meant}"));
    FmuError::wrong(format!("the scenario has no {kind} \"{path}\"{meant}"))
}

/// Inputs, outputs and parameters, in this order.
pub(super) fn variables(
    scenario: &Scenario,
    root: &Node,
    choices: &FmuChoices,
) -> Result<ScenarioVariables, FmuError> {
    let mut all = ScenarioVariables {
        variables: Vec::new(),
        channels: Vec::new(),
        parameters: Vec::new(),
        inputs: Vec::new(),
    };
    push_inputs(&mut all, scenario, &choices.inputs)?;
    push_outputs(&mut all, scenario, &choices.outputs)?;
    push_parameters(&mut all, scenario, root, &choices.parameters)?;
    let mut names = BTreeSet::new();
    for variable in &all.variables {
        if variable.name.is_empty() || !names.insert(variable.name.as_str()) {
            return Err(FmuError::wrong(format!(
                "two variables would be called \"{}\"; give one of them another name, as in \
                 --input force.pull.magnitude=F",
                variable.name
            )));
        }
    }
    Ok(all)
}

fn push_inputs(
    all: &mut ScenarioVariables,
    scenario: &Scenario,
    chosen: &[FmuName],
) -> Result<(), FmuError> {
    let inputs = scenario.model.inputs();
    for (i, FmuName { path, name }) in chosen.iter().enumerate() {
        let names = inputs.iter().map(|input| input.name.as_str());
        let input = inputs.iter().find(|input| input.name == *path);
        let input = input.ok_or_else(|| unknown("input", path, names))?;
        let signal = scenario.model.input_signal(input);
        let start = signal.map_or(0.0, |signal| {
            if input.is_motion() {
                signal.rate(0.0)
            } else {
                signal.value(0.0)
            }
        });
        all.inputs.push(start);
        let role = VariableRole::ScenarioInput(i);
        all.variables
            .push(FmuVariable::input(name, role, input.unit, start).meaning(&input.meaning));
    }
    Ok(())
}

fn push_outputs(
    all: &mut ScenarioVariables,
    scenario: &Scenario,
    chosen: &[FmuName],
) -> Result<(), FmuError> {
    let channels = channels_of(scenario);
    let is_taken = |name: &str| all.variables.iter().any(|own| own.name == name);
    // an input may have a channel of its own name, which says nothing more
    let every: Vec<FmuName> = channels
        .iter()
        .skip(1)
        .filter(|channel| !is_taken(&channel.name))
        .map(|channel| FmuName {
            path: channel.name.clone(),
            name: channel.name.clone(),
        })
        .collect();
    let chosen = if chosen.is_empty() { &every } else { chosen };
    for (i, FmuName { path, name }) in chosen.iter().enumerate() {
        let names = channels.iter().map(|channel| channel.name.as_str());
        let place = channels.iter().position(|channel| channel.name == *path);
        let place = place.ok_or_else(|| unknown("channel", path, names))?;
        let channel = &channels[place];
        all.channels.push(place);
        all.variables.push(
            FmuVariable::computed(name, VariableRole::ScenarioOutput(i), &channel.unit)
                .as_output()
                .meaning(&channel.meaning),
        );
    }
    Ok(())
}

/// The value of a parameter, its unit and its meaning.
struct FoundParameter {
    value: f64,
    unit: String,
    meaning: String,
}

/// A number of the scenario: one that was read in its unit, or one of the tree.
fn parameter(scenario: &Scenario, root: &Node, path: &str) -> Result<FoundParameter, FmuError> {
    let no_number = || {
        FmuError::wrong(format!(
            "{path} is no single number, and a parameter of an FMU is one; change it in the \
             scenario, or with --set when the FMU is made"
        ))
    };
    if let Some(own) = scenario.parameters.iter().find(|own| own.path == path) {
        let value = own.value.as_number().ok_or_else(no_number)?;
        return Ok(FoundParameter {
            value,
            unit: own.unit.text.to_owned(),
            meaning: own.meaning.clone(),
        });
    }
    let number = |value: f64| FoundParameter {
        value,
        unit: "1".to_owned(),
        meaning: String::new(),
    };
    match root.find(path).map(|node| &node.value) {
        #[allow(clippy::cast_precision_loss, reason = "a number of a scenario file")]
        Some(NodeValue::Integer(x)) => Ok(number(*x as f64)),
        Some(NodeValue::Float(x)) => Ok(number(*x)),
        Some(NodeValue::Text(text)) => {
            let quantity = parse_any_quantity(text).ok_or_else(no_number)?;
            Ok(FoundParameter {
                unit: quantity.si_unit(),
                ..number(quantity.si())
            })
        }
        Some(_) => Err(no_number()),
        None => {
            let names = scenario.parameters.iter();
            let names = names.filter(|own| matches!(own.value, ParameterValue::Number(_)));
            Err(unknown(
                "parameter",
                path,
                names.map(|own| own.path.as_str()),
            ))
        }
    }
}

fn push_parameters(
    all: &mut ScenarioVariables,
    scenario: &Scenario,
    root: &Node,
    chosen: &[FmuName],
) -> Result<(), FmuError> {
    for (i, FmuName { path, name }) in chosen.iter().enumerate() {
        let FoundParameter {
            value,
            unit,
            meaning,
        } = parameter(scenario, root, path)?;
        all.parameters.push(value);
        all.variables.push(FmuVariable {
            causality: Causality::Parameter,
            variability: Variability::Fixed,
            start: Some(value),
            ..FmuVariable::computed(name, VariableRole::ScenarioParameter(i), &unit)
                .meaning(meaning)
        });
    }
    Ok(())
}
