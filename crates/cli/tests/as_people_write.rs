//! Scenarios and commands as people write them: driven joints, defaults, channels, modes of what is free.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod support;

use support::{BLOCK, Place};

fn scenario(body: &str) -> String {
    format!(
        "title = \"As written\"\n[simulation]\nend_time = 1\noutput_step = 0.1\ngravity = [0, 0, 0]\n\
         [body.a]\nmass = 2\ninertia = [1, 1, 1]\n{body}"
    )
}

/// The last row of a run, by the names of the columns.
fn last_row(place: &Place, folder: &str) -> Vec<(String, f64)> {
    let table = std::fs::read_to_string(place.path(folder).join("results.csv")).expect("a table");
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let names = lines.next().expect("a header").split(',');
    let values = lines.next_back().expect("rows").split(',');
    let number = |text: &str| text.parse().expect("a number");
    names.map(str::to_owned).zip(values.map(number)).collect()
}

fn value(row: &[(String, f64)], name: &str) -> f64 {
    let found = row.iter().find(|(own, _)| own == name);
    found
        .unwrap_or_else(|| panic!("no column {name} among {row:?}"))
        .1
}

#[test]
fn a_joint_may_be_driven_in_several_coordinates() {
    let place = Place::new();
    let planar = "joint = \"planar\"\ndrive = { x = \"0.5*t^2\", y = \"t^2\" }\n";
    place.write("planar.toml", &scenario(planar));
    let ran = place.bristle(&["run", "planar.toml", "--out", "planar"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let row = last_row(&place, "planar");
    // F = m ẍ with accelerations of 1 and 2 m/s²
    for (axis, force) in [("x", 2.0), ("y", 4.0)] {
        let found = value(&row, &format!("joint.a.force.{axis}"));
        assert!((found - force).abs() < 1e-9, "{axis}: {found}");
    }
    let universal = "joint = \"universal\"\naxis = [1, 0, 0]\nsecond_axis = [0, 1, 0]\n\
                     drive = { angle = \"0.1*t\", second_angle = \"0.2*t\" }\n";
    place.write("universal.toml", &scenario(universal));
    let ran = place.bristle(&["run", "universal.toml", "--out", "universal"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let row = last_row(&place, "universal");
    assert!(value(&row, "joint.a.torque.1").is_finite());
    assert!((value(&row, "joint.a.angle.2") - 0.2).abs() < 1e-12);
}

/// What a run says of its contact.
fn remark(place: &Place, push: &str) -> (Option<String>, String) {
    let ran = place.bristle(&[
        "run",
        "block.toml",
        "--set",
        push,
        "--set",
        "simulation.end_time=4",
        "--set",
        "contact.base.friction.viscous_coefficient=0",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let json = std::fs::read_to_string(place.path("results/block/summary.json")).expect("JSON");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let text = json["contacts"]["base"]["remark"].as_str();
    (text.map(str::to_owned), ran.out)
}

/// F_s is 1.5 N: a sudden load of 2 N slides past it, a slow one reaches it, and 0.5 N moves nothing.
#[test]
fn a_run_says_that_friction_never_rose_to_its_static_level() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let (sudden, out) = remark(&place, "force.push.magnitude=2 N");
    let sudden = sudden.expect("a remark");
    assert!(
        sudden.contains("never reaches its static level 0.15"),
        "{sudden}"
    );
    assert!(out.contains("never reaches"), "{out}");
    assert_eq!(place.bristle(&["report", "results/block"]).code, Some(0));
    let page = std::fs::read_to_string(place.path("results/block/report.html")).expect("a page");
    assert!(
        page.contains("Contact base breaks away at"),
        "on the page too"
    );
    let (slow, _) = remark(&place, "force.push.magnitude=0.5 * t");
    assert_eq!(slow, None);
    let (held, _) = remark(&place, "force.push.magnitude=0.5 N");
    assert_eq!(held, None);
}

/// The weight of 1 kg is 9.81 N.
#[test]
fn a_prescribed_load_that_leaves_out_the_weight_is_noted() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let notes = |load: &str, gravity: &str| {
        let load = format!("contact.base.normal.prescribed={load}");
        let gravity = format!("simulation.gravity={gravity}");
        let all = [
            "check",
            "block.toml",
            "--json",
            "--set",
            &load,
            "--set",
            &gravity,
        ];
        place.bristle(&all).json()["notes"].to_string()
    };
    let left_out = notes("5 N", "[0, 0, -9.81]");
    assert!(
        left_out.contains("contact base: the normal force is prescribed (5 N)")
            && left_out.contains("weight of block on its plane (9.81 N)"),
        "{left_out}"
    );
    // as if it were the weight, or so much that the weight is nothing
    for load in ["10 N", "1 kN"] {
        assert_eq!(notes(load, "[0, 0, -9.81]"), "[]", "{load}");
    }
    // no weight presses: without gravity, along the plane, or off it
    for gravity in ["[0, 0, 0]", "[9.81, 0, 0]", "[0, 0, 9.81]"] {
        assert_eq!(notes("5 N", gravity), "[]", "{gravity}");
    }
    let load = "contact.base.normal.prescribed=5 N";
    let gravity = "simulation.gravity=[0, 0, -9.81]";
    let ran = place.bristle(&["run", "block.toml", "--set", load, "--set", gravity]);
    assert!(ran.err.contains("note: contact base"), "{}", ran.err);
}

#[test]
fn one_end_may_be_the_origin_of_the_ground() {
    let place = Place::new();
    let prismatic = "joint = \"prismatic\"\naxis = [1, 0, 0]\ncoordinate = 0.1\n";
    for (file, element) in [
        (
            "bushing.toml",
            "[bushing.b]\nto = { body = \"a\", point = [-0.1, 0, 0] }\nstiffness = [200, 1, 1]\n",
        ),
        (
            "spring.toml",
            "[spring.b]\nto = { body = \"a\" }\nstiffness = 200\nlength = 0\n",
        ),
    ] {
        place.write(file, &(scenario(prismatic) + element));
        let ran = place.bristle(&["modes", file, "--as-given", "--json"]);
        assert_eq!(ran.code, Some(0), "{file}: {}", ran.err);
        // √(k/m)/2π with 200 N/m and 2 kg
        let frequency = ran.json()["modes"][0]["frequency"]
            .as_f64()
            .expect("a frequency");
        assert!(
            (frequency - 10.0 / std::f64::consts::TAU).abs() < 1e-9,
            "{file}: {frequency}"
        );
    }
}

#[test]
fn what_is_free_has_rigid_modes() {
    let place = Place::new();
    place.write("free.toml", &scenario("joint = \"free\"\n"));
    let ran = place.bristle(&["modes", "free.toml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out.matches("rigid").count(), 6, "{}", ran.out);
    assert!(!ran.out.contains('-'), "{}", ran.out);
}

#[test]
fn modes_as_given_say_what_does_not_balance() {
    let place = Place::new();
    let hub = "joint = \"prismatic\"\naxis = [1, 0, 0]\nparent = \"hub\"\ncoordinate = 0.5\n\
               [body.hub]\njoint = \"prescribed\"\nmotion = { axis = [0, 0, 1], angle = \"10*t\" }\n\
               [spring.s]\nfrom = { body = \"hub\" }\nto = { body = \"a\" }\nstiffness = 1000\nlength = 0.5\n";
    place.write("hub.toml", &scenario(hub));
    let given = place.bristle(&["modes", "hub.toml", "--as-given"]);
    assert_eq!(given.code, Some(0), "{}", given.err);
    // m Ω² r = 2 kg · 100 1/s² · 0.5 m
    assert!(given.err.contains("100 N"), "{}", given.err);
    let rests = place.bristle(&["modes", "hub.toml"]);
    assert_eq!(rests.err, "");
}

#[test]
fn channels_are_listed_before_a_run() {
    let place = Place::new();
    place.write("free.toml", &scenario("joint = \"free\"\n"));
    let listed = place.bristle(&["check", "free.toml", "--channels"]);
    assert_eq!(listed.code, Some(0), "{}", listed.err);
    assert!(listed.out.contains("body.a.position.x"), "{}", listed.out);
    let list = place
        .bristle(&["check", "free.toml", "--channels", "--json"])
        .json();
    let ran = place.bristle(&["run", "free.toml", "--out", "free"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let written = std::fs::read_to_string(place.path("free/channels.json")).expect("channels");
    let written: serde_json::Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(list["channels"], written);
}

#[test]
fn a_star_stands_for_all_in_a_sweep() {
    let place = Place::new();
    let two = "joint = \"free\"\n[force.left]\nbody = \"a\"\ndirection = [1, 0, 0]\nmagnitude = 1\n\
               [force.right]\nbody = \"a\"\ndirection = [1, 0, 0]\nmagnitude = 1\n";
    place.write("two.toml", &scenario(two));
    let vary = "force.*.magnitude=1,3";
    let ran = place.bristle(&["sweep", "two.toml", "--vary", vary, "--out", "out"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // ½ (ΣF)² t²/m = 1 J and 9 J put in
    let table = std::fs::read_to_string(place.path("out/sweep.csv")).expect("a table");
    for energy in ["1", "9"] {
        let found = table.lines().any(|line| {
            let numbers = line.split(',').filter_map(|x| x.parse::<f64>().ok());
            numbers
                .into_iter()
                .any(|x| (x - energy.parse::<f64>().unwrap_or(0.0)).abs() < 1e-6)
        });
        assert!(found, "{energy} J: {table}");
    }
}
