//! `bristle completions`.

use clap::CommandFactory as _;

use crate::args::Arguments;
use crate::exit::Exit;
use crate::terminal::Stream;

/// Prints the completions of a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "bristle", &mut script);
    Stream::Out.print(&String::from_utf8_lossy(&script));
    Exit::Done
}
