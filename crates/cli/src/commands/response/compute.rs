//! One curve of one scenario.

use bristle_integrate::{State, equilibrium};
use bristle_mechanics::Model;
use bristle_response::{
    CurveControl, CurveEnd, CurveError, Machine, ResponseCurve, ResponseError, ResponseRequest,
    response_curve,
};
use bristle_scenario::Scenario;
use bristle_signals::Signal;
use bristle_units::{format_quantity, significant};

use super::request::words;
use super::{CaseEnding, time};
use crate::args::ResponseMethod;
use crate::exit::Exit;

/// A machine that is ready to be excited.
pub(super) enum ExcitedMachine {
    /// With its equations of harmonic balance.
    Balance(Box<Machine>),
    /// To be integrated in time, from this rest.
    Time(State),
}

impl ExcitedMachine {
    /// The static equilibrium.
    pub(super) fn rest(&self) -> &State {
        match self {
            Self::Balance(machine) => &machine.rest,
            Self::Time(rest) => rest,
        }
    }
}

/// What is asked of every curve.
pub(super) struct CurveTask {
    pub(super) request: ResponseRequest,
    pub(super) method: ResponseMethod,
    /// Angular frequencies of integration in time, rad/s.
    pub(super) frequencies: Vec<f64>,
}

/// The machine at rest under its constant loads.
pub(super) fn prepare(
    model: &mut Model,
    method: ResponseMethod,
) -> Result<ExcitedMachine, CaseEnding> {
    one_frequency(model)?;
    if method == ResponseMethod::Time && !is_excited(model) {
        return Err(refused(&ResponseError::NoExcitation.into()));
    }
    model.set_frequency(None);
    let mut state = model.start();
    equilibrium(model, &mut state).map_err(|error| CaseEnding::Early {
        reason: format!("the constant loads have no equilibrium: {error}"),
        help: Some(
            "the response is a motion about the static equilibrium: hold the mean forces by \
             springs, stops or friction"
                .to_owned(),
        ),
        exit: Exit::RunFailed,
    })?;
    match method {
        ResponseMethod::Time => Ok(ExcitedMachine::Time(state)),
        ResponseMethod::Hb => match Machine::new(model, state) {
            Ok(machine) => Ok(ExcitedMachine::Balance(Box::new(machine))),
            Err(error) => Err(refused(&error.into())),
        },
    }
}

fn is_excited(model: &Model) -> bool {
    let harmonic = |signal: &Signal| signal.harmonics().is_ok_and(|s| !s.harmonics.is_empty());
    signals(model).any(|(_, signal)| harmonic(signal))
}

/// Refuses loads of different frequencies: the response gives all of them one.
fn one_frequency(model: &Model) -> Result<(), CaseEnding> {
    let mut first: Option<(String, f64)> = None;
    for (name, signal) in signals(model) {
        let Ok(sum) = signal.harmonics() else {
            continue;
        };
        for frequency in sum.harmonics.iter().filter_map(|h| h.frequency) {
            let (other, before) = first.get_or_insert((name.clone(), frequency));
            if (frequency - *before).abs() > SAME * *before {
                let reason = format!(
                    "{name} has a frequency of {}, and {other} one of {}",
                    format_quantity(frequency, "Hz"),
                    format_quantity(*before, "Hz"),
                );
                let help = "a response has one frequency: give multiples of it as order = 2, 3, …";
                return Err(CaseEnding::Early {
                    reason,
                    help: Some(help.to_owned()),
                    exit: Exit::BadInput,
                });
            }
        }
    }
    Ok(())
}

/// Frequencies are the same to this part.
const SAME: f64 = 1e-9;

/// All functions of time with their names.
fn signals(model: &Model) -> impl Iterator<Item = (String, &Signal)> {
    let loads = model.elements().iter().flat_map(|element| {
        let own = element.signals().into_iter();
        own.map(|(field, signal)| {
            let name = format!("{}.{}.{field}", element.kind(), element.name());
            (name, signal)
        })
    });
    let bodies = model.bodies();
    let drives = model.drive_signals().map(|drive| {
        let body = bodies.get(drive.body.index());
        let name = body.map_or("", |body| &body.name);
        (format!("the motion of {name}"), drive.signal)
    });
    loads.chain(drives)
}

/// Follows the curve.
pub(super) fn curve(
    scenario: &mut Scenario,
    prepared: &ExcitedMachine,
    task: &CurveTask,
    control: &mut CurveControl<'_>,
) -> (ResponseCurve, CaseEnding) {
    let request = &task.request;
    let found = match prepared {
        ExcitedMachine::Balance(machine) => {
            response_curve(machine, &mut scenario.model, request, control)
        }
        ExcitedMachine::Time(_) => time::curve(scenario, request, &task.frequencies, control),
    };
    match found {
        Ok(curve) => {
            let ending = ending(&curve, request);
            (curve, ending)
        }
        Err(error) => (ResponseCurve::default(), refused(&error)),
    }
}

/// Why there is no curve.
pub(super) fn refused(error: &CurveError) -> CaseEnding {
    let (exit, help) = match error {
        CurveError::NoChannel(_) => (Exit::BadInput, None),
        CurveError::Response(error) => (code(error), advice(error)),
        _ => (Exit::RunFailed, None),
    };
    CaseEnding::Early {
        reason: error.to_string(),
        help,
        exit,
    }
}

fn code(error: &ResponseError) -> Exit {
    match error {
        ResponseError::NothingMoves
        | ResponseError::NoExcitation
        | ResponseError::NoEffect
        | ResponseError::NotHarmonic { .. }
        | ResponseError::Jumps { .. }
        | ResponseError::Unsupported { .. } => Exit::BadInput,
        _ => Exit::RunFailed,
    }
}

fn advice(error: &ResponseError) -> Option<String> {
    let help = match error {
        ResponseError::NoExcitation => {
            "for example magnitude = { harmonic = { amplitude = \"2 N\" } } of a [force.NAME]"
        }
        ResponseError::NotHarmonic { .. } => {
            "with --set the load can be replaced for this command, as in --set \
             \"force.pull.magnitude={ harmonic = { amplitude = 2 } }\""
        }
        ResponseError::MovesAway { .. } => {
            "something must hold it on the average: a spring, a stop, or less mean load"
        }
        ResponseError::NoSolution { .. } | ResponseError::Singular { .. } => {
            "begin elsewhere, or look at the range before with --at; more --samples or a larger \
             --tolerance help where the friction is nearly a step"
        }
        ResponseError::NotPeriodic { .. } => "more --samples may help",
        _ => return None,
    };
    Some(help.to_owned())
}

/// How a curve with points ended.
fn ending(curve: &ResponseCurve, request: &ResponseRequest) -> CaseEnding {
    let range = &request.range;
    let last = curve.points.last();
    let at = last.map_or_else(
        || "before its first point".to_owned(),
        |last| format!("at {} Hz", significant(last.result.frequency, 6)),
    );
    let asked = format!("from {} to {}", words(range.from), words(range.to));
    let (how, help) = match curve.end {
        CurveEnd::Complete => return CaseEnding::Complete,
        CurveEnd::Stopped => ("was interrupted".to_owned(), None),
        CurveEnd::AtStart => (
            "turned back and left the range where it began,".to_owned(),
            Some("the curve continues below --from; widen the range".to_owned()),
        ),
        CurveEnd::TooLarge => {
            let largest = format_quantity(request.options.max_motion, "m");
            let how = format!("ended where the motion exceeds --max-amplitude {largest},");
            (how, None)
        }
        CurveEnd::TooManyPoints => {
            let help = "a shorter range has fewer; does the curve turn without end?";
            let how = format!("ended after {} points,", curve.points.len());
            (how, Some(help.to_owned()))
        }
        CurveEnd::Failed => ("ended".to_owned(), curve.error.as_ref().and_then(advice)),
    };
    let why = curve.error.as_ref();
    let why = why.map_or_else(String::new, |error| format!(": {error}"));
    CaseEnding::Early {
        reason: format!("the curve {asked} {how} {at}{why}"),
        help,
        exit: Exit::RunFailed,
    }
}
