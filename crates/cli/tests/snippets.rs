//! Every snippet of every page is executed: commands in a shell, scenarios by the checker, Python by
//! Python. Snippets in Rust are tests of the crates that include their page.
//!
//! A comment on the line before a block says more: `<!-- file: NAME -->` the block is written to a
//! file, which later commands of the page find; `<!-- fails -->` the commands end with an error;
//! `<!-- short: ARGUMENTS -->` the commands take minutes, and are run here with these arguments too.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test may panic, and tells what it could not run"
)]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use support::{Place, entries};

/// Commands that are not run here, with the reason.
const ELSEWHERE: &[(&str, &str)] = &[
    ("./start", "the main command builds Bristle anew"),
    ("./test", "this test is part of it"),
    (".ci/run", "this test is part of it"),
    ("python3 -m venv", "tools/python_env does the like"),
    (".venv/bin/", "tools/python_env does the like"),
    ("cargo build", "was done to run this test"),
    ("cargo test", "is part of ./test"),
    ("cargo clippy", "is part of .ci/run"),
    ("cargo fmt", "is part of .ci/run"),
    ("cargo doc", "is part of .ci/run"),
    ("cargo bench", "measures, and takes minutes"),
    ("cargo install", "would install into the user's folder"),
    (
        "bristle characterise --all",
        "takes minutes; tests/characterise.rs has it in parts",
    ),
];

/// Pages whose Rust is a documentation test, and the file that includes them.
const INCLUDED: &[(&str, &str)] = &[("docs/guide/rust.md", "crates/rig/src/lib.rs")];

struct Block {
    language: String,
    note: String,
    line: usize,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<String> {
    let mut folders = vec![String::new(), "docs/".to_owned()];
    let mut found = Vec::new();
    let mut at = 0;
    while at < folders.len() {
        let folder = folders[at].clone();
        for name in entries(&root().join(&folder)) {
            let path = format!("{folder}{name}");
            if Path::new(&path)
                .extension()
                .is_some_and(|extension| extension == "md")
            {
                found.push(path);
            } else if !folder.is_empty() && root().join(&path).is_dir() {
                folders.push(path + "/");
            }
        }
        at += 1;
    }
    assert!(found.len() > 40, "the pages are found");
    found
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    let mut note = "";
    for (line, number) in text.lines().zip(1..) {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(language), None) => {
                open = Some(Block {
                    language: language.trim().to_owned(),
                    note: note
                        .trim_start_matches("<!--")
                        .trim_end_matches("-->")
                        .trim()
                        .to_owned(),
                    line: number + 1,
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some(block)) => block.text.extend([line, "\n"]),
            (None, None) => {}
        }
        note = if line.starts_with("<!--") { line } else { "" };
    }
    found
}

/// A folder with what a reader has: the scenarios beside him and in `examples`, and recordings.
fn desk() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("examples")).expect("a folder");
    for name in entries(&root().join("examples")) {
        let from = root().join("examples").join(&name);
        if from.is_dir() {
            continue;
        }
        std::fs::copy(&from, place.path("examples").join(&name)).expect("copied");
        std::fs::copy(&from, place.path(&name)).expect("copied");
    }
    // a motion to and fro at growing speeds: 2 s, 2 mm/s to 20 mm/s
    let row = |i: u32| {
        let t = f64::from(i) * 1e-3;
        format!("{t},{},10\n", 1e-2 * t * (std::f64::consts::TAU * t).sin())
    };
    let motion: String = (0..2000).map(row).collect();
    place.write("motion.csv", &format!("t,v,N\n{motion}"));
    place
}

/// The recording that the page about identification speaks of: a motion, and what it takes.
fn record(place: &Place) {
    let names = [
        "sigma_0=1e4",
        "sigma_1=10",
        "v_s=1e-3",
        "mu_k=0.1",
        "mu_s=0.15",
    ];
    let mut arguments = vec!["drive", "motion.csv", "--law", "lugre"];
    for name in names {
        arguments.extend(["--param", name]);
    }
    let ran = place.bristle(&arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let motion = std::fs::read_to_string(place.path("motion.csv")).expect("read");
    let forces = ran
        .out
        .lines()
        .map(|line| line.split(',').nth(1).unwrap_or_default());
    let rows = motion
        .lines()
        .zip(forces)
        .map(|(row, force)| [row, force].join(","));
    let joined = rows.collect::<Vec<String>>().join("\n");
    place.write("bench.csv", &joined);
}

/// A slide of 2 kg with 3 N of friction, 5 N s/m and 0.4 N beside it, driven by two sines: 2 s at
/// 100 Hz of its time, position and driving force (fourth order of Runge and Kutta).
fn slide(place: &Place) {
    let force = |t: f64| 8.0 * (8.2 * t).sin() + 4.0 * (19.5 * t).sin();
    let pull = |t: f64, v: f64| 0.5 * (force(t) - 0.4 - 5.0 * v - 3.0 * (v / 1e-3).tanh());
    let (mut x, mut v, h) = (0.0, 0.0, 2e-5);
    let mut rows = vec!["t,x,F".to_owned()];
    for k in 0..100_000 {
        let t = f64::from(k) * h;
        if k % 500 == 0 {
            rows.push([t, x, force(t)].map(|x| x.to_string()).join(","));
        }
        let a = pull(t, v);
        let b = pull(t + 0.5 * h, v + 0.5 * h * a);
        let c = pull(t + 0.5 * h, v + 0.5 * h * b);
        let d = pull(t + h, v + h * c);
        x += h * (v + h * (a + b + c) / 6.0);
        v += h * (a + 2.0 * b + 2.0 * c + d) / 6.0;
    }
    place.write("axis.csv", &rows.join("\n"));
}

fn shell(place: &Place, command: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_bristle"));
    let folder = program.parent().expect("a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder).chain(std::env::split_paths(&path));
    Command::new("sh")
        .args(["-e", "-c", command])
        .current_dir(place.path("."))
        .env("PATH", std::env::join_paths(all).expect("a path"))
        .env("NO_COLOR", "1")
        .output()
        .expect("started")
}

fn commands(place: &Place, at: &str, block: &Block) {
    for command in block.text.replace("\\\n", " ").lines() {
        let command = command.trim().trim_start_matches("$ ");
        let command = match command.split_once("-p bristle -- ") {
            Some((_, arguments)) => format!("bristle {arguments}"),
            None => command.to_owned(),
        };
        if command.is_empty()
            || ELSEWHERE
                .iter()
                .any(|(start, _)| command.starts_with(start))
        {
            continue;
        }
        let command = match block.note.strip_prefix("short:") {
            Some(shorter) => command + shorter,
            None => command,
        };
        let output = shell(place, &command);
        let wanted = if block.note == "fails" {
            &[2][..]
        } else {
            &[0, 3]
        };
        let code = output.status.code().unwrap_or(-1);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(
            wanted.contains(&code),
            "{at}: {command}\nexit code {code}\n{told}"
        );
    }
}

const BODY: &str =
    "joint = \"free\"\nmass = 1\nshape = { sphere = 0.01 }\nposition = [0, 0, 0.2]\n";

/// What a fragment of a scenario stands in.
fn surroundings(fragment: &str) -> String {
    let mut whole = String::new();
    if !fragment.contains("[simulation]") {
        whole += "title = \"A fragment\"\n[simulation]\nend_time = 1\n";
    }
    for body in ["tip", "block"] {
        if !fragment.contains(&format!("body.{body}]")) {
            whole.extend(["[body.", body, "]\n", BODY]);
        }
    }
    whole + fragment
}

fn toml(place: &Place, at: &str, block: &Block) {
    // a file for `identify --columns` is no scenario
    if block.text.contains("column = ") {
        let read = block.text.parse::<toml::Table>();
        assert!(read.is_ok(), "{at}: {read:?}");
        return;
    }
    let name = match block.note.strip_prefix("file:") {
        Some(name) => {
            place.write(name.trim(), &block.text);
            name.trim().to_owned()
        }
        None if block.text.starts_with("title") => {
            place.write("page.toml", &block.text);
            "page.toml".to_owned()
        }
        None => {
            place.write("page.toml", &surroundings(&block.text));
            "page.toml".to_owned()
        }
    };
    if block.text.contains("[simulation]") || name == "page.toml" {
        let ran = place.bristle(&["check", &name]);
        assert_eq!(ran.code, Some(0), "{at}\n{}", ran.err);
    }
}

fn python(place: &Place, at: &str, block: &Block) {
    place.write("page.py", &block.text);
    let run = |arguments: &[&str]| {
        let output = Command::new("python3")
            .args(arguments)
            .current_dir(place.path("."))
            .output();
        output.unwrap_or_else(|error| panic!("python3: {error}"))
    };
    let compiled = run(&["-m", "py_compile", "page.py"]);
    let told = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(compiled.status.success(), "{at}\n{}", told(&compiled));
    let needed = block
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("import "));
    for module in needed.flat_map(|names| names.split(", ")) {
        if !run(&["-c", &format!("import {module}")]).status.success() {
            eprintln!("{at}: compiled and not run, since {module} is not installed");
            return;
        }
    }
    let ran = run(&["page.py"]);
    assert!(ran.status.success(), "{at}\n{}", told(&ran));
}

fn rust(page: &str) {
    let (_, file) = INCLUDED
        .iter()
        .find(|(included, _)| *included == page)
        .unwrap_or_else(|| panic!("{page}: no documentation test includes this page"));
    let text = std::fs::read_to_string(root().join(file)).expect("read");
    assert!(text.contains(page), "{file} includes {page}");
}

fn execute(page: &str) {
    let text = std::fs::read_to_string(root().join(page)).expect("read");
    execute_text(page, &text);
}

fn execute_text(page: &str, text: &str) {
    // laws are put into a scenario by tests/docs.rs
    if page.starts_with("docs/laws/") {
        return;
    }
    let place = desk();
    if text.contains("bench.csv") {
        record(&place);
    }
    if text.contains("axis.csv") {
        slide(&place);
    }
    for block in blocks(text) {
        let at = format!("{page}:{}", block.line);
        match &*block.language {
            "sh" => commands(&place, &at, &block),
            "toml" => toml(&place, &at, &block),
            "python" => python(&place, &at, &block),
            "rust" => rust(page),
            // sessions of the Python package, and parts of programs that stand in other simulators:
            // python/tests/test_docs.py runs and parses them
            "pycon" | "py" if page.starts_with("docs/python/") || page == "README.md" => {}
            // python/tests/test_fmu.py simulates these FMUs
            "py" if page == "docs/guide/fmu.md" => {}
            // crates/capi/tests/header.rs compiles and runs it
            "c" if page == "docs/guide/c.md" => {}
            // MATLAB is not free software, text is no code
            "matlab" | "text" => {}
            // a model that commands of the page read
            "xml" if block.note.starts_with("file:") => {
                let name = block.note.trim_start_matches("file:").trim();
                place.write(name, &block.text);
            }
            other => panic!("{at}: no one executes `{other}`"),
        }
    }
}

#[test]
fn a_snippet_that_fails_is_named_with_file_and_line() {
    let failures = [
        (
            "```sh\nbristle laws\nbristle laws nolaw\n```",
            "bristle laws nolaw",
        ),
        ("```toml\n[body.block]\nmasss = 1\n```", "masss"),
        ("```python\nprint(\n```", "SyntaxError"),
        ("```cobol\nSTOP RUN.\n```", "cobol"),
    ];
    for (snippet, part) in failures {
        let page = format!("# A page\n\nText.\n\n{snippet}\n");
        let failed = std::panic::catch_unwind(|| execute_text("docs/guide/page.md", &page));
        let failed = failed.expect_err("it fails");
        let message = failed.downcast_ref::<String>().expect("a message");
        assert!(
            message.contains("docs/guide/page.md:6") && message.contains(part),
            "{message}"
        );
    }
}

#[test]
fn every_snippet_runs() {
    let pages = Mutex::new(pages());
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let page = pages.lock().expect("not poisoned").pop();
                    let Some(page) = page else { break };
                    // a page that fails does not hide what other pages have to tell
                    if std::panic::catch_unwind(|| execute(&page)).is_err() {
                        failed.lock().expect("not poisoned").push(page);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("not poisoned");
    assert!(failed.is_empty(), "see above: {failed:?}");
}
