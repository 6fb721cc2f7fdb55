//! Machines with closed loops and couplings: closed forms, the one-mass problem with the same numbers, and time.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test")]

mod common;
use bristle_response::{Machine, Multipliers, TimeRequest, steady_in_time};
use common::{AUTO, Asked, JENKINS, close, fixed, response, scenario};
use std::f64::consts::TAU;

/// A hanging parallelogram whose coupler moves like a mass of 1 kg on 1e4 N/m with 2 N s/m, x = L θ with
/// L = 0.5 m: (2 J + m L²)/L² = (2 · 0.05 + 0.6 · 0.25)/0.25 = 1 kg with J = 0.0375 + 0.2 · 0.25² of a crank
/// about its pin. A gravity of 1000 m/s² adds (2 · 0.2 · 0.25 + 0.6 · 0.5) 1000 = 400 N m/rad to the spring's
/// 2100: half of the coupler hangs on the pin that closes the loop.
fn parallelogram(more: &str) -> String {
    format!(
        r#"
title = "a parallelogram"
[simulation]
end_time = 1.0
gravity = [0, -1000, 0]
[body.left]
joint = "revolute"
axis = [0, 0, 1]
mass = 0.2
inertia = [0.0375, 0.0375, 0.0375]
centre_of_mass = [0, -0.25, 0]
[body.coupler]
parent = "left"
joint = "revolute"
axis = [0, 0, 1]
position = [0, -0.5, 0]
mass = 0.6
inertia = [0.05, 0.05, 0.05]
centre_of_mass = [0.5, 0, 0]
[body.right]
joint = "revolute"
axis = [0, 0, 1]
position = [1, 0, 0]
mass = 0.2
inertia = [0.0375, 0.0375, 0.0375]
centre_of_mass = [0, -0.25, 0]
[loop.pin]
joint = "revolute"
axis = [0, 0, 1]
from = {{ body = "coupler", point = [1, 0, 0] }}
to = {{ body = "right", point = [0, -0.5, 0] }}
[force.push]
body = "coupler"
direction = [1, 0, 0]
magnitude = {{ harmonic = {{ amplitude = 3 }} }}
{more}
"#
    )
}

fn spring(of: &str, stiffness: f64, cubic: f64) -> String {
    format!(
        "[joint_spring.spring]\n{of}\nstiffness = {stiffness}\ncubic = {cubic}\ndamping = 0.5\n"
    )
}

/// Friction with a lever of L: it slips like the coupler.
fn slider(of: &str) -> String {
    format!("[joint_friction.slider]\n{of}\nradius = 0.5\nload = 10\nfriction = {JENKINS}\n")
}

const X: &str = "body.coupler.position.x";

fn asked(channels: &'static [&'static str], omega: f64) -> Asked<'static> {
    Asked {
        channels,
        from: omega,
        to: omega,
        at: &[],
        grid: fixed(15, 1024),
        stability: true,
    }
}

/// Half peak to peak and loss of the one-mass problem by a Verlet march whose period map is closed by Newton's
/// method; it differs from a sum of 15 harmonics by up to 1e-4.
const ONE_MASS: [[f64; 3]; 4] = [
    [80.0, 0.000_348_776_8, 0.0],
    [105.0, 0.001_725_504, 0.013_506_05],
    [110.0, 0.001_709_603, 0.013_315_24],
    [120.0, 0.001_167_355, 0.006_808_266],
];

fn moves_as_one_mass(text: &str) {
    for [omega, amplitude, loss] in ONE_MASS {
        let curve = response(text, &asked(&[X], omega));
        let point = &curve.points[0].result;
        close(point.channels[0].amplitude, amplitude, 2e-4);
        let found = point.pairs[0].dissipated_per_cycle;
        assert!((found - loss).abs() <= 1e-3 * loss + 1e-9, "{found} J");
        assert!(
            point
                .multipliers
                .as_ref()
                .is_some_and(Multipliers::is_stable)
        );
    }
}

#[test]
fn a_linear_loop_is_its_closed_form() {
    let text = parallelogram(&spring("body = \"left\"", 2100.0, 0.0));
    for omega in [60.0, 99.0, 140.0] {
        let curve = response(&text, &asked(&[X], omega));
        let force = nalgebra::Complex::new(3.0, 0.0);
        let right = force / nalgebra::Complex::new(1e4 - omega * omega, 2.0 * omega);
        let found = curve.points[0].result.channels[0].harmonics[1];
        // the equilibrium and differences of tangents are accurate to about 1e-8
        assert!((found - right).norm() <= 1e-6 * right.norm(), "{found}");
    }
}

#[test]
fn friction_of_a_crank_in_a_loop() {
    let crank = "body = \"left\"";
    moves_as_one_mass(&parallelogram(
        &(spring(crank, 2100.0, 0.0) + &slider(crank)),
    ));
}

/// The coupler does not turn, and the pin turns against it as much as the cranks.
#[test]
fn friction_and_spring_of_the_joint_that_closes_a_loop() {
    let pin = "loop = \"pin\"";
    moves_as_one_mass(&parallelogram(&(spring(pin, 2100.0, 0.0) + &slider(pin))));
}

/// A cubic spring of k₃ θ³ acts like one of k₃/L⁴ on x; on the pin and on a crank it is the same.
#[test]
fn a_cubic_spring_on_the_pin_is_that_of_the_crank() {
    let of = |owner: &str| {
        let text = parallelogram(&(spring(owner, 2100.0, 3e6) + &slider("body = \"left\"")));
        let curve = response(&text, &asked(&[X], 105.0));
        curve.points[0].result.channels[0].amplitude
    };
    let (crank, pin) = (of("body = \"left\""), of("loop = \"pin\""));
    close(pin, crank, 1e-8);
    // it does act
    assert!((crank / 0.001_725_504 - 1.0).abs() > 0.01, "{crank}");
}

/// Both turn against a crank alike: the right one about the coupler, which does not turn.
#[test]
fn a_torque_on_the_pin_is_one_on_the_crank() {
    let crank = "body = \"left\"";
    let of = |owner: &str, amplitude: f64| {
        let torque = format!(
            "[joint_torque.drive]\n{owner}\n\
             magnitude = {{ harmonic = {{ amplitude = {amplitude}, phase = 1 }} }}\n"
        );
        let text = parallelogram(&(spring(crank, 2100.0, 0.0) + &slider(crank) + &torque));
        let curve = response(&text, &asked(&[X], 120.0));
        curve.points[0].result.channels[0].harmonics[1]
    };
    let (on_crank, on_pin) = (of(crank, 0.5), of("loop = \"pin\"", 0.5));
    assert!((on_pin - on_crank).norm() <= 1e-8 * on_crank.norm());
    assert!((of(crank, 0.0) - on_crank).norm() > 0.1 * on_crank.norm());
}

/// Two masses whose places add up to the opposite of a driven one: m = m_b + m_c, k = k_b + k_c, and c drives b by
/// −(k_c − Ω² m_c) s.
const DIFFERENTIAL: &str = r#"
title = "a differential"
[simulation]
end_time = 1.0
gravity = [0, 0, 0]
[body.a]
joint = "prismatic"
axis = [1, 0, 0]
drive = { coordinate = { harmonic = { amplitude = 0.001, phase = 0.5 } } }
mass = 1
[body.b]
joint = "prismatic"
axis = [1, 0, 0]
mass = 0.7
[body.c]
joint = "prismatic"
axis = [0, 1, 0]
mass = 0.3
[coupling.sum]
kind = "linear"
terms = [{ body = "a", coefficient = 1 }, { body = "b", coefficient = 1 }, { body = "c", coefficient = 1 }]
[joint_spring.b]
body = "b"
stiffness = 4000
damping = 3
[joint_spring.c]
body = "c"
stiffness = 6000
"#;

#[test]
fn a_coupling_passes_a_driven_motion_on() {
    for omega in [70.0, 100.0, 130.0] {
        let names = &[
            "joint.b.coordinate",
            "joint.c.coordinate",
            "body.a.position.x",
        ];
        let curve = response(DIFFERENTIAL, &asked(names, omega));
        let complex = nalgebra::Complex::new;
        let s = nalgebra::Complex::from_polar(0.001, 0.5);
        let square = omega * omega;
        let left = complex(1e4 - square, 3.0 * omega);
        let b = -s * (6000.0 - 0.3 * square) / left;
        for (channel, right) in curve.points[0].result.channels.iter().zip([b, -s - b, s]) {
            let found = channel.harmonics[1];
            assert!(
                (found - right).norm() <= 1e-6 * right.norm(),
                "{found} {right}"
            );
        }
    }
}

/// A wheel of 0.6 kg m² and, geared 2 : 1, one of 0.1 kg m²: 1 kg m² on 1e4 N m/rad with 2 N m s/rad, whose friction
/// with a lever of 0.5 m on the fast wheel slips by 1 m for each rad of the slow one.
#[test]
fn gears_move_as_one_mass() {
    let text = format!(
        r#"
title = "a gear"
[simulation]
end_time = 1.0
gravity = [0, 0, 0]
[body.slow]
joint = "revolute"
axis = [0, 0, 1]
mass = 1
inertia = [1, 1, 0.6]
[body.fast]
joint = "revolute"
axis = [0, 0, 1]
position = [1, 0, 0]
mass = 1
inertia = [1, 1, 0.1]
[coupling.gear]
kind = "gear"
from = {{ body = "slow" }}
to = {{ body = "fast" }}
ratio = -2
[joint_spring.spring]
body = "slow"
stiffness = 1e4
damping = 2
[joint_friction.slider]
body = "fast"
radius = 0.5
load = 10
friction = {JENKINS}
[joint_torque.push]
body = "slow"
magnitude = {{ harmonic = {{ amplitude = 3 }} }}
"#
    );
    for [omega, amplitude, loss] in ONE_MASS {
        let curve = response(&text, &asked(&["joint.slow.coordinate"], omega));
        let point = &curve.points[0].result;
        close(point.channels[0].amplitude, amplitude, 2e-4);
        let found = point.pairs[0].dissipated_per_cycle;
        assert!((found - loss).abs() <= 1e-3 * loss + 1e-9, "{found} J");
    }
}

/// The small motions know the size of a gear's load and not its direction: said, and not left out.
#[test]
fn a_gear_that_is_driven_back_is_for_time() {
    let text = format!(
        r#"{}
[coupling.gear]
kind = "gear"
from = {{ body = "left" }}
to = {{ body = "other" }}
ratio = 2
radius = 0.1
[body.other]
joint = "revolute"
axis = [0, 0, 1]
mass = 1
inertia = [1, 1, 0.1]
[joint_friction.teeth]
coupling = "gear"
load = {{ reaction = true }}
friction = {{ law = "gear", kinetic_coefficient = 0.1, directional_coefficient = 0.03, relaxation_length = 1e-5 }}
"#,
        parallelogram(&spring("body = \"left\"", 2100.0, 0.0))
    );
    let mut model = scenario(&text).model;
    let state = model.start();
    let error = Machine::new(&mut model, state).unwrap_err().to_string();
    assert!(
        error.contains("joint_friction.teeth") && error.contains("--method time"),
        "{error}"
    );
}

/// A crank drive whose bars all turn, with friction in a pin of the tree and in the one that closes the loop.
fn crank_drive() -> String {
    let lugre = "{ law = \"lugre\", static_coefficient = 0.3, kinetic_coefficient = 0.25, \
                 stribeck_velocity = 0.01, bristle_stiffness = 2e4, bristle_damping = 20 }";
    format!(
        r#"
title = "a crank drive"
[simulation]
end_time = 1.0
gravity = [0, -9.81, 0]
integrator = {{ tolerance = 1e-5 }}
[body.crank]
joint = "revolute"
axis = [0, 0, 1]
angle = "60 deg"
mass = 0.5
inertia = [1e-3, 1e-3, 1e-3]
centre_of_mass = [0.05, 0, 0]
[body.rod]
parent = "crank"
joint = "revolute"
axis = [0, 0, 1]
position = [0.1, 0, 0]
mass = 0.4
inertia = [3e-3, 3e-3, 3e-3]
centre_of_mass = [0.15, 0, 0]
[body.ram]
joint = "prismatic"
axis = [1, 0, 0]
mass = 0.8
[loop.pin]
joint = "revolute"
axis = [0, 0, 1]
from = {{ body = "rod", point = [0.3, 0, 0] }}
to = {{ body = "ram" }}
[joint_spring.spring]
body = "crank"
stiffness = 60
rest = "60 deg"
damping = 0.02
[joint_friction.crank]
body = "crank"
radius = 0.02
load = 5
friction = {lugre}
[joint_friction.pin]
loop = "pin"
radius = 0.01
load = 5
friction = {lugre}
[force.push]
body = "ram"
direction = [1, 0, 0]
magnitude = {{ harmonic = {{ amplitude = 1 }} }}
"#
    )
}

/// The same machine integrated over time until it repeats. Angles of some 0.01 rad: what the linear loop leaves out
/// is of that order in its even harmonics, and of its square in the first.
#[test]
fn a_crank_drive_in_time() {
    let names = [
        "joint.crank.coordinate",
        "body.ram.position.x",
        "loop.pin.reaction.force.x",
    ];
    for frequency in [6.0, 11.0, 16.0] {
        let mut scenario = scenario(&crank_drive());
        let request = TimeRequest {
            channels: names.iter().map(|name| (*name).to_owned()).collect(),
            tolerance: 1e-4,
            ..TimeRequest::default()
        };
        let time =
            steady_in_time(&mut scenario.model, &scenario.plan, frequency, &request).unwrap();
        assert!(time.is_steady, "{time:?}");
        let asked = Asked {
            channels: &names,
            from: TAU * frequency,
            to: TAU * frequency,
            at: &[],
            grid: AUTO,
            stability: false,
        };
        let curve = response(&crank_drive(), &asked);
        let point = &curve.points[0].result;
        for (own, other) in point.channels.iter().zip(&time.channels) {
            let (found, right) = (own.harmonics[1], other.harmonics[1]);
            assert!(
                (found - right).norm() <= 0.01 * right.norm(),
                "{found} {right} at {frequency} Hz"
            );
        }
        for (own, other) in point.pairs.iter().zip(&time.pairs) {
            let lost = [own.dissipated_per_cycle, other.dissipated_per_cycle];
            assert!(
                (lost[0] - lost[1]).abs() <= 0.01 * lost[1],
                "{lost:?} of {}",
                own.name
            );
        }
    }
}
