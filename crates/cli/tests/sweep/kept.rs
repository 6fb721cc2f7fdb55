//! Channels of all runs, tables as arrays, and job scripts.

use super::{DAMPING, table, vary};
use crate::support::{BLOCK, Place, entries};

const X: &str = "body.block.position.x";

fn column(place: &Place, file: &str, name: &str) -> Vec<f64> {
    let table = bristle_recordings::DataTable::read(&place.path(file)).expect("arrays");
    let index = table
        .names
        .iter()
        .position(|known| known == name)
        .expect("a column");
    table.columns[index].clone()
}

#[test]
fn rows_of_all_runs_stand_in_one_file() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let axis = vary(DAMPING, "10,20,30");
    let sweep = |out: &str, more: &[&str]| {
        let fixed = [
            "sweep",
            "block.toml",
            "--vary",
            &axis,
            "--channel",
            X,
            "--no-plots",
            "--out",
            out,
        ];
        let ran = place.bristle(&[&fixed[..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    };
    sweep("out", &[]);
    assert_eq!(
        entries(&place.path("out/channels")),
        ["cases-0000001-0000003.npz"]
    );
    let file = "out/channels/cases-0000001-0000003.npz";
    let (cases, times, x) = (
        column(&place, file, "case"),
        column(&place, file, "t"),
        column(&place, file, X),
    );
    // the rows of the second case are those of a single run
    let set = vary(DAMPING, "20");
    let single = place.bristle(&[
        "run",
        "block.toml",
        "--set",
        &set,
        "--no-plots",
        "--out",
        "single",
    ]);
    assert_eq!(single.code, Some(0), "{}", single.err);
    let of_second = |values: &[f64]| -> Vec<u64> {
        let both = cases
            .iter()
            .zip(values)
            .filter(|(case, _)| **case > 1.5 && **case < 2.5);
        both.map(|(_, value)| value.to_bits()).collect()
    };
    let bits = |values: Vec<f64>| -> Vec<u64> { values.into_iter().map(f64::to_bits).collect() };
    assert_eq!(of_second(&x), bits(column(&place, "single/results.csv", X)));
    assert_eq!(
        of_second(&times),
        bits(column(&place, "single/results.csv", "t"))
    );
    // made by two shards and gathered, or resumed: the same bytes
    let bytes = |out: &str| {
        let file = format!("{out}/channels/cases-0000001-0000003.npz");
        std::fs::read(place.path(&file)).expect("a file")
    };
    for shard in ["1/2", "2/2"] {
        sweep("shards", &["--shard", shard]);
    }
    sweep("out", &["--resume"]);
    assert!(bytes("out") == bytes("shards"));
    // another list of channels is another sweep
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
    assert!(ran.err.contains("--channel"), "{}", ran.err);
}

#[test]
fn the_table_as_arrays_has_its_numbers() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let axis = vary(DAMPING, "10,20,30");
    let ran = place.bristle(&[
        "sweep",
        "block.toml",
        "--vary",
        &axis,
        "--format",
        "npz",
        "--out",
        "out",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let rows = table(&place.path("out/sweep.csv"));
    for name in [
        DAMPING,
        "case",
        "energy.dissipated",
        "contacts.base.first_slip_time",
    ] {
        let cells: Vec<f64> = rows
            .iter()
            .map(|row| row[name].parse().expect("a number"))
            .collect();
        let bits = |values: &[f64]| {
            values
                .iter()
                .map(|value| value.to_bits())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            bits(&column(&place, "out/sweep.npz", name)),
            bits(&cells),
            "{name}"
        );
    }
    assert_eq!(column(&place, "out/sweep.npz", "complete"), [1.0; 3]);
}

#[cfg(unix)]
#[test]
fn a_job_script_makes_the_sweep() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let axis = vary(DAMPING, "10:70:7");
    let sweep = ["sweep", "block.toml", "--vary", &axis, "--no-plots"];
    let ran = place.bristle(&[&sweep[..], &["--out", "out", "--slurm", "3"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("sbatch out/sweep.slurm"), "{}", ran.out);
    assert_eq!(entries(&place.path("out")), ["sweep.slurm"]);
    // numbers of the jobs may begin at 0
    for job in ["0", "1", "2"] {
        assert!(!place.path("out/sweep.csv").exists());
        let status = std::process::Command::new("sh")
            .arg(place.path("out/sweep.slurm"))
            .env("SLURM_ARRAY_TASK_ID", job)
            .env("SLURM_ARRAY_TASK_COUNT", "3")
            .env("SLURM_ARRAY_TASK_MIN", "0")
            .status();
        let log = std::fs::read_to_string(place.path(&format!("out/shard-{job}.log")));
        assert!(status.expect("sh runs").success(), "{log:?}");
    }
    assert_eq!(
        place
            .bristle(&[&sweep[..], &["--out", "whole"]].concat())
            .code,
        Some(0)
    );
    let bytes = |name: &str| std::fs::read(place.path(name)).expect("a table");
    assert!(bytes("out/sweep.csv") == bytes("whole/sweep.csv"));
    let ran = place.bristle(&[&sweep[..], &["--out", "none", "--shard", "auto"]].concat());
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("SLURM_ARRAY_TASK_ID is not set"),
        "{}",
        ran.err
    );
}
