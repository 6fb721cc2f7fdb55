//! `bristle response` of machines without friction, against closed forms.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use std::f64::consts::TAU;

use serde_json::Value;
use support::Place;

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn curve(scenario: &str, arguments: &[&str]) -> Value {
    let place = Place::new();
    place.write("linear.toml", scenario);
    let all = [&["response", "linear.toml", "--json"], arguments].concat();
    let ran = place.bristle(&all);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()
}

const HEAD: &str = "title = \"Linear\"\n[simulation]\nend_time = 1\ngravity = [0, 0, 0]\n";

fn mass(name: &str, parent: &str) -> String {
    format!(
        "[body.{name}]\nparent = \"{parent}\"\njoint = \"prismatic\"\naxis = [1, 0, 0]\nmass = 2\n\
         [joint_spring.{name}]\nbody = \"{name}\"\nstiffness = 5000\ndamping = 20\n"
    )
}

fn pull(body: &str, amplitude: f64) -> String {
    format!(
        "[force.{body}]\nbody = \"{body}\"\ndirection = [1, 0, 0]\n\
         magnitude = {{ harmonic = {{ amplitude = {amplitude} }} }}\n"
    )
}

/// m = 2 kg, k = 5 kN/m, d = 20 N s/m under 3 N: ω₀ = 50 rad/s, ζ = 0.1. The highest amplitude is
/// F/(2ζ√(1 − ζ²) k) at ω₀ √(1 − 2ζ²); |x| = F/|k − mω² + iωd|.
#[test]
fn one_mass_is_an_oscillator() {
    let scenario = [HEAD, &mass("a", "ground"), &pull("a", 3.0)].concat();
    let found = curve(&scenario, &["--from", "4Hz", "--to", "16Hz"]);
    let peak = &found["peaks"][0];
    let zeta = 0.1_f64;
    let highest = 3.0 / (2.0 * zeta * (1.0 - zeta * zeta).sqrt() * 5000.0);
    let place = 50.0 * (1.0 - 2.0 * zeta * zeta).sqrt();
    // the top is flat: its place is known to the root of what its size is known to
    assert!((number(&peak["amplitude"]) / highest - 1.0).abs() < 1e-6);
    assert!((number(&peak["frequency"]) * TAU / place - 1.0).abs() < 1e-3);
    for point in found["points"].as_array().expect("points") {
        let omega = number(&point["frequency"]) * TAU;
        let exact = 3.0 / (5000.0 - 2.0 * omega * omega).hypot(20.0 * omega);
        let amplitude = number(&point["channels"]["body.a.position.x"]["amplitude"]);
        // one harmonic is the whole motion; half of peak to peak is taken from its coefficient
        assert!((amplitude / exact - 1.0).abs() < 1e-9, "{omega} rad/s");
        assert_eq!(point["stable"], true);
    }
}

/// Two masses of the ground pulled apart: the sum of their motions is nothing, and each is an
/// oscillator of its own.
#[test]
fn loads_against_each_other_are_seen() {
    let scenario = [
        HEAD,
        &mass("a", "ground"),
        &mass("b", "ground"),
        &pull("a", 1.0),
        &pull("b", -1.0),
    ]
    .concat();
    let found = curve(
        &scenario,
        &["--at", "50 rad/s", "--channel", "body.b.position.x"],
    );
    let read = &found["points"][0]["channels"]["body.b.position.x"];
    // at ω₀ the damper alone is there: −1/(iωd) = i/1000
    let first = &read["harmonics"][1];
    assert!(number(&first[0]).abs() < 1e-15);
    assert!((number(&first[1]) / 1e-3 - 1.0).abs() < 1e-9);
}

/// A motor in the joint is an excitation like a force on the body, also through a rotor:
/// c = 10 N m/rad, J = 0.01 kg m², d = 0.01 N m s/rad under 0.1 N m.
#[test]
fn efforts_in_joints_excite() {
    let motor = "[joint_force.motor]\nbody = \"a\"\nmagnitude = { harmonic = { amplitude = 3 } }\n";
    let inside = [HEAD, &mass("a", "ground"), motor].concat();
    let outside = [HEAD, &mass("a", "ground"), &pull("a", 3.0)].concat();
    let read = |scenario: &str| {
        let found = curve(
            scenario,
            &["--at", "60 rad/s", "--channel", "body.a.position.x"],
        );
        number(&found["points"][0]["channels"]["body.a.position.x"]["amplitude"])
    };
    assert!((read(&inside) / read(&outside) - 1.0).abs() < 1e-12);

    let rotor = "[body.rotor]\njoint = \"revolute\"\naxis = [0, 0, 1]\nmass = 1\n\
                 inertia = [0.01, 0.01, 0.01]\n\
                 [joint_spring.shaft]\nbody = \"rotor\"\nstiffness = 10\ndamping = 0.01\n\
                 [joint_torque.motor]\nbody = \"rotor\"\n\
                 magnitude = { harmonic = { amplitude = 0.1 } }\n";
    let scenario = [HEAD, rotor].concat();
    let found = curve(
        &scenario,
        &["--at", "20 rad/s", "--channel", "joint.rotor.coordinate"],
    );
    let amplitude = number(&found["points"][0]["channels"]["joint.rotor.coordinate"]["amplitude"]);
    let omega = 20.0_f64;
    let exact = 0.1 / (10.0 - 0.01 * omega * omega).hypot(0.01 * omega);
    assert!(
        (amplitude / exact - 1.0).abs() < 1e-9,
        "{amplitude} and not {exact}"
    );
}

/// A stop at rest is open: what the motion would do there is not in the balance, and a warning says so.
#[test]
fn stops_are_pointed_out() {
    let stop = "[joint_stop.end]\nbody = \"a\"\nmax = 0.01\n\
                normal = { law = \"hunt_crossley\", stiffness = 1e6, exponent = 1.5, damping = 0 }\n";
    let scenario = [HEAD, &mass("a", "ground"), &pull("a", 3.0), stop].concat();
    let place = Place::new();
    place.write("linear.toml", &scenario);
    let ran = place.bristle(&["response", "linear.toml", "--at", "4Hz", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.err.contains("joint_stop.end counts as it is at rest"),
        "{}",
        ran.err
    );
}

/// A body that cannot move, with friction on it.
const FIXED: &str = "[body.f]\njoint = \"fixed\"\nmass = 1\n\
                     [contact.c]\npoints = { body = \"f\", at = [[0, 0, 0]] }\n\
                     normal = { prescribed = 10 }\n\
                     friction = { law = \"jenkins\", tangential_stiffness = 1e4, kinetic_coefficient = 0.3 }\n";

/// Friction where nothing moves changes nothing: F/(ωd) at ω₀ = 50 rad/s.
#[test]
fn friction_on_what_is_fixed_leaves_the_rest_as_it_is() {
    let scenario = [HEAD, FIXED, &mass("a", "ground"), &pull("a", 3.0)].concat();
    let found = curve(
        &scenario,
        &["--at", "50 rad/s", "--channel", "body.a.position.x"],
    );
    let amplitude = number(&found["points"][0]["channels"]["body.a.position.x"]["amplitude"]);
    assert!((amplitude / 3e-3 - 1.0).abs() < 1e-9, "{amplitude}");
}

#[test]
fn loads_that_move_nothing_are_refused() {
    let place = Place::new();
    let scenario = [HEAD, FIXED, &mass("a", "ground"), &pull("f", 3.0)].concat();
    place.write("linear.toml", &scenario);
    let ran = place.bristle(&["response", "linear.toml", "--at", "4Hz"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("the harmonic loads move nothing"),
        "{}",
        ran.err
    );
}
