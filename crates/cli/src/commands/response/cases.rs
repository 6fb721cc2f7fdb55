//! The curves: one of the scenario, or one for each combination of `--vary`, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use bristle_response::{CurveControl, CurveRange, ResponseCurve, ResponseRequest};
use bristle_results::Channel;
use bristle_scenario::{Scenario, Severity, SourceMap};
use bristle_study::sweep::{AxisValue, Study, StudyError, SweepRequest};

use super::animation::{self, ShownMotion};
use super::compute::{self, CurveTask, ExcitedMachine};
use super::{CaseCurve, CaseEnding, ResponseOutcome, channels, request, time};
use crate::args::{ResponseArguments, ResponseMethod};
use crate::commands::{refuse, sweep};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::progress::{Counting, CurveProgress};
use crate::render;

/// Curves at most.
const MOST: usize = 1000;

fn asked(arguments: &ResponseArguments, range: &CurveRange, channels: &[Channel]) -> CurveTask {
    CurveTask {
        request: ResponseRequest {
            channels: channels.iter().map(|c| c.name.clone()).collect(),
            range: range.clone(),
            options: request::options(arguments),
            stability: !arguments.no_stability,
            motion: arguments.output.report,
        },
        method: arguments.method,
        frequencies: request::frequencies(arguments, range),
    }
}

/// The curve of the scenario as it is.
pub(super) fn one(
    arguments: &ResponseArguments,
    range: &CurveRange,
    begin: &mut dyn FnMut() -> Result<(), Exit>,
) -> Result<ResponseOutcome, Exit> {
    let mut scenario = load(arguments)?;
    let prepared = compute::prepare(&mut scenario.model, arguments.method);
    let prepared = prepared.map_err(|end| told(&end))?;
    let channels = channels::chosen(&scenario.model, prepared.rest(), &arguments.channels)?;
    let task = asked(arguments, range, &channels);
    begin()?;
    let interrupt = Interrupt::listen();
    let mut progress = CurveProgress::new([range.from, range.to], arguments.output.quiet);
    let mut control = CurveControl {
        found: &mut |omega| progress.reached(omega),
        stops: &|| interrupt.requested(),
    };
    let (curve, end) = compute::curve(&mut scenario, &prepared, &task, &mut control);
    progress.clear();
    if curve.points.is_empty() {
        return Err(told(&end));
    }
    let checks = if arguments.verify && !interrupt.requested() {
        let checks = time::checks(&mut scenario, &task.request, &curve);
        checks.map_err(|error| told(&compute::refused(&error)))?
    } else {
        Vec::new()
    };
    let motion = animation::of(&mut scenario, &curve);
    Ok(ResponseOutcome {
        title: scenario.title,
        channels,
        varied: Vec::new(),
        cases: vec![CaseCurve {
            values: Vec::new(),
            curve,
            end,
            motion,
        }],
        checks,
    })
}

/// Reads the scenario.
pub(super) fn load(arguments: &ResponseArguments) -> Result<Scenario, Exit> {
    let mut sources = SourceMap::new();
    let place = &arguments.scenario;
    match bristle_scenario::load_any(&place.scenario, &place.overrides, &mut sources) {
        Ok(scenario) => {
            for warning in &scenario.warnings {
                render::print_one(warning, &sources);
            }
            Ok(scenario)
        }
        Err(diagnostics) => {
            render::print(&diagnostics, &sources);
            Err(Exit::BadInput)
        }
    }
}

/// Says why there is no curve.
pub(super) fn told(end: &CaseEnding) -> Exit {
    match end {
        CaseEnding::Complete => Exit::Done,
        CaseEnding::Early { reason, help, exit } => {
            render::error(reason, help.clone());
            *exit
        }
    }
}

/// What is done once the input is known to be sound.
pub(super) type Begin<'b> = &'b mut dyn FnMut() -> Result<(), Exit>;

/// A curve for each combination of values. Without `begin` it goes on with what has begun.
pub(super) fn many(
    arguments: &ResponseArguments,
    range: &CurveRange,
    vary: &[String],
    begin: Option<Begin<'_>>,
) -> Result<ResponseOutcome, Exit> {
    let study = Study::read_for_responses(SweepRequest {
        scenario: bristle_scenario::ScenarioSource::File(arguments.scenario.scenario.clone()),
        overrides: arguments.scenario.overrides.clone(),
        design: sweep::design(vary)?,
        measures: Vec::new(),
        channels: Vec::new(),
    })
    .map_err(sweep::unsound)?;
    if study.count() > MOST {
        let message = format!("--vary: {} curves are more than {MOST}", study.count());
        return Err(refuse(message, Some("give fewer values".to_owned())));
    }
    let channels = channels_of(&study, arguments)?;
    let task = asked(arguments, range, &channels);
    if let Some(begin) = begin {
        let (warnings, sources) = study.warnings();
        for warning in warnings {
            render::print_one(warning, sources);
        }
        begin()?;
    }
    let cases = on_threads(&study, &task, arguments);
    Ok(ResponseOutcome {
        title: study.title().to_owned(),
        channels,
        varied: study.axes().iter().map(|axis| axis.path.clone()).collect(),
        cases,
        checks: Vec::new(),
    })
}

/// The channels, from the first case that has an equilibrium.
fn channels_of(study: &Study, arguments: &ResponseArguments) -> Result<Vec<Channel>, Exit> {
    let mut first = None;
    for case in 0..study.count() {
        match ready(study, case, arguments.method) {
            Ok(ready) => {
                let (model, rest) = (&ready.scenario.model, ready.prepared.rest());
                return channels::chosen(model, rest, &arguments.channels);
            }
            Err(end) => {
                first.get_or_insert(end);
            }
        }
    }
    Err(first.map_or(Exit::BadInput, |end| told(&end)))
}

/// A case at rest.
struct ReadyCase {
    scenario: Scenario,
    prepared: ExcitedMachine,
}

fn ready(study: &Study, case: usize, method: ResponseMethod) -> Result<ReadyCase, CaseEnding> {
    let mut scenario = study
        .scenario_of(case)
        .map_err(|error| unsound(study, case, &error))?;
    let prepared = compute::prepare(&mut scenario.model, method)?;
    Ok(ReadyCase { scenario, prepared })
}

/// Values that make no scenario.
fn unsound(study: &Study, case: usize, error: &StudyError) -> CaseEnding {
    let first = match error {
        StudyError::Scenario { diagnostics, .. } => {
            diagnostics.iter().find(|d| d.severity == Severity::Error)
        }
        _ => None,
    };
    let reason = first.map_or_else(|| error.to_string(), |first| first.message.clone());
    CaseEnding::Early {
        reason: format!("{}: {reason}", study.words(case)),
        help: first.and_then(|first| first.help.clone()),
        exit: Exit::BadInput,
    }
}

/// A case is done.
struct CaseDone {
    case: usize,
    curve: ResponseCurve,
    end: CaseEnding,
    motion: Option<ShownMotion>,
}

impl CaseDone {
    fn early(case: usize, end: CaseEnding) -> Self {
        Self {
            case,
            curve: ResponseCurve::default(),
            end,
            motion: None,
        }
    }

    /// Follows the curve of a case.
    fn of(study: &Study, case: usize, task: &CurveTask, interrupt: Interrupt) -> Self {
        let ReadyCase {
            mut scenario,
            prepared,
        } = match ready(study, case, task.method) {
            Ok(ready) => ready,
            Err(end) => return Self::early(case, end),
        };
        let mut control = CurveControl {
            found: &mut |_| {},
            stops: &|| interrupt.requested(),
        };
        let (curve, end) = compute::curve(&mut scenario, &prepared, task, &mut control);
        let motion = animation::of(&mut scenario, &curve);
        Self {
            case,
            curve,
            end,
            motion,
        }
    }
}

/// Every case on its own; the order of the results is that of the cases, whoever is done first.
fn on_threads(study: &Study, task: &CurveTask, arguments: &ResponseArguments) -> Vec<CaseCurve> {
    let count = study.count();
    let interrupt = Interrupt::listen();
    let jobs = arguments.jobs.unwrap_or_else(sweep::cores);
    let mut progress = Counting::new(count, arguments.output.quiet);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut found: Vec<Option<CaseDone>> = (0..count).map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, count.max(1)) {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                while !interrupt.requested() {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= count {
                        break;
                    }
                    let done = CaseDone::of(study, case, task, interrupt);
                    if sender.send(done).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for done in receiver {
            progress.done(true, done.end != CaseEnding::Complete);
            let case = done.case;
            if let Some(place) = found.get_mut(case) {
                *place = Some(done);
            }
        }
    });
    progress.clear();
    let case = |(case, done): (usize, Option<CaseDone>)| {
        let values: Vec<AxisValue> = study.values(case).into_iter().cloned().collect();
        let done = done.unwrap_or_else(|| CaseDone::early(case, CaseEnding::interrupted()));
        CaseCurve {
            values,
            curve: done.curve,
            end: done.end,
            motion: done.motion,
        }
    };
    found.into_iter().enumerate().map(case).collect()
}

impl CaseEnding {
    fn interrupted() -> Self {
        Self::Early {
            reason: "interrupted before it began".to_owned(),
            help: None,
            exit: Exit::RunFailed,
        }
    }
}
