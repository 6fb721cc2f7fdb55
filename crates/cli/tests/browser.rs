//! Pages in a real browser, as a reader opens them: `tools/test_report.py` does what a reader would
//! do. Where there is no Chromium or no Playwright for Python, it says so and passes.

#![allow(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test may panic, and tells what it measured"
)]

mod support;

use std::path::Path;
use std::process::Command;

use support::{BLOCK, Place};

fn opens(place: &Place, folder: &str) {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/test_report.py");
    let mut command = Command::new("python3");
    let output = command
        .arg(tool)
        .arg(place.path(folder))
        .arg("--quick")
        .output();
    let output = output.expect("Python is there");
    let told = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    eprintln!("{folder}: {}", told.trim_end());
    assert!(output.status.success(), "{told}\n{complained}");
}

fn made(arguments: &[&str]) -> Place {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let mut all = arguments.to_vec();
    all.extend(["--report", "--out", "page", "--quiet"]);
    let ran = place.bristle(&all);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    place
}

#[test]
fn the_page_of_a_run() {
    opens(&made(&["run", "block.toml"]), "page");
}

#[test]
fn the_page_of_a_comparison() {
    let place = made(&["compare", "block.toml", "--law", "lugre", "--law", "gkf"]);
    opens(&place, "page");
}

#[test]
fn the_page_of_a_sweep() {
    let mass = "body.block.mass=1 kg,2 kg,4 kg";
    opens(&made(&["sweep", "block.toml", "--vary", mass]), "page");
}

#[test]
fn the_page_of_a_law() {
    opens(&made(&["characterise", "coulomb_tanh"]), "page");
}
