//! Friction and springs in joints, cables and bushings: what is read, and how faults are told.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::too_many_lines,
    reason = "a test may stop, and a table of faults is long"
)]

use bristle_scenario::{Scenario, Severity, SourceMap, load};

const MACHINE: &str = r#"
title = "A machine"
[simulation]
end_time = "1 s"
[body.link]
joint = "revolute"
axis = [0, 0, 1]
mass = "1 kg"
shape = { sphere = "0.1 m" }
[body.slider]
joint = "prismatic"
mass = "2 kg"
[body.bolt]
joint = "cylindrical"
mass = "1 kg"
shape = { sphere = "0.1 m" }
[body.cart]
joint = "prismatic"
mass = "1 kg"
drive = { coordinate = "0.1*t" }
[body.lump]
joint = "point"
mass = "0.1 kg"
position = [0, 0, -1]
[cable.rope]
from = { point = [0, 0, 0] }
to = { body = "lump" }
stiffness = "100 N/m"
[bushing.mount]
from = { body = "link" }
to = { body = "slider" }
stiffness = [1, 2, 3]
[joint_friction.pin]
body = "link"
load = { reaction = { preload = "1 N", moment_arm = "20 mm" } }
radius = "15 mm"
friction = { law = "coulomb_tanh", kinetic_coefficient = 0.3, regularisation_velocity = 1e-3 }
[joint_spring.torsion]
body = "link"
stiffness = "3 N m/rad"
rest = "10 deg"
"#;

fn read(text: &str) -> Result<Scenario, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    load(&path, &[], &mut SourceMap::new()).map_err(|diagnostics| {
        diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .map(|d| d.message.clone())
            .collect()
    })
}

#[test]
fn a_machine_with_all_of_them_is_read() {
    let scenario = read(MACHINE).unwrap_or_else(|errors| panic!("{errors:?}"));
    let kinds: Vec<&str> = scenario.model.elements().iter().map(|e| e.kind()).collect();
    assert_eq!(
        kinds,
        ["cable", "bushing", "joint_friction", "joint_spring"]
    );
}

#[test]
fn faults_are_told_with_what_is_allowed() {
    for (from, to, part) in [
        (
            "body = \"link\"\nload",
            "body = \"lnik\"\nload",
            "there is no body \"lnik\"",
        ),
        (
            "body = \"link\"\nload",
            "body = \"ground\"\nload",
            "must be revolute, prismatic, cylindrical",
        ),
        (
            "body = \"link\"\nload",
            "body = \"bolt\"\nload",
            "give coordinate = \"displacement\" or \"angle\"",
        ),
        // a driven coordinate may have friction; this one slides
        (
            "body = \"link\"\nload",
            "body = \"cart\"\nload",
            "radius: belongs to a rotation",
        ),
        (
            "body = \"link\"\nload",
            "body = \"slider\"\nload",
            "radius: belongs to a rotation",
        ),
        (
            "body = \"link\"\nload",
            "body = \"link\"\ncoordinate = \"displacement\"\nload",
            "a revolute joint has angle",
        ),
        ("radius = \"15 mm\"\n", "", "missing field \"radius\""),
        (
            "{ reaction = { preload = \"1 N\", moment_arm = \"20 mm\" } }",
            "\"-1 N\"",
            "must be in",
        ),
        ("preload = \"1 N\"", "preload = \"-1 N\"", "preload = -1 N"),
        (
            "{ preload = \"1 N\", moment_arm = \"20 mm\" }",
            "3",
            "expected true",
        ),
        (
            "stiffness = \"3 N m/rad\"",
            "stiffness = \"3 N/m\"",
            "N m/rad",
        ),
        (
            "stiffness = \"3 N m/rad\"\n",
            "",
            "one of stiffness, cubic and damping is missing",
        ),
        (
            "stiffness = [1, 2, 3]",
            "stiffness = [1, -2, 3]",
            "-2 is negative",
        ),
        ("stiffness = [1, 2, 3]\n", "", "does nothing"),
        (
            "to = { body = \"slider\" }",
            "to = { body = \"link\" }",
            "same body",
        ),
        ("to = { body = \"lump\" }", "to = { }", "same body"),
    ] {
        assert_eq!(MACHINE.matches(from).count(), 1, "{from}");
        let errors = read(&MACHINE.replacen(from, to, 1))
            .err()
            .unwrap_or_default();
        assert!(
            errors.len() == 1 && errors[0].contains(part),
            "{to}: expected {part}, found {errors:?}"
        );
    }
}
