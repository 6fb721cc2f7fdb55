//! `bristle run`: simulate a scenario and write its results.

use std::path::{Path, PathBuf};
use std::time::Instant;

use bristle_integrate::{Flow, RunError};
use bristle_mechanics::record::{ContactRecord, Outcome, Start, Watch, channels, simulate};
use bristle_results::{
    Channel, ContactSummary, Energy, Error, Failure, RunFolder, Status, Summary, format_quantity,
};
use bristle_scenario::{Scenario, SourceMap};

use super::refuse;
use crate::args::{Format, RunArguments};
use crate::exit::Exit;
use crate::expect::Recorder;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::terminal::Stream;
use crate::{expect, model, plots, render};

/// Simulates.
pub(crate) fn run(arguments: &RunArguments) -> Exit {
    if arguments.format.contains(&Format::Parquet) {
        let help = "leave --format out: results.csv holds the same numbers";
        return refuse(
            "this build of bristle cannot write Parquet",
            Some(help.to_owned()),
        );
    }
    let mut sources = SourceMap::new();
    let place = &arguments.scenario;
    let loaded = bristle_scenario::load(&place.scenario, &place.overrides, &mut sources);
    let scenario = match loaded {
        Ok(scenario) => scenario,
        Err(diagnostics) => {
            render::print(&diagnostics, &sources);
            return Exit::BadInput;
        }
    };
    for warning in &scenario.warnings {
        render::print_one(warning, &sources);
    }
    let out = arguments
        .out
        .clone()
        .unwrap_or_else(|| default_folder(&place.scenario));
    let folder = match RunFolder::create(&out, table_channels(&scenario)) {
        Ok(folder) => folder,
        Err(error) => return refuse(&error, help_for(&error)),
    };
    let interrupt = Interrupt::listen();
    let clock = Instant::now();
    let mut watch = Recording {
        expected: Recorder::new(&scenario.expectations, folder.table().channels()),
        progress: Progress::new(scenario.plan.end_time, arguments.quiet),
        folder,
        interrupt,
        first: None,
        error: None,
    };
    let outcome = simulate(
        &scenario.model,
        &scenario.plan,
        start_of(&scenario),
        scenario.output_step,
        &mut watch,
    );
    let wall_s = clock.elapsed().as_secs_f64();
    watch.progress.clear();
    let mut summary = summarise(&scenario, &outcome, &watch);
    summary.wall_s = wall_s;
    if summary.status == Status::Complete {
        summary.expectations = expect::evaluate(&scenario.expectations, &watch.expected, &summary);
    }
    finish(arguments, &scenario, &summary, watch.folder)
}

/// Completes the folder, tells what came out and how it ended.
fn finish(
    arguments: &RunArguments,
    scenario: &Scenario,
    summary: &Summary,
    folder: RunFolder,
) -> Exit {
    let plots = if arguments.no_plots || folder.table().rows() < 2 {
        Vec::new()
    } else {
        plots::of_scenario(scenario)
    };
    let path = folder.path().to_path_buf();
    match folder.finish(summary, &plots) {
        Ok(done) => {
            for error in done.plot_errors {
                render::error(error.to_string(), None);
            }
        }
        Err(error) => {
            let help = help_for(&error);
            render::error(error.to_string(), help);
            return Exit::RunFailed;
        }
    }
    tell_of_end(summary, &path);
    if arguments.json {
        print_summary(summary);
    } else if !arguments.quiet {
        // warnings and the reason of a failure stand on standard error already
        let shown = Summary {
            warnings: Vec::new(),
            error: None,
            ..summary.clone()
        };
        let text = shown.text(Stream::Out.width(), Stream::Out.colour());
        Stream::Out.print(&format!("{text}\nresults in {}\n", path.display()));
    }
    match summary.status {
        Status::Failed | Status::Interrupted => Exit::RunFailed,
        Status::Complete if !summary.expectations_met() => Exit::ExpectationMissed,
        Status::Complete => Exit::Done,
    }
}

fn print_summary(summary: &Summary) {
    match serde_json::to_string_pretty(summary) {
        Ok(text) => Stream::Out.print(&format!("{text}\n")),
        Err(error) => render::error(format!("cannot show the summary as JSON: {error}"), None),
    }
}

/// An early end is told on standard error too, where scripts and logs look for it.
fn tell_of_end(summary: &Summary, path: &Path) {
    let reached = format_quantity(summary.end_time, "s");
    let kept = format!(
        "what was computed up to t = {reached} is in {}",
        path.display()
    );
    match (summary.status, &summary.error) {
        (Status::Interrupted, _) => render::error("the run was interrupted", Some(kept)),
        (_, Some(failure)) => {
            let help = failure
                .help
                .as_ref()
                .map_or(kept.clone(), |help| format!("{help}; {kept}"));
            render::error(&failure.message, Some(help));
        }
        _ => {}
    }
}

/// `results/` and the name of the scenario, in the current folder.
fn default_folder(scenario: &Path) -> PathBuf {
    let stem = scenario.file_stem().unwrap_or(scenario.as_os_str());
    Path::new("results").join(stem)
}

fn start_of(scenario: &Scenario) -> Start {
    match scenario.start {
        bristle_scenario::Start::AsGiven => Start::AsGiven,
        bristle_scenario::Start::Equilibrium => Start::Equilibrium,
    }
}

fn table_channels(scenario: &Scenario) -> Vec<Channel> {
    channels(&scenario.model)
        .into_iter()
        .map(|channel| Channel::new(channel.name, channel.unit, channel.meaning))
        .collect()
}

fn help_for(error: &Error) -> Option<String> {
    let help = match error {
        Error::File { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
            "free some space on the disk, or choose another folder with --out DIR"
        }
        Error::File { .. } | Error::ForeignFile { .. } | Error::InUse { .. } => {
            "choose a folder that can be written with --out DIR"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

/// Takes the rows of a run to its folder, shows how far it is, and hears the user.
struct Recording {
    folder: RunFolder,
    expected: Recorder,
    progress: Progress,
    interrupt: Interrupt,
    /// The row of the start.
    first: Option<Vec<f64>>,
    /// Why the results could not go on.
    error: Option<Error>,
}

impl Watch for Recording {
    fn row(&mut self, values: &[f64]) -> Flow {
        if let Err(error) = self.folder.append(values) {
            self.error = Some(error);
            return Flow::Stop;
        }
        self.expected.row(values);
        self.first.get_or_insert_with(|| values.to_vec());
        Flow::Continue
    }

    fn step(&mut self, t: f64) -> Flow {
        self.progress.reached(t);
        if self.interrupt.requested() {
            Flow::Stop
        } else {
            Flow::Continue
        }
    }
}

fn summarise(scenario: &Scenario, outcome: &Outcome, watch: &Recording) -> Summary {
    let error = match (&outcome.error, &watch.error) {
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
    let contacts = outcome.contacts.iter();
    Summary {
        scenario: scenario.path.display().to_string(),
        title: scenario.title.clone(),
        model: model::phrase(&scenario.model, &scenario.plan),
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
        energy: energy(outcome, watch),
        contacts: contacts
            .map(|c| (c.name.clone(), contact_summary(c)))
            .collect(),
        extremes: watch.folder.extremes(),
        warnings: scenario
            .warnings
            .iter()
            .map(|w| w.message.clone())
            .collect(),
        expectations: Vec::new(),
    }
}

fn energy(outcome: &Outcome, watch: &Recording) -> Energy {
    let channels = watch.folder.table().channels();
    let at_start = |name: &str| {
        let index = channels.iter().position(|c| c.name == name)?;
        watch.first.as_ref()?.get(index).copied()
    };
    let energies = &outcome.energies;
    Energy {
        input: energies.input,
        kinetic: energies.kinetic - at_start("energy.kinetic").unwrap_or(0.0),
        stored: energies.stored - at_start("energy.stored").unwrap_or(0.0),
        dissipated: energies.dissipated,
        imbalance: energies.imbalance(),
        relative_imbalance: energies.relative_imbalance(),
    }
}

fn contact_summary(record: &ContactRecord) -> ContactSummary {
    ContactSummary {
        stick_intervals: record.stick_intervals.clone(),
        first_slip_time: record.first_slip_time,
        max_slip_speed: record.max_slip_speed,
        dissipated: record.dissipated,
    }
}

/// An error of the integration, with what to do apart from what happened.
fn failure(error: &RunError) -> Failure {
    let (time, element, advice) = match error {
        RunError::NotConverged {
            t, element, advice, ..
        }
        | RunError::StepTooSmall {
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
        } => (None, Some(element), *advice),
        _ => (None, None, ""),
    };
    let text = error.to_string();
    let message = text.strip_suffix(advice).unwrap_or(&text);
    Failure {
        message: message.trim_end_matches(['.', ' ']).to_owned(),
        time,
        element: element.cloned(),
        help: (!advice.is_empty()).then(|| advice.to_owned()),
    }
}

/// The results could not go on: a value that is no number, or a disk that is full.
fn results_failure(error: &Error, end_time: f64) -> Failure {
    let (time, help) = match error {
        Error::NotFinite { time, .. } => {
            let help = "check the loads and parameters that act on it, or lower max_step";
            (*time, Some(help.to_owned()))
        }
        _ => (end_time, help_for(error)),
    };
    Failure {
        message: error.to_string(),
        time: Some(time),
        element: None,
        help,
    }
}
