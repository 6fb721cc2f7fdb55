//! The same models by an independent route: another integrator (explicit Runge–Kutta of order 8,
//! from an ODE library) on the continuous view, against generalised-α on the constitutive update.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod common;

use bristle_integrate::{State, equilibrium};
use bristle_mechanics::continuous::{Continuous, ContinuousScratch};
use bristle_mechanics::element::{BallFriction, JointLoad, ModelElement};
use bristle_mechanics::record::Start;
use bristle_mechanics::{Body, Inertia, Joint, JointOwner, Model, ModelBuilder, Vec3};
use bristle_signals::Signal;
use common::{block, cube, lugre, plan, record, table};
use differential_equations::prelude::*;
use nalgebra::UnitQuaternion;
use std::cell::RefCell;

struct Rates<'m> {
    view: Continuous<'m>,
    scratch: RefCell<ContinuousScratch>,
}

impl ODE<f64, Vec<f64>> for Rates<'_> {
    fn diff(&self, t: f64, y: &Vec<f64>, dy: &mut Vec<f64>) {
        self.view.rates(&mut self.scratch.borrow_mut(), t, y, dy);
    }
}

/// Solves from `state` over the pieces between the kinks of the loads.
fn solve(model: &Model, state: &State, times: &[f64]) -> Vec<Vec<f64>> {
    let view = Continuous::new(model);
    let scratch = RefCell::new(view.scratch());
    let mut y = view.pack(state);
    let rates = Rates { view, scratch };
    let mut all = vec![y.clone()];
    for piece in times.windows(2) {
        // one absolute tolerance for 1e-7 m of depth and 1e-5 m of bristle needs a small one
        let method = ExplicitRungeKutta::dop853()
            .rtol(1e-7)
            .atol(1e-12)
            .max_steps(10_000_000);
        let solution = IVP::ode(&rates, piece[0], piece[1], y.clone())
            .method(method)
            .solve()
            .unwrap();
        y.clone_from(solution.y.last().unwrap());
        all.push(y.clone());
    }
    all
}

#[test]
fn cube_agrees_with_an_explicit_integrator() {
    let model = cube(30.0, 0.0);
    let mut state = model.start();
    equilibrium(&model, &mut state).unwrap();
    let times = [0.0, 1.0, 2.0, 2.5, 3.0, 3.6, 3.9];
    let reference = solve(&model, &state, &times);
    let (outcome, rows) = record(&model, &plan(4.0, 1e-6), Start::Equilibrium, 0.1);
    assert_eq!(outcome.error, None);
    for (t, y) in times.iter().zip(&reference) {
        let mut worst = 0.0_f64;
        for (i, axis) in ["x", "y"].iter().enumerate() {
            worst = worst.max((rows.at(&format!("body.cube.position.{axis}"), *t) - y[i]).abs());
        }
        // the run's tolerance is 1e-6 of the distance per step, some hundred steps after 3.5 s
        let moved = y[0].hypot(y[1]);
        assert!(
            worst < 2e-9 + 1e-4 * moved,
            "t = {t}: {worst:e} of {moved:e}"
        );
    }
}

#[test]
fn block_agrees_with_an_explicit_integrator() {
    let normal = table(&[(0.0, 10.0), (3.0, 10.0), (4.0, 0.0)]);
    let pull = table(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.75), (4.0, 0.75)]);
    let model = block(1.0194, lugre(), normal, vec![pull]).build();
    let times = [0.0, 1.0, 2.0, 3.0, 3.5, 3.95];
    let reference = solve(&model, &model.start(), &times);
    let (outcome, rows) = record(&model, &plan(4.0, 1e-7), Start::AsGiven, 0.05);
    assert_eq!(outcome.error, None);
    for (t, y) in times.iter().zip(&reference) {
        let x = rows.at("body.block.position.x", *t);
        assert!(
            (x - y[0]).abs() < 1e-10 + 1e-5 * y[0].abs(),
            "t = {t}: {x} against {}",
            y[0]
        );
        // the bristle is the first history entry, after coordinate and velocity
        let z = rows.at("contact.base.point1.state.x", *t);
        assert!((z - y[2]).abs() < 1e-9, "t = {t}: {z} against {}", y[2]);
    }
}

/// A tilted top in a socket that rubs: slip and bristle are vectors in space that change their direction.
fn top() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let inertia = Inertia {
        mass: 0.5,
        centre: Vec3::new(0.0, 0.0, 0.06),
        tensor: nalgebra::Matrix3::from_diagonal(&Vec3::new(4e-4, 4e-4, 6e-4)),
    };
    let mut body = Body::new("top", Joint::Spherical, inertia);
    body.orientation = UnitQuaternion::from_scaled_axis(Vec3::new(0.4, 0.0, 0.0));
    body.velocity = (body.orientation * Vec3::new(1.0, 0.0, 20.0))
        .as_slice()
        .to_vec();
    let body = builder.body(body).unwrap();
    let element = ModelElement::ball(BallFriction {
        name: "socket".into(),
        joint: JointOwner::Body(body),
        friction: lugre().into(),
        load: JointLoad::Given(Signal::Constant(5.0)),
        radius: 0.02,
        slip_speed: 1e-3,
    });
    builder.add(element).unwrap();
    builder.build()
}

#[test]
fn top_in_its_socket_agrees_with_an_explicit_integrator() {
    let model = top();
    let times = [0.0, 0.1, 0.2, 0.3, 0.4];
    let reference = solve(&model, &model.start(), &times);
    let (outcome, rows) = record(&model, &plan(0.4, 1e-9), Start::AsGiven, 0.1);
    assert_eq!(outcome.error, None);
    for (t, y) in times.iter().zip(&reference) {
        for (i, axis) in ["x", "y", "z"].iter().enumerate() {
            let at = |what: &str| rows.at(&format!("joint_friction.socket.{what}.{axis}"), *t);
            // behind four coordinates: angular velocity, bristle and slip displacement
            let [w, z, slip] = [y[4 + i], y[7 + i], y[10 + i]];
            // second order with steps for 1e-9, over some turns
            assert!(
                (at("angular_velocity") - w).abs() < 1e-4 * 20.0,
                "t = {t}: {w}"
            );
            // σ₀ z/μ = 1 at 15 µm at most
            assert!((at("state") - z).abs() < 1e-4 * 1.5e-5, "t = {t}: {z}");
            assert!((at("slip") - slip).abs() < 1e-6, "t = {t}: {slip}");
        }
    }
}
