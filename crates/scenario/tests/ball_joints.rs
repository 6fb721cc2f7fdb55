//! Friction in spherical joints, from scenario files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use bristle_scenario::{SourceMap, load};
use machine::{close, run};

/// A ball of 0.02 kg m² with 30 rad/s in its socket: α = r μ N/I = 75 rad/s² at 0.1 m under 50 N.
fn ball(joint: &str, friction: &str) -> String {
    format!(
        r#"
title = "Ball in its socket"
[simulation]
end_time = "0.3 s"
output_step = "0.1 s"
gravity = [0, 0, 0]
integrator = {{ tolerance = 1e-8 }}
[body.ball]
mass = "1 kg"
inertia = [0.02, 0.02, 0.02]
angular_velocity = [12, 0, 24]
{joint}
[joint_friction.socket]
{friction}
friction = {{ law = "jenkins", tangential_stiffness = 1e6, kinetic_coefficient = 0.3 }}
"#
    )
}

#[test]
fn a_body_and_a_loop_slow_down_alike() {
    let tree = ball(
        "joint = \"spherical\"",
        "body = \"ball\"\nradius = \"100 mm\"\nload = \"50 N\"",
    );
    let closed = ball(
        "joint = \"free\"\n[loop.pin]\njoint = \"spherical\"\nfrom = {}\nto = { body = \"ball\" }",
        "loop = \"pin\"\nradius = \"100 mm\"\nload = \"50 N\"",
    );
    for text in [tree, closed] {
        let (outcome, rows) = run(&text);
        let speed = 720_f64.sqrt();
        let left = speed - 75.0 * 0.3;
        for (axis, part) in [("x", 12.0), ("y", 0.0), ("z", 24.0)] {
            let name = format!("joint_friction.socket.angular_velocity.{axis}");
            let w = *rows.column(&name).last().unwrap();
            // the bristle bends in 6 µs: 0.4 mrad/s
            close(&name, w, left * part / speed, 1e-3);
            let name = format!("joint_friction.socket.torque.{axis}");
            close(
                &name,
                *rows.column(&name).last().unwrap(),
                1.5 * part / speed,
                1e-6,
            );
        }
        let lost = 0.01 * (speed * speed - left * left);
        // what the bristle holds: (μ N)²/(2 k) = 0.11 mJ
        close("loss", outcome.energies.dissipated, lost, 2e-4);
        close(
            "fastest",
            outcome.joints[0].max_slip_speed,
            0.1 * speed,
            1e-9,
        );
    }
}

/// The first error of a scenario.
fn refused(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let errors = load(&path, &[], &mut SourceMap::new()).unwrap_err();
    errors.iter().next().unwrap().message.clone()
}

#[test]
fn what_a_spherical_joint_does_not_have_is_refused() {
    let with = |friction: &str| {
        refused(&ball(
            "joint = \"spherical\"",
            &format!("body = \"ball\"\n{friction}"),
        ))
    };
    let message = with("load = \"50 N\"");
    assert!(
        message.contains("friction on a rotation needs the radius"),
        "{message}"
    );
    let message = with("load = \"50 N\"\nradius = 0.1\ncoordinate = \"angle\"");
    assert!(
        message.contains("a spherical one rubs about all axes"),
        "{message}"
    );
    let message = with("load = { reaction = { moment_arm = 0.1 } }\nradius = 0.1");
    assert!(message.contains("carries no moment"), "{message}");
    let spring = ball(
        "joint = \"spherical\"",
        "body = \"ball\"\nload = \"50 N\"\nradius = 0.1",
    ) + "[joint_spring.no]\nbody = \"ball\"\nstiffness = 1\n";
    let message = refused(&spring);
    assert!(message.contains("has no single coordinate"), "{message}");
}
