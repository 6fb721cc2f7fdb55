//! Runs that are stopped.

#![cfg(unix)]
#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{BLOCK, Place, Ran, entries};

/// A run that takes minutes, and has begun to write.
fn long_run(place: &Place) -> Child {
    let long = BLOCK.replace("end_time    = 0.2", "end_time = 2000");
    let long =
        format!("{long}\n[[expect]]\nvalue = \"end_time\"\nexpected = 2000\ntolerance = 1\n");
    place.write("block.toml", &long);
    let mut command = place.command(&[
        "run",
        "block.toml",
        "--set",
        "simulation.integrator.step=1e-5",
    ]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    let table = place.path("results/block/results.csv.partial");
    let start = Instant::now();
    // rows are handed to the system about once a second
    while std::fs::metadata(&table).map_or(0, |m| m.len()) == 0 {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "nothing was written"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill")
        .arg(signal)
        .arg(child.id().to_string())
        .status();
    assert!(sent.is_ok_and(|status| status.success()));
}

#[test]
fn an_interrupted_run_keeps_what_it_has() {
    for signal in ["-INT", "-TERM"] {
        let place = Place::new();
        let child = long_run(&place);
        send(signal, &child);
        let ran = Ran::new(child.wait_with_output().expect("ended"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("interrupted"), "{}", ran.err);
        let folder = place.path("results/block");
        let summary = std::fs::read_to_string(folder.join("summary.json")).expect("kept");
        let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
        assert_eq!(summary["status"], "interrupted");
        assert_eq!(
            summary["expectations"],
            serde_json::json!([]),
            "none is judged"
        );
        let csv = std::fs::read_to_string(folder.join("results.csv")).expect("kept");
        let columns = csv.lines().next().map_or(0, |line| line.split(',').count());
        assert!(csv.ends_with('\n'));
        assert!(
            csv.lines().all(|line| line.split(',').count() == columns),
            "whole rows"
        );
    }
}

#[test]
fn a_killed_run_leaves_nothing_that_looks_complete() {
    let place = Place::new();
    let mut child = long_run(&place);
    send("-KILL", &child);
    child.wait().expect("ended");
    assert_eq!(
        entries(&place.path("results/block")),
        ["results.csv.partial"]
    );
    // and the next run there is free to begin anew
    place.write("block.toml", BLOCK);
    assert_eq!(place.bristle(&["run", "block.toml"]).code, Some(0));
}

#[test]
fn an_interrupted_drive_leaves_nothing() {
    use std::io::Write as _;
    let place = Place::new();
    let arguments = "drive /dev/stdin --law dahl --param sigma_0=1e3 --param mu_k=0.2";
    let arguments = format!("{arguments} --out force.csv");
    let mut command = place.command(&arguments.split(' ').collect::<Vec<_>>());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    let mut motion = child.stdin.take().expect("a pipe");
    motion.write_all(b"t,v,N\n0,0,10\n").expect("read");
    let start = Instant::now();
    let begun = |place: &Place| {
        let mut names = place.entries().into_iter();
        names.any(|name| name.starts_with(".force.csv-"))
    };
    while !begun(&place) {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "it did not begin"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    send("-INT", &child);
    // it looks for signals now and then; a motion without end
    let mut row = 1_u64;
    while motion
        .write_all(format!("{row},0.001,10\n").as_bytes())
        .is_ok()
    {
        row += 1;
    }
    let ran = Ran::new(child.wait_with_output().expect("ended"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("interrupted; nothing is kept"),
        "{}",
        ran.err
    );
    assert_eq!(place.entries(), Vec::<String>::new());
}
