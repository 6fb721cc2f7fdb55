//! The beam element: its derivatives, invariances and degenerate poses.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod beam_bench;

use beam_bench::{Stand, numbers};
use bristle_mechanics::element::{
    BeamElement, BeamEnd, BeamProperties, CrossSection, Material, Rayleigh,
};
use bristle_mechanics::{BodyId, Vec3};
use nalgebra::{DMatrix, DVector, Rotation3, UnitQuaternion};
use std::f64::consts::PI;

/// A section whose stiffness, inertia and damping terms are all of the same size, so that no
/// error hides behind a larger term.
fn soft(reference: BodyId) -> BeamProperties {
    BeamProperties {
        section: CrossSection {
            area: 0.5,
            i_y: 0.07,
            i_z: 0.11,
            torsion_constant: 0.09,
        },
        material: Material {
            young: 7.0,
            shear: 9.0,
            density: 1.3,
        },
        damping: Rayleigh {
            mass: 0.8,
            stiffness: 0.6,
        },
        reference,
    }
}

/// Two bodies that fly and spin, a strongly deformed beam between points off their origins,
/// a third body as reference of the damping.
fn flying(reference: usize) -> Stand {
    let mut stand = Stand::new(3);
    let ids = stand.ids.clone();
    let turn = |x: [f64; 3]| UnitQuaternion::from_scaled_axis(Vec3::from(x));
    let ends = [
        BeamEnd {
            body: ids[1],
            point: Vec3::new(0.2, -0.3, 0.1),
            orientation: turn([0.3, 1.0, -0.5]),
        },
        BeamEnd {
            body: ids[2],
            point: Vec3::new(-0.1, 0.25, 0.4),
            orientation: turn([-0.4, 0.2, 0.7]),
        },
    ];
    let element = BeamElement::new("e", ends, 1.1, &soft(ids[reference])).unwrap();
    stand.elements.push(element);
    stand.gravity(Vec3::new(1.5, -2.0, 0.7));
    // bodies such that the element is strained by 30 % and its ends are turned by up to 0.7 rad
    let axes = Rotation3::new(Vec3::new(0.9, -0.4, 1.3));
    let places = [Vec3::new(0.3, 0.2, -0.5), Vec3::new(1.7, 0.35, -0.2)];
    for (k, turned) in [[0.4, -0.5, 0.3], [-0.3, 0.2, 0.6]].iter().enumerate() {
        let end = &ends[k];
        let section = axes * Rotation3::new(Vec3::from(*turned));
        let body = section * end.orientation.to_rotation_matrix().inverse();
        let frame = &mut stand.frames[k + 1];
        frame.r = *body.matrix();
        frame.p = axes * places[k] - body * end.point;
    }
    stand.frames[3].p = Vec3::new(0.5, -0.4, 0.6);
    stand.push(&(numbers(18, 1) * 2.0));
    stand.accelerate(&(numbers(18, 2) * 3.0));
    stand
}

/// Central differences of the wrenches on the free bodies.
fn differences(make: impl Fn() -> Stand, shift: fn(&mut Stand, &DVector<f64>)) -> DMatrix<f64> {
    let n = 18;
    let mut matrix = DMatrix::zeros(n, n);
    let step = 1e-5;
    for j in 0..n {
        let at = |size: f64| {
            let mut stand = make();
            let mut d = DVector::zeros(n);
            d[j] = size;
            shift(&mut stand, &d);
            stand.collect(None).force()
        };
        matrix.set_column(j, &((at(step) - at(-step)) / (2.0 * step)));
    }
    matrix
}

#[test]
fn blocks_agree_with_differences() {
    // the reference of the damping apart, and on an end of the beam
    for reference in [3, 2] {
        let make = || flying(reference);
        let stand = make();
        let by_place = differences(make, Stand::displace);
        let by_rate = differences(make, Stand::push);
        let by_acceleration = differences(make, Stand::accelerate);
        let sink = stand.collect(Some((0.7, 1.3)));
        let weighted = &by_place * 1.3 + &by_rate * 0.7;
        for (what, got, expected) in [
            ("place", &stand.collect(Some((0.0, 1.0))).blocks, &by_place),
            ("rate", &sink.rate, &by_rate),
            ("acceleration", &sink.mass, &by_acceleration),
            ("weighted", &sink.blocks, &weighted),
        ] {
            let error = (got - expected).abs();
            // entries of some 10; differences are good to step² times the third derivative
            assert!(error.max() < 2e-8, "{what}: {} {error:.1e}", error.max());
            assert!(expected.abs().max() > 0.1, "{what} is not tested");
        }
    }
}

#[test]
fn blocks_at_rest_agree_with_differences() {
    // the terms of the velocities are skipped here; damping by velocity stays
    let make = || {
        let mut stand = flying(3);
        for frame in &mut stand.frames {
            (frame.v, frame.w) = (Vec3::zeros(), Vec3::zeros());
        }
        stand
    };
    let sink = make().collect(Some((0.0, 1.0)));
    for (what, got, expected) in [
        ("place", &sink.blocks, differences(make, Stand::displace)),
        ("rate", &sink.rate, differences(make, Stand::push)),
    ] {
        let error = (got - expected).abs().max();
        assert!(error < 2e-8, "{what}: {error:.1e}");
    }
}

#[test]
fn forces_are_those_of_the_potential() {
    // at rest the generalised force is the negative gradient of the stored energy
    let make = || {
        let mut stand = flying(3);
        for frame in &mut stand.frames {
            (frame.v, frame.w) = (Vec3::zeros(), Vec3::zeros());
            (frame.a, frame.alpha) = (Vec3::zeros(), Vec3::zeros());
        }
        stand
    };
    let force = make().collect(None).force();
    for j in 0..18 {
        let at = |size: f64| {
            let mut stand = make();
            let mut d = DVector::zeros(18);
            d[j] = size;
            stand.displace(&d);
            stand.stored()
        };
        let gradient = (at(1e-5) - at(-1e-5)) / 2e-5;
        // differences: 1e-10 of the third derivative
        assert!((force[j] + gradient).abs() < 1e-8, "{j}: {}", force[j]);
    }
}

#[test]
fn rigid_motions_leave_local_forces_alone() {
    let still = |stand: &mut Stand| {
        for frame in &mut stand.frames {
            (frame.v, frame.w) = (Vec3::zeros(), Vec3::zeros());
            (frame.a, frame.alpha) = (Vec3::zeros(), Vec3::zeros());
        }
        stand.gravity(Vec3::zeros());
    };
    let mut stand = flying(3);
    still(&mut stand);
    let before = (stand.collect(None), stand.sample(0), stand.stored());
    let turn = Rotation3::new(Vec3::new(2.0, -1.5, 1.2));
    for frame in &mut stand.frames {
        frame.p = turn * frame.p + Vec3::new(3.0, -20.0, 5.0);
        frame.r = turn.matrix() * frame.r;
    }
    let after = (stand.collect(None), stand.sample(0), stand.stored());
    for (a, b) in before.1.iter().zip(&after.1) {
        // rounding at a distance of 20 m
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
    assert!((before.2 - after.2).abs() < 1e-12);
    for (a, b) in before.0.wrenches.iter().zip(&after.0.wrenches) {
        let turned = turn * a.fixed_rows::<3>(0);
        assert!((turned - b.fixed_rows::<3>(0)).norm() < 1e-12);
    }
    // a rigid body motion deforms nothing: no damping against the moving reference either
    let mut stand = Stand::cantilever(1, 1.1, &soft(BodyId::GROUND));
    let w = Vec3::new(0.4, 2.0, -1.0);
    stand.frames[0].w = w;
    stand.frames[1].w = w;
    stand.frames[1].v = w.cross(&stand.frames[1].p);
    assert!(stand.lost_power().abs() < 1e-28);
}

#[test]
fn half_turns_and_collapse_stay_finite() {
    let p = soft(BodyId::GROUND);
    let at = |place: Vec3, turn: Vec3| {
        let mut stand = Stand::cantilever(1, 1.0, &p);
        stand.frames[1].p = place;
        stand.frames[1].r = *Rotation3::new(turn).matrix();
        stand.frames[1].v = Vec3::new(1.0, 2.0, 3.0);
        stand.collect(Some((1.0, 1.0)))
    };
    for turn in [Vec3::x() * PI, Vec3::y() * PI, Vec3::z() * PI] {
        for place in [Vec3::x(), Vec3::y(), Vec3::zeros(), -Vec3::x()] {
            let sink = at(place, turn);
            let force = sink.force();
            assert!(force.iter().all(|x| x.is_finite()), "{place} {turn}");
            assert!(sink.blocks.iter().all(|x| x.is_finite()), "{place} {turn}");
        }
    }
}
