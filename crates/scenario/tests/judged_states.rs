//! Which states of friction laws the error control judges.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use bristle_integrate::System as _;

/// How many entries of the history of a loaded pair of faces have a size, by which their errors are judged.
fn judged(friction: &str) -> usize {
    let scenario = machine::read(&format!(
        r#"
title = "A block"
[simulation]
end_time = "1 s"
[body.b]
joint = "prismatic"
axis = [1, 0, 0]
mass = "1 kg"
rate = 0.1
[joint_friction.guide]
body = "b"
load = "10 N"
{friction}
"#
    ));
    let model = &scenario.model;
    let mut scales = vec![0.0; model.history_len()];
    model.history_scales(&model.start(), &mut scales);
    scales.iter().filter(|scale| **scale > 0.0).count()
}

/// Smooth rates are integrated like velocities: their errors count whatever the unit.
#[test]
fn a_state_of_ones_own_counts_though_it_is_a_pure_number() {
    let own = r#"
[joint_friction.guide.friction]
sigma_0 = 1e3
z_0 = "1 mm"
t_0 = "0.1 s"
mu = 0.2
[joint_friction.guide.friction.law]
name = "lagging"
equations = """
  dz/dt = v - sigma_0*|v|/mu*z
  dw/dt = v/z_0 - w/t_0
  F     = N*(sigma_0*z + 0.01*w)
"""
parameters = { sigma_0 = "1/m", mu = "1", z_0 = "m", t_0 = "s" }
"#;
    assert_eq!(judged(own), 2);
}

/// A stick spring has an error; the direction of the latest slip, which the update remembers, only says
/// where it turns back.
#[test]
fn a_direction_that_an_update_remembers_does_not_count() {
    let spring = r#"friction = { law = "simpack_stick_slip", stick_stiffness = 1e5, stick_damping = 10, static_coefficient = 0.3, kinetic_coefficient = 0.2 }"#;
    assert_eq!(judged(spring), 1);
}
