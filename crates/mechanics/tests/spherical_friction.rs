//! Friction in spherical joints against closed forms and invariants.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod common;

use bristle_integrate::{Instant, Method, Plan, Renew, RunError, System, TangentRequest, Weights};
use bristle_laws::{Friction, friction};
use bristle_mechanics::element::{BallFriction, JointFriction, JointLoad, ModelElement};
use bristle_mechanics::record::{Outcome, Start};
use bristle_mechanics::{
    Body, BodyId, Inertia, Joint, JointOwner, LoopEnd, LoopJoint, Model, ModelBuilder, Vec3,
};
use bristle_signals::Signal;
use common::{Rows, lugre, numbers, plan, record, values};
use nalgebra::{Matrix3, UnitQuaternion};

const GRAVITY: f64 = 9.81;

fn run(model: &Model, end_time: f64, tolerance: f64, output: f64) -> (Rows, Outcome) {
    let (outcome, rows) = record(model, &plan(end_time, tolerance), Start::AsGiven, output);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    (rows, outcome)
}

fn last(rows: &Rows, name: &str) -> f64 {
    *rows.column(name).last().unwrap()
}

fn vector(rows: &Rows, name: &str, row: usize) -> Vec3 {
    let at = |axis: &str| rows.column(&format!("{name}.{axis}"))[row];
    Vec3::new(at("x"), at("y"), at("z"))
}

fn law(name: &str, list: &[(&str, f64)]) -> Friction {
    Friction::build(name, &values(list)).unwrap()
}

fn jenkins() -> Friction {
    law("jenkins", &[("k_t", 1e6), ("mu_k", 0.3)])
}

fn given(load: f64) -> JointLoad {
    JointLoad::Given(Signal::Constant(load))
}

fn reaction() -> JointLoad {
    JointLoad::Reaction {
        preload: 0.0,
        moment_arm: None,
    }
}

fn socket(joint: JointOwner, law: Friction, load: JointLoad, radius: f64) -> ModelElement {
    let slip_speed = law.slip_speed();
    ModelElement::ball(BallFriction {
        name: "socket".into(),
        joint,
        friction: law.into(),
        load,
        radius,
        slip_speed,
    })
}

fn isotropic(mass: f64, moment: f64) -> Inertia {
    Inertia {
        mass,
        centre: Vec3::zeros(),
        tensor: Matrix3::from_diagonal_element(moment),
    }
}

/// A ball of 0.02 kg m² that spins in its socket under 50 N at a radius of 0.1 m; on a parent that
/// is turned, so that its axes are not those of the world.
fn spinner(velocity: Vec3, law: Friction) -> Model {
    let mut builder = ModelBuilder::new();
    let mut frame = Body::new("frame", Joint::Fixed, Inertia::NONE);
    frame.orientation = UnitQuaternion::from_euler_angles(0.4, -0.9, 1.3);
    let frame = builder.body(frame).unwrap();
    let mut ball = Body::new("ball", Joint::Spherical, isotropic(1.0, 0.02));
    ball.parent = frame;
    ball.velocity = velocity.as_slice().to_vec();
    let ball = builder.body(ball).unwrap();
    let element = socket(JointOwner::Body(ball), law, given(50.0), 0.1);
    builder.add(element).unwrap();
    builder.build()
}

#[test]
fn a_ball_in_its_socket_slows_down_evenly_about_any_axis_and_stops() {
    // α = r μ N / I = 0.1 · 0.3 · 50 / 0.02 = 75 rad/s²: from 30 rad/s it stops after 0.4 s
    let (moment, slowing, speed) = (0.02, 75.0, 30.0);
    for axis in [Vec3::z(), Vec3::new(2.0, -3.0, 6.0) / 7.0] {
        let start = axis * speed;
        let (rows, outcome) = run(&spinner(start, jenkins()), 0.6, 1e-8, 0.01);
        for (row, t) in rows.column("t").iter().enumerate() {
            let w = vector(&rows, "joint_friction.socket.angular_velocity", row);
            let expected = axis * (speed - slowing * t).max(0.0);
            // the bristle winds up over μ N/k_t = 15 µm, 0.15 mrad: 5 µs at 30 rad/s, 0.4 mrad/s; it
            // rings on I with 1.2 rad/s at the stop at most (√(k_t/I) r · 0.15 mrad), in Jenkins' element
            // without end
            let close = if *t < 0.39 { 1e-3 } else { 0.11 };
            assert!((w - expected).norm() < close, "{t}: {w} {expected}");
        }
        let lost = outcome.energies.dissipated;
        let all = 0.5 * moment * speed * speed;
        // what stays in the ringing bristle: (μ N)²/(2 k_t) = 0.11 mJ
        assert!((lost - all).abs() < 1.2e-4, "{lost} {all}");
        let turned = vector(&rows, "joint_friction.socket.slip", 60);
        let expected = axis * (0.1 * speed * speed / (2.0 * slowing));
        // a bristle's deflection either way
        assert!((turned - expected).norm() < 4e-5, "{turned} {expected}");
        let imbalance = outcome.energies.relative_imbalance();
        assert!(imbalance.abs() < 1e-6, "{imbalance}");
    }
}

#[test]
fn every_law_of_the_catalogue_runs_in_a_spherical_joint() {
    for card in Friction::CARDS {
        let law = Friction::build(card.name, &friction::typical(card)).unwrap();
        let (rows, outcome) = run(&spinner(Vec3::new(3.0, -1.0, 2.0), law), 0.05, 1e-6, 0.01);
        assert!(outcome.end_time > 0.049, "{}", card.name);
        if card.name == "lugre_anisotropic" {
            continue;
        }
        // nothing else turns the axis of rotation
        let (w, at_first) = (
            vector(&rows, "joint_friction.socket.angular_velocity", 1),
            Vec3::new(3.0, -1.0, 2.0),
        );
        let off = w.cross(&at_first).norm() / at_first.norm();
        assert!(off < 1e-6 * at_first.norm(), "{}: {off}", card.name);
    }
}

/// A rod of 2 kg with its centre 0.25 m below its pin, turned by `angle` about a horizontal axis.
fn rod(joint: Joint, axis: Vec3, angle: f64) -> Body {
    let (mass, length) = (2.0, 0.5);
    let moment = mass * length * length / 12.0;
    let inertia = Inertia {
        mass,
        centre: Vec3::new(0.0, 0.0, -0.5 * length),
        tensor: Matrix3::from_diagonal(&Vec3::new(moment, moment, 0.01 * moment)),
    };
    let mut body = Body::new("rod", joint, inertia);
    match body.joint {
        Joint::Revolute { .. } => body.coordinates = vec![angle],
        _ => body.orientation = UnitQuaternion::from_scaled_axis(axis * angle),
    }
    body
}

fn pendulum(axis: Vec3, angle: f64, law: Friction, radius: f64) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let body = builder.body(rod(Joint::Spherical, axis, angle)).unwrap();
    let element = socket(JointOwner::Body(body), law, reaction(), radius);
    builder.add(element).unwrap();
    builder.build()
}

#[test]
fn a_pendulum_holds_below_the_angle_of_its_friction_circle_and_moves_beyond() {
    // m g L sin = r μ N with the reaction N = m g: sin = r μ/L = 0.06 · 0.3/0.25
    let (radius, axis) = (0.06, Vec3::new(0.6, 0.8, 0.0));
    let limit = (radius * 0.3_f64 / 0.25).asin();
    let at_rest = |angle: f64| {
        let model = pendulum(axis, angle, jenkins(), radius);
        record(&model, &plan(2.0, 1e-7), Start::Equilibrium, 0.1)
    };
    let (outcome, rows) = at_rest(0.99 * limit);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    assert_eq!(outcome.joints[0].first_slip_time, None);
    // 5.9 N of friction on 1 MN/m
    let turned = vector(&rows, "joint_friction.socket.slip", 20) / radius;
    assert!(turned.norm() < 1.1e-4, "{turned}");
    let torque = vector(&rows, "joint_friction.socket.torque", 20);
    let weight = 2.0 * GRAVITY;
    // gravity turns it back to the vertical, against the axis; the tolerance of the run
    let now = 0.99 * limit + turned.dot(&axis);
    let expected = -axis * (weight * 0.25 * now.sin());
    assert!(
        (torque - expected).norm() < 1e-5 * expected.norm(),
        "{torque} {expected}"
    );
    let load = last(&rows, "joint_friction.socket.load");
    assert!((load - weight).abs() < 1e-6 * weight, "{load}");
    // the rest that is not there: it slips from the start
    let model = pendulum(axis, 1.05 * limit, jenkins(), radius);
    let (_, outcome) = run(&model, 0.5, 1e-7, 0.1);
    assert!(outcome.joints[0].max_slip_speed > 1e-3);
}

#[test]
fn in_a_plane_a_spherical_joint_rubs_as_a_revolute_one() {
    let law = || law("coulomb_tanh", &[("mu_k", 0.2), ("v_r", 1e-3)]);
    let (axis, angle, radius) = (Vec3::new(0.6, 0.8, 0.0), 1.2, 0.02);
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let body = builder
        .body(rod(Joint::Revolute { axis }, axis, angle))
        .unwrap();
    builder
        .joint_element(Box::new(JointFriction {
            name: "socket".into(),
            joint: JointOwner::Body(body),
            place: 0,
            friction: law().into(),
            load: reaction(),
            radius: Some(radius),
            slip_speed: 1e-3,
        }))
        .unwrap();
    let (pin, of_pin) = run(&builder.build(), 4.0, 1e-9, 0.1);
    let (ball, of_ball) = run(&pendulum(axis, angle, law(), radius), 4.0, 1e-9, 0.1);
    for row in 0..=40 {
        let slip = vector(&ball, "joint_friction.socket.slip", row);
        let turned = angle + slip.dot(&axis) / radius;
        let expected = pin.column("joint.rod.coordinate")[row];
        // both second order with steps for 1e-9
        assert!(
            (turned - expected).abs() < 1e-5,
            "{row}: {turned} {expected}"
        );
        // rounding: nothing leaves the plane
        assert!(slip.cross(&axis).norm() < 1e-9, "{slip}");
        let load = |rows: &Rows| rows.column("joint_friction.socket.load")[row];
        assert!((load(&ball) - load(&pin)).abs() < 1e-3, "{row}");
    }
    let [lost, expected] = [&of_ball, &of_pin].map(|outcome| outcome.energies.dissipated);
    assert!(
        (lost - expected).abs() < 1e-5 * expected,
        "{lost} {expected}"
    );
    assert!(of_ball.energies.relative_imbalance().abs() < 1e-5);
}

#[test]
fn a_ball_whose_friction_feeds_its_load_jams() {
    // a friction F at the radius r changes the reaction by m c r F/I at the distance c of the centre from the
    // pin: of the swinging rod, I = 4/3 m c², the gain is 3 μ r/(4 c) = 1.2 at 1 m
    let (axis, law) = (
        Vec3::new(0.6, 0.8, 0.0),
        law("coulomb_tanh", &[("mu_k", 0.4), ("v_r", 1e-3)]),
    );
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let mut body = rod(Joint::Spherical, axis, 0.3);
    body.velocity = (axis * 2.0).as_slice().to_vec();
    let body = builder.body(body).unwrap();
    let element = socket(JointOwner::Body(body), law, reaction(), 1.0);
    builder.add(element).unwrap();
    let (outcome, _) = record(&builder.build(), &plan(1.0, 1e-7), Start::AsGiven, 0.1);
    let Some(RunError::Jams { gain, element, .. }) = outcome.error else {
        panic!("{:?}", outcome.error);
    };
    assert!((gain - 1.2).abs() < 1e-9, "{gain}");
    assert_eq!(element, "joint_friction `socket`");
}

/// A symmetric top on its tip, tilted by 0.4 rad, with 80 rad/s about its axis.
fn top(load: JointLoad, law: Friction) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let inertia = Inertia {
        mass: 0.5,
        centre: Vec3::new(0.0, 0.0, 0.06),
        tensor: Matrix3::from_diagonal(&Vec3::new(4e-4, 4e-4, 6e-4)),
    };
    let mut body = Body::new("top", Joint::Spherical, inertia);
    body.orientation = UnitQuaternion::from_scaled_axis(Vec3::new(0.4, 0.0, 0.0));
    body.velocity = (body.orientation * Vec3::new(0.0, 0.0, 80.0))
        .as_slice()
        .to_vec();
    let body = builder.body(body).unwrap();
    let element = socket(JointOwner::Body(body), law, load, 0.004);
    builder.add(element).unwrap();
    builder.build()
}

fn with(method: Method, end_time: f64, tolerance: f64) -> Plan {
    Plan {
        method,
        ..plan(end_time, tolerance)
    }
}

#[test]
fn a_precessing_top_loses_what_the_ledger_says() {
    for law in [lugre(), jenkins()] {
        for (method, tolerance) in [(Method::NEWMARK, 1e-10), (Method::Esdirk4, 1e-8)] {
            let model = top(reaction(), law.clone());
            let plan = with(method, 0.4, tolerance);
            let (outcome, _) = record(&model, &plan, Start::AsGiven, 0.1);
            assert!(outcome.error.is_none(), "{:?}", outcome.error);
            // it precesses by m g s/(I ω) = 6.1 rad/s and slows down
            let imbalance = outcome.energies.relative_imbalance();
            assert!(
                imbalance.abs() < 1e-6,
                "{method:?} {}: {imbalance}",
                law.card().name
            );
            let energies = &outcome.energies;
            assert!(energies.dissipated > 0.02, "{}", energies.dissipated);
        }
    }
}

#[test]
fn methods_agree_on_a_top_that_slows_down() {
    let [by_steps, by_stages] =
        [(Method::NEWMARK, 1e-10), (Method::Esdirk4, 1e-10)].map(|(method, tolerance)| {
            let model = top(reaction(), lugre());
            let (outcome, rows) =
                record(&model, &with(method, 0.5, tolerance), Start::AsGiven, 0.1);
            assert!(outcome.error.is_none(), "{:?}", outcome.error);
            [0, 1, 2, 3, 4, 5].map(|row| vector(&rows, "body.top.angular_velocity", row))
        });
    for (one, other) in by_steps.iter().zip(&by_stages) {
        // second order over forty turns, steps for 1e-10 of a turn
        assert!((one - other).norm() < 1e-4 * 80.0, "{one} {other}");
    }
}

#[test]
fn a_joint_that_closes_a_loop_rubs_as_one_of_the_tree() {
    let (axis, radius) = (Vec3::new(0.6, 0.8, 0.0), 0.02);
    let law = || lugre();
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let mut body = rod(Joint::Free, axis, 1.2);
    body.velocity = vec![0.0, 0.0, 0.0, 0.0, 0.0, 3.0];
    let body = builder.body(body).unwrap();
    let [from, to] = [BodyId::GROUND, body].map(|body| LoopEnd::at(body, Vec3::zeros()));
    let id = builder
        .close_loop(LoopJoint {
            name: "pin".into(),
            joint: Joint::Spherical,
            from,
            to,
        })
        .unwrap();
    let owner = JointOwner::Loop {
        id,
        from: BodyId::GROUND,
        to: body,
    };
    builder
        .add(socket(owner, law(), reaction(), radius))
        .unwrap();
    let (closed, outcome) = run(&builder.build(), 1.0, 1e-9, 0.1);
    assert!(outcome.energies.relative_imbalance().abs() < 1e-5);
    let mut model = ModelBuilder::new();
    model.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let mut body = rod(Joint::Spherical, axis, 1.2);
    body.velocity = vec![0.0, 0.0, 3.0];
    let body = model.body(body).unwrap();
    let element = socket(JointOwner::Body(body), law(), reaction(), radius);
    model.add(element).unwrap();
    let (tree, _) = run(&model.build(), 1.0, 1e-9, 0.1);
    // the socket of the tree has the axes of the ground, that of the loop too
    for row in 0..=10 {
        for what in ["slip", "torque", "angular_velocity"] {
            let name = format!("joint_friction.socket.{what}");
            let [one, other] = [&closed, &tree].map(|rows| vector(rows, &name, row));
            // second order, steps for 1e-9
            assert!(
                (one - other).norm() < 1e-5 * (1e-3 + other.norm()),
                "{what} {row}: {one} {other}"
            );
        }
    }
}

/// Two bodies in a chain, both on spherical joints with friction, one loaded by its reaction.
fn chain() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.3, -0.2, -GRAVITY));
    let mut inertia = Inertia::solid_box(2.0, [0.3, 0.2, 0.1]);
    inertia.centre = Vec3::new(0.05, -0.02, -0.1);
    let upper = builder
        .body(Body::new("upper", Joint::Spherical, inertia))
        .unwrap();
    let mut lower = Body::new("lower", Joint::Spherical, inertia).at(Vec3::new(0.1, 0.05, -0.2));
    lower.parent = upper;
    let lower = builder.body(lower).unwrap();
    for (name, body, load) in [("one", upper, reaction()), ("two", lower, given(20.0))] {
        builder
            .add(ModelElement::ball(BallFriction {
                name: name.into(),
                joint: JointOwner::Body(body),
                friction: lugre().into(),
                load,
                radius: 0.3,
                slip_speed: 1e-3,
            }))
            .unwrap();
    }
    builder.build()
}

fn instant<'a>([q, v, a]: [&'a [f64]; 3], history: &'a [f64]) -> Instant<'a> {
    Instant {
        t: 0.0,
        q,
        v,
        a,
        history,
        step: 1e-3,
        stage: None,
    }
}

#[test]
fn tangent_agrees_with_differences() {
    let model = chain();
    let n = model.dofs();
    let start = model.start();
    let scaled =
        |seed, size: f64| -> Vec<f64> { numbers(n, seed).iter().map(|x| x * size).collect() };
    let mut q = start.q.clone();
    model.displace(&start.q, &scaled(1, 1e-4), &mut q);
    let (v, a) = (scaled(2, 0.3), scaled(3, 2.0));
    let (mass, damping, stiffness) = (1.0, 1e-2, 1e-4);
    let weights = Weights {
        mass,
        damping,
        stiffness,
    };
    let mut scratch = model.scratch();
    let mut history = vec![0.0; model.history_len()];
    for seed in 10..30 {
        let d = numbers(n, seed);
        let e = 1e-3;
        let mut residual = |e: f64| {
            let shifted = |x: &[f64], w: f64| -> Vec<f64> {
                x.iter().zip(&d).map(|(x, d)| x + e * w * d).collect()
            };
            let turned: Vec<f64> = d.iter().map(|d| e * stiffness * d).collect();
            let mut moved = q.clone();
            model.displace(&q, &turned, &mut moved);
            let (v, a) = (shifted(&v, damping), shifted(&a, mass));
            let mut out = vec![0.0; n];
            model.residual(
                &mut scratch,
                &instant([&moved, &v, &a], &start.history),
                &mut out,
                &mut history,
            );
            out
        };
        let (plus, minus) = (residual(e), residual(-e));
        let mut x: Vec<f64> = plus
            .iter()
            .zip(&minus)
            .map(|(p, m)| (p - m) / (2.0 * e))
            .collect();
        let mut scratch = model.scratch();
        let mut history = vec![0.0; model.history_len()];
        let mut out = vec![0.0; n];
        let request = TangentRequest {
            weights,
            renew: Renew::All,
        };
        model
            .factorise(
                &mut scratch,
                &instant([&q, &v, &a], &start.history),
                request,
                &mut out,
                &mut history,
            )
            .unwrap();
        model.solve(&mut scratch, &mut x);
        for (i, (x, d)) in x.iter().zip(&d).enumerate() {
            // differences are good to about 1e-7; the load changes by gravity and by gyroscopic terms too,
            // which the slope by accelerations leaves out: 1e-4 of it by the weights of this step
            assert!((x - d).abs() < 1e-3, "dof {i}: {x} against {d}");
        }
    }
}
