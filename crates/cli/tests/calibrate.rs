//! `bristle calibrate`: unknown fields of a whole machine.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use std::fmt::Write as _;

use support::{Place, Ran};

fn calibrate(place: &Place, data: &str, arguments: &[&str]) -> Ran {
    place.write("data.csv", data);
    let mut all = vec!["calibrate", "machine.toml", "data.csv"];
    all.extend(arguments);
    place.bristle(&all)
}

/// What was reported, on one line.
fn flat(ran: &Ran) -> String {
    let text = ran.err.replace("\n  │", "").replace('\n', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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

/// A cart on a rough rail under a force that is not quite a sine.
const MACHINE: &str = r#"
title = "A cart on a rough rail"

[simulation]
end_time    = "3 s"
output_step = "10 ms"
integrator  = { method = "newmark", tolerance = 1e-7, max_step = "10 ms" }

[body.cart]
joint = "prismatic"
axis  = [1, 0, 0]
mass  = "1 kg"

[force.motor]
body      = "cart"
direction = [1, 0, 0]
magnitude = 0

[contact.rail]
points     = { body = "cart", at = [[0, 0, 0]] }
normal     = { prescribed = "10 N" }
slip_speed = "10 mm/s"

[contact.rail.friction]
law                     = "gkf"
regularisation_velocity = "5 mm/s"
stribeck_velocity       = "20 mm/s"
viscous_coefficient     = 0.05
kinetic_coefficient     = 0.1
static_coefficient      = 0.15
"#;

/// Runs the scenario with numbers: its force in mN and its position, with noise of 0.1 mm.
fn measured_motion(place: &Place, truth: &[(&str, f64)]) -> String {
    place.write("machine.toml", MACHINE);
    let mut drive = String::from("t,F\n");
    for i in 0..=300 {
        let t = f64::from(i) * 0.01;
        let force = 6.0 * (6.0 * t).sin() + 4.0 * (2.3 * t).sin();
        let _ = writeln!(drive, "{t},{force}");
    }
    place.write("drive.csv", &drive);
    let set = truth.iter().map(|(path, x)| format!("{path}={x}"));
    let set: Vec<String> = set.collect();
    let drive = "force.motor.magnitude={ csv = \"drive.csv\", value = \"F\" }";
    let mut run = vec![
        "run",
        "machine.toml",
        "--out",
        "truth",
        "--quiet",
        "--set",
        drive,
    ];
    for text in &set {
        run.extend(["--set", text]);
    }
    assert_eq!(place.bristle(&run).code, Some(0));
    let rows = std::fs::read_to_string(place.path("truth/results.csv")).expect("results");
    let mut lines = rows.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a header");
    let column = |name: &str| names.iter().position(|n| *n == name).expect(name);
    let (x, force) = (
        column("body.cart.position.x"),
        column("force.motor.magnitude"),
    );
    let mut measured = String::from("t,F [mN],x\n");
    for (i, line) in lines.enumerate() {
        let number = |k: usize| line[k].parse::<f64>().expect("a number");
        // digits far behind the point of a sine look random
        let noise = 1e-4 * ((12.9898 * i as f64).sin() * 43_758.545_3).fract();
        let (f, x) = (1e3 * number(force), number(x) + noise);
        let _ = writeln!(measured, "{},{f},{x}", line[0]);
    }
    measured
}

/// A motion that the scenario makes with known numbers: they come back within three standard
/// deviations, and the scenario that is written is sound.
#[test]
fn numbers_of_a_scenario_come_back_from_its_motion() {
    let place = Place::new();
    let truth = [
        ("body.cart.mass", 1.3),
        ("contact.rail.friction.kinetic_coefficient", 0.13),
        ("contact.rail.friction.viscous_coefficient", 0.09),
    ];
    let measured = measured_motion(&place, &truth);
    let free = truth.map(|(path, _)| path).join(",");
    let options = [
        "--input",
        "force.motor.magnitude=F",
        "--output",
        "body.cart.position.x=x",
        "--free",
        &free,
        "--out",
        "fit",
        "--json",
    ];
    let fit = json(&calibrate(&place, &measured, &options));
    assert_eq!(fit["status"], "identified");
    for (k, (path, x)) in truth.iter().enumerate() {
        let p = &fit["parameters"][k];
        assert_eq!(p["name"], *path);
        let error = p["standard_error"].as_f64().expect("an error");
        let found = value(&fit, path);
        assert!(
            (found - x).abs() < 3.0 * error,
            "{path} = {found} ± {error}"
        );
        assert!(error < 0.01 * x, "{path} ± {error}");
    }
    let ran = place.bristle(&["check", "fit/fitted.toml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for file in [
        "calibrate.json",
        "outputs.csv",
        "output-1.svg",
        "residual-1.svg",
    ] {
        assert!(place.path(&format!("fit/{file}")).exists(), "{file}");
    }
}

#[test]
fn what_a_fit_of_a_scenario_needs_is_asked_for() {
    let place = Place::new();
    place.write("machine.toml", MACHINE);
    let data = "t,F,x\n0,1,0\n0.1,1,0\n0.2,1,0.1\n";
    let all = [
        ("--free", "body.cart.mass"),
        ("--output", "body.cart.position.x=x"),
    ];
    let cases: [(&[(&str, &str)], &str); 7] = [
        (&[], "required arguments were not provided: --free"),
        (&[all[0]], "required arguments were not provided: --output"),
        (&[("--free", "body.cart.mas"), all[1]], "no number there"),
        (&[all[0], ("--output", "body.cart.x=x")], "no such channel"),
        (
            &[all[0], ("--output", "body.cart.position.x=y")],
            "has no column \"y\"",
        ),
        (
            &[all[0], all[1], ("--with", "mass")],
            "unexpected argument '--with'",
        ),
        (
            &[all[0], all[1], ("--bound", "body.cart.mass=2:3")],
            "outside of the bounds",
        ),
    ];
    for (options, part) in cases {
        let mut arguments = vec!["--out", "fit"];
        for (name, value) in options {
            arguments.extend([*name, *value]);
        }
        let ran = calibrate(&place, data, &arguments);
        assert_eq!(ran.code, Some(2), "{part}: {}", ran.err);
        assert!(flat(&ran).contains(part), "{part}: {}", ran.err);
        assert!(!place.path("fit").exists(), "{part}");
    }
}

/// Two runs of one machine are fitted together: each has its own beginning, and the numbers are
/// those of both.
#[test]
fn several_runs_of_a_machine_are_fitted_together() {
    let place = Place::new();
    let truth = [("body.cart.mass", 1.3)];
    let measured = measured_motion(&place, &truth);
    place.write("whole.csv", &measured);
    let half: Vec<&str> = measured.lines().take(152).collect();
    place.write("half.csv", &half.join("\n"));
    let fit = json(&place.bristle(&[
        "calibrate",
        "machine.toml",
        "whole.csv",
        "half.csv",
        "--input",
        "force.motor.magnitude=F",
        "--output",
        "body.cart.position.x=x",
        "--free",
        "body.cart.mass",
        "--out",
        "fit",
        "--json",
    ]));
    let error = fit["parameters"][0]["standard_error"].as_f64();
    let (found, error) = (value(&fit, "body.cart.mass"), error.expect("an error"));
    assert!((found - 1.3).abs() < 3.0 * error, "{found} ± {error}");
    let files: Vec<_> = (0..2).map(|k| &fit["outputs"][k]["file"]).collect();
    assert_eq!(files, ["whole.csv", "half.csv"]);
    assert_eq!(fit["data"][1]["samples"], 151);
    for file in ["outputs-1.csv", "outputs-2.csv", "residual-1-2.svg"] {
        assert!(place.path(&format!("fit/{file}")).exists(), "{file}");
    }
}

/// The way in which it was called before names the new one, with the same arguments.
#[test]
fn identify_with_a_scenario_says_how_to_calibrate() {
    let place = Place::new();
    let ran = place.bristle(&[
        "identify",
        "my run.csv",
        "--scenario",
        "machine.toml",
        "--free",
        "body.cart.mass",
        "--output",
        "body.cart.position.x=x",
        "--json",
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let call = "bristle calibrate machine.toml 'my run.csv' --output body.cart.position.x=x --free \
                body.cart.mass --json";
    assert!(flat(&ran).contains(call), "{}", ran.err);
}
