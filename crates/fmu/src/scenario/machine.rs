//! A scenario between two communication points.

use std::path::Path;

use bristle_integrate::StateArchive;
use bristle_scenario::{Changes, Scenario, ScenarioText, SourceMap, Template};
use bristle_study::{FreeRun, Held, Session, SessionError};

use super::variables::{ScenarioVariables, variables};
use crate::contents::{FmuChoices, FmuContents, FmuKind};
use crate::diagnosed::first_error;
use crate::error::FmuError;
use crate::variable::{FmuVariable, VariableRole};

/// What the place of the changes is called in errors.
const PARAMETER: &str = "parameter";

/// A scenario, as an FMU for co-simulation.
#[derive(Debug)]
pub struct ScenarioMachine {
    choices: FmuChoices,
    template: Template,
    sources: SourceMap,
    variables: Vec<FmuVariable>,
    channels: Vec<usize>,
    parameters: Vec<ParameterSetting>,
    inputs: Vec<InputSetting>,
    settings: Settings,
    /// Begins with the first look at what it computes.
    run: Option<ScenarioRun>,
}

/// What is read of the scenario before it runs.
#[derive(Clone, Debug)]
struct Settings {
    title: String,
    own_end: f64,
    output_step: f64,
    /// The time at which the importer will stop, s.
    stop: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
struct ParameterSetting {
    value: f64,
    is_given: bool,
}

/// What the importer wants of an input.
#[derive(Clone, Copy, Debug, Default)]
struct InputSetting {
    value: f64,
    slope: f64,
    is_given: bool,
    /// Whether the run has not got it yet.
    is_new: bool,
}

#[derive(Debug)]
enum ScenarioRun {
    /// Lands on communication points, where inputs may change.
    Stepped(Box<Session>),
    /// Without inputs: takes the steps of `bristle run`.
    Free(Box<FreeRun>),
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq)]
pub struct StepEnd {
    /// The time that was reached, s.
    pub time: f64,
    /// Why it is not the end of the step.
    pub short: Option<FmuError>,
    /// Whether the scenario is over.
    pub is_over: bool,
}

impl ScenarioRun {
    fn time(&self) -> f64 {
        match self {
            Self::Stepped(session) => session.time(),
            Self::Free(run) => run.time(),
        }
    }

    fn end_time(&self) -> f64 {
        match self {
            Self::Stepped(session) => session.end_time(),
            Self::Free(run) => run.end_time(),
        }
    }

    fn values(&mut self) -> Result<&[f64], SessionError> {
        match self {
            Self::Stepped(session) => session.values(),
            Self::Free(run) => run.values(),
        }
    }

    fn step_to(&mut self, t: f64) -> Result<(), SessionError> {
        match self {
            Self::Stepped(session) => session.step_to(t),
            Self::Free(run) => run.step_to(t),
        }
    }

    fn save(&mut self) -> Result<Vec<u8>, SessionError> {
        match self {
            Self::Stepped(session) => session.save(),
            Self::Free(run) => run.save(),
        }
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        match self {
            Self::Stepped(session) => session.restore(bytes),
            Self::Free(run) => run.restore(bytes),
        }
    }
}

impl ScenarioMachine {
    /// The scenario of an FMU whose files are in `folder`.
    ///
    /// # Errors
    /// If the scenario is not sound, or lacks what was chosen.
    pub fn new(contents: &FmuContents, folder: &Path) -> Result<Self, FmuError> {
        let text = ScenarioText {
            name: "resources/scenario.toml",
            text: &contents.text,
            folder,
        };
        let mut sources = SourceMap::new();
        let template = Template::of_text(&text, &[], &mut sources)
            .map_err(|all| FmuError::wrong(first_error(&all, &sources)))?;
        Self::of_template(contents, template, sources)
    }

    /// The scenario of an FMU that is being made, from where its contents were packed.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of_template(
        contents: &FmuContents,
        template: Template,
        mut sources: SourceMap,
    ) -> Result<Self, FmuError> {
        if contents.choices.kind != FmuKind::Scenario {
            return Err(FmuError::wrong("the FMU holds no scenario"));
        }
        let scenario = build(&template, &mut sources, &contents.choices.changes)?;
        let ScenarioVariables {
            variables,
            channels,
            parameters,
            inputs,
        } = variables(&scenario, template.root(), &contents.choices)?;
        let setting = |value: f64| ParameterSetting {
            value,
            is_given: false,
        };
        let input = |value: f64| InputSetting {
            value,
            ..InputSetting::default()
        };
        Ok(Self {
            choices: contents.choices.clone(),
            template,
            sources,
            variables,
            channels,
            parameters: parameters.into_iter().map(setting).collect(),
            inputs: inputs.into_iter().map(input).collect(),
            settings: Settings {
                title: scenario.title,
                own_end: scenario.plan.end_time,
                output_step: scenario.output_step,
                stop: None,
            },
            run: None,
        })
    }

    /// The variables.
    pub fn variables(&self) -> &[FmuVariable] {
        &self.variables
    }

    /// The title of the scenario.
    pub fn title(&self) -> &str {
        &self.settings.title
    }

    /// The end of the scenario and the time between two rows of its results, s.
    pub fn experiment(&self) -> (f64, f64) {
        (self.settings.own_end, self.settings.output_step)
    }

    /// Takes the end of the importer where it is later than that of the scenario.
    pub fn set_stop_time(&mut self, stop: Option<f64>) {
        let (own, before) = (self.settings.own_end, self.settings.stop);
        self.settings.stop = stop.filter(|stop| stop.is_finite() && *stop > own);
        if self.settings.stop != before {
            self.run = None;
        }
    }

    /// Begins the run, if it has not begun.
    ///
    /// # Errors
    /// If the parameters are refused, or the start cannot be computed.
    pub fn begin(&mut self) -> Result<(), FmuError> {
        self.run().map(|_| ())
    }

    fn run(&mut self) -> Result<&mut ScenarioRun, FmuError> {
        let run = match self.run.take() {
            Some(run) => run,
            None => self.started()?,
        };
        Ok(self.run.insert(run))
    }

    fn started(&mut self) -> Result<ScenarioRun, FmuError> {
        let mut changes = self.choices.changes.clone();
        for (name, setting) in self.choices.parameters.iter().zip(&self.parameters) {
            if setting.is_given {
                changes.push(format!("{}={:?}", name.path, setting.value));
            }
        }
        if let Some(stop) = self.settings.stop {
            changes.push(format!("simulation.end_time={stop:?}"));
        }
        let mut sources = self.sources.clone();
        let scenario = build(&self.template, &mut sources, &changes)?;
        for input in &mut self.inputs {
            input.is_new = input.is_given;
        }
        Ok(if self.choices.inputs.is_empty() {
            ScenarioRun::Free(Box::new(FreeRun::start(scenario)?))
        } else {
            ScenarioRun::Stepped(Box::new(Session::start(scenario)?))
        })
    }

    /// Sets a variable.
    ///
    /// # Errors
    /// If it is computed.
    pub fn set(&mut self, place: usize, value: f64) -> Result<(), FmuError> {
        let variable = &self.variables[place];
        match variable.role {
            VariableRole::ScenarioInput(i) => {
                self.inputs[i] = InputSetting {
                    value,
                    slope: 0.0,
                    is_given: true,
                    is_new: true,
                };
            }
            VariableRole::ScenarioParameter(i) => {
                self.parameters[i] = ParameterSetting {
                    value,
                    is_given: true,
                };
                // built again, with the start that belongs to it
                self.run = None;
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

    /// Sets the rate of change of an input (per second) from the present time on; returns whether it
    /// is used.
    ///
    /// # Errors
    /// If the variable is no input.
    pub fn set_slope(&mut self, place: usize, slope: f64) -> Result<bool, FmuError> {
        let VariableRole::ScenarioInput(i) = self.variables[place].role else {
            let name = &self.variables[place].name;
            return Err(FmuError::wrong(format!("{name} is no input")));
        };
        let input = &mut self.inputs[i];
        input.slope = slope;
        input.is_new |= input.is_given;
        Ok(true)
    }

    /// The value of a variable at the present time.
    ///
    /// # Errors
    /// If it cannot be computed.
    pub fn get(&mut self, place: usize) -> Result<f64, FmuError> {
        match self.variables[place].role {
            VariableRole::ScenarioInput(i) => Ok(self.inputs[i].value),
            VariableRole::ScenarioParameter(i) => Ok(self.parameters[i].value),
            VariableRole::ScenarioOutput(i) => {
                let channel = self.channels[i];
                let values = self.run()?.values()?;
                Ok(values.get(channel).copied().unwrap_or(f64::NAN))
            }
            _ => Ok(f64::NAN),
        }
    }

    /// Goes on to the time `t` (s), with what the importer has set at the present time.
    ///
    /// # Errors
    /// If nothing was done; see [`StepEnd::short`] for a part of the step.
    pub fn step_to(&mut self, t: f64) -> Result<StepEnd, FmuError> {
        self.run()?;
        let Some(run) = self.run.as_mut() else {
            return Err(FmuError::wrong("the run has not begun"));
        };
        if let ScenarioRun::Stepped(session) = &mut *run {
            for (name, input) in self.choices.inputs.iter().zip(&mut self.inputs) {
                if std::mem::take(&mut input.is_new) {
                    let (value, slope) = (input.value, input.slope);
                    session.hold(&name.path, Held { value, slope })?;
                }
            }
        }
        let end = run.end_time();
        let before = run.time();
        // up to the end at least, where a step goes beyond it
        let stepped = run.step_to(t).or_else(|error| match error {
            SessionError::BeyondEnd { .. } if before < end => {
                run.step_to(end)?;
                Err(error)
            }
            error => Err(error),
        });
        Ok(StepEnd {
            time: run.time(),
            is_over: matches!(stepped, Err(SessionError::BeyondEnd { .. })),
            short: stepped.err().map(FmuError::from),
        })
    }

    /// Puts all that changes into an archive, or takes it from there.
    ///
    /// # Errors
    /// If the run has failed, or the archive is not its own.
    pub fn archive(&mut self, archive: &mut StateArchive) -> Result<(), FmuError> {
        let mut is_other = false;
        for setting in &mut self.parameters {
            let before = setting.value.to_bits();
            archive.number(&mut setting.value);
            archive.flag(&mut setting.is_given);
            is_other |= before != setting.value.to_bits();
        }
        let before = self.settings.stop;
        archive.optional(&mut self.settings.stop);
        is_other |= before != self.settings.stop;
        let inputs: Vec<InputSetting> = {
            for input in &mut self.inputs {
                archive.number(&mut input.value);
                archive.number(&mut input.slope);
                archive.flag(&mut input.is_given);
                archive.flag(&mut input.is_new);
            }
            self.inputs.clone()
        };
        let mut has_begun = self.run.is_some();
        archive.flag(&mut has_begun);
        if archive.reads() && (is_other || !has_begun) {
            self.run = None;
        }
        if !has_begun {
            return Ok(());
        }
        let mut bytes = if archive.reads() {
            Vec::new()
        } else {
            self.run()?.save()?
        };
        archive_bytes(archive, &mut bytes);
        if archive.reads() {
            if !archive.is_sound() {
                return Err(FmuError::wrong("the state is damaged"));
            }
            self.run()?.restore(&bytes)?;
            self.inputs = inputs;
        }
        Ok(())
    }
}

/// Bytes of a length of their own.
fn archive_bytes(archive: &mut StateArchive, bytes: &mut Vec<u8>) {
    let mut length = bytes.len();
    archive.count(&mut length);
    if archive.reads() && length > (1 << 32) {
        length = 0;
    }
    let words = length.div_ceil(8);
    let words = archive.length(words);
    if archive.reads() {
        bytes.clear();
    }
    for i in 0..words {
        let own = bytes.get(8 * i..).unwrap_or_default();
        let mut eight = [0; 8];
        for (to, from) in eight.iter_mut().zip(own) {
            *to = *from;
        }
        let mut word = u64::from_le_bytes(eight);
        archive.word(&mut word);
        if archive.reads() {
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes.truncate(length);
}

fn build(
    template: &Template,
    sources: &mut SourceMap,
    texts: &[String],
) -> Result<Scenario, FmuError> {
    let changes = Changes {
        option: PARAMETER,
        removed: &[],
        texts,
    };
    template
        .build(&changes, sources)
        .map_err(|all| FmuError::wrong(first_error(&all, sources)))
}
