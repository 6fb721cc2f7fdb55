//! What a pointer to a law points to.

#[cfg(feature = "points")]
use bristle_laws::HistoryLaw;
use bristle_laws::{Friction, Value, Values};
use bristle_rig::state_names;
use bristle_scenario::{SourceMap, load_law_text};

use crate::card;
use crate::status::{CallError, CallStatus};

/// A law; never changes.
#[derive(Clone, Debug)]
pub struct CLaw {
    pub(crate) law: Friction,
    /// The same over dual numbers, for derivatives by the old states.
    #[cfg(feature = "points")]
    pub(crate) history: HistoryLaw,
}

impl CLaw {
    fn of(law: Friction) -> Result<Self, CallError> {
        Ok(Self {
            #[cfg(feature = "points")]
            history: HistoryLaw::new(&law)?,
            law,
        })
    }

    /// A law of the catalogue with values in SI.
    ///
    /// # Errors
    /// If the law is unknown or refuses a value.
    pub fn named(name: &str, values: &[(String, f64)]) -> Result<Self, CallError> {
        let values: Values = values
            .iter()
            .map(|(name, value)| (name.clone(), Value::Number(*value)))
            .collect();
        Self::of(Friction::build(name, &values)?)
    }

    /// A law of a text like that of a law file.
    ///
    /// # Errors
    /// Everything that is wrong with the text: the first of it, with its place.
    pub fn of_text(text: &str) -> Result<Self, CallError> {
        let mut sources = SourceMap::new();
        match load_law_text("law", text, &[], &mut sources) {
            Ok((law, _)) => Self::of(law),
            Err(all) => Err(CallError::diagnosed(&all, &sources)),
        }
    }

    pub(crate) fn card_json(&self) -> String {
        let equations = self.law.declaration().equations();
        card::json_of(&self.law.card(), &equations).to_string()
    }

    pub(crate) fn value(&self, name: &str) -> Result<f64, CallError> {
        let values = self.law.to_values();
        let value = values.iter().find(|(own, _)| own == name);
        match value {
            Some((_, Value::Number(x))) => Ok(*x),
            Some(_) => Err(CallError::argument(format!("{name} is no single number"))),
            None => {
                let law = self.law.card().name;
                let text = format!("{law} has no parameter \"{name}\" with a value");
                Err(CallError::new(CallStatus::UnknownName, text))
            }
        }
    }

    pub(crate) fn states(&self, dimension: usize) -> usize {
        self.law.layout().len(dimension)
    }

    pub(crate) fn state_name(&self, dimension: usize, state: usize) -> Result<String, CallError> {
        let mut names = match dimension {
            1 => state_names::<1>(&self.law),
            2 => state_names::<2>(&self.law),
            _ => state_names::<3>(&self.law),
        };
        self.check_state(dimension, state)?;
        Ok(names.swap_remove(state))
    }

    pub(crate) fn state_size(
        &self,
        dimension: usize,
        state: usize,
        normal_force: f64,
    ) -> Result<f64, CallError> {
        self.check_state(dimension, state)?;
        let index = state / dimension;
        let is_vector = index < self.law.layout().vectors;
        let size = is_vector.then(|| self.law.vector_size(index, normal_force));
        Ok(size.flatten().unwrap_or(1.0))
    }

    fn check_state(&self, dimension: usize, state: usize) -> Result<(), CallError> {
        let count = self.states(dimension);
        if state < count {
            return Ok(());
        }
        Err(CallError::argument(format!(
            "state {state}: the law has {count} in {dimension}D, counted from 0"
        )))
    }
}
