//! Exit codes, what is written, and what is said.

mod support;

use support::{BLOCK, Place, entries, expecting};

#[test]
fn a_run_writes_its_folder_and_ends_with_0() {
    let place = Place::new();
    place.write("block.toml", &expecting(0.2));
    let ran = place.bristle(&["run", "block.toml"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("expectations: 1 of 1 met"), "{}", ran.out);
    assert!(ran.out.contains("results in results"), "{}", ran.out);
    let files = entries(&place.path("results/block"));
    for name in [
        "results.csv",
        "channels.json",
        "summary.json",
        "friction_base.svg",
        "energies.svg",
    ] {
        assert!(
            files.iter().any(|file| file == name),
            "{name} is not in {files:?}"
        );
    }
    assert!(
        !files.iter().any(|file| file.contains("partial")),
        "{files:?}"
    );
}

#[test]
fn a_missed_expectation_ends_with_3_and_keeps_the_results() {
    let place = Place::new();
    place.write("block.toml", &expecting(0.3));
    let ran = place.bristle(&["run", "block.toml", "--no-plots"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.out.contains("expectations: 0 of 1 met"), "{}", ran.out);
    let files = entries(&place.path("results/block"));
    assert_eq!(
        files,
        ["channels.json", "model.json", "results.csv", "summary.json"]
    );
}

/// What the file expects at 0.15 s cannot be told by a run that `--set` ends at 0.1 s.
#[test]
fn a_run_that_is_cut_short_does_not_reach_what_is_expected_later() {
    let place = Place::new();
    let expect = |name: &str, when: &str| {
        format!(
            "[[expect]]\nname = \"{name}\"\nvalue = \"contact.base.normal_force\"\nexpected = 10\n\
             tolerance = 1e-9\n{when}\n"
        )
    };
    let text = format!(
        "{BLOCK}{}{}{}",
        expect("early", "at = 0.05"),
        expect("late", "at = 0.15"),
        expect("window", "during = [0.05, 0.2]"),
    );
    place.write("block.toml", &text);
    let run = ["run", "block.toml", "--no-plots"];
    let whole = place.bristle(&run);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    assert!(whole.out.contains("expectations: 3 of 3 met"), "{whole:?}");
    let cut = ["--set", "simulation.end_time=0.1"];
    let short = place.bristle(&[&run[..], &cut].concat());
    assert_eq!(short.code, Some(0), "{short:?}");
    for words in ["expectations: 1 of 3 met, 2 not reached", "– late"] {
        assert!(short.out.contains(words), "{words}: {}", short.out);
    }
    let told = place
        .bristle(&[&run[..], &cut, &["--json"]].concat())
        .json();
    let late = &told["expectations"][1];
    assert_eq!(late["not_reached"], true, "{told}");
    assert!(late["value"].is_null() && late["met"] == false, "{told}");
    // a file that looks later than its own end is at fault, whatever the command line says
    place.write("block.toml", &text.replace("at = 0.15", "at = 0.25"));
    let bad = place.bristle(&[&run[..], &cut].concat());
    assert_eq!(bad.code, Some(2), "{bad:?}");
    assert!(
        bad.err.contains("0.25 s is after end_time = 0.2 s"),
        "{bad:?}"
    );
}

#[test]
fn a_run_that_fails_ends_with_1_names_the_element_and_keeps_the_results() {
    let place = Place::new();
    place.write(
        "block.toml",
        &BLOCK.replace(
            "\"2 N\"",
            "{ table = [[0, 0], [0.1, 0], [0.1001, 1e300], [1, 1e308]] }",
        ),
    );
    let ran = place.bristle(&[
        "run",
        "block.toml",
        "--set",
        "simulation.integrator.min_step=1e-6",
    ]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("block") || ran.err.contains("base"),
        "{}",
        ran.err
    );
    let summary = std::fs::read_to_string(place.path("results/block/summary.json")).expect("kept");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(summary["status"], "failed");
    assert!(
        summary["error"]["time"].as_f64().is_some_and(|t| t > 0.09),
        "{summary}"
    );
    assert!(summary["error"]["element"].is_string(), "{summary}");
    let csv = std::fs::read_to_string(place.path("results/block/results.csv")).expect("kept");
    assert!(csv.lines().count() > 50, "the rows before are kept");
    assert!(!csv.contains("NaN") && !csv.contains("inf"));
}

/// Bad input: what is changed in the block's scenario, and what the message must name.
const BAD: &[(&str, &str, &[&str])] = &[
    (
        "mass  = \"1 kg\"",
        "mass = \"1 m\"",
        &["block.toml:10", "mass"],
    ),
    ("mass  = \"1 kg\"", "mass = \"0 kg\"", &["block", "mass"]),
    (
        "mass  = \"1 kg\"",
        "mas = \"1 kg\"",
        &["mas", "did you mean"],
    ),
    ("law = \"lugre\"", "law = \"lugr\"", &["lugr"]),
    (
        "static_coefficient = 0.15",
        "static_coefficient = 0.05",
        &["static_coefficient", "0.05"],
    ),
    (
        "stribeck_velocity = \"1 mm/s\"",
        "stribeck_velocity = 0",
        &["stribeck_velocity"],
    ),
    (
        "bristle_stiffness = 1e4",
        "bristle_stiffness = nan",
        &["bristle_stiffness"],
    ),
    ("end_time    = 0.2", "end_time = -1", &["end_time"]),
    (
        "body      = \"block\"",
        "body = \"blok\"",
        &["blok", "block"],
    ),
    ("[force.push]", "[force.push", &["not valid TOML"]),
];

#[test]
fn bad_input_ends_with_2_says_where_and_writes_nothing() {
    for (good, bad, named) in BAD {
        let place = Place::new();
        assert!(BLOCK.contains(good), "{good}");
        place.write("block.toml", &BLOCK.replace(good, bad));
        for command in ["run", "check"] {
            let ran = place.bristle(&[command, "block.toml"]);
            assert_eq!(ran.code, Some(2), "{command} {bad}: {ran:?}");
            for text in *named {
                assert!(
                    ran.err.contains(text),
                    "{bad}: {text} is not in\n{}",
                    ran.err
                );
            }
            assert!(
                ran.err.contains("block.toml:"),
                "{bad}: no place in\n{}",
                ran.err
            );
            assert_eq!(ran.out, "", "{bad}");
        }
        assert_eq!(place.entries(), ["block.toml"], "{bad}");
    }
}

#[test]
fn several_errors_are_shown_at_once() {
    let place = Place::new();
    place.write(
        "block.toml",
        &BLOCK.replace("1 kg", "1 m").replace("10 N", "10 kg"),
    );
    let ran = place.bristle(&["check", "block.toml"]);
    assert!(
        ran.err.contains("1 m") && ran.err.contains("10 kg"),
        "{}",
        ran.err
    );
}

#[test]
fn wrong_command_lines_end_with_2() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    for arguments in [
        &["run"][..],
        &["run", "missing.toml"],
        &["run", "block.toml", "--format", "parquet"],
        &["run", "block.toml", "--format", "xlsx"],
        &["run", "block.toml", "--set", "nonsense"],
        &["run", "block.toml", "--set", "body.block.mas=1"],
        &["walk"],
        &["laws", "lugr"],
        &["examples", "cub-30deg"],
    ] {
        let ran = place.bristle(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
    assert_eq!(place.entries(), ["block.toml"]);
    let ran = place.bristle(&["laws", "lugr"]);
    assert!(ran.err.contains("did you mean \"lugre\"?"), "{}", ran.err);
}

/// What other programs call their commands leads to the command that does it here.
#[test]
fn words_of_other_programs_get_the_right_command() {
    let place = Place::new();
    for (word, hint) in [
        ("simulate", "bristle run"),
        ("solve", "bristle run"),
        ("fit", "bristle identify"),
        ("plot", "bristle report"),
        ("optimize", "bristle response"),
        ("calibration", "bristle calibrate"),
        ("characterize", "bristle characterise"),
        ("Simulate", "bristle run"),
    ] {
        let ran = place.bristle(&[word, "block.toml"]);
        assert_eq!(ran.code, Some(2), "{word}");
        assert!(ran.err.contains("unrecognized subcommand"), "{}", ran.err);
        assert_eq!(ran.err.matches("tip:").count(), 1, "{}", ran.err);
        assert!(ran.err.contains(hint), "{word}: {}", ran.err);
    }
    // spelt alike, and nothing like it
    assert!(place.bristle(&["swep"]).err.contains("'sweep'"));
    assert!(!place.bristle(&["walk"]).err.contains("bristle run"));
}

#[test]
fn a_folder_that_cannot_be_written_ends_with_2_and_says_what_to_do() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.write("taken", "a file");
    for out in ["taken", "taken/inside"] {
        let ran = place.bristle(&["run", "block.toml", "--out", out]);
        assert_eq!(ran.code, Some(2), "{out}: {ran:?}");
        assert!(
            ran.err.contains("taken") && ran.err.contains("--out"),
            "{}",
            ran.err
        );
    }
    std::fs::create_dir(place.path("theirs")).expect("created");
    place.write("theirs/summary.json", "{}");
    let ran = place.bristle(&["run", "block.toml", "--out", "theirs"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(entries(&place.path("theirs")), ["summary.json"]);
    assert_eq!(place.entries(), ["block.toml", "taken", "theirs"]);
}

#[cfg(unix)]
#[test]
fn a_folder_without_permission_ends_with_2() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let locked = place.path("locked");
    std::fs::create_dir(&locked).expect("created");
    let allow = |mode| {
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(mode)).expect("set");
    };
    allow(0o555);
    // the superuser may write anyway
    let refused = std::fs::write(locked.join("probe"), "").is_err();
    let ran = place.bristle(&["run", "block.toml", "--out", "locked"]);
    allow(0o755);
    if refused {
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(
            ran.err.contains("locked") && ran.err.contains("--out"),
            "{}",
            ran.err
        );
    }
}

/// A device has no end, so data must be in a regular file; what a program may pipe into a fit has one.
#[cfg(unix)]
#[test]
fn data_without_an_end_are_refused() {
    let place = Place::new();
    let pull = "magnitude = { csv = \"/dev/zero\", time = \"t\", value = \"F\" }";
    let endless =
        format!("{BLOCK}\n[force.endless]\nbody = \"block\"\ndirection = [1, 0, 0]\n{pull}\n");
    place.write("endless.toml", &endless);
    let ran = place.bristle(&["check", "endless.toml"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("it is not a regular file"), "{}", ran.err);
}
