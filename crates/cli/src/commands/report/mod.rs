//! `bristle report`, and the report of `bristle run`: one HTML page of a run.

mod animation;
mod arrows;
mod beams;
mod content;
mod fields;
mod kept;
mod links;
mod loops;
mod pictures;
mod solids;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use bristle_report::{PageNotice, Report, Scene};
use bristle_results::{Archive, ChannelTable, Error, MODEL, PAGE_MARK, RunFolder, Summary};
use bristle_scenario::shipped::Shipped;
use bristle_scenario::{Diagnostic, Scenario, SourceMap};

use super::refuse;
use crate::args::ReportArguments;
use crate::exit::Exit;
use crate::render;
use crate::terminal::Stream;
use kept::KeptModel;

/// The page's name in a run's folder.
const PAGE: &str = "report.html";

/// What moves on the stage of a scenario.
pub(super) fn scene_of(scenario: &Scenario) -> Scene {
    animation::of_scenario(scenario)
}

/// Keeps in a run's folder what a report needs beside the results.
pub(crate) fn keep(
    folder: &mut RunFolder,
    scenario: &Scenario,
    sources: &SourceMap,
) -> Result<(), Error> {
    match KeptModel::of(scenario, sources, folder.table()).to_json() {
        Ok(text) => folder.attach(MODEL, text.as_bytes()),
        Err(error) => {
            render::error(format!("cannot write {MODEL}: {error}"), None);
            Ok(())
        }
    }
}

/// The report of a run that has just ended.
pub(crate) fn of_run(
    scenario: &Scenario,
    sources: &SourceMap,
    table: &ChannelTable,
    summary: &Summary,
) -> Report {
    let kept = KeptModel::of(scenario, sources, table);
    content::report(Some(summary), Some(&kept), table, Vec::new())
}

/// Writes a report into a run's folder; its path, if it could be written.
pub(super) fn write_into(folder: &Path, report: &Report) -> Option<PathBuf> {
    let path = folder.join(PAGE);
    write(report, &path).then_some(path)
}

fn write(report: &Report, path: &Path) -> bool {
    match report.write(path) {
        Ok(()) => true,
        Err(error) => {
            let help = "choose another place with --out FILE.html";
            render::error(error.to_string(), Some(help.to_owned()));
            false
        }
    }
}

/// Makes the report of a folder that was written before.
pub(crate) fn report(arguments: &ReportArguments, folder: &Path) -> Exit {
    let archive = match Archive::open(folder) {
        Ok(archive) => archive,
        Err(error) => return refuse(&error, help_for(&error, folder)),
    };
    if let Some(exit) = pictures::write(&archive, arguments) {
        return exit;
    }
    let path = arguments
        .out
        .clone()
        .unwrap_or_else(|| archive.path.join(PAGE));
    if let Some(reason) = refusal(&path, arguments.out.is_some()) {
        return refuse(
            reason,
            Some("choose another place with --out FILE.html".to_owned()),
        );
    }
    let mut notices: Vec<PageNotice> = archive.notes.iter().map(PageNotice::warning).collect();
    let kept = archive.model.as_ref().map(KeptModel::from_json).transpose();
    let kept = kept.unwrap_or_else(|reason| {
        notices.push(PageNotice::warning(reason));
        None
    });
    if archive.model.is_none() {
        notices.push(PageNotice::info(format!(
            "There is no {MODEL} in the folder, so the page has neither the scenario nor an \
             animation. Run the scenario again with this version to have them."
        )));
    }
    for note in &archive.notes {
        render::print_one(&Diagnostic::warning(note), &SourceMap::new());
    }
    let page = content::report(
        archive.summary.as_ref(),
        kept.as_ref(),
        &archive.table,
        notices,
    );
    if !write(&page, &path) {
        return Exit::RunFailed;
    }
    if !arguments.quiet {
        Stream::Out.print(&format!("report in {}\n", path.display()));
    }
    Exit::Done
}

/// How a file begins, in lower case; none of what is no file or cannot be read.
fn start_of(path: &Path) -> Option<String> {
    const LOOKED_AT: u64 = 1024;
    path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut start = Vec::new();
    let file = File::open(path).ok()?;
    file.take(LOOKED_AT).read_to_end(&mut start).ok()?;
    Some(String::from_utf8_lossy(&start).to_lowercase())
}

/// Why a page may not be written to a path. A file that the user names may be replaced if it is a
/// page at all; one that is not named, only if we wrote it.
fn refusal(path: &Path, named: bool) -> Option<String> {
    if path.is_dir() {
        return Some(format!(
            "{} is a folder; the report is one file",
            path.display()
        ));
    }
    let start = start_of(path)?;
    let ours = start.contains(&PAGE_MARK.to_lowercase());
    let page = start.contains("<html") || start.trim().is_empty();
    let kind = if named { page } else { ours };
    (!kind).then(|| format!("{} exists and is no report of bristle", path.display()))
}

/// Whether a path looks like that of a scenario, or is the name of an example.
fn is_scenario(path: &Path) -> bool {
    let named = path.to_str().and_then(Shipped::named);
    path.extension().is_some_and(|e| e == "toml") || named.is_some_and(Shipped::is_scenario)
}

fn help_for(error: &Error, folder: &Path) -> Option<String> {
    let help = match error {
        Error::NotARun { path } if path.join("sweep.json").exists() => {
            "this is the folder of a sweep: bristle sweep writes its page with --report".to_owned()
        }
        Error::NotARun { path } if path.join("compare.json").exists() => {
            "this is the folder of a comparison: bristle compare writes its page with --report"
                .to_owned()
        }
        Error::NotARun { .. } => {
            "give the folder that bristle run wrote, such as results/cube-30deg".to_owned()
        }
        Error::Row { .. } => "the table was changed or damaged; run the scenario again".to_owned(),
        Error::File { .. } if is_scenario(folder) => format!(
            "this is a scenario: bristle run {} --report simulates it and writes the page",
            folder.display()
        ),
        Error::File { .. } if folder.is_file() => {
            let parent = folder.parent().filter(|p| !p.as_os_str().is_empty());
            format!(
                "give the folder: bristle report {}",
                parent.unwrap_or(Path::new(".")).display()
            )
        }
        _ => return None,
    };
    Some(help)
}
