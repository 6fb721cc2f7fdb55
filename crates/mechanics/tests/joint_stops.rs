//! Stops of joints against closed forms.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use bristle_laws::Normal;
use bristle_mechanics::element::{JointEffort, JointStop};
use bristle_mechanics::record::{Outcome, Start};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, JointOwner, Model, ModelBuilder, Vec3};
use bristle_signals::Signal;
use common::{Rows, plan, record, values};

/// Moment of inertia, kg m², and the radius at which the lever meets its stops, m.
const MOMENT: f64 = 0.4;
const RADIUS: f64 = 0.2;

fn lever(rate: f64, damping: f64, torque: f64) -> Model {
    let mut builder = ModelBuilder::new();
    let mut inertia = Inertia::solid_sphere(1.0, 1.0);
    inertia.tensor *= MOMENT / inertia.tensor[(0, 0)];
    let mut body = Body::new("lever", Joint::Revolute { axis: Vec3::z() }, inertia);
    body.velocity = vec![rate];
    let body: BodyId = builder.body(body).unwrap();
    // damping in proportion to the elastic force: it begins smoothly
    let law = [
        ("stiffness", 1e6),
        ("exponent", 1.5),
        ("damping", damping),
        ("damping_exponent", 1.5),
    ];
    let joint = JointOwner::Body(body);
    let stop = JointStop {
        name: "end".into(),
        joint,
        place: 0,
        min: Some(-0.5),
        max: Some(1.0),
        normal: Normal::build("hunt_crossley", &values(&law)).unwrap(),
        radius: Some(RADIUS),
    };
    builder.joint_element(Box::new(stop)).unwrap();
    let motor = JointEffort {
        name: "motor".into(),
        joint,
        place: 0,
        magnitude: Signal::Constant(torque),
        turns: true,
    };
    builder.joint_element(Box::new(motor)).unwrap();
    builder.build()
}

fn run(model: &Model, end: f64) -> (Outcome, Rows) {
    let (outcome, rows) = record(model, &plan(end, 1e-8), Start::AsGiven, end / 200.0);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    (outcome, rows)
}

fn last(rows: &Rows, name: &str) -> f64 {
    rows.column(name).last().copied().unwrap()
}

#[test]
fn elastic_stops_throw_back_with_the_same_speed() {
    // from 0 to 1 rad at 2 rad/s, back to -0.5 rad, and forth again
    let (outcome, rows) = run(&lever(2.0, 0.0, 0.0), 1.6);
    let rate = rows.column("joint.lever.rate");
    // the energy of the impact, second order at this tolerance
    assert!((rate[100] + 2.0).abs() < 1e-4, "{}", rate[100]);
    assert!((last(&rows, "joint.lever.rate") - 2.0).abs() < 1e-4);
    assert!(outcome.energies.relative_imbalance() < 1e-4);
}

#[test]
fn a_damped_stop_takes_what_the_ledger_says() {
    let (outcome, rows) = run(&lever(2.0, 5e5, 0.0), 0.8);
    let rate = last(&rows, "joint.lever.rate");
    assert!(rate < 0.0 && rate > -1.99, "{rate}");
    let lost = 0.5 * MOMENT * (4.0 - rate * rate);
    let booked = outcome.energies.dissipated;
    // the imbalance of a run at this tolerance
    assert!((booked / lost - 1.0).abs() < 1e-3, "{booked}, {lost}");
}

#[test]
fn a_lever_rests_against_its_stop_where_the_torque_is_held() {
    // T = R K (R phi)^p
    let torque = 3.0;
    let (_, rows) = run(&lever(0.0, 5e6, torque), 6.0);
    let depth = (torque / (RADIUS * 1e6)).powf(1.0 / 1.5) / RADIUS;
    let beyond = last(&rows, "joint.lever.coordinate") - 1.0;
    // what still moves after six seconds is a thousandth of it
    assert!((beyond / depth - 1.0).abs() < 1e-3, "{beyond} {depth}");
    assert!((last(&rows, "joint_stop.end.torque") / torque + 1.0).abs() < 1e-3);
}
