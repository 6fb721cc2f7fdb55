//! The glue for solvers: mock solvers in their languages call as the manuals say. Where a compiler is not there, its test
//! says so and passes.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by a panic, and tells what it left out"
)]

mod support;

use std::path::PathBuf;
use std::process::Command;

use support::{has, libraries, root, succeeds};

fn glue(name: &str) -> PathBuf {
    root().join("glue").join(name)
}

fn mock(name: &str) -> PathBuf {
    root().join("tests/glue").join(name)
}

/// FRIC and VFRIC: trials, rejected increments, tangents, turned directions, 16 threads, a circle in Explicit.
#[test]
fn abaqus() {
    if !has("gfortran") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let mut command = Command::new("gfortran");
    command
        .args(["-O1", "-fopenmp", "-Wall", "-Wno-unused-dummy-argument"])
        .arg("-I")
        .arg(root().join("tests/glue"))
        .arg("-J")
        .arg(folder.path())
        .arg(glue("bristle_abaqus.f"))
        .arg(mock("abaqus.f90"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(libraries())
        .arg("-lbristle");
    succeeds(&mut command);
    let mut command = Command::new(&program);
    command
        .arg(folder.path())
        .env("LD_LIBRARY_PATH", libraries());
    assert_eq!(succeeds(&mut command), "all well\n");
}

/// SFOSUB, DIFSUB and CFFSUB: dependencies, trials, rejected steps, save and reload, eight threads.
#[test]
fn adams_and_motionsolve() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let mut command = Command::new("cc");
    command
        .args(["-O1", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root().join("include"))
        .arg(glue("bristle_adams.c"))
        .arg(mock("adams.c"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(libraries())
        .args(["-lbristle", "-lm", "-lpthread"]);
    succeeds(&mut command);
    let mut command = Command::new(&program);
    command
        .arg(folder.path())
        .env("LD_LIBRARY_PATH", libraries());
    assert_eq!(succeeds(&mut command), "all well\n");
}

/// The MEX file in Octave.
#[test]
fn matlab() {
    if !has("mkoctfile") || !has("octave") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("mkoctfile");
    command
        .arg("--mex")
        .arg(format!("-I{}", root().join("include").display()))
        .arg(format!("-L{}", libraries().display()))
        .arg("-lbristle")
        .arg(glue("bristle_mex.c"))
        .arg("-o")
        .arg(folder.path().join("bristle_mex.mex"))
        // its object file goes to the working folder
        .current_dir(folder.path());
    succeeds(&mut command);
    let mut command = Command::new("octave");
    command
        .args(["--no-gui", "--no-init-file", "--quiet", "--path"])
        .arg(folder.path())
        .arg(mock("mex.m"))
        .env("LD_LIBRARY_PATH", libraries());
    assert_eq!(succeeds(&mut command), "all well\n");
}
