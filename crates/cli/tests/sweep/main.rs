//! `bristle sweep` as a user meets it: tables, kills, shards, failures, bad input.

#![allow(
    clippy::expect_used,
    clippy::too_many_lines,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a test may panic; the file names are our own; a table of cases is long"
)]

mod designs;
mod kept;
mod resuming;
#[path = "../support/mod.rs"]
mod support;

use std::path::Path;

use support::{BLOCK, Place, entries};

const MU: &str = "contact.base.friction.static_coefficient";
const DAMPING: &str = "contact.base.friction.bristle_damping";

fn vary(path: &str, values: &str) -> String {
    format!("{path}={values}")
}

/// The table as rows of named cells.
fn table(path: &Path) -> Vec<std::collections::BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).expect("a table");
    let mut lines = text.lines();
    let split = |line: &str| -> Vec<String> {
        // no cell of these tests has a comma but those in quotes, which are not looked at
        line.split(',').map(str::to_owned).collect()
    };
    let heads = split(lines.next().expect("a header"));
    let row = |line: &str| heads.iter().cloned().zip(split(line)).collect();
    lines.map(row).collect()
}

#[test]
fn the_table_has_all_combinations_in_si_and_as_given() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let mass = vary("body.block.mass", "500 g,1 kg");
    let ran = place.bristle(&[
        "sweep",
        "block.toml",
        "--vary",
        &mass,
        "--vary",
        &vary(MU, "0.12:0.18:3"),
        "--measure",
        "body.block.position.x:max",
        "--measure",
        "contacts.base.stuck_time",
        "--out",
        "out",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("6 runs"), "{}", ran.err);
    assert!(ran.out.contains("contact.base.stuck_time"), "{}", ran.out);
    let rows = table(&place.path("out/sweep.csv"));
    let column = |name: &str| -> Vec<String> { rows.iter().map(|row| row[name].clone()).collect() };
    assert_eq!(
        column("body.block.mass"),
        ["0.5", "0.5", "0.5", "1", "1", "1"]
    );
    let given = column("body.block.mass (as given)");
    assert_eq!(given[..4], ["500 g", "500 g", "500 g", "1 kg"]);
    assert_eq!(column(MU)[..3], ["0.12", "0.15", "0.18"]);
    assert!(column("status").iter().all(|status| status == "complete"));
    // the numbers are those of a single run, to the last bit
    let single = place.bristle(&[
        "run",
        "block.toml",
        "--json",
        "--set",
        "body.block.mass=500 g",
        "--set",
        &vary(MU, "0.15"),
    ]);
    let summary = single.json();
    for (name, value) in [
        (
            "contacts.base.first_slip_time",
            &summary["contacts"]["base"]["first_slip_time"],
        ),
        (
            "contacts.base.hold_slip",
            &summary["contacts"]["base"]["longest_hold"]["slip"],
        ),
        ("energy.dissipated", &summary["energy"]["dissipated"]),
        ("steps", &summary["steps"]),
        (
            "contacts.base.stick_count",
            &summary["contacts"]["base"]["stick_count"],
        ),
        (
            "measured.contact.base.stuck_time",
            &summary["contacts"]["base"]["stuck_time"],
        ),
        (
            "measured.body.block.position.x.max",
            &summary["extremes"]["body.block.position.x"]["max"],
        ),
    ] {
        let cell: f64 = rows[1][name].parse().expect("a number");
        let value = value.as_f64().expect("a number");
        // the reader of JSON rounds to a unit in the last place
        let unit = value.abs() * f64::EPSILON;
        assert!((cell - value).abs() <= unit, "{name}: {cell} {value}");
    }
    let files = entries(&place.path("out"));
    for file in ["columns.json", "sweep.json", "contacts.base.dissipated.svg"] {
        assert!(files.iter().any(|name| name == file), "{files:?}");
    }
}

#[test]
fn the_numbers_do_not_depend_on_the_jobs() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let axis = vary(DAMPING, "1:100:9:log");
    for jobs in ["1", "2", "7"] {
        let ran = place.bristle(&[
            "sweep",
            "block.toml",
            "--vary",
            &axis,
            "--jobs",
            jobs,
            "--out",
            jobs,
        ]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
    let bytes = |jobs: &str| std::fs::read(place.path(jobs).join("sweep.csv")).expect("a table");
    assert!(bytes("1") == bytes("2") && bytes("1") == bytes("7"));
    // plain numbers have the unit of their field
    let columns = std::fs::read(place.path("1/columns.json")).expect("a file");
    let columns: serde_json::Value = serde_json::from_slice(&columns).expect("JSON");
    assert_eq!(columns[DAMPING]["unit"], "s/m");
}

/// A mass is a field with a unit like any other.
#[test]
fn plain_masses_have_their_unit() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let mass = "body.block.mass=1,2";
    let ran = place.bristle(&["sweep", "block.toml", "--vary", mass, "--out", "out"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let columns = std::fs::read(place.path("out/columns.json")).expect("a file");
    let columns: serde_json::Value = serde_json::from_slice(&columns).expect("JSON");
    assert_eq!(columns["body.block.mass"]["unit"], "kg");
}

#[test]
fn failures_are_rows_with_their_reason_and_the_rest_goes_on() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let axis = vary(MU, "0.15,-1,0.05,0.2");
    let ran = place.bristle(&["sweep", "block.toml", "--vary", &axis, "--out", "out"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("2 of 4 runs did not complete"),
        "{}",
        ran.err
    );
    let text = std::fs::read_to_string(place.path("out/sweep.csv")).expect("a table");
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let ends = ["complete", "refused", "refused", "complete"];
    for (line, end) in lines.iter().zip(ends) {
        assert!(line.contains(end), "{line}");
    }
    assert!(lines[1].contains("static_coefficient"), "{}", lines[1]);
    // a failure is a result: it is not tried again, and still told
    let again = place.bristle(&[
        "sweep",
        "block.toml",
        "--vary",
        &axis,
        "--out",
        "out",
        "--resume",
        "--json",
    ]);
    assert_eq!(
        (again.code, again.json()["computed"].as_u64()),
        (Some(1), Some(0))
    );
}

#[test]
fn laws_can_be_swept_although_their_fields_differ() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let law = vary("contact.base.friction.law", "lugre,gkf");
    let ran = place.bristle(&[
        "sweep",
        "block.toml",
        "--vary",
        &law,
        "--vary",
        &vary(DAMPING, "30,60"),
        "--out",
        "out",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // gkf has no bristle damping: its two cases are one run, and the user is told
    let counts = ran.json();
    assert_eq!(counts["computed"], 3);
    assert!(ran.err.contains("means nothing in 2 cases"), "{}", ran.err);
    let rows = counts["rows"].as_array().expect("rows");
    assert_eq!(rows[2]["values"], rows[3]["values"]);
    assert_ne!(rows[0]["values"], rows[1]["values"]);
}

/// Of two joints no number stands without its joint, also where the other one's finds no room.
#[test]
fn numbers_of_two_joints_have_their_joint_in_the_table() {
    let place = Place::new();
    let law = "joint_friction.elbow.friction.law=lugre,dahl";
    let short = "simulation.end_time=0.05";
    let ran = place.bristle(&[
        "sweep", "arm", "--vary", law, "--set", short, "--out", "out",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let mut heads = ran.out.split_whitespace();
    assert!(
        heads.any(|head| head == "shoulder.first_slip_time"),
        "{}",
        ran.out
    );
    let mut heads = ran.out.split_whitespace();
    assert!(
        !heads.any(|head| head == "max_angular_speed"),
        "{}",
        ran.out
    );
}

/// All contacts at once are translated as one by its name is.
#[test]
fn the_laws_of_all_contacts_are_translated() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let swept = |contact: &str, out: &str| {
        let law = vary(&format!("contact.{contact}.friction.law"), "lugre,gkf");
        let path = format!("contact.{contact}.friction.static_coefficient");
        let level = vary(&path, "0.15,0.2");
        let all = ["sweep", "block.toml", "--vary", &law, "--vary", &level];
        let ran = place.bristle(&[&all[..], &["--out", out, "--json", "--report"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let rows = ran.json()["rows"].as_array().expect("rows").clone();
        rows.into_iter()
            .map(|row| row["values"].clone())
            .collect::<Vec<_>>()
    };
    let named = swept("base", "out");
    assert_eq!(named, swept("*", "all"));
    assert_ne!(named[0], named[2]);
    // a sweep in the same folder leaves neither the page nor the plots of the earlier one
    assert!(place.path("out/report.html").is_file());
    let other = vary("body.block.mass", "1,2");
    let again = [
        "sweep",
        "block.toml",
        "--vary",
        &other,
        "--out",
        "out",
        "--no-plots",
    ];
    assert_eq!(place.bristle(&again).code, Some(0));
    let left = entries(&place.path("out"));
    let is_old = |name: &String| name.ends_with(".html") || name.ends_with(".svg");
    assert!(!left.iter().any(is_old), "{left:?}");
}

#[test]
fn a_parameter_without_effect_is_told() {
    let place = Place::new();
    // a mass block that nothing touches
    let other = format!("{BLOCK}\n[body.other]\njoint = \"fixed\"\nmass = \"1 kg\"\n");
    place.write("block.toml", &other);
    let ran = place.bristle(&[
        "sweep",
        "block.toml",
        "--vary",
        "body.other.mass=1,2",
        "--out",
        "out",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("body.other.mass changes no number"),
        "{}",
        ran.err
    );
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let long = vary(MU, "0.1:0.2:1000");
    let lists = [long, vary(DAMPING, "1:2:1000")];
    let cases: [(&[&str], &str); 11] = [
        (
            &["contact.base.friction.static_coeficient=0.1,0.2"],
            "static_coefficient",
        ),
        (
            &["contact.bse.friction.static_coefficient=0.1,0.2"],
            "did you mean \"base\"",
        ),
        (
            &["contac.base.friction.static_coefficient=0.1,0.2"],
            "contact",
        ),
        (&["body.block.mass"], "expected path=value"),
        (&["body.block.mass="], "expected path=value"),
        (&["body.block.mass=1,,2"], "empty"),
        (&["body.block.mass=1:2:1"], "2 or more"),
        (&["body.block.mass=1 kg:2 m:3"], "different kinds"),
        (
            &["body.block.mass=1,2", "body.block.mass=3,4"],
            "given twice",
        ),
        (&["body.block.mass=-1,-2"], "mass"),
        (&[&lists[0], &lists[1]], "1000000 runs"),
    ];
    for (axes, part) in cases {
        let mut arguments = vec!["sweep", "block.toml", "--out", "out"];
        for axis in axes {
            arguments.extend(["--vary", axis]);
        }
        let ran = place.bristle(&arguments);
        assert_eq!(ran.code, Some(2), "{axes:?}: {}", ran.err);
        // the frame of a message may break its lines
        let words: Vec<&str> = ran.err.split_whitespace().filter(|w| *w != "│").collect();
        assert!(words.join(" ").contains(part), "{axes:?}: {}", ran.err);
    }
    for (option, value) in [
        ("--shard", "0/3"),
        ("--shard", "4/3"),
        ("--shard", "x"),
        ("--jobs", "0"),
        ("--measure", "nothing:max"),
    ] {
        let ran = place.bristle(&[
            "sweep",
            "block.toml",
            "--vary",
            "body.block.mass=1,2",
            option,
            value,
        ]);
        assert_eq!(ran.code, Some(2), "{option} {value}: {}", ran.err);
    }
    assert_eq!(place.entries(), ["block.toml"]);
    // a folder that is a file, and a table that is somebody else's
    place.write("file", "");
    std::fs::create_dir(place.path("theirs")).expect("created");
    place.write("theirs/sweep.csv", "a,b\n");
    for out in ["file", "theirs"] {
        let ran = place.bristle(&[
            "sweep",
            "block.toml",
            "--vary",
            "body.block.mass=1,2",
            "--out",
            out,
        ]);
        assert_eq!(ran.code, Some(2), "{out}: {}", ran.err);
    }
    assert_eq!(entries(&place.path("theirs")), ["sweep.csv"]);
}

#[test]
fn duplicates_are_taken_once() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let ran = place.bristle(&[
        "sweep",
        "block.toml",
        "--vary",
        "body.block.mass=1,1 kg,2",
        "--out",
        "out",
        "--json",
    ]);
    // a pure number and a mass are told apart only by the field, so both stay; equal texts do not
    let same = place.bristle(&[
        "sweep",
        "block.toml",
        "--vary",
        "body.block.mass=1 kg,1000 g",
        "--out",
        "same",
        "--json",
    ]);
    assert_eq!((ran.code, same.code), (Some(0), Some(0)));
    assert_eq!(same.json()["runs"], 1);
    assert!(same.err.contains("1000 g"), "{}", same.err);
}
