//! All robots of the package example-robot-data, and MuJoCo's own import of many of them.
//!
//! Runs where `BRISTLE_ROBOTS_PYTHON` names an interpreter of an environment with `example-robot-data`, `mujoco`
//! and `numpy`, and does nothing elsewhere:
//!
//! ```sh
//! python3 -m venv robots && robots/bin/pip install example-robot-data mujoco numpy
//! BRISTLE_ROBOTS_PYTHON=robots/bin/python cargo test -p bristle-import --test robots -- --nocapture
//! ```

#![allow(clippy::expect_used, reason = "a test may panic")]
#![allow(
    clippy::print_stdout,
    reason = "the counts are for the reader of the test"
)]

use std::path::Path;
use std::process::Command;

mod support;

use bristle_import::{Imported, import};
use bristle_integrate::Flow;
use bristle_mechanics::record::{RowObserver, Start, simulate};
use serde_json::Value;
use support::{dynamics, model, options, scenario};

/// Robots of example-robot-data 6.0.
const ROBOTS: usize = 69;

/// Those with masses or inertias that no body can have, so that they need `repair`: `human` and `romeo` leave out
/// masses of links that move, the others have a principal moment larger than the sum of the others.
const ODD: [&str; 4] = [
    "human.urdf",
    "romeo.urdf",
    "romeo_laas_small.urdf",
    "romeo_small.urdf",
];

/// A file of one element without links.
const EMPTY: [&str; 1] = ["ur3.urdf"];

/// The interpreter, in a folder where MuJoCo may leave its log.
fn interpreter(python: &str) -> Command {
    let python = std::path::absolute(python).expect("a path");
    let mut command = Command::new(python);
    command.current_dir(std::env::temp_dir());
    command
}

fn read(path: &str, repair: bool) -> Result<Imported, String> {
    let bytes = std::fs::read(path).expect("a file of the list");
    import(&String::from_utf8_lossy(&bytes), &options(false, repair)).map_err(|problems| {
        let all = problems
            .iter()
            .map(|p| format!("line {}: {}", p.line, p.what));
        all.collect::<Vec<_>>().join("\n")
    })
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// Largest entry: a difference counts beside it.
fn size(rows: &[Vec<f64>]) -> f64 {
    rows.iter()
        .flatten()
        .fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// Places of the joints in the coordinates of the model, and where they are in the reference.
fn coordinates(imported: &Imported, reference: &Value) -> Vec<(usize, f64)> {
    let all = imported.machine.bodies.iter();
    let bodies: Vec<&str> = all
        .filter(|body| body.joint.freedoms() > 0)
        .map(|body| body.name.as_str())
        .collect();
    let place = |child: &Value| {
        let child = child.as_str().expect("a name").replace(['.', ' '], "_");
        let mut names = bodies.iter();
        names
            .position(|name| *name == child)
            .expect("a body that moves")
    };
    let children = reference["children"].as_array().expect("names");
    children
        .iter()
        .map(place)
        .zip(numbers(&reference["q"]))
        .collect()
}

/// The scenario without sections of these kinds.
fn without(toml: &str, kinds: &[&str]) -> String {
    let sections = toml.split("\n\n");
    let kept = sections.filter(|section| {
        !kinds
            .iter()
            .any(|kind| section.contains(&format!("[{kind}.")))
    });
    kept.collect::<Vec<_>>().join("\n\n")
}

/// Masses, centres, M(q) and gravity against MuJoCo's import; the largest relative difference.
fn compare(path: &str, imported: &Imported, reference: &Value) -> f64 {
    let known = reference["bodies"].as_object().expect("bodies");
    for body in &imported.machine.bodies {
        let (Some(own), Some(other)) = (body.inertia, known.get(&body.name)) else {
            continue;
        };
        let mass = other["mass"].as_f64().expect("a mass");
        assert!(
            (own.mass - mass).abs() <= 1e-12 * mass,
            "{path}: mass of {}",
            body.name
        );
        for (a, b) in own.centre.iter().zip(numbers(&other["centre"])) {
            assert!(
                (a - b).abs() <= 1e-12,
                "{path}: centre of {}: {a} {b}",
                body.name
            );
        }
    }
    // the reference takes coordinates beyond the ranges, and has no forces there
    let free = without(&imported.toml, &["joint_stop"]);
    let model = model(&free).expect("a scenario that can run");
    let (own, gravity) = dynamics(&model, &coordinates(imported, reference));
    let rows = reference["mass_matrix"].as_array().expect("rows");
    let other: Vec<Vec<f64>> = rows.iter().map(numbers).collect();
    let mut worst = 0.0_f64;
    for (a, b) in own.iter().flatten().zip(other.iter().flatten()) {
        worst = worst.max((a - b).abs() / size(&other));
    }
    let torques = numbers(&reference["gravity"]);
    let largest = size(std::slice::from_ref(&torques)).max(1e-3);
    for (a, b) in gravity.iter().zip(&torques) {
        worst = worst.max((a - b).abs() / largest);
    }
    worst
}

/// Takes no rows.
struct NoRows;

impl RowObserver for NoRows {
    fn row(&mut self, _values: &[f64]) -> Flow {
        Flow::Continue
    }
}

/// The scenario with starts of bodies, without what resists them, under a tolerance.
fn falling(imported: &Imported, starts: &[(String, f64)], duration: f64) -> String {
    let resistance = ["joint_stop", "joint_friction", "joint_spring"];
    let mut text = without(&imported.toml, &resistance).replace(
        "end_time = \"1 s\"",
        &format!("end_time = {duration:e}\nintegrator = {{ tolerance = 1e-10 }}"),
    );
    for (body, start) in starts {
        let head = format!("[body.{body}]\n");
        let (before, after) = text.split_once(&head).expect("the body");
        let end = after.find("\n\n").unwrap_or(after.len());
        let (own, rest) = after.split_at(end);
        let kept = own.lines().filter(|line| !line.starts_with("coordinate"));
        let kept = kept.collect::<Vec<_>>().join("\n");
        text = format!("{before}{head}{kept}\ncoordinate = {start:e}{rest}");
    }
    text
}

/// How far from MuJoCo's fall with half of its step a robot falls, over how far that lies from the fall with the
/// whole step.
fn fall(imported: &Imported, robot: &Value) -> f64 {
    let (reference, motion) = (&robot["reference"], &robot["motion"]);
    let places = coordinates(imported, reference);
    let all = imported.machine.bodies.iter();
    let moving: Vec<&str> = all
        .filter(|body| body.joint.freedoms() > 0)
        .map(|body| body.name.as_str())
        .collect();
    let starts: Vec<(String, f64)> = places
        .iter()
        .map(|&(place, q)| (moving[place].to_owned(), q))
        .collect();
    let duration = motion["duration"].as_f64().expect("a number");
    let own = scenario(&falling(imported, &starts, duration)).expect("a scenario that can run");
    let outcome = simulate(&own.model, &own.plan, Start::AsGiven, duration, &mut NoRows);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    let (coarse, fine) = (numbers(&motion["coarse"]), numbers(&motion["fine"]));
    let (mut apart, mut error) = (0.0_f64, 0.0_f64);
    for ((place, _), (coarse, fine)) in places.iter().zip(coarse.iter().zip(&fine)) {
        apart = apart.max((outcome.state.q[*place] - fine).abs());
        error = error.max((coarse - fine).abs());
    }
    println!("    falls to {apart:.1e} rad of MuJoCo, whose step makes {error:.1e}");
    apart / error
}

#[test]
fn all_robots_import_and_move_as_in_mujoco() {
    let Ok(python) = std::env::var("BRISTLE_ROBOTS_PYTHON") else {
        println!("BRISTLE_ROBOTS_PYTHON is not set: skipped");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots.py");
    let output = interpreter(&python).arg(script).output();
    let output = output.expect("an interpreter");
    let robots: Value = serde_json::from_slice(&output.stdout).expect("JSON of robots.py");
    let robots = robots.as_array().expect("a list");
    assert_eq!(robots.len(), ROBOTS, "the list of robots");
    let (mut odd, mut compared, mut refused) = (Vec::new(), 0, Vec::new());
    let mut fallen = 0;
    for robot in robots {
        let path = robot["path"].as_str().expect("a path");
        let imported = match read(path, false) {
            Ok(imported) => imported,
            Err(problems) => {
                println!("{}: {problems}", name_of(path));
                if EMPTY.contains(&name_of(path)) {
                    continue;
                }
                odd.push(name_of(path));
                read(path, true).expect("repaired")
            }
        };
        if let Err(problems) = model(&imported.toml) {
            refused.push(format!("{path}: {problems}"));
            continue;
        }
        if let Some(reference) = robot["reference"].as_object() {
            let worst = compare(path, &imported, &Value::Object(reference.clone()));
            println!("{}: M(q) and gravity within {worst:.1e}", name_of(path));
            // roundings of two codes over chains of some ten bodies
            assert!(worst < 1e-9, "{path}: {worst}");
            compared += 1;
        }
        if robot["motion"].is_object() {
            // half a step has a sixteenth of the error of fourth order, and so a fifteenth of the difference;
            // twice that, for steps that are not small
            let share = fall(&imported, robot);
            assert!(share < 2.0 / 15.0, "{path}: {share}");
            fallen += 1;
        }
    }
    println!(
        "{} of {ROBOTS} import as they are, {compared} compared",
        ROBOTS - odd.len() - EMPTY.len()
    );
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert_eq!(odd, ODD, "robots that need repair");
    assert!(compared >= 10, "{compared} compared");
    assert_eq!(fallen, 5, "motions");
}

/// The largest difference of mass matrix and forces at rest, relative to the largest entry.
fn worst(toml: &str, reference: &Value) -> f64 {
    let model = model(toml).expect("a scenario that can run");
    let q: Vec<(usize, f64)> = numbers(&reference["q"]).into_iter().enumerate().collect();
    let (own, forces) = dynamics(&model, &q);
    let rows = reference["mass_matrix"].as_array().expect("rows");
    let other: Vec<Vec<f64>> = rows.iter().map(numbers).collect();
    let known = vec![numbers(&reference["forces"])];
    let difference = |a: &[Vec<f64>], b: &[Vec<f64>]| {
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        pairs.fold(0.0_f64, |most, (x, y)| most.max((x - y).abs())) / size(b)
    };
    difference(&own, &other).max(difference(&[forces], &known))
}

#[test]
fn a_chain_of_all_joints_moves_as_in_mujoco() {
    let Ok(python) = std::env::var("BRISTLE_ROBOTS_PYTHON") else {
        println!("BRISTLE_ROBOTS_PYTHON is not set: skipped");
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut command = interpreter(&python);
    command.args([folder.join("models.py"), folder.join("zoo.xml")]);
    let output = command.output().expect("an interpreter");
    let reference: Value = serde_json::from_slice(&output.stdout).expect("JSON of models.py");
    let plain = support::read(include_str!("zoo.xml"));
    let compiled = support::read(reference["compiled"].as_str().expect("a text"));
    let (first, second) = (
        worst(&plain.toml, &reference),
        worst(&compiled.toml, &reference),
    );
    println!("plain {first:.1e}, compiled {second:.1e}");
    assert!(first < 1e-9, "{first}");
    // MuJoCo writes six digits
    assert!(second < 1e-4, "{second}");
}
