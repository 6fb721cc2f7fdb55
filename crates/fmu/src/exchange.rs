//! Model exchange: what a solver of the importer asks of an instance.

use crate::error::FmuError;
use crate::instance::FmuInstance;
use crate::machine::FmuMachine;
use crate::phase::{COMPUTED, FmuPhase};

impl FmuInstance {
    /// Number of continuous states and of event indicators.
    pub fn sizes(&self) -> (usize, usize) {
        match &self.machine {
            FmuMachine::Law(law) => (law.states(), law.indicators()),
            FmuMachine::Scenario(_) => (0, 0),
        }
    }

    /// Changes the modes that have ended; returns whether states jumped.
    ///
    /// # Errors
    /// If the parameters are refused.
    pub fn update_modes(&mut self) -> Result<bool, FmuError> {
        let phases = [FmuPhase::Event, FmuPhase::Step];
        self.expect("the update of discrete states", &phases)?;
        match &mut self.machine {
            FmuMachine::Law(law) => law.update_modes(),
            FmuMachine::Scenario(_) => Ok(false),
        }
    }

    /// Whether an accepted step of the solver has to be followed by an event.
    ///
    /// # Errors
    /// Outside of model exchange.
    pub fn completed_step(&mut self) -> Result<bool, FmuError> {
        self.expect("the end of a step", &[FmuPhase::Continuous])?;
        Ok(self.law("the end of a step")?.mode_has_ended())
    }

    /// The states.
    ///
    /// # Errors
    /// Outside of model exchange.
    pub fn states(&mut self, out: &mut [f64]) -> Result<(), FmuError> {
        self.law("states")?.state_values(out);
        Ok(())
    }

    /// Sets the states.
    ///
    /// # Errors
    /// Between events only, and if one is not a number.
    pub fn set_states(&mut self, values: &[f64]) -> Result<(), FmuError> {
        self.expect("the set of states", &[FmuPhase::Continuous])?;
        if let Some(bad) = values.iter().find(|value| !value.is_finite()) {
            return Err(FmuError::discard(format!(
                "a state is {bad}: expected a finite number"
            )));
        }
        self.law("states")?.set_states(values);
        Ok(())
    }

    /// The rates of the states.
    ///
    /// # Errors
    /// If one is not a number.
    pub fn derivatives(&mut self, out: &mut [f64]) -> Result<(), FmuError> {
        self.expect("derivatives", COMPUTED)?;
        self.law("derivatives")?.derivatives(out)
    }

    /// The natural sizes of the states.
    ///
    /// # Errors
    /// Outside of model exchange.
    pub fn nominals(&mut self, out: &mut [f64]) -> Result<(), FmuError> {
        self.law("nominals")?.nominals(out);
        Ok(())
    }

    /// The event indicators.
    ///
    /// # Errors
    /// Outside of model exchange.
    pub fn event_indicators(&mut self, out: &mut [f64]) -> Result<(), FmuError> {
        self.expect("event indicators", COMPUTED)?;
        self.law("event indicators")?.event_indicators(out)
    }

    /// Derivatives of unknowns along a direction of knowns.
    ///
    /// # Errors
    /// If one of them is none, or the seed is no number.
    pub fn directional(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        out: &mut [f64],
    ) -> Result<(), FmuError> {
        self.expect("directional derivatives", COMPUTED)?;
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        for reference in unknowns.iter().chain(knowns) {
            places.push(self.place(*reference)?);
        }
        let (of, by) = places.split_at(unknowns.len());
        let law = self.law("directional derivatives")?;
        let done = law.directional(of, (by, seed), out);
        self.places = places;
        done
    }

    /// The transposed derivatives: those of the sum of unknowns weighted by `seed`, by each known.
    ///
    /// # Errors
    /// As [`Self::directional`].
    pub fn adjoint(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        out: &mut [f64],
    ) -> Result<(), FmuError> {
        let mut column = vec![0.0; unknowns.len()];
        for (known, out) in knowns.iter().zip(out) {
            self.directional(unknowns, &[*known], &[1.0], &mut column)?;
            *out = column.iter().zip(seed).map(|(d, weight)| d * weight).sum();
        }
        Ok(())
    }
}
