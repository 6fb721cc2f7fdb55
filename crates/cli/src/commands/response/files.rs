//! The folder of a response.

use std::path::Path;

use bristle_results::{Error, FolderMaker, Foreign, OutputFolder, Result};

use super::table::ResponseTable;
use super::{ResponseOutcome, json, page, plots, unwritten};
use crate::args::{OutputArguments, ResponseArguments};
use crate::exit::Exit;
use crate::render;

/// Written last: where it is, the folder is complete.
const MAKER: FolderMaker = FolderMaker {
    command: "response",
    last: "response.json",
};

/// Creates the folder, or opens that of an earlier response, which is replaced.
pub(super) fn open(out: &Path, foreign: Foreign) -> Result<OutputFolder> {
    OutputFolder::open(out, MAKER, foreign)
}

/// Writes everything.
pub(super) fn write(
    outcome: &ResponseOutcome,
    folder: OutputFolder,
    arguments: &ResponseArguments,
) -> std::result::Result<(), Exit> {
    let figures = plots::all(outcome);
    let optimised = arguments.optimise.is_some();
    let arguments = &arguments.output;
    if arguments.report
        && let Err(error) = page::write(outcome, &figures, folder.path())
    {
        render::error(error.to_string(), None);
        return Err(Exit::RunFailed);
    }
    files(outcome, folder, &figures, optimised, arguments).map_err(|error| unwritten(&error))
}

fn files(
    outcome: &ResponseOutcome,
    folder: OutputFolder,
    figures: &[plots::ResponsePlot],
    optimised: bool,
    arguments: &OutputArguments,
) -> Result<()> {
    if let Some(format) = arguments.plots() {
        for plot in figures {
            match folder.write_drawing(&plot.file, &plot.figure.clone().into(), format) {
                Ok(()) | Err(Error::EmptyPlot { .. }) => {}
                Err(error) => return Err(error),
            }
        }
    }
    let table = ResponseTable::of(outcome);
    folder.write("response.csv", table.csv().as_bytes())?;
    let meanings = format!("{:#}\n", table.meanings());
    folder.write("columns.json", meanings.as_bytes())?;
    folder.finish(format!("{:#}\n", json::of(outcome, optimised)).as_bytes())
}
