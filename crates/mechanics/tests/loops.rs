//! Closed loops against closed forms, and the order of the method with them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use bristle_integrate::{Method, Plan, equilibrium};
use bristle_mechanics::element::{JointFriction, JointLoad};
use bristle_mechanics::modes::Contacts;
use bristle_mechanics::record::Start;
use bristle_mechanics::{
    Body, BodyId, Coupling, CouplingTerm, GivenStart, Inertia, Joint, JointOwner, LoopEnd, LoopId,
    LoopJoint, Model, ModelBuilder, Vec3,
};
use bristle_signals::Signal;
use common::{Rows, fixed, plan, record, values};

const GRAVITY: f64 = 9.81;

fn hinge() -> Joint {
    Joint::Revolute { axis: Vec3::z() }
}

/// A bar along its own x axis with its mass at `centre`.
fn bar(name: &str, mass: f64, moment: f64, centre: f64) -> Body {
    let mut inertia = Inertia::solid_sphere(mass, 1.0);
    inertia.tensor *= moment / inertia.tensor[(0, 0)];
    inertia.centre = Vec3::new(centre, 0.0, 0.0);
    Body::new(name, hinge(), inertia)
}

fn pin(name: &str, from: (BodyId, f64), to: (BodyId, f64)) -> LoopJoint {
    let end = |(body, x)| LoopEnd::at(body, Vec3::new(x, 0.0, 0.0));
    LoopJoint {
        name: name.to_owned(),
        joint: hinge(),
        from: end(from),
        to: end(to),
    }
}

/// Two massless cranks of 0.3 m, 0.4 m apart, and a coupler of 2 kg on their ends.
struct Parallelogram {
    builder: ModelBuilder,
    bodies: [BodyId; 3],
    closing: LoopId,
}

fn parallelogram(angle: f64, rate: f64) -> Parallelogram {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, -GRAVITY, 0.0));
    let mut left = bar("left", 1e-6, 1e-9, 0.0);
    left.coordinates = vec![angle];
    left.velocity = vec![rate];
    left.given = GivenStart {
        coordinates: true,
        rates: true,
    };
    let left = builder.body(left).unwrap();
    let mut coupler = bar("coupler", 2.0, 0.01, 0.2)
        .at(Vec3::new(0.3, 0.0, 0.0))
        .on(left);
    coupler.coordinates = vec![-angle];
    let coupler = builder.body(coupler).unwrap();
    let mut right = bar("right", 1e-6, 1e-9, 0.0).at(Vec3::new(0.4, 0.0, 0.0));
    right.coordinates = vec![angle];
    let right = builder.body(right).unwrap();
    let closing = builder
        .close_loop(pin("pin", (right, 0.3), (coupler, 0.4)))
        .unwrap();
    Parallelogram {
        builder,
        bodies: [left, coupler, right],
        closing,
    }
}

/// Crank of 0.1 m and rod of 0.3 m; the pin runs on a slider along x.
fn slider_crank(rod_angle: f64) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, -GRAVITY, 0.0));
    let mut crank = bar("crank", 0.5, 5e-4, 0.05);
    crank.coordinates = vec![1.0];
    crank.velocity = vec![3.0];
    crank.given = GivenStart {
        coordinates: true,
        rates: true,
    };
    let crank = builder.body(crank).unwrap();
    let mut rod = bar("rod", 0.4, 3e-3, 0.15)
        .at(Vec3::new(0.1, 0.0, 0.0))
        .on(crank);
    rod.coordinates = vec![rod_angle];
    let rod = builder.body(rod).unwrap();
    let slides = Joint::Prismatic { axis: Vec3::x() };
    let slider = Body::new("slider", slides, Inertia::solid_sphere(0.8, 0.01));
    let slider = builder.body(slider).unwrap();
    builder
        .close_loop(pin("pin", (rod, 0.3), (slider, 0.0)))
        .unwrap();
    builder.build()
}

/// The rows of a run that has to reach its end.
fn run(model: &Model, plan: &Plan, output_step: f64) -> Rows {
    let (outcome, rows) = record(model, plan, Start::AsGiven, output_step);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    rows
}

fn last(rows: &Rows, name: &str) -> f64 {
    rows.column(name).last().copied().unwrap()
}

#[test]
fn a_loop_in_the_plane_has_two_constraints_and_keeps_what_is_given() {
    // the rod points anywhere: closing turns it, and leaves the crank
    for rod in [-1.2, 0.0, 0.3] {
        let model = slider_crank(rod);
        let report = model.assembly().unwrap().unwrap();
        assert_eq!(report.mobility, 1);
        // a pin in space has five; out of the plane, and about the axes in it, the joints hold
        assert_eq!(report.redundant.iter().map(|r| r.rows).sum::<usize>(), 3);
        let state = model.start();
        assert!((state.q[0] - 1.0).abs() < f64::EPSILON, "the crank stays");
        let (y, x) = (0.1 * 1.0_f64.sin(), 0.1 * 1.0_f64.cos());
        let slider = x + (0.09 - y * y).sqrt();
        assert!((state.q[2] - slider).abs() < 1e-13, "{rod}: {}", state.q[2]);
        // and so do their velocities: dx/dt of that
        let rate = -3.0 * (y + x * y / (0.09 - y * y).sqrt());
        assert!((state.v[2] - rate).abs() < 1e-12, "{}", state.v[2]);
    }
}

#[test]
fn order_two_in_position_velocity_and_reaction() {
    let model = slider_crank(-1.2);
    let names = [
        "joint.crank.coordinate",
        "joint.crank.rate",
        "loop.pin.reaction.force.x",
    ];
    let at = |step: f64, method: Method| {
        let plan = Plan {
            method,
            // of the iteration: far below the differences of the steps; the end is no zero of theirs
            tolerance: 1e-13,
            ..fixed(0.28, step)
        };
        let rows = run(&model, &plan, 0.28);
        names.map(|name| last(&rows, name))
    };
    for method in [Method::NEWMARK, Method::generalised_alpha(0.8)] {
        let [coarse, middle, fine] = [2e-3, 1e-3, 5e-4].map(|step| at(step, method));
        for (k, name) in names.iter().enumerate() {
            let order = ((coarse[k] - middle[k]) / (middle[k] - fine[k])).log2();
            assert!(
                (order - 2.0).abs() < 0.2,
                "{name}: {order}, {coarse:?} {middle:?} {fine:?}"
            );
        }
    }
}

#[test]
fn loops_do_not_drift() {
    // a hundred thousand steps; each is projected, so that only rounding is left
    let model = slider_crank(-1.2);
    let rows = run(&model, &fixed(1.0, 1e-5), 0.01);
    let gap = rows
        .column("loop.pin.gap")
        .iter()
        .fold(0.0_f64, |m, x| m.max(*x));
    assert!(gap < 1e-14, "{gap}");
}

#[test]
fn a_hanging_parallelogram_swings_like_a_point_mass() {
    let model = parallelogram(-1.3, 0.0).builder.build();
    let mut state = model.start();
    equilibrium(&model, &mut state).unwrap();
    let angle = state.q[0];
    // hangs down to the residual that counts as none, a millionth of the weight
    assert!(
        (angle + std::f64::consts::FRAC_PI_2).abs() < 1e-6,
        "{angle}"
    );
    let modes = model.modes(&state, Contacts::AsTheyStand, 3).unwrap();
    assert_eq!(modes.len(), 1);
    // the coupler does not turn: a pendulum of the cranks' length, whose masses are a millionth
    let omega = (GRAVITY / 0.3).sqrt() / std::f64::consts::TAU;
    assert!((modes[0].frequency() / omega - 1.0).abs() < 1e-5);
}

#[test]
fn loops_that_leave_no_motion_rest_where_they_are() {
    // a crank that is held: all forces are those of the pins
    let Parallelogram {
        mut builder,
        bodies: [left, ..],
        ..
    } = parallelogram(1.0, 0.0);
    builder
        .couple(Coupling {
            is_rigid: true,
            name: "held".into(),
            terms: vec![CouplingTerm {
                body: left,
                place: 0,
                coefficient: 1.0,
            }],
            offset: 1.0,
            slip: None,
        })
        .unwrap();
    let model = builder.build();
    assert_eq!(model.assembly().unwrap().unwrap().mobility, 0);
    let mut state = model.start();
    equilibrium(&model, &mut state).unwrap();
    assert!((state.q[0] - 1.0).abs() < 1e-12);
    assert!(model.modes(&state, Contacts::AsTheyStand, 3).is_err());
}

/// Friction of 0.5 N m in each of the four pins.
fn rubbed(angle: f64, rate: f64) -> Model {
    let Parallelogram {
        mut builder,
        bodies: [left, coupler, right],
        closing,
    } = parallelogram(angle, rate);
    let in_loop = JointOwner::Loop {
        id: closing,
        from: right,
        to: coupler,
    };
    let pins = [
        ("ground left", JointOwner::Body(left)),
        ("ground right", JointOwner::Body(right)),
        ("coupler left", JointOwner::Body(coupler)),
        ("coupler right", in_loop),
    ];
    let parameters = [
        ("sigma_0", 1e5),
        ("sigma_1", 1e3),
        ("v_s", 1e-3),
        ("mu_k", 0.5),
        ("mu_s", 0.5),
    ];
    for (name, joint) in pins {
        let friction = bristle_laws::Friction::build("lugre", &values(&parameters)).unwrap();
        let slip_speed = friction.slip_speed();
        let element = JointFriction {
            name: name.to_owned(),
            joint,
            place: 0,
            friction: friction.into(),
            load: JointLoad::Given(Signal::Constant(10.0)),
            radius: Some(0.1),
            slip_speed,
        };
        builder.joint_element(Box::new(element)).unwrap();
    }
    builder.build()
}

#[test]
fn four_stuck_pins_share_the_load_of_a_parallelogram() {
    // the sum of the torques balances m g L cos; equal bristles from rest take equal parts
    let angle = 75.0_f64.to_radians();
    let rows = run(&rubbed(angle, 0.0), &plan(0.5, 1e-8), 0.5);
    let end = last(&rows, "joint.left.coordinate");
    let needed = 2.0 * GRAVITY * 0.3 * end.cos();
    let torque = |name: &str| last(&rows, &format!("joint_friction.{name}.torque")).abs();
    let all = [
        "ground left",
        "ground right",
        "coupler left",
        "coupler right",
    ]
    .map(torque);
    // what still moves after half a second is below a micrometre a second
    assert!((all.iter().sum::<f64>() - needed).abs() < 1e-5, "{all:?}");
    for torque in all {
        assert!((torque - 0.25 * needed).abs() < 1e-5, "{all:?}");
    }
}

#[test]
fn a_sliding_parallelogram_falls_by_what_friction_leaves() {
    // all bristles are bent after 5 ms; then the angular acceleration is -(m g L cos - 2)/(m L^2)
    let start = 60.0_f64.to_radians();
    let rows = run(&rubbed(start, -1.0), &plan(0.02, 1e-9), 1e-3);
    let (angle, rate) = (
        rows.column("joint.left.coordinate"),
        rows.column("joint.left.rate"),
    );
    let k = 15;
    let measured = (rate[k + 1] - rate[k - 1]) / 2e-3;
    let right = -(2.0 * GRAVITY * 0.3 * angle[k].cos() - 2.0) / (2.0 * 0.09);
    // the cranks' inertia is 1e-7 of the coupler's; the difference quotient errs by 1e-6
    assert!((measured / right - 1.0).abs() < 1e-4, "{measured}, {right}");
}

#[test]
fn a_gear_divides_speeds_and_multiplies_inertia() {
    // q2 = -3 q1: the inertia at the first wheel is J1 + 9 J2
    let mut builder = ModelBuilder::new();
    let first = builder.body(bar("first", 1.0, 0.02, 0.0)).unwrap();
    let second = builder.body(bar("second", 1.0, 0.005, 0.0)).unwrap();
    let term = |body, coefficient| CouplingTerm {
        body,
        place: 0,
        coefficient,
    };
    builder
        .couple(Coupling {
            is_rigid: true,
            name: "gear".into(),
            terms: vec![term(second, 1.0), term(first, 3.0)],
            offset: 0.0,
            slip: None,
        })
        .unwrap();
    let motor = bristle_mechanics::element::JointEffort {
        name: "motor".into(),
        joint: JointOwner::Body(first),
        place: 0,
        magnitude: Signal::Constant(1.3),
        turns: true,
    };
    builder.joint_element(Box::new(motor)).unwrap();
    let rows = run(&builder.build(), &plan(1.0, 1e-8), 1.0);
    let rate = 1.3 / (0.02 + 9.0 * 0.005);
    // constant acceleration is exact for the method
    assert!((last(&rows, "joint.first.rate") / rate - 1.0).abs() < 1e-10);
    assert!((last(&rows, "joint.second.rate") + 3.0 * rate).abs() < 1e-9);
    // the mesh drives the second wheel: J2 times its acceleration, from the coupling's own channel
    let torque = last(&rows, "coupling.gear.torque");
    assert!((torque + 0.005 * 3.0 * rate).abs() < 1e-9, "{torque}");
}
