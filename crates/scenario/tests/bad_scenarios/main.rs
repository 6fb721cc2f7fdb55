//! A wrong scenario is answered with the place, the field, the value and what is allowed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod faults;
mod others;
mod synonyms;

use std::path::Path;

use bristle_scenario::{Diagnostics, Severity, SourceMap, load};

const CUBE: &str = include_str!("../scenarios/cube.toml");

struct Answer {
    diagnostics: Diagnostics,
    sources: SourceMap,
}

/// Loads a scenario from a file of this text.
fn answer(text: &str, overrides: &[&str]) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cube.toml");
    std::fs::write(&path, text).unwrap();
    from_file(&path, overrides)
}

fn from_file(path: &Path, overrides: &[&str]) -> Answer {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    let mut sources = SourceMap::new();
    let diagnostics = match load(path, &overrides, &mut sources) {
        Ok(_) => Diagnostics::new(),
        Err(diagnostics) => diagnostics,
    };
    Answer {
        diagnostics,
        sources,
    }
}

impl Answer {
    /// Place, underlined text and message of every error.
    fn errors(&self) -> Vec<(String, String, String)> {
        self.diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .map(|d| {
                let (place, marked) = d.locate(&self.sources).map_or_else(
                    || (String::new(), String::new()),
                    |l| {
                        let file = l.file.rsplit(['/', '\\']).next().unwrap_or_default();
                        let place = format!("{file}:{}:{}", l.position.line, l.position.column);
                        (place, l.text[l.range].to_owned())
                    },
                );
                (place, marked, d.message.clone())
            })
            .collect()
    }
}

/// The cube with one text replaced by another.
fn cube(from: &str, to: &str) -> String {
    assert_eq!(CUBE.matches(from).count(), 1, "{from} is not there once");
    CUBE.replace(from, to)
}

#[test]
fn one_fault_gives_one_error() {
    for (from, to) in [
        ("\"1 kg\"", "-1"),
        ("law = \"lugre\"", "law = \"lugr\""),
        ("static_coefficient = 0.15", "static_coefficient = 0.05"),
        ("[3, 10], [4, 0]", "[3, 10], [3, 0]"),
        ("\"contact.base.first_slip_time\"", "\"contact.base.slips\""),
        ("end_time    = 4.0", "end_time = nan"),
        ("{ body = \"cube\", circle", "{ body = \"cub\", circle"),
    ] {
        let errors = answer(&cube(from, to), &[]).errors();
        assert_eq!(errors.len(), 1, "{from} → {to}: {errors:#?}");
    }
}

#[test]
fn all_faults_are_found_at_once() {
    let text = cube("\"1 kg\"", "-1")
        .replace("stribeck_velocity = \"1 mm/s\"", "stribeck_velocity = 0")
        .replace("end_time    = 4.0", "end_time = \"4 m\"")
        .replace("\"5 ms\"", "\"5 ms\"\ntolerence = 3");
    let places: Vec<String> = answer(&text, &[])
        .errors()
        .into_iter()
        .map(|e| e.0)
        .collect();
    assert_eq!(
        places,
        [
            "cube.toml:4:15",
            "cube.toml:10:12",
            "cube.toml:19:34",
            "cube.toml:36:1"
        ]
    );
}

#[test]
fn files_that_are_no_scenario() {
    let errors = answer("", &[]).errors();
    assert_eq!(
        errors,
        [(
            "cube.toml:1:1".into(),
            String::new(),
            "the scenario is empty".into()
        )]
    );
    let errors = from_file(Path::new("nowhere/no.toml"), &[]).errors();
    assert!(
        errors[0].2.starts_with("cannot read nowhere/no.toml: "),
        "{errors:?}"
    );
    let errors = answer(&format!("{CUBE}\n[body.cube]\nmass = 1\n"), &[]).errors();
    assert_eq!(
        (errors[0].0.as_str(), errors[0].1.as_str()),
        ("cube.toml:38:7", "cube")
    );
    assert!(errors[0].2.contains("duplicate key"), "{errors:?}");
    let errors = answer("title = \"T\"\n", &[]).errors();
    let messages: Vec<&str> = errors.iter().map(|e| e.2.as_str()).collect();
    assert_eq!(
        messages,
        [
            "missing table \"simulation\" in the scenario",
            "missing table \"body\" in the scenario"
        ]
    );
}

/// A scenario of bodies alone.
fn bodies(text: &str) -> Vec<(String, String, String)> {
    answer(
        &format!("title = \"T\"\nsimulation = {{ end_time = 1 }}\n{text}"),
        &[],
    )
    .errors()
}

#[test]
fn bodies_form_a_tree() {
    let fixed = |name: &str, parent: &str| {
        format!("[body.{name}]\njoint = \"fixed\"\nparent = \"{parent}\"\n")
    };
    let circle = [
        fixed("a", "c"),
        fixed("b", "a"),
        fixed("c", "b"),
        fixed("d", "a"),
    ]
    .concat();
    let errors = bodies(&circle);
    let message = "body.a.parent: these bodies carry each other: a on c on b on a";
    assert_eq!(
        errors,
        [("cube.toml:5:10".into(), "\"c\"".into(), message.into())]
    );
    let errors = bodies(&fixed("a", "a"));
    assert_eq!(
        errors[0].2,
        "body.a.parent: these bodies carry each other: a on a"
    );
    let errors = bodies(&[fixed("arm", "ground"), fixed("b", "amr")].concat());
    assert_eq!(errors[0].2, "body.b.parent: there is no body \"amr\"");
    let errors = bodies(&fixed("ground", "ground"));
    assert_eq!(
        (errors[0].0.as_str(), errors[0].1.as_str()),
        ("cube.toml:3:7", "ground")
    );
    let errors = bodies("[body.\"a.b\"]\njoint = \"fixed\"\n");
    assert_eq!(
        errors[0].2,
        "body.a.b: the name \"a.b\" may hold letters, digits, \"_\" and \"-\" only"
    );
    let errors = bodies("[body]\n");
    assert_eq!(
        errors[0].2,
        "body: there is no body; a scenario needs at least one [body.NAME]"
    );
}

#[test]
fn a_normal_force_never_pulls() {
    let normal = |text: &str| answer(CUBE, &[&format!("contact.base.normal={text}")]).errors();
    let errors = normal("{ prescribed = { table = [[0, 10], [4, -2]] } }");
    let (place, marked, message) = &errors[0];
    assert_eq!(
        (place.as_str(), marked.as_str()),
        ("--set:1:36", "{ table = [[0, 10], [4, -2]] }")
    );
    // the line crosses zero at 10/3 s; the next sample is at a multiple of 4 ms
    let start = "contact.base.normal.prescribed = -";
    let end = " N at t = 3.336 s, must be in [0, ∞) N";
    assert!(
        message.starts_with(start) && message.ends_with(end),
        "{message}"
    );
    let errors = normal("{ total = \"-3 N\" }");
    assert_eq!(
        errors[0].2,
        "contact.base.normal.total = -3 N at t = 0 s, must be in [0, ∞) N"
    );
    let errors = normal("{}");
    assert_eq!(
        errors[0].2,
        "contact.base.normal: one of \"law\", \"prescribed\", \"total\" is missing"
    );
}

#[test]
fn moments_of_inertia_that_overflow() {
    let text = "[body.a]\njoint = \"free\"\nmass = 1e300\nshape = { sphere = 1e200 }\n";
    assert_eq!(
        bodies(text)[0].2,
        "body.a.shape: the moments of inertia are beyond 1.8e308 kg m^2"
    );
}
