//! What acts between joint coordinates and on them: clutches, servos, drives, and their channels.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use bristle_scenario::{SourceMap, load};
use machine::{close, read, run};

/// Two rotors on one axis: of 0.03 kg m² and of 0.02 kg m².
const ROTORS: &str = r#"
title = "Two rotors"
[simulation]
end_time = "2 s"
output_step = "10 ms"
gravity = [0, 0, 0]
[body.b]
joint = "revolute"
axis = [0, 0, 1]
mass = 1
inertia = [0.02, 0.02, 0.02]
[body.a]
joint = "revolute"
axis = [0, 0, 1]
mass = 1
inertia = [0.03, 0.03, 0.03]
"#;

const CLUTCH: &str = r#"
[joint_friction.clutch]
body = "a"
against = { body = "b" }
friction = { law = "lugre", bristle_stiffness = "1e5 1/m", bristle_damping = "100 s/m", kinetic_coefficient = 0.3, static_coefficient = 0.3, stribeck_velocity = 0.01 }
radius = "100 mm"
load = "10*t"
"#;

/// The clutch takes ½ I₁I₂/(I₁+I₂) ω² whatever its pressing force does, and both rotors end at
/// I₁ω/(I₁+I₂); under N = 10 t the faces meet after √(2 ω I₁I₂/(I₁+I₂)/(0.3 · 0.1 · 10)) = 1.2649 s.
#[test]
fn a_clutch_brings_two_rotors_to_one_speed() {
    let rotors = ROTORS.replace("[body.a]", "[body.a]\nrate = \"20 rad/s\"");
    let (outcome, rows) = run(&format!("{rotors}{CLUTCH}"));
    // bristles yield at the end of the slip: their 3e-6 m of deflection are the deviation
    for rotor in ["joint.a.rate", "joint.b.rate"] {
        close(rotor, rows.last(rotor), 12.0, 1e-4);
    }
    close("loss", rows.last("energy.dissipated"), 2.4, 1e-6);
    assert!(outcome.balance.relative() < 1e-8, "{:?}", outcome.balance);
    let torque = rows.column("joint_friction.clutch.torque");
    // row 100 is t = 1 s: 0.3 · 10 N · 0.1 m
    close("torque", torque[100], 0.3, 1e-6);
    let slides = |row: usize| torque[row].abs() > 0.02;
    assert!(slides(125) && !slides(130), "{:?}", &torque[120..132]);
}

/// A driven side gives what the other one gets and what is lost: ½ 0.02 20² = 4 J each.
#[test]
fn the_drive_of_a_clutch_pays_for_its_loss() {
    let rotors = ROTORS.replace("[body.a]", "[body.a]\ndrive = { angle = \"20*t\" }");
    let (_, rows) = run(&format!("{rotors}{CLUTCH}"));
    // the tolerance of the run is 1e-6 of slips and speeds
    close("loss", rows.last("energy.dissipated"), 4.0, 1e-5);
    close("input", rows.last("energy.input"), 8.0, 1e-5);
    let (drive, friction) = (
        rows.column("joint.a.torque"),
        rows.column("joint_friction.clutch.torque"),
    );
    for (drive, friction) in drive.iter().zip(&friction) {
        // a row within a step has its bristles to the tolerance of the run
        close("drive against friction", *drive, *friction, 1e-5);
    }
}

/// A driven wheel moves its own inertia and what hangs on its gear: (I + i² I') α.
#[test]
fn a_drive_feels_what_hangs_on_its_gear() {
    let rotors = ROTORS.replace("[body.a]", "[body.a]\ndrive = { angle = \"2*t^2\" }");
    let gear = r#"
[coupling.g]
kind = "gear"
from = { body = "a" }
to = { body = "b" }
ratio = -2
"#;
    let (outcome, rows) = run(&format!("{rotors}{gear}"));
    // a closed form: rounding
    close(
        "torque",
        rows.last("joint.a.torque"),
        (0.03 + 4.0 * 0.02) * 4.0,
        1e-12,
    );
    assert!(outcome.balance.relative() < 1e-12, "{:?}", outcome.balance);
}

/// The loss of a gear at its own load Λ = i λ: I₁ q̈ = T₁ − Λ − μ_a |Λ| sgn q̇ − μ_d Λ with
/// Λ = i (i I₂ q̈ − T₂). Forwards (1 + μ_a + μ_d) Λ has to be driven, driven back (1 − μ_a + μ_d) Λ
/// comes out, whichever way the wheels turn.
#[test]
fn a_gear_loses_less_where_it_is_driven_back() {
    let accelerates = |ratio: f64, from: f64, to: f64, integrator: &str| {
        let machine = format!(
            r#"{}
[coupling.g]
kind = "gear"
from = {{ body = "a" }}
to = {{ body = "b" }}
ratio = {ratio}
radius = "100 mm"
[joint_torque.from]
body = "a"
magnitude = {from}
[joint_torque.to]
body = "b"
magnitude = {to}
[joint_friction.teeth]
coupling = "g"
load = {{ reaction = true }}
friction = {{ law = "gear", kinetic_coefficient = 0.2, directional_coefficient = 0.08, relaxation_length = "1 um" }}
"#,
            ROTORS.replace("output_step", &format!("{integrator}\noutput_step"))
        );
        assert!(read(&machine).warnings.is_empty());
        let (outcome, rows) = run(&machine);
        assert!(outcome.balance.relative() < 1e-6, "{:?}", outcome.balance);
        let rates = rows.column("joint.a.rate");
        // both behind the micrometre in which friction turns to the motion
        let load = ratio * rows.last("coupling.g.torque");
        (rates[200] - rates[100], load, rates[200])
    };
    for integrator in ["", r#"integrator = { method = "newmark", step = "1 ms" }"#] {
        for ratio in [2.0, -2.0_f64] {
            for (from, to, share) in [(1.0, -0.2, 1.28), (-1.0, 0.2, 1.28), (0.0, -0.2, 0.88)] {
                let to = to * ratio.signum();
                let (rate, load, end) = accelerates(ratio, from, to, integrator);
                let wanted = (from + share * ratio * to) / (0.03 + share * ratio * ratio * 0.02);
                // the tolerance of the run; |z| is 1 to e^(-1000)
                close("acceleration", rate, wanted, 1e-6 * wanted.abs());
                let own = ratio * (ratio * 0.02 * wanted - to);
                close("load", load, own, 1e-5 * own.abs());
                assert!(
                    end * (from + 0.5 * ratio * to) > 0.0,
                    "it turns the wrong way"
                );
            }
        }
    }
}

/// I s³ + k_d s² + k_p s + k_i = I (s + 1)(s + 2)(s + 3): after a step of the setpoint the error is
/// −2.5 e^(−t) + 8 e^(−2t) − 4.5 e^(−3t).
#[test]
fn a_servo_answers_a_step_as_its_poles_say() {
    let of = |integrator: &str| {
        let rotors = ROTORS.replace("output_step", &format!("{integrator}\noutput_step"));
        let servo = r#"
[joint_torque.servo]
body = "a"
pid = { setpoint = 1, proportional = 0.33, integral = "0.18 N m/(rad s)", derivative = 0.18 }
"#;
        let (outcome, rows) = run(&format!("{rotors}{servo}"));
        assert!(outcome.balance.relative() < 1e-5, "{:?}", outcome.balance);
        let mut worst = 0.0_f64;
        let efforts = rows.column("joint_torque.servo.magnitude");
        let errors = rows.column("joint_torque.servo.error");
        for ((t, error), effort) in rows.column("t").iter().zip(errors).zip(efforts) {
            let e = |k: f64| (-k * t).exp();
            let off = error - (8.0 * e(2.0) - 2.5 * e(1.0) - 4.5 * e(3.0));
            // Q = I q̈
            let wanted = -0.03 * (32.0 * e(2.0) - 2.5 * e(1.0) - 40.5 * e(3.0));
            worst = worst.max(off.abs()).max((effort - wanted).abs());
        }
        worst
    };
    // ten times the tolerance; fixed steps are of second order: h²/12 times the third derivative of 50
    assert!(of("integrator = { tolerance = 1e-8 }") < 1e-7);
    assert!(of(r#"integrator = { method = "newmark", step = "1 ms" }"#) < 5e-6);
}

/// With a limit of 0.03 N m the servo pushes as hard as it can at first, and winds nothing up: the angle
/// rises by ½ Q/I t² = ½ t².
#[test]
fn a_servo_keeps_its_limit() {
    let servo = r#"
[joint_torque.servo]
body = "a"
pid = { setpoint = 10, proportional = 0.33, integral = 0.18, derivative = 0.18, limit = "0.03 N m" }
"#;
    let (_, rows) = run(&format!("{ROTORS}{servo}"));
    let efforts = rows.column("joint_torque.servo.magnitude");
    assert!(
        efforts.iter().all(|q| (q - 0.03).abs() < 1e-15),
        "{efforts:?}"
    );
    close("angle", rows.last("joint.a.coordinate"), 2.0, 1e-9);
}

/// What a spring of a joint reports is what its coordinate says, also in rows within a step.
#[test]
fn rows_within_a_step_have_the_force_of_their_coordinate() {
    let rotors = ROTORS.replace("[body.a]", "[body.a]\nangle = 0.3");
    let spring = r#"
[joint_spring.s]
body = "a"
stiffness = 3
damping = 0.01
"#;
    let (outcome, rows) = run(&format!("{rotors}{spring}"));
    assert!(
        outcome.statistics.steps < rows.column("t").len(),
        "rows lie within steps"
    );
    let (angle, rate) = (
        rows.column("joint.a.coordinate"),
        rows.column("joint.a.rate"),
    );
    for ((angle, rate), torque) in angle
        .iter()
        .zip(rate)
        .zip(rows.column("joint_spring.s.torque"))
    {
        close("torque", torque, -3.0 * angle - 0.01 * rate, 1e-14);
    }
}

/// What cannot be a clutch or a servo is refused with the reason.
#[test]
fn senseless_clutches_and_servos_are_refused() {
    let refused = |section: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("machine.toml");
        std::fs::write(&path, format!("{ROTORS}{section}")).unwrap();
        let errors = load(&path, &[], &mut SourceMap::new()).unwrap_err();
        let messages: Vec<String> = errors.iter().map(|own| own.message.clone()).collect();
        messages.join("; ")
    };
    let clutch = |from: &str, to: &str| refused(&CLUTCH.replace(from, to));
    for (message, reason) in [
        (
            clutch("body = \"b\"", "body = \"a\""),
            "the same coordinate",
        ),
        (clutch("\"10*t\"", "{ reaction = true }"), "no reaction"),
        (clutch("body = \"b\"", "body = \"c\""), "no body"),
        (
            refused("[joint_torque.s]\nbody = \"a\""),
            "missing field \"magnitude\"",
        ),
        (
            refused("[joint_torque.s]\nbody = \"a\"\npid = { setpoint = 1 }"),
            "all gains are 0",
        ),
        (
            refused(
                "[joint_torque.s]\nbody = \"a\"\nmagnitude = 1\npid = { setpoint = 1, proportional = 1 }",
            ),
            "one or the other",
        ),
        (
            refused("[joint_force.s]\nbody = \"a\"\npid = { setpoint = 1, proportional = 1 }"),
            "[joint_torque.NAME]",
        ),
        (
            refused(
                "[joint_torque.s]\nbody = \"a\"\npid = { setpoint = 1, proportional = \"1 N/m\" }",
            ),
            "N m/rad",
        ),
    ] {
        assert!(message.contains(reason), "{reason}: {message}");
    }
}
