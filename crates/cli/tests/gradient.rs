//! Derivatives of a run on the command line: what is refused, and what is said to be uncertain.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod support;

use support::Place;

/// A block on a spring; `friction` without a damping, which is at the edge of its range.
fn scenario(friction: &str) -> String {
    format!(
        r#"
title = "A block that is pulled"
[simulation]
end_time = "0.1 s"
[body.m]
joint = "prismatic"
axis = [1, 0, 0]
mass = "2 kg"
rate = 1
[spring.k]
from = {{ point = [-1, 0, 0] }}
to = {{ body = "m" }}
length = "1 m"
stiffness = "50 N/m"
damping = "0 N s/m"
[contact.c]
points = {{ body = "m", at = [[0, 0, 0]] }}
normal = {{ prescribed = "20 N" }}
friction = {{ {friction} }}
"#
    )
}

const LUGRE: &str = "law = \"lugre\", bristle_stiffness = 1e4, bristle_damping = 30, viscous_coefficient = 0.5, \
     static_coefficient = 0.2, kinetic_coefficient = 0.2, stribeck_velocity = 0.01";
const JENKINS: &str = "law = \"jenkins\", tangential_stiffness = 1e4, kinetic_coefficient = 0.2";

#[test]
fn an_output_that_the_run_does_not_have_is_named_before_any_field_is_moved() {
    let place = Place::new();
    place.write("block.toml", &scenario(LUGRE));
    let ran = place.bristle(&["sensitivity", "block.toml", "--of", "energy.disipated"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("--of energy.disipated"), "{}", ran.err);
    assert!(ran.err.contains("energy.dissipated"), "{}", ran.err);
}

/// A damping of 0 can only be raised. In 0.1 s the block goes about 0.1 m at about 1 m/s, so that a damping d
/// takes d times 0.1 J or a little less.
#[test]
fn a_field_at_the_edge_of_its_range_is_moved_to_one_side() {
    let place = Place::new();
    place.write("block.toml", &scenario(LUGRE));
    let ran = place.bristle(&[
        "run",
        "block.toml",
        "--gradient",
        "spring.k.damping",
        "--out",
        "out",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = std::fs::read_to_string(place.path("out/gradient.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let speed = |name: &str| json["numbers"][name]["by"]["spring.k.damping"].as_f64();
    let dissipated = speed("energy.dissipated").expect("a number");
    assert!((0.0..0.1).contains(&dissipated), "{dissipated}");
    assert_eq!(json["uncertain_by"], serde_json::json!([]));
}

#[test]
fn a_law_with_kinks_is_named() {
    let place = Place::new();
    place.write("block.toml", &scenario(JENKINS));
    let ran = place.bristle(&["sensitivity", "block.toml", "--by", "body.m.mass"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err
            .contains("derivatives are uncertain: the law of contact.c"),
        "{}",
        ran.err
    );
}
