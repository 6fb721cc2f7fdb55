//! Sections: values, defaults, and what is said about wrong ones.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]
#![allow(
    clippy::float_cmp,
    reason = "values that are not computed are equal to the last bit"
)]

mod functions;
#[path = "../support/mod.rs"]
mod support;

use bristle_scenario::{
    Diagnostics, Fields, Node, Reader, SourceMap, apply_override, json_schema, load_text,
    signal_schema,
};
use support::ROOT;

/// Reads everything that the scenario has and returns what is said about it.
fn read(node: &Node, sources: &SourceMap) -> Diagnostics {
    let reader = Reader::new(sources);
    if let Some(root) = Fields::open(&reader, node, node.span, "", &ROOT) {
        root.text("title");
        if let Some(simulation) = root.section("simulation") {
            simulation.number("end_time");
            simulation.number("output_step");
            simulation.choice("method");
        }
        for (_, body) in root.named("body") {
            body.number("mass");
            body.vector("position");
            body.flag("fixed");
            body.count("count");
            body.list("limits");
            body.text("note");
            body.signal("force");
        }
        for expect in root.tables("expect") {
            expect.number("tolerance");
        }
    }
    reader.into_diagnostics()
}

fn complaints(text: &str, overrides: &[&str]) -> String {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    if let Some(mut root) = load_text("a.toml", text, &mut sources, &mut diagnostics) {
        for text in overrides {
            apply_override(&mut root, text, &mut sources, &mut diagnostics);
        }
        diagnostics.extend(read(&root, &sources));
    }
    diagnostics.render_plain(&sources)
}

const SIMULATION: &str = "[simulation]\nend_time = 1\n";

fn body(line: &str) -> String {
    complaints(&format!("{SIMULATION}[body.cube]\nmass = 1\n{line}\n"), &[])
}

#[test]
fn values_and_defaults() {
    let text = "title = \"T\"\n[simulation]\nend-time = \"2 min\"\n\
                [body.b]\nm = \"250 g\"\nposition = [\"10 mm\", 0, 1e-3]\ncount = 3\nlimits = [1, \"2 kN\"]\n\
                [body.a]\nmass = 2\nfixed = true\n[[expect]]\ntolerance = \"5 %\"\n";
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let node = load_text("a.toml", text, &mut sources, &mut diagnostics).unwrap();
    let reader = Reader::new(&sources);
    let root = Fields::open(&reader, &node, node.span, "", &ROOT).unwrap();
    let simulation = root.section("simulation").unwrap();
    assert_eq!(simulation.number("end_time"), Some(120.0));
    assert_eq!(simulation.number("output_step"), Some(0.001), "default");
    assert_eq!(simulation.choice("method"), Some("newmark"), "default");
    let bodies = root.named("body");
    let names: Vec<&str> = bodies.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["b", "a"], "in the order of the file");
    let (_, b) = &bodies[0];
    assert_eq!(b.number("mass"), Some(0.25), "by symbol");
    assert_eq!(b.vector("position"), Some([0.01, 0.0, 0.001]));
    assert_eq!(b.count("count"), Some(3));
    assert_eq!(b.list("limits"), Some(vec![1.0, 2000.0]));
    assert_eq!(b.flag("fixed"), Some(false), "default");
    let (_, a) = &bodies[1];
    assert_eq!(
        (a.flag("fixed"), a.vector("position")),
        (Some(true), Some([0.0; 3]))
    );
    assert_eq!(a.count("count"), None);
    assert_eq!(root.tables("expect")[0].number("tolerance"), Some(0.05));
    assert!(reader.into_diagnostics().is_empty());
}

#[test]
fn an_unknown_field_is_shown_with_the_nearest_name() {
    assert_eq!(
        complaints("[simulation]\nend_time = 1\noutput_stepp = \"1 ms\"\n", &[]),
        "a.toml:3:1: error: unknown field \"output_stepp\" in simulation\n\
         3 | output_stepp = \"1 ms\"\n\
         \x20 | ^^^^^^^^^^^^ did you mean \"output_step\"?\n\
         \x20 = help: known fields are end_time, output_step, method\n"
    );
}

#[test]
fn a_missing_field_is_shown_at_its_table() {
    assert_eq!(
        complaints(&format!("{SIMULATION}[body.cube]\n"), &[]),
        "a.toml:3:7: error: missing field \"mass\" (m) in body.cube\n\
         3 | [body.cube]\n\
         \x20 |       ^^^^\n\
         \x20 = help: Mass; expected a mass in kg: a number or a text with a unit such as \"250 g\"\n"
    );
    assert!(
        complaints("", &[])
            .starts_with("a.toml:1:1: error: missing table \"simulation\" in the scenario\n")
    );
}

#[test]
fn wrong_values_name_field_value_unit_and_range() {
    for (line, place, message) in [
        (
            "position = true",
            "5:12",
            "body.cube.position: expected a list of three numbers, each a length in m: a number or \
             a text with a unit such as \"100 mm\", found a boolean",
        ),
        (
            "position = [0, 1]",
            "5:12",
            "body.cube.position: expected three numbers, found 2",
        ),
        (
            "position = [0, 1, \"5 s\"]",
            "5:22",
            "body.cube.position.2: 5 s is a time; this field is a length in m",
        ),
        (
            "limits = [1, -2]",
            "5:14",
            "body.cube.limits.1 = -2 N, must be in [0, ∞) N",
        ),
        (
            "limits = [inf]",
            "5:11",
            "body.cube.limits.0 = inf N, must be in [0, ∞) N",
        ),
        (
            "position = [nan, 0, 0]",
            "5:13",
            "body.cube.position.0 = NaN m, must be in (-∞, ∞) m",
        ),
        (
            "count = 12",
            "5:9",
            "body.cube.count = 12, must be in [1, 9]",
        ),
        (
            "count = 1.5",
            "5:9",
            "body.cube.count: expected a whole number in [1, 9], found a number",
        ),
        (
            "fixed = \"yes\"",
            "5:9",
            "body.cube.fixed: expected true or false, found a text",
        ),
        (
            "note = 3",
            "5:8",
            "body.cube.note: expected a text, found a number",
        ),
        (
            "m = 2",
            "5:1",
            "body.cube.mass: \"mass\" and \"m\" are the same field; give one of them",
        ),
        (
            "limits = [\"5 Newton\"]",
            "5:14",
            "body.cube.limits.0: unknown unit \"Newton\"",
        ),
        (
            "limits = [9223372036854775807]",
            "5:11",
            "body.cube.limits.0 = 9223372036854775807 is too large to be exact",
        ),
    ] {
        let text = body(line);
        let first = text.lines().next().unwrap_or_default();
        assert_eq!(first, format!("a.toml:{place}: error: {message}"), "{line}");
    }
}

#[test]
fn the_unit_itself_is_underlined() {
    assert_eq!(
        complaints("[simulation]\nend_time = \"5 secs\"\n", &[]),
        "a.toml:2:15: error: simulation.end_time: unknown unit \"secs\"\n\
         2 | end_time = \"5 secs\"\n\
         \x20 |               ^^^^\n\
         \x20 = help: did you mean \"s\"? usual here: s, ms, µs, min\n"
    );
}

#[test]
fn a_word_that_is_no_choice_is_explained() {
    let text = complaints(&format!("{SIMULATION}method = \"newmarc\"\n"), &[]);
    assert!(
        text.starts_with(
            "a.toml:3:10: error: simulation.method = \"newmarc\", must be one of \"newmark\", \
             \"generalized_alpha\"\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("^^^^^^^^^ did you mean \"newmark\"?"),
        "{text}"
    );
    let hyphen = complaints(
        &format!("{SIMULATION}method = \"generalized-alpha\"\n"),
        &[],
    );
    assert_eq!(hyphen, "");
}

#[test]
fn all_errors_are_reported_at_once() {
    let text = complaints(
        "[simulation]\nend_time = -1\nx = 1\n[body]\na = 3\nb = { mass = \"1 m\" }\n[expect]\n",
        &[],
    );
    let heads: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("error:"))
        .collect();
    assert_eq!(
        heads,
        [
            "a.toml:3:1: error: unknown field \"x\" in simulation",
            "a.toml:2:12: error: simulation.end_time = -1 s, must be in (0, ∞) s",
            "a.toml:5:5: error: body.a: expected a table, found a number",
            "a.toml:6:17: error: body.b.mass: 1 m is a length; this field is a mass in kg",
            "a.toml:7:1: error: expect: expected a list of tables, [[expect]], found a table",
        ]
    );
}

#[test]
fn overrides_win_and_have_places_of_their_own() {
    let text = format!("{SIMULATION}[body.cube]\nmass = 1\n[[expect]]\ntolerance = 1\n");
    assert_eq!(
        complaints(
            &text,
            &["simulation.end_time=5 s", "expect.0.tolerance=1e-3"]
        ),
        ""
    );
    assert_eq!(
        complaints(&text, &["body.cube.m=3"]),
        "",
        "the other spelling of a field"
    );
    let two = format!("{SIMULATION}[body.cube]\nmass = 1\n[body.rod]\nmass = 2\n");
    assert_eq!(
        complaints(&two, &["body.*.mass=-3"])
            .lines()
            .filter(|line| line.starts_with("--set"))
            .collect::<Vec<_>>(),
        [
            "--set:1:13: error: body.cube.mass = -3 kg, must be in (0, ∞) kg",
            "--set:1:13: error: body.rod.mass = -3 kg, must be in (0, ∞) kg",
        ],
        "a star stands for all bodies"
    );
    let first = |set: &str| {
        complaints(&text, &[set])
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    for (set, message) in [
        (
            "body.cube.mass.*=1",
            "--set:1:16: error: body.cube.mass has nothing that * could stand for",
        ),
        (
            "simulation.end_time=-5 ms",
            "--set:1:21: error: simulation.end_time = -0.005 s, must be in (0, ∞) s",
        ),
        (
            "simulatoin.end_time=5",
            "--set:1:1: error: unknown field \"simulatoin\" in the scenario",
        ),
        (
            "expect.3.tolerance=1",
            "--set:1:8: error: there is no expect.3: expect is a list with the entries 0 to 0",
        ),
        (
            "simulation.end_time.x=1",
            "--set:1:21: error: cannot set \"x\" inside simulation.end_time, which is a number",
        ),
        (
            "simulation.end_time",
            "--set:1:1: error: \"simulation.end_time\" has no value",
        ),
        (
            "simulation..x=1",
            "--set:1:1: error: \"simulation..x\" has an empty name",
        ),
        (
            "simulation.end_time=",
            "--set:1:21: error: there is no value after \"=\"",
        ),
    ] {
        assert_eq!(first(set), message);
    }
    assert!(first("body.cube.position=[1,").starts_with("--set:1:"));
    assert!(first("body.cube.position=[1,").contains("not valid TOML"));
    assert!(first(&format!("{}=1", vec!["a"; 100_000].join("."))).contains("too many names"));
    // The value of a quoted text is underlined within the quotes.
    assert_eq!(
        first("body.cube.mass = \"3 mm\""),
        "--set:1:21: error: body.cube.mass: 3 mm is a length; this field is a mass in kg"
    );
}

#[test]
fn a_schema_says_what_the_reader_accepts() {
    let schema = json_schema(&ROOT);
    assert_eq!(schema["required"], serde_json::json!(["simulation"]));
    let body = &schema["properties"]["body"]["additionalProperties"];
    let mass = &body["properties"]["mass"];
    assert_eq!(mass["x-unit"], "kg");
    assert_eq!(mass["description"], "Mass. In kg, or a text with a unit.");
    assert_eq!(
        mass["anyOf"][0],
        serde_json::json!({ "type": "number", "exclusiveMinimum": 0.0 })
    );
    assert_eq!(body["allOf"][0]["anyOf"][1]["required"][0], "m");
    assert_eq!(
        body["properties"]["position"]["default"],
        serde_json::json!([0, 0, 0])
    );
    assert_eq!(body["properties"]["force"]["$ref"], "#/$defs/signal");
    assert_eq!(body["additionalProperties"], false);
    let forms = &signal_schema()["anyOf"][2]["properties"];
    assert!(forms["table"].is_object() && forms["times"].is_object());
}
