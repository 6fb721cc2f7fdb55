//! The pages say what is true: commands can be given, links lead somewhere, fields are explained,
//! and the pages of the laws are those that the laws give.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use support::{Place, entries};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages of the project: those at the root, and all in docs.
fn pages() -> Vec<PathBuf> {
    let mut found = markdown(&root());
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        found.extend(markdown(&folder));
        let names = entries(&folder).into_iter().map(|name| folder.join(name));
        folders.extend(names.filter(|path| path.is_dir()));
    }
    assert!(found.len() > 20, "the pages are found");
    found
}

fn markdown(folder: &Path) -> Vec<PathBuf> {
    let paths = entries(folder).into_iter().map(|name| folder.join(name));
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

/// Lines in code blocks, with the language of the block.
fn code(text: &str) -> Vec<(&str, &str)> {
    let mut language = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        match (line.trim_start().strip_prefix("```"), language) {
            (Some(word), None) => language = Some(word.trim()),
            (Some(_), Some(_)) => language = None,
            (None, Some(language)) => lines.push((language, line)),
            (None, None) => {}
        }
    }
    lines
}

/// Text outside of code blocks and of `code`.
fn prose(text: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            kept.extend(line.split('`').step_by(2));
            kept.push('\n');
        }
    }
    kept
}

#[test]
fn links_lead_somewhere() {
    let lost: Vec<String> = pages()
        .iter()
        .flat_map(|page| lost_links(page, &read(page)))
        .collect();
    assert!(lost.is_empty(), "lost links\n{}", lost.join("\n"));
}

/// Links of a page that lead nowhere, with file and line.
fn lost_links(page: &Path, text: &str) -> Vec<String> {
    let kept = prose(text);
    let targets = kept.split("](").skip(1);
    let targets = targets.map(|part| part.split(')').next().unwrap_or_default());
    let lost = targets.filter(|target| {
        if target.contains("://") || target.starts_with("mailto:") {
            return false;
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let path = if file.is_empty() {
            page.to_owned()
        } else {
            page.parent().expect("a folder").join(file)
        };
        !path.exists() || !(anchor.is_empty() || anchors(&read(&path)).contains(anchor))
    });
    lost.map(|target| {
        let link = format!("]({target})");
        let line = text.lines().position(|line| line.contains(&link));
        format!("{}:{}: {target}", page.display(), line.unwrap_or(0) + 1)
    })
    .collect()
}

#[test]
fn a_lost_link_is_named_with_its_line() {
    let page = root().join("docs/guide/start.md");
    let lost = lost_links(
        &page,
        "# A\n\n[here](contacts.md) and\n[there](gone.md) and [x](#b)\n",
    );
    let named = ["4: gone.md", "4: #b"].map(|end| format!("{}:{end}", page.display()));
    assert_eq!(lost, named);
}

/// Anchors of the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            c => c.is_alphanumeric().then_some(c),
        });
        kept.collect()
    };
    headings.map(anchor).collect()
}

/// The arguments of every `bristle …` in a code block of a shell.
fn commands() -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for page in pages() {
        let text = read(&page);
        let lines = code(&text);
        for (_, line) in lines.iter().filter(|(language, _)| *language == "sh") {
            let line = line.trim().trim_start_matches("$ ");
            if let Some(rest) = line.strip_prefix("bristle ") {
                found.push(words(rest));
            } else if let Some((_, rest)) = line.split_once("-p bristle -- ") {
                found.push(words(rest));
            }
        }
    }
    assert!(found.len() > 10, "the commands are found");
    found
}

/// Code in the prose of all pages, with its page; a line may end within it.
fn inline() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for page in pages() {
        let mut inside = false;
        // a blank line ends a paragraph, and with it any code
        let mut text = String::new();
        for line in read(&page).lines() {
            let fence = line.trim_start().starts_with("```");
            inside ^= fence;
            text.push_str(if fence || inside { "" } else { line });
            text.push('\n');
        }
        for paragraph in text.split("\n\n") {
            let pieces = paragraph.split('`').skip(1).step_by(2);
            let pieces = pieces.map(|code| code.split_whitespace().collect::<Vec<_>>().join(" "));
            found.extend(pieces.map(|code| (page.clone(), code)));
        }
    }
    assert!(found.len() > 500, "the code is found");
    found
}

/// Words as a shell sees them, up to a redirection, a pipe or a comment.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ('>' | '|', None) => break,
            ('#', None) if word.is_none() => break,
            (' ', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn commands_can_be_given() {
    let place = Place::new();
    for command in commands() {
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        // help is shown once everything before it has been understood
        arguments.push("--help");
        let ran = place.bristle(&arguments);
        assert_eq!(ran.code, Some(0), "{command:?}\n{}", ran.err);
    }
}

#[test]
fn commands_in_sentences_can_be_given() {
    let place = Place::new();
    let (mut checked, mut failed) = (0, Vec::new());
    for (page, code) in inline() {
        let Some(rest) = code.strip_prefix("bristle ") else {
            continue;
        };
        // three dots stand for what the sentence is not about, a bar of a table for "or"
        let rest = rest.replace(['…', '\\'], "");
        let given = words(&rest);
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        // an option at the end may stand without its value
        let ends: [&[&str]; 2] = [&["--help"], &["1", "--help"]];
        let mut tried = ends.map(|end| place.bristle(&[&given[..], end].concat()));
        if tried.iter().all(|ran| ran.code != Some(0)) {
            let error = std::mem::take(&mut tried[0].err);
            failed.push(format!("{}: {code}\n{error}", page.display()));
        }
        checked += 1;
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(checked > 50, "{checked}");
}

/// Commands of cargo and scripts that a test cannot run: what they name is there.
#[test]
fn cargo_and_tools_name_what_is_there() {
    let mut given: Vec<(PathBuf, String)> = inline();
    for page in pages() {
        let text = read(&page);
        let lines = code(&text).into_iter();
        let lines = lines.filter(|(language, _)| *language == "sh");
        given.extend(lines.map(|(_, line)| (page.clone(), line.trim().to_owned())));
    }
    let mut checked = 0;
    for (page, command) in given {
        let at = format!("{}: {command}", page.display());
        let words: Vec<&str> = command.split_whitespace().collect();
        for word in &words {
            if word.starts_with("tools/") {
                assert!(root().join(word).exists(), "{at}");
                checked += 1;
            }
        }
        if words.first() != Some(&"cargo") {
            continue;
        }
        let after = |option: &str| {
            let place = words.iter().position(|word| *word == option)?;
            words.get(place + 1).copied()
        };
        if let Some(package) = after("-p") {
            let folder = match package {
                "bristle" => "crates/cli",
                "bristle-fuzz" => "fuzz",
                other => &format!("crates/{}", other.trim_start_matches("bristle-")),
            };
            let folder = root().join(folder);
            assert!(folder.join("Cargo.toml").exists(), "{at}");
            for (option, kind) in [("--test", "tests"), ("--bench", "benches")] {
                if let Some(name) = after(option) {
                    let file = folder.join(kind).join(format!("{name}.rs"));
                    let tests = folder.join(kind).join(name).join("main.rs");
                    assert!(file.exists() || tests.exists(), "{at}");
                }
            }
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked}");
}

#[test]
fn every_field_of_a_scenario_is_explained() {
    let schema = Place::new().bristle(&["schema"]).json();
    let mut names = BTreeSet::new();
    // the fields of laws have pages of their own
    collect(&schema["properties"], &mut names);
    collect(&schema["$defs"]["signal"], &mut names);
    assert!(names.contains("end_time") && names.contains("expression"));
    let page = read(&root().join("docs/guide/scenario.md"));
    let missing: Vec<&String> = names
        .iter()
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert!(
        missing.is_empty(),
        "not in docs/guide/scenario.md: {missing:?}"
    );
}

/// Names of properties at any depth.
fn collect(schema: &serde_json::Value, names: &mut BTreeSet<String>) {
    match schema {
        serde_json::Value::Object(object) => {
            for (key, value) in object {
                if value.is_object() && !matches!(&**key, "items" | "properties") {
                    names.insert(key.clone());
                }
                collect(value, names);
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|item| collect(item, names)),
        _ => {}
    }
    names.remove("additionalProperties");
}

#[test]
fn pages_of_laws_are_those_of_their_cards() {
    let remedy = "run: cargo run -p bristle -- laws --markdown docs/laws";
    let place = Place::new();
    let ran = place.bristle(&["laws", "--markdown", "laws"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (made, kept) = (place.path("laws"), root().join("docs/laws"));
    assert_eq!(entries(&made), entries(&kept), "{remedy}");
    // the last digits of a picture depend on the machine's mathematics
    let pages = entries(&made).into_iter();
    for name in pages.filter(|name| Path::new(name).extension().is_some_and(|end| end == "md")) {
        assert!(
            read(&made.join(&name)) == read(&kept.join(&name)),
            "docs/laws/{name} is not up to date; {remedy}"
        );
    }
}

const FRICTIONLESS: &str = r#"title = "A law of a page"
[simulation]
end_time = 1
[body.block]
joint = "prismatic"
mass  = 1
[contact.base]
points = { body = "block", at = [[0, 0, 0]] }
"#;

#[test]
fn the_page_of_the_bench_has_every_law() {
    let page = read(&root().join("docs/validation/characterisation.md"));
    for card in bristle_laws::Friction::CARDS {
        // in both tables of features and in that of numbers
        let row = format!("| `{}` |", card.name);
        assert_eq!(
            page.matches(&row).count(),
            3,
            "{}: make the page again, its first line says how",
            card.name
        );
    }
}

#[test]
fn laws_of_pages_are_taken_by_scenarios() {
    let place = Place::new();
    let mut checked = 0;
    for page in markdown(&root().join("docs/laws")) {
        let text = read(&page);
        let Some((_, rest)) = text.split_once("```toml\n") else {
            continue;
        };
        let law = rest.split("```").next().unwrap_or_default();
        let other = if law.contains("base.normal]") {
            "[contact.base.friction]\nlaw = \"dahl\"\nkinetic_coefficient = 0.1\nbristle_stiffness = 1e4\n"
        } else {
            "[contact.base.normal]\nprescribed = 10\n"
        };
        place.write("law.toml", &format!("{FRICTIONLESS}{other}{law}"));
        let ran = place.bristle(&["check", "law.toml"]);
        assert_eq!(ran.code, Some(0), "{}\n{}", page.display(), ran.err);
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}
