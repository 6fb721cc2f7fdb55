//! The `bristle` command: reads scenarios, simulates them, shows what came out.

mod args;
mod commands;
mod exit;
mod interrupt;
mod model;
mod motion;
mod page;
mod plots;
mod progress;
mod render;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    commands::dispatch(arguments.command).into()
}
