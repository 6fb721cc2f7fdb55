//! `bristle compare` as a user meets it.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use support::{BLOCK, Place, entries};

/// A block that is pushed with 0.5 N, half of what it can hold, up to the end.
fn held() -> String {
    BLOCK
        .replace(
            "magnitude = \"2 N\"",
            "magnitude = { table = [[0, 0], [0.05, 0.75], [1, 0.75]] }",
        )
        .replace("end_time    = 0.2", "end_time    = 0.5")
}

#[test]
fn a_law_without_memory_creeps_as_its_formula_says() {
    let place = Place::new();
    place.write("block.toml", &held());
    let ran = place.bristle(&[
        "compare",
        "block.toml",
        "--law",
        "lugre",
        "--law",
        "gkf",
        "--out",
        "out",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let found = ran.json();
    let of = |law: usize| found["laws"][law]["contacts"]["base"].clone();
    // gkf under W creeps with v = v_r W/(μs N) less the viscous part:
    // W = N (μs/v_r + σ2) v with N = 10 N, μs = 0.15, σ2 = 20 s/m, v_r = 1e-4 m/s (a tenth of v_s)
    let expected = 0.75 / (10.0 * (0.15 / 1e-4 + 20.0));
    let creep = of(1)["creep"].as_f64().expect("a creep");
    // the integrator's tolerance is 1e-6 of the speeds
    assert!((creep / expected - 1.0).abs() < 1e-3, "{creep} {expected}");
    let remarks = of(1)["remarks"].to_string();
    assert!(remarks.contains("creeps"), "{remarks}");
    // a bristle holds
    assert!(of(0)["creep"].as_f64().expect("a creep") < 1e-3 * expected);
    assert!(
        !of(0)["remarks"].to_string().contains("creeps:"),
        "{}",
        of(0)
    );
    let notes = found["laws"][1]["notes"].to_string();
    assert!(notes.contains("a tenth of stribeck_velocity"), "{notes}");
    assert!(
        notes.contains("gkf has no bristle_stiffness, bristle_damping"),
        "{notes}"
    );
    let files = entries(&place.path("out"));
    for file in [
        "compare.csv",
        "compare.json",
        "friction_base.svg",
        "loop_base.svg",
        "characteristic_base.svg",
    ] {
        assert!(files.iter().any(|name| name == file), "{files:?}");
    }
    let table = std::fs::read_to_string(place.path("out/compare.csv")).expect("a table");
    let head = "law,catalogue_name,kind,name,status,first_slip_time,";
    assert!(table.starts_with(head), "{table}");
    assert!(table.contains(",contact,base,complete,"), "{table}");
}

#[test]
fn the_own_law_gives_what_a_run_gives() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let ran = place.bristle(&[
        "compare",
        "block.toml",
        "--law",
        "lugre",
        "--law",
        "dahl",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let (found, run) = (
        ran.json(),
        place.bristle(&["run", "block.toml", "--json"]).json(),
    );
    let own = &found["laws"][0];
    for (a, b) in [
        (
            &own["contacts"]["base"]["first_slip_time"],
            &run["contacts"]["base"]["first_slip_time"],
        ),
        (&own["energy"]["dissipated"], &run["energy"]["dissipated"]),
        (&own["steps"], &run["steps"]),
    ] {
        assert_eq!(a, b);
    }
    // dahl has no static level: it breaks away at μk = 0.1
    let remarks = found["laws"][1]["contacts"]["base"]["remarks"].to_string();
    assert!(remarks.contains("no Stribeck peak"), "{remarks}");
}

#[test]
fn every_law_of_the_catalogue_runs_the_block() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let names = place.bristle(&["laws", "--json"]).json();
    let names: Vec<String> = names["friction"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|law| law["name"].as_str().expect("a name").to_owned())
        .collect();
    let mut arguments = vec!["compare", "block.toml", "--json", "--no-plots"];
    for name in &names {
        arguments.extend(["--law", name]);
    }
    let ran = place.bristle(&arguments);
    let found = ran.json();
    for law in found["laws"].as_array().expect("laws") {
        assert_ne!(law["status"], "refused", "{law}");
        assert!(
            !law["contacts"]["base"]["remarks"]
                .as_array()
                .expect("remarks")
                .is_empty()
        );
    }
}

#[test]
fn parameters_and_files_give_sets() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.write("stiff.toml", "law = \"lugre\"\nsigma_0 = \"1e5 1/m\"\n");
    let ran = place.bristle(&[
        "compare",
        "block.toml",
        "--law",
        "lugre",
        "--law",
        "stiff.toml",
        "--law",
        "gkf",
        "--param",
        "gkf:v_r=1 mm/s",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let found = ran.json();
    assert_eq!(found["laws"][1]["law"], "stiff");
    let changes = found["laws"][1]["changes"].to_string();
    assert!(changes.contains("bristle_stiffness="), "{changes}");
    assert_ne!(found["laws"][0]["steps"], found["laws"][1]["steps"]);
    assert!(
        found["laws"][2]["changes"]
            .to_string()
            .contains("regularisation_velocity=1 mm/s")
    );
    assert!(!found["laws"][2]["notes"].to_string().contains("a tenth"));
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.write("none.toml", "bristle_stiffness = 1\n");
    for (arguments, part) in [
        (&["--law", "lugree"][..], "did you mean \"lugre\""),
        (&["--law", "gkf", "--law", "gkf"], "twice"),
        (&["--law", "missing.toml"], "missing.toml"),
        (&["--law", "none.toml"], "law = \"NAME\""),
        (
            &["--law", "gkf", "--contact", "bse"],
            "did you mean \"base\"",
        ),
        (
            &["--law", "gkf", "--param", "gkf:v_x=1"],
            "no parameter \"v_x\"",
        ),
        (
            &["--law", "gkf", "--param", "gkf:v_r=-1"],
            "regularisation_velocity",
        ),
        (&["--law", "gkf", "--param", "v_r=1"], "LAW:name=value"),
        (&["--law", "gkf", "--set", "body.block.mas=1"], "mass"),
    ] {
        let mut all = vec!["compare", "block.toml", "--out", "out"];
        all.extend(arguments);
        let ran = place.bristle(&all);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        let words: Vec<&str> = ran.err.split_whitespace().filter(|w| *w != "│").collect();
        assert!(words.join(" ").contains(part), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(place.entries(), ["block.toml", "none.toml"]);
}

#[test]
fn every_law_has_the_columns_of_a_run() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let mut words = vec!["compare", "block.toml", "--law", "gkf", "--channels"];
    words.extend(["--no-plots", "--out", "out", "--json"]);
    let ran = place.bristle(&words);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let run = place.bristle(&["run", "block.toml", "--no-plots", "--out", "run"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let read = |name: &str| std::fs::read_to_string(place.path(name)).expect("a table");
    assert_eq!(read("out/results_lugre.csv"), read("run/results.csv"));
    let other = read("out/results_gkf.csv");
    let found = ran.json();
    let results = &found["laws"][1]["results"];
    assert_eq!(results["file"], "results_gkf.csv");
    let described = results["channels"].as_array().expect("channels");
    let columns = other.lines().next().expect("a head").split(',').count();
    assert_eq!(described.len(), columns);
    assert_eq!(described[0][1], "s");
}
