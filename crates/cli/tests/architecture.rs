//! Who may depend on whom, as docs/architecture.md says, and that a type name means one thing.

#![allow(clippy::expect_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every crate and the crates of the workspace that it may use. The tests of a crate may use more.
const MAY_USE: &[(&str, &[&str])] = &[
    ("bristle-units", &[]),
    ("bristle-formula", &[]),
    ("bristle-laws", &["bristle-formula"]),
    ("bristle-signals", &["bristle-formula"]),
    ("bristle-integrate", &[]),
    ("bristle-results", &["bristle-units"]),
    ("bristle-recordings", &["bristle-units"]),
    ("bristle-report", &["bristle-results"]),
    (
        "bristle-mechanics",
        &["bristle-laws", "bristle-signals", "bristle-integrate"],
    ),
    (
        "bristle-rig",
        &[
            "bristle-laws",
            "bristle-signals",
            "bristle-integrate",
            "bristle-mechanics",
        ],
    ),
    (
        "bristle-response",
        &[
            "bristle-laws",
            "bristle-signals",
            "bristle-integrate",
            "bristle-mechanics",
        ],
    ),
    ("bristle-identify", &["bristle-laws", "bristle-recordings"]),
    ("bristle-import", &["bristle-laws"]),
    (
        "bristle-scenario",
        &[
            "bristle-units",
            "bristle-recordings",
            "bristle-laws",
            "bristle-signals",
            "bristle-integrate",
            "bristle-mechanics",
        ],
    ),
    (
        "bristle-study",
        &[
            "bristle-laws",
            "bristle-signals",
            "bristle-integrate",
            "bristle-mechanics",
            "bristle-scenario",
            "bristle-results",
            "bristle-recordings",
        ],
    ),
    (
        "bristle-fmu",
        &[
            "bristle-units",
            "bristle-laws",
            "bristle-integrate",
            "bristle-rig",
            "bristle-scenario",
            "bristle-study",
        ],
    ),
    (
        "bristle-capi",
        &[
            "bristle-laws",
            "bristle-rig",
            "bristle-scenario",
            "bristle-study",
        ],
    ),
    (
        "bristle",
        &[
            "bristle-units",
            "bristle-recordings",
            "bristle-laws",
            "bristle-signals",
            "bristle-integrate",
            "bristle-mechanics",
            "bristle-scenario",
            "bristle-results",
            "bristle-report",
            "bristle-rig",
            "bristle-identify",
            "bristle-import",
            "bristle-response",
            "bristle-study",
            "bristle-fmu",
        ],
    ),
    (
        "bristle-python",
        &[
            "bristle",
            "bristle-identify",
            "bristle-integrate",
            "bristle-laws",
            "bristle-mechanics",
            "bristle-recordings",
            "bristle-report",
            "bristle-results",
            "bristle-rig",
            "bristle-scenario",
            "bristle-signals",
            "bristle-study",
            "bristle-units",
        ],
    ),
];

/// The crates that may touch files.
const TOUCH_FILES: &[&str] = &[
    "bristle-recordings",
    "bristle-scenario",
    "bristle-results",
    "bristle-study",
    "bristle-fmu",
    "bristle",
];

const REMEDY: &str = "change the dependency, or, with a reason, docs/architecture.md and this test";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Name, folder and dependencies of every crate of the product; the hostile inputs lie beside `crates`.
fn crates() -> BTreeMap<String, (PathBuf, Vec<String>)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo metadata gives JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    let read = |package: &serde_json::Value| {
        let dependencies = package["dependencies"].as_array().expect("a list");
        // tests and benches may use anything
        let built = dependencies.iter().filter(|d| d["kind"] != "dev");
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().expect("a folder").to_path_buf();
        let names = built.map(|d| text(&d["name"])).collect();
        (text(&package["name"]), (folder, names))
    };
    let product = root().join("crates").canonicalize().expect("there");
    let all = packages.iter().map(read);
    all.filter(|(_, (folder, _))| folder.starts_with(&product))
        .collect()
}

#[test]
fn crates_depend_only_on_those_they_may() {
    let crates = crates();
    for (name, (_, dependencies)) in &crates {
        let allowed = MAY_USE.iter().find(|(known, _)| known == name);
        let Some((_, allowed)) = allowed else {
            panic!("{name} is new: say in docs/architecture.md and here what it may use");
        };
        for dependency in dependencies.iter().filter(|d| crates.contains_key(*d)) {
            assert!(
                allowed.contains(&dependency.as_str()),
                "{name} must not depend on {dependency}: {REMEDY}"
            );
        }
    }
    for (name, _) in MAY_USE {
        assert!(crates.contains_key(*name), "{name} is gone: {REMEDY}");
    }
}

#[test]
fn the_page_speaks_of_every_crate() {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("there");
    for name in crates().keys() {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn few_crates_touch_files() {
    for (name, (folder, _)) in crates() {
        if TOUCH_FILES.contains(&name.as_str()) {
            continue;
        }
        for file in sources(&folder.join("src")) {
            let text = std::fs::read_to_string(&file).expect("a source");
            for word in ["std::fs", "std::env", "File::open", "File::create"] {
                assert!(
                    !text.contains(word),
                    "{} uses {word}: {REMEDY}",
                    file.display()
                );
            }
        }
    }
}

/// The name of the type that a line of source defines, if it does. An indented `type` belongs to an
/// implementation or a trait.
fn defined(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().peekable();
    while words
        .next_if(|word| word.starts_with("pub") || word.ends_with(')'))
        .is_some()
    {}
    let keyword = words.next()?;
    let outside = !line.starts_with(' ');
    if !(matches!(keyword, "struct" | "enum" | "trait" | "union") || keyword == "type" && outside) {
        return None;
    }
    let name = words.next()?;
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = &name[..end.unwrap_or(name.len())];
    // a name that a macro fills in has none yet
    name.starts_with(char::is_uppercase).then_some(name)
}

#[test]
fn definitions_are_found() {
    assert_eq!(defined("pub(crate) struct Pair<T> {"), Some("Pair"));
    assert_eq!(defined("    pub(in crate::own) enum End {"), Some("End"));
    assert_eq!(defined("type Dual = DualSVec64<1>;"), Some("Dual"));
    assert_eq!(defined("struct Normal(u64);"), Some("Normal"));
    assert_eq!(defined("    type Output = ();"), None);
    assert_eq!(defined("    pub struct $Name<P> {"), None);
    assert_eq!(defined("/// A struct Pair of"), None);
    assert_eq!(defined("pub fn new() -> Self {"), None);
}

#[test]
fn a_type_name_means_one_thing() {
    let mut places = BTreeMap::<String, PathBuf>::new();
    for (folder, _) in crates().values() {
        for file in sources(&folder.join("src")) {
            if file.ends_with("tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("a source");
            let text = text.split("#[cfg(test)]\nmod tests").next();
            for name in text.unwrap_or_default().lines().filter_map(defined) {
                if ["Error", "Result"].contains(&name) {
                    continue;
                }
                let first = places.entry(name.to_owned()).or_insert(file.clone());
                // a second definition in one file is that for other processors
                assert!(
                    *first == file,
                    "{name} is defined in {} and in {}: give one a name that says what it is, and see \
                     docs/decisions.md",
                    first.display(),
                    file.display()
                );
            }
        }
    }
}

/// Arguments of functions that are tuples taken apart in the signature.
fn taken_apart(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let starts = code.match_indices("fn ").map(|(at, _)| &code[at..]);
    let end = |rest: &str| Some(rest.find('{')?.min(rest.find(";\n").unwrap_or(usize::MAX)));
    let signatures = starts.filter_map(|rest| end(rest).map(|end| &rest[..end]));
    let flat = signatures.map(|s| s.split_whitespace().collect::<Vec<_>>().join(" "));
    flat.filter(|s| s.contains("): (") || s.contains("): &("))
        .collect()
}

#[test]
fn signatures_are_read() {
    let bad = "fn f(a: u8, (b, c): (u8, u8)) -> u8 { 0 }";
    let good =
        "fn f(a: (u8, u8), b: impl Fn(u8) -> (u8, u8)) -> (u8, u8) { let (x, y): (u8, u8) = a; }";
    assert_eq!((taken_apart(bad).len(), taken_apart(good).len()), (1, 0));
}

/// A name at the call says more than a place in a tuple: arguments are plain, or structs.
#[test]
fn arguments_are_no_tuple_patterns() {
    let crates = root().join("crates");
    let folders = std::fs::read_dir(crates).expect("crates").flatten();
    let mut found = Vec::new();
    for file in folders.flat_map(|folder| sources(&folder.path().join("src"))) {
        let text = std::fs::read_to_string(&file).expect("a source");
        let own = taken_apart(&text).into_iter();
        found.extend(own.map(|signature| format!("{}: {signature}", file.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
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
    found
}
