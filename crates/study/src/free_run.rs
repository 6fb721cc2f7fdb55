//! A run without inputs that is looked at from time to time, and takes the steps of `bristle run`.

use bristle_integrate::{Flow, StateArchive};
use bristle_results::{Channel, Summary};
use bristle_scenario::Scenario;

use crate::execution::Execution;
use crate::run_observer::RunObserver;
use crate::saved_state::{self, SavedRun};
use crate::session_error::{SessionError, unknown};

/// A run of a scenario that nothing acts on from outside.
///
/// Where it is looked at does not change its steps: it runs on to the end of a step, and the values
/// at a time within it are interpolated, as those of a row of results are. At an output time they
/// have the bits of that row. A [`Session`](crate::Session) lands on every time instead, so that
/// an input may change there.
#[derive(Debug)]
pub struct FreeRun {
    scenario: Scenario,
    execution: Execution,
    t: f64,
    /// The values of all channels, once they were asked for.
    values: Option<Vec<f64>>,
}

/// Sees nothing.
struct NoObserver;

impl RunObserver for NoObserver {
    fn row(&mut self, _values: &[f64]) -> bristle_results::Result<()> {
        Ok(())
    }
}

impl FreeRun {
    /// A run at the start of a scenario.
    ///
    /// # Errors
    /// [`SessionError::Failed`] if the start cannot be computed.
    pub fn start(scenario: Scenario) -> Result<Self, SessionError> {
        let execution = Execution::begin(&scenario);
        let run = Self {
            scenario,
            execution,
            t: 0.0,
            values: None,
        };
        run.execution.sound()?;
        Ok(run)
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The time that is looked at, s.
    pub fn time(&self) -> f64 {
        self.t
    }

    /// The end of the scenario, s.
    pub fn end_time(&self) -> f64 {
        self.scenario.plan.end_time
    }

    /// All channels; the first one is the time.
    pub fn channels(&self) -> &[Channel] {
        self.execution.channels()
    }

    /// Place of a channel.
    ///
    /// # Errors
    /// If there is no such channel.
    pub fn channel(&self, name: &str) -> Result<usize, SessionError> {
        let channels = self.channels();
        let place = channels.iter().position(|channel| channel.name == name);
        place.ok_or_else(|| unknown("channel", name, channels.iter().map(|c| c.name.as_str())))
    }

    /// Goes on to the time `t` (s).
    ///
    /// # Errors
    /// If the time lies before the present one or beyond the end, or the run fails on the way: then
    /// [`Self::time`] is where it failed.
    pub fn step_to(&mut self, t: f64) -> Result<(), SessionError> {
        self.execution.sound()?;
        let (now, end, close) = (self.t, self.end_time(), self.scenario.plan.close());
        if t > end + close {
            return Err(SessionError::BeyondEnd { t, end });
        }
        if t.is_nan() || t < now - close {
            return Err(SessionError::Backwards { t, now });
        }
        if t - now <= close {
            return Ok(());
        }
        self.values = None;
        let flow = self
            .execution
            .advance_past(&self.scenario, t, &mut NoObserver);
        if let Err(error) = self.execution.sound() {
            // what comes after the time that failed is of no use to anybody
            self.t = self.execution.time().clamp(now, t);
            return Err(error);
        }
        if flow == Flow::Stop {
            self.t = self.execution.time().clamp(now, t);
            return Err(SessionError::Stopped { t: self.t });
        }
        self.t = t;
        Ok(())
    }

    /// The values of all channels at the present time.
    ///
    /// # Errors
    /// If a value is not a number.
    pub fn values(&mut self) -> Result<&[f64], SessionError> {
        if self.values.is_none() {
            let values = self.execution.values_at(&self.scenario, self.t)?;
            self.values = Some(values.to_vec());
        }
        Ok(self.values.as_deref().unwrap_or_default())
    }

    /// What the run gave so far.
    pub fn summary(&mut self) -> Summary {
        self.execution.summary(&self.scenario)
    }

    /// The present state as bytes: restored, it goes on with the same bits.
    ///
    /// It forgets what only makes the next step cheaper, so the steps after it may differ from those
    /// of a run that was not saved, within the tolerance.
    ///
    /// # Errors
    /// If the run has failed.
    pub fn save(&mut self) -> Result<Vec<u8>, SessionError> {
        self.to_bytes()
    }

    /// Goes back, or ahead, to a saved state of the same scenario.
    ///
    /// # Errors
    /// If the bytes are not such a state; the run is as it was.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        self.take_bytes(bytes)
    }
}

impl SavedRun for FreeRun {
    fn sound(&self) -> Result<(), SessionError> {
        self.execution.sound()
    }

    fn rest(&mut self) {
        self.execution.rest(&self.scenario);
        self.values = None;
    }

    fn archive(&mut self, archive: &mut StateArchive) -> Result<(), SessionError> {
        saved_state::heading(archive, &self.scenario.hash).map_err(SessionError::State)?;
        archive.number(&mut self.t);
        self.execution.keep_last_step(&self.scenario);
        self.execution.archive(&self.scenario, archive);
        Ok(())
    }
}
