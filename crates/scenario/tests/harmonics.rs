//! Harmonic loads and cubic springs in scenario files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use std::f64::consts::TAU;
use std::path::PathBuf;

use bristle_scenario::{Scenario, SourceMap, load, load_any};
use machine::{close, run};

/// A block of 1 kg on a spring of 100 N/m and a damper of 10 N s/m; `pull` is the load on it.
fn block(pull: &str) -> String {
    format!(
        r#"
title = "A block under a harmonic load"
[simulation]
end_time = "8 s"
output_step = "25 ms"
integrator = {{ tolerance = 1e-8 }}
[body.block]
joint = "prismatic"
mass = "1 kg"
[joint_spring.s]
body = "block"
stiffness = 100
damping = 10
[force.pull]
body = "block"
direction = [1, 0, 0]
magnitude = {pull}
"#
    )
}

/// The file of a text, in a folder that lives as long as the first one of the pair.
fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// The text of the errors of a scenario that is to be simulated in time.
fn refused(text: &str) -> String {
    let (_folder, path) = file(text);
    let mut sources = SourceMap::new();
    match load(&path, &[], &mut sources) {
        Ok(_) => panic!("it is taken: {text}"),
        Err(refused) => refused.render_plain(&sources),
    }
}

fn any(text: &str) -> Scenario {
    let (_folder, path) = file(text);
    load_any(&path, &[], &mut SourceMap::new()).unwrap()
}

#[test]
fn a_harmonic_load_swings_the_block_as_the_closed_form() {
    let (mean, amplitude, phase, omega) = (3.0, 2.0, 30_f64.to_radians(), TAU);
    let pull = r#"{ sum = ["3 N", { harmonic = { amplitude = "2 N", phase = "30 deg", order = 2, frequency = "0.5 Hz" } }] }"#;
    let (_, rows) = run(&block(pull));
    let (stiff, lag) = (100.0 - omega * omega, 10.0 * omega);
    let (size, angle) = (
        amplitude / f64::hypot(stiff, lag),
        phase - f64::atan2(lag, stiff),
    );
    let (t, x) = (rows.column("t"), rows.column("joint.block.coordinate"));
    // the start has died away by e^(-5 t)
    for (t, x) in t.into_iter().zip(x).filter(|(t, _)| *t > 6.0) {
        let steady = mean / 100.0 + size * (omega * t + angle).cos();
        // second order: steps of about a thousandth of the period
        close("x", x, steady, 1e-5 * size);
    }
}

#[test]
fn a_harmonic_without_frequency_is_kept_with_its_place_and_refused_in_time() {
    let text = block(r#"{ sum = [1, { harmonic = { amplitude = "2 N" } }] }"#);
    let scenario = any(&text);
    let [open] = &scenario.open_harmonics[..] else {
        panic!("{:?}", scenario.open_harmonics);
    };
    assert_eq!(open.path, "force.pull.magnitude.sum.1.harmonic");
    let refused = refused(&text);
    assert!(
        refused.contains(
            ":17:27: error: force.pull.magnitude.sum.1.harmonic: a harmonic without frequency"
        ),
        "{refused}"
    );
    assert!(refused.contains("bristle response"), "{refused}");
    // its mean is there, and a setting gives it a frequency
    let (_folder, path) = file(&block("{ harmonic = { amplitude = 2 } }"));
    let set = ["force.pull.magnitude.harmonic.frequency=50 Hz".to_owned()];
    let scenario = load(&path, &set, &mut SourceMap::new()).unwrap();
    assert!(scenario.open_harmonics.is_empty());
}

#[test]
fn normal_forces_joint_loads_and_motions_may_be_harmonic() {
    let law = r#"{ law = "dahl", bristle_stiffness = 1e4, kinetic_coefficient = 0.3 }"#;
    let wave = r#"{ harmonic = { amplitude = 2, phase = "10 deg" } }"#;
    let text = format!(
        r#"
title = "Harmonics everywhere"
[simulation]
end_time = 1
[body.cart]
joint = "prescribed"
motion = {{ direction = [1, 0, 0], displacement = {{ harmonic = {{ amplitude = "2 mm" }} }} }}
[body.rotor]
joint = "revolute"
drive = {{ angle = {{ harmonic = {{ amplitude = "2 deg", order = 2 }} }} }}
[body.block]
joint = "prismatic"
mass = 1
[contact.base]
points = {{ body = "block", at = [[0, 0, 0]] }}
plane = {{ body = "cart" }}
normal = {{ total = {{ sum = [1, {wave}] }} }}
friction = {law}
[joint_friction.guide]
body = "block"
load = {wave}
friction = {law}
"#
    );
    let scenario = any(&text);
    let places: Vec<&str> = scenario
        .open_harmonics
        .iter()
        .map(|own| own.path.as_str())
        .collect();
    assert_eq!(
        places,
        [
            "body.cart.motion.displacement.harmonic",
            "body.rotor.drive.angle.harmonic",
            "contact.base.normal.total.sum.1.harmonic",
            "joint_friction.guide.load.harmonic",
        ]
    );
    // a load that swings below zero is one that parts the faces there
    let taken = text.replace("amplitude = 2,", "amplitude = 2, frequency = 3,");
    assert_eq!(any(&taken).open_harmonics.len(), 2);
    let sine = text.replace(
        "{ harmonic = { amplitude = 2, phase = \"10 deg\" } }",
        "{ sine = { amplitude = 2, frequency = 3 } }",
    );
    assert!(refused(&sine).contains("must be in [0, ∞) N"));
}

#[test]
fn a_velocity_cannot_be_harmonic() {
    let text = block("1").replace(
        "[force.pull]",
        "[body.cart]\njoint = \"prescribed\"\nmotion = { direction = [1, 0, 0], displacement = \
         { velocity = { harmonic = { amplitude = 1, frequency = 2 } } } }\n[force.pull]",
    );
    assert!(refused(&text).contains("a harmonic has no exact integral here"));
}

#[test]
fn cubic_springs_have_units_and_store_energy() {
    let text = r#"
title = "Cubic springs"
[simulation]
end_time = 0.001
[body.block]
joint = "prismatic"
coordinate = "2 mm"
mass = 1
[body.wheel]
joint = "revolute"
angle = 0.5
mass = 1
inertia = [1, 1, 1]
[spring.line]
from = { point = ["-10 mm", 0, 0] }
to = { body = "block" }
length = "10 mm"
stiffness = "3 N/m"
cubic = "5 N/mm^3"
[joint_spring.torsion]
body = "wheel"
cubic = "-0.4 N m/rad^3"
"#;
    let (_, rows) = run(text);
    // ½ k s² + ¼ k₃ s⁴ in both
    let line = 0.5 * 3.0 * 4e-6 + 0.25 * 5e9 * 16e-12;
    let torsion = -0.25 * 0.4 * 0.0625;
    let stored = rows.column("energy.stored")[0];
    close("stored", stored, line + torsion, 1e-15);
    for (from, to, part) in [
        (
            "cubic = \"5 N/mm^3\"",
            "cubic = \"5 N/m\"",
            "5 N/m is a stiffness; this field is a cubic stiffness in N/m^3",
        ),
        (
            "-0.4 N m/rad^3",
            "-0.4 N/m^3",
            "this field is a cubic torsional stiffness in N m/rad^3",
        ),
    ] {
        let refused = refused(&text.replace(from, to));
        assert!(refused.contains(part), "{refused}");
    }
}
