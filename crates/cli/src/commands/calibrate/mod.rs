//! `bristle calibrate`: unknown fields of a whole machine.
//!
//! Measured columns drive the scenario, channels of its results are compared with other columns,
//! and fields of the scenario are free.

mod data;
mod files;
mod json;
mod text_report;

use bristle_identify::machine::{MachineFit, Measured, Output, SimulatedMachine, Unknown, find};
use bristle_identify::{FitControl, StopFlag};
use bristle_recordings::Problem;
use bristle_study::replay::{Replay, ReplayError};
use bristle_units::suggest;

use self::data::MeasuredRun;
use super::fits::{failed, names, number, pair};
use super::{print_json, refuse, unwritten};
use crate::args::CalibrateArguments;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::progress::Fitting;
use crate::render;

/// What was found, beside the data.
struct CalibrationOutcome<'a> {
    arguments: &'a CalibrateArguments,
    scenario: String,
    runs: Vec<MeasuredRun>,
    found: MachineFit,
}

impl CalibrationOutcome<'_> {
    /// `path=value` for `--set`.
    fn changes(&self) -> Vec<String> {
        let all = self.found.unknowns.iter();
        all.map(|u| format!("{}={:?}", u.name, u.value)).collect()
    }

    /// Each run with the outputs that were found for it.
    fn outputs(&self) -> impl Iterator<Item = (&MeasuredRun, &[Output])> {
        let channels = self.arguments.output.len();
        self.runs.iter().zip(self.found.outputs.chunks(channels))
    }

    /// `-1`, `-2` and so on behind the names of files, if there are several runs.
    fn suffix(&self, run: usize) -> String {
        if self.runs.len() > 1 {
            format!("-{}", run + 1)
        } else {
            String::new()
        }
    }
}

/// Calibrates.
pub(crate) fn run(arguments: &CalibrateArguments) -> Exit {
    let interrupt = Interrupt::ends_with("the fit was interrupted; nothing was written");
    let outcome = match outcome(arguments) {
        Ok(outcome) => outcome,
        Err(exit) => return exit,
    };
    // what is being written is written to its end
    interrupt.wait();
    if let Some(folder) = &arguments.output_to.out
        && let Err(error) = files::write(folder, &outcome)
    {
        return unwritten(&error);
    }
    if let Some(folder) = arguments.output_to.out.as_deref()
        && arguments.output_to.report
        && let Err(error) = files::page(&outcome).write(folder.join("report.html"))
    {
        render::error(error.to_string(), None);
        return Exit::RunFailed;
    }
    if arguments.output_to.json {
        print_json(&json::outcome(&outcome));
    } else {
        text_report::print(&outcome);
    }
    Exit::Done
}

fn outcome(arguments: &CalibrateArguments) -> Result<CalibrationOutcome<'_>, Exit> {
    let refused = |problem: Problem| refuse(problem.message, problem.help);
    let read = arguments.data.iter();
    let runs: Vec<MeasuredRun> = read
        .map(|path| MeasuredRun::read(path, arguments))
        .collect::<Result<_, _>>()
        .map_err(refused)?;
    let replays: Vec<Replay> = runs
        .iter()
        .map(|run| replay(run, arguments))
        .collect::<Result<_, _>>()?;
    let unknowns = replays.first().map_or(Ok(Vec::new()), |replay| {
        unknowns(replay, arguments).map_err(refused)
    })?;
    let each = replays.iter().zip(&runs);
    let measured: Vec<Measured> = each
        .flat_map(|(replay, run)| measured(replay, run))
        .collect();
    let quiet = arguments.output_to.quiet || arguments.output_to.json;
    let bar = Fitting::new("scenario", quiet);
    let found = find(
        &unknowns,
        &measured,
        &ReplayedRuns(&replays),
        &FitControl {
            watch: &|progress| bar.reached(progress.stage, progress.done, progress.of),
            stop: &StopFlag::default(),
            jobs: None,
            executor: None,
        },
    );
    bar.clear();
    Ok(CalibrationOutcome {
        arguments,
        scenario: arguments.scenario.display().to_string(),
        found: found.map_err(|error| failed(&error))?,
        runs,
    })
}

/// The scenario under the inputs of a run.
/// The scenario under every measured run; outputs are those of the first, then of the second, …
struct ReplayedRuns<'a>(&'a [Replay]);

impl SimulatedMachine for ReplayedRuns<'_> {
    fn outputs(&self, values: &[f64]) -> Option<Vec<Vec<f64>>> {
        let each: Option<Vec<_>> = self.0.iter().map(|run| run.outputs(values)).collect();
        Some(each?.concat())
    }

    fn slopes(&self, values: &[f64]) -> Option<Vec<Vec<Vec<f64>>>> {
        let mut all = vec![Vec::new(); values.len()];
        for run in self.0 {
            for (all, of_run) in all.iter_mut().zip(run.slopes(values)?) {
                all.extend(of_run);
            }
        }
        Some(all)
    }
}

fn replay(run: &MeasuredRun, arguments: &CalibrateArguments) -> Result<Replay, Exit> {
    let free: Vec<String> = names(&arguments.free).map(str::to_owned).collect();
    let channels: Vec<String> = run.outputs.iter().map(|o| o.name.clone()).collect();
    let read = Replay::read(
        &arguments.scenario,
        &arguments.set,
        &run.inputs,
        &free,
        &channels,
        run.times.clone(),
    );
    read.map_err(|error| match error {
        ReplayError::Scenario {
            diagnostics,
            sources,
        } => {
            render::print(&diagnostics, &sources);
            Exit::BadInput
        }
        error => refuse(format!("{}: {error}", run.file), None),
    })
}

/// The channels of a run with what was measured of them.
fn measured<'a>(replay: &'a Replay, run: &'a MeasuredRun) -> impl Iterator<Item = Measured> + 'a {
    let each = replay.channels().zip(&run.outputs);
    each.map(|((name, unit), output)| Measured {
        name: name.to_owned(),
        unit: unit.to_owned(),
        values: output.series.values.clone(),
    })
}

/// The free fields with their starts and bounds.
fn unknowns(replay: &Replay, arguments: &CalibrateArguments) -> Result<Vec<Unknown>, Problem> {
    let free = replay.free().iter().map(|field| Unknown {
        name: field.path.clone(),
        unit: field.unit.clone(),
        start: field.value,
        bounds: None,
    });
    let mut all: Vec<Unknown> = free.collect();
    let names: Vec<String> = all.iter().map(|u| u.name.clone()).collect();
    let find = |option: &str, name: &str| {
        names.iter().position(|known| known == name).ok_or_else(|| {
            let help = suggest::did_you_mean(name, names.iter().map(String::as_str));
            Problem::with(
                format!("--{option} {name}: it is not among the free fields"),
                help.unwrap_or_else(|| format!("free are {}", names.join(", "))),
            )
        })
    };
    for text in &arguments.start {
        let (name, value) = pair("start", text, "body.cart.mass=2")?;
        all[find("start", name)?].start = number("start", value)?;
    }
    for text in &arguments.bound {
        let example = "body.cart.mass=0.5:2";
        let (name, range) = pair("bound", text, example)?;
        let Some((low, high)) = range.split_once(':') else {
            let message = format!("--bound {text}: expected PATH=LOW:HIGH");
            return Err(Problem::with(message, format!("as in --bound {example}")));
        };
        let (low, high) = (number("bound", low)?, number("bound", high)?);
        if low >= high {
            let message = format!("--bound {text}: the lower bound must be below the upper one");
            return Err(Problem::new(message));
        }
        all[find("bound", name)?].bounds = Some((low, high));
    }
    Ok(all)
}
