//! What users read is plain English: pages, help, messages, doc comments, shipped scenarios.
//!
//! The words and phrases below have been translated too literally before; each has a better one.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Words that are refused, and what to write.
const WORDS: &[(&[&str], &str)] = &[
    (
        &["tell", "tells", "told", "telling"],
        "report, show, say, distinguish",
    ),
    (&["anew"], "again"),
    (&["likewise"], "also, the same"),
    (&["dear", "dearer", "dearly"], "expensive, costly"),
    (&["kin"], "related"),
    (&["lawful"], "valid"),
];

/// Phrases that are refused, and what to write.
const PHRASES: &[(&str, &str)] = &[
    ("to and fro", "back and forth"),
    ("what comes out", "the results"),
    ("what came out", "the results"),
    ("what must come out", "the expected results"),
    ("hang together", "are joined, are correlated"),
    ("has it not", "lacks it, absent"),
    ("have it not", "lack it"),
    ("nobody asks", "of no interest"),
    ("in no order", "in random order"),
    ("of no length", "zero-length"),
    ("read and judge", "validate"),
    ("reads and judges", "validates"),
    ("taken over as they are", "converted"),
    ("part of the turnover", "part of the energy exchanged"),
];

/// A part of a text that users read: its line, and its words.
struct Passage {
    line: usize,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder with one of the endings, or the file itself.
fn files(place: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    if place.is_dir() {
        for entry in std::fs::read_dir(place).expect("a folder") {
            let path = entry.expect("an entry").path();
            // pictures, libraries of others, and the compiled laws
            if !path.ends_with("vendor") && !path.ends_with("target") {
                files(&path, endings, found);
            }
        }
    } else if place
        .extension()
        .is_some_and(|end| endings.iter().any(|ending| end == *ending))
    {
        found.push(place.to_owned());
    }
}

/// Lines of a page outside of code.
fn prose(text: &str) -> Vec<Passage> {
    let mut inside = false;
    let mut found = Vec::new();
    for (text, line) in text.lines().zip(1..) {
        if text.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            let text = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
            found.push(Passage { line, text });
        }
    }
    found
}

/// Doc comments and literals of a source in Rust, without the tests at its end.
fn sources(text: &str) -> Vec<Passage> {
    let tests = text.find("#[cfg(test)]\nmod tests {");
    let mut rest = &text[..tests.unwrap_or(text.len())];
    let (mut found, mut line) = (Vec::new(), 1);
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            if let Some(text) = rest[..length]
                .strip_prefix("///")
                .or_else(|| rest[..length].strip_prefix("//!"))
            {
                let text = text.to_owned();
                found.push(Passage { line, text });
            }
            length
        } else if c == '"' {
            let length = literal(rest);
            // a line that ends with a backslash goes on
            let text = rest[1..length - 1].replace("\\\n", " ");
            found.push(Passage { line, text });
            length
        } else if c == '\'' {
            character(rest)
        } else {
            c.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// The length of a literal with its quotes. The quotes of raw literals of this project stand at
/// their ends only.
fn literal(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character such as `'"'`, or 1 of the quote of a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    let inside = chars.next().map(|(_, c)| c);
    if inside == Some('\\') {
        chars.next();
    }
    match chars.next() {
        Some((at, '\'')) => at + 1,
        _ => 1,
    }
}

fn lines(text: &str) -> Vec<Passage> {
    let lines = text.lines().zip(1..);
    let passage = |(text, line): (&str, usize)| Passage {
        line,
        text: text.to_owned(),
    };
    lines.map(passage).collect()
}

/// What is wrong in the passages, with the line of each.
fn wrong(passages: &[Passage]) -> Vec<String> {
    let mut found = Vec::new();
    let plain = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ").to_lowercase()
    };
    for (index, Passage { line, text }) in passages.iter().enumerate() {
        let own = plain(text);
        for word in own.split(|c: char| !c.is_alphanumeric()) {
            for (_, better) in WORDS.iter().filter(|(words, _)| words.contains(&word)) {
                found.push(format!("{line}: `{word}`: write {better}"));
            }
        }
        // a phrase may go on in the next line
        let next = passages.get(index + 1);
        let next = next.filter(|next| next.line == line + 1);
        let both = next.map_or(own.clone(), |next| format!("{own} {}", plain(&next.text)));
        let begins_here = |phrase: &str| both.find(phrase).is_some_and(|at| at < own.len());
        for (phrase, better) in PHRASES.iter().filter(|(phrase, _)| begins_here(phrase)) {
            found.push(format!("{line}: `{phrase}`: write {better}"));
        }
        if outcome(&own) {
            found.push(format!(
                "{line}: what … comes to: write the outcome, the result"
            ));
        }
    }
    found
}

/// Whether a text has "what a run came to", with up to four words between.
fn outcome(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let came = |pair: &[&str]| matches!(pair[0], "comes" | "came") && pair[1].starts_with("to");
    words.iter().enumerate().any(|(at, word)| {
        let after = &words[at + 1..words.len().min(at + 7)];
        *word == "what" && after.windows(2).any(came)
    })
}

#[test]
fn users_read_plain_english() {
    let mut found = BTreeMap::new();
    let mut read = |places: &[&str], endings: &[&str], passages: fn(&str) -> Vec<Passage>| {
        let mut paths = Vec::new();
        for place in places {
            files(&root().join(place), endings, &mut paths);
        }
        assert!(!paths.is_empty(), "{places:?}");
        for path in paths {
            let text = std::fs::read_to_string(&path).expect("a text");
            let wrong = wrong(&passages(&text));
            if !wrong.is_empty() {
                found.insert(path, wrong);
            }
        }
    };
    let roots = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs"];
    read(&roots, &["md"], prose);
    read(
        &["crates/laws/README.md", "crates/formula/README.md"],
        &["md"],
        prose,
    );
    let mut crates: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).expect("the crates") {
        let name = entry.expect("an entry").file_name();
        crates.push(format!("crates/{}/src", name.to_string_lossy()));
    }
    let crates: Vec<&str> = crates.iter().map(String::as_str).collect();
    read(&crates, &["rs"], sources);
    read(&["crates/report/assets"], &["js", "html"], sources);
    read(&["python/bristle"], &["py", "pyi"], lines);
    read(&["examples"], &["toml"], lines);
    let lines: Vec<String> = found
        .iter()
        .flat_map(|(path, wrong)| {
            wrong
                .iter()
                .map(|text| format!("{}:{text}", path.display()))
        })
        .collect();
    assert!(lines.is_empty(), "\n{}", lines.join("\n"));
}

#[test]
fn the_patterns_are_found_where_users_read_them() {
    let page =
        "It is told.\n`tell` and\n```text\ntold\n```\nmoves to\nand fro\nwhat a run came to.\n";
    let found = wrong(&prose(page));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("1: `told`") && found[1].starts_with("6: `to and fro`"));
    assert!(found[2].starts_with("8: what"), "{found:?}");
    let code = "/// Tells it.\nfn tell<'a>() { // told\n    let told = '\"';\n    warn(\"the law is \\\n told\");\n}\n";
    let found = wrong(&sources(code));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].starts_with("1: `tells`") && found[1].starts_with("4: `told`"),
        "{found:?}"
    );
}
