//! `bristle compare`: one scenario under several friction laws.

mod files;
mod page;
mod show;

use std::path::{Path, PathBuf};

use bristle_laws::friction;
use bristle_results::{OutputFolder, PairKind};
use bristle_study::advice;
use bristle_study::compare::{CompareError, CompareRequest, LawComparison, LawError, LawRun};

use super::refuse;
use crate::args::CompareArguments;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::progress::RunProgress;
use crate::render;
use crate::terminal::Stream;

/// Compares.
pub(crate) fn compare(arguments: &CompareArguments) -> Exit {
    let request = CompareRequest {
        scenario: arguments.scenario.scenario.clone(),
        overrides: arguments.scenario.overrides.clone(),
        laws: arguments.laws.clone(),
        parameters: arguments.parameters.clone(),
        places: places(arguments),
        keeps_rows: arguments.channels,
    };
    let comparison = match LawComparison::read(&request) {
        Ok(comparison) => comparison,
        Err(error) => return bad_input(error),
    };
    let out = arguments
        .results
        .out
        .clone()
        .unwrap_or_else(|| default_folder(&arguments.scenario.scenario));
    let folder = match files::prepare(&out, arguments.results.force.into()) {
        Ok(folder) => folder,
        Err(error) => return refuse(&error, advice(&error)),
    };
    let interrupt = Interrupt::listen();
    let mut runs = Vec::new();
    let mut interrupted = false;
    let labels: Vec<String> = comparison.labels().map(str::to_owned).collect();
    for (index, label) in labels.iter().enumerate() {
        if !arguments.results.quiet && Stream::Err.is_terminal() {
            let place = format!("{}/{}", index + 1, labels.len());
            Stream::Err.print(&format!("{place} {label}\n"));
        }
        // one after the other, so that their times on the clock can be compared
        let mut progress = RunProgress::new(comparison.end_time(), arguments.results.quiet);
        let run = comparison.run(index, interrupt.flag(), &mut |t| progress.reached(t));
        progress.clear();
        let Some(run) = run else {
            interrupted = true;
            break;
        };
        runs.push(run);
    }
    finish(arguments, &comparison, &runs, folder, interrupted)
}

/// What `--contact` and `--joint` name.
fn places(arguments: &CompareArguments) -> Vec<(PairKind, String)> {
    let of = |kind: PairKind, names: &[String]| -> Vec<(PairKind, String)> {
        names.iter().map(|name| (kind, name.clone())).collect()
    };
    let mut places = of(PairKind::Contact, &arguments.contacts);
    places.extend(of(PairKind::Joint, &arguments.joints));
    places
}

fn finish(
    arguments: &CompareArguments,
    comparison: &LawComparison,
    runs: &[LawRun],
    folder: OutputFolder,
    interrupted: bool,
) -> Exit {
    let json = show::json(comparison, runs, &arguments.scenario.scenario);
    let out = &folder.path().to_path_buf();
    if let Err(error) = files::write(runs, &json, folder, arguments.results.plots()) {
        return super::unwritten(&error);
    }
    if arguments.results.report
        && let Err(error) = page::write(comparison, runs, &arguments.scenario.scenario, out)
    {
        render::error(error.to_string(), None);
        return Exit::RunFailed;
    }
    if arguments.results.json {
        super::print_json(&json);
    } else if !arguments.results.quiet {
        show::text(comparison, runs, out);
    }
    let mut failed = interrupted;
    for run in runs {
        if let Some(reason) = &run.reason {
            failed = true;
            let message = format!("{} did not complete: {reason}", run.label);
            render::error(
                message,
                Some("the other laws were run all the same".to_owned()),
            );
        }
    }
    if interrupted {
        let kept = format!("what is done is in {}", out.display());
        render::error("the comparison was interrupted", Some(kept));
    }
    if failed { Exit::RunFailed } else { Exit::Done }
}

fn bad_input(error: CompareError) -> Exit {
    match error {
        CompareError::Scenario {
            diagnostics,
            sources,
        }
        | CompareError::Law(LawError::File {
            diagnostics,
            sources,
            ..
        }) => {
            render::print(&diagnostics, &sources);
            Exit::BadInput
        }
        CompareError::Law(LawError::Twice { .. }) => {
            let help = format!(
                "parameter sets of one law are files of different names, as in --law {} \
                 --law stiff.toml",
                friction::EXAMPLE.name
            );
            refuse(error, Some(help))
        }
        CompareError::Law(LawError::Nameless { .. }) => {
            let help = format!(
                "a law's file begins with law = \"{}\", and has the parameters as fields",
                friction::EXAMPLE.name
            );
            refuse(error, Some(help))
        }
        error => refuse(error, None),
    }
}

/// `results/` and the name of the scenario with `-compare`, in the current folder.
fn default_folder(scenario: &Path) -> PathBuf {
    let stem = scenario.file_stem().unwrap_or(scenario.as_os_str());
    Path::new("results").join(format!("{}-compare", stem.to_string_lossy()))
}
