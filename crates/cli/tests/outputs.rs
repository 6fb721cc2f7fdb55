//! Where results go: places of others, full devices, readers that have gone away.

#![cfg(unix)]
#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use std::fs;
use std::process::{Command, Stdio};

use support::{BLOCK, Place};

/// `bristle` in a shell, so that its output goes where the shell says.
fn shell(place: &Place, line: &str) -> (Option<i32>, String) {
    let line = line.replace("bristle", env!("CARGO_BIN_EXE_bristle"));
    let ran = Command::new("sh")
        .args(["-c", &line])
        .current_dir(place.path("."))
        .stdout(Stdio::null())
        .output()
        .expect("a shell");
    let error = String::from_utf8_lossy(&ran.stderr).into_owned();
    (ran.status.code(), error)
}

/// The names in a folder with an ending, without it.
fn stems(folder: &std::path::Path, ending: &str) -> Vec<String> {
    let names = support::entries(folder).into_iter();
    let stems = names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned));
    stems.collect()
}

#[test]
fn a_pdf_and_a_png_stand_beside_every_plot_that_asks_for_them() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let map = [
        "sweep",
        "block.toml",
        "--vary",
        "body.block.mass=1,2",
        "--vary",
        "simulation.end_time=0.1,0.2",
        "--out",
        "out",
        "--pdf",
        "--png",
    ];
    let commands: [&[&str]; 3] = [
        &["run", "block.toml", "--out", "out", "--pdf", "--png"],
        &[
            "characterise",
            "coulomb_linear",
            "--out",
            "out",
            "--pdf",
            "--png",
        ],
        &map,
    ];
    for command in commands {
        let out = place.path("out");
        let ran = place.bristle(command);
        assert_eq!(ran.code, Some(0), "{command:?} {}", ran.err);
        let pdf = stems(&out, ".pdf");
        assert!(!pdf.is_empty(), "{command:?}");
        assert_eq!(pdf, stems(&out, ".svg"), "{command:?}");
        assert_eq!(pdf, stems(&out, ".png"), "{command:?}");
        // one that is not asked for again would be out of date
        let ran = place.bristle(&command[..command.len() - 2]);
        assert_eq!(ran.code, Some(0), "{command:?} {}", ran.err);
        assert!(stems(&out, ".pdf").is_empty(), "{command:?}");
        assert!(stems(&out, ".png").is_empty(), "{command:?}");
        assert_eq!(stems(&out, ".svg"), pdf, "{command:?}");
        fs::remove_dir_all(&out).expect("removed");
    }
    let ran = place.bristle(&["run", "block.toml", "--no-plots", "--pdf"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

const BENCH: &str = "v,F\n-0.2,-3.5\n-0.1,-3.2\n-0.05,-3.1\n0.05,3.1\n0.1,3.2\n0.2,3.5\n";

#[test]
fn a_folder_of_others_is_not_written_into() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let commands: [&[&str]; 6] = [
        &["run", "block.toml", "--out"],
        &["compare", "block.toml", "--law", "gkf", "--out"],
        &[
            "sweep",
            "block.toml",
            "--vary",
            "body.block.mass=1,2",
            "--out",
        ],
        &["characterise", "dahl", "--out"],
        &["laws", "--markdown"],
        &["man", "--dir"],
    ];
    for command in commands {
        let mine = place.path("mine");
        fs::create_dir_all(&mine).expect("a folder");
        place.write("mine/notes.txt", "mine");
        let mut arguments = command.to_vec();
        arguments.push("mine");
        let ran = place.bristle(&arguments);
        assert_eq!(ran.code, Some(2), "{command:?} {}", ran.err);
        assert!(ran.err.contains("--force"), "{command:?} {}", ran.err);
        assert_eq!(support::entries(&mine), ["notes.txt"], "{command:?}");
        arguments.push("--force");
        let ran = place.bristle(&arguments);
        assert_eq!(ran.code, Some(0), "{command:?} {}", ran.err);
        assert!(support::entries(&mine).len() > 1, "{command:?}");
        fs::remove_dir_all(&mine).expect("removed");
    }
}

/// Digits and derivatives of an earlier run would be taken for those of this one.
#[test]
fn digits_and_derivatives_of_an_earlier_run_go() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let files = ["verify.json", "gradient.csv", "gradient.json"];
    let there = |name: &&str| place.path(&format!("one/{name}")).exists();
    let command = ["run", "block.toml", "--no-plots", "--out", "one"];
    let asked = [&command[..], &["--verify", "--gradient", "body.block.mass"]].concat();
    let ran = place.bristle(&asked);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(files.iter().all(there));
    assert_eq!(place.bristle(&command).code, Some(0));
    assert!(!files.iter().any(there));
}

/// A field that is no number is refused before anything is written.
#[test]
fn a_derivative_by_nothing_writes_nothing() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let ran = place.bristle(&[
        "run",
        "block.toml",
        "--out",
        "two",
        "--gradient",
        "body.block.maas",
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("body.block.mass"), "{}", ran.err);
    assert!(!place.path("two").exists());
}

#[test]
fn a_folder_belongs_to_the_command_that_made_it() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    for expected in [Some(0), Some(0)] {
        assert_eq!(
            place.bristle(&["run", "block.toml", "--out", "one"]).code,
            expected
        );
    }
    let other = place.bristle(&["compare", "block.toml", "--law", "gkf", "--out", "one"]);
    assert_eq!(other.code, Some(2), "{}", other.err);
    assert!(other.err.contains("bristle run"), "{}", other.err);
}

#[test]
fn an_input_is_never_an_output() {
    let place = Place::new();
    let motion = "t,v,N\n0,0.001,1\n0.1,0.001,1\n";
    place.write("force.csv.partial", motion);
    let ran = place.bristle(&[
        "drive",
        "force.csv.partial",
        "--law",
        "dahl",
        "--param",
        "mu_k=0.1",
        "--param",
        "sigma_0=1e4",
        "--out",
        "force.csv",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let kept = fs::read_to_string(place.path("force.csv.partial")).expect("kept");
    assert_eq!(kept, motion);
}

#[test]
fn what_does_not_arrive_is_an_error() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.write("bench.csv", BENCH);
    if !std::path::Path::new("/dev/full").exists() {
        eprintln!("no /dev/full here");
        return;
    }
    for command in [
        "laws",
        "laws lugre --json",
        "run block.toml --json --no-plots",
        "check block.toml",
        "schema",
        "completions bash",
    ] {
        let (code, error) = shell(&place, &format!("bristle {command} > /dev/full"));
        assert_eq!(code, Some(1), "{command}: {error}");
        assert!(error.contains("standard output"), "{command}: {error}");
    }
    // a pipe whose reader has gone
    let line = "{ bristle schema; echo $? >&2; } | true; sleep 0.2";
    let (_, error) = shell(&place, line);
    assert!(error.trim_end().ends_with('1'), "{error}");
}

#[test]
fn a_limit_of_the_size_of_files_is_an_error_with_a_place() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    // one block of 512 bytes or of 1024, as the shell counts
    let line = "ulimit -f 1; bristle run block.toml --quiet --no-plots --out small 2> error.txt; \
                code=$?; exit $code";
    let (code, _) = shell(&place, line);
    assert_eq!(code, Some(1));
    assert!(!place.path("small/summary.json").exists());
    // in the middle of the rows, several thousand bytes of which are written at once
    let rows = "bristle run block.toml --set simulation.output_step=1e-6 --quiet --no-plots --out";
    let (code, error) = shell(&place, &format!("ulimit -f 100; {rows} rows"));
    assert_eq!(code, Some(1), "{error}");
    let words = error.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("results.csv.partial: File too large"),
        "{words}"
    );
    assert!(words.contains("--out DIR"), "{words}");
    assert!(!place.path("rows/summary.json").exists());
}

#[test]
fn names_do_not_steer_the_terminal() {
    let place = Place::new();
    let title = "title = \"\\u001b]0;owned\\u0007\\u001b[2J\"\n";
    place.write(
        "block.toml",
        &format!("{title}{}", BLOCK.replace("title ", "# ")),
    );
    for command in [&["run", "block.toml"][..], &["check", "block.toml"]] {
        let ran = place.bristle(command);
        assert!(
            !ran.out.contains('\x1b') && !ran.err.contains('\x1b'),
            "{ran:?}"
        );
    }
}
