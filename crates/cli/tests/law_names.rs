//! A law is known in one place: outside of its crate no source names it or one of its fields.
//!
//! Apart are tests, comments, the help of the command line (texts in attributes) and the names of example
//! files. What a reader must know of a law stands in its card: role, relation, behaviour; a text that shows
//! how something is written has the law of [`bristle_laws::friction::EXAMPLE`].

#![allow(clippy::expect_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bristle_laws::{Friction, Normal};

/// Ordinary words: only a string that is nothing else names a law or a field.
/// Where such a word stands alone for something else: the kinds of couplings.
const ELSEWHERE: [(&str, &str); 1] = [("scenario/src/sections/couplings.rs", "gear")];
const ORDINARY: [&str; 4] = ["gear", "attraction", "preloaded", "stribeck"];

/// What every law answers by a method of that name.
const METHODS: [&str; 1] = ["breakaway_deflection"];

/// The names of laws and of their fields.
fn names() -> BTreeSet<&'static str> {
    let friction = Friction::CARDS.iter();
    let fields = friction.clone().flat_map(|card| card.parameters);
    let normal = Normal::CARDS.iter().map(|card| card.name);
    friction
        .map(|card| card.name)
        .chain(fields.map(|field| &*field.name))
        // hertz is a unit as well
        .chain(normal.filter(|name| name.contains('_')))
        .collect()
}

/// A word of a source file, or a string, with its line.
#[derive(Debug, PartialEq)]
enum Token {
    Word(String, usize),
    Text(String, usize),
    Sign(char),
}

/// The words, strings and signs of a source, without comments.
fn tokens(source: &str) -> Vec<Token> {
    let characters: Vec<char> = source.chars().collect();
    let (mut tokens, mut i, mut line) = (Vec::new(), 0, 1);
    let at = |i: usize| characters.get(i).copied().unwrap_or('\0');
    while i < characters.len() {
        let c = characters[i];
        let from = i;
        if c == '/' && at(i + 1) == '/' {
            while i < characters.len() && at(i) != '\n' {
                i += 1;
            }
        } else if let Some(hashes) = raw(&characters[i..]) {
            let end: String = format!("\"{}", "#".repeat(hashes));
            let begin = i + 2 + hashes;
            let rest: String = characters[begin..].iter().collect();
            let text = rest.split(&end).next().unwrap_or_default();
            i = begin + text.chars().count() + end.len();
            tokens.push(Token::Text(text.to_owned(), line));
        } else if c == '"' {
            i += 1;
            while i < characters.len() && at(i) != '"' {
                i += if at(i) == '\\' { 2 } else { 1 };
            }
            tokens.push(Token::Text(characters[from + 1..i].iter().collect(), line));
            i += 1;
        } else if c == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            // a character, not a lifetime
            i += if at(i + 1) == '\\' { 2 } else { 1 };
            while at(i) != '\'' {
                i += 1;
            }
            i += 1;
        } else if c.is_alphanumeric() || c == '_' {
            while at(i).is_alphanumeric() || at(i) == '_' {
                i += 1;
            }
            tokens.push(Token::Word(characters[from..i].iter().collect(), line));
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Sign(c));
            }
            i += 1;
        }
        line += characters[from..i.min(characters.len())]
            .iter()
            .filter(|c| **c == '\n')
            .count();
    }
    tokens
}

/// Number of # of a raw string that begins here.
fn raw(rest: &[char]) -> Option<usize> {
    let after = rest.strip_prefix(&['r'])?;
    let hashes = after.iter().take_while(|c| **c == '#').count();
    (after.get(hashes) == Some(&'"')).then_some(hashes)
}

/// The tokens that are not of a module `#[cfg(test)] mod … { … }`.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let is = |token: Option<&Token>, word: &str| match token {
        Some(Token::Word(own, _)) => own == word,
        Some(Token::Sign(own)) => word.chars().eq([*own]),
        _ => false,
    };
    let opening = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let (mut kept, mut i) = (Vec::new(), 0);
    let mut skipped = BTreeSet::new();
    while i < tokens.len() {
        let mut words = opening.iter().enumerate();
        let begins = words.all(|(k, word)| is(tokens.get(i + k), word));
        if begins && is(tokens.get(i + 9), "{") {
            let mut depth = 0;
            loop {
                depth += i32::from(is(tokens.get(i), "{")) - i32::from(is(tokens.get(i), "}"));
                skipped.insert(i);
                i += 1;
                if i >= tokens.len() || depth == 0 && is(tokens.get(i - 1), "}") {
                    break;
                }
            }
        } else {
            i += 1;
        }
    }
    for (i, token) in tokens.into_iter().enumerate() {
        if !skipped.contains(&i) {
            kept.push(token);
        }
    }
    kept
}

/// The tokens that are not of an attribute, such as the help of a command.
fn without_attributes(tokens: Vec<Token>) -> Vec<Token> {
    let (mut kept, mut depth): (Vec<Token>, usize) = (Vec::new(), 0);
    for token in tokens {
        let begins = token == Token::Sign('[') && matches!(kept.last(), Some(Token::Sign('#')));
        match token {
            Token::Sign('[') if begins || depth > 0 => depth += 1,
            Token::Sign(']') if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            token => kept.push(token),
        }
    }
    kept
}

/// Names of the scenarios that come with the command.
fn examples() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = std::fs::read_dir(folder).expect("the examples");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .filter_map(|path| {
            let name = |part: &std::ffi::OsStr| part.to_str().map(str::to_owned);
            Some([name(path.file_stem()?)?, name(path.file_name()?)?])
        })
        .flatten()
        .collect()
}

/// The name that a token is or holds.
fn named(token: &Token, names: &BTreeSet<&'static str>) -> Option<(&'static str, usize)> {
    let ordinary = |name: &str| ORDINARY.contains(&name);
    let (found, line) = match token {
        Token::Sign(_) => return None,
        Token::Text(text, line) => {
            let split = |c: char| !c.is_alphanumeric() && c != '_';
            let mut words = text.split(split).filter(|w| !ordinary(w) || w == text);
            (words.find_map(|word| names.get(word)), line)
        }
        Token::Word(word, line) => {
            let plain = |name: &str| name.replace('_', "");
            let small = word.to_lowercase();
            let same = |name: &&&'static str| **name == word || plain(name) == small;
            let own = names
                .iter()
                .filter(|n| !ordinary(n) && !METHODS.contains(n));
            let mut own = own;
            (own.find(same), line)
        }
    };
    found.map(|name| (*name, *line))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn no_source_outside_of_the_laws_names_a_law_or_a_field_of_one() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (names, examples) = (names(), examples());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&crates).expect("the crates") {
        let folder = entry.expect("an entry").path();
        if folder.ends_with("laws") || !folder.join("src").is_dir() {
            continue;
        }
        for file in sources(&folder.join("src")) {
            let short = file.strip_prefix(&crates).expect("within");
            let path = short.display().to_string().replace('\\', "/");
            if path.ends_with("/tests.rs") {
                continue;
            }
            let source = std::fs::read_to_string(&file).expect("a source");
            for token in without_attributes(without_tests(tokens(&source))) {
                if matches!(&token, Token::Text(text, _) if examples.contains(text)) {
                    continue;
                }
                if let Some((name, line)) = named(&token, &names)
                    && !ELSEWHERE.contains(&(path.as_str(), name))
                {
                    found.push(format!("crates/{path}:{line}: {name}"));
                }
            }
        }
    }
    assert!(
        found.is_empty(),
        "read the card of the law instead (role, relation, behaviour):\n{}",
        found.join("\n")
    );
}

#[test]
fn names_are_found_and_comments_tests_and_attributes_are_not() {
    let names = names();
    #[allow(
        clippy::needless_raw_string_hashes,
        reason = "the text holds a raw string itself"
    )]
    let source = r##"
// lugre in a comment
use bristle_laws::friction::LuGre;
fn f<'a>(x: &'a str) -> bool { x == "static_coefficient" || x == r#"karnopp "x""# || 'x' == '\'' }
const GEAR: &str = "gear"; // "gear" alone
const TEXT: &str = "a gear of steel, use gms";
const HELP: &str = "law = \"lugre\"";
#[command(after_help = "bristle laws lugre", value_name = ["gms"])]
struct Command { values: [f64; 3] }
#[cfg(test)]
mod tests { fn g() { let dahl = { 1 }; } }
fn h() { let iwan = 1; }
"##;
    let found: Vec<_> = without_attributes(without_tests(tokens(source)))
        .iter()
        .filter_map(|token| named(token, &names))
        .collect();
    let wanted = [
        ("lugre", 3),
        ("static_coefficient", 4),
        ("karnopp", 4),
        ("gear", 5),
        ("gms", 6),
        ("lugre", 7),
        ("iwan", 12),
    ];
    assert_eq!(found, wanted);
}
