//! Prescribed motions by their velocity, their acceleration, and smooth curves through points.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use bristle_scenario::{SourceMap, load};
use machine::{Rows, close, run};

fn moved(displacement: &str) -> Rows {
    let (outcome, rows) = run(&scenario(displacement));
    assert!(outcome.balance.relative() < 1e-5, "{:?}", outcome.balance);
    rows
}

fn scenario(displacement: &str) -> String {
    format!(
        r#"
title = "A load on a moved carriage"
[simulation]
end_time = "1 s"
output_step = "25 ms"
integrator = {{ tolerance = 1e-8 }}
[body.carriage]
joint = "prescribed"
motion = {{ direction = [1, 0, 0], displacement = {displacement} }}
[body.load]
parent = "carriage"
joint = "prismatic"
axis = [1, 0, 0]
mass = "1 kg"
[joint_spring.s]
body = "load"
stiffness = 100
"#
    )
}

/// The text of the errors of a scenario.
fn refused(displacement: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.toml");
    std::fs::write(&path, scenario(displacement)).unwrap();
    let mut sources = SourceMap::new();
    match load(&path, &[], &mut sources) {
        Ok(_) => panic!("{displacement:.90} is taken"),
        Err(refused) => refused.render_plain(&sources),
    }
}

/// a = 6 t up to 1 s with v(0) = 2, x(0) = 1: x = 1 + 2 t + t³.
#[test]
fn an_acceleration_is_integrated_from_its_start_values() {
    let rows = moved(
        r#"{ acceleration = { table = [[0, 0], [1, 6]] }, start = 1, start_velocity = "2 m/s" }"#,
    );
    let (t, x) = (rows.column("t"), rows.column("body.carriage.position.x"));
    for (t, x) in t.iter().zip(x) {
        close("x", x, 1.0 + 2.0 * t + t.powi(3), 1e-13);
    }
    let rows =
        moved(r#"{ velocity = { sine = { amplitude = 3, frequency = 2 } }, start = "5 mm" }"#);
    let w = std::f64::consts::TAU * 2.0;
    let (t, x) = (rows.column("t"), rows.column("body.carriage.position.x"));
    for (t, x) in t.iter().zip(x) {
        close("x", x, 0.005 + 3.0 / w * (1.0 - (w * t).cos()), 1e-13);
    }
}

/// Points of sin(5 t) every 25 ms: between them the spline is off by 5/384 h⁴ |x⁗| at most, and the
/// load follows as to the sine: y = (Ω sin ω t − ω sin Ω t)… from rest relative to the carriage.
#[test]
fn a_spline_through_a_record_is_as_good_as_the_motion() {
    let table: Vec<String> = (-8..=48)
        .map(|i| 0.025 * f64::from(i))
        .map(|t| format!("[{t}, {}]", (5.0 * t).sin()))
        .collect();
    let text = format!(
        r#"{{ table = [{}], interpolation = "cubic" }}"#,
        table.join(", ")
    );
    let rows = moved(&text);
    let (t, y) = (rows.column("t"), rows.column("body.load.position.x"));
    // y'' = 100 (sin 5 t − y), y(0) = 0, y'(0) = 5
    let (drive, natural) = (5.0_f64, 10.0_f64);
    let gain = natural * natural / (natural * natural - drive * drive);
    let free = (drive - gain * drive) / natural;
    for (t, y) in t.iter().zip(y) {
        let wanted = gain * (drive * t).sin() + free * (natural * t).sin();
        // 5/384 (5 · 0.025)⁴ = 3e-6, and the error of the steps
        close("y", y, wanted, 1e-5);
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let text = refused("{ velocity = { ramp = { to = 1, duration = 1 } } }");
    assert!(text.contains("a ramp has no exact integral here"), "{text}");
    let text = refused("{ table = [[0, 0], [1, 1]], start = 3 }");
    assert!(
        text.contains("needs \"velocity\" or \"acceleration\" beside it"),
        "{text}"
    );
    let text = refused("{ sine = { amplitude = 1, frequency = 1 }, interpolation = \"cubic\" }");
    assert!(
        text.contains("needs \"table\" or \"csv\" beside it"),
        "{text}"
    );
    let rows: Vec<String> = (0..=11_200)
        .map(|i| format!("[{}, {}]", 9e-5 * f64::from(i), (0.1 * f64::from(i)).sin()))
        .collect();
    let text = refused(&format!("{{ table = [{}] }}", rows.join(", ")));
    assert!(
        text.contains("more than 10000 points on straight lines"),
        "{text}"
    );
}
