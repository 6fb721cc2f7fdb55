//! A run whose numbers are poor says so: in the terminal, in the summary and on the page.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use support::Place;

/// A particle falls on an elastic floor: `step` decides whether the impact of 3 ms is resolved.
fn scenario(integrator: &str) -> String {
    format!(
        r#"
title = "A particle on an elastic floor"
[simulation]
end_time = 0.5
gravity = [0, 0, -9.81]
integrator = {{ {integrator} }}
[body.p]
joint = "point"
mass = "1 kg"
position = [0, 0, 0.5]
[contact.floor]
points = {{ body = "p", at = [[0, 0, 0]] }}
normal = {{ law = "kelvin_voigt", stiffness = 1e6, damping = 0 }}
friction = "none"
"#
    )
}

#[test]
fn an_imbalance_is_warned_of_wherever_the_run_is_shown() {
    let place = Place::new();
    place.write("coarse.toml", &scenario("step = 2e-3"));
    let ran = place.bristle(&[
        "run",
        "coarse.toml",
        "--no-plots",
        "--report",
        "--out",
        "run",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let words = "the energies do not add up";
    assert!(ran.err.contains(words), "{}", ran.err);
    assert!(
        ran.err.contains("lower the tolerance or the longest step"),
        "{}",
        ran.err
    );
    let summary = std::fs::read_to_string(place.path("run/summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let warning = summary["warnings"][0].as_str();
    assert!(
        warning.is_some_and(|text| text.starts_with(words)),
        "{summary}"
    );
    let part = summary["energy"]["relative_imbalance"].as_f64();
    assert!(part.is_some_and(|part| part > 1e-3), "{part:?}");
    let page = std::fs::read_to_string(place.path("run/report.html")).expect("a page");
    assert!(page.contains(words));
}

#[test]
fn a_run_within_its_tolerance_is_not_warned_of() {
    let place = Place::new();
    place.write("fine.toml", &scenario("tolerance = 1e-6"));
    let ran = place.bristle(&["run", "fine.toml", "--no-plots", "--out", "run"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        !ran.err.contains("warning") && !ran.err.contains('⚠'),
        "{}",
        ran.err
    );
}

/// A block of 1 kg that its friction holds against `force` (N), and one of that mass that drifts at `speed` (m/s)
/// into an elastic wall, whose contact of 3 ms steps of 2 ms do not resolve.
fn slow(force: f64, speed: f64) -> String {
    format!(
        r#"
title = "What hardly moves"
[simulation]
end_time = 0.1
integrator = {{ step = 2e-3 }}
[body.held]
joint = "prismatic"
axis = [1, 0, 0]
mass = "1 kg"
[joint_friction.held]
body = "held"
load = "10 N"
friction = {{ law = "jenkins", kinetic_coefficient = 0.3, tangential_stiffness = 1e6 }}
[force.pull]
body = "held"
direction = [1, 0, 0]
magnitude = {force}
[body.drifting]
joint = "prismatic"
axis = [1, 0, 0]
mass = "1 kg"
position = [{position}, 0, 0]
rate = {rate}
[contact.wall]
points = {{ body = "drifting", at = [[0, 0, 0]] }}
plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }}
normal = {{ law = "kelvin_voigt", stiffness = 1e6, damping = 0 }}
friction = "none"
"#,
        position = 0.0405 * speed,
        rate = -speed,
    )
}

/// What is slower than the tolerance tells from rest, 1e-6 of the natural 1 mm/s, is not judged by the energy of
/// its noise; what is faster is, however slow it may be.
#[test]
fn a_machine_at_rest_is_not_warned_of() {
    let place = Place::new();
    let warns = |name: &str, text: &str| {
        place.write(name, text);
        let ran = place.bristle(&["run", name, "--no-plots", "--out", "run", "--force"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.err.contains("the energies do not add up")
    };
    assert!(!warns("held.toml", &slow(1e-9, 0.0)));
    assert!(!warns("drifting.toml", &slow(0.0, 1e-9)));
    assert!(warns("slow.toml", &slow(0.0, 1e-5)));
}
