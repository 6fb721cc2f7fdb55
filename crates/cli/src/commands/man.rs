//! `bristle man`: manual pages.

use std::path::Path;

use bristle_results::{FolderMaker, Foreign, OutputFolder, Result};
use bristle_scenario::suggest;
use clap::CommandFactory as _;

use super::refuse;
use crate::args::Arguments;
use crate::exit::Exit;
use crate::terminal::Stream;

/// Prints the page of a command, or writes all pages.
pub(crate) fn man(command: Option<&str>, folder: Option<&Path>, foreign: Foreign) -> Exit {
    let pages = pages();
    if let Some(folder) = folder {
        return write(&pages, folder, foreign);
    }
    let name = command.map_or("bristle".to_owned(), |command| format!("bristle-{command}"));
    let Some(page) = pages.iter().find(|page| page.name == name) else {
        let command = command.unwrap_or_default();
        let names = pages
            .iter()
            .filter_map(|page| page.name.strip_prefix("bristle-"));
        let help = suggest::did_you_mean(command, names);
        return refuse(format!("there is no command \"{command}\""), help);
    };
    Stream::Out.print(&page.text);
    Exit::Done
}

struct ManPage {
    name: String,
    text: String,
}

fn pages() -> Vec<ManPage> {
    let mut whole = Arguments::command();
    whole.build();
    let mut pages = vec![page("bristle", &whole)];
    for command in whole
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
    {
        pages.push(page(&format!("bristle-{}", command.get_name()), command));
    }
    pages
}

fn page(name: &str, command: &clap::Command) -> ManPage {
    let mut text = Vec::new();
    // writing to memory does not fail
    let _ = clap_mangen::Man::new(command.clone()).render(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let name = name.to_owned();
    ManPage { name, text }
}

fn write(pages: &[ManPage], folder: &Path, foreign: Foreign) -> Exit {
    let maker = FolderMaker {
        command: "man",
        last: "bristle.1",
    };
    match write_all(pages, folder, maker, foreign) {
        Ok(()) => {
            let said = format!("{} pages in {}\n", pages.len(), folder.display());
            Stream::Out.print(&said);
            Exit::Done
        }
        Err(error) => super::unwritten(&error),
    }
}

fn write_all(pages: &[ManPage], folder: &Path, maker: FolderMaker, foreign: Foreign) -> Result<()> {
    let folder = OutputFolder::open(folder, maker, foreign)?;
    let Some((whole, commands)) = pages.split_first() else {
        return Ok(());
    };
    for page in commands {
        folder.write(&format!("{}.1", page.name), page.text.as_bytes())?;
    }
    folder.finish(whole.text.as_bytes())
}
