//! The shipped scenarios meet the numbers that they state.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use support::Place;

fn meets(name: &str) {
    let place = Place::new();
    let copied = place.bristle(&["examples", name, "--out", "."]);
    assert_eq!(copied.code, Some(0), "{copied:?}");
    let ran = place.bristle(&["run", &format!("{name}.toml"), "--no-plots", "--out", "run"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert!(
        ran.out.contains(" met\n"),
        "it states at least one number: {}",
        ran.out
    );
    let summary = std::fs::read_to_string(place.path("run/summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let imbalance = summary["energy"]["relative_imbalance"].as_f64();
    // the ledger of every shipped scenario closes to this part of what was put in
    assert!(imbalance.is_some_and(|x| x.abs() < 1e-5), "{imbalance:?}");
}

/// Scenarios that take longer than a test may: they are only checked here.
const SLOW: &[&str] = &[
    "blades-sim1-gkf",
    "blades-sim2",
    "blades-sim2-gkf",
    "blades-sim2-four-points",
    "festoon",
    "festoon-adams",
    "festoon-recurdyn",
    "festoon-simpack",
];

#[test]
fn slow_ones_are_sound() {
    let place = Place::new();
    for name in SLOW {
        let copied = place.bristle(&["examples", name, "--out", "."]);
        assert_eq!(copied.code, Some(0), "{copied:?}");
        let ran = place.bristle(&["check", &format!("{name}.toml")]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
}

macro_rules! examples {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                meets($name);
            }
        )*

        #[test]
        fn none_is_left_out() {
            let place = Place::new();
            let listed = place.bristle(&["examples", "--json"]).json();
            let listed = listed.as_array().expect("a list");
            let names: Vec<&str> = listed.iter().filter_map(|e| e["name"].as_str()).collect();
            let tested = [$($name),*];
            assert_eq!(names, [&tested[..], SLOW].concat());
        }
    };
}

examples! {
    cube_0deg: "cube-0deg",
    cube_30deg: "cube-30deg",
    cube_60deg: "cube-60deg",
    cube_90deg: "cube-90deg",
    cube_30deg_plane: "cube-30deg-plane",
    cube_4points: "cube-4points",
    block_one_point: "block-one-point",
    stick_slip: "stick-slip",
    own_law: "own-law",
    drift_vibration: "drift-vibration",
    drift_pulsating_load: "drift-pulsating-load",
    pulse_adams_regularised: "pulse-adams-regularised",
    pulse_recurdyn_regularised: "pulse-recurdyn-regularised",
    pulse_simpack_regularised: "pulse-simpack-regularised",
    pulse_adams_stick_slip: "pulse-adams-stick-slip",
    pulse_recurdyn_stick_slip: "pulse-recurdyn-stick-slip",
    pulse_simpack_stick_slip: "pulse-simpack-stick-slip",
    pulse_lugre: "pulse-lugre",
    pulse_lugre_drift: "pulse-lugre-drift",
    rolling_ball: "rolling-ball",
    blade: "blade",
    blades_sim1: "blades-sim1",
    blades_sim1_four_points: "blades-sim1-four-points",
}

#[test]
fn copies_do_not_replace_what_was_changed() {
    let place = Place::new();
    assert_eq!(place.bristle(&["examples", "--out", "all"]).code, Some(0));
    assert_eq!(
        place.bristle(&["examples", "--out", "all"]).code,
        Some(0),
        "nothing changed"
    );
    place.write("all/stick-slip.toml", "mine");
    let ran = place.bristle(&["examples", "stick-slip", "--out", "all"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let text = std::fs::read_to_string(place.path("all/stick-slip.toml")).expect("there");
    assert_eq!(text, "mine");
}
