//! Functions of time, right and wrong.

use super::{SIMULATION, body};
use crate::support::ROOT;
use bristle_scenario::{Diagnostics, Fields, Reader, SourceMap, load_text};

#[test]
fn functions_of_time_are_constants_formulas_or_tables() {
    let at = |force: &str, t: f64| {
        let text = format!("{SIMULATION}[body.cube]\nmass = 1\nforce = {force}\n");
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let node = load_text("a.toml", &text, &mut sources, &mut diagnostics).unwrap();
        let reader = Reader::new(&sources);
        let root = Fields::open(&reader, &node, node.span, "", &ROOT).unwrap();
        let signal = root.named("body")[0].1.signal("force");
        let diagnostics = reader.into_diagnostics();
        assert!(
            diagnostics.is_empty(),
            "{}",
            diagnostics.render_plain(&sources)
        );
        signal.unwrap().value(t)
    };
    // Hand numbers; a few roundings in the sines.
    for (force, t, value) in [
        ("3", 1.0, 3.0),
        ("\"2 kN\"", 1.0, 2000.0),
        ("\"2*t^2\"", 3.0, 18.0),
        ("\"-3*pi\"", 0.0, -3.0 * std::f64::consts::PI),
        (
            "{ table = [[0, 0], [\"500 ms\", \"1 kN\"], [4, 0]] }",
            0.25,
            500.0,
        ),
        (
            "{ sine = { amplitude = 2, frequency = \"1 Hz\", phase = \"90 deg\", offset = 1 } }",
            0.5,
            -1.0,
        ),
        (
            "{ sine = { amplitude = 2, frequency = 0.25 }, times = { ramp = { to = 1, duration = 4 } } }",
            1.0,
            0.5,
        ),
        (
            "{ chirp = { amplitude = \"2 N\", start_frequency = 1, end_frequency = 1, duration = 4 } }",
            0.25,
            2.0,
        ),
        (
            "{ pulses = { amplitude = 5, width = \"100 ms\", gap = 0.3, count = 2, start = 1 } }",
            1.45,
            5.0,
        ),
        (
            "{ pulses = { amplitude = 5, width = 1, count = 1 } }",
            1.5,
            0.0,
        ),
        (
            "{ ramp = { from = 1, to = 3, duration = 2, shape = \"smooth\" } }",
            1.0,
            2.0,
        ),
        (
            "{ harmonic = { amplitude = \"2 kN\", phase = \"90 deg\", order = 3, frequency = \"0.25 Hz\" } }",
            1.0 / 3.0,
            -2000.0,
        ),
        (
            "{ sum = [1, { harmonic = { amplitude = 2, frequency = 0.5 }, times = 3 }] }",
            1.0,
            -5.0,
        ),
        ("{ sum = [1, { harmonic = { amplitude = 2 } }] }", 1.0, 1.0),
        ("{ expression = \"max(t, 2)\" }", 1.0, 2.0),
        ("{ sum = [1, \"t\", { table = [[0, 5]] }] }", 1.0, 7.0),
    ] {
        let read = at(force, t);
        assert!(
            (read - value).abs() <= 1e-14 * value.abs(),
            "{force}: {read} instead of {value}"
        );
    }
}

#[test]
fn wrong_functions_of_time_are_underlined_where_they_are_wrong() {
    for (force, place, message) in [
        (
            "{ table = [[0, 0], [2, 1], [1, 2]] }",
            "5:36",
            "body.cube.force.table: table row 3: time 1 s must be greater than 2 s, the time of \
             the row before",
        ),
        (
            "{ table = [[0, 0], [1]] }",
            "5:28",
            "body.cube.force.table: row 2 must be a pair [t, value]",
        ),
        (
            "{ table = [] }",
            "5:19",
            "body.cube.force.table: table has no rows; it needs at least one pair of time and value",
        ),
        (
            "{ table = [[0, \"1 m\"]] }",
            "5:27",
            "body.cube.force.table.0: 1 m is a length; this field is a force in N",
        ),
        (
            "\"5 mm\"",
            "5:12",
            "body.cube.force: 5 mm is a length; this field is a force in N",
        ),
        ("\"5 kn\"", "5:12", "body.cube.force: unknown unit \"kn\""),
        (
            "{ sine = { amplitude = 1, frequency = \"-1 Hz\" } }",
            "5:47",
            "body.cube.force.sine.frequency = -1 Hz, must be in [0, ∞) Hz",
        ),
        (
            "{ harmonic = { amplitude = \"1 m\" } }",
            "5:39",
            "body.cube.force.harmonic.amplitude: 1 m is a length; this field is a force in N",
        ),
        (
            "{ harmonic = { amplitude = 1, order = 0 } }",
            "5:47",
            "body.cube.force.harmonic.order = 0, must be in [1, 1000]",
        ),
        (
            "{ sum = [1, { harmonic = { amplitude = 1, frequency = 0 } }] }",
            "5:63",
            "body.cube.force.sum.1.harmonic.frequency = 0 Hz, must be in (0, ∞) Hz",
        ),
        (
            "{ harmonic = { phase = 1 } }",
            "5:11",
            "missing field \"amplitude\" in body.cube.force.harmonic",
        ),
        (
            "{ sine = { amplitude = 1 } }",
            "5:11",
            "missing field \"frequency\" in body.cube.force.sine",
        ),
        (
            "{ pulses = { amplitude = 1, width = 2, period = 1 } }",
            "5:45",
            "body.cube.force.pulses.width = 2 s, must be in (0, period] s",
        ),
        (
            "{ chirp = { amplitude = 1, start_frequency = 0, end_frequency = 9, duration = 1, sweep = \"logarithmic\" } }",
            "5:54",
            "body.cube.force.chirp.start_frequency = 0 Hz, must be in (0, ∞) Hz",
        ),
        (
            "{ csv = \"no-such.csv\" }",
            "5:17",
            "body.cube.force.csv: the column of the value is missing: value = \"NAME\"",
        ),
        (
            "{}",
            "5:9",
            "body.cube.force: one of \"table\", \"csv\", \"sine\", \"harmonic\", \"chirp\", \"pulses\", \"ramp\", \"expression\", \"sum\" is missing",
        ),
    ] {
        let text = body(&format!("force = {force}"));
        let first = text.lines().next().unwrap_or_default();
        assert_eq!(
            first,
            format!("a.toml:{place}: error: {message}"),
            "{force}"
        );
    }
    let formula = body("force = \"2*sim(t)\"");
    assert!(
        formula.starts_with(
            "a.toml:5:12: error: body.cube.force: not a formula in t: unknown name \"sim\""
        ),
        "{formula}"
    );
    assert!(formula.contains("  |            ^^^\n"), "{formula}");
    let deep = format!("force = {}1{}", "{ sum = [".repeat(30), "] }".repeat(30));
    assert!(body(&deep).contains("nested too deeply"));
}
