//! C programs against the library of this build.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "each test file uses a part, and fails by a panic"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of this crate.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folder in which the build has left `libbristle.so`: that of this test.
pub(crate) fn libraries() -> PathBuf {
    std::env::current_exe()
        .unwrap()
        .parent()
        .unwrap()
        .to_owned()
}

/// Compiles a C program; the compiler and its options come first.
pub(crate) fn compile(compiler: &[&str], source: &Path, out: &Path) {
    let output = Command::new(compiler[0])
        .args(&compiler[1..])
        .arg("-I")
        .arg(root().join("include"))
        .arg(source)
        .arg("-o")
        .arg(out)
        .arg("-L")
        .arg(libraries())
        .args(["-lbristle", "-lm"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler:?}\n{text}");
}

/// What a command prints that ends well.
pub(crate) fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}{errors}");
    text
}

/// What a program prints.
pub(crate) fn run(program: &Path) -> String {
    succeeds(Command::new(program).env("LD_LIBRARY_PATH", libraries()))
}

/// Whether a tool is there; says so if not.
pub(crate) fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        eprintln!("left out: there is no {tool}");
    }
    found
}
