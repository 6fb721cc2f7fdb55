//! `bristle examples`: the scenarios that come with Bristle.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use bristle_scenario::suggest;
use serde_json::json;

use super::{print_json, refuse};
use crate::args::ExamplesArguments;
use crate::exit::Exit;
use crate::page;
use crate::terminal::Stream;

/// A scenario file that is part of the program.
struct Example {
    name: &'static str,
    text: &'static str,
    /// Included by others; no scenario by itself.
    part: bool,
}

macro_rules! example {
    ($name:literal, part: $part:literal) => {
        Example {
            name: $name,
            text: include_str!(concat!("../../../../examples/", $name, ".toml")),
            part: $part,
        }
    };
    ($name:literal) => {
        example!($name, part: false)
    };
}

const EXAMPLES: &[Example] = &[
    example!("cube-0deg"),
    example!("cube-30deg"),
    example!("cube-60deg"),
    example!("cube-90deg"),
    example!("cube-30deg-plane"),
    example!("cube-4points"),
    example!("block-one-point"),
    example!("stick-slip"),
    example!("own-law"),
    example!("drift-vibration"),
    example!("drift-pulsating-load"),
    example!("pulse-adams-regularised"),
    example!("pulse-recurdyn-regularised"),
    example!("pulse-simpack-regularised"),
    example!("pulse-adams-stick-slip"),
    example!("pulse-recurdyn-stick-slip"),
    example!("pulse-simpack-stick-slip"),
    example!("pulse-lugre"),
    example!("pulse-lugre-drift"),
    example!("rolling-ball"),
    example!("blade"),
    example!("blades-sim1"),
    example!("blades-sim1-four-points"),
    example!("blades-sim1-gkf"),
    example!("blades-sim2"),
    example!("blades-sim2-gkf"),
    example!("blades-sim2-four-points"),
    example!("festoon"),
    example!("festoon-adams"),
    example!("festoon-recurdyn"),
    example!("festoon-simpack"),
    example!("cube", part: true),
    example!("festoon-rail", part: true),
    example!("pulse", part: true),
    example!("blades-layout", part: true),
    example!("blades-four-points", part: true),
    example!("blade-part", part: true),
];

impl Example {
    fn file(&self) -> String {
        format!("{}.toml", self.name)
    }

    /// The title of the scenario.
    fn title(&self) -> &str {
        let line = self
            .text
            .lines()
            .find_map(|line| line.strip_prefix("title"));
        let quoted = line.and_then(|line| line.split('"').nth(1));
        quoted.unwrap_or_default()
    }

    /// Whether this example includes another one, directly or through others.
    fn needs(&self, other: &Example) -> bool {
        let between = EXAMPLES.iter().filter(|example| self.includes(example));
        self.includes(other) || between.into_iter().any(|example| example.needs(other))
    }

    /// Whether its own list of includes has another one.
    fn includes(&self, other: &Example) -> bool {
        let line = self.text.lines().find(|line| line.starts_with("include"));
        line.is_some_and(|line| line.contains(&format!("\"{}\"", other.file())))
    }
}

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
                    &json!({ "name": example.name, "title": example.title(), "text": example.text }),
                );
            } else {
                Stream::Out.print(example.text);
            }
            Exit::Done
        }
        (chosen, Some(folder)) => copy(folder, chosen),
    }
}

fn find(name: &str) -> Result<&'static Example, Exit> {
    let stem = suggest::canonical(name.strip_suffix(".toml").unwrap_or(name));
    let found = EXAMPLES
        .iter()
        .find(|example| suggest::canonical(example.name) == stem);
    found.ok_or_else(|| {
        let names = EXAMPLES.iter().map(|example| example.name);
        let meant = suggest::did_you_mean(name, names).unwrap_or_default();
        let help = format!("{meant} `bristle examples` lists all of them");
        refuse(
            format!("there is no example called \"{name}\""),
            Some(help.trim().to_owned()),
        )
    })
}

fn list(as_json: bool) -> Exit {
    let scenarios = EXAMPLES.iter().filter(|example| !example.part);
    if as_json {
        let entry = |example: &Example| json!({ "name": example.name, "title": example.title() });
        print_json(&scenarios.map(entry).collect());
        return Exit::Done;
    }
    let mut page = page::new();
    let rows: Vec<_> = scenarios
        .map(|example| vec![example.name.to_owned(), example.title().to_owned()])
        .collect();
    page.bold("example scenarios");
    page.table(&["name", "title"], &rows);
    page.line("");
    page.paragraph(
        "",
        "`bristle examples NAME` prints one, `bristle examples NAME --out .` copies it.",
    );
    page::print(page);
    Exit::Done
}

/// Copies an example and what it includes, or all of them.
fn copy(folder: &Path, chosen: Option<&Example>) -> Exit {
    let wanted: Vec<&Example> = EXAMPLES
        .iter()
        .filter(|example| {
            chosen.is_none_or(|chosen| chosen.name == example.name || chosen.needs(example))
        })
        .collect();
    if let Err(error) = fs::create_dir_all(folder) {
        return refuse(format!("cannot create {}: {error}", folder.display()), None);
    }
    let mut kept = false;
    for example in wanted {
        let path = folder.join(example.file());
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

#[cfg(test)]
mod tests {
    use super::EXAMPLES;

    #[test]
    fn every_example_has_a_title_and_what_it_includes() {
        for example in EXAMPLES {
            assert!(
                example.part || !example.title().is_empty(),
                "{}",
                example.name
            );
            let needs = example.text.lines().any(|line| line.starts_with("include"));
            let has = EXAMPLES.iter().any(|other| example.includes(other));
            assert_eq!(needs, has, "{}", example.name);
        }
    }
}
