//! What the command prints: JSON, colours, pages, help.

mod support;

use std::process::Stdio;

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
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    for arguments in [
        &["laws"][..],
        &["schema"],
        &["laws", "lugre"],
        &["run", "block.toml", "--json"],
    ] {
        let mut child = place
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        // nobody reads
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ended");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {err}");
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let place = Place::new();
    for command in ["run", "check", "laws", "examples", "schema", "completions"] {
        let ran = place.bristle(&[command, "--help"]);
        assert_eq!(ran.code, Some(0), "{command}");
        assert!(
            ran.out.contains("Example") && ran.out.contains(&format!("bristle {command}")),
            "{}",
            ran.out
        );
    }
    let script = place.bristle(&["completions", "bash"]);
    assert!(script.out.contains("_bristle"));
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
