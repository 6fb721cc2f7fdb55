//! The page on which laws are tried.

#![allow(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test may panic, and tells what it measured"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::Place;

fn tool(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tools")
        .join(name)
}

fn python(name: &str, arguments: &[&Path]) -> Output {
    let mut command = Command::new("python3");
    command
        .arg(tool(name))
        .args(arguments)
        .output()
        .expect("Python is there")
}

/// The laws in the page are compiled for browsers and committed: they must be those of the sources.
#[test]
fn the_laws_of_the_page_are_those_of_the_sources() {
    let output = python("playground", &[Path::new("--check")]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
}

#[test]
fn the_page_needs_no_network_and_begins_with_the_law_asked_for() {
    let place = Place::new();
    let ran = place.bristle(&["laws", "dahl", "--page", "-o", "page.html"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let page = fs::read_to_string(place.path("page.html")).expect("it was written");
    assert!(page.contains("data-start=\"dahl\""));
    for foreign in ["src=\"http", "href=\"http", "url(http", "import(\""] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

#[test]
fn a_law_that_is_not_there_and_a_folder_are_refused() {
    let place = Place::new();
    let ran = place.bristle(&["laws", "dall", "--page"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("dahl"), "{}", ran.err);
    assert!(!place.path("laws.html").exists());
    let ran = place.bristle(&["laws", "--page", "-o", "."]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("folder"), "{}", ran.err);
}

/// Sliders move curves, and every law has the forces of `bristle drive`: `tools/test_playground.py`.
#[test]
fn the_page_in_a_browser() {
    let place = Place::new();
    let ran = place.bristle(&["laws", "--page", "-o", "page.html"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let command = Path::new(env!("CARGO_BIN_EXE_bristle"));
    let output = python("test_playground.py", &[&place.path("page.html"), command]);
    let told = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    eprintln!("{}", told.trim_end());
    assert!(output.status.success(), "{told}\n{complained}");
}
