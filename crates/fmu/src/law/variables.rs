//! The variables of a law.

use bristle_laws::card::Range;
use bristle_laws::card::Role;
use bristle_laws::{Friction, ParameterCard, Value};
use bristle_rig::state_names;

use super::evaluate::{LawInput, rates};
use super::states::LawStates;
use crate::variable::{Causality, FmuVariable, Variability, VariableRole};

const AXES: [&str; 3] = ["x", "y", "z"];

/// The name of a component, as `bristle drive` has it.
fn component(name: &str, dimension: usize, i: usize) -> String {
    if dimension == 1 {
        name.to_owned()
    } else {
        format!("{name}{}", AXES[i])
    }
}

/// Whether the force that is applied changes what the law answers.
fn knows_applied(law: &Friction) -> bool {
    let count = law.layout().len(1);
    let answer = |velocity: f64, applied: f64, state: f64| {
        let input = LawInput {
            velocity: [velocity, 0.0, 0.0],
            normal_force: 1.0,
            applied: [applied, 0.0, 0.0],
        };
        let (state, mut out) = (vec![state; count], vec![0.0; count]);
        let force = rates(law, 1, &input, &state, &mut out)[0].to_bits();
        (
            force,
            out.iter().map(|rate| rate.to_bits()).collect::<Vec<_>>(),
        )
    };
    let forces = [-10.0, -1e-3, 1e-3, 10.0];
    [(0.0, 0.0), (1e-3, 1e-6), (-1e-3, 1e-6), (0.1, 1.0)]
        .into_iter()
        .any(|(v, z)| forces.iter().any(|f| answer(v, *f, z) != answer(v, 0.0, z)))
}

/// All variables; inputs, outputs, states, rates, parameters in this order.
pub(super) fn variables(law: &Friction, states: &LawStates, dimension: usize) -> Vec<FmuVariable> {
    let mut all = Vec::new();
    for i in 0..dimension {
        let name = component("v", dimension, i);
        all.push(
            FmuVariable::input(name, VariableRole::Velocity(i), "m/s", 0.0)
                .meaning("slip velocity of the moving body relative to the other one"),
        );
    }
    let mut load = FmuVariable::input("N", VariableRole::NormalForce, "N", states.normal_force)
        .meaning("normal force; below 0 it counts as 0");
    load.min = Some(0.0);
    all.push(load);
    if knows_applied(law) {
        for i in 0..dimension {
            let name = component("Fe", dimension, i);
            all.push(
                FmuVariable::input(name, VariableRole::Applied(i), "N", 0.0)
                    .meaning("applied tangential force, which friction balances at rest"),
            );
        }
    }
    for i in 0..dimension {
        let name = component("F", dimension, i);
        all.push(
            FmuVariable::computed(name, VariableRole::Force(i), "N")
                .as_output()
                .meaning("friction force along the slip velocity; the moving body feels -F"),
        );
    }
    all.push(
        FmuVariable::computed("power", VariableRole::Power, "W")
            .as_output()
            .meaning("power that the motion puts into friction, F v"),
    );
    if law.jumps() {
        all.push(
            FmuVariable::computed("mode_margin", VariableRole::Margin, "1")
                .meaning("how far the mode is from its end: 1 far, 0 at its end"),
        );
    }
    push_states(&mut all, law, states, dimension);
    push_parameters(&mut all, law);
    all
}

fn push_states(all: &mut Vec<FmuVariable>, law: &Friction, states: &LawStates, dimension: usize) {
    let names = match dimension {
        1 => state_names::<1>(law),
        2 => state_names::<2>(law),
        _ => state_names::<3>(law),
    };
    for (i, name) in names.iter().enumerate() {
        let scale = states.scale[i];
        let unit = states.unit[i].as_str();
        let mut state = FmuVariable::computed(name, VariableRole::State(i), "1").meaning(
            if unit == "1" && scale.to_bits() == 1.0_f64.to_bits() {
                states.meaning[i].clone()
            } else {
                let unit = if unit == "1" { "" } else { unit };
                format!("{}, over {scale:e} {unit}", states.meaning[i])
                    .trim_end()
                    .to_owned()
            },
        );
        state.start = states.start.as_ref().map(|start| start[i] / scale);
        state.nominal = Some(1.0);
        all.push(state);
    }
    for (i, name) in names.iter().enumerate() {
        all.push(
            FmuVariable::computed(format!("der({name})"), VariableRole::Rate(i), "1/s")
                .meaning(format!("rate of {name}")),
        );
    }
}

fn push_parameters(all: &mut Vec<FmuVariable>, law: &Friction) {
    let (card, values) = (law.card(), law.to_values());
    for (place, parameter) in card.parameters.iter().enumerate() {
        let value = values.iter().find(|(name, _)| **name == *parameter.name);
        match value.map(|(_, value)| value) {
            Some(Value::Number(x)) => all.push(of_parameter(parameter, place, None, *x)),
            Some(Value::List(list)) => {
                let entries = list.iter().enumerate();
                all.extend(entries.map(|(i, x)| of_parameter(parameter, place, Some(i), *x)));
            }
            _ => {}
        }
    }
}

fn of_parameter(
    card: &ParameterCard,
    place: usize,
    element: Option<usize>,
    value: f64,
) -> FmuVariable {
    let name = element.map_or_else(
        || card.name.to_string(),
        |i| format!("{}[{}]", card.name, i + 1),
    );
    let (min, max) = match card.range {
        Range::Positive | Range::NonNegative => (Some(0.0), None),
        Range::Finite => (None, None),
        Range::Open(low, high) | Range::Closed(low, high) => (Some(low), Some(high)),
    };
    let finite = |bound: Option<f64>| bound.filter(|x| x.is_finite());
    let is_coefficient = matches!(
        card.role,
        Role::Level | Role::StaticLevel | Role::Drop | Role::LevelDifference | Role::Viscous
    );
    FmuVariable {
        name,
        role: VariableRole::LawParameter { place, element },
        unit: card.unit.to_string(),
        description: format!("{} ({})", card.meaning.trim(), card.symbol),
        causality: Causality::Parameter,
        variability: if is_coefficient {
            Variability::Tunable
        } else {
            Variability::Fixed
        },
        start: Some(value),
        min: finite(min),
        max: finite(max),
        nominal: None,
    }
}
