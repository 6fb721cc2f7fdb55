//! The `bristle` command: reads scenarios, simulates them, shows the results.

mod args;
mod commands;
mod excerpt;
mod exit;
mod hint;
mod interrupt;
pub mod library;
mod model;
mod page;
mod plots;
mod progress;
mod render;
mod terminal;

use std::ffi::OsString;

use clap::Parser;

use exit::Exit;

/// Runs the command with these arguments, its own name first; gives the exit status of the process.
///
/// Prints, listens to signals, and ends the process itself where the arguments are wrong: it is the
/// whole of a program, here so that the wheel for Python can hold it too.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    interrupt::prepare();
    let arguments = args::Arguments::try_parse_from(arguments);
    let arguments = arguments.unwrap_or_else(|error| hint::add(error).exit());
    let exit = commands::dispatch(arguments.command);
    match (exit, terminal::unwritten()) {
        (Exit::Done, Some(reason)) => {
            render::error(format!("cannot write to standard output: {reason}"), None);
            Exit::RunFailed.code()
        }
        (exit, _) => exit.code(),
    }
}
