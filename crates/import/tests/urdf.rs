//! URDF files made by hand, against closed forms.

#![allow(clippy::expect_used, reason = "a test may panic")]
#![allow(
    clippy::float_cmp,
    reason = "numbers that are taken over keep their bits"
)]

mod support;

use bristle_import::{MachineJoint, RemarkKind, import};
use nalgebra::{Matrix3, Vector3};
use support::{body, dynamics, model, options, problems, read};

const ARM: &str = include_str!("arm.urdf");

/// A link of 1 kg that is a ball.
fn link(name: &str) -> String {
    format!(
        r#"<link name="{name}"><inertial><mass value="1"/>
           <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>"#
    )
}

fn joint(name: &str, parent: &str, child: &str, more: &str) -> String {
    format!(
        r#"<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>{more}</joint>"#
    )
}

fn robot(parts: &[String]) -> String {
    format!("<robot name=\"r\">\n{}\n</robot>", parts.join("\n"))
}

#[test]
fn an_inertia_in_axes_of_its_own_is_turned() {
    let arm = read(ARM);
    let own = body(&arm, "forearm").inertia.expect("an inertia");
    // a quarter turn about z swaps x and y
    let expected = Matrix3::from_diagonal(&Vector3::new(0.0004, 0.0055, 0.0055));
    // a rounding of the rotation, 1e-16, of the moments
    assert!((own.tensor - expected).amax() < 1e-17);
    assert_eq!(own.centre, Vector3::new(0.125, 0.0, 0.0));
}

#[test]
fn the_arm_has_the_mass_matrix_and_the_weight_of_its_closed_form() {
    let arm = read(ARM);
    let model = model(&arm.toml).expect("a scenario");
    let (first, second, s) = (0.4, -0.9, 0.03);
    let (own, gravity) = dynamics(&model, &[(0, first), (1, second), (2, s)]);
    // masses, centres from their joints, moments about y
    let (m1, c1, i1, l1) = (2.0, 0.15, 0.0158, 0.3);
    let (m2, c2, i2) = (1.0, 0.125, 0.0055);
    let (m3, r, i3) = (0.2, 0.25 + s + 0.05, 2e-4);
    let outer = i2 + m2 * c2 * c2 + i3 + m3 * r * r;
    let arm_moment = l1 * (m2 * c2 + m3 * r) * f64::cos(second);
    let cross = m3 * l1 * f64::sin(second);
    let expected = [
        [
            i1 + m1 * c1 * c1 + (m2 + m3) * l1 * l1 + 2.0 * arm_moment + outer,
            outer + arm_moment,
            cross,
        ],
        [outer + arm_moment, outer, 0.0],
        [cross, 0.0, m3],
    ];
    for (row, expected) in own.iter().zip(expected) {
        for (a, b) in row.iter().zip(expected) {
            // roundings of some ten products
            assert!((a - b).abs() < 1e-14, "{a} {b}");
        }
    }
    // about +y the arm turns downwards: its height is −sin
    let g = 9.81;
    let both = first + second;
    let forearm = -g * (m2 * c2 + m3 * r) * f64::cos(both);
    let weights = [
        -g * (m1 * c1 + (m2 + m3) * l1) * f64::cos(first) + forearm,
        forearm,
        -m3 * g * f64::sin(both),
    ];
    for (a, b) in gravity.iter().zip(weights) {
        assert!((a - b).abs() < 1e-13, "{a} {b}");
    }
}

#[test]
fn friction_and_damping_keep_their_levels() {
    let arm = read(ARM);
    let levels: Vec<f64> = arm.machine.frictions.iter().map(|f| f.level).collect();
    assert_eq!(levels, [1.5, 0.6, 3.0]);
    let damping: Vec<f64> = arm.machine.springs.iter().map(|s| s.damping).collect();
    assert_eq!(damping, [0.2, 0.1]);
    assert!(
        arm.toml
            .contains("it does not depend on the\n# load of the joint")
    );
}

#[test]
fn what_is_not_taken_over_is_listed_with_its_line() {
    let arm = read(ARM);
    let line_of = |text: &str| {
        let at = ARM.lines().position(|line| line.contains(text));
        u32::try_from(at.expect("a line") + 1).expect("a short file")
    };
    let lost = |text: &str| {
        let mut all = arm.remarks.iter();
        let found = all.find(|r| {
            r.kind == RemarkKind::Lost && (r.what.contains(text) || r.detail.contains(text))
        });
        found.expect("a remark").line
    };
    assert_eq!(
        lost("package://small_arm/forearm.stl"),
        line_of("forearm.stl")
    );
    assert_eq!(lost("<spring>"), line_of("<spring"));
    assert_eq!(lost("<transmission>"), line_of("<transmission"));
    assert_eq!(
        lost("joint \"wrist\": 20 N, 1 m/s"),
        line_of("effort=\"20\"")
    );
    // a name that a scenario cannot have
    assert_eq!(body(&arm, "upper_arm").line, line_of("upper arm\">"));
    assert!(
        arm.remarks
            .iter()
            .any(|r| r.kind == RemarkKind::Changed && r.detail.contains("upper_arm"))
    );
}

#[test]
fn limits_are_stops_that_fit_the_inertia_behind_them() {
    let arm = read(ARM);
    let model = model(&arm.toml).expect("a scenario");
    let (own, _) = dynamics(&model, &[(0, 0.0), (1, 0.0), (2, 0.0)]);
    let found: Vec<(&str, f64, f64)> = arm
        .machine
        .stops
        .iter()
        .map(|s| (s.name.as_str(), s.min, s.max))
        .collect();
    assert_eq!(found, [("shoulder", -2.0, 2.0), ("wrist", 0.0, 0.1)]);
    for (stop, place) in arm.machine.stops.iter().zip([0, 2]) {
        // the diagonal of the mass matrix; roundings of some ten sums
        let expected = own[place][place];
        assert!((stop.inertia - expected).abs() < 1e-13, "{}", stop.name);
    }
    // 0.2 kg of the rod and what is fixed to it, (200π/s)² and 2 · 0.2 · 200π/s, to three digits
    let rod = own[2][2];
    let omega = 200.0 * std::f64::consts::PI;
    let of = |key: &str| {
        let section = arm.toml.split("[joint_stop.wrist]").nth(1).expect("a stop");
        let text = section.split(&format!("{key} = ")).nth(1).expect("a field");
        let end = text.find([',', ' ']).expect("an end");
        text[..end].parse::<f64>().expect("a number")
    };
    assert!((of("stiffness") / (rod * omega * omega) - 1.0).abs() < 5e-3);
    assert!((of("damping") / (0.4 * rod * omega) - 1.0).abs() < 5e-3);
    assert!(
        arm.toml
            .contains("at 100 Hz with a damping ratio of 0.2, and bounces with 0.57 of its speed")
    );
}

#[test]
fn a_start_outside_of_the_range_is_moved_and_said() {
    let limit = |lower: f64, upper: f64| {
        format!("<limit lower=\"{lower}\" upper=\"{upper}\" effort=\"1\" velocity=\"1\"/>")
    };
    let mimic = format!(
        "<mimic joint=\"one\" multiplier=\"-2\"/>{}",
        limit(0.1, 1.0)
    );
    let text = robot(&[
        link("a"),
        link("b"),
        link("c"),
        link("d"),
        joint("one", "a", "b", &limit(0.25, 1.0)),
        joint("two", "b", "c", &mimic),
        joint("three", "c", "d", &limit(1.0, 1.0)),
    ]);
    let imported = read(&text);
    assert_eq!(body(&imported, "b").start, Some(0.25));
    let said = |kind: RemarkKind, text: &str| {
        let mut all = imported.remarks.iter();
        all.any(|r| r.kind == kind && (r.what.contains(text) || r.detail.contains(text)))
    };
    assert!(said(
        RemarkKind::Changed,
        "joint \"one\": 0.25 … 1 rad: starts at 0.25"
    ));
    // the follower starts at −0.5 and cannot be moved alone
    assert!(said(
        RemarkKind::Lost,
        "joint \"two\": 0.1 … 1 rad: starts at -0.5"
    ));
    assert!(said(RemarkKind::Lost, "joint \"three\": 1 … 1 rad"));
    assert_eq!(imported.machine.stops.len(), 1);
    assert!(model(&imported.toml).is_ok());
}

#[test]
fn a_mimic_follows_and_starts_where_it_belongs() {
    let text = robot(&[
        link("a"),
        link("b"),
        link("c"),
        joint("one", "a", "b", ""),
        joint(
            "two",
            "b",
            "c",
            r#"<mimic joint="one" multiplier="-2" offset="0.5"/>"#,
        ),
    ]);
    let imported = read(&text);
    assert_eq!(body(&imported, "c").start, Some(0.5));
    let model = model(&imported.toml).expect("a scenario");
    // q_two = −2 q_one + 0.5
    assert!((model.start().q[1] - 0.5).abs() < 1e-12);
    assert!(imported.toml.contains("ratio = -2"));
}

#[test]
fn a_base_that_floats_is_free() {
    let text = robot(&[link("a")]);
    let imported = import(&text, &options(true, false)).expect("a robot");
    assert_eq!(body(&imported, "a").joint, MachineJoint::Free);
    assert!(model(&imported.toml).is_ok());
}

#[test]
fn a_link_without_mass_moves_with_what_is_fixed_to_it() {
    let fixed = r#"<joint name="f" type="fixed"><origin xyz="0.5 0 0"/><parent link="b"/><child link="c"/></joint>"#;
    let text = robot(&[
        link("a"),
        "<link name=\"b\"/>".to_owned(),
        link("c"),
        joint("one", "a", "b", "<axis xyz=\"0 0 1\"/>"),
        fixed.to_owned(),
    ]);
    let imported = read(&text);
    let model = model(&imported.toml).expect("a scenario");
    let (own, _) = dynamics(&model, &[(0, 0.0)]);
    // Steiner: I + m d²
    assert!((own[0][0] - (0.01 + 0.25)).abs() < 1e-15);
}

#[test]
fn a_link_that_moves_needs_a_mass() {
    let text = robot(&[
        link("a"),
        "<link name=\"b\"/>".to_owned(),
        joint("one", "a", "b", ""),
    ]);
    let found = problems(&text);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].line, 4);
    assert!(found[0].what.contains("link \"b\"") && found[0].what.contains("no mass"));
    assert!(found[0].remedy.contains("--repair"));
    let repaired = import(&text, &options(false, true)).expect("repaired");
    assert!(model(&repaired.toml).is_ok());
}

#[test]
fn an_inertia_that_no_solid_has_is_refused_or_repaired() {
    let odd = link("b").replace("izz=\"0.01\"", "izz=\"0.05\"");
    let text = robot(&[link("a"), odd, joint("one", "a", "b", "")]);
    assert!(problems(&text)[0].what.contains("principal moments"));
    let repaired = import(&text, &options(false, true)).expect("repaired");
    let own = body(&repaired, "b").inertia.expect("an inertia");
    // the smaller moments grow to half of the largest
    let expected = Vector3::new(0.025, 0.025, 0.05);
    assert!((own.tensor.diagonal() - expected).amax() < 1e-15);
}

#[test]
fn a_point_mass_does_not_take_the_moments_of_what_is_drawn() {
    let ball = r#"<visual><geometry><sphere radius="0.3"/></geometry></visual></link>"#;
    let point = link("b").replace("0.01", "0").replace("</link>", ball);
    let text = robot(&[
        link("a"),
        point,
        joint("one", "a", "b", "<origin xyz=\"1 0 0\"/>"),
        link("c"),
        joint("two", "b", "c", ""),
    ]);
    let model = model(&read(&text).toml).expect("a scenario");
    let (own, _) = dynamics(&model, &[(0, 0.0), (1, 0.0)]);
    // the ball c alone
    assert!((own[0][0] - 0.01).abs() < 1e-16);
}

#[test]
fn moments_without_a_mass_count_where_they_are_fixed() {
    let fixed = r#"<joint name="f" type="fixed"><parent link="b"/><child link="c"/></joint>"#;
    let text = robot(&[
        link("a"),
        link("b"),
        link("c").replace("mass value=\"1\"", "mass value=\"0\""),
        joint("one", "a", "b", ""),
        fixed.to_owned(),
    ]);
    let model = model(&read(&text).toml).expect("a scenario");
    let (own, _) = dynamics(&model, &[(0, 0.0)]);
    assert!((own[0][0] - 0.02).abs() < 1e-16);
}

#[test]
fn trees_that_are_none_are_refused_by_name_and_line() {
    let circle = robot(&[
        link("base"),
        link("a"),
        link("b"),
        joint("one", "a", "b", ""),
        joint("two", "b", "a", ""),
    ]);
    assert!(problems(&circle)[0].what.contains("carry each other"));
    let two_roots = robot(&[link("a"), link("b")]);
    assert!(
        problems(&two_roots)[0]
            .what
            .contains("\"a\" (line 2), \"b\" (line 4)")
    );
    let two_parents = robot(&[
        link("a"),
        link("b"),
        link("c"),
        joint("one", "a", "c", ""),
        joint("two", "b", "c", ""),
        joint("three", "a", "b", ""),
    ]);
    let found = problems(&two_parents);
    assert!(found[0].what.contains("child of two joints"));
    assert!(found[0].remedy.contains("[loop.NAME]"));
    let unknown = robot(&[link("a"), joint("one", "a", "b", "")]);
    assert!(
        problems(&unknown)[0]
            .what
            .contains("there is no link \"b\"")
    );
}

#[test]
fn xacro_is_refused() {
    let macros =
        "<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\">\n<xacro:arm/>\n</robot>";
    let found = problems(macros);
    assert_eq!(found[0].line, 2);
    assert!(found[0].remedy.contains("run `xacro"));
    // a prefix without declaration reads as well
    assert!(
        problems("<robot name=\"r\"><xacro:arm/></robot>")[0]
            .what
            .contains("xacro")
    );
    let value = robot(&[link("a").replace("value=\"1\"", "value=\"${m}\"")]);
    assert!(problems(&value)[0].remedy.contains("xacro"));
}

#[test]
fn numbers_that_nobody_measured_are_pointed_out() {
    let dynamics = "<dynamics friction=\"1.0\" damping=\"0.5\"/>";
    let text = robot(&[
        link("a"),
        link("b"),
        link("c"),
        link("d"),
        joint("one", "a", "b", dynamics),
        joint("two", "b", "c", dynamics),
        joint("three", "c", "d", dynamics),
    ]);
    let imported = read(&text);
    let doubtful = |text: &str| {
        let mut all = imported.remarks.iter();
        all.any(|r| r.kind == RemarkKind::Doubtful && r.what.contains(text))
    };
    assert!(doubtful("friction looks like a placeholder"));
    assert!(doubtful("damping looks like a placeholder"));
    assert!(doubtful("mass and inertia look like placeholders"));
}

#[test]
fn what_is_no_xml_or_no_robot_says_so() {
    assert!(
        problems("<robot name=\"r\">\n<link>")[0]
            .what
            .contains("not well-formed XML")
    );
    assert!(
        problems("<sdf/>")[0]
            .what
            .contains("neither <robot> (URDF) nor <mujoco> (MJCF)")
    );
    assert!(
        problems("<robot name=\"r\"/>")[0]
            .what
            .contains("no <link>")
    );
}

#[test]
fn every_law_can_stand_in_a_joint_or_says_why_not() {
    let mut refused = Vec::new();
    for card in bristle_laws::Friction::CARDS {
        let mut own = options(false, false);
        own.law = card;
        match import(ARM, &own) {
            Ok(imported) => assert!(model(&imported.toml).is_ok(), "{}", card.name),
            Err(problems) => {
                assert!(problems[0].remedy.contains("--law"));
                refused.push(card.name);
            }
        }
    }
    assert!(
        refused.len() * 4 < bristle_laws::Friction::CARDS.len(),
        "{refused:?}"
    );
}
