//! The commands, one file each.

mod calibrate;
mod characterise;
mod check;
mod check_loops;
mod columns;
mod compare;
mod completions;
mod drive;
mod equations;
mod escape;
mod examples;
mod fits;
mod fmu;
mod gradient;
mod identify;
mod import;
mod law_pages;
mod laws;
mod man;
mod modes;
pub(crate) mod notices;
mod parameter_text;
pub(crate) mod report;
mod reported;
mod response;
mod run;
mod schema;
mod sweep;
mod verification;
mod weights;

use std::fmt::Display;

use bristle_scenario::shipped;

use crate::args::Command;
use crate::exit::Exit;
use crate::render;
use crate::terminal::Stream;

/// Does what the command line asks for.
pub(crate) fn dispatch(command: Command) -> Exit {
    if let Some(note) = command.scenario().and_then(shipped::both) {
        Stream::Err.print(&format!("note: {note}\n"));
    }
    match command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Report(arguments) => match reported::folder(&arguments) {
            Ok(folder) => report::report(&arguments, &folder),
            Err(exit) => exit,
        },
        Command::Check(arguments) => check::check(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Sweep(arguments) => sweep::sweep(&arguments),
        Command::Sensitivity(arguments) => gradient::sensitivity(&arguments),
        Command::Modes(arguments) => modes::modes(&arguments),
        Command::Response(arguments) => response::response(&arguments),
        Command::Drive(arguments) => drive::drive(&arguments),
        Command::Characterise(arguments) => characterise::run(&arguments),
        Command::Identify(arguments) => identify::run(&arguments),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Fmu(arguments) => fmu::fmu(&arguments),
        Command::Import(arguments) => import::import(&arguments),
        Command::Laws(arguments) => laws::laws(&arguments),
        Command::Examples(arguments) => examples::examples(&arguments),
        Command::Schema => schema::schema(),
        Command::Man {
            command,
            dir,
            force,
        } => man::man(command.as_deref(), dir.as_deref(), force.into()),
        Command::Completions { shell } => completions::completions(shell),
    }
}

/// Prints a value as JSON that people can read too.
fn print_json(value: &serde_json::Value) {
    // the alternate form of a value is indented, and writing to a string does not fail
    Stream::Out.print(&format!("{value:#}\n"));
}

/// Shows why files were not written: the wrong place is bad input, a refusal of the system is not.
fn unwritten(error: &bristle_results::Error) -> Exit {
    render::error(error.to_string(), bristle_study::advice(error));
    match error {
        bristle_results::Error::ForeignFolder { .. } | bristle_results::Error::InUse { .. } => {
            Exit::BadInput
        }
        _ => Exit::RunFailed,
    }
}

/// Reports bad input.
fn refuse(message: impl Display, help: Option<String>) -> Exit {
    render::error(message.to_string(), help);
    Exit::BadInput
}
