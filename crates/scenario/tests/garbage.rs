//! Damaged input is answered, never with a panic.

mod support;

use bristle_scenario::{
    Diagnostics, Fields, Reader, SourceMap, Unit, apply_override, load_text, parse_quantity,
};
use support::ROOT;

const SAMPLE: &str = r#"
title = "Müller's test"
[simulation]
end_time = "4 s"
output_step = 1e-3
method = "newmark"
[body.cube]
mass = "1 kg"
position = ["0 mm", 0x10, "-5.0e1 µm"]
limits = [1, 2_000, "3 kN", inf]
note = """a
b"""
force = { table = [[0, 0], [1, "10 N"]], times = "sin(2*pi*t)^2 + abs(-t)" }
[body.ring]
m = 2
force = { chirp = { amplitude = { ramp = { to = 1, duration = 1 } }, start_frequency = "10 rpm", end_frequency = 9, duration = 3 } }
[body."odd name"]
mass = 3
force = { sum = [1, { pulses = { amplitude = 1, width = 1, gap = 1 } }, "4.88e5 N s/m^1.5"] }
[[expect]]
tolerance = 1979-05-27
"#;

fn survive(text: &str, set: &str) {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    if let Some(mut node) = load_text("garbage", text, &mut sources, &mut diagnostics) {
        apply_override(&mut node, set, &mut sources, &mut diagnostics);
        let reader = Reader::new(&sources);
        if let Some(root) = Fields::open(&reader, &node, node.span, "", &ROOT) {
            root.text("title");
            if let Some(simulation) = root.section("simulation") {
                simulation.number("end_time");
                simulation.choice("method");
            }
            for (_, body) in root.named("body") {
                body.number("mass");
                body.vector("position");
                body.list("limits");
                if let Some(signal) = body.signal("force") {
                    signal.jet(0.3);
                }
            }
            for expect in root.tables("expect") {
                expect.number("tolerance");
            }
        }
        diagnostics.extend(reader.into_diagnostics());
    }
    diagnostics.render_plain(&sources);
}

/// Marsaglia's xorshift: enough disorder, the same on every machine.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap_or(0)
}

#[test]
fn damaged_files_do_not_panic() {
    const PIECES: &[&str] = &[
        "\"",
        "[",
        "]",
        "{",
        "}",
        "=",
        "\n",
        "\0",
        "é",
        "\u{feff}",
        "'''",
        "1e999",
        "-",
        ".",
        ",",
        "(",
        "^",
        "nan",
        "[[",
        "\\u12",
        "#",
        "\t",
        "0",
        "t",
        "include = \"x\"\n",
        "\r",
        "日本",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..400 {
        let mut text: Vec<char> = SAMPLE.chars().collect();
        for _ in 0..=next(&mut state) % 4 {
            if text.len() < 2 {
                break;
            }
            let at = next(&mut state) % text.len();
            match next(&mut state) % 4 {
                0 => drop(text.remove(at)),
                1 => text.truncate(at.max(1)),
                2 => {
                    let from = next(&mut state) % text.len();
                    text.swap(at, from);
                }
                _ => {
                    let piece = PIECES[next(&mut state) % PIECES.len()];
                    text.splice(at..at, piece.chars());
                }
            }
        }
        let text: String = text.into_iter().collect();
        let piece = PIECES[next(&mut state) % PIECES.len()];
        survive(&text, &format!("body.cube.mass{piece}=3 {piece}"));
        survive(SAMPLE, &format!("body.{piece}=[{piece}]"));
        let _ = parse_quantity(&format!("1 N{piece}m^{piece}"), Unit::NEWTON);
        let _ = parse_quantity(&format!("{piece}1 m"), Unit::METRE);
    }
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    for (open, close) in [("[", "]"), ("{a=", "}")] {
        let text = format!("a = {}1{}", open.repeat(20_000), close.repeat(20_000));
        survive(&text, "a=1");
    }
    survive(&format!("{} = 1", vec!["a"; 20_000].join(".")), "a=1");
    survive(SAMPLE, &format!("body.cube.force={}t", "(".repeat(100_000)));
}
