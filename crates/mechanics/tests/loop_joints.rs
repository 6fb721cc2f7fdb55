//! Every joint that closes a loop against the same joint in the tree: two formulations of one
//! machine, in minimal coordinates and with multipliers.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use bristle_integrate::{Method, Plan};
use bristle_mechanics::record::Start;
use bristle_mechanics::{
    Body, BodyId, Inertia, Joint, LoopEnd, LoopJoint, Model, ModelBuilder, Vec3,
};
use common::{Rows, plan, record};

const PLACE: Vec3 = Vec3::new(0.3, -0.2, 0.5);

fn inertia() -> Inertia {
    let mut inertia = Inertia::solid_box(1.3, [0.3, 0.2, 0.1]);
    inertia.centre = Vec3::new(0.1, 0.05, -0.07);
    inertia
}

fn builder() -> ModelBuilder {
    let mut builder = ModelBuilder::new();
    // oblique, so that every direction of every joint is loaded
    builder.gravity(Vec3::new(2.0, 3.0, -9.0));
    builder
}

fn in_tree(joint: Joint) -> Model {
    let mut builder = builder();
    builder
        .body(Body::new("body", joint, inertia()).at(PLACE))
        .unwrap();
    builder.build()
}

fn by_loop(joint: Joint) -> Model {
    let mut builder = builder();
    let body = Body::new("body", Joint::Free, inertia()).at(PLACE);
    let body = builder.body(body).unwrap();
    builder
        .close_loop(LoopJoint {
            name: "closing".into(),
            joint,
            from: LoopEnd::at(BodyId::GROUND, PLACE),
            to: LoopEnd::at(body, Vec3::zeros()),
        })
        .unwrap();
    builder.build()
}

fn last(model: &Model, name: &str) -> [f64; 3] {
    let (outcome, rows): (_, Rows) = record(model, &plan(0.4, 1e-9), Start::AsGiven, 0.4);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    ["x", "y", "z"].map(|axis| {
        let column = rows.column(&format!("{name}.{axis}"));
        column.last().copied().unwrap()
    })
}

#[test]
fn a_free_body_in_a_loop_moves_as_in_the_joint() {
    let axis = Vec3::new(1.0, 2.0, -0.5).normalize();
    let other = Vec3::new(0.3, -1.0, 0.4);
    let other = (other - axis * axis.dot(&other)).normalize();
    let all = [
        ("revolute", Joint::Revolute { axis }, 5),
        ("prismatic", Joint::Prismatic { axis }, 5),
        ("cylindrical", Joint::Cylindrical { axis }, 4),
        ("planar", Joint::Planar { normal: axis }, 3),
        (
            "universal",
            Joint::Universal {
                first: axis,
                second: other,
            },
            4,
        ),
        ("spherical", Joint::Spherical, 3),
        ("point", Joint::Translational, 3),
        ("fixed", Joint::Fixed, 6),
    ];
    for (name, joint, rows) in all {
        let (tree, closed) = (in_tree(joint.clone()), by_loop(joint));
        assert_eq!(closed.constraints(), rows, "{name}");
        // errors of both at this tolerance, of order 1e-7 of motions of order one, in m and m/s
        for (what, allowed) in [("position", 1e-6), ("velocity", 1e-5)] {
            let name_of = format!("body.body.{what}");
            let (a, b) = (last(&tree, &name_of), last(&closed, &name_of));
            for (a, b) in a.iter().zip(&b) {
                assert!((a - b).abs() < allowed, "{name} {what}: {a} {b}");
            }
        }
        for what in ["force", "moment"] {
            let a = last(&tree, &format!("joint.body.reaction.{what}"));
            let b = last(&closed, &format!("loop.closing.reaction.{what}"));
            for (a, b) in a.iter().zip(&b) {
                // of some 12 N and 2 N m
                assert!((a - b).abs() < 1e-4, "{name} {what}: {a} {b}");
            }
        }
    }
}

#[test]
fn a_spatial_four_bar_keeps_its_energy() {
    // crank about z, rocker about x, a rod with two ball joints: it spins about itself freely
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let rod_of = |length: f64| {
        let mut inertia = Inertia::solid_box(1.0, [length, 0.03, 0.02]);
        inertia.centre = Vec3::new(0.5 * length, 0.0, 0.0);
        inertia
    };
    let mut crank = Body::new("crank", Joint::Revolute { axis: Vec3::z() }, rod_of(0.1));
    crank.velocity = vec![8.0];
    crank.given.rates = true;
    crank.given.coordinates = true;
    let crank = builder.body(crank).unwrap();
    let rod = Body::new("rod", Joint::Spherical, rod_of(0.5))
        .at(Vec3::new(0.1, 0.0, 0.0))
        .on(crank);
    let rod = builder.body(rod).unwrap();
    let mut inertia = rod_of(0.3);
    inertia.centre = Vec3::new(0.0, 0.0, 0.15);
    let rocker = Body::new("rocker", Joint::Revolute { axis: Vec3::x() }, inertia)
        .at(Vec3::new(0.4, 0.1, -0.1));
    let rocker = builder.body(rocker).unwrap();
    builder
        .close_loop(LoopJoint {
            name: "ball".into(),
            joint: Joint::Spherical,
            from: LoopEnd::at(rocker, Vec3::new(0.0, 0.0, 0.3)),
            to: LoopEnd::at(rod, Vec3::new(0.5, 0.0, 0.0)),
        })
        .unwrap();
    let model = builder.build();
    let report = model.assembly().unwrap().unwrap();
    // 1 + 3 + 1 less 3: the crank turns, and the rod about itself
    assert_eq!(report.mobility, 2);
    assert!(report.redundant.is_empty());
    let plan = Plan {
        method: Method::Esdirk4,
        ..plan(1.0, 1e-9)
    };
    let (outcome, rows) = record(&model, &plan, Start::AsGiven, 0.01);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    // a hundred steps of an error of 1e-10
    let imbalance = outcome.energies.relative_imbalance();
    assert!(imbalance < 1e-8, "{imbalance}");
    let gap = rows.column("loop.ball.gap");
    assert!(gap.iter().all(|gap| *gap < 1e-14), "{gap:?}");
}
