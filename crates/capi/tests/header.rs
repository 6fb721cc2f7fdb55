//! The header is plain C89 and C++, and declares what the library has.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use support::{compile, libraries, root, run};

/// Names `bristle_…` that stand before a parenthesis.
fn functions(text: &str, prefix: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for part in text.split(prefix).skip(1) {
        let name: String = part
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        if part[name.len()..].starts_with('(') {
            found.insert(format!("bristle_{name}"));
        }
    }
    found
}

#[test]
fn header_library_and_list_have_the_same_functions() {
    let header = fs::read_to_string(root().join("include/bristle.h")).unwrap();
    let listed = fs::read_to_string(root().join("symbols.txt")).unwrap();
    let listed: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
    assert_eq!(functions(&header, "bristle_"), listed, "symbols.txt");
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(libraries().join("libbristle.so"))
        .output()
        .unwrap();
    let exported: BTreeSet<String> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.split_whitespace().last().map(str::to_owned))
        .collect();
    assert_eq!(exported, listed, "libbristle.so");
}

#[test]
fn programs_of_c_and_cpp_agree_with_closed_forms() {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("tests/c/closed_form.c");
    let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic"];
    for first in [&["cc", "-std=c89"][..], &["c++", "-x", "c++", "-std=c++11"]] {
        let program = folder.path().join("program");
        compile(&[first, &strict].concat(), &source, &program);
        assert_eq!(run(&program), "all well\n", "{first:?}");
    }
}

/// The example of the page, as it stands there.
#[test]
fn the_example_of_the_page_runs() {
    let page = fs::read_to_string(root().join("../../docs/guide/c.md")).unwrap();
    let example = page.split("```c\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("example.c");
    fs::write(&source, example).unwrap();
    let program = folder.path().join("example");
    compile(
        &["cc", "-std=c89", "-Wall", "-Wextra", "-Werror"],
        &source,
        &program,
    );
    let expected = page.split("```text\n").nth(1).unwrap();
    assert_eq!(run(&program), expected.split("```").next().unwrap());
}
