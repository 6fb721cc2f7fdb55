//! The variables of an FMU.

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableRole {
    /// A component of the slip velocity of a law.
    Velocity(usize),
    /// The normal force of a law.
    NormalForce,
    /// A component of the force that is applied to a law at rest.
    Applied(usize),
    /// A component of the friction force of a law.
    Force(usize),
    /// The power that friction takes.
    Power,
    /// A continuous state of a law.
    State(usize),
    /// The rate of a continuous state.
    Rate(usize),
    /// How far the mode of a law is from its end.
    Margin,
    /// A parameter of a law: its place in the card, and the entry of a list.
    LawParameter {
        /// Place in the card.
        place: usize,
        /// Entry of a list.
        element: Option<usize>,
    },
    /// An input of a scenario, by its place among those that were chosen.
    ScenarioInput(usize),
    /// An output of a scenario.
    ScenarioOutput(usize),
    /// A parameter of a scenario.
    ScenarioParameter(usize),
}

/// Who sets a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// The importer, while it runs.
    Input,
    /// The FMU, for others.
    Output,
    /// The importer, before it runs.
    Parameter,
    /// The FMU, for whoever looks inside.
    Local,
}

/// When a variable changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    /// Not after the initialisation.
    Fixed,
    /// At events.
    Tunable,
    /// At any time.
    Continuous,
}

/// A variable of an FMU; all are numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct FmuVariable {
    /// Name.
    pub name: String,
    /// What it is.
    pub role: VariableRole,
    /// SI unit; `1` for a pure number.
    pub unit: String,
    /// What it means, in a few words.
    pub description: String,
    /// Who sets it.
    pub causality: Causality,
    /// When it changes.
    pub variability: Variability,
    /// The value at the start, where that is given and not computed.
    pub start: Option<f64>,
    /// The least value that is allowed.
    pub min: Option<f64>,
    /// The largest value that is allowed.
    pub max: Option<f64>,
    /// Its natural size.
    pub nominal: Option<f64>,
}

impl FmuVariable {
    /// A variable that the FMU computes.
    pub fn computed(name: impl Into<String>, role: VariableRole, unit: &str) -> Self {
        Self {
            name: name.into(),
            role,
            unit: unit.to_owned(),
            description: String::new(),
            causality: Causality::Local,
            variability: Variability::Continuous,
            start: None,
            min: None,
            max: None,
            nominal: None,
        }
    }

    /// An input with its value at the start.
    pub fn input(name: impl Into<String>, role: VariableRole, unit: &str, start: f64) -> Self {
        Self {
            causality: Causality::Input,
            start: Some(start),
            ..Self::computed(name, role, unit)
        }
    }

    /// The same with a description.
    #[must_use]
    pub fn meaning(self, description: impl Into<String>) -> Self {
        Self {
            description: description.into(),
            ..self
        }
    }

    /// The same as an output.
    #[must_use]
    pub fn as_output(self) -> Self {
        Self {
            causality: Causality::Output,
            ..self
        }
    }

    /// The value reference of the variable at a place of the list; 0 is the time.
    pub fn reference_at(place: usize) -> u32 {
        u32::try_from(place + 1).unwrap_or(u32::MAX)
    }
}
