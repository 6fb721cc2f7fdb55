//! One run: from a scenario to its summary.

use std::time::Instant;

use bristle_integrate::{Flow, RunError};
use bristle_mechanics::record::{ContactRecord, Outcome, RowObserver, Start, channels, simulate};
use bristle_results::{
    Channel, ContactSummary, Energy, Error, Extremes, Result, RunFailure, Status, StickSummary,
    Summary,
};
use bristle_scenario::Scenario;

use crate::accuracy;
use crate::expect::{self, ExpectationRecorder};

/// Follows a run of a scenario, and may end it.
pub trait RunObserver {
    /// The values of all channels at an output time; they are finite.
    ///
    /// # Errors
    /// If the results cannot go on; the run ends and its summary says why.
    fn row(&mut self, values: &[f64]) -> Result<()>;

    /// Whether it takes the values at the end of every accepted step as well.
    fn takes_steps(&self) -> bool {
        false
    }

    /// The values of all channels at the end of an accepted step, if it takes them; they are finite.
    fn step_row(&mut self, _values: &[f64]) {}

    /// After every accepted step: the model time (s). May end the run.
    fn step(&mut self, _t: f64) -> Flow {
        Flow::Continue
    }
}

/// Simulates a scenario and sums it up; the rows go to `observer`.
///
/// A run that fails or is stopped has a summary too, of what was computed before. The phrase of
/// the model is left empty.
pub fn execute(scenario: &Scenario, observer: &mut dyn RunObserver) -> Summary {
    let clock = Instant::now();
    let channels = channels_of(scenario);
    let mut relay = RowRelay {
        expected: ExpectationRecorder::new(&scenario.expectations, &channels),
        observer,
        channels: &channels,
        extremes: Extremes::default(),
        last_time: 0.0,
        first: None,
        error: None,
    };
    let start = match scenario.start {
        bristle_scenario::StartState::AsGiven => Start::AsGiven,
        bristle_scenario::StartState::Equilibrium => Start::Equilibrium,
    };
    let outcome = simulate(
        &scenario.model,
        &scenario.plan,
        start,
        scenario.output_step,
        &mut relay,
    );
    let mut summary = summarise(scenario, &outcome, &relay, &channels);
    summary.wall_s = clock.elapsed().as_secs_f64();
    if summary.status == Status::Complete {
        summary.expectations = expect::evaluate(&scenario.expectations, &relay.expected, &summary);
    }
    summary
}

/// The channels of a scenario's results; the first one is the time.
pub fn channels_of(scenario: &Scenario) -> Vec<Channel> {
    channels(&scenario.model)
        .into_iter()
        .map(|channel| Channel::new(channel.name, channel.unit, channel.meaning))
        .collect()
}

/// What the user can do about results that cannot be written.
pub fn advice(error: &Error) -> Option<String> {
    let help = match error {
        Error::File { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
            "free some space on the disk, or choose another folder with --out DIR"
        }
        Error::File { .. } | Error::ForeignFile { .. } => {
            "choose a folder that can be written with --out DIR"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

/// Hands the rows on, and keeps what the summary needs of them.
struct RowRelay<'s> {
    observer: &'s mut dyn RunObserver,
    channels: &'s [Channel],
    extremes: Extremes,
    last_time: f64,
    expected: ExpectationRecorder,
    /// The row of the start.
    first: Option<Vec<f64>>,
    /// Why the results could not go on.
    error: Option<Error>,
}

impl RowObserver for RowRelay<'_> {
    fn row(&mut self, values: &[f64]) -> Flow {
        if let Err(error) = self.check(values).and_then(|()| self.observer.row(values)) {
            self.error = Some(error);
            return Flow::Stop;
        }
        self.last_time = values.first().copied().unwrap_or(self.last_time);
        self.extremes.include(values);
        self.expected.row(values);
        self.first.get_or_insert_with(|| values.to_vec());
        Flow::Continue
    }

    fn takes_steps(&self) -> bool {
        self.observer.takes_steps()
    }

    fn step_row(&mut self, values: &[f64]) -> Flow {
        if let Err(error) = self.check(values) {
            self.error = Some(error);
            return Flow::Stop;
        }
        self.observer.step_row(values);
        Flow::Continue
    }

    fn step(&mut self, t: f64) -> Flow {
        self.observer.step(t)
    }
}

impl RowRelay<'_> {
    /// A value that is not a number ends the run: it reaches no observer.
    fn check(&self, values: &[f64]) -> Result<()> {
        let Some(bad) = values.iter().position(|value| !value.is_finite()) else {
            return Ok(());
        };
        let channel = self.channels.get(bad);
        let time = values.first().copied().filter(|t| t.is_finite());
        Err(Error::NotFinite {
            channel: channel.map_or_else(String::new, |c| c.name.clone()),
            time: time.unwrap_or(self.last_time),
            value: values[bad],
        })
    }
}

fn summarise(
    scenario: &Scenario,
    outcome: &Outcome,
    relay: &RowRelay<'_>,
    channels: &[Channel],
) -> Summary {
    let error = match (&outcome.error, &relay.error) {
        (Some(error), _) => Some(failure(error)),
        (None, Some(error)) => Some(results_failure(error, outcome.end_time)),
        (None, None) => None,
    };
    let status = if error.is_some() {
        Status::Failed
    } else if outcome.statistics.stopped {
        Status::Interrupted
    } else {
        Status::Complete
    };
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let (contacts, joints) = (outcome.contacts.iter(), outcome.joints.iter());
    let told = scenario.warnings.iter().map(|w| w.message.clone());
    Summary {
        scenario: scenario.path.display().to_string(),
        title: scenario.title.clone(),
        model: String::new(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        scenario_hash: scenario.hash.clone(),
        status,
        error,
        end_time: outcome.end_time,
        planned_end_time: (status != Status::Complete).then_some(scenario.plan.end_time),
        steps: count(outcome.statistics.steps),
        rejected_steps: count(outcome.statistics.rejected),
        iterations: count(outcome.statistics.iterations),
        wall_s: 0.0,
        energy: energy(outcome, relay, channels),
        contacts: contacts
            .map(|c| (c.name.clone(), contact_summary(c)))
            .collect(),
        joints: joints
            .map(|joint| (joint.name.clone(), joint_summary(scenario, joint)))
            .collect(),
        extremes: relay.extremes.named(channels),
        warnings: told.chain(accuracy::warnings(outcome)).collect(),
        expectations: Vec::new(),
    }
}

fn energy(outcome: &Outcome, relay: &RowRelay<'_>, channels: &[Channel]) -> Energy {
    let at_start = |name: &str| {
        let index = channels.iter().position(|c| c.name == name)?;
        relay.first.as_ref()?.get(index).copied()
    };
    let energies = &outcome.energies;
    Energy {
        input: energies.input,
        kinetic: energies.kinetic - at_start("energy.kinetic").unwrap_or(0.0),
        stored: energies.stored - at_start("energy.stored").unwrap_or(0.0),
        dissipated: energies.dissipated,
        imbalance: outcome.balance.imbalance,
        relative_imbalance: outcome.balance.relative(),
    }
}

fn contact_summary(record: &ContactRecord) -> ContactSummary {
    ContactSummary {
        stick_intervals: record.stick_intervals.clone(),
        longest_stick: record.longest_stick.map(|stick| StickSummary {
            from: stick.from,
            to: stick.to,
            slip: stick.slip,
        }),
        first_slip_time: record.first_slip_time,
        max_slip_speed: record.max_slip_speed,
        dissipated: record.dissipated,
        friction_radius: None,
    }
}

fn joint_summary(scenario: &Scenario, record: &ContactRecord) -> ContactSummary {
    let mut joints = scenario.model.joint_frictions();
    let joint = joints.find(|joint| joint.name == record.name);
    ContactSummary {
        friction_radius: joint.and_then(|joint| joint.radius),
        ..contact_summary(record)
    }
}

/// An error of the integration, with what to do apart from what happened.
fn failure(error: &RunError) -> RunFailure {
    let (time, element, advice) = match error {
        RunError::NotConverged {
            t, element, advice, ..
        }
        | RunError::StepTooSmall {
            t, element, advice, ..
        }
        | RunError::Jams {
            t, element, advice, ..
        }
        | RunError::Singular {
            t, element, advice, ..
        }
        | RunError::NotFinite {
            t, element, advice, ..
        } => (Some(*t), Some(element), *advice),
        RunError::NoEquilibrium {
            element, advice, ..
        }
        | RunError::EquilibriumNotFound {
            element, advice, ..
        } => (None, Some(element), *advice),
        _ => (None, None, ""),
    };
    let text = error.to_string();
    let message = text.strip_suffix(advice).unwrap_or(&text);
    RunFailure {
        message: message.trim_end_matches(['.', ' ']).to_owned(),
        time,
        element: element.cloned(),
        help: (!advice.is_empty()).then(|| advice.to_owned()),
    }
}

/// The results could not go on: a value that is no number, or a disk that is full.
fn results_failure(error: &Error, end_time: f64) -> RunFailure {
    let (time, help) = match error {
        Error::NotFinite { time, .. } => {
            let help = "check the loads and parameters that act on it, or lower max_step";
            (*time, Some(help.to_owned()))
        }
        _ => (end_time, advice(error)),
    };
    RunFailure {
        message: error.to_string(),
        time: Some(time),
        element: None,
        help,
    }
}
