//! The `bristle` command: reads scenarios, simulates them, shows what came out.

mod args;
mod commands;
mod excerpt;
mod exit;
mod interrupt;
mod model;
mod page;
mod plots;
mod progress;
mod render;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use exit::Exit;

fn main() -> ExitCode {
    interrupt::prepare();
    let arguments = args::Arguments::parse();
    let exit = commands::dispatch(arguments.command);
    match (exit, terminal::unwritten()) {
        (Exit::Done, Some(reason)) => {
            render::error(format!("cannot write to standard output: {reason}"), None);
            Exit::RunFailed.into()
        }
        (exit, _) => exit.into(),
    }
}
