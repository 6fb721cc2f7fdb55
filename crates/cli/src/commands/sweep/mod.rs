//! `bristle sweep`: a scenario over combinations of values, the rows of a table, or a sample.

mod design;
mod names;
mod page;
mod plots;
mod sensitivities;
mod show;
mod slurm;

use std::path::{Path, PathBuf};

use bristle_results::Error;
use bristle_scenario::ScenarioSource;
use bristle_study::advice;
use bristle_study::sweep::{
    CaseMeasure, Event, FolderError, Shard, Study, StudyError, SweepError, SweepOptions,
    SweepOutcome, SweepRequest, run,
};

use super::refuse;
use crate::args::SweepArguments;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::progress::Counting;
use crate::render;
use crate::terminal::Stream;
use bristle_units::number_of;

/// A sweep with more runs than this is asked for with `--yes`.
const MANY: usize = 100_000;
/// Failures that are listed one by one.
const TOLD: usize = 5;

/// Sweeps.
pub(crate) fn sweep(arguments: &SweepArguments) -> Exit {
    let study = match read(arguments) {
        Ok(study) => study,
        Err(exit) => return exit,
    };
    let out = arguments
        .results
        .out
        .clone()
        .unwrap_or_else(|| default_folder(&arguments.scenario.scenario));
    let runs = study.count();
    if runs > MANY && !arguments.yes {
        let message = format!("this sweep makes {runs} runs");
        let help = "add --yes if that is what you want; --shard i/n divides them among machines";
        return refuse(message, Some(help.to_owned()));
    }
    announce(&study, arguments);
    if let Some(shards) = arguments.slurm {
        return job_script(arguments, &study, shards, &out);
    }
    let interrupt = Interrupt::listen();
    let jobs = arguments.jobs.unwrap_or_else(cores);
    let options = SweepOptions {
        out: out.clone(),
        foreign: arguments.results.force.into(),
        jobs,
        resume: arguments.resume,
        arrays: arguments.formats.npz(),
        shard: arguments.shard,
        stop: interrupt.flag(),
    };
    let asked = options.shard.map_or(runs, |shard| part(shard, runs));
    let mut progress = Counting::new(asked, arguments.results.quiet);
    let swept = run(&study, &options, &mut |event| match event {
        Event::Done { row, computed, .. } => {
            progress.done(computed, row.end != bristle_study::sweep::CaseEnd::Complete);
        }
        Event::Tick => progress.tick(),
    });
    progress.clear();
    match swept {
        Ok(outcome) => finish(arguments, &study, &outcome, &out),
        Err(error) => failed(&error, &out),
    }
}

/// Writes a job script instead of running anything.
fn job_script(arguments: &SweepArguments, study: &Study, shards: usize, out: &Path) -> Exit {
    if shards > study.count() {
        let runs = number_of(study.count(), "run", "runs");
        let message = format!("--slurm {shards}: {runs} cannot be divided among {shards} jobs");
        let help = format!("give a number of jobs from 1 to {}", study.count());
        return refuse(message, Some(help));
    }
    match slurm::write(arguments, shards, out) {
        Ok(script) if arguments.results.quiet => {
            Stream::Out.print(&format!("{}\n", script.display()));
            Exit::Done
        }
        Ok(script) => {
            Stream::Out.print(&format!(
                "start the jobs with: sbatch {}\n",
                script.display()
            ));
            Exit::Done
        }
        Err(error) => super::unwritten(&error),
    }
}

/// Reads the command line and the scenario.
fn read(arguments: &SweepArguments) -> Result<Study, Exit> {
    let design = design::read(arguments)?;
    let mut measures = Vec::new();
    for text in &arguments.measures {
        measures.push(CaseMeasure::parse(text).map_err(|error| refuse(error, None))?);
    }
    let request = SweepRequest {
        scenario: ScenarioSource::File(arguments.scenario.scenario.clone()),
        overrides: arguments.scenario.overrides.clone(),
        design,
        measures,
        channels: arguments.channels.clone(),
    };
    Study::read(request).map_err(unsound)
}

/// Reads the combinations of `--vary`.
pub(super) fn design(vary: &[String]) -> Result<bristle_study::sweep::Design, Exit> {
    design::combined(vary)
}

/// Says what is wrong with a scenario or its axes.
pub(super) fn unsound(error: StudyError) -> Exit {
    match error {
        StudyError::Scenario {
            diagnostics,
            sources,
        } => {
            render::print(&diagnostics, &sources);
            Exit::BadInput
        }
        StudyError::SetAndVaried { .. } => refuse(error, Some("leave one of them out".to_owned())),
        StudyError::Twice { .. } => refuse(
            error,
            Some("give all of its values in one place".to_owned()),
        ),
        error => refuse(error, None),
    }
}

/// The number of runs, before they begin, and the warnings of the scenario, once.
fn announce(study: &Study, arguments: &SweepArguments) {
    let (warnings, sources) = study.warnings();
    for warning in warnings {
        render::print_one(warning, sources);
    }
    if arguments.results.quiet {
        return;
    }
    let total = number_of(study.count(), "run", "runs");
    let shard = arguments.shard.map_or(String::new(), |shard| {
        let own = part(shard, study.count());
        format!("; shard {}/{} has {own} of them", shard.index, shard.count)
    });
    Stream::Err.print(&format!("{total}: {}{shard}\n", study.design().words()));
}

/// Shows the results and how the sweep ended.
fn finish(arguments: &SweepArguments, study: &Study, outcome: &SweepOutcome, out: &Path) -> Exit {
    let format = arguments.results.plots();
    let format = format.filter(|_| outcome.table.missing() == 0);
    let pictures = format.map_or(Ok(()), |format| plots::write(study, outcome, out, format));
    if arguments.results.report
        && let Err(error) = page::write(study, outcome, out)
    {
        render::error(error.to_string(), None);
        return Exit::RunFailed;
    }
    warn_of_idle(study, outcome);
    if arguments.results.json {
        super::print_json(&show::json(study, outcome, out));
    } else if !arguments.results.quiet {
        show::text(study, outcome, out);
    }
    let failures = tell_failures(study, outcome);
    if let Err(error) = &pictures {
        render::error(error.to_string(), advice(error));
    }
    if outcome.interrupted {
        let done = study.count() - outcome.table.missing();
        let message = format!(
            "the sweep was interrupted: done are {done} of {}",
            number_of(study.count(), "run", "runs")
        );
        render::error(
            message,
            Some("the same command with --resume continues".to_owned()),
        );
    } else if outcome.table.missing() > 0 && !arguments.results.quiet {
        let left = number_of(outcome.table.missing(), "run", "runs");
        Stream::Err.print(&format!(
            "{left} of other shards to come; the last shard, or --resume without --shard, writes \
             the table\n"
        ));
    }
    if failures || outcome.interrupted || pictures.is_err() {
        Exit::RunFailed
    } else {
        Exit::Done
    }
}

/// A parameter that changes nothing is mostly a mistake.
fn warn_of_idle(study: &Study, outcome: &SweepOutcome) {
    let path = |axis: usize| study.axes().get(axis).map_or("", |axis| axis.path.as_str());
    for &axis in &outcome.idle {
        let text = format!("{} changes no number of any run", path(axis));
        let help = "is it the right field, and does anything in the scenario use it?";
        warn(&text, Some(help));
    }
    for &(axis, cases) in &outcome.ignored {
        if outcome.idle.contains(&axis) {
            continue;
        }
        let text = format!(
            "{} means nothing in {}, whose friction law has no such field: each of them is the \
             same run as others",
            path(axis),
            number_of(cases, "case", "cases")
        );
        warn(&text, None);
    }
}

/// Reports the runs that failed; returns whether there are any.
fn tell_failures(study: &Study, outcome: &SweepOutcome) -> bool {
    let failed: Vec<_> = outcome
        .table
        .rows()
        .filter(|(_, row)| row.end != bristle_study::sweep::CaseEnd::Complete)
        .collect();
    for (case, row) in failed.iter().take(TOLD) {
        let reason = row.reason.as_deref().unwrap_or_default();
        let message = format!(
            "case {} {}, {}: {reason}",
            case + 1,
            row.end.word(),
            study.words(*case)
        );
        render::error(message, row.help.clone());
    }
    if !failed.is_empty() {
        let done = outcome.table.rows().count();
        let runs = number_of(done, "run", "runs");
        let message = format!("{} of {runs} did not complete", failed.len());
        let help = "their rows in the table have the reason; all other runs are there";
        render::error(message, Some(help.to_owned()));
    }
    !failed.is_empty()
}

/// A sweep that could not begin, or not go on.
fn failed(error: &SweepError, out: &Path) -> Exit {
    match error {
        SweepError::Folder(error) => {
            let help = match error {
                FolderError::Unfinished { .. } => Some(
                    "add --resume to go on with it, or choose another folder with --out DIR"
                        .to_owned(),
                ),
                FolderError::Changed { .. } => Some(
                    "its runs and new ones would not belong together: choose another folder with \
                     --out DIR, or undo the change"
                        .to_owned(),
                ),
                FolderError::InUse { .. } => {
                    Some("wait for it, or choose another folder with --out DIR".to_owned())
                }
                FolderError::Results(error) => advice(error),
                _ => None,
            };
            refuse(error, help)
        }
        SweepError::Results(error) => {
            let kept = "completed runs are kept; --resume continues";
            let help = match error {
                Error::File { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
                    format!("free some space on the disk; {kept}")
                }
                _ => format!("see that {} can be written; {kept}", out.display()),
            };
            render::error(error.to_string(), Some(help));
            Exit::RunFailed
        }
        error => {
            render::error(error.to_string(), None);
            Exit::RunFailed
        }
    }
}

fn warn(text: &str, help: Option<&str>) {
    let mut warning = bristle_scenario::Diagnostic::warning(text);
    warning.help = help.map(str::to_owned);
    render::print_one(&warning, &bristle_scenario::SourceMap::new());
}

/// `results/` and the name of the scenario with `-sweep`, in the current folder.
fn default_folder(scenario: &Path) -> PathBuf {
    let stem = scenario.file_stem().unwrap_or(scenario.as_os_str());
    Path::new("results").join(format!("{}-sweep", stem.to_string_lossy()))
}

/// Threads that the machine can run at the same time.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Cases of a shard.
fn part(shard: Shard, runs: usize) -> usize {
    (shard.index - 1..runs).step_by(shard.count).count()
}
