//! The fourth-order method: rotations, default tolerance, work at a touch-down.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod common;

use bristle_integrate::{Control, Method, Plan};
use bristle_mechanics::record::Start;
use bristle_mechanics::{Body, Inertia, Joint, Model, ModelBuilder, Vec3};
use common::record;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion};
use std::f64::consts::{PI, TAU};

fn plan(end_time: f64, control: Control) -> Plan {
    Plan {
        method: Method::Esdirk4,
        end_time,
        // that of a scenario without a setting
        tolerance: 1e-6,
        control,
    }
}

fn adaptive(end_time: f64) -> Plan {
    let control = Control::Adaptive {
        min_step: 1e-10 * end_time,
        max_step: end_time / 50.0,
        first_step: 1e-5,
    };
    plan(end_time, control)
}

/// A heavy top in steady precession.
struct SteadyTop {
    model: Model,
    /// rad/s.
    precession: f64,
    /// rad.
    tilt: f64,
}

/// Distance of the centre of mass from the pivot, m.
const ARM: f64 = 0.1;

impl SteadyTop {
    /// I₁ cos θ Ω² − I₃ ω₃ Ω + m g l = 0 (Goldstein, Classical Mechanics, section 5.7).
    fn new(spin: f64, tilt: f64) -> Self {
        let (across, along, weight) = (0.0108, 0.001_25, 9.81 * ARM);
        let (a, b) = (across * tilt.cos(), -along * spin);
        let precession = (-b - (b * b - 4.0 * a * weight).sqrt()) / (2.0 * a);
        let axis = Vec3::new(tilt.sin(), 0.0, tilt.cos());
        let own = across - ARM * ARM;
        let inertia = Inertia {
            mass: 1.0,
            centre: Vec3::new(0.0, 0.0, ARM),
            tensor: Matrix3::from_diagonal(&Vec3::new(own, own, along)),
        };
        let w = axis * (spin - precession * tilt.cos()) + Vec3::z() * precession;
        let mut top = Body::new("top", Joint::Spherical, inertia);
        top.orientation = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), tilt);
        top.velocity = vec![w.x, w.y, w.z];
        let mut builder = ModelBuilder::new();
        builder.gravity(Vec3::new(0.0, 0.0, -9.81));
        builder.body(top).unwrap();
        Self {
            model: builder.build(),
            precession,
            tilt,
        }
    }

    /// Errors of the azimuth and of the tilt of its axis at the end, rad.
    fn errors(&self, plan: &Plan) -> (f64, f64) {
        let (outcome, _) = record(&self.model, plan, Start::AsGiven, plan.end_time);
        assert_eq!(outcome.error, None);
        let q = &outcome.state.q;
        let turned = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
        let axis = turned * Vec3::z();
        let azimuth = axis.y.atan2(axis.x) - self.precession * plan.end_time;
        let azimuth = (azimuth + PI).rem_euclid(TAU) - PI;
        (azimuth, axis.z.acos() - self.tilt)
    }
}

/// With the angular velocity for the rate of the rotation vector it would be of second order.
#[test]
fn a_top_is_followed_to_fourth_order() {
    let top = SteadyTop::new(200.0, 0.6);
    let errors = [4e-3, 2e-3, 1e-3].map(|step| {
        let exact = Plan {
            tolerance: 1e-11,
            ..plan(1.0, Control::Fixed { step })
        };
        let (azimuth, tilt) = top.errors(&exact);
        azimuth.hypot(tilt)
    });
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        // between the order and that of a method of fifth, which symmetric motions approach
        assert!((3.7..5.3).contains(&order), "{errors:?}");
    }
}

#[test]
fn a_fast_top_precesses_right_without_any_setting() {
    for (spin, tilt) in [(300.0, 0.35), (400.0, 0.8), (250.0, 0.17)] {
        let top = SteadyTop::new(spin, tilt);
        let (azimuth, tilt) = top.errors(&adaptive(6.0));
        let turned = top.precession * 6.0;
        assert!(
            azimuth.abs() < 1e-3 * turned,
            "{spin}: {azimuth} of {turned}"
        );
        assert!(tilt.abs() < 1e-3, "{spin}: {tilt}");
    }
}

/// Without torque energy and angular momentum stay; the intermediate axis flips several times.
#[test]
fn a_tumbling_body_keeps_energy_and_angular_momentum() {
    let inertia = Inertia {
        mass: 1.0,
        centre: Vec3::zeros(),
        tensor: Matrix3::from_diagonal(&Vec3::new(1.0, 2.0, 3.0)),
    };
    let mut body = Body::new("body", Joint::Free, inertia);
    body.velocity = vec![0.0, 0.0, 0.0, 0.01, 5.0, 0.0];
    let mut builder = ModelBuilder::new();
    builder.body(body).unwrap();
    let model = builder.build();
    let (outcome, _) = record(&model, &adaptive(20.0), Start::AsGiven, 1.0);
    let state = &outcome.state;
    let q = &state.q[3..];
    let turned = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    let w = Vec3::new(state.v[3], state.v[4], state.v[5]);
    let own = turned.inverse() * w;
    let momentum = turned * Vec3::new(own.x, 2.0 * own.y, 3.0 * own.z);
    // some 700 steps of an error of 1e-7
    let start = Vec3::new(0.01, 10.0, 0.0);
    assert!(
        (momentum - start).norm() < 1e-4 * start.norm(),
        "{momentum}"
    );
    assert!(outcome.energies.relative_imbalance() < 1e-5);
}

/// A pendulum of 2 rad: 470 periods.
#[test]
fn a_pendulum_keeps_its_energy_over_a_thousand_seconds() {
    let inertia = Inertia {
        mass: 1.0,
        centre: Vec3::new(0.0, 0.0, -1.0),
        ..Inertia::NONE
    };
    let mut body = Body::new("p", Joint::Revolute { axis: Vec3::y() }, inertia);
    body.coordinates = vec![2.0];
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.body(body).unwrap();
    let model = builder.build();
    let (outcome, _) = record(&model, &adaptive(1000.0), Start::AsGiven, 10.0);
    assert!(outcome.balance.relative() < 1e-5, "{:?}", outcome.balance);
}
