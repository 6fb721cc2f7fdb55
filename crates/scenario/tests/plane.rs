//! A block in the plane, pulled at any angle.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use machine::{close, run};

/// Benchmark B7 in two dimensions: N = 10 N until 3 s and then falling to 0 at 4 s, a pull of 0.75 N from 2 s on. The
/// numbers are those of an independent solution with one dimension; the angle does not matter.
#[test]
fn b7_a_pull_at_any_angle() {
    for degrees in [0.0_f64, 17.0, 60.0, 123.0, 270.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (_, rows) = run(&format!(
            r#"
title = "Block in the plane"
[simulation]
end_time = "3.6 s"
output_step = "1 ms"
integrator = {{ tolerance = 1e-8 }}
[body.block]
joint = "planar"
mass = "1 kg"
shape = {{ box = ["0.1 m", "0.1 m", "0.1 m"] }}
[contact.sole]
points = {{ body = "block", at = [[0, 0, 0]] }}
plane = {{ body = "ground", normal = [0, 0, 1] }}
normal = {{ prescribed = {{ table = [[0, 10], [3, 10], [4, 0]] }} }}
friction = {{ law = "lugre", bristle_stiffness = 1e4, bristle_damping = 31.622776601683793, viscous_coefficient = 0.04, stribeck_velocity = 1e-3, kinetic_coefficient = 0.1, static_coefficient = 0.15 }}
[force.pull]
body = "block"
direction = [{cos}, {sin}, 0]
magnitude = {{ table = [[0, 0], [1, 0], [2, 0.75], [4, 0.75]] }}
"#
        ));
        let column = |name: &str| rows.column(name);
        let (t, x, y) = (
            column("t"),
            column("body.block.position.x"),
            column("body.block.position.y"),
        );
        let index = |time: f64| t.iter().position(|t| *t > time - 1e-9).unwrap();
        // seven digits are given; the tolerance leaves less than 1e-10 m
        for (time, way) in [
            (2.0, 1.034_967e-5),
            (3.0, 1.042_139e-5),
            (3.4, 2.646_705e-5),
        ] {
            let i = index(time);
            close("way", x[i].hypot(y[i]), way, 2e-11 + 1e-6 * way);
        }
        let (vx, vy) = (
            column("body.block.velocity.x"),
            column("body.block.velocity.y"),
        );
        let fast = (0..t.len()).find(|&i| vx[i].hypot(vy[i]) > 0.01).unwrap();
        // rows are 1 ms apart
        close("fast from", t[fast], 3.52377, 1e-3);
        for i in [index(1.5), index(2.5), index(3.3), index(3.6)] {
            let across = (cos * y[i] - sin * x[i]) / x[i].hypot(y[i]);
            // rounding of direction and position, a few units of 1e-16 in each of many steps
            assert!(across.abs() < 1e-13, "{degrees} degrees: off by {across:e}");
        }
    }
}
