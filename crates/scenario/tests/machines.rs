//! Machines from their scenario files, against closed forms and invariants.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use bristle_mechanics::record::Outcome;
use bristle_scenario::{SourceMap, load};
use machine::{Rows, close, run, run_file};
use std::path::Path;

/// A box of 2 kg with mu = 0.4 on a belt that moves at 1 m/s.
fn belt(speed_of_box: f64, speed_of_belt: f64) -> (Outcome, Rows) {
    run(&format!(
        r#"
title = "Box on a belt"
[simulation]
end_time = "0.6 s"
output_step = "0.1 ms"
gravity = [0, 0, -9.81]
integrator = {{ tolerance = 1e-7 }}
[body.belt]
joint = "prismatic"
mass = "1 kg"
drive = {{ coordinate = "{speed_of_belt}*t" }}
[body.box]
joint = "planar"
mass = "2 kg"
shape = {{ box = ["0.1 m", "0.1 m", "0.1 m"] }}
velocity = [{speed_of_box}, 0, 0]
[contact.sole]
points = {{ body = "box", at = [[0, 0, 0]] }}
plane = {{ body = "belt", normal = [0, 0, 1] }}
normal = {{ prescribed = "19.62 N" }}
friction = {{ law = "karnopp", static_coefficient = 0.4, kinetic_coefficient = 0.4, stribeck_velocity = 1e-6, stiction_velocity = 1e-5 }}
"#
    ))
}

/// A box put on a moving belt is taken along by mu m g and is in step after v/(mu g), having slid
/// v²/(2 mu g) back; boxes that move with the belt feel nothing.
#[test]
fn a_belt_takes_a_box_along() {
    let (_, rows) = belt(0.0, 1.0);
    let (t, friction) = (rows.column("t"), rows.column("contact.sole.friction.x"));
    let slid: Vec<f64> = rows.column("body.box.position.x");
    // the channel is the force along the slip of the box, which is backwards
    close("force", friction[100], -7.848, 1e-9);
    let in_step = t.iter().zip(rows.column("body.box.velocity.x"));
    let in_step = in_step.clone().find(|(_, v)| *v > 0.99999).unwrap();
    // known within a row
    close("in step", *in_step.0, 0.254_842, 1.1e-4);
    // behind the belt by then and for good; the stiction velocity of 1e-5 m/s leaves 1e-6 m in 0.1 s
    close(
        "slid",
        t.last().unwrap() - slid.last().unwrap(),
        0.127_421,
        1e-5,
    );
    for speed in [1.0, 5.0] {
        let (outcome, rows) = belt(speed, speed);
        let largest = rows.column("contact.sole.friction.x");
        let largest = largest.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
        // rounding of places of metres, seen through the stiff hold of the law
        assert!(
            largest < 1e-5 * 7.848,
            "in step at {speed} m/s: {largest} N"
        );
        assert!(outcome.contacts[0].first_slip_time.is_none());
    }
}

/// A ball without spin hits the ground at 76 degrees from the normal: e = 1, mu = 0.5. It slides
/// all through, so that friction is mu N: v_t' = v_t − mu (1 + e) v_n, omega R = 5/2 mu (1 + e) v_n.
#[test]
fn a_glancing_ball_slides_all_through() {
    let (_, rows) = run(r#"
title = "Glancing ball"
[simulation]
end_time = "4 ms"
integrator = { tolerance = 1e-8 }
[body.ball]
joint = "free"
mass = "1 kg"
shape = { sphere = "0.1 m" }
position = [0, 0, "100.1 mm"]
velocity = [0.970295726, 0, -0.241921896]
[contact.ground]
points = { body = "ball", sphere = { radius = "100 mm", centre = [0, 0, 0] } }
plane = { body = "ground", normal = [0, 0, 1] }
normal = { law = "kelvin_voigt", stiffness = "1e9 N/m", damping = "0 N s/m" }
friction = { law = "coulomb_tanh", kinetic_coefficient = 0.5, regularisation_velocity = 1e-6 }
"#);
    // the ball has left the ground by then; Newton's and the step's error are below 1e-6
    close(
        "tangential",
        rows.last("body.ball.velocity.x"),
        0.728_374,
        2e-6,
    );
    close("normal", rows.last("body.ball.velocity.z"), 0.241_922, 2e-6);
    let spin = rows.last("body.ball.angular_velocity.y");
    // friction acts half the depth above the lowest point, of at most 7.7 µm under 100 mm
    close("spin", spin * 0.1, 0.604_805, 2.4e-5);
}

/// A cube of 0.1 m at 6 m/s, mu = 0.5: it never lifts a corner, since it would tip only beyond
/// mu = 1, and stops after v/(mu g) and v²/(2 mu g).
#[test]
fn a_sliding_cube_does_not_tip() {
    let (_, rows) = run(r#"
title = "Sliding cube"
[simulation]
end_time = "1.4 s"
gravity = [0, 0, -9.81]
integrator = { tolerance = 1e-6 }
[body.cube]
joint = "free"
mass = "1 kg"
shape = { box = ["0.1 m", "0.1 m", "0.1 m"] }
position = [0, 0, "49.9755 mm"]
velocity = [6, 0, 0]
[contact.sole]
points = { body = "cube", at = [[-0.05, -0.05, -0.05], [-0.05, 0.05, -0.05], [0.05, -0.05, -0.05], [0.05, 0.05, -0.05]] }
plane = { body = "ground", normal = [0, 0, 1] }
normal = { law = "kelvin_voigt", stiffness = "1e5 N/m", damping = "300 N s/m" }
friction = { law = "lugre", bristle_stiffness = 1e5, bristle_damping = 0, viscous_coefficient = 0, stribeck_velocity = "1 mm/s", static_coefficient = 0.5, kinetic_coefficient = 0.5 }
"#);
    let t = rows.column("t");
    // the first 50 ms turn the cube forward by its load, on springs
    for point in 1..=4 {
        let forces = rows.column(&format!("contact.sole.point{point}.normal_force"));
        let least = forces.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least > 0.0, "point {point} carries {least} N");
    }
    let x = rows.column("body.cube.position.x");
    let stop = t
        .iter()
        .zip(rows.column("body.cube.velocity.x"))
        .find(|(_, v)| *v < 1e-3);
    // a row is 1.4 ms; the front points go down by 0.12 mm, which moves the centre by 0.06 mm
    close("stops at", *stop.unwrap().0, 1.223_242, 2e-3);
    close("slides", *x.last().unwrap(), 3.669_725, 1e-3);
}

/// A gear of 62.6111 between a motor with friction and its link: what the motor has appears times
/// the gear, of viscous friction times its square. A friction radius is such a gear.
#[test]
fn motor_friction_at_the_link() {
    for (direction, coulomb, wanted) in [(1.0, 0.395, 30.5332), (-1.0, 0.435, -33.0377)] {
        let (_, rows) = run(&format!(
            r#"
title = "Geared motor"
[simulation]
end_time = "0.1 s"
[body.link]
joint = "revolute"
axis = [0, 0, 1]
mass = "1 kg"
shape = {{ sphere = "0.1 m" }}
rate = {direction}
[joint_friction.motor]
body = "link"
load = "1 N"
radius = 62.6111
friction = {{ law = "gkf", static_coefficient = {coulomb}, kinetic_coefficient = {coulomb}, viscous_coefficient = 1.48e-3, stribeck_velocity = 1e-3, regularisation_velocity = 1e-3 }}
[torque.drive]
body = "link"
axis = [0, 0, 1]
magnitude = {wanted}
"#
        ));
        // in balance the link keeps its speed: the wanted torques have six digits
        close(
            "torque",
            rows.last("joint_friction.motor.torque"),
            wanted,
            5e-5,
        );
        close("speed", rows.last("joint.link.rate"), direction, 1e-3);
    }
}

/// A mass falls on a slack cable: nothing pulls it before the cable is taut, and the largest
/// tension is m g (1 + sqrt(1 + 2 k h/(m g))).
#[test]
fn a_slack_cable_does_not_push() {
    let (outcome, rows) = run(r#"
title = "Falling into a cable"
[simulation]
end_time = "0.6 s"
output_step = "0.1 ms"
gravity = [0, 0, -10]
integrator = { tolerance = 1e-7 }
[body.lump]
joint = "point"
mass = "2 kg"
position = [0, 0, "-0.2 m"]
[cable.rope]
from = { body = "ground", point = [0, 0, 0] }
to = { body = "lump" }
stiffness = "1000 N/m"
length = "1 m"
"#);
    let (t, tension) = (rows.column("t"), rows.column("cable.rope.tension"));
    let taut = (2.0_f64 * 0.8 / 10.0).sqrt();
    let before = t.iter().zip(&tension).filter(|(t, _)| **t < taut - 1e-3);
    assert!(before.into_iter().all(|(_, f)| *f == 0.0));
    let largest = tension.iter().copied().fold(0.0, f64::max);
    // the peak is round: a row of 0.1 ms misses (omega dt)²/8 of it, 1e-6
    close("tension", largest, 20.0 * (1.0 + 81.0_f64.sqrt()), 1e-3);
    assert!(outcome.energies.relative_imbalance() < 1e-6);
}

/// The static start lets a weight fall until its slack cable holds it, m g/k beyond its length.
#[test]
fn a_static_start_takes_up_the_slack() {
    let (_, rows) = run(r#"
title = "Weight on a cable that is slack at first"
[simulation]
end_time = "1 s"
output_step = "10 ms"
gravity = [0, 0, -10]
start = "equilibrium"
[body.lump]
joint = "point"
mass = "2 kg"
position = [0, 0, "-0.2 m"]
[cable.rope]
from = { body = "ground", point = [0, 0, 0] }
to = { body = "lump" }
stiffness = "1000 N/m"
damping = "20 N s/m"
length = "1 m"
"#);
    for z in rows.column("body.lump.position.z") {
        // the residual is a millionth of the weight at most: 2e-8 m of cable
        close("height", z, -1.02, 2e-8);
    }
}

/// A body on a bushing, seen in turned axes, moves as it did; what it loses is what its bushing
/// takes.
#[test]
fn a_bushing_does_not_know_the_axes() {
    let at = |turn: f64| {
        let (s, c) = turn.to_radians().sin_cos();
        run(&format!(
            r#"
title = "On rubber"
[simulation]
end_time = "0.3 s"
integrator = {{ tolerance = 1e-8 }}
[body.base]
joint = "fixed"
orientation = {{ axis = [0, 0, 1], angle = "{turn} deg" }}
[body.engine]
joint = "free"
mass = "3 kg"
inertia = [0.02, 0.03, 0.04]
orientation = {{ axis = [0, 0, 1], angle = "{turn} deg" }}
velocity = [{}, {}, 0.3]
angular_velocity = [{}, {}, 2]
[bushing.mount]
from = {{ body = "base" }}
to = {{ body = "engine" }}
stiffness = [2000, 3000, 5000]
damping = [3, 4, 5]
rotational_stiffness = [30, 40, 50]
rotational_damping = [0.02, 0.03, 0.04]
"#,
            c * 0.2 + s * 0.1,
            s * 0.2 - c * 0.1,
            c * 1.5 - s * 0.5,
            s * 1.5 + c * 0.5,
        ))
    };
    let (outcome, straight) = at(0.0);
    let (_, turned) = at(37.0);
    for what in ["displacement", "rotation", "force", "moment"] {
        for axis in ["x", "y", "z"] {
            let name = format!("bushing.mount.{what}.{axis}");
            let (a, b) = (straight.column(&name), turned.column(&name));
            let size = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            // the same steps but for rounding, and the tolerance of a step where they differ
            for (a, b) in a.iter().zip(&b) {
                close(&name, *b, *a, 1e-5 * size);
            }
        }
    }
    assert!(outcome.energies.dissipated > 0.1);
    assert!(outcome.energies.relative_imbalance() < 1e-5);
}

/// A body that turns freely for a hundred turns keeps its energy and its momentum.
#[test]
fn a_free_body_keeps_energy_and_momentum() {
    let (outcome, rows) = run(r#"
title = "Free rotation"
[simulation]
end_time = "62.8 s"
output_step = "0.1 s"
integrator = { tolerance = 1e-6 }
[body.wing]
joint = "free"
mass = "1 kg"
inertia = [0.01, 0.02, 0.025]
angular_velocity = [0.3, 10, 0.2]
"#);
    // turning about the middle axis is unstable: it tumbles, and never settles
    let w = rows.column("body.wing.angular_velocity.x");
    assert!(w.iter().any(|w| w.abs() > 1.0), "it tumbles");
    let energies = &outcome.energies;
    // second-order steps at 1e-6 over some 600 turning points
    close("energy", energies.kinetic / energies.start, 1.0, 1e-4);
}

/// At fixed steps of a fiftieth of a turn a fast body takes every step at once, though its inertia
/// turns with it.
#[test]
fn a_fast_body_takes_fixed_steps() {
    let (outcome, _) = run(r#"
title = "Fast rotation"
[simulation]
end_time = "12.5 s"
output_step = "1 s"
integrator = { step = "12.5 ms", tolerance = 1e-9 }
[body.wing]
joint = "free"
mass = "1 kg"
inertia = [0.01, 0.02, 0.025]
angular_velocity = [0.3, 0.2, 10]
"#);
    assert_eq!(
        (outcome.statistics.steps, outcome.statistics.rejected),
        (1000, 0)
    );
    // (omega h)² = 0.016 of the wobble, which has a hundredth of the energy
    close(
        "energy",
        outcome.energies.kinetic / outcome.energies.start,
        1.0,
        1e-4,
    );
}

/// A support between two bodies that both stand still is said to be one too many.
#[test]
fn idle_supports_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    let text = r#"
title = "Held twice"
[simulation]
end_time = 1
[body.wall]
joint = "fixed"
[body.cart]
joint = "prismatic"
mass = 1
[bushing.idle]
from = { body = "ground" }
to = { body = "wall" }
stiffness = [1, 1, 1]
[spring.used]
from = { body = "wall", point = [1, 0, 0] }
to = { body = "cart" }
stiffness = 1
"#;
    std::fs::write(&path, text).unwrap();
    let scenario = load(&path, &[], &mut SourceMap::new()).unwrap();
    let told: Vec<&str> = scenario
        .warnings
        .iter()
        .map(|w| w.message.as_str())
        .collect();
    let wanted = "bushing.idle: ground and wall both stand still, so that it has no influence; \
                  free one of them or leave it out";
    assert_eq!(told, [wanted]);
}

/// The two outer blades are mirror images, and move as such until rounding is amplified.
#[test]
fn outer_blades_move_alike() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/blades-sim1.toml");
    let newmark = "simulation.integrator.method=newmark";
    let (outcome, rows) = run_file(&path, &["simulation.end_time=1.0", "expect=[]", newmark]);
    for (axis, sign) in [("x", 1.0), ("y", -1.0), ("z", 1.0)] {
        let of = |tip: &str| rows.column(&format!("body.{tip}_tip.position.{axis}"));
        let (left, right) = (of("left"), of("right"));
        let moved = |side: &[f64]| side.iter().map(|x| x - side[0]).collect::<Vec<_>>();
        let (left, right) = (moved(&left), moved(&right));
        let size = left.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (l, r) in left.iter().zip(&right) {
            // coordinates of 0.2 m are rounded by 3e-17 m, the contacts are 3e-7 m deep: their forces
            // know the symmetry to some 1e-10, and the motion that follows to some 1e-9
            close(axis, *r, sign * l, 5e-9 * size.max(1e-6));
        }
    }
    assert!(outcome.energies.relative_imbalance() < 1e-5);
}
