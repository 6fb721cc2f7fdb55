//! A law with its conditions, its states and the values of its parameters.

use bristle_integrate::StateArchive;
use bristle_laws::{Friction, Value, Values};
use bristle_scenario::{SourceMap, load_law_text};

use super::evaluate::{self, LawInput};
use super::refusal::{refuse_path_updates, refuse_plane};
use super::states::{LawStates, states_of};
use super::variables::variables;
use crate::contents::{FmuContents, FmuKind};
use crate::diagnosed::first_error;
use crate::error::FmuError;
use crate::variable::{FmuVariable, VariableRole};

/// A solver that seeks the end of a mode stops that close to it, and on either side.
const NEAR_END: f64 = 1e-9;
/// Modes that may follow each other at one instant.
const MOST_CHANGES: usize = 8;

/// A law, as an FMU for model exchange.
#[derive(Clone, Debug)]
pub struct LawMachine {
    law: Friction,
    /// The values that the law was built from, and those that were set since.
    values: Values,
    is_stale: bool,
    dimension: usize,
    variables: Vec<FmuVariable>,
    states: LawStates,
    input: LawInput<f64>,
    /// In their own units.
    z: Vec<f64>,
    /// Whether the importer has set a state.
    is_given: bool,
    rates: Vec<f64>,
    direction: Vec<f64>,
}

impl LawMachine {
    /// The law of an FMU.
    ///
    /// # Errors
    /// If the text declares no sound law, or one without rates.
    pub fn new(contents: &FmuContents) -> Result<Self, FmuError> {
        let FmuKind::Law {
            dimension,
            normal_force,
        } = contents.choices.kind
        else {
            return Err(FmuError::wrong("the FMU holds no law"));
        };
        let is_load = normal_force.is_finite() && normal_force > 0.0;
        if !(is_load && (1..=3).contains(&dimension)) {
            return Err(FmuError::wrong(
                "expected a slip in 1 to 3 dimensions and a normal force above 0 N",
            ));
        }
        let mut sources = SourceMap::new();
        let (law, _) = load_law_text("resources/law.toml", &contents.text, &[], &mut sources)
            .map_err(|all| FmuError::wrong(first_error(&all, &sources)))?;
        Self::of(law, dimension, normal_force)
    }

    fn of(law: Friction, dimension: usize, normal_force: f64) -> Result<Self, FmuError> {
        refuse_plane(&law, dimension)?;
        refuse_path_updates(&law)?;
        let states = states_of(&law, dimension, normal_force);
        let count = law.layout().len(dimension);
        let mut machine = Self {
            values: law.to_values(),
            is_stale: false,
            dimension,
            variables: variables(&law, &states, dimension),
            states,
            input: LawInput {
                normal_force,
                ..LawInput::default()
            },
            z: vec![0.0; count],
            is_given: false,
            rates: vec![0.0; count],
            direction: vec![0.0; count],
            law,
        };
        machine.start();
        Ok(machine)
    }

    /// The variables.
    pub fn variables(&self) -> &[FmuVariable] {
        &self.variables
    }

    /// Number of states.
    pub fn states(&self) -> usize {
        self.z.len()
    }

    /// Number of event indicators.
    pub fn indicators(&self) -> usize {
        usize::from(self.law.jumps())
    }

    /// Catalogue name and title of the law.
    pub fn title(&self) -> String {
        let card = self.law.card();
        format!("{}: {}", card.name, card.title)
    }

    fn start(&mut self) {
        evaluate::start(&self.law, self.dimension, &self.input, &mut self.z);
    }

    /// Builds the law from the values that were set.
    fn refresh(&mut self) -> Result<(), FmuError> {
        if self.is_stale {
            let built = self.law.declaration().build(&self.values);
            self.law = built.map_err(|error| FmuError::wrong(error.to_string()))?;
            self.is_stale = false;
        }
        Ok(())
    }

    /// Ends the initialisation: states that nobody set have the values of the law.
    ///
    /// # Errors
    /// If the law refuses its parameters.
    pub fn initialise(&mut self) -> Result<(), FmuError> {
        self.refresh()?;
        if !self.is_given {
            self.start();
        }
        Ok(())
    }

    /// Sets a variable.
    ///
    /// # Errors
    /// If it is computed.
    pub fn set(&mut self, place: usize, value: f64) -> Result<(), FmuError> {
        let variable = &self.variables[place];
        match variable.role {
            VariableRole::Velocity(i) => self.input.velocity[i] = value,
            VariableRole::NormalForce => self.input.normal_force = value.max(0.0),
            VariableRole::Applied(i) => self.input.applied[i] = value,
            VariableRole::State(i) => {
                self.z[i] = value * self.states.scale[i];
                self.is_given = true;
            }
            VariableRole::LawParameter { place, element } => {
                let card = self.law.card();
                let name = card.parameters.get(place).map(|card| card.name.to_string());
                let own = self.values.iter_mut();
                let own = own.filter(|(own, _)| name.as_deref() == Some(own.as_str()));
                for (_, own) in own {
                    match (own, element) {
                        (Value::Number(own), None) => *own = value,
                        (Value::List(list), Some(i)) if i < list.len() => list[i] = value,
                        _ => {}
                    }
                }
                self.is_stale = true;
            }
            _ => {
                return Err(FmuError::wrong(format!(
                    "{} is computed and cannot be set",
                    variable.name
                )));
            }
        }
        Ok(())
    }

    /// The value of a variable.
    ///
    /// # Errors
    /// If the law refuses its parameters.
    pub fn get(&mut self, place: usize) -> Result<f64, FmuError> {
        let role = self.variables[place].role;
        if let VariableRole::LawParameter { place, element } = role {
            return Ok(self.parameter(place, element));
        }
        self.refresh()?;
        Ok(match role {
            VariableRole::Velocity(i) => self.input.velocity[i],
            VariableRole::NormalForce => self.input.normal_force,
            VariableRole::Applied(i) => self.input.applied[i],
            VariableRole::State(i) => self.z[i] / self.states.scale[i],
            VariableRole::Force(i) => self.evaluate()[i],
            VariableRole::Power => {
                let (force, v) = (self.evaluate(), self.input.velocity);
                force.iter().zip(v).map(|(f, v)| f * v).sum()
            }
            VariableRole::Rate(i) => {
                self.evaluate();
                self.rates[i] / self.states.scale[i]
            }
            VariableRole::Margin => self.margin(),
            _ => f64::NAN,
        })
    }

    fn parameter(&self, place: usize, element: Option<usize>) -> f64 {
        let card = self.law.card();
        let name = card.parameters.get(place).map(|card| &*card.name);
        let value = self
            .values
            .iter()
            .find(|(own, _)| Some(own.as_str()) == name);
        match (value.map(|(_, value)| value), element) {
            (Some(Value::Number(x)), None) => *x,
            (Some(Value::List(list)), Some(i)) => list.get(i).copied().unwrap_or(f64::NAN),
            _ => f64::NAN,
        }
    }

    fn evaluate(&mut self) -> [f64; 3] {
        let (law, input) = (&self.law, &self.input);
        evaluate::rates(law, self.dimension, input, &self.z, &mut self.rates)
    }

    fn margin(&self) -> f64 {
        evaluate::margin(&self.law, self.dimension, &self.input, &self.z)
    }

    /// The rates of the states of the FMU, 1/s.
    ///
    /// # Errors
    /// If the law refuses its parameters, or a rate is no number.
    pub fn derivatives(&mut self, out: &mut [f64]) -> Result<(), FmuError> {
        self.refresh()?;
        self.evaluate();
        let scales = &self.states.scale;
        for (out, (rate, scale)) in out.iter_mut().zip(self.rates.iter().zip(scales)) {
            *out = rate / scale;
        }
        if self.rates.iter().all(|rate| rate.is_finite()) {
            return Ok(());
        }
        Err(FmuError::discard(format!(
            "the rates at v = {:?} m/s, N = {} N are no finite numbers; take a smaller step",
            &self.input.velocity[..self.dimension],
            self.input.normal_force
        )))
    }

    /// The states of the FMU.
    pub fn state_values(&self, out: &mut [f64]) {
        for (out, (z, scale)) in out.iter_mut().zip(self.z.iter().zip(&self.states.scale)) {
            *out = z / scale;
        }
    }

    /// Sets the states of the FMU.
    pub fn set_states(&mut self, values: &[f64]) {
        for (i, value) in values.iter().enumerate().take(self.z.len()) {
            self.z[i] = value * self.states.scale[i];
        }
    }

    /// The natural sizes of the states of the FMU.
    pub fn nominals(&self, out: &mut [f64]) {
        out.fill(1.0);
    }

    /// The event indicators.
    ///
    /// # Errors
    /// If the law refuses its parameters.
    pub fn event_indicators(&mut self, out: &mut [f64]) -> Result<(), FmuError> {
        self.refresh()?;
        let margin = self.margin();
        out.fill(margin);
        Ok(())
    }

    /// Whether its mode has ended.
    pub fn mode_has_ended(&self) -> bool {
        self.law.jumps() && self.margin() <= NEAR_END
    }

    /// Changes its mode as long as it has ended; returns whether it did.
    ///
    /// # Errors
    /// If the law refuses its parameters.
    pub fn update_modes(&mut self) -> Result<bool, FmuError> {
        self.refresh()?;
        let mut changes = 0;
        while changes < MOST_CHANGES && self.mode_has_ended() {
            evaluate::change_mode(&self.law, self.dimension, &self.input, &mut self.z);
            changes += 1;
        }
        Ok(changes > 0)
    }

    /// The derivatives of `unknowns` along the direction in which the `knowns` change by `seed`.
    ///
    /// # Errors
    /// If one of them has no derivative.
    pub fn directional(
        &mut self,
        unknowns: &[usize],
        knowns: (&[usize], &[f64]),
        out: &mut [f64],
    ) -> Result<(), FmuError> {
        self.refresh()?;
        let mut seed = LawInput::<f64>::default();
        self.direction.fill(0.0);
        for (place, along) in knowns.0.iter().zip(knowns.1) {
            match self.variables[*place].role {
                VariableRole::Velocity(i) => seed.velocity[i] += along,
                VariableRole::NormalForce => seed.normal_force += along,
                VariableRole::Applied(i) => seed.applied[i] += along,
                VariableRole::State(i) => self.direction[i] += along * self.states.scale[i],
                _ => {
                    let name = &self.variables[*place].name;
                    return Err(FmuError::wrong(format!(
                        "no derivatives by {name}: expected inputs and states"
                    )));
                }
            }
        }
        let force = self.evaluate();
        let along = evaluate::derivative(
            &self.law,
            self.dimension,
            (&self.input, &self.z),
            (&seed, &self.direction),
            &mut self.rates,
        );
        for (out, place) in out.iter_mut().zip(unknowns) {
            *out = match self.variables[*place].role {
                VariableRole::Force(i) => along[i],
                VariableRole::Rate(i) => self.rates[i] / self.states.scale[i],
                VariableRole::Power => (0..3)
                    .map(|i| along[i] * self.input.velocity[i] + force[i] * seed.velocity[i])
                    .sum(),
                _ => {
                    let name = &self.variables[*place].name;
                    return Err(FmuError::wrong(format!(
                        "no derivatives of {name}: expected outputs and rates"
                    )));
                }
            };
        }
        Ok(())
    }

    /// Puts all that changes into an archive, or takes it from there.
    ///
    /// # Errors
    /// If the law refuses the parameters of the archive.
    pub fn archive(&mut self, archive: &mut StateArchive) -> Result<(), FmuError> {
        let LawInput {
            velocity,
            normal_force,
            applied,
        } = &mut self.input;
        archive.numbers(velocity);
        archive.number(normal_force);
        archive.numbers(applied);
        archive.numbers(&mut self.z);
        archive.flag(&mut self.is_given);
        for (_, value) in &mut self.values {
            match value {
                Value::Number(x) => archive.number(x),
                Value::List(list) => archive.numbers(list),
                _ => {}
            }
        }
        if archive.reads() && archive.is_sound() {
            self.is_stale = true;
            self.refresh()?;
        }
        Ok(())
    }
}
