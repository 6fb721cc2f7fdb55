//! The summary of a run.

use bristle_integrate::RunError;
use bristle_laws::{Friction, Shortest};
use bristle_mechanics::record::{ChannelWatch, ContactRecord, Outcome};
use bristle_results::{
    ContactSummary, Energy, Error, EventSummary, Ordered, RunFailure, Status, StickSummary, Summary,
};
use bristle_scenario::Scenario;

use crate::accuracy;
use crate::row_book::RowBook;
use crate::stribeck_peak::Peak;

/// What the user can do about results that cannot be written.
pub fn advice(error: &Error) -> Option<String> {
    let help = match error {
        Error::File { source, .. } | Error::CutOff { source, .. }
            if source.kind() == std::io::ErrorKind::StorageFull =>
        {
            "free some space on the disk, or choose another folder with --out DIR"
        }
        Error::File { .. } | Error::CutOff { .. } | Error::ForeignFile { .. } => {
            "choose a folder that can be written with --out DIR"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

/// Sums up the results of a run.
pub(crate) fn summarise(scenario: &Scenario, outcome: &Outcome, book: &RowBook) -> Summary {
    let error = match (&outcome.error, &book.error) {
        (Some(error), _) => Some(failure(error)),
        (None, Some(error)) => Some(results_failure(error, outcome.end_time)),
        (None, None) => None,
    };
    let events = events(scenario, book);
    let stopped = events.iter().find(|(_, event)| event.stopped);
    let end_time = stopped.and_then(|(_, event)| event.times.last().copied());
    let left = scenario.plan.end_time - outcome.end_time;
    let status = if error.is_some() {
        Status::Failed
    } else if end_time.is_some() {
        Status::Complete
    } else if outcome.statistics.stopped || left > scenario.plan.close() {
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
        end_time: end_time.unwrap_or(outcome.end_time),
        planned_end_time: (status != Status::Complete || end_time.is_some())
            .then_some(scenario.plan.end_time),
        steps: count(outcome.statistics.steps),
        rejected_steps: count(outcome.statistics.rejected),
        iterations: count(outcome.statistics.iterations),
        wall_s: 0.0,
        energy: energy(outcome, book),
        contacts: contacts
            .map(|c| (c.name.clone(), contact_of_model(scenario, c)))
            .collect(),
        joints: joints
            .map(|joint| (joint.name.clone(), joint_summary(scenario, joint)))
            .collect(),
        events,
        extremes: book.extremes.named(&book.channels),
        warnings: told.chain(accuracy::warnings(outcome)).collect(),
        expectations: Vec::new(),
    }
}

/// When the events happened; one that ends the run is its last.
fn events(scenario: &Scenario, book: &RowBook) -> Ordered<EventSummary> {
    let events = scenario.events.iter().zip(&book.events);
    let event = |(watch, times): (&ChannelWatch, &Vec<f64>)| {
        let summary = EventSummary {
            times: times.clone(),
            stopped: watch.stops && !times.is_empty(),
        };
        (watch.name.clone(), summary)
    };
    events.map(event).collect()
}

fn energy(outcome: &Outcome, book: &RowBook) -> Energy {
    let at_start = |name: &str| {
        let index = book.channels.iter().position(|c| c.name == name)?;
        book.first.as_ref()?.get(index).copied()
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
        break_away_coefficient: record.break_away,
        remark: None,
        max_slip_speed: record.max_slip_speed,
        dissipated: record.dissipated,
        friction_radius: None,
    }
}

fn contact_of_model(scenario: &Scenario, record: &ContactRecord) -> ContactSummary {
    let mut contacts = scenario.model.contacts();
    let contact = contacts.find(|contact| contact.name == record.name);
    ContactSummary {
        remark: contact.and_then(|contact| early(contact.friction.law()?, record)),
        ..contact_summary(record)
    }
}

/// What to say of friction that never rises to its static level: nothing where it never broke away.
fn early(law: &Friction, record: &ContactRecord) -> Option<String> {
    /// Part of the way from the kinetic to the static level that is as good as all of it.
    const NEAR: f64 = 0.8;
    let peak = Peak::of(law, 1.0)?;
    let reached = record
        .break_away
        .filter(|&reached| reached < peak.at(NEAR))?;
    Some(format!(
        "breaks away at {reached:.4} of its normal force and never reaches its static level {}: it slides \
         before its bristles are bent that far, as where the load rises or the normal force falls fast",
        Shortest(peak.highest)
    ))
}

fn joint_summary(scenario: &Scenario, record: &ContactRecord) -> ContactSummary {
    let mut joints = scenario.model.rubbing_joints();
    let joint = joints.find(|joint| joint.name == record.name);
    ContactSummary {
        friction_radius: joint.and_then(|joint| joint.radius),
        remark: joint.and_then(|joint| early(joint.law?, record)),
        ..contact_summary(record)
    }
}

/// An error of the integration, with what to do apart from what happened.
pub(crate) fn failure(error: &RunError) -> RunFailure {
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
pub(crate) fn results_failure(error: &Error, end_time: f64) -> RunFailure {
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
