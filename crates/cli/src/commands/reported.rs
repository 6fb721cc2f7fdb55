//! Which folder `bristle report` shows: that of a run, or of an example that is run first.

use std::path::PathBuf;

use bristle_results::Archive;
use bristle_scenario::shipped::Shipped;

use super::run;
use crate::args::{ReportArguments, RunArguments};
use crate::exit::Exit;

/// The folder of the run. Where there is none of the name, and an example has it, that is run.
pub(super) fn folder(arguments: &ReportArguments) -> Result<PathBuf, Exit> {
    let named = &arguments.folder;
    let example = named.to_str().and_then(Shipped::named);
    if named.exists() || !example.is_some_and(Shipped::is_scenario) {
        return Ok(named.clone());
    }
    let folder = run::default_folder(named);
    if Archive::open(&folder).is_ok() {
        return Ok(folder);
    }
    match run::run(&RunArguments::of_example(named, arguments.quiet)) {
        Exit::Done | Exit::ExpectationMissed => Ok(folder),
        exit => Err(exit),
    }
}
