//! What the command prints: JSON, colours, pages, help.

#![allow(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test may panic, and tells what it could not run"
)]

mod support;

use std::process::{Command, Stdio};

use serde_json::Value;
use support::{BLOCK, Place, entries, expecting};

#[test]
fn json_is_json_and_nothing_else() {
    let place = Place::new();
    place.write("block.toml", &expecting(0.2));
    let summary = place.bristle(&["run", "block.toml", "--json"]).json();
    for name in [
        "scenario",
        "version",
        "end_time",
        "steps",
        "rejected_steps",
        "iterations",
        "wall_s",
        "energy",
        "contacts",
        "expectations",
    ] {
        assert!(!summary[name].is_null(), "{name} is not in {summary}");
    }
    assert_eq!(summary["expectations"][0]["met"], true);
    assert!(summary["contacts"]["base"]["first_slip_time"].is_f64());
    let written = std::fs::read_to_string(place.path("results/block/summary.json")).expect("there");
    assert_eq!(
        serde_json::from_str::<Value>(&written).expect("JSON"),
        summary
    );

    let check = place.bristle(&["check", "block.toml", "--json"]).json();
    assert_eq!(
        (&check["ok"], &check["model"]["degrees_of_freedom"]),
        (&true.into(), &1.into())
    );
    let bad = place.bristle(&[
        "check",
        "block.toml",
        "--json",
        "--set",
        "body.block.mass=-1",
    ]);
    assert_eq!(bad.code, Some(2));
    assert!(
        bad.json()["errors"][0]["message"]
            .as_str()
            .is_some_and(|m| m.contains("mass"))
    );

    let laws = place.bristle(&["laws", "--json"]).json();
    assert!(
        laws["friction"]
            .as_array()
            .is_some_and(|list| list.len() > 5)
    );
    let lugre = place.bristle(&["laws", "lugre", "--json"]).json();
    assert_eq!(lugre["parameters"][0]["symbol"], "sigma_0");
    assert_eq!(
        place.bristle(&["laws", "Hunt-Crossley"]).code,
        Some(2),
        "case matters"
    );
    assert_eq!(
        place.bristle(&["laws", "hunt-crossley", "--json"]).json()["kind"],
        "normal"
    );

    let schema = place.bristle(&["schema"]).json();
    assert!(schema["properties"]["simulation"].is_object());
}

#[test]
fn there_is_no_colour_without_a_terminal() {
    let place = Place::new();
    place.write(
        "block.toml",
        &BLOCK.replace("viscous_coefficient = 20, ", ""),
    );
    for arguments in [
        &["run", "block.toml"][..],
        &["laws", "lugre"],
        &["run", "nothing.toml"],
    ] {
        for no_colour in ["", "1"] {
            let mut command = place.command(arguments);
            command.env("NO_COLOR", no_colour).env("FORCE_COLOR", "1");
            let output = command.output().expect("started");
            assert!(!output.stdout.contains(&0x1b), "{arguments:?}");
            assert!(!output.stderr.contains(&0x1b), "{arguments:?}");
        }
    }
}

#[test]
fn warnings_are_shown_and_kept() {
    let place = Place::new();
    // LuGre with much bristle damping and no viscous friction is not passive
    place.write(
        "block.toml",
        &BLOCK.replace("viscous_coefficient = 20, ", ""),
    );
    let ran = place.bristle(&["run", "block.toml", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.err.contains("warning") && ran.err.contains("not passive"),
        "{}",
        ran.err
    );
    let warnings = ran.json()["warnings"].as_array().map_or(0, Vec::len);
    assert!(warnings > 0);
}

#[test]
fn quiet_is_quiet() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let ran = place.bristle(&["run", "block.toml", "--quiet"]);
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (Some(0), "", "")
    );
}

/// The archive, read by the reader of recordings, holds the numbers of the text to the last bit.
#[test]
fn arrays_hold_what_the_table_holds() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let run = ["run", "block.toml", "--no-plots", "--out", "out"];
    let ran = place.bristle(&[&run[..], &["--format", "npz"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let read =
        |name: &str| bristle_recordings::DataTable::read(&place.path(name)).expect("a table");
    let (arrays, text) = (read("out/results.npz"), read("out/results.csv"));
    assert_eq!(arrays.names, text.names);
    assert_eq!(arrays.notes, text.notes);
    assert!(arrays.columns[0].len() > 100);
    let bits = |columns: &[Vec<f64>]| -> Vec<u64> {
        columns
            .iter()
            .flatten()
            .map(|value| value.to_bits())
            .collect()
    };
    assert!(bits(&arrays.columns) == bits(&text.columns));
    // and says what they are
    let file = std::fs::File::open(place.path("out/results.npz")).expect("there");
    let mut archive = zip::ZipArchive::new(file).expect("an archive");
    let member = archive.by_name("channels.json").expect("a member");
    let inside = std::io::read_to_string(member).expect("a text");
    let beside = std::fs::read_to_string(place.path("out/channels.json")).expect("there");
    assert_eq!(inside, beside);
    // a later run without it leaves no arrays of the earlier one
    assert_eq!(place.bristle(&run).code, Some(0));
    assert!(!place.path("out/results.npz").exists());
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    for out in ["a", "b"] {
        assert_eq!(
            place.bristle(&["run", "block.toml", "--out", out]).code,
            Some(0)
        );
    }
    for name in ["results.csv", "channels.json", "energies.svg"] {
        let read = |out: &str| std::fs::read(place.path(out).join(name)).expect("there");
        assert!(read("a") == read("b"), "{name} differs");
    }
}

#[test]
fn a_second_run_replaces_the_first() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    assert_eq!(place.bristle(&["run", "block.toml"]).code, Some(0));
    let shorter = [
        "run",
        "block.toml",
        "--no-plots",
        "--set",
        "simulation.end_time=0.1",
    ];
    assert_eq!(place.bristle(&shorter).code, Some(0));
    let files = entries(&place.path("results/block"));
    assert_eq!(
        files,
        ["channels.json", "model.json", "results.csv", "summary.json"]
    );
    let csv = std::fs::read_to_string(place.path("results/block/results.csv")).expect("there");
    assert_eq!(csv.lines().count(), 102, "a header and 0 to 100 ms");
}

#[test]
fn a_reader_that_goes_away_is_an_error_and_no_panic() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    for arguments in [
        &["laws"][..],
        &["schema"],
        &["laws", "lugre"],
        &["run", "block.toml", "--json"],
    ] {
        // nobody reads, from the start on: a fast command could be done before its reader goes away
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = place.command(arguments);
        let ran = command.stdout(writer).stderr(Stdio::piped()).spawn();
        let output = ran.expect("started").wait_with_output().expect("ended");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
        // a script that waits for the whole output must not take a part of it for all
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {err}");
        assert!(err.contains("standard output"), "{arguments:?}: {err}");
    }
}

/// The commands that `bristle --help` lists.
fn all_commands(place: &Place) -> Vec<String> {
    let help = place.bristle(&["--help"]).out;
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = lines.take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| {
        line.split_whitespace()
            .next()
            .filter(|_| line.starts_with("  ") && !line.starts_with("   "))
    });
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_has_help_with_examples_that_can_be_given() {
    let place = Place::new();
    let commands = all_commands(&place);
    assert!(commands.len() > 12, "{commands:?}");
    for command in commands {
        let ran = place.bristle(&[&command, "--help"]);
        assert_eq!(ran.code, Some(0), "{command}");
        let start = format!("  bristle {command}");
        let joined = ran.out.replace("\\\n", " ");
        let examples: Vec<&str> = joined
            .lines()
            .filter(|line| line.starts_with(&start))
            .collect();
        assert!(
            ran.out.contains("Example") && !examples.is_empty(),
            "{}",
            ran.out
        );
        for example in examples {
            // up to a pipe, a redirection or what is said of it
            let end = ["   ", " | ", " > "].map(|mark| example.trim_start().find(mark));
            let end = end.into_iter().flatten().min().unwrap_or(usize::MAX);
            let given = &example.trim_start()[..end.min(example.trim_start().len())];
            let given = format!(
                "{} --help",
                given.replacen("bristle", env!("CARGO_BIN_EXE_bristle"), 1)
            );
            let output = Command::new("sh")
                .args(["-c", &given])
                .output()
                .expect("started");
            assert!(
                output.status.success(),
                "{example}\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    let script = place.bristle(&["completions", "bash"]);
    assert!(script.out.contains("_bristle"));
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    let ran = place.bristle(&["man", "--dir", "man"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut wanted: Vec<String> = all_commands(&place)
        .iter()
        .map(|name| format!("bristle-{name}.1"))
        .collect();
    wanted.push("bristle.1".to_owned());
    wanted.sort();
    assert_eq!(support::entries(&place.path("man")), wanted);
    let page = place.bristle(&["man", "sweep"]).out;
    assert!(
        page.contains(".TH bristle-sweep 1") && page.contains("Exit codes"),
        "{page}"
    );
    let ran = place.bristle(&["man", "swep"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("did you mean \"sweep\"?"), "{}", ran.err);
}

#[test]
fn a_narrow_terminal_is_no_reason_to_fail() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    // a terminal of 20 columns, as `script` makes one
    for command in [
        "laws",
        "laws lugre",
        "run block.toml",
        "check block.toml",
        "examples",
        "run nothing.toml",
        "characterise coulomb_tanh",
        "compare block.toml --law gkf",
    ] {
        let line = format!("stty cols 20; {} {command}", env!("CARGO_BIN_EXE_bristle"));
        let mut script = Command::new("script");
        script
            .args(["-qec", &line, "/dev/null"])
            .current_dir(place.path("."));
        let Ok(output) = script.stdin(Stdio::null()).output() else {
            eprintln!("skipped: there is no `script` to make a terminal");
            return;
        };
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(!told.contains("panicked"), "{command}\n{told}");
        let wanted = if command.contains("nothing") { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(wanted), "{command}\n{told}");
    }
}

#[test]
fn every_law_has_a_page() {
    let place = Place::new();
    let laws = place.bristle(&["laws", "--json"]).json();
    let list = |kind: &str| laws[kind].as_array().cloned().unwrap_or_default();
    for law in list("friction").iter().chain(&list("normal")) {
        let name = law["name"].as_str().expect("a name");
        let page = place.bristle(&["laws", name]);
        assert_eq!(page.code, Some(0), "{name}");
        for part in ["equations", "parameters", "source"] {
            assert!(page.out.contains(part), "{name} has no {part}");
        }
    }
}
