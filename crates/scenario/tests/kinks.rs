//! Prescribed motions that change their speed at once, and friction that feeds itself.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use bristle_integrate::RunError;
use bristle_mechanics::record::{Outcome, RowObserver, Start, simulate};
use machine::{Rows, close, run};

/// A carriage that sets off at 1 m/s at 0.1 s.
const CARRIAGE: &str = r#"
title = "On a carriage"
[simulation]
end_time = "0.3 s"
gravity = [0, 0, -9.81]
[body.carriage]
joint = "prescribed"
motion = { direction = [1, 0, 0], displacement = { table = [[0, 0], [0.1, 0], [0.3, 0.2]] } }
"#;

fn on_carriage(rest: &str) -> (Outcome, Rows) {
    run(&format!("{CARRIAGE}{rest}"))
}

/// The joint passes no impulse on along its axis: the load stays where it is, and friction of 1 N
/// takes it along with 1 m/s².
#[test]
fn a_load_on_a_rail_stays_behind() {
    let (outcome, rows) = on_carriage(
        r#"
[body.load]
parent = "carriage"
joint = "prismatic"
axis = [1, 0, 0]
mass = "1 kg"
[joint_friction.bed]
body = "load"
load = "10 N"
friction = { law = "coulomb_tanh", kinetic_coefficient = 0.1, regularisation_velocity = 1e-3 }
"#,
    );
    let (x, v) = (
        rows.column("body.load.position.x"),
        rows.column("body.load.velocity.x"),
    );
    // rows of 0.3 ms: t = 0.15 s and 0.3 s; the ramp of 1 mm/s is over at once
    close("x(0.15)", x[500], 0.5 * 0.05 * 0.05, 1e-9);
    close("x(0.3)", x[1000], 0.5 * 0.2 * 0.2, 1e-9);
    close("v(0.3)", v[1000], 0.2, 1e-9);
    // friction is all that has done work: 1 N along 0.2 m − 0.02 m is lost, 0.02 J are kinetic
    close("input", outcome.energies.input, 0.2, 1e-9);
    assert!(outcome.balance.relative() < 1e-9, "{:?}", outcome.balance);
}

/// A bob on a hinge: its momentum about the hinge stays 0, (I + m l²) θ̇ = m l v, and the drive does
/// the work that it takes along: p v/2 with the impulse p = m (v − l θ̇).
#[test]
fn a_pendulum_is_struck_by_its_support() {
    let (outcome, rows) = on_carriage(
        r#"
[body.bob]
parent = "carriage"
joint = "revolute"
axis = [0, 1, 0]
mass = "1 kg"
inertia = [0.2, 0.2, 0.2]
centre_of_mass = [0, 0, -1]
"#,
    );
    let rate = rows.column("joint.bob.rate");
    // rows of 0.3 ms: the first one after 0.1 s is 0.2 ms late, in which gravity does nothing yet
    close("rate", rate[334], 1.0 / 1.2, 1e-5);
    assert!(outcome.balance.relative() < 1e-5, "{:?}", outcome.balance);
}

/// A driven arm of the length L starts to turn at Ω; a rod hinged to its end, its centre c beyond,
/// keeps its momentum about the hinge: ω = −m c Ω L/(I + m c²).
#[test]
fn a_rod_at_the_end_of_an_arm_kicks_back() {
    let (outcome, rows) = run(r#"
title = "Arm and rod"
[simulation]
end_time = "0.2 s"
output_step = "0.1 ms"
integrator = { tolerance = 1e-8 }
[body.arm]
joint = "revolute"
axis = [0, 0, 1]
drive = { coordinate = { table = [[0, 0], [0.1, 0], [0.2, 0.3]] } }
mass = "2 kg"
inertia = [0.1, 0.1, 0.1]
[body.rod]
parent = "arm"
position = [0.5, 0, 0]
joint = "revolute"
axis = [0, 0, 1]
mass = "1 kg"
inertia = [0.05, 0.05, 0.05]
centre_of_mass = [0.3, 0, 0]
"#);
    let absolute = -0.3 * 3.0 * 0.5 / (0.05 + 0.3 * 0.3);
    // the row at 0.1 s is that after the jump
    close(
        "rate",
        rows.column("joint.rod.rate")[1000],
        absolute - 3.0,
        1e-9,
    );
    assert!(outcome.balance.relative() < 1e-5, "{:?}", outcome.balance);
}

/// A record of a displacement has a kink in every row: an oscillator on it follows the exact answer
/// to the straight pieces.
#[test]
fn a_record_of_displacements_excites() {
    let (period, stiffness) = (0.01_f64, 400.0_f64);
    let place = |i: usize| 0.02 * (15.0 * period * i as f64).sin();
    let table: Vec<String> = (0..=40)
        .map(|i| format!("[{}, {}]", period * i as f64, place(i)))
        .collect();
    let (_, rows) = run(&format!(
        r#"
title = "Oscillator on a recorded support"
[simulation]
end_time = "0.4 s"
output_step = "10 ms"
integrator = {{ tolerance = 1e-8 }}
[body.table]
joint = "prescribed"
motion = {{ direction = [1, 0, 0], displacement = {{ table = [{}] }} }}
[body.mass]
parent = "table"
joint = "prismatic"
axis = [1, 0, 0]
mass = "1 kg"
[joint_spring.s]
body = "mass"
stiffness = {stiffness}
"#,
        table.join(", ")
    ));
    // the mass sees y'' = −ω² (y − x) with x on straight lines: y − x is harmonic in each
    let w = stiffness.sqrt();
    // at the start it moves with the support
    let (mut y, mut v) = (0.0, place(1) / period);
    for i in 0..40 {
        let rate = (place(i + 1) - place(i)) / period;
        let (u, du) = (y - place(i), v - rate);
        let (c, s) = ((w * period).cos(), (w * period).sin());
        y = place(i + 1) + u * c + du / w * s;
        v = rate - u * w * s + du * c;
        let row = rows.column("body.mass.position.x")[i + 1];
        close("y", row, y, 2e-7);
    }
}

/// A carriage thrown along a rail, its centre of mass `h` beside it: N = N0 + m |a| h/b.
fn on_rail(h: f64, law: &str) -> (Option<RunError>, Outcome) {
    struct Nobody;
    impl RowObserver for Nobody {
        fn row(&mut self, _: &[f64]) -> bristle_integrate::Flow {
            bristle_integrate::Flow::Continue
        }
    }
    let scenario = machine::read(&format!(
        r#"
title = "Thrown along a rail"
[simulation]
end_time = "2 s"
[body.carriage]
joint = "prismatic"
axis = [1, 0, 0]
rate = 1
mass = "4 kg"
centre_of_mass = [0, {h}, 0]
[joint_friction.rail]
body = "carriage"
load = {{ reaction = {{ preload = "20 N", moment_arm = "50 mm" }} }}
friction = {{ {law} }}
"#
    ));
    let (model, plan) = (&scenario.model, &scenario.plan);
    let outcome = simulate(model, plan, Start::AsGiven, 0.01, &mut Nobody);
    (outcome.error.clone(), outcome)
}

const LAWS: [&str; 5] = [
    r#"law = "coulomb_tanh", regularisation_velocity = 1e-4"#,
    r#"law = "gkf", regularisation_velocity = 1e-4, stribeck_velocity = 1e-3, static_coefficient = 0.2"#,
    r#"law = "adams_stick_slip", stiction_velocity = 1e-3, dynamic_velocity = 2e-3, stiction_displacement = 1e-5, static_coefficient = 0.2"#,
    r#"law = "karnopp", stiction_velocity = 1e-4, stribeck_velocity = 1e-3, static_coefficient = 0.2"#,
    r#"law = "lugre", bristle_stiffness = 1e5, bristle_damping = 100, damping_velocity = 0.01, stribeck_velocity = 1e-3, static_coefficient = 0.2"#,
];

/// Where μ h/b < 1 it stops after v² m (1 − μ h/b)/(2 μ N0); from 1 on it jams, which is said.
#[test]
fn a_carriage_far_from_its_rail_jams() {
    for law in LAWS {
        for h in [0.05, 0.2] {
            let (error, outcome) = on_rail(h, &format!("{law}, kinetic_coefficient = 0.2"));
            assert_eq!(error, None, "{law}");
            let way = 4.0 * (1.0 - 0.2 * h / 0.05) / (2.0 * 0.2 * 20.0);
            close(law, outcome.state.q[0], way, 1e-3 * way);
        }
        for h in [0.26, 0.5, 1.0] {
            let (error, _) = on_rail(h, &format!("{law}, kinetic_coefficient = 0.2"));
            let Some(RunError::Jams { gain, .. }) = error else {
                panic!("{law}: {error:?}");
            };
            close(law, gain, 0.2 * h / 0.05, 1e-6);
        }
    }
}

/// Friction that rises as the slide slows down jams where μ(v) h/b reaches 1, below the speed of slip too:
/// after the way of the kinetic level, but for the last mm/s.
#[test]
fn friction_that_rises_jams_just_before_the_stop() {
    for law in [
        "gkf\", regularisation_velocity",
        "karnopp\", stiction_velocity",
    ] {
        let law = format!(
            "law = \"{law} = 1e-4, stribeck_velocity = 1e-3, static_coefficient = 0.3, kinetic_coefficient = 0.2"
        );
        for h in [0.17, 0.18, 0.2, 0.22, 0.24] {
            let (error, outcome) = on_rail(h, &law);
            let Some(RunError::Jams { gain, .. }) = error else {
                panic!("{h}: {error:?}");
            };
            assert!((1.0..=0.3 * h / 0.05).contains(&gain), "{h}: {gain}");
            let way = 4.0 * (1.0 - 0.2 * h / 0.05) / (2.0 * 0.2 * 20.0);
            close("way", outcome.state.q[0], way, 1e-3 * way);
        }
    }
}

/// What a law is for a moment jams as well as its steady level: the bristle damping at 1 m/s with σ₁ v h/b, and a peak
/// on the way to a steady level that would not jam.
#[test]
fn friction_jams_by_what_it_is_for_a_moment() {
    let damped = r#"law = "lugre_anisotropic", bristle_stiffness = 1e4, bristle_damping = 30, stribeck_velocity = 1e-3, kinetic_coefficient = 0.2"#;
    let (error, _) = on_rail(0.1, damped);
    let Some(RunError::Jams { gain, .. }) = error else {
        panic!("{error:?}");
    };
    close("gain", gain, 30.0 * 1.0 * 0.1 / 0.05, 1e-6);
    // F/N = 0.5 (1 − e^(−s/8 µm)) − 0.3 (1 − e^(−s/40 µm)) is 0.31 at 12 µm, and b/h = 0.25; 0.2 in the end
    let peak = r#"law = "bliman_sorine", first_amplitude = 0.5, second_amplitude = 0.3, length_ratio = 0.2, friction_length = 4e-5"#;
    let (error, _) = on_rail(0.2, peak);
    assert!(matches!(error, Some(RunError::Jams { .. })), "{error:?}");
}

/// A load whose kink is just behind the start: a block at v is slowed by μ N with N = c t, and stops after
/// t = √(2 m v/(μ c)) and the way 2 v t/3.
#[test]
fn a_kink_just_behind_the_start_is_no_step() {
    let (m, v, mu, c) = (2.0, 0.5, 0.4, 50.0_f64);
    let stops = (2.0 * m * v / (mu * c)).sqrt();
    for load in [
        "max(0, 50*t)",
        "50*max(0, t - 1e-14)",
        "25*(t + abs(t - 1e-13))",
    ] {
        for friction in [
            r#"law = "coulomb_tanh", kinetic_coefficient = 0.4, regularisation_velocity = 1e-5"#,
            r#"law = "leuven", element_stiffnesses = [4e4, 3e4, 2e4, 1e4], element_limits = [0.1, 0.1, 0.1, 0.1], leuven_exponent = 2, bristle_damping = 30, stribeck_velocity = 1e-3, kinetic_coefficient = 0.4"#,
            r#"law = "jenkins", tangential_stiffness = 1e7, kinetic_coefficient = 0.4"#,
        ] {
            let (_, rows) = run(&format!(
                r#"
title = "A load from nothing"
[simulation]
end_time = {}
[body.block]
joint = "prismatic"
axis = [1, 0, 0]
rate = {v}
mass = {m}
[joint_friction.slide]
body = "block"
load = "{load}"
friction = {{ {friction} }}
"#,
                1.5 * stops
            ));
            let way = 2.0 * v * stops / 3.0;
            // the ramps of the laws and their springs: a few 10 µm of half a metre
            let x = rows.last("body.block.position.x");
            close(&format!("{load} {friction}"), x, way, 1e-4);
        }
    }
}

/// A load that begins at once on a block that slides loads the springs of its law by what it takes: nothing
/// appears or is lost at that instant.
#[test]
fn a_load_that_jumps_leaves_the_energies_whole() {
    for friction in [
        r#"law = "gms", element_stiffnesses = [600, 400], element_fractions = [0.5, 0.5], attraction = 5, stribeck_velocity = 1e-3, kinetic_coefficient = 0.2"#,
        r#"law = "lugre", bristle_stiffness = 1e3, bristle_damping = 1, damping_velocity = 0.01, stribeck_velocity = 1e-3, kinetic_coefficient = 0.2"#,
    ] {
        let (outcome, _) = run(&format!(
            r#"
title = "A load at once"
[simulation]
end_time = 0.5
[body.block]
joint = "prismatic"
axis = [1, 0, 0]
rate = 0.5
mass = 1
[joint_friction.slide]
body = "block"
load = "1 + 10*step(t - 0.1) - 5*step(t - 0.13)"
friction = {{ {friction} }}
"#
        ));
        // the error of the quadrature of the work at the default tolerance
        assert!(
            outcome.balance.relative() < 1e-5,
            "{friction} {:?}",
            outcome.balance
        );
    }
}
