//! Laws of your own as a user meets them: in law files, in contacts and in joints.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use std::fmt::Write as _;

use support::{BLOCK, Place};

/// LuGre's law as equations.
const MINE: &str = r#"
sigma_0 = 1e4
sigma_1 = 31.6228
sigma_2 = 0.04
mu_s    = 0.15
mu_k    = 0.1
v_s     = "1 mm/s"

[law]
name       = "mine"
equations  = """
  dz/dt = v - sigma_0*|v|/g*z
  F     = N*(sigma_0*z + sigma_1*dz/dt + sigma_2*v)
"""
parameters = { sigma_0 = "1/m", sigma_1 = "s/m", sigma_2 = "s/m" }
"#;

/// The same law of the catalogue.
const LUGRE: &str = r#"
law = "lugre"
sigma_0 = 1e4
sigma_1 = 31.6228
sigma_2 = 0.04
mu_s    = 0.15
mu_k    = 0.1
v_s     = "1 mm/s"
"#;

/// The block with another field `friction` of its contact, or without one.
fn block(friction: &str) -> String {
    let line = BLOCK.lines().find(|line| line.starts_with("friction"));
    BLOCK.replace(line.expect("a line"), friction)
}

/// A column of a table by its name.
fn column(text: &str, name: &str) -> Vec<f64> {
    let mut lines = text.lines();
    let mut heads = lines.next().expect("a header").split(',');
    let place = heads.position(|head| head == name).expect("the column");
    let cell = |line: &str| line.split(',').nth(place).expect("a cell").parse::<f64>();
    lines.map(|line| cell(line).expect("a number")).collect()
}

#[test]
fn its_forces_are_those_of_the_law_of_the_catalogue() {
    let place = Place::new();
    place.write("mine.toml", MINE);
    place.write("lugre.toml", LUGRE);
    let mut motion = "t,vx,vy,N\n".to_owned();
    for k in 0..300 {
        let t = 0.01 * f64::from(k);
        let (vx, vy) = (3e-3 * (9.0 * t).sin(), 1e-3 * (4.0 * t).cos());
        let _ = writeln!(motion, "{t},{vx},{vy},{}", 10.0 + 4.0 * (2.0 * t).sin());
    }
    place.write("motion.csv", &motion);
    let drive = |law: &str| {
        let ran = place.bristle(&["drive", "motion.csv", "--law", law]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    };
    let (mine, lugre) = (drive("mine.toml"), drive("lugre.toml"));
    for name in ["Fx", "Fy", "z.x", "z.y"] {
        let (mine, lugre) = (column(&mine, name), column(&lugre, name));
        let size = lugre.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!(mine.len() == 300 && size > 0.0);
        for (a, b) in mine.iter().zip(lugre) {
            assert!((a - b).abs() < 1e-9 * size, "{name}: {a} {b}");
        }
    }
}

#[test]
fn errors_have_file_line_and_column() {
    let place = Place::new();
    place.write("motion.csv", "t,v,N\n0,0,10\n1,1e-3,10\n");
    for (from, to, at, part) in [
        ("/g*z", "/g*y", "wrong.toml:12:29", "unknown name \"y\""),
        (
            "v - sigma_0",
            "v - sigma0",
            "wrong.toml:12:15",
            "did you mean \"sigma_0\"?",
        ),
        ("v - s", "v*v - s", "wrong.toml:12:12", "dot(a, b)"),
        (
            "sigma_0 = \"1/m\"",
            "sigma_0 = \"N/m\"",
            "wrong.toml:12:13",
            "cannot be subtracted",
        ),
        (
            "sigma_0 = \"1/m\"",
            "sigma_0 = \"1/mm\"",
            "wrong.toml:15:",
            "not an SI unit",
        ),
        (
            "  F     =",
            "  F_x   =",
            "wrong.toml:11:",
            "the force is missing",
        ),
        ("/g*z", "/g*|v|/|v|*z", "wrong.toml:12:32", "at rest"),
        (
            "sigma_1 = 31.6228",
            "sigma_1 = -1",
            "wrong.toml:3:",
            "must be in (0, ∞)",
        ),
        (
            "\"mine\"",
            "\"dahl\"",
            "wrong.toml:10:",
            "law of the catalogue",
        ),
    ] {
        let text = MINE.replacen(from, to, 1);
        assert_ne!(text, MINE, "{from}");
        place.write("wrong.toml", &text);
        let ran = place.bristle(&["drive", "motion.csv", "--law", "wrong.toml"]);
        assert_eq!(ran.code, Some(2), "{to}: {}", ran.err);
        let told = ran.err.replace("\n  │ ", " ");
        assert!(
            told.contains(at) && told.contains(part),
            "{to}: {}",
            ran.err
        );
    }
}

#[test]
fn a_fit_finds_its_parameters() {
    let place = Place::new();
    place.write(
        "ramp.toml",
        r#"
        mu  = 0.1
        v_r = "10 mm/s"
        c   = 0.1
        [law]
        equations = "F = N*(mu*tanh(v/v_r) + c*v)"
        [law.parameters]
        mu  = "1"
        v_r = "m/s"
        c   = { unit = "s/m", range = "non-negative" }
        "#,
    );
    let mut data = "t,v,N,F\n".to_owned();
    for k in 0..1000 {
        let t = 2e-3 * f64::from(k);
        let v = 0.02 * (6.0 * t).sin() + 5e-3 * (41.0 * t).sin();
        let n = 10.0 + 3.0 * (4.0 * t).sin();
        let force = n * (0.3 * (v / 2e-3).tanh() + 0.8 * v);
        let _ = writeln!(data, "{t},{v},{n},{force}");
    }
    place.write("data.csv", &data);
    let ran = place.bristle(&["identify", "data.csv", "--law", "ramp.toml", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let fit: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let parameters = fit["parameters"].as_array().expect("a list");
    for (name, value) in [("mu", 0.3), ("v_r", 2e-3), ("c", 0.8)] {
        let found = parameters.iter().find(|p| p["name"] == name);
        let found = found.and_then(|p| p["value"].as_f64()).expect("a number");
        // the data have no noise
        assert!((found - value).abs() < 1e-6 * value, "{name}: {found}");
    }
}

#[test]
fn it_slows_a_slider_in_its_joint() {
    let place = Place::new();
    place.write(
        "slider.toml",
        r#"
        title = "A slider"
        [simulation]
        end_time = "0.2 s"
        output_step = "10 ms"
        integrator = { method = "newmark", tolerance = 1e-9 }
        [body.slider]
        joint = "prismatic"
        axis = [1, 0, 0]
        mass = "2 kg"
        [force.push]
        body = "slider"
        direction = [1, 0, 0]
        magnitude = "4 N"
        [joint_friction.guide]
        body = "slider"
        load = "10 N"
        friction = { law = { equations = "F = N*c*v", parameters = { c = "s/m" } }, c = 0.4 }
        "#,
    );
    let ran = place.bristle(&["run", "slider.toml", "--no-plots", "--out", "run"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let rows = std::fs::read_to_string(place.path("run/results.csv")).expect("rows");
    let speed = column(&rows, "body.slider.velocity.x");
    // m dv/dt = P - N c v
    let exact = 1.0 - (-10.0_f64 * 0.4 / 2.0 * 0.2).exp();
    let last = speed.last().expect("a row");
    assert!((last - exact).abs() < 1e-6, "{last} {exact}");
}

#[test]
fn it_stands_beside_laws_of_the_catalogue() {
    let place = Place::new();
    place.write("mine.toml", MINE);
    let copied = place.bristle(&["examples", "stick-slip", "--out", "."]);
    assert_eq!(copied.code, Some(0), "{}", copied.err);
    let laws = ["--law", "mine.toml", "--law", "lugre"];
    let compared = [&["compare", "stick-slip.toml", "--out", "both"], &laws[..]].concat();
    let ran = place.bristle(&compared);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let first_slip = |law: &str| {
        let row = ran.out.lines().find(|line| line.trim().starts_with(law));
        row.expect("a row")
            .split_whitespace()
            .nth(1)
            .map(str::to_owned)
    };
    assert_eq!(first_slip("mine "), first_slip("lugre "), "{}", ran.out);
    let bench = place.bristle(&["characterise", "mine.toml"]);
    assert_eq!(bench.code, Some(0), "{}", bench.err);
    assert!(bench.out.contains("Stick-slip"), "{}", bench.out);
}

/// A slider in its guide; the friction of the joint comes last.
const SLIDER: &str = r#"
title = "A slider"
[simulation]
end_time = "0.2 s"
output_step = "10 ms"
[body.slider]
joint = "prismatic"
axis = [1, 0, 0]
mass = "2 kg"
[force.push]
body = "slider"
direction = [1, 0, 0]
magnitude = "4 N"
[joint_friction.guide]
body = "slider"
load = "10 N"
"#;

#[test]
fn a_joint_takes_it_from_a_file() {
    let place = Place::new();
    std::fs::create_dir(place.path("laws")).expect("a folder");
    place.write("laws/mine.toml", MINE);
    place.write("laws/lugre.toml", LUGRE);
    let last = |scenario: &str, changes: &[&str]| {
        place.write("slider.toml", scenario);
        let run = [
            "run",
            "slider.toml",
            "--no-plots",
            "--force",
            "--out",
            "run",
        ];
        let ran = place.bristle(&[&run[..], changes].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let rows = std::fs::read_to_string(place.path("run/results.csv")).expect("rows");
        *column(&rows, "body.slider.velocity.x")
            .last()
            .expect("a row")
    };
    let of = |file: &str| format!("{SLIDER}friction = \"laws/{file}.toml\"\n");
    let (mine, lugre) = (last(&of("mine"), &[]), last(&of("lugre"), &[]));
    assert!((mine - lugre).abs() < 1e-9 * lugre, "{mine} {lugre}");
    // its values have their paths there
    let smoother = last(
        &of("mine"),
        &[
            "--set",
            "joint_friction.guide.friction.mu_k=0.05",
            "--set",
            "joint_friction.guide.friction.mu_s=0.05",
        ],
    );
    assert!(smoother > 1.05 * mine, "{smoother} {mine}");
    // a part that is placed twice has its law from the file too
    let part = SLIDER
        .replace("[body.", "[part.unit.body.")
        .replace("[force.", "[part.unit.force.")
        .replace("[joint_friction.", "[part.unit.joint_friction.");
    let placed = format!("{part}friction = \"laws/mine.toml\"\n[place.left]\npart = \"unit\"\n");
    place.write("placed.toml", &placed);
    let ran = place.bristle(&["check", "placed.toml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // what is wrong in the file is shown there
    place.write("laws/mine.toml", &MINE.replace("/g*z", "/g*y"));
    place.write("slider.toml", &of("mine"));
    let ran = place.bristle(&["check", "slider.toml"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("mine.toml:12:29"), "{}", ran.err);
}

#[test]
fn a_sweep_puts_it_in_the_place_of_a_law_of_the_catalogue_and_back() {
    let place = Place::new();
    place.write("mine.toml", MINE);
    let own = format!("{}[contact.base.friction]\n{MINE}", block(""))
        .replace("[law]", "[contact.base.friction.law]");
    place.write("own.toml", &own);
    let lugre = format!("{}[contact.base.friction]\n{LUGRE}", block(""));
    place.write("lugre.toml", &lugre);
    let sweep = |scenario: &str, laws: &str, more: &[&str]| {
        let law = format!("contact.base.friction.law={laws}");
        let sweep = [
            "sweep", scenario, "--vary", &law, "--json", "--force", "--out", "out",
        ];
        let ran = place.bristle(&[&sweep[..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let rows = ran.json()["rows"].as_array().expect("rows").clone();
        let value = |row: &serde_json::Value| row["values"]["contacts.base.dissipated"].as_f64();
        let values: Vec<f64> = rows
            .iter()
            .map(|row| value(row).expect("a number"))
            .collect();
        (values, ran.err)
    };
    let same = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}");
    // from its own law, by its name, to the one of the catalogue and to that of a file
    let (values, _) = sweep("own.toml", "mine,lugre,mine.toml,coulomb_tanh", &[]);
    same(values[0], values[1]);
    same(values[0], values[2]);
    assert!((values[3] / values[0] - 1.0).abs() > 1e-6, "{values:?}");
    // to the law of a file, and to equations
    let (values, _) = sweep("lugre.toml", "lugre,mine.toml", &[]);
    same(values[0], values[1]);
    let equations = "{ equations = \"F = mu_k*N*tanh(v/v_r)\", parameters = { mu_k = \"1\", \
                     v_r = { unit = \"m/s\", default = 1e-3 } } }";
    let (values, _) = sweep("lugre.toml", &format!("lugre,{equations}"), &[]);
    assert!(values[0].is_finite() && values[1].is_finite());
    // an axis over a field of its own means nothing to a law without it
    let field = ["--vary", "contact.base.friction.sigma_1=10,30"];
    let (values, told) = sweep("own.toml", "mine,coulomb_tanh", &field);
    assert_eq!(values.len(), 4);
    assert!(told.contains("means nothing in 2 cases"), "{told}");
}

#[test]
fn a_sweep_to_a_law_that_cannot_be_read_says_where() {
    let place = Place::new();
    let lugre = format!("{}[contact.base.friction]\n{LUGRE}", block(""));
    place.write("lugre.toml", &lugre);
    place.write("wrong.toml", &MINE.replace("/g*z", "/g*y"));
    place.write("nameless.toml", "mu = 1\n");
    for (law, at) in [
        ("wrong.toml", "wrong.toml:12:29"),
        ("nameless.toml", "there is no field law"),
        ("gone.toml", "cannot read gone.toml"),
        ("{ equations = \"F = N*y\" }", "unknown name \"y\""),
        ("lugree", "there is no law"),
    ] {
        let law = format!("contact.base.friction.law=lugre,{law}");
        let ran = place.bristle(&["sweep", "lugre.toml", "--vary", &law, "--out", "out"]);
        let told = format!("{}{}", ran.out, ran.err);
        assert!(told.contains(at), "{law}: {told}");
    }
}

#[test]
fn its_card_is_shown() {
    let place = Place::new();
    place.write("mine.toml", MINE);
    let text = place.bristle(&["laws", "mine.toml"]);
    assert_eq!(text.code, Some(0), "{}", text.err);
    assert!(
        text.out.contains("dz/dt = v - sigma_0*|v|/g*z"),
        "{}",
        text.out
    );
    let card = place.bristle(&["laws", "mine.toml", "--json"]).json();
    assert_eq!(card["name"], "mine");
    assert_eq!(card["states"][0]["meaning"], "z of the equations (vector)");
    assert_eq!(card["parameters"][0]["unit"], "1/m");
    place.write("wrong.toml", &MINE.replace("/g*z", "/g*y"));
    let wrong = place.bristle(&["laws", "wrong.toml"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("wrong.toml:12:29"), "{}", wrong.err);
}

#[test]
fn report_pages_show_the_equations() {
    let place = Place::new();
    place.write("mine.toml", MINE);
    let page = |arguments: &[&str]| {
        let ran = place.bristle(&[arguments, &["--report", "--force", "--out", "out"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let page = std::fs::read_to_string(place.path("out/report.html")).expect("a page");
        page.replace("&#x2f;", "/")
    };
    let equation = "dz/dt = v - sigma_0*|v|/g*z";
    place.write("block.toml", &block("friction = \"mine.toml\""));
    let run = page(&["run", "block.toml", "--no-plots"]);
    let cell = format!("<td class=\"neutral\">{equation}</td>");
    assert!(run.contains("Friction laws"));
    assert_eq!(run.matches(&cell).count(), 1);
    let mut data = "t,v,N,F\n".to_owned();
    for k in 0..400 {
        let v = 0.02 * (0.03 * f64::from(k)).sin();
        let _ = writeln!(data, "{},{v},10,{}", 2e-3 * f64::from(k), (v / 1e-3).tanh());
    }
    place.write("data.csv", &data);
    place.write(
        "ramp.toml",
        "mu = 0.2\nv_r = 2e-3\nlaw = { equations = \"F = mu*N*tanh(v/v_r)\", \
         parameters = { mu = \"1\", v_r = \"m/s\" } }\n",
    );
    let fit = page(&["identify", "data.csv", "--law", "ramp.toml"]);
    assert!(fit.contains("F = mu*N*tanh(v/v_r)"), "no equation");
}
