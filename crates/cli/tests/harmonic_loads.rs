//! Harmonic loads without a frequency: what judges and linearises takes them, what marches in time
//! refuses them.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use support::{BLOCK, Place};

const PATH: &str = "force.push.magnitude.harmonic";

fn place() -> Place {
    let place = Place::new();
    let open = BLOCK.replace(
        "magnitude = \"2 N\"",
        "magnitude = { harmonic = { amplitude = \"2 N\" } }",
    );
    place.write("open.toml", &open);
    place
}

#[test]
fn commands_that_do_not_march_take_them() {
    let place = place();
    let checked = place.bristle(&["check", "open.toml"]);
    assert_eq!(checked.code, Some(0), "{}", checked.err);
    assert!(checked.out.contains(PATH), "{}", checked.out);
    let checked = place.bristle(&["check", "open.toml", "--json"]).json();
    assert_eq!(checked["model"]["harmonics_without_frequency"][0], PATH);
    let modes = place.bristle(&["modes", "open.toml"]);
    assert_eq!(modes.code, Some(0), "{}", modes.err);
}

#[test]
fn commands_that_march_refuse_them_at_their_place() {
    let place = place();
    place.write("data.csv", "t,x\n0,0\n0.1,0.01\n0.2,0.04\n");
    for arguments in [
        &["run", "open.toml"][..],
        &["compare", "open.toml", "--law", "lugre", "--law", "dahl"],
        &["sweep", "open.toml", "--vary", "body.block.mass=1,2"],
        &[
            "calibrate",
            "open.toml",
            "data.csv",
            "--output",
            "joint.block.coordinate=x",
            "--free",
            "body.block.mass",
        ],
    ] {
        let refused = place.bristle(arguments);
        assert_eq!(refused.code, Some(2), "{arguments:?}: {}", refused.err);
        assert!(refused.err.contains(PATH), "{arguments:?}: {}", refused.err);
        assert!(
            refused.err.contains("bristle response"),
            "{arguments:?}: {}",
            refused.err
        );
    }
    assert_eq!(place.entries(), ["data.csv", "open.toml"]);
    let set = "force.push.magnitude.harmonic.frequency=50 Hz";
    let ran = place.bristle(&["run", "open.toml", "--set", set, "--no-plots"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}
