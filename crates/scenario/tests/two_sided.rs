//! Friction that differs by direction on a joint coordinate, against closed forms.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use bristle_laws::{Slip, Step, Value};
use bristle_scenario::{SourceMap, load, load_law, load_law_text};
use machine::{Rows, close, run};

/// A rotor of 0.03 kg m² whose bearing has a friction radius of 0.1 m under 10 N.
fn rotor(end_time: f64, start: f64, torque: &str, friction: &str) -> Rows {
    run(&format!(
        r#"
title = "Rotor in a bearing"
[simulation]
end_time = {end_time}
output_step = "1 ms"
gravity = [0, 0, 0]
integrator = {{ tolerance = 1e-7 }}
[body.a]
joint = "revolute"
axis = [0, 0, 1]
mass = 1
inertia = [0.03, 0.03, 0.03]
rate = {start}
[joint_torque.drive]
body = "a"
magnitude = {torque}
[joint_friction.bearing]
body = "a"
radius = "100 mm"
load = "10 N"
friction = {{ {friction}, kinetic_coefficient = 0.3, kinetic_coefficient_negative = 0.5 }}
"#
    ))
    .1
}

const INERTIA: f64 = 0.03;

/// Static levels that are the kinetic ones, and viscous coefficients of 0.05 and 0.2 s/m.
const STOPPING: [&str; 2] = [
    "law = \"lugre\", bristle_stiffness = 1e5, bristle_damping = 0.1, stribeck_velocity = 0.01, \
     static_coefficient = 0.3, static_coefficient_negative = 0.5, \
     viscous_coefficient = 0.05, viscous_coefficient_negative = 0.2",
    "law = \"karnopp\", stiction_velocity = 1e-5, stribeck_velocity = 0.01, \
     static_coefficient = 0.3, static_coefficient_negative = 0.5, \
     viscous_coefficient = 0.05, viscous_coefficient_negative = 0.2",
];

/// I dω/dt = −T − d ω stops after (I/d) ln(1 + d ω₀/T), having turned by I/d (ω₀ − (T/d) ln(1 + d ω₀/T)).
#[test]
fn a_joint_stops_by_the_friction_of_its_direction() {
    for friction in STOPPING {
        for (sign, level, viscous) in [(1.0, 0.3, 0.05), (-1.0, 0.5, 0.2)] {
            let (torque, drag) = (level * 10.0 * 0.1, viscous * 10.0 * 0.01);
            let ln = (1.0_f64 + drag * 20.0 / torque).ln();
            let (time, angle) = (
                INERTIA / drag * ln,
                INERTIA / drag * (20.0 - torque / drag * ln),
            );
            let rows = rotor(2.0, 20.0 * sign, "0", friction);
            let rate = rows.column("joint.a.rate");
            let stopped = rate.iter().position(|rate| sign * rate < 1e-3).unwrap();
            // a row is 1 ms; bristles give way by 0.5/1e5/0.1 = 5e-5 rad, and from rest their damping
            // takes N σ₁ μ/σ₀ r/I = 1e-5 rad/s
            close(friction, 1e-3 * stopped as f64, time, 1.5e-3);
            close(
                friction,
                rows.last("joint.a.coordinate"),
                sign * angle,
                2e-4,
            );
        }
    }
}

/// Torques that grow by 0.2 N m/s break away at 0.4 N m forwards and at 0.6 N m backwards.
#[test]
fn a_joint_breaks_away_at_the_level_of_its_direction() {
    for law in [
        "law = \"lugre\", bristle_stiffness = 1e5, bristle_damping = 100",
        "law = \"elastoplastic\", bristle_stiffness = 1e5, bristle_damping = 100, \
         breakaway_deflection = 2e-6",
        "law = \"karnopp\", stiction_velocity = 1e-5",
    ] {
        let friction = format!(
            "{law}, stribeck_velocity = 1e-3, static_coefficient = 0.4, \
             static_coefficient_negative = 0.6"
        );
        for (sign, time) in [("", 2.0), ("-", 3.0)] {
            let rows = rotor(1.1 * time, 0.0, &format!("\"{sign}0.2*t\""), &friction);
            let rate = rows.column("joint.a.rate");
            let slides = rate.iter().position(|rate| rate.abs() > 0.1).unwrap();
            // 0.1 N m less friction is 3 rad/s²: to 0.1 rad/s in 30 ms; as long again to leave the
            // static level
            let late = 1e-3 * slides as f64 - time;
            assert!((0.0..0.06).contains(&late), "{friction}: {late}");
        }
    }
}

fn refusal(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    let head = "title = \"Block\"\n[simulation]\nend_time = 1\n";
    std::fs::write(&path, format!("{head}{text}")).unwrap();
    let mut sources = SourceMap::new();
    let problems = load(&path, &[], &mut sources).unwrap_err();
    problems.render_plain(&sources)
}

const DAHL: &str = "friction = { law = \"dahl\", bristle_stiffness = 1e4, \
                    kinetic_coefficient = 0.3, kinetic_coefficient_negative = 0.5 }";

#[test]
fn a_plane_and_a_ball_refuse_numbers_for_negative_velocities() {
    let plane = refusal(&format!(
        r#"
[body.block]
joint = "planar"
mass = 1
shape = {{ box = [0.1, 0.1, 0.1] }}
[contact.sole]
points = {{ body = "block", at = [[0, 0, 0]] }}
plane = {{ body = "ground", normal = [0, 0, 1] }}
normal = {{ prescribed = "10 N" }}
{DAHL}
"#
    ));
    let ball = refusal(&format!(
        r#"
[body.bob]
joint = "spherical"
mass = 1
inertia = [0.1, 0.1, 0.1]
[joint_friction.ball]
body = "bob"
load = "10 N"
radius = "10 mm"
{DAHL}
"#
    ));
    for shown in [plane, ball] {
        assert!(shown.contains("need slip along a line"), "{shown}");
        assert!(shown.contains("joint_friction"), "{shown}");
    }
}

fn number(values: &bristle_laws::Values, name: &str) -> f64 {
    match values.iter().find(|(own, _)| own == name) {
        Some((_, Value::Number(x))) => *x,
        other => panic!("{name}: {other:?}"),
    }
}

/// Units, symbols and `--param` work as for any other parameter.
#[test]
fn a_law_file_has_both_directions() {
    let text = "law = \"lugre\"\nbristle_stiffness = 1e4\nbristle_damping = 30\n\
                kinetic_coefficient = 0.1\nstatic_coefficient = 0.15\n\
                stribeck_velocity = \"1 mm/s\"\nstribeck_velocity_negative = \"3 mm/s\"\n\
                mu_s- = 0.2\n";
    let mut sources = SourceMap::new();
    let (law, _) = load_law_text("law.toml", text, &[], &mut sources).unwrap();
    let values = law.to_values();
    let near = |name: &str, wanted: f64| close(name, number(&values, name), wanted, 1e-15);
    near("stribeck_velocity_negative", 3e-3);
    near("static_coefficient_negative", 0.2);
    let change = ["static_coefficient_negative=0.25".to_owned()];
    let (law, _) = load_law_text("law.toml", text, &change, &mut sources).unwrap();
    let changed = number(&law.to_values(), "static_coefficient_negative");
    close("changed", changed, 0.25, 1e-15);

    let parameters = ["sigma_0=1e4", "mu_k=0.1", "mu_k-=0.3"].map(str::to_owned);
    let (law, _) = load_law("dahl", &parameters, &mut sources).unwrap();
    let value = number(&law.to_values(), "kinetic_coefficient_negative");
    close("from the command line", value, 0.3, 1e-15);
}

/// A refusal stands at the field of the negative side.
#[test]
fn refusals_show_the_field() {
    let refused = |text: &str| {
        let mut sources = SourceMap::new();
        let problems = load_law_text("law.toml", text, &[], &mut sources).unwrap_err();
        problems.render_plain(&sources)
    };
    let lugre = "law = \"lugre\"\nbristle_stiffness = 1e4\nbristle_damping = 30\n\
                 stribeck_velocity = 1e-3\nkinetic_coefficient = 0.1\n";
    let shown = refused(&format!(
        "{lugre}static_coefficient = 0.15\nkinetic_coefficient_negative = 0.2\n"
    ));
    assert!(
        shown.contains("static_coefficient_negative = 0.15"),
        "{shown}"
    );
    let shown = refused(&format!("{lugre}bristle_stiffness_negative = 2e4\n"));
    assert!(shown.contains("bristle_stiffness_negative"), "{shown}");
    let gonthier = "law = \"gonthier\"\nkinetic_coefficient_negative = 0.2\n";
    assert!(refused(gonthier).contains("kinetic_coefficient"));
}

/// A law of your own with the Stribeck curve differs by direction as those of the catalogue do.
#[test]
fn equations_have_both_directions() {
    let text = r#"
sigma_0 = 1e4
sigma_2 = 0.04
mu_s = 0.2
mu_k = 0.2
mu_s- = 0.3
kinetic_coefficient_negative = 0.3
v_s = "1 mm/s"
[law]
equations = ["dz/dt = v - sigma_0*|v|/g*z", "F = N*(sigma_0*z + sigma_2*v)"]
parameters = { sigma_0 = "1/m", sigma_2 = "s/m" }
"#;
    let mut sources = SourceMap::new();
    let result = load_law_text("law.toml", text, &[], &mut sources);
    let (law, _) = result.unwrap_or_else(|all| panic!("{}", all.render_plain(&sources)));
    for (v, wanted) in [(0.1, 10.0 * (0.2 + 0.004)), (-0.1, -10.0 * (0.3 + 0.004))] {
        // 10 m are more than 10⁵ relaxations
        let step = Step::constant(Slip::new([v], 10.0), 100.0);
        let mut new = [0.0];
        close(
            "force",
            law.update(&step, &[0.0], &mut new)[0],
            wanted,
            1e-12,
        );
    }
}
