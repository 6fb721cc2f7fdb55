//! The Stribeck curve of a law: by name, with fields of its own, or as a table of points.

#![allow(clippy::expect_used, reason = "a test may panic")]

use bristle_laws::curve::Shape;
use bristle_laws::{Friction, Value};
use bristle_scenario::{SourceMap, load_law};

/// A set of lugre but for its levels.
const BRISTLES: [&str; 2] = ["sigma_0=1e4", "sigma_1=0"];
const LEVELS: [&str; 3] = ["mu_s=0.15", "mu_k=0.1", "v_s=1e-3"];

/// The law, or the errors as text.
fn lugre(parameters: &[&str]) -> Result<Friction, String> {
    let parameters: Vec<String> = parameters.iter().map(|text| (*text).to_owned()).collect();
    let mut sources = SourceMap::new();
    load_law("lugre", &parameters, &mut sources)
        .map(|(law, _)| law)
        .map_err(|problems| problems.render_plain(&sources))
}

fn with_levels(stribeck: &str) -> Result<Friction, String> {
    let stribeck = format!("stribeck={stribeck}");
    lugre(&[&BRISTLES[..], &LEVELS[..], &[&stribeck]].concat())
}

fn shape(law: &Friction) -> Shape {
    let values = law.to_values();
    let curve = values.iter().find_map(|(_, value)| match value {
        Value::Curve(shape) => Some(shape.clone()),
        _ => None,
    });
    curve.expect("lugre has a curve")
}

#[test]
fn a_curve_is_named_or_has_fields() {
    for (text, wanted) in [
        ("exponential", Shape::Exponential),
        ("gaussian", Shape::Gaussian),
        ("\"rational\"", Shape::Rational),
        ("step5", Shape::Step5(None)),
        ("{ curve = \"sine\" }", Shape::Sine(None)),
        (
            "{ curve = \"step5\", dynamic_velocity = \"3 mm/s\" }",
            Shape::Step5(Some(3e-3)),
        ),
        ("{ curve = \"sine\", v_d = 0.004 }", Shape::Sine(Some(4e-3))),
    ] {
        let law = with_levels(text).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(shape(&law), wanted, "{text}");
    }
    let plain = lugre(&[&BRISTLES[..], &LEVELS[..]].concat()).expect("the default");
    assert_eq!(shape(&plain), Shape::Exponential);
}

#[test]
fn a_table_gives_the_levels() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("curve.csv");
    std::fs::write(&file, "speed,v,mu\n9,0,0.3\n9,0.001,0.25\n9,0.01,0.2\n").expect("written");
    let short = format!("stribeck={}", file.display());
    let long = format!(
        "stribeck={{ curve = \"table\", csv = '{}', speed = \"v\", coefficient = \"mu\" }}",
        file.display()
    );
    let points = "stribeck={ points = [[0, 0.3], [\"1 mm/s\", 0.25], [\"1 cm/s\", 0.2]] }";
    for text in [short.as_str(), long.as_str(), points] {
        let law = lugre(&[&BRISTLES[..], &[text]].concat());
        let law = law.unwrap_or_else(|problem| panic!("{problem}"));
        // the points themselves, within a rounding
        for (v, mu) in [(0.0, 0.3), (0.001, 0.25), (0.01, 0.2), (1.0, 0.2)] {
            let steady = law.steady(v, 1.0).expect("a steady force");
            assert!((steady - mu).abs() < 1e-15, "{text} at {v}: {steady}");
        }
    }
    let twice = lugre(&[&BRISTLES[..], &["mu_s=0.4", &short]].concat());
    let text = twice.expect_err("the table says 0.3");
    assert!(
        text.contains("static_coefficient") && text.contains("leave"),
        "{text}"
    );
}

#[test]
fn what_is_wrong_is_said() {
    for (stribeck, words) in [
        ("ratoinal", &["\"rational\"", "ratoinal"][..]),
        ("table", &["points", "missing"]),
        ("nowhere.csv", &["nowhere.csv", "cannot read"]),
        ("3", &["stribeck", "found a number"]),
        (
            "{ curve = \"sine\", v_d = 1e-4 }",
            &["dynamic_velocity", "above"],
        ),
        (
            "{ curve = \"gaussian\", v_d = 1 }",
            &["unknown field", "v_d"],
        ),
        (
            "{ curve = \"step5\", v_d = \"3 mm\" }",
            &["dynamic_velocity"],
        ),
        ("{ points = [[0, 1], [1, 0.5], [0.5, 1]] }", &["must rise"]),
        ("{ points = [[0.1, 1], [1, 0.5]] }", &["at rest"]),
        ("{ points = [[0, 1], [1, -0.5]] }", &["-0.5", "(0, ∞)"]),
        ("{ points = [[0, 1]] }", &["two points"]),
        ("{ points = [0, 1] }", &["pairs"]),
        ("{ curve = \"table\" }", &["csv", "points"]),
        ("{}", &["csv", "points"]),
    ] {
        let text = with_levels(stribeck).expect_err(stribeck);
        for word in words {
            assert!(text.contains(word), "{stribeck}: {word} is not in\n{text}");
        }
    }
    // the line of the file
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("curve.csv");
    std::fs::write(&file, "v,mu\n0,0.3\n\n0.001,0.25\n0.001,0.2\n").expect("written");
    let text = with_levels(&file.display().to_string()).expect_err("speeds do not rise");
    assert!(text.contains("curve.csv:5"), "{text}");
}
