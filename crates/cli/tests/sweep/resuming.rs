//! Sweeps that are killed, interrupted, changed, and cut into shards.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{DAMPING, MU, vary};
use crate::support::{BLOCK, Place, entries};

/// Runs whose lines are whole in the files of a folder.
fn runs_in(folder: &Path) -> usize {
    let files = entries(folder)
        .into_iter()
        .filter(|name| name.ends_with(".jsonl"));
    let texts = files.map(|name| std::fs::read_to_string(folder.join(name)).expect("text"));
    texts
        .map(|text| {
            let lines = text
                .split_inclusive('\n')
                .filter(|line| line.ends_with('\n'));
            lines.filter(|line| line.contains("\"key\"")).count()
        })
        .sum()
}

/// A run of some 0.1 s in a test build: long enough to be killed in.
fn slow() -> String {
    BLOCK.replace(
        "output_step = \"1 ms\"",
        "output_step = \"1 ms\"\nintegrator = { max_step = 1e-5 }",
    )
}

#[test]
fn a_killed_sweep_goes_on_where_it_was() {
    let place = Place::new();
    place.write("block.toml", &slow());
    let axis = vary(DAMPING, "1:60:24");
    let arguments = [
        "sweep",
        "block.toml",
        "--vary",
        &axis,
        "--out",
        "out",
        "--jobs",
        "2",
    ];
    let mut child = place
        .command(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    let runs = place.path("out/runs");
    let done = || runs_in(&runs);
    let begun = Instant::now();
    while done() < 3 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    // SIGKILL on Unix
    child.kill().expect("killed");
    child.wait().expect("gone");
    let before = done();
    assert!(
        (3..24).contains(&before),
        "{before} runs were done at the kill"
    );
    assert!(!place.path("out/sweep.csv").exists());
    // without --resume nothing is lost either
    let refused = place.bristle(&arguments);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("--resume"), "{}", refused.err);
    assert_eq!(done(), before);
    let mut resume = arguments.to_vec();
    resume.extend(["--resume", "--json"]);
    let ran = place.bristle(&resume);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let counts = ran.json();
    assert_eq!(counts["done_before"], before);
    assert_eq!(counts["computed"], 24 - before);
    // the table is that of a sweep that nobody killed
    let whole = place.bristle(&["sweep", "block.toml", "--vary", &axis, "--out", "whole"]);
    assert_eq!(whole.code, Some(0));
    let bytes = |name: &str| std::fs::read(place.path(name)).expect("a table");
    assert!(bytes("out/sweep.csv") == bytes("whole/sweep.csv"));
    // one file for each of the two processes that made runs
    assert_eq!(entries(&runs).len(), 2);
}

#[test]
fn a_changed_scenario_is_not_mixed_with_what_is_there() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let axis = vary(MU, "0.12,0.15");
    let first = ["sweep", "block.toml", "--vary", &axis, "--out", "out"];
    assert_eq!(place.bristle(&first).code, Some(0));
    // more values are no change: what both have is not computed again
    let more = vary(MU, "0.12,0.15,0.18");
    let ran = place.bristle(&[
        "sweep",
        "block.toml",
        "--vary",
        &more,
        "--out",
        "out",
        "--resume",
        "--json",
    ]);
    assert_eq!(
        (ran.code, ran.json()["computed"].as_u64()),
        (Some(0), Some(1)),
        "{}",
        ran.err
    );
    let set = [
        "sweep",
        "block.toml",
        "--vary",
        &axis,
        "--out",
        "out",
        "--resume",
        "--set",
        "simulation.end_time=0.1",
    ];
    let ran = place.bristle(&set);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--set was none"), "{}", ran.err);
    place.write("block.toml", &BLOCK.replace("\"2 N\"", "\"3 N\""));
    let ran = place.bristle(&[
        "sweep",
        "block.toml",
        "--vary",
        &axis,
        "--out",
        "out",
        "--resume",
    ]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("block.toml changed"), "{}", ran.err);
}

#[test]
fn shards_make_the_same_table() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let axis = vary(DAMPING, "10:40:7");
    let mut last = String::new();
    for shard in ["1/3", "2/3", "3/3"] {
        assert!(!place.path("out/sweep.csv").exists());
        let ran = place.bristle(&[
            "sweep",
            "block.toml",
            "--vary",
            &axis,
            "--out",
            "out",
            "--shard",
            shard,
        ]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        last = ran.err;
    }
    assert!(!last.contains("to come"), "{last}");
    let whole = place.bristle(&["sweep", "block.toml", "--vary", &axis, "--out", "whole"]);
    assert_eq!(whole.code, Some(0));
    let bytes = |name: &str| std::fs::read(place.path(name)).expect("a table");
    assert!(bytes("out/sweep.csv") == bytes("whole/sweep.csv"));
    // a sweep that gathers makes what a shard that never ran left out
    for shard in ["1/2", "gather"] {
        let mut arguments = vec!["sweep", "block.toml", "--vary", &axis, "--out", "half"];
        match shard {
            "gather" => arguments.push("--resume"),
            shard => arguments.extend(["--shard", shard]),
        }
        assert_eq!(place.bristle(&arguments).code, Some(0));
    }
    assert!(bytes("half/sweep.csv") == bytes("whole/sweep.csv"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_sweep_says_how_to_go_on() {
    let place = Place::new();
    place.write("block.toml", &slow());
    let axis = vary(DAMPING, "1:60:40");
    let child = place
        .command(&[
            "sweep",
            "block.toml",
            "--vary",
            &axis,
            "--out",
            "out",
            "--jobs",
            "1",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    let begun = Instant::now();
    let runs = place.path("out/runs");
    while runs_in(&runs) < 2 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let interrupt = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.expect("kill runs").success());
    let output = child.wait_with_output().expect("ended");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(
        err.contains("interrupted") && err.contains("--resume"),
        "{err}"
    );
    assert!(place.path("out/sweep.partial.csv").exists());
    assert!(!place.path("out/sweep.csv").exists());
}
