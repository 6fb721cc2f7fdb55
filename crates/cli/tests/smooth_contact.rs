//! A smooth contact (`friction = "none"`) in every command that looks at contacts.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use support::Place;

/// A block of 2 kg on three smooth feet, pulled from rest with a force that grows to 3 N in 1 s.
const SCENARIO: &str = r#"
title = "A block on ice"

[simulation]
end_time    = 1.0
output_step = 0.1
start       = "equilibrium"
gravity     = [0, 0, -9.81]

[body.block]
joint    = "free"
mass     = "2 kg"
shape    = { box = ["0.1 m", "0.1 m", "0.1 m"] }
position = [0, 0, "0.05 m"]

[contact.feet]
points   = { body = "block", circle = { radius = "40 mm", count = 3, centre = [0, 0, "-50 mm"] } }
normal   = { law = "hunt_crossley", stiffness = 1e6, exponent = 1, damping = 1e3 }
friction = "none"

[force.pull]
body      = "block"
point     = [0, 0, "-50 mm"]
direction = [1, 0, 0]
magnitude = { table = [[0, 0], [1, 3]] }
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("ice.toml", SCENARIO);
    place
}

#[test]
fn a_pulled_block_moves_as_newton_says() {
    let place = place();
    let checked = place.bristle(&["check", "ice.toml"]);
    assert_eq!(checked.code, Some(0), "{}", checked.err);
    assert!(
        checked.out.contains("smooth with hunt_crossley"),
        "{}",
        checked.out
    );
    let ran = place.bristle(&["run", "ice.toml", "--out", "ice", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let summary = ran.json();
    let contact = &summary["contacts"]["feet"];
    // v = F t/2m = 0.75 m/s at the end; the feet take the moment of the pull, so that the block
    // tilts by some 0.15 N m/(k r²) = 0.1 mrad in 1 s
    let speed = contact["max_slip_speed"].as_f64().expect("a speed");
    assert!((speed - 0.75).abs() < 1e-3, "{speed}");
    // nothing rubs; the damper of the feet takes what the tilt sets free
    let dissipated = contact["dissipated"].as_f64().expect("an energy");
    assert!((0.0..1e-4).contains(&dissipated), "{dissipated}");
    let channels = std::fs::read_to_string(place.path("ice/channels.json")).expect("channels");
    assert!(channels.contains("contact.feet.point1.normal_force"));
    assert!(!channels.contains(".state"), "{channels}");
}

#[test]
fn other_commands_take_it_as_it_is() {
    let place = place();
    let modes = place.bristle(&["modes", "ice.toml", "--json"]);
    assert_eq!(modes.code, Some(0), "{}", modes.err);
    let swept = place.bristle(&[
        "sweep",
        "ice.toml",
        "--vary",
        "body.block.mass=1,2",
        "--out",
        "sweep",
    ]);
    assert_eq!(swept.code, Some(0), "{}", swept.err);
    let ran = place.bristle(&["run", "ice.toml", "--out", "ice"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let report = place.bristle(&["report", "ice"]);
    assert_eq!(report.code, Some(0), "{}", report.err);
    let compared = place.bristle(&["compare", "ice.toml", "--law", "gkf", "--law", "lugre"]);
    assert_eq!(compared.code, Some(2), "{}", compared.out);
    assert!(compared.err.contains("friction"), "{}", compared.err);
}

#[test]
fn friction_may_be_taken_away_on_the_command_line() {
    let place = Place::new();
    let law = "{ law = \"coulomb_tanh\", mu_k = 0.5, v_r = 1e-3 }";
    place.write("ice.toml", &SCENARIO.replace("\"none\"", law));
    let speed = |arguments: &[&str]| {
        let ran = place.bristle(&[&["run", "ice.toml", "--json"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let speed = &ran.json()["contacts"]["feet"]["max_slip_speed"];
        speed.as_f64().expect("a speed")
    };
    // 3 N do not move a block with 9.8 N of friction
    assert!(speed(&["--out", "rough"]) < 1e-2);
    let smooth = speed(&["--out", "smooth", "--set", "contact.feet.friction=none"]);
    assert!((smooth - 0.75).abs() < 1e-3, "{smooth}");
}
