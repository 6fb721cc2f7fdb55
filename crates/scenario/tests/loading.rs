//! Files: includes, syntax errors, columns of numbers.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use std::fs;
use std::path::{Path, PathBuf};

use bristle_scenario::{
    Diagnostics, Node, NodeValue, Reader, SourceMap, Unit, load_file, read_columns, read_signal,
};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The tree and the complaints, with the folder taken out of the names.
    fn load(&self, name: &str) -> (Option<Node>, SourceMap, String) {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let node = load_file(&self.path(name), &mut sources, &mut diagnostics);
        let text = self.strip(&diagnostics.render_plain(&sources));
        (node, sources, text)
    }

    fn strip(&self, text: &str) -> String {
        text.replace(
            &format!("{}{}", self.0.path().display(), std::path::MAIN_SEPARATOR),
            "",
        )
    }
}

fn value<'a>(node: &'a Node, path: &str) -> &'a NodeValue {
    let step = |node: &'a Node, key: &str| &node.as_table().unwrap().get(key).unwrap().node;
    &path.split('.').fold(node, step).value
}

#[test]
fn the_including_file_wins_field_by_field() {
    let folder = Folder::new(&[
        (
            "main.toml",
            "include = [\"lib/base.toml\", \"lib/more.toml\"]\n[body.cube]\nmass = 2\n",
        ),
        (
            "lib/base.toml",
            "include = \"deep.toml\"\n[body.cube]\nmass = 1\nnote = \"base\"\n",
        ),
        (
            "lib/more.toml",
            "[body.cube]\nnote = \"more\"\n[body.other]\nmass = 3\n",
        ),
        ("lib/deep.toml", "title = \"deep\"\n"),
    ]);
    let (node, sources, complaints) = folder.load("main.toml");
    assert_eq!(complaints, "");
    let node = node.unwrap();
    assert_eq!(value(&node, "body.cube.mass"), &NodeValue::Integer(2));
    assert_eq!(
        value(&node, "body.cube.note"),
        &NodeValue::Text("more".to_owned())
    );
    assert_eq!(value(&node, "body.other.mass"), &NodeValue::Integer(3));
    assert_eq!(value(&node, "title"), &NodeValue::Text("deep".to_owned()));
    assert!(node.as_table().unwrap().get("include").is_none());
    let body = &node.as_table().unwrap().get("body").unwrap().node;
    let other = body.as_table().unwrap().get("other").unwrap();
    let source = sources.get(other.key_span.source).unwrap();
    assert_eq!(Path::new(source.name()), folder.path("lib/more.toml"));
}

#[test]
fn cycles_and_missing_files_are_refused_at_the_include() {
    let folder = Folder::new(&[
        ("a.toml", "include = [\"b.toml\"]\n"),
        ("b.toml", "\ninclude = [\"a.toml\"]\n"),
        ("c.toml", "include = [\"gone.toml\", 3]\n"),
    ]);
    let (node, _, complaints) = folder.load("a.toml");
    assert!(node.is_none());
    let first = complaints.lines().next().unwrap();
    assert_eq!(
        first,
        "b.toml:2:12: error: a.toml includes itself, directly or through others"
    );
    let (_, _, complaints) = folder.load("c.toml");
    assert!(
        complaints.contains("c.toml:1:12: error: cannot read gone.toml:"),
        "{complaints}"
    );
    assert!(
        complaints
            .contains("c.toml:1:25: error: include: expected the name of a file, found a number"),
        "{complaints}"
    );
    let (node, _, complaints) = folder.load("gone.toml");
    assert!(node.is_none() && complaints.starts_with("error: cannot read gone.toml"));
}

#[test]
fn syntax_errors_have_a_place() {
    let folder = Folder::new(&[
        ("twice.toml", "[a]\nx = 1\nx = 2\n"),
        ("open.toml", "a = 1\nb = [1, 2\nc = \"x\"\n"),
        ("huge.toml", "a = 1\nb = 99999999999999999999\nc = 1e999\n"),
    ]);
    fs::write(folder.path("latin.toml"), b"a = 1\nb = \"caf\xe9\"\n").unwrap();
    let first = |name: &str| {
        let (node, _, complaints) = folder.load(name);
        assert!(node.is_none(), "{name}");
        complaints.lines().next().unwrap().to_owned()
    };
    assert_eq!(
        first("twice.toml"),
        "twice.toml:3:1: error: not valid TOML: duplicate key"
    );
    let helps = |name: &str| folder.load(name).2.contains("may be given once");
    assert!(helps("twice.toml") && !helps("open.toml"));
    assert!(
        first("open.toml").starts_with("open.toml:"),
        "{}",
        first("open.toml")
    );
    assert_eq!(
        first("huge.toml"),
        "huge.toml:2:5: error: this integer does not fit into 64 bits"
    );
    assert!(
        folder
            .load("huge.toml")
            .2
            .contains("huge.toml:3:5: error: this number is beyond")
    );
    assert_eq!(
        first("latin.toml"),
        "latin.toml:2:9: error: latin.toml is not UTF-8 text"
    );
}

#[test]
fn files_included_twice_are_read_once() {
    // 26 levels, each of which names the next one twice: 2^26 reads if each counted
    let names: Vec<String> = (0..=26).map(|k| format!("level{k}.toml")).collect();
    let texts: Vec<String> = (0..=26)
        .map(|k| match names.get(k + 1) {
            Some(next) => format!("include = [\"{next}\", \"{next}\"]\n"),
            None => "title = \"deep\"\n".to_owned(),
        })
        .collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .zip(&texts)
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let folder = Folder::new(&files);
    let (node, sources, text) = folder.load("level0.toml");
    assert_eq!(text, "");
    assert!(matches!(value(&node.unwrap(), "title"), NodeValue::Text(title) if title == "deep"));
    assert_eq!(sources.iter().count(), 27);
}

#[test]
fn includes_have_limits() {
    let chain: Vec<(String, String)> = (0..=300)
        .map(|k| {
            (
                format!("f{k}.toml"),
                format!("include = \"f{}.toml\"\n", k + 1),
            )
        })
        .collect();
    let mut files: Vec<(&str, &str)> = chain
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    files.extend([
        ("zero.toml", "include = \"/dev/zero\"\n"),
        ("secret", "root:x:0:0\nsecond line = \n"),
        ("leak.toml", "include = \"secret\"\n"),
    ]);
    let folder = Folder::new(&files);
    let (node, _, text) = folder.load("f0.toml");
    assert!(node.is_none() && text.contains("may have 256"), "{text}");
    // no file of its own: the shown lines are those of the scenario
    let (node, _, text) = folder.load("leak.toml");
    assert!(
        node.is_none() && text.contains("secret:1:11: not valid TOML"),
        "{text}"
    );
    assert!(
        !text.contains("root") && text.starts_with("leak.toml:1:11"),
        "{text}"
    );
    if cfg!(target_os = "linux") {
        let (node, _, text) = folder.load("zero.toml");
        assert!(
            node.is_none() && text.contains("not a regular file"),
            "{text}"
        );
    }
}

#[test]
fn columns_are_found_by_name() {
    let folder = Folder::new(&[
        (
            "comma.csv",
            "\u{feff}t, \"F\" ,x\n# remark\n0,1.5,a\n\n1,2.5,b\n",
        ),
        ("semicolon.csv", "F;t\n3;0\n4;1\n"),
    ]);
    let (columns, lines) = read_columns(&folder.path("comma.csv"), &["t", "F"]).unwrap();
    assert_eq!(
        (columns, lines),
        (vec![vec![0.0, 1.0], vec![1.5, 2.5]], vec![3, 5])
    );
    let (columns, _) = read_columns(&folder.path("semicolon.csv"), &["t", "F"]).unwrap();
    assert_eq!(columns, [[0.0, 1.0], [3.0, 4.0]]);
    let text = |file: &str, names: &[&str]| {
        folder.strip(
            &read_columns(&folder.path(file), names)
                .unwrap_err()
                .to_string(),
        )
    };
    assert_eq!(
        text("comma.csv", &["t", "x"]),
        "comma.csv:3:7: \"a\" in column \"x\" is not a finite number"
    );
    assert_eq!(
        text("comma.csv", &["v"]),
        "comma.csv:1: there is no column \"v\"; the columns are \"t\", \"F\", \"x\""
    );
    fs::write(folder.path("short.csv"), "t,F\n0,1\n2\n").unwrap();
    assert_eq!(
        text("short.csv", &["t", "F"]),
        "short.csv:3: found 1 cell, expected 2 as in the header"
    );
    fs::write(folder.path("empty.csv"), "\n").unwrap();
    assert!(text("empty.csv", &["t"]).starts_with("empty.csv is empty"));
}

#[test]
fn a_signal_reads_a_file_beside_its_own() {
    let folder = Folder::new(&[
        ("main.toml", "include = \"lib/pull.toml\"\n"),
        (
            "lib/pull.toml",
            "pull = { csv = \"pull.csv\", value = \"F\" }\n",
        ),
        ("lib/pull.csv", "t,F\n0,0\n2,10\n"),
        ("bad.toml", "pull = { csv = \"bad.csv\", value = \"F\" }\n"),
        ("bad.csv", "t,F\n0,0\n# later\n0,10\n"),
    ]);
    let read = |name: &str| {
        let (node, sources, _) = folder.load(name);
        let node = node.unwrap();
        let reader = Reader::new(&sources);
        let pull = &node.as_table().unwrap().get("pull").unwrap().node;
        let signal = read_signal(&reader, pull, "pull", Unit::NEWTON);
        (
            signal,
            folder.strip(&reader.into_diagnostics().render_plain(&sources)),
        )
    };
    // 10 N/2 s · 0.5 s, exact in binary.
    assert!((read("main.toml").0.unwrap().value(0.5) - 2.5).abs() < f64::EPSILON);
    let (signal, complaints) = read("bad.toml");
    assert!(signal.is_none());
    assert_eq!(
        complaints.lines().next().unwrap(),
        "bad.toml:1:16: error: pull.csv: bad.csv:4: table row 2: time 0 s must be greater than 0 s, \
         the time of the row before"
    );
}
