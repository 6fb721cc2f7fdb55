//! Loops and couplings as a user writes them: right values, and what is refused.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use support::Place;

/// Crank, rod and slider; the loop and whatever else is to be added.
fn machine(crank: &str, more: &str) -> String {
    format!(
        "title = \"Slider-crank\"\n[simulation]\nend_time = 0.1\noutput_step = \"10 ms\"\n\
         gravity = [0, -9.81, 0]\nintegrator = {{ tolerance = 1e-7 }}\n\
         [body.crank]\njoint = \"revolute\"\naxis = [0, 0, 1]\n{crank}\nmass = 0.5\n\
         inertia = [1e-5, 5e-4, 5e-4]\ncentre_of_mass = [0.05, 0, 0]\n\
         [body.rod]\nparent = \"crank\"\njoint = \"revolute\"\naxis = [0, 0, 1]\n\
         position = [0.1, 0, 0]\nmass = 0.4\ninertia = [1e-5, 3e-3, 3e-3]\n\
         centre_of_mass = [0.15, 0, 0]\n\
         [body.slider]\njoint = \"prismatic\"\naxis = [1, 0, 0]\nmass = 0.8\n{more}"
    )
}

const PIN: &str = "[loop.pin]\njoint = \"revolute\"\naxis = [0, 0, 1]\n\
                   from = { body = \"rod\", point = [0.3, 0, 0] }\nto = { body = \"slider\" }\n";

fn refused(scenario: &str, part: &str) {
    let place = Place::new();
    place.write("machine.toml", scenario);
    let checked = place.bristle(&["check", "machine.toml"]);
    assert_eq!(checked.code, Some(2), "{}\n{}", checked.out, checked.err);
    let text = checked.err.replace("\n  │ ", " ");
    assert!(text.contains(part), "{part}\n{}", checked.err);
}

#[test]
fn a_driven_crank_needs_the_torque_of_newton_and_euler() {
    // a constant 10 rad/s: drive torque and forces at 0 and 30 degrees with friction in the guide (0.2)
    // and all pins (0.15; 8, 6 and 5 mm), from Newton-Euler equations with multipliers by fixed point
    let friction = |name: &str, joint: &str, radius: &str, level: f64| {
        format!(
            "[joint_friction.{name}]\n{joint}\n{radius}\nload = {{ reaction = true }}\n\
             friction = {{ law = \"coulomb_tanh\", kinetic_coefficient = {level}, \
             regularisation_velocity = \"10 mm/s\" }}\n"
        )
    };
    let more = [
        PIN.to_owned(),
        friction("guide", "body = \"slider\"", "", 0.2),
        friction("main", "body = \"crank\"", "radius = \"8 mm\"", 0.15),
        friction("big", "body = \"rod\"", "radius = \"6 mm\"", 0.15),
        friction("small", "loop = \"pin\"", "radius = \"5 mm\"", 0.15),
    ];
    let place = Place::new();
    let scenario = machine("drive = { angle = \"10*t\" }", &more.concat());
    place.write("machine.toml", &scenario);
    let ran = place.bristle(&[
        "run",
        "machine.toml",
        "--out",
        "o",
        "--no-plots",
        "--set",
        "simulation.output_step=0.05235987755982989",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = std::fs::read_to_string(place.path("o/results.csv")).expect("results");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let rows: Vec<Vec<&str>> = lines.collect();
    let value = |row: usize, name: &str| {
        let column = header
            .iter()
            .position(|own| *own == name)
            .expect("a channel");
        rows[row][column].parse::<f64>().expect("a number")
    };
    for (row, right) in [
        (0, [0.485_495_5, 9.738_381, -17.833_33, -10.666_67]),
        (1, [1.218_116, 7.418_793, -15.803_88, -9.822_162]),
    ] {
        let names = [
            "joint.crank.torque",
            "joint.slider.reaction.force.y",
            "joint.crank.reaction.force.x",
            "loop.pin.reaction.force.x",
        ];
        for (name, right) in names.iter().zip(right) {
            let value = value(row, name);
            // the tolerance of forces in the source, 1e-3; the run is at 1e-7
            assert!(
                (value / right - 1.0).abs() < 1e-4,
                "{name}: {value}, {right}"
            );
        }
    }
}

#[test]
fn check_says_what_closes_and_what_is_free() {
    let place = Place::new();
    place.write("machine.toml", &machine("angle = \"60 deg\"", PIN));
    let checked = place.bristle(&["check", "machine.toml", "--json"]);
    assert_eq!(checked.code, Some(0), "{}", checked.err);
    let closed = &checked.json()["model"]["closed"];
    assert_eq!(closed["assembly"]["mobility"], 1);
    assert_eq!(closed["assembly"]["redundant"][0]["constraints"], 3);
    // sin(rod + 60 deg) = -sin(60 deg)/3
    let rod = -(60.0_f64.to_radians().sin() / 3.0).asin() - 60.0_f64.to_radians();
    let moved = &closed["assembly"]["moved"][0];
    let by = moved["by"].as_f64().expect("a number");
    assert!((by - rod).abs() < 1e-12, "{moved}");
}

#[test]
fn what_cannot_close_is_refused_with_what_is_left() {
    // 0.1 + 0.3 m do not reach a pin at 0.5 m above the guide
    let far = PIN.replace(
        "to = { body = \"slider\" }",
        "to = { body = \"slider\", point = [0, 0.5, 0] }",
    );
    refused(&machine("", &far), "a gap of 100.0");
    // out of the plane nothing can move: 20 mm are left
    let beside = PIN.replace(
        "to = { body = \"slider\" }",
        "to = { body = \"slider\", point = [0, 0, 0.02] }",
    );
    refused(&machine("", &beside), "a gap of 20.0");
    // axes that are not parallel
    let askew = PIN.replace(
        "to = { body = \"slider\" }",
        "to = { body = \"slider\", orientation = { axis = [1, 0, 0], angle = \"10 deg\" } }",
    );
    refused(&machine("", &askew), "an angle of 10.0");
}

#[test]
fn names_and_kinds_are_checked() {
    refused(
        &machine("", &PIN.replace("\"rod\"", "\"rot\"")),
        "there is no body \"rot\"",
    );
    refused(
        &machine("", &PIN.replace("\"slider\"", "\"rod\"")),
        "both ends on the same body",
    );
    let friction = "[joint_friction.pin]\nloop = \"pim\"\nradius = 0.01\nload = 1\n\
                    friction = { law = \"coulomb_tanh\", kinetic_coefficient = 0.1, \
                    regularisation_velocity = 0.01 }\n";
    refused(
        &machine("", &format!("{PIN}{friction}")),
        "there is no loop \"pim\"",
    );
    let gear = "[coupling.gear]\nkind = \"gear\"\nratio = 2\nfrom = { body = \"crank\" }\n\
                to = { body = \"slider\" }\n";
    refused(&machine("", gear), "a gear couples angles");
    let screw = "[coupling.screw]\nkind = \"screw\"\nlead = \"0 mm\"\nfrom = { body = \"crank\" }\n\
                 to = { body = \"slider\" }\n";
    refused(&machine("", screw), "must not be 0");
}

#[test]
fn a_drive_that_parts_the_loop_is_refused() {
    // the slider and the crank are both prescribed, at rates that do not go together
    let scenario = machine("drive = { angle = \"10*t\" }", PIN).replace(
        "[body.slider]\njoint = \"prismatic\"\naxis = [1, 0, 0]",
        "[body.slider]\njoint = \"prismatic\"\naxis = [1, 0, 0]\ndrive = { coordinate = \"0.4 - t\" }",
    );
    refused(&scenario, "cannot stay closed");
}

/// The loop hangs: crank down, rod level, where the rod moves without turning. With x = r θ the slider is a mass
/// J/r² + 1.2 kg, J = 5e-4 + 0.5 · 0.05² kg m² of the crank about its pin, on g (0.5 · 0.05 + 0.2 r)/r² N/m:
/// half of the rod hangs on the crank.
#[test]
fn a_forced_response_takes_loops() {
    let place = Place::new();
    let load = "[force.shaker]\nbody = \"slider\"\ndirection = [1, 0, 0]\n\
                magnitude = { harmonic = { amplitude = 1 } }\n";
    place.write("machine.toml", &machine("", &format!("{PIN}{load}")));
    let channel = "body.slider.position.x";
    let words = [
        "response",
        "machine.toml",
        "--at",
        "2Hz",
        "--channel",
        channel,
        "--json",
    ];
    let ran = place.bristle(&words);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let curve: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let found = curve["points"][0]["channels"][channel]["amplitude"].as_f64();
    let (r, omega) = (0.1_f64, 2.0 * std::f64::consts::TAU);
    let mass = (5e-4 + 0.5 * 0.05 * 0.05) / (r * r) + 1.2;
    let stiffness = 9.81 * (0.5 * 0.05 + 0.2 * r) / (r * r);
    let expected = 1.0 / (mass * omega * omega - stiffness);
    // the rest is found to about 1e-9
    let off = found.expect("an amplitude") / expected - 1.0;
    assert!(off.abs() < 1e-7, "{found:?} for {expected}");
}
