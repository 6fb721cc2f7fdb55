//! `bristle run`: simulate a scenario and write its results.

use std::path::{Path, PathBuf};

use bristle_integrate::Flow;
use bristle_results::{RunFolder, Status, Summary, format_quantity};
use bristle_scenario::{Diagnostic, Scenario, SourceMap};
use bristle_study::gradient::Gradient;
use bristle_study::verify::{Verification, verify};
use bristle_study::{RunObserver, advice, channels_of, execute};

use super::{gradient, notices, refuse, report, verification, weights};
use crate::args::RunArguments;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::progress::RunProgress;
use crate::terminal::Stream;
use crate::{model, plots, render};

/// Simulates.
pub(crate) fn run(arguments: &RunArguments) -> Exit {
    let mut sources = SourceMap::new();
    let place = &arguments.scenario;
    let loaded = bristle_scenario::load(&place.scenario, &place.overrides, &mut sources);
    let scenario = match loaded {
        Ok(mut scenario) => {
            notices::add(&mut scenario);
            scenario
        }
        Err(diagnostics) => {
            render::print(&diagnostics, &sources);
            return Exit::BadInput;
        }
    };
    for warning in &scenario.warnings {
        render::print_one(warning, &sources);
    }
    if !arguments.results.quiet {
        for note in weights::notes(&scenario.model) {
            Stream::Err.print(&format!("note: {note}\n"));
        }
    }
    let interrupt = Interrupt::listen();
    // before anything is written: its fields may be refused
    let gradient = match gradient::of_run(arguments, interrupt) {
        Ok(gradient) => gradient,
        Err(exit) => return exit,
    };
    let out = arguments
        .results
        .out
        .clone()
        .unwrap_or_else(|| default_folder(&place.scenario));
    let mut folder =
        match RunFolder::create(&out, channels_of(&scenario), arguments.results.force.into()) {
            Ok(folder) => folder,
            Err(error) => return refuse(&error, advice(&error)),
        };
    folder = folder.expecting(expected_rows(&scenario));
    if arguments.formats.npz() {
        folder = folder.with_npz();
    }
    if let Some(format) = arguments.results.plots() {
        folder = folder.with_plots(format);
    }
    let mut recording = FolderWriter {
        progress: RunProgress::new(scenario.plan.end_time, arguments.results.quiet),
        folder,
        interrupt,
    };
    let mut summary = execute(&scenario, &mut recording);
    recording.progress.clear();
    summary.model = model::phrase(&scenario.model, &scenario.plan);
    let ended = EndedRun {
        scenario: &scenario,
        sources: &sources,
        summary: &summary,
    };
    complete(arguments, &ended, recording.folder, gradient.as_ref())
}

/// Output times from the start to the end.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "both times are positive, and a number beyond all counts becomes the largest count"
)]
fn expected_rows(scenario: &Scenario) -> usize {
    (scenario.plan.end_time / scenario.output_step + 2.0) as usize
}

/// A run, and what it came from.
struct EndedRun<'a> {
    scenario: &'a Scenario,
    sources: &'a SourceMap,
    summary: &'a Summary,
}

/// Adds derivatives and digits that were asked for, and completes the folder.
fn complete(
    arguments: &RunArguments,
    ended: &EndedRun<'_>,
    mut folder: RunFolder,
    gradient: Option<&Gradient>,
) -> Exit {
    let EndedRun {
        scenario,
        sources,
        summary,
    } = *ended;
    let is_complete = summary.status == Status::Complete;
    let verification =
        (arguments.verify && is_complete).then(|| verified(arguments, scenario, summary, &folder));
    if let Err(error) = attach(&mut folder, gradient, verification.as_ref()) {
        let help = advice(&error);
        render::error(error.to_string(), help);
        return Exit::RunFailed;
    }
    let exit = finish(arguments, scenario, sources, summary, folder);
    if let Some(gradient) = gradient.filter(|_| !arguments.results.json && !arguments.results.quiet)
    {
        gradient::show(gradient);
    }
    if let Some(verification) = verification {
        verification::tell(&verification, &arguments.results);
        if verification.failure.is_some() {
            return Exit::RunFailed;
        }
    }
    exit
}

/// Writes what was asked for beside the results.
fn attach(
    folder: &mut RunFolder,
    gradient: Option<&Gradient>,
    verification: Option<&Verification>,
) -> bristle_results::Result<()> {
    if let Some(gradient) = gradient {
        gradient::attach(folder, gradient)?;
    }
    if let Some(verification) = verification {
        verification::attach(folder, verification)?;
    }
    Ok(())
}

/// The finer run, with its progress.
fn verified(
    arguments: &RunArguments,
    scenario: &Scenario,
    summary: &Summary,
    folder: &RunFolder,
) -> Verification {
    let interrupt = Interrupt::listen();
    let mut progress = RunProgress::new(scenario.plan.end_time, arguments.results.quiet);
    let mut on_step = |t: f64| {
        progress.reached(t);
        if interrupt.requested() {
            Flow::Stop
        } else {
            Flow::Continue
        }
    };
    let verification = verify(scenario, summary, folder.table(), &mut on_step);
    progress.clear();
    verification
}

/// Completes the folder, and shows the results and how the run ended.
fn finish(
    arguments: &RunArguments,
    scenario: &Scenario,
    sources: &SourceMap,
    summary: &Summary,
    mut folder: RunFolder,
) -> Exit {
    let plots = if arguments.results.no_plots || folder.table().rows() < 2 {
        Vec::new()
    } else {
        plots::of_scenario(scenario, folder.table())
    };
    let path = folder.path().to_path_buf();
    let page = arguments
        .results
        .report
        .then(|| report::of_run(scenario, sources, folder.table(), summary));
    let kept = report::keep(&mut folder, scenario, sources);
    match kept.and_then(|()| folder.finish(summary, &plots)) {
        Ok(done) => {
            for error in done.plot_errors {
                render::error(error.to_string(), None);
            }
        }
        Err(error) => {
            let help = advice(&error);
            render::error(error.to_string(), help);
            return Exit::RunFailed;
        }
    }
    // those of the scenario were shown before the run
    for warning in summary.warnings.iter().skip(scenario.warnings.len()) {
        render::print_one(&Diagnostic::warning(warning), sources);
    }
    tell_of_end(summary, &path);
    let page = page.map(|page| report::write_into(&path, &page));
    if page == Some(None) {
        return Exit::RunFailed;
    }
    if arguments.results.json {
        print_summary(summary);
    } else if !arguments.results.quiet {
        // warnings and the reason of a failure stand on standard error already
        let shown = Summary {
            warnings: Vec::new(),
            error: None,
            ..summary.clone()
        };
        let text = shown.text(Stream::Out.width(), Stream::Out.colour());
        Stream::Out.print(&format!("{text}\nresults in {}\n", path.display()));
        if let Some(page) = page.flatten() {
            Stream::Out.print(&format!("report in {}\n", page.display()));
        }
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

/// An early end is reported on standard error too, where scripts and logs look for it.
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
pub(super) fn default_folder(scenario: &Path) -> PathBuf {
    let stem = scenario.file_stem().unwrap_or(scenario.as_os_str());
    Path::new("results").join(stem)
}

/// Takes the rows of a run to its folder, shows how far it is, and hears the user.
struct FolderWriter {
    folder: RunFolder,
    progress: RunProgress,
    interrupt: Interrupt,
}

impl RunObserver for FolderWriter {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.folder.append(values)
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
