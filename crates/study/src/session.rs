//! A scenario step by step, with loads and motions from outside: what a controller in the loop and a
//! co-simulation need.
//!
//! A session that is taken to its end in one step computes the same bits as [`crate::execute`]. One
//! that stops on the way takes other steps, since a step ends where it stops; the error control holds
//! both to the same tolerance.

use bristle_integrate::{Flow, StateArchive};
use bristle_mechanics::{Model, ModelInput};
use bristle_results::{Channel, Summary};
use bristle_scenario::Scenario;
use bristle_signals::Signal;

use crate::execution::Execution;
use crate::run_observer::RunObserver;
use crate::saved_state::{self, SavedRun};
use crate::session_error::{SessionError, unknown};

/// A value that is held from outside, from a time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// The value.
    pub value: f64,
    /// Its rate of change, 1/s: 0 holds the value itself.
    pub slope: f64,
}

impl Held {
    /// A value that stays.
    pub fn constant(value: f64) -> Self {
        Self { value, slope: 0.0 }
    }
}

/// A load or a prescribed motion that may be given from outside.
#[derive(Clone, Debug)]
pub struct SessionInput {
    /// What it is in the model.
    pub model: ModelInput,
    /// What the scenario gives.
    original: Signal,
    held: Option<HeldSince>,
}

/// What is held, and since when.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct HeldSince {
    t: f64,
    value: f64,
    slope: f64,
    /// Of a motion: where it was at that time, and its speed just before.
    place: f64,
    speed_before: f64,
}

impl SessionInput {
    /// What is held, if anything is.
    pub fn held(&self) -> Option<Held> {
        self.held
            .map(|HeldSince { value, slope, .. }| Held { value, slope })
    }
}

/// A run of a scenario that its owner takes from time to time.
#[derive(Debug)]
pub struct Session {
    scenario: Scenario,
    execution: Execution,
    inputs: Vec<SessionInput>,
    /// Whether an input has changed since the last step.
    changed: bool,
    /// The values of all channels, once they were asked for.
    values: Option<Vec<f64>>,
}

/// Sees nothing.
struct Nobody;

impl RunObserver for Nobody {
    fn row(&mut self, _values: &[f64]) -> bristle_results::Result<()> {
        Ok(())
    }
}

impl Session {
    /// A session at the start of a scenario.
    ///
    /// # Errors
    /// [`SessionError::Failed`] if the start cannot be computed.
    pub fn start(scenario: Scenario) -> Result<Self, SessionError> {
        let execution = Execution::begin(&scenario);
        let inputs = inputs_of(&scenario.model);
        let session = Self {
            scenario,
            execution,
            inputs,
            changed: false,
            values: None,
        };
        session.execution.sound()?;
        Ok(session)
    }

    /// The scenario, with the inputs of the present time.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The present time, s.
    pub fn time(&self) -> f64 {
        self.execution.time()
    }

    /// Rows that observers were given from the start to the present state.
    pub fn rows(&self) -> usize {
        self.execution.rows()
    }

    /// The end of the scenario, s.
    pub fn end_time(&self) -> f64 {
        self.scenario.plan.end_time
    }

    /// Whether it is at the end of the scenario.
    pub fn is_at_end(&self) -> bool {
        self.end_time() - self.time() <= self.scenario.plan.close()
    }

    /// All channels; the first one is the time.
    pub fn channels(&self) -> &[Channel] {
        self.execution.channels()
    }

    /// The values of all channels at the present time; of a load that jumps there, the one after.
    /// Inputs act from the next step on.
    ///
    /// # Errors
    /// If a value is not a number.
    pub fn values(&mut self) -> Result<&[f64], SessionError> {
        if self.values.is_none() {
            let values = self.execution.values(&self.scenario)?;
            self.values = Some(values.to_vec());
        }
        Ok(self.values.as_deref().unwrap_or_default())
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

    /// The value of a channel at the present time.
    ///
    /// # Errors
    /// If there is no such channel, or the value is not a number.
    pub fn value(&mut self, name: &str) -> Result<f64, SessionError> {
        let place = self.channel(name)?;
        Ok(self.values()?.get(place).copied().unwrap_or(f64::NAN))
    }

    /// What may be given from outside.
    pub fn inputs(&self) -> &[SessionInput] {
        &self.inputs
    }

    /// Place of an input.
    ///
    /// # Errors
    /// If there is no such input.
    pub fn input(&self, name: &str) -> Result<usize, SessionError> {
        let place = self
            .inputs
            .iter()
            .position(|input| input.model.name == name);
        let names = self.inputs.iter().map(|input| input.model.name.as_str());
        place.ok_or_else(|| unknown("input", name, names))
    }

    /// The value of an input now: of a motion its speed.
    ///
    /// # Errors
    /// If there is no such input.
    pub fn input_value(&self, name: &str) -> Result<f64, SessionError> {
        let input = &self.inputs[self.input(name)?];
        let t = self.time();
        let signal = self.scenario.model.input_signal(&input.model);
        let value = signal.map(|signal| {
            if input.model.is_motion() {
                signal.rate(t)
            } else {
                signal.value(t)
            }
        });
        Ok(value.unwrap_or(f64::NAN))
    }

    /// Holds an input from the present time on, in the place of what the scenario gives: a load has
    /// this value; a prescribed motion goes on from where it is at this speed, which changes by the slope.
    ///
    /// A value that is held already changes nothing: no step ends for it.
    ///
    /// # Errors
    /// If there is no such input, or the value is not a number.
    pub fn hold(&mut self, name: &str, held: Held) -> Result<(), SessionError> {
        let place = self.input(name)?;
        let t = self.time();
        let input = &self.inputs[place];
        for value in [held.value, held.slope] {
            if !value.is_finite() {
                return Err(SessionError::NotFinite {
                    name: name.to_owned(),
                    value,
                    unit: input.model.unit,
                });
            }
        }
        let moves = held.slope.abs() > 0.0;
        if !moves && input.held() == Some(held) {
            return Ok(());
        }
        let mut since = HeldSince {
            t,
            value: held.value,
            slope: held.slope,
            ..HeldSince::default()
        };
        if let Some(signal) = self.scenario.model.input_signal(&input.model)
            && input.model.is_motion()
        {
            since.place = signal.value(t);
            // of what was held at this very time the speed before it counts
            let again = input
                .held
                .filter(|before| before.t.to_bits() == t.to_bits());
            since.speed_before = again.map_or_else(|| signal.rate(t), |held| held.speed_before);
        }
        self.inputs[place].held = Some(since);
        self.replace(place);
        self.changed = true;
        Ok(())
    }

    /// Puts the function of time of an input into the model.
    fn replace(&mut self, place: usize) {
        let input = &self.inputs[place];
        let end = self.scenario.plan.end_time;
        let signal = input.held.map_or_else(
            || input.original.clone(),
            |held| signal_of(&held, input.model.is_motion(), end),
        );
        self.scenario.model.replace_input(&input.model, signal);
    }

    /// Steps to the time `t` (s) and lands on it.
    ///
    /// # Errors
    /// If the time lies before the present one or beyond the end, or the run fails on the way: then
    /// the session stays at the last time that was reached.
    pub fn step_to(&mut self, t: f64) -> Result<(), SessionError> {
        self.step_to_with(t, &mut Nobody)
    }

    /// [`Session::step_to`]; the rows that fall into the step go to `observer`, which may stop it.
    ///
    /// # Errors
    /// As [`Session::step_to`], and if the observer stops.
    pub fn step_to_with(
        &mut self,
        t: f64,
        observer: &mut dyn RunObserver,
    ) -> Result<(), SessionError> {
        self.execution.sound()?;
        let (now, end) = (self.time(), self.end_time());
        let close = self.scenario.plan.close();
        if t > end + close {
            return Err(SessionError::BeyondEnd { t, end });
        }
        if t.is_nan() || t < now - close {
            return Err(SessionError::Backwards { t, now });
        }
        // the same time as that of a one-step run, where it is the end
        let t = if end - t <= close { end } else { t };
        if t - now <= close {
            return Ok(());
        }
        self.values = None;
        if self.changed {
            self.changed = false;
            self.execution.loads_changed(&self.scenario);
            self.execution.sound()?;
        }
        let flow = self.execution.advance(&self.scenario, t, observer);
        self.execution.rest(&self.scenario);
        self.execution.sound()?;
        if flow == Flow::Stop {
            return Err(SessionError::Stopped { t: self.time() });
        }
        Ok(())
    }

    /// Steps on by `duration` (s).
    ///
    /// # Errors
    /// As [`Session::step_to`].
    pub fn step(&mut self, duration: f64) -> Result<(), SessionError> {
        self.step_to(self.time() + duration)
    }

    /// What the run gave so far.
    pub fn summary(&mut self) -> Summary {
        self.execution.summary(&self.scenario)
    }

    /// The present state as bytes: restored, it goes on with the same bits. The rows that an observer
    /// has taken are not part of it.
    ///
    /// # Errors
    /// If the run has failed.
    pub fn save(&mut self) -> Result<Vec<u8>, SessionError> {
        self.to_bytes()
    }

    /// Goes back, or ahead, to a saved state of the same scenario.
    ///
    /// # Errors
    /// If the bytes are not such a state; the session is as it was.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        self.take_bytes(bytes)
    }
}

impl SavedRun for Session {
    fn sound(&self) -> Result<(), SessionError> {
        self.execution.sound()
    }

    fn rest(&mut self) {
        self.execution.rest(&self.scenario);
        self.values = None;
    }

    fn archive(&mut self, archive: &mut StateArchive) -> Result<(), SessionError> {
        saved_state::heading(archive, &self.scenario.hash).map_err(SessionError::State)?;
        archive.flag(&mut self.changed);
        for place in 0..self.inputs.len() {
            self.inputs[place].archive(archive);
            if archive.reads() {
                self.replace(place);
            }
        }
        self.execution.archive(&self.scenario, archive);
        Ok(())
    }
}

impl SessionInput {
    fn archive(&mut self, archive: &mut StateArchive) {
        let mut is_held = self.held.is_some();
        archive.flag(&mut is_held);
        let mut held = self.held.unwrap_or_default();
        if is_held {
            let HeldSince {
                t,
                value,
                slope,
                place,
                speed_before,
            } = &mut held;
            for number in [t, value, slope, place, speed_before] {
                archive.number(number);
            }
        }
        self.held = is_held.then_some(held);
    }
}

fn inputs_of(model: &Model) -> Vec<SessionInput> {
    let own = |input: ModelInput| {
        let original = model.input_signal(&input)?.clone();
        Some(SessionInput {
            model: input,
            original,
            held: None,
        })
    };
    model.inputs().into_iter().filter_map(own).collect()
}

/// The function of time of what is held, up to the end of the run (s).
fn signal_of(held: &HeldSince, is_motion: bool, end: f64) -> Signal {
    let HeldSince {
        t, value, slope, ..
    } = *held;
    // a line that ends after the run does
    let later = 2.0 * end.max(t) + 1.0;
    let length = later - t;
    if !is_motion {
        if slope.abs() > 0.0 {
            let values = vec![value, value + slope * length];
            return Signal::table(vec![t, later], values).unwrap_or(Signal::Constant(value));
        }
        return Signal::Constant(value);
    }
    // the corner at t lets the velocities jump as at any other corner of a motion
    let before = held.place - held.speed_before * (1.0 + t.abs());
    let times = vec![t - (1.0 + t.abs()), t, later];
    let places = vec![before, held.place, held.place + value * length];
    let even = Signal::table(times.clone(), places).unwrap_or(Signal::Constant(held.place));
    if slope.abs() <= 0.0 {
        return even;
    }
    // what the change of speed adds, exact with its derivatives
    let gained = Signal::table(times, vec![0.0, 0.0, slope * length]);
    match gained.and_then(|speed| speed.integral(0.0)) {
        Ok(way) => Signal::sum(vec![even, way]),
        Err(_) => even,
    }
}
