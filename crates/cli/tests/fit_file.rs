//! `bristle identify FIT.toml`: what is asked for, in a file.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use std::path::PathBuf;

use support::{Place, Ran};

/// The shipped example: a record that `lugre` with known numbers has made.
const TRUTH: [(&str, f64); 5] = [
    ("bristle_stiffness", 2e4),
    ("bristle_damping", 20.0),
    ("stribeck_velocity", 1e-3),
    ("kinetic_coefficient", 0.2),
    ("static_coefficient", 0.3),
];

fn example() -> (Place, String) {
    let place = Place::new();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/fit");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("there");
    place.write("lugre-bench.csv", &read("lugre-bench.csv"));
    let fit = read("lugre-bench.toml");
    place.write("fit.toml", &fit);
    (place, fit)
}

fn parameter<'a>(fit: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let all = fit["parameters"].as_array().expect("a list");
    all.iter().find(|p| p["name"] == name).expect(name)
}

/// What was reported, on one line.
fn flat(ran: &Ran) -> String {
    let text = ran.err.replace("\n  │", "").replace('\n', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn json(ran: &Ran) -> serde_json::Value {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    serde_json::from_str(&ran.out).expect("JSON")
}

/// The numbers that made the record come back: its forces are rounded to 1 mN, 5e-4 of their size,
/// over many samples.
#[test]
fn the_shipped_fit_finds_the_numbers_that_made_its_record() {
    let (place, _) = example();
    for call in [
        &["identify", "fit.toml", "--json"][..],
        &["identify", "--fit", "fit.toml", "--json"],
    ] {
        let fit = json(&place.bristle(call));
        assert_eq!(fit["status"], "identified");
        for (name, truth) in TRUTH {
            let found = parameter(&fit, name)["value"].as_f64().expect("a number");
            assert!((found / truth - 1.0).abs() < 5e-3, "{name} = {found}");
        }
        let held = parameter(&fit, "viscous_coefficient");
        assert_eq!(
            (&held["value"], &held["verdict"]),
            (&0.0.into(), &"fixed".into())
        );
        let trimmed = &fit["data"][0]["stages"][1];
        assert_eq!(trimmed["stage"], "trim");
    }
}

/// The command line counts more: what it says of a parameter, by its name or its symbol, replaces
/// what the file says.
#[test]
fn options_beside_the_file_count_more() {
    let (place, _) = example();
    let fit = json(&place.bristle(&[
        "identify", "fit.toml", "--fix", "v_s=2e-3", "--free", "sigma_2", "--trim", "0:2", "--json",
    ]));
    let speed = parameter(&fit, "stribeck_velocity");
    assert_eq!(
        (&speed["value"], &speed["verdict"]),
        (&2e-3.into(), &"fixed".into())
    );
    assert_ne!(parameter(&fit, "viscous_coefficient")["verdict"], "fixed");
    assert_eq!(fit["data"][0]["stages"][1]["to"], 2.0);
}

/// Faults of the file have file, line and column, and what was probably meant.
#[test]
fn faults_of_the_file_have_their_place() {
    let (place, fit) = example();
    for (from, to, parts) in [
        (
            "law   =",
            "lwa   =",
            ["unknown field", "did you mean \"law\"?"],
        ),
        (
            "\"0.5 mm/s\"",
            "\"0.5 mm\"",
            ["parameter.stribeck_velocity.start", "not in units of m/s"],
        ),
        (
            "fix = 0 ",
            "fix = true ",
            ["parameter.viscous_coefficient.fix", "a number in SI"],
        ),
        (
            "\"3 s\"",
            "\"3 m\"",
            ["prepare.trim", "this field is a time in s"],
        ),
        (
            "[column.force]",
            "[column.forse]",
            ["no quantity \"forse\"", "did you mean \"force\"?"],
        ),
        (
            "\"1 cm/s\"]",
            "\"1 cm/s\", 3]",
            ["parameter.stribeck_velocity.bounds", "a list of two values"],
        ),
        (
            "viscous_coefficient]",
            "viscous_coeficient]",
            ["viscous_coeficient", "no parameter"],
        ),
    ] {
        assert!(fit.contains(from), "{from}");
        place.write("fit.toml", &fit.replace(from, to));
        let ran = place.bristle(&["identify", "fit.toml", "--out", "out"]);
        assert_eq!(ran.code, Some(2), "{to}: {}", ran.err);
        for part in parts {
            assert!(flat(&ran).contains(part), "{to}: {}", ran.err);
        }
        assert!(!place.path("out").exists(), "{to}");
    }
}

#[test]
fn what_neither_says_is_asked_for() {
    let place = Place::new();
    place.write("fit.toml", "law = \"dahl\"\n");
    let ran = place.bristle(&["identify", "fit.toml"]);
    assert_eq!(ran.code, Some(2));
    assert!(flat(&ran).contains("there are no data"), "{}", ran.err);
    place.write("d.csv", "t,v,F\n0,1,1\n");
    let ran = place.bristle(&["identify", "d.csv"]);
    assert_eq!(ran.code, Some(2));
    assert!(flat(&ran).contains("no law to fit"), "{}", ran.err);
}

/// The values of a law's file are one start of many: equations of your own end where the law of the
/// catalogue does, whatever its file says.
#[test]
fn poor_values_in_the_file_of_a_law_do_not_matter() {
    let place = Place::new();
    place.write("bench.csv", include_str!("../../../examples/bench.csv"));
    let values =
        "sigma_0 = 1e2\nsigma_1 = 1\nsigma_2 = 0.04\nmu_s = 0.15\nmu_k = 0.1\nv_s = \"0.3 m/s\"\n";
    let equations = "[law]\nname = \"mine\"\nequations = \"\"\"\ndz/dt = v - sigma_0*|v|/g*z\n\
                     F = N*(sigma_0*z + sigma_1*dz/dt + sigma_2*v)\n\"\"\"\n\
                     parameters = { sigma_0 = \"1/m\", sigma_1 = \"s/m\", sigma_2 = \"s/m\" }\n";
    place.write("mine.toml", &format!("{values}{equations}"));
    place.write("lugre.toml", &format!("law = \"lugre\"\n{values}"));
    for law in ["mine.toml", "lugre.toml"] {
        let fit = json(&place.bristle(&["identify", "bench.csv", "--law", law, "--json"]));
        // the record was made with these numbers and rounded to 1 mN
        let found = |symbol: &str| {
            let all = fit["parameters"].as_array().expect("parameters");
            let one = all.iter().find(|p| p["symbol"] == symbol).expect(symbol);
            one["value"].as_f64().expect("a number")
        };
        for (symbol, truth) in [
            ("sigma_0", 2e4),
            ("mu_k", 0.2),
            ("mu_s", 0.3),
            ("v_s", 2e-3),
        ] {
            assert!(
                (found(symbol) / truth - 1.0).abs() < 1e-3,
                "{law}: {symbol}"
            );
        }
    }
}
