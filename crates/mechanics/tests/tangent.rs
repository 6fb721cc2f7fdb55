//! The analytic tangent against differences of the residual.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::too_many_lines,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod common;

use bristle_integrate::{Instant, Renew, System, TangentRequest, Weights};
use bristle_laws::{Friction, Normal};
use bristle_mechanics::element::{
    Attachment, Bushing, Cable, Contact, ContactPoint, Force, Mount, NormalForceSource, Spring,
    Surface,
};
use bristle_mechanics::{Body, Inertia, Joint, Model, ModelBuilder, Vec3};
use bristle_signals::Signal;
use common::{lugre, numbers, values};

/// Two bodies that fly, spin, touch and pull on each other; a third on a slider.
fn tangle(friction: Friction) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.3, -0.2, -9.81));
    let mut lower = Inertia::solid_box(2.0, [0.3, 0.2, 0.1]);
    lower.centre = Vec3::new(0.01, -0.02, 0.005);
    let a = builder
        .body(Body::new("lower", Joint::Free, lower))
        .unwrap();
    let upper = Body::new(
        "upper",
        Joint::Free,
        Inertia::solid_box(0.7, [0.05, 0.04, 0.06]),
    );
    let b = builder.body(upper.at(Vec3::new(0.02, 0.01, 0.1))).unwrap();
    let slider = Body::new(
        "slider",
        Joint::Prismatic {
            axis: Vec3::new(0.6, 0.8, 0.0),
        },
        Inertia {
            mass: 0.4,
            ..Inertia::NONE
        },
    );
    let c = builder.body(slider.at(Vec3::new(0.3, 0.0, 0.0))).unwrap();
    let normal = values(&[("stiffness", 1e7), ("damping", 1e3)]);
    let slip_speed = friction.slip_speed();
    let points = [[0.02, 0.02], [-0.02, 0.02], [0.0, -0.02]]
        .map(|[x, y]| ContactPoint::new(Vec3::new(x, y, -0.051)));
    builder
        .element(Box::new(Contact {
            name: "touch".into(),
            body: b,
            points: points.to_vec(),
            surface: Surface::plane(a, Vec3::new(0.0, 0.0, 0.05), Vec3::new(0.1, 0.05, 1.0)),
            normal: NormalForceSource::Law(Normal::build("hunt_crossley", &normal).unwrap()),
            friction: friction.into(),
            slip_speed,
            resistance: None,
        }))
        .unwrap();
    let end = |body, x| Attachment {
        body,
        point: Vec3::new(x, 0.01, -0.02),
    };
    for (name, from, to) in [
        ("one", end(a, 0.1), end(b, 0.0)),
        ("two", end(b, 0.02), end(c, 0.0)),
    ] {
        let (stiffness, damping, length) = (3e3, 20.0, 0.05);
        builder
            .element(Box::new(Spring {
                name: name.into(),
                from,
                to,
                stiffness,
                cubic: 4e5,
                damping,
                length,
            }))
            .unwrap();
    }
    // taut: shorter than the distance of its ends
    builder
        .element(Box::new(Cable(Spring {
            name: "rope".into(),
            from: end(a, 0.05),
            to: end(c, 0.01),
            stiffness: 2e3,
            cubic: -3e5,
            damping: 15.0,
            length: 0.02,
        })))
        .unwrap();
    let mount = |body, turn: f64| Mount {
        body,
        point: Vec3::new(0.02, turn, -0.01),
        axes: *nalgebra::Rotation3::from_euler_angles(turn, 0.3, -turn).matrix(),
    };
    builder
        .element(Box::new(Bushing {
            name: "mount".into(),
            from: mount(a, 0.2),
            to: mount(b, 0.4),
            stiffness: Vec3::new(3e3, 1e3, 2e3),
            damping: Vec3::new(10.0, 20.0, 5.0),
            rotational_stiffness: Vec3::new(30.0, 50.0, 20.0),
            rotational_damping: Vec3::new(0.3, 0.1, 0.2),
        }))
        .unwrap();
    for (name, follows) in [("dead", false), ("following", true)] {
        builder
            .element(Box::new(Force {
                name: name.into(),
                body: b,
                point: Vec3::new(0.01, 0.0, 0.03),
                direction: Vec3::new(0.0, 0.6, -0.8),
                follows,
                magnitude: Signal::Constant(5.0),
            }))
            .unwrap();
    }
    builder.build()
}

#[test]
fn tangent_agrees_with_differences() {
    let gkf = [("mu_s", 0.5), ("mu_k", 0.3), ("v_s", 0.5), ("v_r", 0.1)];
    for friction in [lugre(), Friction::build("gkf", &values(&gkf)).unwrap()] {
        let model = tangle(friction);
        let n = model.dofs();
        let start = model.start();
        let scaled = |seed, size: f64| {
            numbers(n, seed)
                .iter()
                .map(|x| x * size)
                .collect::<Vec<_>>()
        };
        let mut q = start.q.clone();
        model.displace(&start.q, &scaled(1, 1e-3), &mut q);
        let (v, a) = (scaled(2, 0.3), scaled(3, 2.0));
        let step = 1e-3;
        let weights = Weights {
            mass: 1.0,
            damping: 1e-2,
            stiffness: 1e-4,
        };
        let mut scratch = model.scratch();
        let mut history = vec![0.0; model.history_len()];
        let mut residual = |e: f64, d: &[f64], out: &mut [f64]| {
            let shifted = |x: &[f64], w: f64| -> Vec<f64> {
                x.iter().zip(d).map(|(x, d)| x + e * w * d).collect()
            };
            let turned: Vec<f64> = d.iter().map(|d| e * weights.stiffness * d).collect();
            let mut moved = q.clone();
            model.displace(&q, &turned, &mut moved);
            let (v, a) = (shifted(&v, weights.damping), shifted(&a, weights.mass));
            let at = Instant {
                t: 0.0,
                q: &moved,
                v: &v,
                a: &a,
                history: &start.history,
                step,
                stage: None,
            };
            model.residual(&mut scratch, &at, out, &mut history);
        };
        for seed in 10..30 {
            let d = numbers(n, seed);
            let e = 1e-3;
            let (mut plus, mut minus) = (vec![0.0; n], vec![0.0; n]);
            residual(e, &d, &mut plus);
            residual(-e, &d, &mut minus);
            let mut x: Vec<f64> = plus
                .iter()
                .zip(&minus)
                .map(|(p, m)| (p - m) / (2.0 * e))
                .collect();
            let mut scratch = model.scratch();
            let mut history = vec![0.0; model.history_len()];
            let mut out = vec![0.0; n];
            let at = Instant {
                t: 0.0,
                q: &q,
                v: &v,
                a: &a,
                history: &start.history,
                step,
                stage: None,
            };
            let request = TangentRequest {
                weights,
                renew: Renew::All,
            };
            model
                .factorise(&mut scratch, &at, request, &mut out, &mut history)
                .unwrap();
            model.solve(&mut scratch, &mut x);
            for (i, (x, d)) in x.iter().zip(&d).enumerate() {
                // differences are good to about 1e-7; the arm of the contact is taken to the
                // middle of the penetration without its own change (depth / size, 1e-4 here)
                assert!((x - d).abs() < 2e-4, "dof {i}: {x} against {d}");
            }
        }
    }
}

#[test]
fn momentum_is_kept_by_inner_forces() {
    // contact and springs between two free bodies: what one feels the other gives
    let model = tangle(lugre());
    let state = model.start();
    let n = model.dofs();
    let v = numbers(n, 5);
    let mut scratch = model.scratch();
    let (mut history, mut residual) = (vec![0.0; model.history_len()], vec![0.0; n]);
    let rest = vec![0.0; n];
    let at = Instant {
        t: 0.0,
        q: &state.q,
        v: &v,
        a: &rest,
        history: &state.history,
        step: 1e-3,
        stage: None,
    };
    model.residual(&mut scratch, &at, &mut residual, &mut history);
    let frames = model.frames(0.0, &state.q, &v, &rest);
    let slider = model.body("slider").unwrap();
    let pull = frames[slider.index()].r * Vec3::new(0.6, 0.8, 0.0);
    // along the slider's axis: 0 = inertia − loads, and the loads are gravity and two forces
    let along: f64 = (0..3)
        .map(|i| pull[i] * (residual[i] + residual[6 + i]))
        .sum::<f64>()
        + residual[12];
    let gravity = Vec3::new(0.3, -0.2, -9.81);
    let lower = frames[1].r * Vec3::new(0.01, -0.02, 0.005);
    let centripetal = frames[1].w.cross(&frames[1].w.cross(&lower)) * 2.0;
    let following = frames[2].r * Vec3::new(0.0, 0.6, -0.8) * 5.0;
    let loads = gravity * 3.1 + Vec3::new(0.0, 0.6, -0.8) * 5.0 + following - centripetal;
    // sums of some ten terms of at most 1e5 N in double precision
    assert!(
        (along + pull.dot(&loads)).abs() < 1e-8,
        "{along} against {}",
        -pull.dot(&loads)
    );
}
