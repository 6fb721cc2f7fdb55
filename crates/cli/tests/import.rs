//! `bristle import`: what is written, what is refused, and that nothing is written then.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use support::Place;

const ARM: &str = include_str!("../../import/tests/arm.urdf");

#[test]
fn an_arm_becomes_a_scenario_that_can_run() {
    let place = Place::new();
    place.write("small.urdf", ARM);
    let imported = place.bristle(&["import", "small.urdf", "--out", "small.toml"]);
    assert_eq!(imported.code, Some(0), "{}", imported.err);
    for word in [
        "taken over",
        "assumed",
        "lost",
        "package://small_arm/forearm.stl",
        "line 60",
    ] {
        assert!(imported.out.contains(word), "{word}: {}", imported.out);
    }
    let checked = place.bristle(&["check", "small.toml"]);
    assert_eq!((checked.code, checked.err.as_str()), (Some(0), ""));
    let run = place.bristle(&["run", "small.toml", "--no-plots", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let imbalance = run.json()["energy"]["imbalance"].as_f64();
    // some 10 J go round
    assert!(imbalance.expect("a number").abs() < 1e-4);
}

/// A ball of 1 kg that slides without gravity, at 1 m/s, to the end of its range.
const SLIDE: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="b">
  <joint name="j" type="slide" axis="1 0 0" range="-1 0.1"/><geom size="0.1" mass="1"/>
</body></worldbody></mujoco>"#;

#[test]
fn a_joint_bounces_at_the_end_of_its_range() {
    let place = Place::new();
    place.write("slide.xml", SLIDE);
    let imported = place.bristle(&["import", "slide.xml", "--out", "slide.toml"]);
    assert_eq!(imported.code, Some(0), "{}", imported.err);
    let start = ["--set", "body.b.rate=1", "--no-plots", "--json"];
    let run = place.bristle(
        &[
            &["run", "slide.toml", "--set", "simulation.end_time=0.2"],
            &start[..],
        ]
        .concat(),
    );
    assert_eq!(run.code, Some(0), "{}", run.err);
    let change = run.json()["energy"]["kinetic"].as_f64().expect("a number");
    let speed = (1.0 + 2.0 * change).sqrt();
    // a spring and damper that only press: exp(−ζ/√(1−ζ²) atan2(2ζ√(1−ζ²), 2ζ²−1)) of the speed at ζ = 0.2
    let root = 0.96_f64.sqrt();
    let restitution = (-0.2 / root * (0.4 * root).atan2(-0.92)).exp();
    // stiffness and damping have three digits
    assert!((speed - restitution).abs() < 2e-3, "{speed}");
}

#[test]
#[cfg(unix)]
fn a_device_without_end_is_refused() {
    let place = Place::new();
    let refused = place.bristle(&["import", "/dev/zero", "--out", "zero.toml"]);
    assert_eq!(refused.code, Some(2));
    let wanted = "cannot read /dev/zero: it is no regular file, and has more than 1024 MiB";
    assert!(refused.err.contains(wanted), "{}", refused.err);
    assert!(!place.path("zero.toml").exists());
}

#[test]
fn a_scenario_that_is_there_is_not_replaced() {
    let place = Place::new();
    place.write("small.urdf", ARM);
    place.write("small.toml", "mine");
    let refused = place.bristle(&["import", "small.urdf", "--out", "small.toml"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(
        std::fs::read_to_string(place.path("small.toml")).expect("a file"),
        "mine"
    );
    let forced = place.bristle(&["import", "small.urdf", "--out", "small.toml", "--force"]);
    assert_eq!(forced.code, Some(0));
}

#[test]
fn json_has_the_scenario_the_remarks_and_the_counts() {
    let place = Place::new();
    place.write("small.urdf", ARM);
    let given = place.bristle(&["import", "small.urdf", "--law", "coulomb_tanh", "--json"]);
    let json = given.json();
    assert_eq!(
        (json["bodies"].as_u64(), json["coordinates"].as_u64()),
        (Some(5), Some(3))
    );
    assert_eq!(json["joint_friction"], 3);
    assert_eq!(json["joint_stop"], 2);
    assert!(
        json["scenario"]
            .as_str()
            .expect("a text")
            .contains("law = \"coulomb_tanh\"")
    );
    let remarks = json["remarks"].as_array().expect("remarks");
    assert!(
        remarks
            .iter()
            .all(|remark| remark["line"].as_u64() > Some(0))
    );
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_nothing_is_written() {
    let place = Place::new();
    place.write(
        "odd.urdf",
        &ARM.replace("<mass value=\"1\"/>", "<mass value=\"0\"/>"),
    );
    let refused = place.bristle(&["import", "odd.urdf", "--out", "odd.toml"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("line 16") && refused.err.contains("forearm"),
        "{}",
        refused.err
    );
    assert_eq!(place.entries(), ["odd.urdf"]);
    let json = place.bristle(&["import", "odd.urdf", "--json"]);
    assert_eq!(json.code, Some(2));
    assert_eq!(json.json()["errors"][0]["line"], 16);
    assert_eq!(place.bristle(&["import", "none.urdf"]).code, Some(2));
    let law = place.bristle(&["import", "odd.urdf", "--law", "lugri"]);
    assert!(law.err.contains("did you mean"), "{}", law.err);
}
