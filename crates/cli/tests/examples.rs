//! The shipped scenarios meet the numbers that they state.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use support::Place;

fn meets(name: &str) {
    let place = Place::new();
    let ran = place.bristle(&["run", name, "--no-plots", "--out", "run"]);
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
    "blades-r1-sim2",
    // has no frequency to run at
    "blades-response",
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
            let mut names: Vec<&str> = names;
            let mut tested = [&[$($name),*], SLOW].concat();
            names.sort_unstable();
            tested.sort_unstable();
            assert_eq!(names, tested);
        }
    };
}

examples! {
    pendulum: "pendulum",
    slider: "slider",
    brake: "brake",
    arm: "arm",
    slider_crank: "slider-crank",
    squeezer: "squeezer",
    four_bar: "four-bar",
    toggle_clamp: "toggle-clamp",
    scissor_lift: "scissor-lift",
    screw_jack: "screw-jack",
    robot_arm: "robot-arm",
    isolator: "isolator",
    damper: "damper",
    press_fit: "press-fit",
    belt: "belt",
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
    groove: "groove",
    bowl: "bowl",
    band_brake: "band-brake",
    cam: "cam",
    ramp: "ramp",
    blade: "blade",
    blades_sim1: "blades-sim1",
    blades_sim1_four_points: "blades-sim1-four-points",
    blades_r1_sim1: "blades-r1-sim1",
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

#[test]
fn the_list_says_where_to_start() {
    let ran = Place::new().bristle(&["examples"]);
    let lines: Vec<&str> = ran.out.lines().map(str::trim).collect();
    assert_eq!(lines[0], "start here");
    let at = |name: &str| {
        let found = lines.iter().position(|line| line.starts_with(name));
        found.expect(name)
    };
    assert!(at("pendulum") < at("turbine blades") && at("turbine blades") < at("blades-sim1"));
    assert!(at("data") < at("bench.csv"));
    assert!(!ran.out.contains("blade-part"), "parts are no scenarios");
}

#[test]
fn those_to_start_from_earn_no_warning() {
    let place = Place::new();
    let listed = place.bristle(&["examples", "--json"]).json();
    let listed = listed.as_array().expect("a list");
    let start = listed
        .iter()
        .filter(|example| example["start_here"] == true);
    for name in start.filter_map(|example| example["name"].as_str()) {
        let ran = place.bristle(&["check", name]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}");
    }
}

#[test]
fn every_command_takes_an_example_by_name() {
    let place = Place::new();
    let done = |arguments: &[&str]| {
        let ran = place.bristle(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}\n{}", ran.out, ran.err);
    };
    done(&["check", "slider"]);
    done(&["check", "cube_30deg.toml"]);
    done(&["modes", "stick-slip"]);
    done(&[
        "compare",
        "stick-slip",
        "--law",
        "gkf",
        "--no-plots",
        "--set",
        "simulation.end_time=1",
        "--out",
        "c",
    ]);
    let vary = [
        "--vary",
        "simulation.end_time=0.1,0.2",
        "--no-plots",
        "--out",
        "s",
    ];
    done(&[&["sweep", "slider"], &vary[..]].concat());
    done(&["report", "slider"]);
}

#[test]
fn an_example_reads_its_own_files_and_no_others() {
    let place = Place::new();
    place.write("quake.csv", "no columns");
    place.write("cube.toml", "no toml");
    let checked = place.bristle(&["check", "isolator"]);
    assert_eq!(checked.code, Some(0), "{}", checked.err);
    assert_eq!(place.bristle(&["check", "cube-0deg"]).code, Some(0));
    let copied = place.bristle(&["examples", "isolator", "--out", "copy"]);
    assert_eq!(copied.code, Some(0), "{}", copied.err);
    let mut files = support::entries(&place.path("copy"));
    files.sort();
    assert_eq!(files, ["isolator.toml", "quake.csv"]);
}

#[test]
fn a_file_goes_before_an_example_and_it_is_said() {
    let place = Place::new();
    let copied = place.bristle(&["examples", "slider", "--out", "."]);
    assert_eq!(copied.code, Some(0), "{}", copied.err);
    let same = place.bristle(&["check", "slider"]);
    assert_eq!(
        (same.code, same.err.as_str()),
        (Some(0), ""),
        "the same file"
    );
    let text = std::fs::read_to_string(place.path("slider.toml")).expect("there");
    place.write("slider.toml", &text.replace("5 kg", "6 kg"));
    for name in ["slider", "slider.toml"] {
        let ran = place.bristle(&["check", name]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let note = "note: slider.toml is the file in this folder, not the example of that name\n";
        assert_eq!(ran.err, note);
    }
}

#[test]
fn a_folder_of_the_name_does_not_hide_an_example() {
    let place = Place::new();
    std::fs::create_dir(place.path("slider")).expect("made");
    let ran = place.bristle(&["check", "slider"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn a_name_that_is_neither_leads_to_the_list() {
    let ran = Place::new().bristle(&["run", "pendulm"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("did you mean \"pendulum\"?"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("bristle examples"), "{}", ran.err);
}

#[test]
fn the_bench_record_gives_the_parameters_that_it_states() {
    let place = Place::new();
    for data in ["bench.csv", "motion.csv"] {
        let copied = place.bristle(&["examples", data, "--out", "."]);
        assert_eq!(copied.code, Some(0), "{}", copied.err);
    }
    let fit = place.bristle(&["identify", "bench.csv", "--law", "lugre", "--out", "fit"]);
    assert_eq!(fit.code, Some(0), "{}\n{}", fit.out, fit.err);
    let law: toml::Table = std::fs::read_to_string(place.path("fit/lugre.toml"))
        .expect("a law")
        .parse()
        .expect("TOML");
    for (field, stated) in [
        ("bristle_stiffness", 2e4),
        ("bristle_damping", 20.0),
        ("kinetic_coefficient", 0.2),
        ("static_coefficient", 0.3),
        ("stribeck_velocity", 2e-3),
    ] {
        let found = law[field].as_float().expect("a number");
        // forces are rounded to 1 mN, a quarter per mille of the largest
        assert!((found / stated - 1.0).abs() < 2e-3, "{field}: {found}");
    }
    let driven = place.bristle(&["drive", "motion.csv", "--law", "fit/lugre.toml"]);
    assert_eq!(driven.code, Some(0), "{}", driven.err);
}
