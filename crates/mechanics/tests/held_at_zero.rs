//! Energy of forces that only press or only pull, where damping brings them to 0 ahead of the faces.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use bristle_laws::{Friction, Normal};
use bristle_mechanics::element::{
    Attachment, Cable, Contact, ContactPoint, JointStop, NormalForceSource, Spring, Surface,
};
use bristle_mechanics::record::Start;
use bristle_mechanics::{Body, BodyId, Inertia, Joint, JointOwner, Model, ModelBuilder, Vec3};
use common::{plan, record, values};

/// A mass of 52 kg at a height of 1 m that can move up and down.
fn mass() -> (ModelBuilder, BodyId) {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let inertia = Inertia::solid_sphere(52.0, 0.1);
    let body = Body::new("mass", Joint::Prismatic { axis: Vec3::z() }, inertia).at(Vec3::z());
    let body = builder.body(body).unwrap();
    (builder, body)
}

fn law() -> Normal {
    let law = [("stiffness", 1e9), ("exponent", 1.5), ("damping", 1e5)];
    Normal::build("hunt_crossley", &values(&law)).unwrap()
}

/// It falls on a plane.
fn on_plane() -> Model {
    let (mut builder, body) = mass();
    let smooth = values(&[
        ("kinetic_coefficient", 1e-9),
        ("regularisation_velocity", 1.0),
    ]);
    let friction = Friction::build("coulomb_tanh", &smooth).unwrap();
    let contact = Contact {
        name: "floor".into(),
        body,
        points: vec![ContactPoint::new(Vec3::zeros())],
        surface: Surface::plane(BodyId::GROUND, Vec3::zeros(), Vec3::z()),
        normal: NormalForceSource::Law(law()),
        slip_speed: 1e-3,
        friction: friction.into(),
        resistance: None,
    };
    builder.element(Box::new(contact)).unwrap();
    builder.build()
}

/// It falls on the stop of its joint.
fn on_stop() -> Model {
    let (mut builder, body) = mass();
    let stop = JointStop {
        name: "floor".into(),
        joint: JointOwner::Body(body),
        place: 0,
        min: Some(-1.0),
        max: None,
        normal: law(),
        radius: None,
    };
    builder.joint_element(Box::new(stop)).unwrap();
    builder.build()
}

/// It falls into a cable, the other end of which is 3 m up.
fn on_cable() -> Model {
    let (mut builder, body) = mass();
    let end = |body, height| Attachment {
        body,
        point: Vec3::new(0.0, 0.0, height),
    };
    let cable = Cable(Spring {
        name: "rope".into(),
        from: end(BodyId::GROUND, 4.0),
        to: end(body, 0.0),
        stiffness: 1e6,
        cubic: 0.0,
        damping: 5e3,
        length: 4.0,
    });
    builder.element(Box::new(cable)).unwrap();
    builder.build()
}

#[test]
fn what_a_spring_held_at_zero_gives_up_is_lost_exactly() {
    for (name, model) in [
        ("plane", on_plane()),
        ("stop", on_stop()),
        ("cable", on_cable()),
    ] {
        let imbalance = |tolerance| {
            let (outcome, _) = record(&model, &plan(2.0, tolerance), Start::AsGiven, 0.1);
            assert!(outcome.error.is_none(), "{name}: {:?}", outcome.error);
            outcome.balance.relative()
        };
        let (coarse, fine) = (imbalance(1e-6), imbalance(1e-8));
        // of second order: the error of a step h is in proportion to h^3 and held at the tolerance, so
        // the energy of an impact closes with the power 2/3 of it: 21 times better at a hundredth
        assert!(coarse < 2e-4, "{name}: {coarse:e}");
        assert!(fine < coarse / 10.0, "{name}: {coarse:e} {fine:e}");
    }
}
