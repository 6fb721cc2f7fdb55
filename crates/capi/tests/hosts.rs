//! The library in the tools of others: valgrind, Fortran, CMake, pkg-config. Where a tool is not there, its test says
//! so and passes.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by a panic, and tells what it left out"
)]

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::{compile, has, libraries, root, run, succeeds};

/// Every call of the C program, without a wrong access or a leak.
#[test]
fn valgrind_has_no_complaint() {
    if !has("valgrind") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let source = root().join("tests/c/closed_form.c");
    compile(&["cc", "-std=c89", "-g"], &source, &program);
    let mut command = Command::new("valgrind");
    command
        .args(["--error-exitcode=9", "--leak-check=full", "--quiet"])
        // what the runtime of Rust keeps to the end is reachable
        .args(["--errors-for-leak-kinds=definite,indirect,possible"])
        .arg(&program)
        .env("LD_LIBRARY_PATH", libraries());
    assert_eq!(succeeds(&mut command), "all well\n");
}

#[test]
fn the_module_for_fortran_agrees_with_closed_forms() {
    if !has("gfortran") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let mut command = Command::new("gfortran");
    command
        .args(["-std=f2008", "-Wall", "-Werror", "-J"])
        .arg(folder.path())
        .arg(root().join("fortran/bristle.f90"))
        .arg(root().join("tests/c/closed_form.f90"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(libraries())
        .arg("-lbristle");
    succeeds(&mut command);
    assert_eq!(run(&program), "all well\n");
}

/// The library as a packager lays it out.
fn installed(prefix: &Path) {
    for folder in ["lib/pkgconfig", "lib/cmake/bristle", "include"] {
        fs::create_dir_all(prefix.join(folder)).unwrap();
    }
    let copy = |from: &Path, to: &str| fs::copy(from, prefix.join(to)).unwrap();
    copy(&libraries().join("libbristle.so"), "lib/libbristle.so");
    copy(&root().join("include/bristle.h"), "include/bristle.h");
    copy(
        &root().join("pkg/bristle-config.cmake"),
        "lib/cmake/bristle/bristle-config.cmake",
    );
    let text = fs::read_to_string(root().join("pkg/bristle.pc.in")).unwrap();
    let text = text
        .replace("@prefix@", &prefix.to_string_lossy())
        .replace("@version@", env!("CARGO_PKG_VERSION"));
    fs::write(prefix.join("lib/pkgconfig/bristle.pc"), text).unwrap();
    fs::copy(
        root().join("tests/c/closed_form.c"),
        prefix.join("program.c"),
    )
    .unwrap();
}

#[test]
fn pkg_config_knows_how_to_build() {
    if !has("pkg-config") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path();
    installed(prefix);
    let mut command = Command::new("pkg-config");
    command
        .args(["--cflags", "--libs", "bristle"])
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    let flags = succeeds(&mut command);
    let mut command = Command::new("cc");
    command
        .arg(prefix.join("program.c"))
        .args(flags.split_whitespace())
        .args(["-lm", "-o"])
        .arg(prefix.join("program"));
    succeeds(&mut command);
    assert_eq!(run(&prefix.join("program")), "all well\n");
}

#[test]
fn cmake_finds_the_package() {
    if !has("cmake") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path();
    installed(prefix);
    let project = "cmake_minimum_required(VERSION 3.13)\nproject(consumer C)\n\
                   find_package(bristle REQUIRED)\nadd_executable(program program.c)\n\
                   target_link_libraries(program bristle::bristle m)\n";
    fs::write(prefix.join("CMakeLists.txt"), project).unwrap();
    let mut command = Command::new("cmake");
    command
        .arg("-S")
        .arg(prefix)
        .arg("-B")
        .arg(prefix.join("build"))
        .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    succeeds(&mut command);
    succeeds(
        Command::new("cmake")
            .arg("--build")
            .arg(prefix.join("build")),
    );
    assert_eq!(run(&prefix.join("build/program")), "all well\n");
}

/// What an installation brings along is the C library of the system alone.
#[test]
fn the_library_needs_nothing_but_the_system() {
    let output = succeeds(Command::new("ldd").arg(libraries().join("libbristle.so")));
    let known = [
        "linux-vdso",
        "libc.so",
        "libm.so",
        "libgcc_s.so",
        "ld-linux",
    ];
    for line in output.lines() {
        assert!(known.iter().any(|name| line.contains(name)), "{line}");
    }
}
