//! Friction in joints is shown as that of contacts is: numbers, plots, page, sweeps.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use serde_json::Value;
use support::{Place, entries};

/// Coulomb friction of 0.2 without a Stribeck peak: it slides by the constant force 0.2 N.
const COULOMB: &str = "{ law = \"karnopp\", static_coefficient = 0.2, kinetic_coefficient = 0.2, \
                       stribeck_velocity = \"1 mm/s\", stiction_velocity = \"1 um/s\" }";

/// A block of 2 kg that is pushed off with 1 m/s and rubs under 10 N.
fn slider(friction: &str) -> String {
    format!(
        "title = \"Slider\"\n[simulation]\nend_time = 1.5\noutput_step = \"10 ms\"\n\
         [body.block]\njoint = \"prismatic\"\naxis = [1, 0, 0]\nrate = 1\nmass = 2\n{friction}"
    )
}

fn on_its_joint() -> String {
    slider(&format!(
        "[joint_friction.pad]\nbody = \"block\"\nload = 10\nslip_speed = \"1 mm/s\"\n\
         friction = {COULOMB}\n"
    ))
}

fn on_a_plane() -> String {
    slider(&format!(
        "[contact.pad]\npoints = {{ body = \"block\", at = [[0, 0, 0]] }}\n\
         normal = {{ prescribed = 10 }}\nslip_speed = \"1 mm/s\"\nfriction = {COULOMB}\n"
    ))
}

/// A rod on a pin of 10 mm that rubs under 10 N, let go at 60°.
fn pendulum() -> String {
    format!(
        "title = \"Pendulum\"\n[simulation]\nend_time = 0.6\noutput_step = \"0.2 ms\"\n\
         gravity = [0, 0, -9.81]\n[body.arm]\njoint = \"revolute\"\naxis = [0, 1, 0]\n\
         angle = \"60 deg\"\nmass = 1\nshape = {{ cylinder = {{ radius = 0.01, length = 0.4 }} }}\n\
         centre_of_mass = [0, 0, -0.2]\n[joint_friction.pin]\nbody = \"arm\"\nradius = 0.01\n\
         load = 10\nfriction = {COULOMB}\n"
    )
}

fn run(place: &Place, name: &str, scenario: &str) -> Value {
    place.write(&format!("{name}.toml"), scenario);
    let ran = place.bristle(&[
        "run",
        &format!("{name}.toml"),
        "--out",
        name,
        "--report",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.json()
}

fn near(value: &Value, expected: f64, tolerance: f64) {
    let number = value.as_f64().expect("a number");
    assert!((number - expected).abs() < tolerance, "{number} {expected}");
}

#[test]
fn a_joint_and_a_contact_with_the_same_friction_have_the_same_numbers() {
    let place = Place::new();
    let joint = run(&place, "joint", &on_its_joint());
    let contact = run(&place, "contact", &on_a_plane());
    let (joint, contact) = (&joint["joints"]["pad"], &contact["contacts"]["pad"]);
    for of in [joint, contact] {
        // 0.2 · 10 N on 2 kg: 1 m/s² from 1 m/s, at 1 mm/s after 0.999 s, with ½ · 2 kg · 1 m²/s² lost;
        // the search for the change of stick ends within a millionth of a step
        near(&of["stick_intervals"][0][0], 0.999, 1e-6);
        near(&of["stuck_time"], 0.501, 1e-6);
        near(&of["dissipated"], 1.0, 1e-6);
        assert_eq!(of["stick_count"], 1);
        assert_eq!(of["first_slip_time"], 0.0);
        assert_eq!(of["max_slip_speed"], 1.0);
        assert_eq!(of.get("max_angular_speed"), None);
    }
}

#[test]
fn a_pendulum_loses_by_swing_what_its_pin_rubs() {
    let place = Place::new();
    let summary = run(&place, "pendulum", &pendulum());
    let (mgl, torque, start) = (9.81 * 0.2, 0.2 * 10.0 * 0.01, 60.0_f64.to_radians());
    // m g l (cos φ − cos φ₀) = M (φ₀ + φ) at the other end of the first swing
    let lost = |end: f64| mgl * (end.cos() - start.cos()) - torque * (start + end);
    let (mut low, mut high) = (0.0, start);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if lost(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    // some hundred steps, each with an error of 1e-6 rad at most that is mostly much smaller
    let angle = &summary["extremes"]["joint.arm.coordinate"];
    near(&angle["min"], -low, 1e-5);
    // fastest where gravity and friction balance: m g l sin φ = M
    let balance = (torque / mgl).asin();
    let inertia = (3.0 * 1e-4 + 0.16) / 12.0 + 0.04;
    let kinetic = mgl * (balance.cos() - start.cos()) - torque * (start - balance);
    let fastest = (2.0 * kinetic / inertia).sqrt();
    let pin = &summary["joints"]["pin"];
    // steps of some ms pass over the top by parts of their square
    near(&pin["max_angular_speed"], fastest, 1e-4 * fastest);
    near(&pin["max_slip_speed"], 0.01 * fastest, 1e-6 * fastest);
    assert_eq!(pin["friction_radius"], 0.01);
    near(
        &summary["extremes"]["joint_friction.pin.torque"]["max"],
        torque,
        1e-9,
    );
}

#[test]
fn folder_and_page_show_friction_slip_and_loops_of_a_joint() {
    let place = Place::new();
    run(&place, "pendulum", &pendulum());
    let files = entries(&place.path("pendulum"));
    for plot in [
        "friction",
        "load",
        "coefficient",
        "slip",
        "loop",
        "characteristic",
    ] {
        let file = format!("{plot}_pin.svg");
        assert!(files.contains(&file), "{file}: {files:?}");
    }
    let svg = std::fs::read_to_string(place.path("pendulum/loop_pin.svg")).expect("there");
    // 0.02 N m over an angle
    assert!(svg.contains("friction torque (mN m)") && svg.contains("angle (rad)"));
    let page = std::fs::read_to_string(place.path("pendulum/report.html")).expect("there");
    for part in [
        "<dt>first slip</dt>",
        "<dd class=\"note\">joint pin</dd>",
        "Stick and slip",
        "Joint pin: friction torque over angular velocity",
        "\"pairs\":{\"joint_friction.pin\":[",
        "\"pair\":\"joint_friction.pin\"",
        "\"moment\":true",
        ">Friction loops</h2>",
        "joint pin (karnopp with given load)",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_contact_and_a_joint_of_one_name_keep_their_plots_apart() {
    let place = Place::new();
    let both = format!(
        "{}{}",
        on_its_joint(),
        on_a_plane().split_once("mass = 2\n").expect("there").1
    );
    run(&place, "both", &both);
    let files = entries(&place.path("both"));
    for file in ["friction_pad.svg", "friction_joint_pad.svg"] {
        assert!(files.contains(&file.to_owned()), "{files:?}");
    }
}

/// Sweeps the pendulum into `out` and gives what it printed and its page.
fn swept(place: &Place, axes: &[&str]) -> (String, String) {
    place.write("pendulum.toml", &pendulum());
    let mut arguments = vec!["sweep", "pendulum.toml", "--out", "out", "--report"];
    arguments.extend(axes.iter().flat_map(|axis| ["--vary", *axis]));
    let ran = place.bristle(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let page = std::fs::read_to_string(place.path("out/report.html")).expect("there");
    (ran.out, page)
}

#[test]
fn a_sweep_shows_the_numbers_of_joints() {
    let place = Place::new();
    let (table, page) = swept(
        &place,
        &["joint_friction.pin.load=5,10", "body.arm.mass=1,2"],
    );
    for head in ["first_slip_time", "max_angular_speed", "dissipated"] {
        assert!(table.contains(head), "{head}: {table}");
    }
    let files = entries(&place.path("out"));
    assert!(
        files.contains(&"joints.pin.dissipated.svg".to_owned()),
        "{files:?}"
    );
    assert!(page.contains("<figcaption>joints.pin.dissipated</figcaption>"));
    assert!(page.contains("\"label\":\"load = 5\""));
}

#[test]
fn a_sweep_without_plots_says_why() {
    let (_, page) = swept(&Place::new(), &["title=one,two"]);
    assert!(page.contains("No number that is plotted differs"));
}

#[test]
fn what_drives_a_joint_is_drawn_beside_its_friction() {
    let place = Place::new();
    let pushed = |load: &str| format!("{}{load}", on_its_joint());
    let along = "[force.push]\nbody = \"block\"\ndirection = [2, 0, 0]\nmagnitude = 3\n";
    let motor = "[joint_force.motor]\nbody = \"block\"\nmagnitude = 3\n";
    let across = "[force.push]\nbody = \"block\"\ndirection = [0, 1, 0]\nmagnitude = 3\n";
    for (name, load, label) in [
        ("along", along, Some("applied force push")),
        ("motor", motor, Some("applied force motor")),
        ("across", across, None),
        ("alone", "", None),
    ] {
        run(&place, name, &pushed(load));
        let plot = std::fs::read_to_string(place.path(name).join("friction_pad.svg"));
        let plot = plot.expect("a plot");
        assert_eq!(plot.contains("applied"), label.is_some(), "{name}");
        assert!(label.is_none_or(|label| plot.contains(label)), "{name}");
    }
}
