//! Modules of a crate import each other one way, as docs/architecture.md says.
//!
//! The test reads the paths of every source file, follows re-exports to the file in which a name is
//! written, and looks for circles of files. A child may use what its parent folder's `mod.rs`
//! declares: a parent and its children are one thing in several files.

#![allow(clippy::expect_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Circles that are meant: a crate, the files of the circle, and why it is there.
const KNOWN: &[(&str, &[&str], &str)] = &[
    (
        "laws",
        &["friction/mod.rs", "two_sided/build.rs", "two_sided/mod.rs"],
        "the enum of laws, and the law that is made of two of them",
    ),
    (
        "report",
        &["page.rs", "report.rs"],
        "a report and the page that it becomes",
    ),
    (
        "signals",
        &["chirp.rs", "pulses.rs", "signal.rs"],
        "an enum and its variants",
    ),
];

/// A module, as the names on the way to it.
type Module = Vec<String>;

/// One source file.
#[derive(Default)]
struct File {
    /// Its place in `src`.
    name: String,
    /// Paths that it imports, whole, with the name under which the last segment is known.
    imports: Vec<(Vec<String>, String)>,
    /// Paths in its text.
    mentions: Vec<Vec<String>>,
}

/// The files of a crate by their modules.
struct Crate {
    files: BTreeMap<Module, File>,
}

impl Crate {
    fn read(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        for path in sources(folder) {
            let inside = path.strip_prefix(folder).expect("inside");
            let mut module: Module = inside
                .with_extension("")
                .components()
                .map(|c| c.as_os_str().to_string_lossy().into_owned())
                .collect();
            if matches!(module.last().map(String::as_str), Some("mod")) || module == ["lib"] {
                module.pop();
            }
            if module == ["main"] {
                module.pop();
            }
            if module.last().is_some_and(|name| name == "tests") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source");
            let name = inside.to_string_lossy().into_owned();
            files.insert(module, File::parse(name, &text));
        }
        Self { files }
    }

    /// The module of a path as written in `from`, and the segments behind it.
    fn place(&self, from: &[String], path: &[String]) -> Option<(Module, Vec<String>)> {
        let mut at: Module = from.to_vec();
        let mut rest = path.iter().peekable();
        match path.first()?.as_str() {
            "crate" => {
                at.clear();
                rest.next();
            }
            "self" => {
                rest.next();
            }
            "super" => {
                while rest.next_if(|s| *s == "super").is_some() {
                    at.pop();
                }
            }
            first => {
                let mut child = at.clone();
                child.push(first.to_owned());
                if !self.files.contains_key(&child) {
                    return None;
                }
            }
        }
        while let Some(next) = rest.peek() {
            let mut child = at.clone();
            child.push((*next).clone());
            if !self.files.contains_key(&child) {
                break;
            }
            at = child;
            rest.next();
        }
        Some((at, rest.cloned().collect()))
    }

    /// The module in which the name of a path is written.
    fn written(&self, from: &[String], path: &[String], depth: usize) -> Option<Module> {
        let (module, rest) = self.place(from, path)?;
        let name = rest.first()?;
        // a module of this name may be re-exported too; a circle of re-exports ends somewhere
        if depth > 8 {
            return Some(module);
        }
        let imports = &self.files.get(&module)?.imports;
        let named = imports.iter().find(|(_, known)| known == name);
        if let Some((inner, _)) = named {
            let mut whole = inner.clone();
            whole.extend(rest[1..].iter().cloned());
            return self
                .written(&module, &whole, depth + 1)
                .or_else(|| Some(self.place(&module, inner)?.0));
        }
        Some(module)
    }

    /// Who uses whom. A child that uses its parent is left out.
    fn edges(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let mut all = BTreeMap::new();
        for (module, file) in &self.files {
            let paths = file.imports.iter().map(|(path, _)| path);
            let mut used = BTreeSet::new();
            for path in paths.chain(&file.mentions) {
                let Some((place, rest)) = self.place(module, path) else {
                    continue;
                };
                let target = if rest.is_empty() || rest[0] == "*" {
                    Some(place)
                } else {
                    self.written(module, path, 0)
                };
                used.extend(target.filter(|t| {
                    let parent = module.len() == t.len() + 1 && module.starts_with(t);
                    t != module && !parent && !t.is_empty()
                }));
            }
            all.insert(module, used);
        }
        all
    }

    /// Sets of files each of which reaches all others.
    fn circles(&self) -> Vec<Vec<String>> {
        let edges = self.edges();
        let reached = |from: &Module| {
            let mut seen: BTreeSet<&Module> = BTreeSet::new();
            let mut open: Vec<&Module> = edges[from].iter().collect();
            while let Some(next) = open.pop() {
                if let Some((known, targets)) = edges.get_key_value(next)
                    && seen.insert(known)
                {
                    open.extend(targets);
                }
            }
            seen
        };
        let all: BTreeMap<&Module, BTreeSet<&Module>> =
            self.files.keys().map(|m| (m, reached(m))).collect();
        let mut circles: Vec<Vec<String>> = Vec::new();
        let mut done: BTreeSet<&Module> = BTreeSet::new();
        for (module, far) in &all {
            if !far.contains(module) || !done.insert(module) {
                continue;
            }
            let mut circle = vec![self.files[*module].name.clone()];
            for other in far {
                if other != module && all[other].contains(module) {
                    done.insert(other);
                    circle.push(self.files[*other].name.clone());
                }
            }
            circle.sort();
            circles.push(circle);
        }
        circles
    }
}

impl File {
    fn parse(name: String, text: &str) -> Self {
        let text = without_tests_and_comments(text);
        let mut file = Self {
            name,
            ..Self::default()
        };
        let mut rest = String::new();
        let mut open: Option<String> = None;
        for line in text.lines() {
            let line = line.trim();
            let begins = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "];
            if open.is_none() && begins.iter().any(|word| line.starts_with(word)) {
                open = Some(String::new());
            }
            if let Some(statement) = &mut open {
                statement.push_str(line);
                if line.ends_with(';') {
                    let (_, tree) = statement.split_once("use ").expect("begins so");
                    expand(tree.trim_end_matches(';'), &[], &mut file.imports);
                    open = None;
                }
            } else {
                rest.push_str(line);
                rest.push('\n');
            }
        }
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        for word in rest.split(|c| !is_path(c)) {
            let path: Vec<String> = word.split("::").map(str::to_owned).collect();
            let begins = matches!(path[0].as_str(), "crate" | "super");
            if begins && path.len() > 1 && path.iter().all(|s| !s.is_empty()) {
                file.mentions.push(path);
            }
        }
        file
    }
}

/// All paths of a tree such as `crate::{a::B, c::{self, D as E}}`.
fn expand(tree: &str, before: &[String], all: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    if let Some(brace) = tree.find('{') {
        let head = tree[..brace].trim_end_matches("::");
        let mut whole = before.to_vec();
        whole.extend(
            head.split("::")
                .filter(|s| !s.is_empty())
                .map(str::to_owned),
        );
        let inner = tree[brace + 1..].trim_end().trim_end_matches('}');
        let (mut depth, mut start) = (0, 0);
        for (at, c) in inner.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&inner[start..at], &whole, all);
                    start = at + 1;
                }
                _ => {}
            }
        }
        // a closing brace that belongs to an inner group was cut off with the outer one
        let open = inner[start..].matches('{').count();
        let closed = inner[start..].matches('}').count();
        let last = format!("{}{}", &inner[start..], "}".repeat(open - closed.min(open)));
        expand(&last, &whole, all);
        return;
    }
    if tree.is_empty() {
        return;
    }
    let (path, alias) = match tree.split_once(" as ") {
        Some((path, alias)) => (path, Some(alias.trim().to_owned())),
        None => (tree, None),
    };
    let mut whole = before.to_vec();
    whole.extend(path.trim().split("::").map(str::to_owned));
    if whole.len() > 1 && whole.last().is_some_and(|s| s == "self") {
        whole.pop();
    }
    let name = whole.last().cloned().unwrap_or_default();
    all.push((whole, alias.unwrap_or(name)));
}

/// The text without the tests at its end and without comments.
fn without_tests_and_comments(text: &str) -> String {
    let tests = text.find("#[cfg(test)]\nmod tests {");
    let text = &text[..tests.unwrap_or(text.len())];
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
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

#[test]
fn modules_import_each_other_one_way() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut wrong = Vec::new();
    let mut met: BTreeSet<usize> = BTreeSet::new();
    let mut names: Vec<PathBuf> = std::fs::read_dir(&crates)
        .expect("the crates")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("src").is_dir())
        .collect();
    names.sort();
    for path in names {
        let name = path.file_name().expect("a name").to_string_lossy();
        for circle in Crate::read(&path.join("src")).circles() {
            let known = KNOWN.iter().position(|(crate_name, files, _)| {
                *crate_name == name && circle.iter().all(|file| files.contains(&file.as_str()))
            });
            match known {
                Some(place) => {
                    met.insert(place);
                }
                None => wrong.push(format!("{name}: {}", circle.join(", "))),
            }
        }
    }
    let gone = (0..KNOWN.len()).filter(|place| !met.contains(place));
    let gone: Vec<String> = gone.map(|place| format!("{:?}", KNOWN[place])).collect();
    assert!(wrong.is_empty(), "files in circles:\n{}", wrong.join("\n"));
    assert!(
        gone.is_empty(),
        "circles that are gone:\n{}",
        gone.join("\n")
    );
}

/// The reader of paths itself, on a crate of three files.
#[test]
fn a_circle_is_found_through_a_re_export() {
    let files = [
        (
            vec![],
            "lib.rs",
            "mod a;\nmod b;\npub use a::x::{X, Y as Z};",
        ),
        (vec!["a"], "a/mod.rs", "mod x;\npub(crate) use x::X;"),
        (vec!["a", "x"], "a/x.rs", "use super::super::b::{self, B};"),
        (
            vec!["b"],
            "b.rs",
            "use crate::a::X;\n// use crate::c::C;\nfn f() {}",
        ),
    ];
    let own = |module: Vec<&str>| module.into_iter().map(str::to_owned).collect::<Module>();
    let read = |(module, name, text): (Vec<&str>, &str, &str)| {
        (own(module), File::parse(name.to_owned(), text))
    };
    let all = Crate {
        files: files.into_iter().map(read).collect(),
    };
    assert_eq!(all.circles(), [["a/x.rs", "b.rs"]]);
}
