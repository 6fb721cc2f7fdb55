//! Which column is what: without a header, without a time, and in units that need a gain.

use std::fmt::Write as _;

use super::support::Place;
use super::{bench, identify, json, plain, value};

#[test]
fn a_log_without_header_takes_names_and_a_rate() {
    for separator in ["\t", ";", ","] {
        let place = Place::new();
        let data = bench(600, |t, v, f| {
            [t, v, f].map(|x| format!("{x:.6}")).join(separator)
        });
        let ran = identify(&place, &data, &["--law", "coulomb_tanh"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("the header is missing"), "{}", ran.err);
        assert!(ran.err.contains("--columns t,v,F"), "{}", ran.err);
        for arguments in [
            &["--columns", "t,v,F"][..],
            // rows every 10 ms
            &["--columns", "-,v,F", "--rate", "100Hz"],
            &["--columns", "t,v,F", "--rate", "0.1 kHz"],
        ] {
            let mut all = vec!["--law", "coulomb_tanh", "--json"];
            all.extend(arguments);
            let fit = json(&identify(&place, &data, &all));
            let level = value(&fit, "kinetic_coefficient");
            assert!((level - 3.0).abs() < 1e-3, "{arguments:?}: {level}");
            assert_eq!(fit["data"][0]["kind"], "motion");
        }
        let wrong = ["--law", "coulomb_tanh", "--columns", "t,v"];
        let ran = identify(&place, &data, &wrong);
        assert!(ran.err.contains("2 columns are named"), "{}", ran.err);
        place.write(
            "fit.toml",
            "data = \"data.csv\"\nlaw = \"coulomb_tanh\"\ncolumns = [\"-\", \"v\", \"F\"]\n\
             prepare = { rate = \"100 Hz\" }\n",
        );
        let fit = json(&place.bristle(&["identify", "fit.toml", "--json"]));
        assert!((value(&fit, "kinetic_coefficient") - 3.0).abs() < 1e-3);
    }
}

#[test]
fn a_motion_without_header_drives() {
    let place = Place::new();
    // 0.3 x 10 N far above the width of tanh
    place.write("motion.txt", "0.1\t10\n0.1\t10\n0.1\t10\n");
    let law = [
        "--law",
        "coulomb_tanh",
        "--param",
        "mu_k=0.3",
        "--param",
        "v_r=1e-4",
    ];
    let drive = |more: &[&str]| {
        let mut all = vec!["drive", "motion.txt"];
        all.extend(law);
        all.extend(more);
        place.bristle(&all)
    };
    let ran = drive(&[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("header is missing"), "{}", ran.err);
    let ran = drive(&["--columns", "v,N", "--rate", "1kHz"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let last: Vec<f64> = ran
        .out
        .lines()
        .last()
        .into_iter()
        .flat_map(|line| line.split(','))
        .filter_map(|cell| cell.parse().ok())
        .collect();
    assert!((last[0] - 2e-3).abs() < 1e-12, "{last:?}");
    assert!((last[1] - 3.0).abs() < 1e-5, "{last:?}");
}

#[test]
fn a_current_needs_a_gain_and_the_mapping_is_shown() {
    let place = Place::new();
    // 2 N/A: the force of 3 N at 1.5 A
    let data = plain().replacen("t,v,F,N", "t,v,i [mA],N", 1);
    let column = ["--law", "coulomb_tanh", "--column", "force=i [mA]"];
    let ran = identify(&place, &data, &column);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("no gain is given"), "{}", ran.err);
    assert!(ran.err.contains("--gain force=NUMBER"), "{}", ran.err);
    let with_gain = [&column[..], &["--gain", "force=2000"]].concat();
    let ran = identify(&place, &data, &with_gain);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // 2000 N/A is 2 N/mA
    assert!(
        ran.out
            .contains("force        \"i [mA]\" [mA] × 2.0000 in N"),
        "{}",
        ran.out
    );
    let fit = json(&identify(
        &place,
        &data,
        &[&with_gain[..], &["--json"]].concat(),
    ));
    // the column holds 3 where the pair slides, at 10 N
    assert!((value(&fit, "kinetic_coefficient") - 0.6).abs() < 1e-5);
    let unknown = plain().replacen("t,v,F,N", "t,v,F [frobs],N", 1);
    let law = ["--law", "coulomb_tanh", "--gain", "force=1"];
    let ran = identify(&place, &unknown, &law);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("no unit \"frobs\""), "{}", ran.err);
}

/// Position at 100 Hz and force at 80 Hz, each with its own times: 3 N against the motion.
#[test]
fn two_clocks_in_one_table_are_one_record() {
    let mut data = String::from("position_timestamp,position,force_timestamp,force\n");
    for i in 0..1000 {
        let (a, b) = (f64::from(i) * 0.01, f64::from(i) * 0.0125);
        let force = 3.0 * (2.0 * b).cos().signum();
        let position = 0.02 * (2.0 * a).sin();
        let _ = writeln!(data, "{a:.6},{position:.9},{b:.6},{force}");
    }
    let fit = json(&identify(
        &Place::new(),
        &data,
        &["--law", "coulomb_tanh", "--json"],
    ));
    let notes = fit["data"][0]["notes"].to_string();
    assert!(notes.contains("two clocks"), "{notes}");
    // the reversals lie within a sample of either clock
    let level = value(&fit, "kinetic_coefficient");
    assert!((level / 3.0 - 1.0).abs() < 0.01, "{level}");
}

#[test]
fn a_name_of_a_file_writes_no_fields() {
    let place = Place::new();
    let name = "a\nlaw = \"none\"\nmu_k = 9 <b>\u{1b}[2J.csv";
    place.write(name, &plain());
    let ran = place.bristle(&[
        "identify",
        name,
        "--law",
        "coulomb_tanh",
        "--out",
        "fit",
        "--report",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'));
    let text = std::fs::read_to_string(place.path("fit/coulomb_tanh.toml")).expect("a law");
    let law: toml::Table = text.parse().expect("TOML");
    assert_eq!(law["law"].as_str(), Some("coulomb_tanh"));
    assert!(!law.contains_key("mu_k"), "{text}");
    let page = std::fs::read_to_string(place.path("fit/report.html")).expect("a page");
    assert!(
        !page.contains("<b>\u{1b}") && !page.contains("9 <b>"),
        "the page has the name as it is"
    );
    let json = std::fs::read_to_string(place.path("fit/identify.json")).expect("JSON");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["data"][0]["file"].as_str(), Some(name));
}
