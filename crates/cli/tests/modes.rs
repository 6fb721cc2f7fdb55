//! `bristle modes` on the shipped blades, against an independent finite element assembly.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use support::Place;

fn frequencies(place: &Place, arguments: &[&str]) -> Vec<f64> {
    let words = [&["modes"], arguments, &["--json"]].concat();
    let ran = place.bristle(&words);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let modes = ran.json()["modes"].as_array().expect("modes").clone();
    let frequency = |mode: &serde_json::Value| mode["frequency"].as_f64();
    modes.iter().filter_map(frequency).collect()
}

fn agree(found: &[f64], expected: &[f64], relative: f64) {
    assert_eq!(found.len(), expected.len());
    for (f, e) in found.iter().zip(expected) {
        assert!((f / e - 1.0).abs() < relative, "{f} against {e} Hz");
    }
}

#[test]
fn one_blade_has_the_frequencies_of_the_paper() {
    let place = Place::new();
    place.bristle(&["examples", "blade", "--out", "."]);
    let found = frequencies(&place, &["blade.toml", "--count", "4"]);
    // an independent assembly of the same elements, to the digits that it gives
    agree(&found, &[53.28, 319.31, 408.00, 673.9], 2e-4);
    // Colantonio et al. 2022, table 3
    agree(&found[..3], &[53.0, 321.0, 408.0], 6e-3);
}

#[test]
fn glued_blades_move_as_if_joined() {
    let place = Place::new();
    place.bristle(&["examples", "blades-sim1", "--out", "."]);
    let quarter = |y: &str| {
        let at = |x: &str, z: &str| format!("[\"{x} mm\", \"{y} mm\", \"{z} mm\"]");
        let all = [at("5", "6"), at("-5", "6"), at("5", "-6"), at("-5", "-6")];
        format!("points.at=[{}]", all.join(", "))
    };
    let (left, right) = (quarter("17"), quarter("-17"));
    let sets = [
        format!("contact.left.{left}"),
        format!("contact.right.{right}"),
    ];
    let arguments = [
        "blades-sim1.toml",
        "--as-given",
        "--contacts",
        "stuck",
        "--count",
        "3",
        "--set",
        &sets[0],
        "--set",
        &sets[1],
    ];
    // the independent assembly with one rigid body for all tie-bosses: 155, 212, 219 Hz, rounded
    agree(
        &frequencies(&place, &arguments),
        &[155.0, 212.0, 219.0],
        3e-3,
    );
}

#[test]
fn what_cannot_rest_is_told() {
    let place = Place::new();
    place.write(
        "loose.toml",
        "title = \"loose\"\n[simulation]\nend_time = 1\n[body.block]\njoint = \"prismatic\"\n\
         mass = 1\n[force.push]\nbody = \"block\"\ndirection = [1, 0, 0]\nmagnitude = 1\n",
    );
    let ran = place.bristle(&["modes", "loose.toml"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("block"), "{}", ran.err);
    assert!(ran.err.contains("--as-given"), "{}", ran.err);
}

#[test]
fn pictures_show_how_bodies_are_turned() {
    let place = Place::new();
    // 0.5 kg: the box of even density with these moments has edges of 0.6, 0.2 and 0.1 m
    let moment = |a: f64, b: f64| 0.5 * (a * a + b * b) / 12.0;
    let inertia = [moment(0.2, 0.1), moment(0.6, 0.1), moment(0.6, 0.2)];
    let scenario = |own: &str| {
        format!(
            "title = \"m\"\n[simulation]\nend_time = 1\n[body.arm]\njoint = \"revolute\"\n\
             axis = [0, 0, 1]\nmass = 0.5\n{own}\n[joint_spring.s]\nbody = \"arm\"\nstiffness = 10\n"
        )
    };
    let by_inertia = scenario(&format!("inertia = {inertia:?}"));
    let by_shape = scenario("shape = { box = [0.6, 0.2, 0.1] }");
    let mut pictures = Vec::new();
    for (name, text) in [("inertia", by_inertia), ("shape", by_shape)] {
        place.write(&format!("{name}.toml"), &text);
        let ran = place.bristle(&["modes", &format!("{name}.toml"), "--out", name]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let svg = std::fs::read_to_string(place.path(name).join("mode_01.svg"));
        pictures.push(svg.expect("a picture"));
    }
    // the edges of a box at rest and turned, in two views: six lines each
    for picture in &pictures {
        let lines = picture.matches("<path").count() + picture.matches("<polyline").count();
        assert!(lines >= 24, "{lines}");
    }
}

/// A blade of 0.4 m on a hub of 0.1 m that turns with 300 rad/s, with and without the hub as parent of its tip and nodes.
#[test]
fn a_tip_that_does_not_turn_with_its_hub_is_warned_of() {
    let place = Place::new();
    let blade = |tip: &str, nodes: &str| {
        format!(
            r#"
title = "A blade"
[simulation]
end_time = 1
[body.hub]
joint = "prescribed"
motion = {{ axis = [0, 0, 1], angle = "300*t" }}
[body.tip]
{tip}
joint = "free"
mass = 1e-3
shape = {{ sphere = 0.01 }}
position = [0.5, 0, 0]
[beam.b]
{nodes}
from = {{ body = "hub", point = [0.1, 0, 0] }}
to = {{ body = "tip", point = [0, 0, 0] }}
elements = 6
section = {{ rectangle = [0.02, 0.004] }}
section_y = [0, 1, 0]
young_modulus = 2.1e11
density = 7800
"#
        )
    };
    let on_hub = "parent = \"hub\"";
    for (tip, nodes, parted) in [("", "", 1), (on_hub, "", 1), ("", on_hub, 6)] {
        place.write("beside.toml", &blade(tip, nodes));
        let ran = place.bristle(&["modes", "beside.toml"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let words = format!("ends of b.element{parted} apart");
        assert!(ran.err.contains(&words), "{words}: {}", ran.err);
    }
    let ran = place.bristle(&["modes", "beside.toml", "--json"]);
    assert!(!ran.out.contains("\"damping_ratio\": -0.0,"), "{}", ran.out);
    place.write("carried.toml", &blade(on_hub, on_hub));
    let ran = place.bristle(&["modes", "carried.toml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.is_empty(), "{}", ran.err);
}
