//! `bristle examples`: the scenarios and data that come with Bristle.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use bristle_scenario::shipped::{SHIPPED, Shipped, ShippedGroup};
use bristle_scenario::suggest;
use serde_json::json;

use super::{print_json, refuse};
use crate::args::ExamplesArguments;
use crate::exit::Exit;
use crate::page;
use crate::terminal::Stream;

/// Lists the examples, prints one, or copies them.
pub(crate) fn examples(arguments: &ExamplesArguments) -> Exit {
    let chosen = match arguments.name.as_deref().map(find) {
        None => None,
        Some(Ok(example)) => Some(example),
        Some(Err(exit)) => return exit,
    };
    match (chosen, &arguments.out) {
        (None, None) => list(arguments.json),
        (Some(example), None) => {
            if arguments.json {
                print_json(
                    &json!({ "name": example.name(), "title": example.title(), "text": example.text }),
                );
            } else {
                Stream::Out.print(example.text);
            }
            Exit::Done
        }
        (chosen, Some(folder)) => copy(folder, chosen),
    }
}

fn find(name: &str) -> Result<&'static Shipped, Exit> {
    Shipped::named(name).ok_or_else(|| {
        let names = SHIPPED.iter().map(Shipped::name);
        let meant = suggest::did_you_mean(name, names).unwrap_or_default();
        let help = format!("{meant} `bristle examples` lists all of them");
        refuse(
            format!("there is no example called \"{name}\""),
            Some(help.trim().to_owned()),
        )
    })
}

fn list(as_json: bool) -> Exit {
    if as_json {
        let scenarios = SHIPPED.iter().filter(|example| example.is_scenario());
        let entry = |example: &Shipped| {
            json!({
                "name": example.name(),
                "title": example.title(),
                "group": heading(example.group),
                "start_here": example.group == ShippedGroup::Start,
            })
        };
        print_json(&scenarios.map(entry).collect());
        return Exit::Done;
    }
    let mut page = page::new();
    for group in groups() {
        let members = SHIPPED.iter().filter(|example| example.group == group);
        let rows: Vec<_> = members
            .map(|example| vec![example.name().to_owned(), example.title().to_owned()])
            .collect();
        page.bold(heading(group));
        page.table(&["name", "what it is"], &rows);
        page.line("");
    }
    page.paragraph(
        "",
        "`bristle run NAME` runs one as it is, `bristle examples NAME` prints it, and \
         `bristle examples NAME --out .` copies it with what it reads.",
    );
    page::print(page);
    Exit::Done
}

/// The groups in the order of the list; what is only included by others has no place in it.
fn groups() -> Vec<ShippedGroup> {
    let mut groups = Vec::new();
    for example in SHIPPED {
        if example.group != ShippedGroup::Part && !groups.contains(&example.group) {
            groups.push(example.group);
        }
    }
    groups
}

fn heading(group: ShippedGroup) -> &'static str {
    match group {
        ShippedGroup::Start => "start here",
        ShippedGroup::Family(name) => name,
        ShippedGroup::Part => "parts",
        ShippedGroup::Data => "data",
    }
}

/// Copies an example and what it includes, or all of them.
fn copy(folder: &Path, chosen: Option<&Shipped>) -> Exit {
    let wanted: Vec<&Shipped> = SHIPPED
        .iter()
        .filter(|example| {
            chosen.is_none_or(|chosen| chosen.file == example.file || chosen.needs(example))
        })
        .collect();
    if let Err(error) = fs::create_dir_all(folder) {
        return refuse(format!("cannot create {}: {error}", folder.display()), None);
    }
    let mut kept = false;
    for example in wanted {
        let path = folder.join(example.file);
        match write_new(&path, example.text) {
            Ok(true) => Stream::Out.print(&format!("{}\n", path.display())),
            // a scenario that the user may have changed is not ours to replace
            Ok(false) => {
                kept = true;
                let message = format!("{} exists with other content and is kept", path.display());
                let help = "choose another folder, or move the file away";
                refuse(message, Some(help.to_owned()));
            }
            Err(error) => {
                return refuse(format!("cannot write {}: {error}", path.display()), None);
            }
        }
    }
    if kept { Exit::BadInput } else { Exit::Done }
}

/// Writes a file that does not exist yet; false if there is another one.
fn write_new(path: &Path, text: &str) -> std::io::Result<bool> {
    match File::create_new(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Ok(fs::read(path).is_ok_and(|present| present == text.as_bytes()))
        }
        Err(error) => Err(error),
    }
}
