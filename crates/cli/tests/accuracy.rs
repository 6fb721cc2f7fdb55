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
