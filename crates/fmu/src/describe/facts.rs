//! What both versions of a description say.

use crate::contents::FmuContents;
use crate::machine::FmuMachine;
use crate::variable::{Causality, FmuVariable, Variability, VariableRole};

/// What is said of a model.
pub(super) struct ModelFacts<'a> {
    pub(super) name: &'a str,
    pub(super) identifier: &'a str,
    pub(super) token: &'a str,
    pub(super) title: String,
    pub(super) variables: &'a [FmuVariable],
    pub(super) is_co_simulation: bool,
    pub(super) indicators: usize,
    /// End and step of the experiment, s.
    pub(super) experiment: (f64, f64),
}

/// Names of the log categories, with what they are.
pub(super) const CATEGORIES: &[(&str, &str)] = &[
    ("logStatusWarning", "remarks on calls that were done"),
    ("logStatusDiscard", "why a step or a value cannot be had"),
    ("logStatusError", "wrong calls and values"),
    ("logStatusFatal", "the instance is of no use any more"),
];

/// What wrote the description.
pub(super) const TOOL: &str = concat!("Bristle ", env!("CARGO_PKG_VERSION"));

impl<'a> ModelFacts<'a> {
    pub(super) fn of(
        contents: &'a FmuContents,
        machine: &'a FmuMachine,
        identifier: &'a str,
    ) -> Self {
        let (title, indicators, experiment) = match machine {
            // long enough for a few cycles of a motion, short enough for any law
            FmuMachine::Law(law) => (law.title(), law.indicators(), (1.0, 1e-4)),
            FmuMachine::Scenario(scenario) => {
                (scenario.title().to_owned(), 0, scenario.experiment())
            }
        };
        Self {
            name: &contents.choices.model,
            identifier,
            token: &contents.token,
            title,
            variables: machine.variables(),
            is_co_simulation: matches!(machine, FmuMachine::Scenario(_)),
            indicators,
            experiment,
        }
    }

    /// Places of the variables that a test holds for.
    pub(super) fn places(&self, is: impl Fn(&FmuVariable) -> bool) -> Vec<usize> {
        let all = self.variables.iter().enumerate();
        all.filter(|(_, variable)| is(variable))
            .map(|(i, _)| i)
            .collect()
    }

    /// Places of the outputs.
    pub(super) fn outputs(&self) -> Vec<usize> {
        self.places(|variable| variable.causality == Causality::Output)
    }

    /// Places of the rates of the states.
    pub(super) fn rates(&self) -> Vec<usize> {
        self.places(|variable| matches!(variable.role, VariableRole::Rate(_)))
    }

    /// Places of the event indicators.
    pub(super) fn margins(&self) -> Vec<usize> {
        self.places(|variable| variable.role == VariableRole::Margin)
    }

    /// Place of a state.
    pub(super) fn state(&self, index: usize) -> usize {
        let state = VariableRole::State(index);
        let place = self.variables.iter().position(|own| own.role == state);
        place.unwrap_or(0)
    }

    /// Places of what outputs and rates depend on while the model runs: inputs and states of a law.
    /// Inputs of a scenario act from the next step on only.
    pub(super) fn knowns(&self) -> Vec<usize> {
        if self.is_co_simulation {
            return Vec::new();
        }
        self.places(|variable| {
            variable.causality == Causality::Input
                || matches!(variable.role, VariableRole::State(_))
        })
    }

    /// Places of what is computed by the initialisation, rising.
    pub(super) fn initial_unknowns(&self) -> Vec<usize> {
        self.places(|variable| {
            variable.causality == Causality::Output
                || initial(variable) == Some("calculated")
                    && matches!(
                        variable.role,
                        VariableRole::State(_) | VariableRole::Rate(_)
                    )
        })
    }
}

/// How a variable gets its value at the start, where that has to be said.
pub(super) fn initial(variable: &FmuVariable) -> Option<&'static str> {
    match (variable.causality, variable.start) {
        (Causality::Input, _) => None,
        (_, Some(_)) => Some("exact"),
        (_, None) => Some("calculated"),
    }
}

pub(super) fn causality(variable: &FmuVariable) -> &'static str {
    match variable.causality {
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Parameter => "parameter",
        Causality::Local => "local",
    }
}

pub(super) fn variability(variable: &FmuVariable) -> &'static str {
    match variable.variability {
        Variability::Fixed => "fixed",
        Variability::Tunable => "tunable",
        Variability::Continuous => "continuous",
    }
}
