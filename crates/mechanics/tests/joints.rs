//! Chains of joints: the tangent against differences, and motions with known answers.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod common;

use bristle_integrate::{Instant, Renew, State, System, TangentRequest, Weights};
use bristle_mechanics::element::{Attachment, Force, JointEffort, Spring};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, JointOwner, Model, ModelBuilder, Vec3};
use bristle_signals::{Expression, Signal};
use common::{numbers, run_to};

fn link(size: f64, centre: Vec3) -> Inertia {
    let mut inertia = Inertia::solid_box(1.3 * size, [size, 0.6 * size, 0.3 * size]);
    inertia.centre = centre;
    inertia
}

/// Every joint in one chain on a spinning hub, with springs across.
fn chain() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.4, -0.3, -9.81));
    let slanted = Vec3::new(0.48, 0.6, 0.64);
    let joints = [
        Joint::Revolute { axis: Vec3::z() },
        Joint::Revolute { axis: slanted },
        Joint::Prismatic { axis: Vec3::x() },
        Joint::Universal {
            first: Vec3::y(),
            second: Vec3::x(),
        },
        Joint::Spherical,
        Joint::Cylindrical { axis: slanted },
        Joint::Planar { normal: Vec3::y() },
        Joint::Free,
        Joint::Fixed,
    ];
    let mut parent = BodyId::GROUND;
    for (i, joint) in joints.into_iter().enumerate() {
        let name = format!("link{i}");
        let mut body = Body::new(&name, joint, link(0.5, Vec3::new(0.1, 0.03, -0.05)));
        body = body.at(Vec3::new(0.2, -0.1, 0.15)).on(parent);
        body.orientation = nalgebra::UnitQuaternion::from_euler_angles(0.3, -0.2 * i as f64, 0.5);
        if i == 0 {
            let motion = Expression::parse("2.5 * t + 0.3 * sin(4 * t)").unwrap();
            let hub = Signal::Expression(motion);
            body.drives = vec![(0, hub)];
        }
        parent = builder.body(body).unwrap();
    }
    let end = |body, x| Attachment {
        body,
        point: Vec3::new(x, 0.05, -0.02),
    };
    for (i, (from, to)) in [(0, 4), (3, 8), (5, 9)].into_iter().enumerate() {
        let (stiffness, damping, length) = (300.0, 20.0, 0.1);
        let spring = Spring {
            name: format!("s{i}"),
            from: end(builder_body(from), 0.1),
            to: end(builder_body(to), 0.2),
            stiffness,
            cubic: 0.0,
            damping,
            length,
        };
        builder.element(Box::new(spring)).unwrap();
    }
    let force = Force {
        name: "pull".into(),
        body: parent,
        point: Vec3::new(0.1, 0.0, 0.2),
        direction: Vec3::new(0.0, 0.6, -0.8),
        follows: true,
        magnitude: Signal::Constant(50.0),
    };
    builder.element(Box::new(force)).unwrap();
    builder.build()
}

/// Bodies are numbered in the order in which they were added.
fn builder_body(i: usize) -> BodyId {
    let mut builder = ModelBuilder::new();
    let mut last = BodyId::GROUND;
    for k in 0..i {
        let body = Body::new(&format!("b{k}"), Joint::Fixed, Inertia::NONE);
        last = builder.body(body).unwrap();
    }
    last
}

/// The derivative of the residual along one direction: by differences, and by the tangent.
fn compare(model: &Model, weights: Weights, tolerance: f64) {
    let n = model.dofs();
    let start = model.start();
    let scaled = |seed, size: f64| {
        numbers(n, seed)
            .iter()
            .map(|x| x * size)
            .collect::<Vec<_>>()
    };
    let mut q = start.q.clone();
    model.displace(&start.q, &scaled(1, 0.3), &mut q);
    let (v, a) = (scaled(2, 3.0), scaled(3, 10.0));
    let (mut scratch, mut history) = (model.scratch(), vec![0.0; model.history_len()]);
    let mut residual = |e: f64, d: &[f64]| {
        let shifted = |x: &[f64], w: f64| -> Vec<f64> {
            x.iter().zip(d).map(|(x, d)| x + e * w * d).collect()
        };
        let turned: Vec<f64> = d.iter().map(|d| e * weights.stiffness * d).collect();
        let mut moved = q.clone();
        model.displace(&q, &turned, &mut moved);
        let (v, a) = (shifted(&v, weights.damping), shifted(&a, weights.mass));
        let at = Instant {
            t: 0.2,
            q: &moved,
            v: &v,
            a: &a,
            history: &start.history,
            step: 1e-3,
            stage: None,
        };
        let mut out = vec![0.0; n];
        model.residual(&mut scratch, &at, &mut out, &mut history);
        out
    };
    for seed in 10..20 {
        let d = numbers(n, seed);
        let e = 1e-5;
        let (plus, minus) = (residual(e, &d), residual(-e, &d));
        let difference = plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * e));
        let difference: Vec<f64> = difference.collect();
        let (mut scratch, mut history) = (model.scratch(), vec![0.0; model.history_len()]);
        let mut x = vec![0.0; n];
        let at = Instant {
            t: 0.2,
            q: &q,
            v: &v,
            a: &a,
            history: &start.history,
            step: 1e-3,
            stage: None,
        };
        model
            .factorise(
                &mut scratch,
                &at,
                TangentRequest {
                    weights,
                    renew: Renew::All,
                },
                &mut x,
                &mut history,
            )
            .unwrap();
        let mut found = difference.clone();
        model.solve(&mut scratch, &mut found);
        for (i, (x, d)) in found.iter().zip(&d).enumerate() {
            assert!((x - d).abs() < tolerance, "dof {i}: {x} against {d}");
        }
    }
}

#[test]
fn tangent_of_a_chain_of_all_joints_agrees_with_differences() {
    let model = chain();
    assert_eq!(model.dofs(), 1 + 1 + 2 + 3 + 2 + 3 + 6);
    // central differences with 1e-5 of terms of 1e3 are good to about 1e-7 of the largest; the
    // condition of the matrix takes some of it
    for weights in [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.5, 0.3]] {
        let [mass, damping, stiffness] = weights;
        let weights = Weights {
            mass,
            damping,
            stiffness,
        };
        compare(&model, weights, 1e-5);
    }
}

fn energy(model: &Model, state: &State) -> f64 {
    let frames = model.frames(state.t, &state.q, &state.v, &state.a);
    model.kinetic_energy(&frames) + model.stored_energy(state, &frames)
}

/// Two rods of 1 kg and 1 m; the state after 2 s by an independent integration of the textbook
/// equations (`tools/double_pendulum.py`, DOP853 at 1e-13).
#[test]
fn double_pendulum() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let mut rod = Inertia::solid_box(1.0, [0.02, 0.02, 1.0]);
    rod.tensor.fill(0.0);
    rod.tensor[(1, 1)] = 1.0 / 12.0;
    rod.tensor[(0, 0)] = 1.0 / 12.0;
    rod.centre = Vec3::new(0.0, 0.0, -0.5);
    let joint = || Joint::Revolute { axis: Vec3::y() };
    let mut upper = Body::new("upper", joint(), rod);
    upper.coordinates = vec![-1.2];
    let upper = builder.body(upper).unwrap();
    let mut lower = Body::new("lower", joint(), rod).at(Vec3::new(0.0, 0.0, -1.0));
    lower.parent = upper;
    lower.coordinates = vec![0.7];
    builder.body(lower).unwrap();
    let model = builder.build();
    let before = energy(&model, &model.start());
    let state = run_to(&model, 2.0, 1e-8);
    // the integrator's tolerance is 1e-8 of a natural length of 1 mm a step, in some 1e5 steps
    assert!((energy(&model, &state) - before).abs() < 1e-5);
    let expected = DOUBLE_PENDULUM;
    for (x, e) in [state.q[0], state.q[1], state.v[0], state.v[1]]
        .iter()
        .zip(expected)
    {
        assert!((x - e).abs() < 1e-4, "{x} against {e}");
    }
}

/// Angles and rates of `double_pendulum` after 2 s.
const DOUBLE_PENDULUM: [f64; 4] = [
    -0.409_465_187,
    0.090_578_584,
    -1.773_690_017,
    -2.326_089_064,
];

/// A symmetric top on its tip in steady precession: Ω of the closed form (I₃ − I₁) cosθ Ω² + …
///
/// With spin ω₃ about the axis and tilt θ, m g l = Ω (I₃ ω₃ − (I₁ − I₃) Ω cosθ ...) is solved by
/// I₁ Ω² cosθ − I₃ ω₃ Ω + m g l = 0 with ω₃ the total angular velocity along the axis.
#[test]
fn a_top_precesses_steadily() {
    let (mass, length, tilt) = (0.5, 0.08, 0.6_f64);
    let mut inertia = Inertia::solid_cylinder(mass, 0.05, 0.02);
    inertia.centre = Vec3::new(0.0, 0.0, length);
    let i3 = inertia.tensor[(2, 2)];
    let i1 = inertia.tensor[(0, 0)] + mass * length * length;
    let (g, spin) = (9.81, 120.0);
    let b = i3 * spin;
    let root = (b * b - 4.0 * i1 * tilt.cos() * mass * g * length).sqrt();
    let precession = (b - root) / (2.0 * i1 * tilt.cos());
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -g));
    let mut top = Body::new("top", Joint::Spherical, inertia);
    top.orientation = nalgebra::UnitQuaternion::from_euler_angles(0.0, tilt, 0.0);
    let axis = Vec3::new(tilt.sin(), 0.0, tilt.cos());
    // the total spin along the axis is ω₃; precession about z contributes Ω cosθ to it
    let w = Vec3::z() * precession + axis * (spin - precession * tilt.cos());
    top.velocity = vec![w.x, w.y, w.z];
    builder.body(top).unwrap();
    let model = builder.build();
    let before = energy(&model, &model.start());
    let end = 0.5;
    let state = run_to(&model, end, 1e-10);
    let frames = model.frames(end, &state.q, &state.v, &state.a);
    let found: Vec3 = frames[1].r.column(2).into();
    let angle = precession * end;
    let expected = Vec3::new(
        tilt.sin() * angle.cos(),
        tilt.sin() * angle.sin(),
        tilt.cos(),
    );
    // 19 turns of spin a second; the error falls as tolerance^(2/3): 2e-4 here, 7e-3 at 1e-8
    assert!(
        (found - expected).norm() < 5e-4,
        "{found} against {expected}"
    );
    assert!((energy(&model, &state) - before).abs() < 1e-5 * before.abs());
}

/// A rotor that has moments of inertia alone, on a shaft: 1 N m turns both with T/(I₁ + I₂).
#[test]
fn moments_of_inertia_without_mass_act() {
    let moments = |size| Inertia {
        mass: 0.0,
        ..Inertia::solid_box(12.0 * size, [1.0, 1.0, 1.0])
    };
    let mut builder = ModelBuilder::new();
    let of_shaft = Inertia {
        mass: 1.0,
        ..moments(0.05)
    };
    let shaft = Body::new("shaft", Joint::Revolute { axis: Vec3::z() }, of_shaft);
    let shaft = builder.body(shaft).unwrap();
    let mut rotor = Body::new("rotor", Joint::Fixed, moments(0.45));
    rotor.parent = shaft;
    builder.body(rotor).unwrap();
    let motor = JointEffort {
        name: "motor".into(),
        joint: JointOwner::Body(shaft),
        place: 0,
        magnitude: Signal::Constant(1.0),
        turns: true,
    };
    builder.joint_element(Box::new(motor)).unwrap();
    let model = builder.build();
    let weights = Weights {
        mass: 1.0,
        damping: 0.0,
        stiffness: 0.0,
    };
    compare(&model, weights, 1e-6);
    let state = run_to(&model, 1.0, 1e-6);
    // a cube of mass m and edge 1 m has m/6: 0.1 and 0.9 kg m^2; the method has a parabola exactly
    assert!((state.v[0] - 1.0).abs() < 1e-9, "{}", state.v[0]);
}
