//! `bristle identify` as a user meets it.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod by_direction;
mod columns;
mod formats;
mod noise;
#[path = "../support/mod.rs"]
mod support;

use std::fmt::Write as _;

use support::{Place, Ran};

/// The force of a Coulomb law with tanh, 3 N at 10 N and a width of 5 mm/s, along a sine.
fn bench(rows: usize, row: impl Fn(f64, f64, f64) -> String) -> String {
    let mut text = String::new();
    for i in 0..rows {
        let t = i as f64 * 0.01;
        let v = 0.05 * (2.0 * t).sin();
        let _ = writeln!(text, "{}", row(t, v, 3.0 * (v / 5e-3).tanh()));
    }
    text
}

fn plain() -> String {
    format!(
        "t,v,F,N\n{}",
        bench(600, |t, v, f| format!("{t},{v},{f},10"))
    )
}

const TANH: [&str; 3] = ["--law", "coulomb_tanh", "--json"];

fn identify(place: &Place, data: &str, arguments: &[&str]) -> Ran {
    place.write("data.csv", data);
    let mut all = vec!["identify", "data.csv"];
    all.extend(arguments);
    place.bristle(&all)
}

fn json(ran: &Ran) -> serde_json::Value {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    serde_json::from_str(&ran.out).expect("JSON")
}

fn value(fit: &serde_json::Value, name: &str) -> f64 {
    let all = fit["parameters"].as_array().expect("a list");
    let found = all.iter().find(|p| p["name"] == name).expect(name);
    found["value"].as_f64().expect("a number")
}

#[test]
fn a_page_shows_parameters_and_what_they_are_worth() {
    let place = Place::new();
    let ran = identify(
        &place,
        &plain(),
        &[
            "--law",
            "coulomb_tanh",
            "--out",
            "fit",
            "--report",
            "--quiet",
        ],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.out, "");
    let page = std::fs::read_to_string(place.path("fit/report.html")).expect("a page");
    for text in [
        "Parameters of coulomb_tanh",
        "kinetic_coefficient",
        "95 % from",
        "steady friction",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn a_law_file_drives_and_nothing_is_written_without_out() {
    let place = Place::new();
    let ran = identify(&place, &plain(), &["--law", "coulomb-tanh"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("identified"), "{}", ran.out);
    assert_eq!(place.entries(), ["data.csv"]);
    let ran = identify(&place, &plain(), &["--law", "coulomb_tanh", "--out", "fit"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let files = support::entries(&place.path("fit"));
    for name in [
        "coulomb_tanh.toml",
        "identify.json",
        "residuals.csv",
        "force.svg",
        "curve.svg",
    ] {
        assert!(files.iter().any(|f| f == name), "{files:?}");
    }
    let motion = "t,v,N\n0,0.005,10\n1,0.005,10\n";
    place.write("motion.csv", motion);
    let ran = place.bristle(&["drive", "motion.csv", "--law", "fit/coulomb_tanh.toml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let last: f64 = ran
        .out
        .lines()
        .last()
        .and_then(|line| line.split(',').nth(1))
        .and_then(|cell| cell.parse().ok())
        .expect("a force");
    // 3 N tanh 1
    assert!((last - 3.0 * 1.0_f64.tanh()).abs() < 1e-5, "{last}");
}

#[test]
fn without_a_load_coefficients_are_forces() {
    let place = Place::new();
    let data = format!("t,v,F\n{}", bench(600, |t, v, f| format!("{t},{v},{f}")));
    let fit = json(&identify(&place, &data, &TANH));
    assert!((value(&fit, "kinetic_coefficient") - 3.0).abs() < 1e-5);
    assert_eq!(fit["parameters"][0]["unit"], "N");
    let topics: Vec<_> = fit["warnings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|w| &w["topic"])
        .collect();
    assert!(topics.iter().any(|t| *t == "no_load"), "{topics:?}");
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn bad_input_is_refused_with_its_place_and_nothing_is_written() {
    let place = Place::new();
    let line = |text: &str| format!("t,v,F,N\n0,1,1,10\n{text}\n2,1,1,10\n");
    let long = |f: &dyn Fn(f64, f64, f64) -> String| format!("t,v,F,N\n{}", bench(100, f));
    let cases: Vec<(String, Vec<&str>, &str)> = vec![
        (String::new(), vec![], "is empty"),
        (
            line("1,x,1,10"),
            vec![],
            "data.csv:3: \"x\" in column \"v\"",
        ),
        (
            line("-1,1,1,10"),
            vec![],
            "data.csv:3: t = -1 s comes after t = 0 s in line 2",
        ),
        (
            line("1,1,1"),
            vec![],
            "data.csv:3: found 3 cells, expected 4",
        ),
        (
            line("1,,1,10"),
            vec![],
            "data.csv:3: column \"v\" has no number",
        ),
        (line("1,1,1,10"), vec![], "too few for a motion"),
        (
            long(&|t, v, _| format!("{t},{v},0,10")),
            vec![],
            "the force is zero throughout",
        ),
        (
            long(&|t, _, f| format!("{t},0,{f},10")),
            vec![],
            "never moves",
        ),
        (
            long(&|t, v, f| format!("{t},{v},{},10", -f)),
            vec![],
            "against the velocity at",
        ),
        (
            long(&|t, v, f| format!("{t},{v},{f},-10")),
            vec![],
            "N = -10 N, must be 0 or more",
        ),
        (
            "t,speed,torque2\n0,1,1\n".to_owned(),
            vec![],
            "no column is the force",
        ),
        (
            plain(),
            vec!["--law", "lugree"],
            "no friction law called \"lugree\"",
        ),
        (
            plain(),
            vec!["--fix", "sigma_9=1"],
            "has no parameter `sigma_9`",
        ),
        (plain(), vec!["--fix", "mu_k=-1"], "must be in (0, ∞)"),
        (
            plain(),
            vec!["--bound", "mu_k=0.5:0.9", "--start", "mu_k=0.2"],
            "outside of the bounds",
        ),
        (plain(), vec!["--with", "masss"], "there is no such term"),
        (plain(), vec!["--with", "viscous"], "that is `drag`"),
        (
            plain(),
            vec!["--starts", "0"],
            "--starts 0, must be in [1, 1000]",
        ),
        (plain(), vec!["--elements", "11"], "must be in [1, 10]"),
        // 5.99 s at 100 Hz
        (plain(), vec!["--delay", "100"], "must be within ± 0.599 s"),
        (plain(), vec!["--lowpass", "1e9"], "must be in (0, 50 Hz)"),
        (
            plain(),
            vec!["--law", "none", "--with", "preload"],
            "--with preload adds to the load of a law, and `none` has no law",
        ),
        (
            plain(),
            vec!["--law", "none", "--with", "asymmetric"],
            "`none` has no law",
        ),
        (
            plain(),
            vec!["--column", "force=Torque"],
            "there is no column \"Torque\"",
        ),
        (
            plain(),
            vec!["--test", "missing.csv"],
            "cannot read missing.csv",
        ),
    ];
    for (data, options, part) in cases {
        let mut arguments = vec!["--out", "fit"];
        if !options.contains(&"--law") {
            arguments.extend(["--law", "coulomb_tanh"]);
        }
        arguments.extend(options);
        let ran = identify(&place, &data, &arguments);
        assert_eq!(ran.code, Some(2), "{part}: {}", ran.err);
        let flat = ran.err.replace("\n  │", "").replace('\n', " ");
        let flat: Vec<&str> = flat.split_whitespace().collect();
        assert!(flat.join(" ").contains(part), "{part}: {}", ran.err);
        assert!(!place.path("fit").exists(), "{part}");
    }
}

/// Profiles stand beside the intervals of the covariance, and the global search ends at the same
/// optimum.
#[test]
fn profiles_and_a_global_search_on_request() {
    let place = Place::new();
    let plain = json(&identify(&place, &plain(), &TANH));
    let options = [
        "--law",
        "coulomb_tanh",
        "--json",
        "--global",
        "--profile",
        "--out",
        "fit",
    ];
    let fit = json(&identify(&place, &self::plain(), &options));
    for name in ["kinetic_coefficient", "regularisation_velocity"] {
        assert!(
            (value(&fit, name) / value(&plain, name) - 1.0).abs() < 1e-6,
            "{name}"
        );
        assert!(place.path(&format!("fit/profile-{name}.svg")).exists());
    }
    assert_eq!(fit["profiles"][0]["name"], "kinetic_coefficient");
    let ran = identify(
        &place,
        &self::plain(),
        &[&TANH[..], &["--profile", "--loss", "huber"]].concat(),
    );
    assert_eq!(ran.code, Some(2));
}

/// What preparation did stands in the result, stage by stage, with plots of raw and prepared
/// signals.
#[test]
fn stages_of_the_preparation_are_told() {
    let place = Place::new();
    let spiky = format!(
        "t,x,F,N\n{}",
        bench(600, |t, _, f| {
            let x = 0.025 * (1.0 - (2.0 * t).cos());
            let f = if (t - 3.0).abs() < 1e-9 { 100.0 } else { f };
            format!("{t},{x},{f},10")
        })
    );
    let options = [
        "--law",
        "coulomb_tanh",
        "--json",
        "--out",
        "fit",
        "--trim",
        "0.5:5.5",
    ];
    let more = ["--resample", "200Hz", "--lowpass", "30Hz"];
    let fit = json(&identify(&place, &spiky, &[&options[..], &more].concat()));
    let stages = fit["data"][0]["stages"].as_array().expect("a list");
    let names: Vec<&str> = stages.iter().filter_map(|s| s["stage"].as_str()).collect();
    for name in [
        "rows",
        "trim",
        "resample",
        "lowpass",
        "differentiate",
        "outliers",
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    // from 0.5 s to 5.5 s at 200 Hz
    assert_eq!(stages[2]["samples"], 1001);
    for name in ["force", "velocity", "position"] {
        assert!(place.path(&format!("fit/prepared-{name}.svg")).exists());
    }
}

/// Units that are off and columns that are swapped are told, with `--quiet` and `--json` too.
#[test]
fn doubtful_signals_are_told() {
    let place = Place::new();
    let told = |data: &str, part: &str| {
        let fit = json(&identify(&place, data, &TANH));
        let text = fit["warnings"].to_string();
        assert!(text.contains(part), "{part}: {text}");
    };
    let of = |row: &dyn Fn(f64, f64, f64) -> String| format!("t,v,F,N\n{}", bench(600, row));
    told(
        &of(&|t, v, f| format!("{t},{},{f},10", 1e3 * v)),
        "suspicious unit",
    );
    told(
        &of(&|t, v, f| format!("{t},{},{f},10", 1e3 * v)),
        "0.1 m/s is usual",
    );
    told(
        &of(&|t, v, f| format!("{t},{v},{},10", 1e3 * f)),
        "off, by 1000",
    );
    told(
        &of(&|t, _, _| format!("{t},0.05,{},10", 3.0 + 0.01 * (77.0 * t).sin())),
        "one speed only",
    );
    // the level is known all the same, if the width of the regularisation is
    let constant = of(&|t, _, _| format!("{t},0.05,{},10", 3.0 + 0.01 * (77.0 * t).sin()));
    let held = [&TANH[..], &["--fix", "v_r=1e-3"]].concat();
    let fit = json(&identify(&place, &constant, &held));
    assert!((value(&fit, "kinetic_coefficient") - 0.3).abs() < 1e-3);
    assert_eq!(fit["parameters"][0]["verdict"], "identified");
    // force and velocity swapped
    let swapped = format!(
        "t,F,v,N\n{}",
        bench(600, |t, v, f| format!("{t},{v},{f},10"))
    );
    let ran = identify(&place, &swapped, &["--law", "coulomb_tanh", "--quiet"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("swapped"), "{}", ran.err);
    assert_eq!(ran.out, "");
}

/// A mass that friction alone brings to rest has no measured force, and is a motion to fit.
#[test]
fn a_motion_without_force_is_fitted_and_laws_of_an_earlier_fit_go() {
    let place = Place::new();
    // m dv/dt = -mu N: 1 m/s, 2 m/s^2, until it rests at 0.5 s
    let mut data = "t,x,F,N\n".to_owned();
    for i in 0..=100 {
        let t = f64::from(i) * 0.01;
        let s = t.min(0.5);
        let _ = writeln!(data, "{t},{},0,10", s - s * s);
    }
    // the velocity at the start is a difference of positions, half a sample late
    let mut options = vec!["--law", "coulomb_tanh", "--target", "position", "--json"];
    options.extend(["--fix", "mass=1", "--fix", "v_r=1e-3", "--with", "start"]);
    let fit = json(&identify(&place, &data, &options));
    assert!((value(&fit, "kinetic_coefficient") - 0.2).abs() < 2e-3);
    let both = [
        "--law",
        "coulomb_tanh",
        "--law",
        "gkf",
        "--no-plots",
        "--out",
        "fit",
    ];
    assert_eq!(identify(&place, &plain(), &both).code, Some(0));
    assert!(place.path("fit/gkf/gkf.toml").is_file());
    assert_eq!(identify(&place, &plain(), &both[2..]).code, Some(0));
    assert!(!place.path("fit/coulomb_tanh").exists());
    assert!(!place.path("fit/gkf").exists());
}

/// Errors of several laws stand in a table with the unit of the force, and a warning names its law once.
#[test]
fn laws_are_compared_in_the_unit_of_the_force() {
    let place = Place::new();
    let bench = include_str!("../../../../examples/bench.csv");
    let ran = identify(&place, bench, &["--law", "lugre", "--law", "coulomb_tanh"]);
    assert!(ran.out.contains("error [N]"), "{}", ran.out);
    // the bench was computed with a set that is not passive
    assert!(ran.err.contains("lugre is not passive"), "{}", ran.err);
    assert!(!ran.err.contains("lugre: lugre"), "{}", ran.err);
}

/// The shipped bench pre-slides by a way: that is no delay.
#[test]
fn presliding_is_no_delay() {
    let place = Place::new();
    let bench = include_str!("../../../../examples/bench.csv");
    let ran = identify(&place, bench, &["--law", "lugre"]);
    assert!(!ran.out.contains("behind the motion"), "{}", ran.out);
}
