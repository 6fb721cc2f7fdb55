//! Laws side by side in joints: `compare` and `sweep` translate them as in contacts.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use serde_json::Value;
use support::{Place, entries};

const LUGRE: &str = "{ law = \"lugre\", static_coefficient = 0.3, kinetic_coefficient = 0.2, \
                     stribeck_velocity = \"1 mm/s\", bristle_stiffness = 1e4, bristle_damping = 30, \
                     viscous_coefficient = 0 }";

/// A block of 2 kg that is pulled by up to 6 N and rubs under 10 N.
fn block(friction: &str) -> String {
    format!(
        "title = \"Block\"\n[simulation]\nend_time = 0.8\noutput_step = \"1 ms\"\n\
         accepted_warnings = [\"passivity\"]\n\
         [body.block]\njoint = \"prismatic\"\naxis = [1, 0, 0]\nmass = 2\n\
         [force.pull]\nbody = \"block\"\ndirection = [1, 0, 0]\n\
         magnitude = {{ sine = {{ amplitude = 6, frequency = 1.25 }} }}\n{friction}"
    )
}

fn on_its_joint() -> String {
    block(&format!(
        "[joint_friction.pad]\nbody = \"block\"\nload = 10\nfriction = {LUGRE}\n"
    ))
}

fn on_a_plane() -> String {
    block(&format!(
        "[contact.pad]\npoints = {{ body = \"block\", at = [[0, 0, 0]] }}\n\
         normal = {{ prescribed = 10 }}\nfriction = {LUGRE}\n"
    ))
}

fn compare(place: &Place, name: &str, scenario: &str, more: &[&str]) -> Value {
    let file = format!("{name}.toml");
    place.write(&file, scenario);
    let mut arguments = vec!["compare", &file, "--out", name, "--json"];
    arguments.extend(more);
    let ran = place.bristle(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.json()
}

fn near(a: &Value, b: &Value, what: &str) {
    let (x, y) = (a.as_f64().expect(what), b.as_f64().expect(what));
    // two ways of adding the same forces, and steps of an error of 1e-6
    assert!((x - y).abs() <= 1e-4 * x.abs().max(1e-9), "{what}: {x} {y}");
}

#[test]
fn a_joint_is_compared_as_a_contact_with_the_same_friction_is() {
    let place = Place::new();
    // parameters per load, in N/m, and of speeds are translated
    let laws = [
        "--law",
        "lugre",
        "--law",
        "simpack_stick_slip",
        "--law",
        "gkf",
    ];
    let joint = compare(&place, "joint", &on_its_joint(), &laws);
    let contact = compare(&place, "contact", &on_a_plane(), &laws);
    for law in 0..3 {
        let (joint, contact) = (&joint["laws"][law], &contact["laws"][law]);
        assert_eq!(joint["notes"], contact["notes"]);
        let (joint, contact) = (&joint["joints"]["pad"], &contact["contacts"]["pad"]);
        for what in [
            "first_slip_time",
            "stuck_time",
            "dissipated",
            "peak_force",
            "peak_ratio",
        ] {
            near(&joint[what], &contact[what], what);
        }
        assert_eq!(joint["units"]["force"], "N");
    }
    let notes = joint["laws"][1]["notes"].to_string();
    // 1e4 1/m · 10 N
    assert!(notes.contains("stick_stiffness: 100 kN/m"), "{notes}");
    let files = entries(&place.path("joint"));
    for file in ["friction_pad.svg", "loop_pad.svg", "characteristic_pad.svg"] {
        assert!(files.contains(&file.to_owned()), "{files:?}");
    }
}

#[test]
fn a_joint_that_turns_is_compared_in_its_own_units() {
    let place = Place::new();
    let rotor = format!(
        "title = \"Rotor\"\n[simulation]\nend_time = 0.5\noutput_step = \"1 ms\"\n\
         accepted_warnings = [\"passivity\"]\n\
         [body.rotor]\njoint = \"revolute\"\naxis = [0, 0, 1]\nmass = 1\nrate = 2\n\
         shape = {{ cylinder = {{ radius = 0.1, length = 0.1 }} }}\n\
         [joint_friction.brake]\nbody = \"rotor\"\nradius = 0.05\nload = 10\nfriction = {LUGRE}\n"
    );
    let found = compare(&place, "rotor", &rotor, &["--law", "karnopp", "--report"]);
    let brake = &found["laws"][1]["joints"]["brake"];
    assert_eq!(
        brake["units"],
        serde_json::json!({ "force": "N m", "slip": "rad", "speed": "rad/s" })
    );
    // 0.2 · 10 N at 50 mm while it slides, and what it has to begin with: ½ · ½ · 1 kg · (0.1 m)² · (2 rad/s)²
    let peak = brake["peak_force"].as_f64().expect("a number");
    assert!((0.1 - 1e-9..0.15 + 1e-9).contains(&peak), "{peak}");
    let lost = brake["dissipated"].as_f64().expect("a number");
    assert!((lost - 0.01).abs() < 1e-6, "{lost}");
    let page = std::fs::read_to_string(place.path("rotor/report.html")).expect("there");
    assert!(page.contains(">Joint brake</h2>") && page.contains("\"unit\":\"N m\""));
}

#[test]
fn joints_and_contacts_are_chosen_by_name() {
    let place = Place::new();
    let both = format!(
        "{}[joint_friction.guide]\nbody = \"block\"\nload = 1\nfriction = {LUGRE}\n",
        on_a_plane()
    );
    let of = |found: &Value, law: usize| found["laws"][law]["changes"].to_string();
    let all = compare(&place, "all", &both, &["--law", "gkf"]);
    assert!(of(&all, 1).contains("contact.pad.") && of(&all, 1).contains("joint_friction.guide."));
    let one = compare(&place, "one", &both, &["--law", "gkf", "--joint", "guide"]);
    assert!(!of(&one, 1).contains("contact.pad."), "{}", of(&one, 1));
    place.write("both.toml", &both);
    for (option, name, reason) in [
        ("--joint", "guid", "did you mean \"guide\""),
        ("--joint", "pad", "there is --contact pad, --joint guide"),
        ("--contact", "xyz", "there is --contact pad, --joint guide"),
    ] {
        let ran = place.bristle(&["compare", "both.toml", "--law", "gkf", option, name]);
        assert_eq!(ran.code, Some(2));
        // lines are broken by width
        let words: Vec<&str> = ran
            .err
            .split_whitespace()
            .filter(|word| *word != "│")
            .collect();
        assert!(words.join(" ").contains(reason), "{}", ran.err);
    }
    let none = both.split("[contact.pad]").next().expect("there");
    place.write("none.toml", none);
    let ran = place.bristle(&["compare", "none.toml", "--law", "gkf"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("neither a contact nor a joint"),
        "{}",
        ran.err
    );
}

#[test]
fn a_law_with_a_stribeck_peak_never_lacks_it() {
    let place = Place::new();
    // it slips from the first millisecond on: rows 1 ms apart miss the peak
    let incline = block(&format!(
        "[joint_friction.guide]\nbody = \"block\"\nload = 10\nfriction = {LUGRE}\n"
    ))
    .replace("{ sine = { amplitude = 6, frequency = 1.25 } }", "10");
    let laws = [
        "--law",
        "lugre",
        "--law",
        "adams_stick_slip",
        "--law",
        "coulomb_tanh",
    ];
    let found = compare(&place, "incline", &incline, &laws);
    let remarks = |law: usize| found["laws"][law]["joints"]["guide"]["remarks"].to_string();
    assert!(!remarks(0).contains("no Stribeck peak"), "{}", remarks(0));
    assert!(!remarks(1).contains("no Stribeck peak"), "{}", remarks(1));
    assert!(
        remarks(2).contains("has no Stribeck peak"),
        "{}",
        remarks(2)
    );
    // read from the steps: STEP5 passes through its static level
    let peak = found["laws"][1]["joints"]["guide"]["peak_ratio"].as_f64();
    assert!(peak.expect("a number") > 0.29, "{peak:?}");
}

#[test]
fn a_sweep_over_laws_translates_those_of_joints() {
    let place = Place::new();
    place.write("joint.toml", &on_its_joint());
    place.write("contact.toml", &on_a_plane());
    let swept = |file: &str, path: &str| {
        let laws = format!("{path}.friction.law=lugre,adams_stick_slip,karnopp");
        let ran = place.bristle(&["sweep", file, "--vary", &laws, "--json", "--no-plots"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.json()
    };
    let joint = swept("joint.toml", "joint_friction.pad");
    let contact = swept("contact.toml", "contact.pad");
    for case in 0..3 {
        let (joint, contact) = (&joint["rows"][case], &contact["rows"][case]);
        assert_eq!(joint["status"], "complete", "{joint}");
        for what in ["first_slip_time", "max_slip_speed", "dissipated"] {
            let of =
                |row: &Value, group: &str| row["values"][format!("{group}.pad.{what}")].clone();
            near(&of(joint, "joints"), &of(contact, "contacts"), what);
        }
    }
}
