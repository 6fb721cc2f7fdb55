//! Friction in joints against closed forms and an independent integration.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod common;

use bristle_laws::{Friction, friction};
use bristle_mechanics::element::{JointFriction, JointLoad, JointSpring, Torque};
use bristle_mechanics::record::{Outcome, Start};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, JointOwner, Model, ModelBuilder, Vec3};
use bristle_signals::Signal;
use common::{Rows, lugre, plan, record, table, values};
use nalgebra::UnitQuaternion;

fn run(model: &Model, end_time: f64, tolerance: f64, output: f64) -> (Rows, Outcome) {
    let (outcome, rows) = record(model, &plan(end_time, tolerance), Start::AsGiven, output);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    (rows, outcome)
}

/// Two seconds from static equilibrium.
fn rest(model: &Model) -> (Rows, Outcome) {
    let (outcome, rows) = record(model, &plan(2.0, 1e-7), Start::Equilibrium, 0.1);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    (rows, outcome)
}

fn last(rows: &Rows, name: &str) -> f64 {
    *rows.column(name).last().unwrap()
}

fn law(name: &str, list: &[(&str, f64)]) -> Friction {
    Friction::build(name, &values(list)).unwrap()
}

fn in_joint(
    body: BodyId,
    friction: Friction,
    load: JointLoad,
    radius: Option<f64>,
) -> Box<JointFriction> {
    let slip_speed = friction.slip_speed();
    Box::new(JointFriction {
        name: "brake".into(),
        joint: JointOwner::Body(body),
        place: 0,
        friction: friction.into(),
        load,
        radius,
        slip_speed,
    })
}

/// A rotor of 0.01 kg m² under a torque that grows by 0.1 N m/s up to `limit` (N m).
fn rotor(limit: f64) -> Model {
    let mut builder = ModelBuilder::new();
    let axis = Vec3::z();
    let inertia = Inertia {
        mass: 1.0,
        centre: Vec3::zeros(),
        tensor: nalgebra::Matrix3::from_diagonal_element(0.01),
    };
    let body = builder
        .body(Body::new("rotor", Joint::Revolute { axis }, inertia))
        .unwrap();
    // 0.5 N m to break away and 0.05 N m to turn, at a radius of 0.1 m under 10 N
    let friction = law(
        "karnopp",
        &[("mu_s", 0.5), ("mu_k", 0.05), ("v_s", 1e-6), ("Dv", 1e-7)],
    );
    let load = JointLoad::Given(Signal::Constant(10.0));
    builder
        .joint_element(in_joint(body, friction, load, Some(0.1)))
        .unwrap();
    let end = limit / 0.1;
    builder
        .element(Box::new(Torque {
            name: "ramp".into(),
            body,
            axis,
            magnitude: table(&[(0.0, 0.0), (end, limit), (end + 10.0, limit)]),
        }))
        .unwrap();
    builder.build()
}

#[test]
fn a_rotor_holds_to_its_static_level_and_starts_with_the_surplus() {
    let (rows, outcome) = run(&rotor(1.0), 5.01, 1e-6, 1e-3);
    let t = rows.column("t");
    let rate = rows.column("joint.rotor.rate");
    // the law lets go at D_v/ρ = 1e-6 rad/s, which a surplus that grows by 0.1 N m/s reaches
    // after √(2e-6/10) s = 0.45 ms
    let started = t.iter().zip(&rate).find(|(_, w)| w.abs() > 2e-6).unwrap().0;
    assert!((started - 5.0).abs() < 2e-3, "{started}");
    // (0.5 − 0.05)/0.01 = 45 rad/s², and 10 rad/s³ by the ramp
    let tau = 5.01 - outcome.joints[0].first_slip_time.unwrap();
    let expected = 45.0 * tau + 5.0 * tau * tau;
    let last = last(&rows, "joint.rotor.rate");
    assert!(
        (last - expected).abs() < 1e-3 * expected,
        "{last} {expected}"
    );
    let first = outcome.joints[0].first_slip_time.unwrap();
    assert!((first - 5.0).abs() < 1e-3, "{first}");
    assert!(outcome.energies.relative_imbalance().abs() < 1e-5);
}

#[test]
fn a_rotor_below_its_static_level_never_moves() {
    let (rows, outcome) = run(&rotor(0.4999), 15.0, 1e-6, 0.1);
    assert_eq!(outcome.joints[0].first_slip_time, None);
    // the clamp gives way by 0.1 µm/s · 1 ms at a radius of 0.1 m
    assert!(last(&rows, "joint.rotor.coordinate").abs() < 1e-7);
    assert!(last(&rows, "joint.rotor.rate").abs() < 1e-9);
}

/// A block on a slope of any direction; the load is the reaction of its guide.
fn incline(degrees: f64, friction: Friction) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let angle = degrees.to_radians();
    // down the slope, which is turned by 33° about the vertical
    let heading = 33.0_f64.to_radians();
    let down = Vec3::new(
        angle.cos() * heading.cos(),
        angle.cos() * heading.sin(),
        -angle.sin(),
    );
    // given in the axes of a joint that is turned at random
    let orientation = UnitQuaternion::from_euler_angles(0.7, -1.1, 2.3);
    let axis = orientation.inverse() * down;
    let mut body = Body::new(
        "block",
        Joint::Prismatic { axis },
        Inertia {
            mass: 2.5,
            ..Inertia::NONE
        },
    );
    body.orientation = orientation;
    let body = builder.body(body).unwrap();
    let load = JointLoad::Reaction {
        preload: 0.0,
        moment_arm: None,
    };
    builder
        .joint_element(in_joint(body, friction, load, None))
        .unwrap();
    builder.build()
}

#[test]
fn a_block_on_an_incline_holds_below_the_friction_angle_and_slides_above() {
    let friction = || law("jenkins", &[("k_t", 1e5), ("mu_k", 0.3)]);
    let friction_angle = 0.3_f64.atan().to_degrees();
    let (rows, outcome) = rest(&incline(friction_angle - 0.1, friction()));
    assert_eq!(outcome.joints[0].first_slip_time, None);
    assert!(last(&rows, "joint.block.coordinate").abs() < 1e-4);
    let (rows, outcome) = run(&incline(30.0, friction()), 1.0, 1e-8, 0.1);
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    let load = last(&rows, "joint_friction.brake.load");
    // rounding, and the iteration error of the step
    assert!((load - 2.5 * 9.81 * cos).abs() < 1e-9 * load, "{load}");
    // once the element has its full deflection, the acceleration is constant
    let rate = rows.column("joint.block.rate");
    let got = (rate[10] - rate[5]) / 0.5;
    let expected = 9.81 * (sin - 0.3 * cos);
    // rounding, and the iteration error of the steps
    assert!((got - expected).abs() < 1e-7, "{got} {expected}");
    assert!(outcome.energies.relative_imbalance().abs() < 1e-5);
}

/// A rod of 0.5 m and 2 kg on a pin of radius 20 mm, with a preload of 1 N.
fn pendulum() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, -9.81, 0.0));
    let (mass, length) = (2.0, 0.5);
    let inertia = Inertia {
        mass,
        centre: Vec3::new(0.0, -0.5 * length, 0.0),
        tensor: nalgebra::Matrix3::from_diagonal_element(mass * length * length / 12.0),
    };
    let mut body = Body::new("rod", Joint::Revolute { axis: Vec3::z() }, inertia);
    body.coordinates = vec![1.2];
    let body = builder.body(body).unwrap();
    let friction = law("coulomb_tanh", &[("mu_k", 0.2), ("v_r", 1e-3)]);
    let load = JointLoad::Reaction {
        preload: 1.0,
        moment_arm: None,
    };
    builder
        .joint_element(in_joint(body, friction, load, Some(0.02)))
        .unwrap();
    builder.build()
}

#[test]
fn a_pendulum_whose_pin_rubs_agrees_with_an_independent_integration() {
    let (rows, outcome) = run(&pendulum(), 4.0, 1e-9, 1.0);
    let angle = rows.column("joint.rod.coordinate");
    // tools/pendulum_friction.py (SciPy, Radau, relative tolerance 1e-12)
    for (k, expected) in PENDULUM.into_iter().enumerate() {
        // second order with steps for 1e-9: below 1e-5 of the amplitude
        assert!(
            (angle[k + 1] - expected).abs() < 1e-5,
            "{k}: {} {expected}",
            angle[k + 1]
        );
    }
    assert!(outcome.energies.relative_imbalance().abs() < 1e-5);
}

const PENDULUM: [f64; 4] = [0.275_350_207, -0.863_316_651, -0.775_328_771, 0.149_550_281];

#[test]
fn every_law_of_the_catalogue_runs_in_a_joint() {
    for card in Friction::CARDS {
        let friction = Friction::build(card.name, &friction::typical(card)).unwrap();
        let (_, outcome) = run(&incline(30.0, friction), 0.05, 1e-5, 0.01);
        assert!(outcome.end_time > 0.049, "{}", card.name);
    }
}

#[test]
fn a_joint_spring_and_damper_swing_as_the_closed_form() {
    let mut builder = ModelBuilder::new();
    let inertia = Inertia::solid_box(2.0, [0.3, 0.2, 0.1]);
    let moment = inertia.tensor[(2, 2)];
    let mut body = Body::new("wheel", Joint::Revolute { axis: Vec3::z() }, inertia);
    body.coordinates = vec![0.5];
    let body = builder.body(body).unwrap();
    let (stiffness, damping, rest) = (3.0, 0.02, 0.1);
    builder
        .joint_element(Box::new(JointSpring {
            name: "torsion".into(),
            joint: JointOwner::Body(body),
            place: 0,
            stiffness,
            cubic: 0.0,
            damping,
            rest,
            turns: true,
        }))
        .unwrap();
    let (rows, outcome) = run(&builder.build(), 1.0, 1e-9, 0.1);
    let decay = damping / (2.0 * moment);
    let w = (stiffness / moment - decay * decay).sqrt();
    for (t, q) in rows
        .column("t")
        .iter()
        .zip(rows.column("joint.wheel.coordinate"))
    {
        let (sin, cos) = (w * t).sin_cos();
        let expected = rest + 0.4 * (-decay * t).exp() * (cos + decay / w * sin);
        // second order: steps of about a thousandth of the period
        assert!((q - expected).abs() < 1e-5, "{t}: {q} {expected}");
    }
    assert!(outcome.energies.relative_imbalance().abs() < 1e-5);
}

#[test]
fn lugre_in_a_joint_behaves_as_in_a_contact_of_the_same_load() {
    // creep-free hold below the limit: the deflection is F/(N σ₀) at rest
    let (rows, outcome) = rest(&incline(5.0, lugre()));
    assert_eq!(outcome.joints[0].first_slip_time, None);
    let load = last(&rows, "joint_friction.brake.load");
    let force = last(&rows, "joint_friction.brake.friction");
    let (sin, cos) = 5.0_f64.to_radians().sin_cos();
    assert!((load - 2.5 * 9.81 * cos).abs() < 1e-9 * load);
    // at rest to the tolerance of the run
    assert!((force - 2.5 * 9.81 * sin).abs() < 1e-4, "{force}");
}
