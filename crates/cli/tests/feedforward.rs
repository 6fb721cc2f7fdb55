//! What `bristle identify` gives a controller: the steady curve and its functions.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test may panic, and says what it skips"
)]

mod support;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use support::{Place, Ran};

/// F(v, a) of the machine that made the records: a Stribeck curve with offset and inertia.
fn truth(v: f64, a: f64) -> f64 {
    let level = 1.2 + 0.4 * (-(v / 0.08_f64).powi(2)).exp();
    v.signum() * level + 0.5 * v + 0.05 + 0.02 * a
}

/// A record of that machine, with a deterministic scatter of 1 mN m.
fn record(velocity: &str, force: &str) -> String {
    let mut text = format!("t [s],{velocity},{force}\n");
    for i in 0..4000 {
        let t = 2e-3 * f64::from(i);
        let v = 0.5 * (1.3 * t).sin() + 0.1 * (7.1 * t).sin();
        let a = 0.65 * (1.3 * t).cos() + 0.71 * (7.1 * t).cos();
        let scatter = 1e-3 * (2.399_963 * f64::from(i)).sin();
        let _ = writeln!(text, "{t},{v},{}", truth(v, a) + scatter);
    }
    text
}

/// The rows of steady.csv: v, F, low and high end of the band, whether it was measured. `units` are those
/// of velocity and force.
fn steady(place: &Place, folder: &str, [v, f]: [&str; 2]) -> Vec<[f64; 5]> {
    let path = place.path(folder).join("steady.csv");
    let text = std::fs::read_to_string(path).expect("a table");
    let row = |line: &str| -> [f64; 5] {
        let cells: Vec<f64> = line
            .split(',')
            .map(|c| c.parse().expect("a number"))
            .collect();
        cells.try_into().expect("five cells")
    };
    let head = format!("v ({v}),F ({f}),F_low ({f}),F_high ({f}),measured");
    assert_eq!(text.lines().next(), Some(&*head));
    text.lines().skip(1).map(row).collect()
}

/// Runs a program that is there on every machine that builds this one.
fn output(command: &mut Command) -> String {
    let ran = command.output().expect("it starts");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    String::from_utf8(ran.stdout).expect("text")
}

fn values(text: &str) -> Vec<f64> {
    text.lines()
        .map(|line| line.trim().parse().expect("a number"))
        .collect()
}

/// Programs in C and Python that print the force at each velocity of the table, and what an
/// acceleration of 3 rad/s² adds.
fn write_callers(folder: &Path, rows: &[[f64; 5]]) {
    let mut main = String::from(
        "#include <stdio.h>\ndouble friction_feedforward(double v, double a);\nint main(void) {\n",
    );
    let mut script = String::from("from feedforward import friction_feedforward as f\n");
    for [v, ..] in rows {
        let _ = writeln!(
            main,
            "printf(\"%.17g\\n\", friction_feedforward({v:?}, 0.0));"
        );
        let _ = writeln!(script, "print(repr(f({v:?})))");
    }
    main.push_str("printf(\"%.17g\\n\", friction_feedforward(0.1, 3.0) - friction_feedforward(0.1, 0.0));\nreturn 0;\n}\n");
    script.push_str("print(repr(f(0.1, 3.0) - f(0.1)))\n");
    std::fs::write(folder.join("main.c"), main).expect("written");
    std::fs::write(folder.join("main.py"), script).expect("written");
}

/// Octave gives what Python gives, for all velocities at once; where it is not installed there is nothing to compare.
fn octave_agrees(folder: &Path, rows: &[[f64; 5]], python: &[f64]) {
    let velocities: Vec<String> = rows.iter().map(|[v, ..]| format!("{v:?}")).collect();
    let script = format!(
        "v = [{}]; printf('%.17g\\n', feedforward(v, 0));\
         printf('%.17g\\n', feedforward(0.1, 3) - feedforward(0.1, 0));",
        velocities.join(", ")
    );
    let mut octave = Command::new("octave-cli");
    octave.current_dir(folder);
    let ran = octave
        .args(["--norc", "--quiet", "--eval", &script])
        .output();
    let Ok(ran) = ran else {
        println!("octave-cli is not installed: feedforward.m is not run");
        return;
    };
    let complaints = String::from_utf8_lossy(&ran.stderr);
    assert!(
        !complaints.contains("warning") && !complaints.contains("undefined"),
        "{complaints}"
    );
    let octave = values(&String::from_utf8_lossy(&ran.stdout));
    assert_eq!(octave.len(), python.len(), "{complaints}");
    for (octave, python) in octave.iter().zip(python) {
        assert!(
            (octave - python).abs() < 1e-12,
            "Octave {octave}, Python {python}"
        );
    }
}

#[test]
fn the_functions_in_c_and_python_give_the_steady_curve_and_the_inertia() {
    let place = Place::new();
    place.write("m.csv", &record("velocity [rad/s]", "torque [N m]"));
    // one law in closed form, and one of hyperbolic tangents, which misses the machine by some
    // hundredths and whose curve is a table
    for (law, closed, misfit) in [("lugre", true, 2e-3), ("makkar", false, 0.2)] {
        let fit = [
            "identify",
            "m.csv",
            "--law",
            law,
            "--with",
            "mass,offset",
            "--out",
            law,
        ];
        let ran = place.bristle(&fit);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let rows = steady(&place, law, ["rad/s", "N m"]);
        let measured = rows
            .iter()
            .filter(|row| row[4] > 0.5 && row[0].abs() > 2e-3);
        for [v, force, low, high, _] in measured {
            // the scatter of 1 mN m, twice
            assert!(
                (force - truth(*v, 0.0)).abs() < misfit,
                "{law}: {v} {force}"
            );
            assert!(
                low < force && force < high && high - low < 0.05,
                "{law}: {v}"
            );
        }
        let folder = place.path(law);
        let c = std::fs::read_to_string(folder.join("feedforward.c")).expect("C");
        assert_eq!(c.contains("exp("), closed, "{c}");
        assert!(c.contains("N m") && c.contains("rad/s^2"), "{c}");
        write_callers(&folder, &rows);
        let strict = ["-std=c89", "-Wall", "-Wextra", "-Werror", "-pedantic"];
        output(Command::new("cc").current_dir(&folder).args(strict).args([
            "feedforward.c",
            "main.c",
            "-o",
            "main",
            "-lm",
        ]));
        let c = values(&output(
            Command::new(folder.join("main")).current_dir(&folder),
        ));
        let python = output(Command::new("python3").current_dir(&folder).arg("main.py"));
        let python = values(&python);
        // 1.8 N m at most; a table may miss by a thousandth of that
        let miss = if closed { 1e-9 } else { 2e-3 };
        for ((row, c), python) in rows.iter().zip(&c).zip(&python) {
            assert!((row[1] - c).abs() < miss, "{law}: C at {}: {c}", row[0]);
            assert!(
                (c - python).abs() < 1e-12,
                "{law}: Python at {}: {python}",
                row[0]
            );
        }
        // 0.02 kg m² times 3 rad/s²; the inertia is known to a per cent
        let inertia = c.last().expect("a number");
        assert!((inertia - 0.06).abs() < 2e-3, "{law}: {inertia}");
        octave_agrees(&folder, &rows, &python);
        let text = std::fs::read_to_string(folder.join("feedforward.st")).expect("ST");
        assert!(
            text.contains("FUNCTION FrictionFeedforward : LREAL"),
            "{text}"
        );
        // IEC 61131-3 has no identifiers that end with an underscore
        assert!(!text.contains("_ ") && !text.contains("_["), "{text}");
    }
}

fn fit_lugre(place: &Place, data: &str, with: &str, more: &[&str]) -> Ran {
    let fit = ["identify", data, "--law", "lugre", "--with", with];
    let ran = place.bristle(&[&fit, more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran
}

#[test]
fn a_law_with_states_says_that_the_steady_part_is_meant() {
    let place = Place::new();
    place.write("m.csv", &record("velocity [m/s]", "force [N]"));
    fit_lugre(&place, "m.csv", "mass,offset", &["--out", "f"]);
    let text = std::fs::read_to_string(place.path("f/feedforward.py")).expect("Python");
    assert!(text.contains("steady part only"), "{text}");
    assert!(text.contains("in N for a velocity v in m/s"), "{text}");
}

/// Units in its head let `identify` read the curve as any other record: the law comes back.
#[test]
fn the_steady_curve_is_a_record_that_is_read_back_with_its_units() {
    for (velocity, force, units) in [
        ("velocity [m/s]", "force [N]", ["m/s", "N"]),
        ("velocity [rad/s]", "torque [N m]", ["rad/s", "N m"]),
    ] {
        let place = Place::new();
        place.write("m.csv", &record(velocity, force));
        fit_lugre(&place, "m.csv", "mass,offset", &["--out", "f"]);
        assert!(steady(&place, "f", units).len() > 20);
        let found = fit_lugre(&place, "f/steady.csv", "offset", &["--json"]).json();
        assert_eq!(found["target"]["unit"], units[1], "{found}");
        // the machine of `truth`; the first fit misses it by its scatter
        for (name, expected) in [
            ("kinetic_coefficient", 1.2),
            ("static_coefficient", 1.6),
            ("viscous_coefficient", 0.5),
            ("offset", 0.05),
        ] {
            let all = found["parameters"].as_array().expect("a list");
            let own = all.iter().find(|p| p["name"] == name);
            let value = own.and_then(|p| p["value"].as_f64()).expect("a value");
            assert!((value - expected).abs() < 0.02, "{name}: {value}");
        }
    }
}

#[test]
fn several_laws_come_best_first_and_each_warning_once() {
    let place = Place::new();
    place.write("m.csv", &record("velocity [rad/s]", "torque [N m]"));
    let ran = place.bristle(&[
        "identify",
        "m.csv",
        "--law",
        "coulomb_tanh",
        "--law",
        "andersson",
        "--with",
        "mass,offset",
        "--out",
        "f",
        "--report",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        ran.err.matches("no normal force was measured").count(),
        1,
        "{}",
        ran.err
    );
    assert!(
        !ran.err.contains(" m/s") && !ran.err.contains(" N s/m"),
        "{}",
        ran.err
    );
    let first = |text: &str| (text.find("\nandersson"), text.find("\ncoulomb_tanh"));
    let (best, worst) = first(&ran.out);
    assert!(best < worst && best.is_some(), "{}", ran.out);
    let json = std::fs::read_to_string(place.path("f/identify.json")).expect("JSON");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["best"], "andersson", "{json}");
    let page = std::fs::read_to_string(place.path("f/report.html")).expect("a page");
    assert!(page.contains("angular velocity") && page.contains("rad/s"));
}
