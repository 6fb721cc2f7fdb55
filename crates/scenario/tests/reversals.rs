//! A slip that turns within a step, under laws that see the way of a step and not the velocity on it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use machine::run;

/// A body of m = 2 kg is thrown at 1 m/s on a Jenkins element of k = 5 kN/m that slides at 5 N. It loads the
/// spring, slides with 2.5 m/s², turns, and swings on the spring for ever: with ω = √(k/m) and the
/// deflection a = 1 mm at 5 N
///
/// x = x₂ − a (1 − cos ω(t − t₂)), x₂ = a + v₁²/(2·2.5 m/s²), v₁² = v₀² − a² ω².
fn place(t: f64) -> f64 {
    let (omega, a, slowing) = ((5e3_f64 / 2.0).sqrt(), 1e-3, 2.5);
    let loaded = (a * omega).asin() / omega;
    let speed = (1.0 - (a * omega).powi(2)).sqrt();
    let turned = loaded + speed / slowing;
    let farthest = a + 0.5 * speed * speed / slowing;
    farthest - a * (1.0 - (omega * (t - turned)).cos())
}

#[test]
fn a_slide_that_turns_leaves_its_spring_where_it_was() {
    for tolerance in [1e-6, 1e-7, 1e-8, 1e-9, 1e-10] {
        let (_, rows) = run(&format!(
            r#"
title = "Thrown on a Jenkins element"
[simulation]
end_time = "0.6 s"
integrator = {{ tolerance = {tolerance:e} }}
[body.m]
joint = "prismatic"
axis = [1, 0, 0]
mass = "2 kg"
rate = 1
[contact.c]
points = {{ body = "m", at = [[0, 0, 0]] }}
normal = {{ prescribed = "20 N" }}
friction = {{ law = "jenkins", tangential_stiffness = 5e3, kinetic_coefficient = 0.25 }}
"#
        ));
        let x = rows.column("body.m.position.x");
        let off = (x[x.len() - 1] - place(0.6)).abs();
        // 0.2 s of ringing: some ten steps whose errors of the velocity add up over 1/omega = 20 ms
        assert!(off < 10.0 * tolerance, "{tolerance:e}: {off:.1e}");
    }
}
