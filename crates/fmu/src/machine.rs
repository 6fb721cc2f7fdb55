//! What computes in an FMU.

use std::path::Path;

use crate::contents::{FmuContents, FmuKind};
use crate::error::FmuError;
use crate::law::LawMachine;
use crate::scenario::ScenarioMachine;
use crate::variable::FmuVariable;

/// What computes.
#[derive(Debug)]
pub enum FmuMachine {
    /// A law, for the solver of the importer.
    Law(Box<LawMachine>),
    /// A scenario with its integrator.
    Scenario(Box<ScenarioMachine>),
}

impl FmuMachine {
    /// What computes the contents of an FMU, whose files are in `folder`.
    ///
    /// # Errors
    /// If the law or the scenario is not sound.
    pub fn new(contents: &FmuContents, folder: &Path) -> Result<Self, FmuError> {
        Ok(match contents.choices.kind {
            FmuKind::Law { .. } => Self::Law(Box::new(LawMachine::new(contents)?)),
            FmuKind::Scenario => Self::Scenario(Box::new(ScenarioMachine::new(contents, folder)?)),
        })
    }

    /// The variables.
    pub fn variables(&self) -> &[FmuVariable] {
        match self {
            Self::Law(law) => law.variables(),
            Self::Scenario(scenario) => scenario.variables(),
        }
    }

    pub(crate) fn set(&mut self, place: usize, value: f64) -> Result<(), FmuError> {
        match self {
            Self::Law(law) => law.set(place, value),
            Self::Scenario(scenario) => scenario.set(place, value),
        }
    }

    pub(crate) fn get(&mut self, place: usize) -> Result<f64, FmuError> {
        match self {
            Self::Law(law) => law.get(place),
            Self::Scenario(scenario) => scenario.get(place),
        }
    }
}
