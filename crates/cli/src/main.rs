//! The `bristle` command: reads scenarios, simulates them, shows the results.

use std::process::ExitCode;

fn main() -> ExitCode {
    bristle_command::run(std::env::args_os()).into()
}
