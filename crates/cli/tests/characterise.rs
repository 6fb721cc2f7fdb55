//! `bristle characterise` as a user meets it.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use serde_json::Value;
use support::Place;

/// A law that is measured quickly.
const QUICK: &str = "coulomb_linear";

fn feature<'v>(report: &'v Value, key: &str) -> &'v Value {
    let features = report["features"].as_array().expect("features");
    features
        .iter()
        .find(|f| f["key"] == key)
        .expect("the feature")
}

#[test]
fn a_law_by_name_has_the_standard_parameters_and_those_given() {
    let place = Place::new();
    let report = place.bristle(&["characterise", QUICK, "--json"]).json();
    assert_eq!(report["law"], QUICK);
    // creep of a linear law: half of the load over the slope, v₀/2
    let creep = |report: &Value| {
        feature(report, "holds_constant_load")["value"]
            .as_f64()
            .expect("a number")
    };
    assert!((creep(&report) - 5e-5).abs() < 1e-8, "{report}");
    let changed = ["characterise", QUICK, "--param", "v_r=1 mm/s", "--json"];
    let report = place.bristle(&changed).json();
    assert!((creep(&report) - 5e-4).abs() < 1e-7, "{report}");
}

#[test]
fn a_law_may_come_from_a_file() {
    let place = Place::new();
    place.write("mine.toml", "law = \"coulomb_linear\"\nkinetic_coefficient = 0.2\nregularisation_velocity = \"1 mm/s\"\n");
    let report = place
        .bristle(&["characterise", "mine.toml", "--json"])
        .json();
    let peak = feature(&report, "varying_break_away")["numbers"][0]["value"].as_f64();
    assert!((peak.expect("a number") - 2.0).abs() < 1e-3, "{report}");
}

#[test]
fn files_are_written_where_they_are_asked_for() {
    let place = Place::new();
    let ran = place.bristle(&["characterise", QUICK, "--out", "found"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for name in [
        "features.json",
        "features.csv",
        "steady.svg",
        "stick_slip.svg",
        "break_away.svg",
    ] {
        assert!(place.path("found").join(name).is_file(), "{name}");
    }
    let csv = std::fs::read_to_string(place.path("found").join("features.csv")).expect("a table");
    assert!(
        csv.lines().all(|line| line.split(',').count() >= 5),
        "{csv}"
    );
}

#[test]
fn a_page_shows_features_and_measurements() {
    let place = Place::new();
    let ran = place.bristle(&[
        "characterise",
        QUICK,
        "--out",
        "found",
        "--report",
        "--quiet",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.out, "");
    let page = std::fs::read_to_string(place.path("found/report.html")).expect("a page");
    for text in [
        "on the test bench",
        "Stick-slip",
        "Parameters",
        "kinetic_coefficient",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("src=\"http"), "it needs no network");
    let ran = place.bristle(&["characterise", QUICK, "--report"]);
    assert_eq!(ran.code, Some(2), "a page needs a folder: {ran:?}");
}

#[test]
fn every_verdict_is_shown_with_its_criterion() {
    let ran = Place::new().bristle(&["characterise", "gkf"]);
    assert_eq!(ran.code, Some(0));
    for text in [
        "Stick-slip",
        "criteria",
        "falls by more than 1 %",
        "unlike the printed table",
    ] {
        assert!(ran.out.contains(text), "{text}: {}", ran.out);
    }
}

#[test]
fn bad_input_is_refused() {
    let place = Place::new();
    let ran = place.bristle(&["characterise", "lugree"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("did you mean \"lugre\"?"), "{}", ran.err);
    for arguments in [
        &["characterise"][..],
        &["characterise", QUICK, "--param", "mu_k=-1"],
        &["characterise", QUICK, "--param", "nonsense=1"],
        &["characterise", "nowhere.toml"],
        &["characterise", "--all", "--param", "mu_k=1"],
        &["characterise", QUICK, "--markdown", "page.md"],
    ] {
        assert_eq!(place.bristle(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn several_laws_share_a_table_and_pictures() {
    let place = Place::new();
    place.write(
        "stiffer.toml",
        "law = \"coulomb_linear\"\nkinetic_coefficient = 0.2\nregularisation_velocity = \"1 mm/s\"\n",
    );
    let ran = place.bristle(&[
        "characterise",
        QUICK,
        "gkf",
        "stiffer.toml",
        "--param",
        "kinetic_coefficient=0.12",
        "--out",
        "both",
        "--report",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for name in [
        "steady.svg",
        "break_away.svg",
        "gkf/steady.svg",
        "stiffer/features.json",
    ] {
        assert!(place.path("both").join(name).is_file(), "{name}");
    }
    let table = std::fs::read_to_string(place.path("both/features.csv")).expect("a table");
    assert!(table.starts_with("law,feature,"), "{table}");
    // every law has the parameter: 0.12 times 10 N; gkf adds 0.04 s/m times 10 N times 0.1 m/s
    for law in [QUICK, "gkf", "stiffer"] {
        let line = table
            .lines()
            .find(|line| line.starts_with(law) && line.contains("force at 100 mm/s"))
            .expect("a line");
        let force: f64 = line
            .split(',')
            .nth(4)
            .and_then(|x| x.parse().ok())
            .expect("a number");
        assert!((force - 1.2).abs() < 0.06, "{line}");
    }
    let picture = std::fs::read_to_string(place.path("both/steady.svg")).expect("a picture");
    for text in [QUICK, "gkf", "stiffer", "10⁻³", "−10⁻²"] {
        assert!(picture.contains(text), "{text}");
    }
    let page = std::fs::read_to_string(place.path("both/report.html")).expect("a page");
    assert!(
        page.contains("settles on the Stribeck curve"),
        "two sentences of physics"
    );
    for arguments in [
        &["characterise", QUICK, QUICK][..],
        &[
            "characterise",
            QUICK,
            "gkf",
            "--param",
            "bristle_stifness=1",
        ],
        &["characterise", QUICK, "gkff"],
    ] {
        let ran = place.bristle(arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
    }
}
