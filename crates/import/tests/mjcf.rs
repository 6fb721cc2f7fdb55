//! MJCF files made by hand, against closed forms.

#![allow(clippy::expect_used, reason = "a test may panic")]
#![allow(
    clippy::float_cmp,
    reason = "numbers that are taken over keep their bits"
)]

mod support;

use std::f64::consts::{FRAC_PI_2, PI};

use bristle_import::{MachineJoint, import};
use nalgebra::{UnitQuaternion, Vector3};
use support::{body, dynamics, model, options, problems, read};

fn in_world(body: &str) -> String {
    format!("<mujoco>\n<worldbody>\n{body}\n</worldbody>\n</mujoco>")
}

const BALL: &str = r#"<geom size="0.1" mass="1"/>"#;

#[test]
fn a_capsule_has_the_mass_and_moments_of_its_solid() {
    let imported = read(&in_world(
        r#"<body name="b"><joint pos="0 0 1"/><geom type="capsule" fromto="0 0 -0.3 0 0 0.3" size="0.1" density="500"/></body>"#,
    ));
    let own = body(&imported, "b").inertia.expect("an inertia");
    let (r, h) = (0.1_f64, 0.3_f64);
    let middle = 500.0 * PI * r * r * 2.0 * h;
    let ends = 500.0 * 4.0 / 3.0 * PI * r.powi(3);
    assert!((own.mass - (middle + ends)).abs() < 1e-13);
    // the frame of the body is where its joint is
    assert!((own.centre - Vector3::new(0.0, 0.0, -1.0)).norm() < 1e-15);
    let along = middle * r * r / 2.0 + ends * 0.4 * r * r;
    // two half balls: 83/320 m r² about their own centroid across, which lies 3r/8 beyond the cylinder
    let half = ends / 2.0;
    let offset = h + 0.375 * r;
    let across = middle * (r * r / 4.0 + h * h / 3.0)
        + 2.0 * half * (83.0 / 320.0 * r * r + offset * offset);
    assert!((own.tensor[(2, 2)] - along).abs() < 1e-14);
    assert!((own.tensor[(0, 0)] - across).abs() < 1e-13);
}

#[test]
fn other_solids_have_their_moments() {
    let of = |geom: &str| {
        let imported = read(&in_world(&format!(
            "<body name=\"b\"><joint/>{geom}</body>"
        )));
        body(&imported, "b").inertia.expect("an inertia")
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-13, "{a} {b}");
    let cuboid = of(r#"<geom type="box" size="0.1 0.2 0.3"/>"#);
    near(cuboid.mass, 1000.0 * 8.0 * 0.006);
    near(
        cuboid.tensor[(0, 0)],
        cuboid.mass / 12.0 * (0.4 * 0.4 + 0.6 * 0.6),
    );
    let cylinder = of(r#"<geom type="cylinder" size="0.1 0.2" mass="3"/>"#);
    near(cylinder.tensor[(2, 2)], 0.5 * 3.0 * 0.01);
    near(cylinder.tensor[(0, 0)], 3.0 * (0.01 / 4.0 + 0.16 / 12.0));
    let ellipsoid = of(r#"<geom type="ellipsoid" size="0.1 0.2 0.3" mass="1"/>"#);
    near(ellipsoid.tensor[(0, 0)], (0.04 + 0.09) / 5.0);
    // two balls of 1 kg half a metre from the middle: 2 (2/5 m r² + m d²) across
    let pair = of(
        r#"<geom size="0.1" mass="1" pos="0.5 0 0"/><geom size="0.1" mass="1" pos="-0.5 0 0"/>"#,
    );
    near(pair.tensor[(2, 2)], 2.0 * (0.004 + 0.25));
    near(pair.tensor[(0, 0)], 2.0 * 0.004);
}

#[test]
fn all_forms_of_an_orientation_are_the_same_rotation() {
    // z to x and x to −z: a quarter turn about y
    let forms = [
        r#"quat="0.5 0 0.5 0""#,
        r#"axisangle="0 2 0 90""#,
        r#"euler="0 90 0""#,
        r#"xyaxes="0 0 -1 0 1 0""#,
        r#"zaxis="3 0 0""#,
    ];
    let expected = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), FRAC_PI_2);
    for form in forms {
        let imported = read(&in_world(&format!(
            "<body name=\"b\" {form}><joint/>{BALL}</body>"
        )));
        let own = body(&imported, "b").place.rotation;
        assert!(own.angle_to(&expected) < 1e-14, "{form}");
    }
    let radian = in_world(&format!(
        "<body name=\"b\" euler=\"0 {FRAC_PI_2} 0\"><joint/>{BALL}</body>"
    ))
    .replace(
        "<mujoco>",
        "<mujoco><compiler angle=\"radian\" eulerseq=\"XYZ\"/>",
    );
    let own = body(&read(&radian), "b").place.rotation;
    assert!(own.angle_to(&expected) < 1e-14);
}

#[test]
fn several_joints_of_a_body_are_one_joint() {
    let of = |joints: &str| {
        let imported = read(&in_world(&format!(
            "<body name=\"b\">{joints}{BALL}</body>"
        )));
        assert!(model(&imported.toml).is_ok());
        body(&imported, "b").joint
    };
    let (x, z) = (Vector3::x(), Vector3::z());
    assert_eq!(of(""), MachineJoint::Fixed);
    assert_eq!(of("<freejoint/>"), MachineJoint::Free);
    assert_eq!(of("<joint type=\"ball\"/>"), MachineJoint::Spherical);
    assert_eq!(
        of("<joint type=\"slide\" axis=\"1 0 0\"/>"),
        MachineJoint::Prismatic(x)
    );
    let cylindrical = r#"<joint type="slide" axis="1 0 0"/><joint axis="1 0 0"/>"#;
    assert_eq!(of(cylindrical), MachineJoint::Cylindrical(x));
    let universal = r#"<joint axis="0 0 1"/><joint axis="1 0 0"/>"#;
    assert_eq!(of(universal), MachineJoint::Universal(z, x));
    let planar = r#"<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint axis="0 0 1"/>"#;
    assert_eq!(of(planar), MachineJoint::Planar(z));
}

#[test]
fn joints_that_no_scenario_has_are_refused_or_chained() {
    let text = in_world(&format!(
        r#"<body name="b"><joint name="u" axis="1 0 0"/><joint name="v" axis="0 1 0"/><joint name="w" axis="0 0 1"/>{BALL}</body>"#
    ));
    let found = problems(&text);
    assert_eq!(found[0].line, 3);
    assert!(found[0].what.contains("\"u\", \"v\", \"w\"") && found[0].remedy.contains("--repair"));
    let repaired = import(&text, &options(false, true)).expect("a chain");
    assert_eq!(repaired.machine.bodies.len(), 3);
    assert!(model(&repaired.toml).is_ok());
}

const DEFAULTS: &str = r#"<mujoco>
<compiler angle="degree"/>
<default>
  <joint damping="0.1"/>
  <default class="stiff"><joint frictionloss="2" stiffness="5" springref="90"/></default>
</default>
<worldbody>
  <body name="a" childclass="stiff">
    <joint name="one" axis="0 1 0" ref="30"/><geom size="0.1" mass="1" pos="0 0 -1"/>
    <body name="b"><joint name="two" class="main" range="-10 10"/><geom size="0.1" mass="1"/></body>
  </body>
</worldbody>
</mujoco>"#;

#[test]
fn defaults_reach_joints_by_their_class() {
    let imported = read(DEFAULTS);
    let machine = &imported.machine;
    assert_eq!(machine.frictions.len(), 1);
    assert_eq!(machine.frictions[0].level, 2.0);
    let [one, two] = machine.springs.as_slice() else {
        unreachable!("two springs");
    };
    assert_eq!((one.stiffness, one.damping), (5.0, 0.1));
    // the coordinate of a scenario is 0 where the file has ref: 90° − 30°
    assert!((one.rest - PI / 3.0).abs() < 1e-15);
    assert_eq!((two.stiffness, two.damping), (0.0, 0.1));
    // ten degrees
    let [stop] = machine.stops.as_slice() else {
        unreachable!("one stop");
    };
    assert_eq!((stop.min, stop.max), (-PI / 18.0, PI / 18.0));
}

#[test]
fn a_rotor_counts_where_a_stop_is_met_and_a_second_angle_cannot_start_elsewhere() {
    let imported = read(&in_world(
        r#"<body name="a"><joint name="j" axis="0 1 0" range="10 20" armature="0.3"/><geom size="0.1" mass="1" pos="0 0 -1"/>
             <body name="b"><joint name="k" axis="1 0 0"/><joint name="l" axis="0 1 0" range="10 20" solreflimit="0.01 1"/>
               <geom size="0.1" mass="2"/></body>
             <body name="c"><joint name="m" type="ball" range="0 30"/><geom size="0.1" mass="1"/></body></body>"#,
    ));
    let [stop] = imported.machine.stops.as_slice() else {
        unreachable!("one stop");
    };
    // Steiner of the ball, and what its own joint, the other two bodies and the rotor add
    let ball = 0.4 * 0.01;
    let expected = (ball + 1.0) + 2.0 * ball + ball + 0.3;
    assert!((stop.inertia - expected).abs() < 1e-14);
    assert_eq!(body(&imported, "a").start, Some(PI / 18.0));
    let lost = |text: &str| imported.remarks.iter().any(|r| r.what.contains(text));
    assert!(lost("cannot start elsewhere") && lost("MuJoCo's solver") && lost("range of a ball"));
    assert!(model(&imported.toml).is_ok());
}

#[test]
fn friction_of_a_ball_joint_is_that_of_a_spherical_one() {
    let imported = read(&in_world(
        r#"<body name="a"><joint name="m" type="ball" frictionloss="0.2" damping="1"/><geom size="0.1" mass="1"/></body>"#,
    ));
    let model = model(&imported.toml).expect("a scenario");
    let rubs: Vec<_> = model.rubbing_joints().collect();
    let [joint] = rubs.as_slice() else {
        unreachable!("one joint rubs");
    };
    assert_eq!((joint.name, joint.radius), ("m", Some(1.0)));
    let said = |text: &str| imported.remarks.iter().any(|r| r.what.contains(text));
    assert!(said("the level is that of the whole torque"));
    assert!(said("damping, stiffness or armature of a ball joint"));
}

#[test]
fn a_pendulum_whose_joint_is_off_its_frame_has_its_closed_form() {
    let imported = read(&in_world(
        r#"<body name="b" pos="1 2 3"><joint axis="0 1 0" pos="0 0 0.5"/><geom size="0.1" mass="2"/></body>"#,
    ));
    let model = model(&imported.toml).expect("a scenario");
    let angle = 0.3;
    let (own, gravity) = dynamics(&model, &[(0, angle)]);
    // 2/5 m r² + m l², m g l sin
    assert!((own[0][0] - (0.4 * 2.0 * 0.01 + 2.0 * 0.25)).abs() < 1e-14);
    assert!((gravity[0] - 2.0 * 9.81 * 0.5 * f64::sin(angle)).abs() < 1e-13);
}

#[test]
fn armature_is_a_rotor_that_turns_with_the_joint() {
    let imported = read(&in_world(&format!(
        "<body name=\"b\"><joint name=\"j\" armature=\"0.2\"/>{BALL}</body>"
    )));
    let rotor = body(&imported, "j_armature");
    assert_eq!(rotor.inertia.expect("an inertia").tensor[(2, 2)], 0.2);
    assert_eq!(imported.machine.couplings[0].ratio, 1.0);
    assert!(model(&imported.toml).is_ok());
}

/// Four bars of length 1 in a square, closed by a point.
const SQUARE: &str = r#"<mujoco>
<worldbody>
  <body name="a"><joint name="one" axis="0 1 0"/><geom size="0.1" mass="1" pos="0 0 0.5"/>
    <body name="b" pos="0 0 1"><joint name="two" axis="0 1 0"/><geom size="0.1" mass="1" pos="0.5 0 0"/></body>
  </body>
  <body name="c" pos="1 0 0"><joint name="three" axis="0 1 0"/><geom size="0.1" mass="1" pos="0 0 0.5"/></body>
</worldbody>
<equality>
  <connect name="pin" body1="b" body2="c" anchor="1 0 0"/>
  <joint joint1="three" joint2="one" polycoef="0 1 0 0 0"/>
  <weld body1="a" body2="c" active="false"/>
</equality>
</mujoco>"#;

#[test]
fn constraints_are_loops_and_couplings() {
    let imported = read(SQUARE);
    let [pin] = imported.machine.loops.as_slice() else {
        unreachable!("one loop");
    };
    assert_eq!(pin.joint, MachineJoint::Spherical);
    // the anchor of b is the upper end of c
    assert!((pin.to.1.position - Vector3::new(0.0, 0.0, 1.0)).norm() < 1e-15);
    assert_eq!(imported.machine.couplings.len(), 1);
    assert!(model(&imported.toml).is_ok());
}

#[test]
fn a_weld_holds_the_places_of_the_start() {
    let text = SQUARE.replace("active=\"false\"", "");
    let text = text.replace(
        r#"<connect name="pin" body1="b" body2="c" anchor="1 0 0"/>"#,
        "",
    );
    let imported = read(&text);
    let own = &imported.machine.loops[0];
    assert_eq!(own.joint, MachineJoint::Fixed);
    // c stands 1 m beside a; the shared place is the frame of a
    assert!((own.to.1.position - Vector3::new(-1.0, 0.0, 0.0)).norm() < 1e-15);
}

#[test]
fn what_other_files_hold_or_compiling_makes_is_refused() {
    let include = "<mujoco>\n<include file=\"arm.xml\"/>\n</mujoco>";
    assert!(problems(include)[0].what.contains("another file"));
    let mesh = in_world("<body name=\"b\"><joint/><geom type=\"mesh\" mesh=\"m\"/></body>");
    assert!(problems(&mesh)[0].remedy.contains("compile"));
    let replicate = in_world("<replicate count=\"3\"/>");
    assert!(problems(&replicate)[0].what.contains("replicate"));
    let global = "<mujoco><compiler coordinate=\"global\"/></mujoco>";
    assert!(problems(global)[0].what.contains("global"));
    let class = in_world("<body name=\"b\"><joint class=\"none\"/></body>");
    assert!(
        problems(&class)[0]
            .what
            .contains("no default class \"none\"")
    );
}
