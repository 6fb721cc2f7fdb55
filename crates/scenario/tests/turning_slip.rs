//! Bodies whose slip turns all the time: on a belt, in the air, on a floor.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use machine::{close, run};

/// A light body that a moving plane hits spins fast while the zone of penetration is deep: another
/// point of it is in the middle of the zone at every instant, and the slip is not the displacement of
/// one. The energy closes as the steps do, by the square of their length: 10^(2/3) a decade of the
/// tolerance, 22 over two.
#[test]
fn a_light_body_that_a_belt_spins_up_keeps_its_energy() {
    let imbalance = |tolerance: &str, stiffness: f64| {
        let (outcome, _) = run(&format!(
            r#"
title = "A light body hit by a moving plane"
[simulation]
end_time = "20 ms"
gravity = [0, 0, 0]
integrator = {{ tolerance = {tolerance} }}
[body.belt]
joint = "prescribed"
motion = {{ direction = [1, 0, 0.5], displacement = {{ ramp = {{ to = "40 mm", duration = "20 ms" }} }} }}
[body.p]
joint = "free"
mass = "10 g"
inertia = [1e-6, 1e-6, 1e-6]
position = [0, 0, 0.012]
[contact.c]
points = {{ body = "p", at = [[0, 0, -0.01]] }}
plane = {{ body = "belt", point = [0, 0, 0], normal = [0, 0, 1] }}
normal = {{ law = "kelvin_voigt", stiffness = {stiffness}, damping = 1 }}
friction = {{ law = "lugre", kinetic_coefficient = 0.3, static_coefficient = 0.3, stribeck_velocity = "1 mm/s", bristle_stiffness = 1e5, bristle_damping = 100 }}
"#
        ));
        outcome.balance.relative()
    };
    for stiffness in [1e4, 1e3] {
        let (coarse, fine) = (imbalance("1e-6", stiffness), imbalance("1e-8", stiffness));
        assert!(coarse < 1e-5, "{stiffness}: {coarse}");
        assert!(fine < coarse / 10.0, "{stiffness}: {coarse}, {fine}");
    }
}

/// A block in the air turns, and with it the direction in which its corners would slip. What a law remembers
/// of that holds no step down: some ten steps a turn.
#[test]
fn a_remembered_direction_holds_no_step_down() {
    for friction in [
        r#"law = "armstrong", stick_stiffness = 1e5, kinetic_coefficient = 0.7, stribeck_excess = 0.3, stribeck_velocity = 4e-3"#,
        r#"law = "simpack_stick_slip", stick_stiffness = 1e5, stick_damping = 100, kinetic_coefficient = 0.7"#,
        r#"law = "reset_integrator", bristle_stiffness = 1e4, bristle_damping = 30, kinetic_coefficient = 0.7"#,
    ] {
        let (outcome, _) = run(&format!(
            r#"
title = "A block in the air"
[simulation]
end_time = 0.2
gravity = [0, 0, -9.81]
[body.block]
joint = "free"
mass = 1
shape = {{ box = [0.3, 0.3, 0.2] }}
position = [0, 0, 1]
velocity = [-1, 0.3, 0]
angular_velocity = [-0.6, -0.3, -6]
[contact.floor]
points = {{ body = "block", at = [[0.15, 0.15, -0.1], [-0.15, 0.15, -0.1]] }}
normal = {{ law = "kelvin_voigt", stiffness = 1e5, damping = 100 }}
friction = {{ {friction} }}
"#
        ));
        let steps = outcome.statistics.steps;
        assert!(steps < 500, "{friction}: {steps} steps");
    }
}

/// A block that slides and spins: the slip of its corners turns all the time. Stiff springs and a steep ramp are
/// both Coulomb's friction, and the block stops at the same place and angle.
#[test]
fn springs_slide_round_bends() {
    let slid = |friction: &str| {
        let (outcome, rows) = run(&format!(
            r#"
title = "A block that slides and spins"
[simulation]
end_time = 0.35
[body.block]
joint = "planar"
mass = 2
shape = {{ box = [0.2, 0.3, 0.1] }}
velocity = [0.8, 0.3, 0]
angular_rate = 5
[contact.floor]
points = {{ body = "block", at = [[0.1, 0.15, 0], [-0.1, 0.15, 0], [0.1, -0.15, 0], [-0.1, -0.15, 0]] }}
normal = {{ prescribed = "5 N" }}
friction = {{ {friction} }}
"#
        ));
        let coordinates = ["x", "y"].map(|axis| rows.last(&format!("body.block.position.{axis}")));
        (outcome.statistics.steps, coordinates)
    };
    let ramp = r#"law = "coulomb_tanh", kinetic_coefficient = 0.3, regularisation_velocity = 1e-5"#;
    let (few, wanted) = slid(ramp);
    let springs = r#"law = "jenkins", tangential_stiffness = 1e6, kinetic_coefficient = 0.3"#;
    let (steps, place) = slid(springs);
    for (x, wanted) in place.iter().zip(wanted) {
        // the springs give by 1.5 µm, the ramp creeps by some µm
        close(springs, *x, wanted, 2e-5);
    }
    // it rings at the end; along chords it would take 200 000 steps
    assert!(steps < 10 * few, "{steps} steps, {few} on the ramp");
    // springs side by side, each of which turns behind the slip by a way of its own
    let springs = r#"law = "iwan", element_stiffnesses = [4e5, 3e5, 2e5, 1e5], element_fractions = [0.1, 0.2, 0.3, 0.4], kinetic_coefficient = 0.3"#;
    let (steps, place) = slid(springs);
    for (x, wanted) in place.iter().zip(wanted) {
        // the softest spring gives by 6 µm
        close(springs, *x, wanted, 2e-5);
    }
    // one way for all of them would take 40 000 steps
    assert!(steps < 10 * few, "{steps} steps, {few} on the ramp");
}
