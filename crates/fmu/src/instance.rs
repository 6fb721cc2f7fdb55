//! An instance of an FMU, without pointers: what both versions of FMI ask of it.

use std::path::{Path, PathBuf};

use bristle_integrate::StateArchive;

use crate::contents::FmuContents;
use crate::error::FmuError;
use crate::law::LawMachine;
use crate::machine::FmuMachine;
use crate::phase::{COMPUTED, FmuPhase};
use crate::scenario::StepEnd;
use crate::variable::{Causality, Variability, VariableRole};

/// What a saved state begins with.
const MARK: u64 = u64::from_le_bytes(*b"bri-fmu\0");
/// Changes whenever a saved state has other contents.
const VERSION: u64 = 1;

/// An instance of an FMU.
#[derive(Debug)]
pub struct FmuInstance {
    contents: FmuContents,
    folder: PathBuf,
    pub(crate) machine: FmuMachine,
    phase: FmuPhase,
    time: f64,
    stop: Option<f64>,
    pub(crate) places: Vec<usize>,
}

impl FmuInstance {
    /// An instance of the FMU whose folder `resources` this is.
    ///
    /// # Errors
    /// If the token is another one, a file was changed, or its contents are not sound.
    pub fn new(folder: &Path, token: &str) -> Result<Self, FmuError> {
        let contents = FmuContents::read(folder)?;
        if contents.token != token {
            return Err(FmuError::wrong(format!(
                "the FMU was instantiated as {token}, but its files are those of {} by this version \
                 of Bristle, {}; make the FMU again",
                contents.token,
                env!("CARGO_PKG_VERSION")
            )));
        }
        Self::of(contents, folder)
    }

    fn of(contents: FmuContents, folder: &Path) -> Result<Self, FmuError> {
        Ok(Self {
            machine: FmuMachine::new(&contents, folder)?,
            contents,
            folder: folder.to_owned(),
            phase: FmuPhase::Instantiated,
            time: 0.0,
            stop: None,
            places: Vec::new(),
        })
    }

    /// Goes back to the beginning.
    ///
    /// # Errors
    /// None that is known: the files were read before.
    pub fn reset(&mut self) -> Result<(), FmuError> {
        *self = Self::of(self.contents.clone(), &self.folder)?;
        Ok(())
    }

    /// Whether it is for co-simulation; else it is for model exchange.
    pub fn is_co_simulation(&self) -> bool {
        matches!(self.machine, FmuMachine::Scenario(_))
    }

    /// Where it is in its life.
    pub fn phase(&self) -> FmuPhase {
        self.phase
    }

    /// The present time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Refuses a call in another phase than those in which it is allowed.
    ///
    /// # Errors
    /// If it is in none of them.
    pub fn expect(&self, call: &str, allowed: &[FmuPhase]) -> Result<(), FmuError> {
        if allowed.contains(&self.phase) {
            return Ok(());
        }
        let names: Vec<&str> = allowed.iter().map(|phase| phase.name()).collect();
        Err(FmuError::wrong(format!(
            "{call} was called while {}; it is allowed in: {}",
            self.phase.name(),
            names.join(", ")
        )))
    }

    pub(crate) fn law(&mut self, call: &str) -> Result<&mut LawMachine, FmuError> {
        match &mut self.machine {
            FmuMachine::Law(law) => Ok(law),
            FmuMachine::Scenario(_) => Err(FmuError::wrong(format!(
                "{call} is of model exchange; this FMU is for co-simulation"
            ))),
        }
    }

    pub(crate) fn place(&self, reference: u32) -> Result<usize, FmuError> {
        let count = self.machine.variables().len();
        let place = usize::try_from(reference).ok();
        let place = place.and_then(|reference| reference.checked_sub(1));
        place.filter(|place| *place < count).ok_or_else(|| {
            FmuError::wrong(format!(
                "there is no variable with the value reference {reference}; they are 1 to {count}"
            ))
        })
    }

    /// Reads variables; the value reference 0 is the time.
    ///
    /// # Errors
    /// If there is no such variable, or it cannot be computed yet.
    pub fn get(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), FmuError> {
        for (reference, value) in references.iter().zip(values) {
            if *reference == 0 {
                *value = self.time;
                continue;
            }
            let place = self.place(*reference)?;
            let variable = &self.machine.variables()[place];
            let is_known = matches!(variable.causality, Causality::Input | Causality::Parameter);
            if self.phase == FmuPhase::Instantiated && !is_known {
                match variable.start {
                    Some(start) => *value = start,
                    None => self.expect("get of what is computed", COMPUTED)?,
                }
                continue;
            }
            *value = self.machine.get(place)?;
        }
        Ok(())
    }

    /// Sets variables.
    ///
    /// # Errors
    /// If there is no such variable, it may not be set now, or the value is not allowed.
    pub fn set(&mut self, references: &[u32], values: &[f64]) -> Result<(), FmuError> {
        for (reference, value) in references.iter().zip(values) {
            let place = self.place(*reference)?;
            self.check(place, *value)?;
            self.machine.set(place, *value)?;
        }
        Ok(())
    }

    /// Whether a value may be set.
    fn check(&self, place: usize, value: f64) -> Result<(), FmuError> {
        let variable = &self.machine.variables()[place];
        let name = &variable.name;
        if !value.is_finite() {
            let unit = if variable.unit == "1" {
                ""
            } else {
                &variable.unit
            };
            let text = format!("{name} = {value} {unit}");
            return Err(FmuError::wrong(format!(
                "{}: expected a finite number",
                text.trim_end()
            )));
        }
        let before_start = [FmuPhase::Instantiated, FmuPhase::Initialization];
        match (variable.causality, variable.variability) {
            (Causality::Input, _) if self.phase != FmuPhase::Terminated => Ok(()),
            (Causality::Parameter, Variability::Tunable) => {
                let tunable = [before_start[0], before_start[1], FmuPhase::Event];
                self.expect(&format!("set of the tunable parameter {name}"), &tunable)
            }
            (Causality::Parameter, _) => {
                self.expect(&format!("set of the fixed parameter {name}"), &before_start)
            }
            _ if matches!(variable.role, VariableRole::State(_)) => {
                let allowed = [before_start[0], before_start[1], FmuPhase::Continuous];
                self.expect(&format!("set of the state {name}"), &allowed)
            }
            _ => Err(FmuError::wrong(format!(
                "{name} is computed and cannot be set"
            ))),
        }
    }

    /// Takes the times of the experiment.
    ///
    /// # Errors
    /// If the start is not 0 or the end not after it.
    pub fn set_experiment(&mut self, start: f64, stop: Option<f64>) -> Result<(), FmuError> {
        self.expect("the set-up of the experiment", &[FmuPhase::Instantiated])?;
        if !start.is_finite() || stop.is_some_and(|stop| stop.is_nan() || stop <= start) {
            return Err(FmuError::wrong(format!(
                "the experiment goes from {start} s to {} s; expected a later end",
                stop.unwrap_or(f64::INFINITY)
            )));
        }
        if self.is_co_simulation() && start.abs() > 0.0 {
            return Err(FmuError::wrong(format!(
                "the experiment starts at {start} s; a scenario starts at 0 s"
            )));
        }
        self.time = start;
        self.stop = stop;
        Ok(())
    }

    /// Begins the initialisation.
    ///
    /// # Errors
    /// If it has begun before.
    pub fn enter_initialization(&mut self) -> Result<(), FmuError> {
        self.expect("the initialisation", &[FmuPhase::Instantiated])?;
        if let FmuMachine::Scenario(scenario) = &mut self.machine {
            scenario.set_stop_time(self.stop);
        }
        self.phase = FmuPhase::Initialization;
        Ok(())
    }

    /// Ends the initialisation.
    ///
    /// # Errors
    /// If the parameters are refused, or the start cannot be computed.
    pub fn exit_initialization(&mut self) -> Result<(), FmuError> {
        self.expect("the end of the initialisation", &[FmuPhase::Initialization])?;
        self.phase = match &mut self.machine {
            FmuMachine::Law(law) => {
                law.initialise()?;
                FmuPhase::Event
            }
            FmuMachine::Scenario(scenario) => {
                scenario.begin()?;
                FmuPhase::Step
            }
        };
        Ok(())
    }

    /// Enters a phase of model exchange.
    ///
    /// # Errors
    /// If it cannot be entered from the present one.
    pub fn enter(&mut self, phase: FmuPhase) -> Result<(), FmuError> {
        self.law(phase.name())?;
        self.expect(phase.name(), &[FmuPhase::Event, FmuPhase::Continuous])?;
        self.phase = phase;
        Ok(())
    }

    /// Ends it.
    ///
    /// # Errors
    /// If it has not been initialised.
    pub fn terminate(&mut self) -> Result<(), FmuError> {
        self.expect("the end", RUNNING)?;
        self.phase = FmuPhase::Terminated;
        Ok(())
    }

    /// Sets the time of model exchange, s.
    ///
    /// # Errors
    /// If it is not a number.
    pub fn set_time(&mut self, time: f64) -> Result<(), FmuError> {
        self.law("the time")?;
        if !time.is_finite() {
            return Err(FmuError::wrong(format!(
                "time = {time} s: expected a finite number"
            )));
        }
        self.time = time;
        Ok(())
    }

    /// Sets the rate of change of an input; returns whether it is used.
    ///
    /// # Errors
    /// If the variable is no input of a scenario, or the order is not 1.
    pub fn set_slope(&mut self, reference: u32, order: i32, slope: f64) -> Result<bool, FmuError> {
        let place = self.place(reference)?;
        let name = self.machine.variables()[place].name.clone();
        if !slope.is_finite() {
            return Err(FmuError::wrong(format!(
                "the derivative of {name} is {slope}: expected a finite number"
            )));
        }
        if order != 1 {
            return Ok(false);
        }
        match &mut self.machine {
            FmuMachine::Scenario(scenario) => scenario.set_slope(place, slope),
            FmuMachine::Law(_) => Err(FmuError::wrong(
                "input derivatives are of co-simulation; this FMU is for model exchange",
            )),
        }
    }

    /// Steps from a communication point to the next one.
    ///
    /// # Errors
    /// If the point is not the present time, the length is no length, or nothing can be done.
    pub fn do_step(&mut self, from: f64, length: f64) -> Result<StepEnd, FmuError> {
        self.expect("a step", &[FmuPhase::Step])?;
        let FmuMachine::Scenario(scenario) = &mut self.machine else {
            return Err(FmuError::wrong(
                "a step is of co-simulation; this FMU is for model exchange",
            ));
        };
        if !(from.is_finite() && length.is_finite() && length >= 0.0) {
            return Err(FmuError::wrong(format!(
                "a step from {from} s by {length} s: expected finite numbers and a length of 0 or more"
            )));
        }
        let off = (from - self.time).abs();
        if off > 1e-6 * length.max(self.time.abs()).max(1e-9) {
            return Err(FmuError::wrong(format!(
                "a step from {from} s: the FMU is at {} s",
                self.time
            )));
        }
        let end = scenario.step_to(from + length)?;
        self.time = end.time;
        Ok(end)
    }

    /// The state as bytes: restored, the instance goes on with the same bits.
    ///
    /// # Errors
    /// If a run has failed.
    pub fn save(&mut self) -> Result<Vec<u8>, FmuError> {
        let mut archive = StateArchive::new();
        self.archive(&mut archive)?;
        Ok(archive.into_bytes())
    }

    /// Goes to a saved state of this or another instance of the same FMU.
    ///
    /// # Errors
    /// If it is none; the instance is as it was.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), FmuError> {
        let before = self.save();
        let mut archive = StateArchive::of(bytes);
        let restored = self.archive(&mut archive).and_then(|()| {
            if archive.is_sound() && archive.is_at_end() {
                Ok(())
            } else {
                Err(FmuError::wrong("the state is damaged"))
            }
        });
        if let (Err(_), Ok(before)) = (&restored, before) {
            // it was its own state a moment ago
            let _ = self.archive(&mut StateArchive::of(&before));
        }
        restored
    }

    /// The one order of what is saved.
    fn archive(&mut self, archive: &mut StateArchive) -> Result<(), FmuError> {
        let (mut mark, mut version) = (MARK, VERSION);
        archive.word(&mut mark);
        archive.word(&mut version);
        if (mark, version) != (MARK, VERSION) {
            return Err(FmuError::wrong(
                "this is no state of an FMU by this version of Bristle",
            ));
        }
        let mut token = self.contents.token.clone();
        archive.text(&mut token);
        if token != self.contents.token {
            return Err(FmuError::wrong(format!(
                "the state belongs to the FMU {token}, not to {}",
                self.contents.token
            )));
        }
        let mut phase = self.phase.number();
        archive.word(&mut phase);
        self.phase = FmuPhase::of(phase).ok_or_else(|| FmuError::wrong("the state is damaged"))?;
        archive.number(&mut self.time);
        archive.optional(&mut self.stop);
        match &mut self.machine {
            FmuMachine::Law(law) => law.archive(archive),
            FmuMachine::Scenario(scenario) => scenario.archive(archive),
        }
    }
}

/// Phases that can be ended.
const RUNNING: &[FmuPhase] = &[FmuPhase::Event, FmuPhase::Continuous, FmuPhase::Step];
