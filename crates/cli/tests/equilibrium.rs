//! Static equilibrium and modes of beams, straight and bent far, against closed forms.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;
use support::Place;

const YOUNG: f64 = 2.1e11;
/// Of a section of 5 mm by 30 mm about its weak axis, m⁴.
const WEAK: f64 = 0.03 * 0.005 * 0.005 * 0.005 / 12.0;
const STRONG: f64 = 0.005 * 0.03 * 0.03 * 0.03 / 12.0;
const AREA: f64 = 0.005 * 0.03;
const DENSITY: f64 = 7800.0;
/// Next to nothing at the end of a beam of 1.17 kg.
const TIP: &str = "joint = \"free\"\nmass = 1e-6\ninertia = [1e-9, 1e-9, 1e-9]\n";

fn head() -> String {
    "title = \"Beams\"\n[simulation]\nend_time = 0.001\noutput_step = 0.001\ngravity = [0, 0, 0]\n\
     start = \"equilibrium\"\n"
        .to_owned()
}

/// A beam of 5 mm by 30 mm; `thin` is the direction of its 5 mm.
fn beam(name: &str, elements: usize, thin: [f64; 3], ends: &str) -> String {
    format!(
        "[beam.{name}]\n{ends}\nelements = {elements}\nsection = {{ rectangle = [\"5 mm\", \"30 mm\"] }}\n\
         section_y = {thin:?}\nyoung_modulus = {YOUNG}\ndensity = {DENSITY}\n"
    )
}

/// A cantilever of 1 m from the origin.
fn cantilever(along: [f64; 3], thin: [f64; 3], elements: usize) -> String {
    let mut text = head();
    let _ = writeln!(text, "[body.tip]\n{TIP}position = {along:?}");
    text + &beam(
        "b",
        elements,
        thin,
        "from = { point = [0, 0, 0] }\nto = { body = \"tip\" }",
    )
}

fn first_frequencies(text: &str, count: usize) -> Vec<f64> {
    let place = Place::new();
    place.write("beam.toml", text);
    let ran = place.bristle(&["modes", "beam.toml", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let modes = ran.json();
    let modes = modes["modes"].as_array().expect("modes");
    let frequency = |mode: &serde_json::Value| mode["frequency"].as_f64();
    modes.iter().filter_map(frequency).take(count).collect()
}

/// Places of `tip` at the start of a run.
fn tip_at_rest(text: &str) -> [f64; 3] {
    let place = Place::new();
    place.write("beam.toml", text);
    let ran = place.bristle(&["run", "beam.toml", "--out", "out"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let table = std::fs::read_to_string(place.path("out/results.csv")).expect("a table");
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let row: Vec<&str> = lines.next().expect("a row").split(',').collect();
    ["x", "y", "z"].map(|axis| {
        let name = format!("body.tip.position.{axis}");
        let column = names.iter().position(|n| n.starts_with(&name));
        row[column.expect("a column")].parse().expect("a number")
    })
}

#[test]
fn a_straight_beam_without_load_rests_in_every_direction() {
    // (βL)² √(EI/ρA)/2πL²; ten elements and the tip leave less than 2e-4 of it
    let bending = |i: f64| 1.875_104_069_f64.powi(2) / TAU * (YOUNG * i / (DENSITY * AREA)).sqrt();
    let cases = [
        ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
        ([0.6, 0.48, 0.64], [0.0, 0.8, -0.6]),
    ];
    for (along, thin) in cases {
        let found = first_frequencies(&cantilever(along, thin, 10), 2);
        for (found, exact) in found.iter().zip([bending(WEAK), bending(STRONG)]) {
            assert!(
                (found / exact - 1.0).abs() < 2e-4,
                "{along:?}: {found} of {exact}"
            );
        }
    }
}

#[test]
fn an_end_moment_bends_a_cantilever_to_a_circle() {
    // M = θEI/L bends to an arc of angle θ; sixteen chords of a circle are within 1 % of L
    for turns in [0.25, 0.5, 1.0, 2.0] {
        let theta = TAU * turns;
        let mut text = cantilever([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 16);
        let moment = theta * YOUNG * WEAK;
        let _ = writeln!(
            text,
            "[torque.m]\nbody = \"tip\"\naxis = [0, 0, 1]\nmagnitude = {moment}"
        );
        let [x, y, z] = tip_at_rest(&text);
        let exact = [theta.sin() / theta, (1.0 - theta.cos()) / theta];
        assert!((x - exact[0]).abs() < 0.01, "{turns} turns: {x}");
        assert!((y - exact[1]).abs() < 0.01, "{turns} turns: {y}");
        assert!(z.abs() < 1e-6, "{turns} turns: {z}");
    }
}

#[test]
fn a_tip_force_bends_a_cantilever_far() {
    // deflections over L by elliptic integrals (Mattiasson, Int. J. Numer. Methods Eng. 17 (1981)
    // 145, table I); sixteen elements leave less than 1e-3
    for (load, deflection) in [
        (1.0, 0.301_72),
        (2.0, 0.493_46),
        (5.0, 0.713_79),
        (10.0, 0.810_61),
    ] {
        let mut text = cantilever([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 16);
        let force = load * YOUNG * WEAK;
        let _ = writeln!(
            text,
            "[force.f]\nbody = \"tip\"\ndirection = [0, 1, 0]\nmagnitude = {force}"
        );
        let [_, y, _] = tip_at_rest(&text);
        assert!((y - deflection).abs() < 1e-3, "{load}: {y}");
    }
}

#[test]
fn a_frame_out_of_its_plane_bends_and_twists() {
    // F a³/3EI + F b³/3EI + F a² b/GJ, where the first arm twists under the second
    let mut text = head();
    let _ = writeln!(text, "[body.corner]\n{TIP}position = [1, 0, 0]");
    let _ = writeln!(text, "[body.tip]\n{TIP}position = [1, 1, 0]");
    let thin = [0.0, 0.0, 1.0];
    text += &beam(
        "first",
        6,
        thin,
        "from = { point = [0, 0, 0] }\nto = { body = \"corner\" }",
    );
    let ends = "from = { body = \"corner\" }\nto = { body = \"tip\" }";
    text += &beam("second", 6, thin, ends);
    let force = 0.05;
    let _ = writeln!(
        text,
        "[force.f]\nbody = \"tip\"\ndirection = [0, 0, -1]\nmagnitude = {force}"
    );
    // Saint-Venant's constant of a rectangle a × b by its series (Timoshenko and Goodier, section 109)
    let (a, b) = (0.03, 0.005);
    let series = |k: u32| (f64::from(k) * PI * a / (2.0 * b)).tanh() / f64::from(k).powi(5);
    let series: f64 = [1, 3, 5, 7].into_iter().map(series).sum();
    let torsion = a * b.powi(3) / 3.0 * (1.0 - 192.0 / PI.powi(5) * b / a * series);
    let shear = YOUNG / (2.0 * 1.3);
    let bending = 2.0 * force / (3.0 * YOUNG * WEAK);
    let exact = bending + force / (shear * torsion);
    let [_, _, z] = tip_at_rest(&text);
    // the deflection of 1 mm is small: its square counts with 1e-6
    assert!((-z / exact - 1.0).abs() < 1e-4, "{z} of {exact}");
}

#[test]
fn a_spinning_blade_stiffens_from_rest_on() {
    // by Rayleigh's quotient over the mode of a beam on a hub of radius r the square of the
    // frequency across the plane of spin rises in proportion to that of the speed
    let at = |rpm: f64| {
        let rate = rpm * TAU / 60.0;
        let mut text = head().replace("\"equilibrium\"", "\"as_given\"");
        let _ = writeln!(
            text,
            "[body.hub]\njoint = \"prescribed\"\nmotion = {{ axis = [0, 0, 1], angle = \"{rate} * t\" }}"
        );
        let _ = writeln!(
            text,
            "[body.tip]\n{TIP}parent = \"hub\"\nposition = [0.6, 0, 0]"
        );
        let ends = "from = { body = \"hub\", point = [0.1, 0, 0] }\nto = { body = \"tip\" }\nparent = \"hub\"";
        text += &beam("blade", 8, [0.0, 0.0, 1.0], ends);
        first_frequencies(&text, 1)[0]
    };
    let still = at(0.0);
    let exact = 1.875_104_069_f64.powi(2) / TAU * (YOUNG * WEAK / (DENSITY * AREA)).sqrt() / 0.25;
    assert!((still / exact - 1.0).abs() < 3e-4, "{still} of {exact}");
    let rise = |rpm: f64| (at(rpm).powi(2) - still.powi(2)) / (rpm / 60.0).powi(2);
    // the integrals of ((1 − x²)/2 + (1 − x) r/L) φ'² over that of φ² for the first mode φ of a
    // uniform cantilever (Southwell's coefficient)
    let southwell = 1.193 + 1.571 * 0.1 / 0.5;
    for rpm in [10.0, 300.0] {
        let found = rise(rpm);
        assert!((found / southwell - 1.0).abs() < 0.03, "{rpm}: {found}");
    }
}

#[test]
fn what_nothing_holds_is_named() {
    let place = Place::new();
    let mut text = head().replace("[0, 0, 0]", "[0, 0, -9.81]");
    let _ = writeln!(text, "[body.held]\n{TIP}position = [1, 0, 0]");
    text += &beam(
        "b",
        4,
        [0.0, 1.0, 0.0],
        "from = { point = [0, 0, 0] }\nto = { body = \"held\" }",
    );
    text += "[body.loose]\njoint = \"free\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 3, 0]\n";
    place.write("loose.toml", &text);
    let ran = place.bristle(&["modes", "loose.toml"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("body `loose` (z) is not held"),
        "{}",
        ran.err
    );
}
