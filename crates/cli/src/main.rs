//! The `bristle` command: reads scenarios, simulates them, shows what came out.

use std::process::ExitCode;

fn main() -> ExitCode {
    bristle_command::run(std::env::args_os()).into()
}
