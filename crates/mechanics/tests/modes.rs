//! Natural frequencies and damping ratios against closed forms.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod common;

use bristle_integrate::equilibrium;
use bristle_mechanics::element::{Attachment, Spring};
use bristle_mechanics::modes::{Contacts, Mode};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, Model, ModelBuilder, Vec3};
use bristle_signals::{Expression, Signal};

fn modes(model: &Model, count: usize) -> Vec<Mode> {
    let mut state = model.start();
    equilibrium(model, &mut state).unwrap();
    model.modes(&state, Contacts::AsTheyStand, count).unwrap()
}

fn spring(name: &str, from: BodyId, to: BodyId, stiffness: f64, damping: f64) -> Spring {
    let at = |body, x| Attachment {
        body,
        point: Vec3::new(x, 0.0, 0.0),
    };
    Spring {
        name: name.into(),
        from: at(from, -1.0),
        to: at(to, 0.0),
        stiffness,
        cubic: 0.0,
        damping,
        length: 1.0,
    }
}

/// Two masses in a row: m₁ = 2 kg, m₂ = 1 kg, k₁ = 300 N/m, k₂ = 100 N/m.
fn row(dampers: [f64; 2]) -> Model {
    let mut builder = ModelBuilder::new();
    add_row(&mut builder, "", dampers);
    builder.build()
}

fn add_row(builder: &mut ModelBuilder, prefix: &str, dampers: [f64; 2]) {
    let mut last = BodyId::GROUND;
    for (i, (mass, k)) in [(2.0, 300.0), (1.0, 100.0)].into_iter().enumerate() {
        let slider = Joint::Prismatic { axis: Vec3::x() };
        let inertia = Inertia {
            mass,
            ..Inertia::NONE
        };
        let body = builder
            .body(Body::new(&format!("{prefix}m{i}"), slider, inertia))
            .unwrap();
        let spring = spring(&format!("{prefix}s{i}"), last, body, k, dampers[i]);
        builder.element(Box::new(spring)).unwrap();
        last = body;
    }
}

#[test]
fn a_row_of_masses() {
    // (400 − 2 w)(100 − w) = 100² with w = ω²: w = 150 ∓ 50 √5 … of 2 w² − 600 w + 30000 = 0
    let root = (600.0_f64 * 600.0 - 8.0 * 30000.0).sqrt();
    let squares = [(600.0 - root) / 4.0, (600.0 + root) / 4.0];
    let found = modes(&row([0.0; 2]), 5);
    assert_eq!(found.len(), 2);
    for (mode, w2) in found.iter().zip(squares) {
        let expected = w2.sqrt() / std::f64::consts::TAU;
        assert!((mode.frequency() / expected - 1.0).abs() < 1e-12);
        assert!(mode.damping_ratio().abs() < 1e-12);
    }
}

#[test]
fn damping_in_proportion_and_not() {
    // c = β k gives ζ = β ω / 2
    let beta = 2e-3;
    for mode in modes(&row([300.0 * beta, 100.0 * beta]), 2) {
        let w = mode.eigenvalue.norm();
        assert!((mode.damping_ratio() / (0.5 * beta * w) - 1.0).abs() < 1e-9);
    }
    // one damper alone: the roots of the polynomial (2λ²+cλ+400)(λ²+100) − 100² = 0
    let c = 8.0;
    for mode in modes(&row([c, 0.0]), 2) {
        let z = mode.eigenvalue;
        let value = (z * z * 2.0 + z * c + 400.0) * (z * z + 100.0) - 1e4;
        // the terms are of 1e5 and the eigenvalues good to some 1e-12
        assert!(value.norm() < 1e-6, "{z}: {value}");
        assert!(mode.damping_ratio() > 0.01);
        assert!((mode.damped_frequency() * std::f64::consts::TAU - z.im).abs() < 1e-12);
    }
}

#[test]
fn equal_rows_have_modes_of_their_own() {
    // two rows side by side: every eigenvalue twice, with vectors that are not the same
    let mut builder = ModelBuilder::new();
    for prefix in ["a", "b"] {
        add_row(&mut builder, prefix, [8.0, 0.0]);
    }
    let found = modes(&builder.build(), 4);
    for pair in found.chunks(2) {
        let [one, other] = pair else { panic!("pairs") };
        let apart = (one.eigenvalue - other.eigenvalue).norm();
        assert!(apart < 1e-9 * one.eigenvalue.norm(), "{apart}");
        let dot = |a: &Mode, b: &Mode| {
            let sum: nalgebra::Complex<f64> = a
                .shape
                .iter()
                .zip(&b.shape)
                .map(|(a, b)| a.conj() * b)
                .sum();
            sum.norm()
        };
        let cosine = dot(one, other) / (dot(one, one) * dot(other, other)).sqrt();
        assert!(cosine < 0.9, "the same shape twice: {cosine}");
    }
}

#[test]
fn the_undamped_frequency_is_that_without_the_damper() {
    // as in a row of masses: 2 w² − 600 w + 30000 = 0 of w = ω₀², whatever the damper; half of
    // critical damping moves |λ| by some per cent
    let root = (600.0_f64 * 600.0 - 8.0 * 30000.0).sqrt();
    for c in [0.0, 8.0, 20.0] {
        let found = modes(&row([c, 0.0]), 2);
        for (mode, square) in found
            .iter()
            .zip([(600.0 - root) / 4.0, (600.0 + root) / 4.0])
        {
            let expected = square.sqrt() / std::f64::consts::TAU;
            let undamped = mode.undamped_frequency().unwrap();
            assert!(
                (undamped / expected - 1.0).abs() < 1e-9,
                "{c}: {undamped} {expected}"
            );
        }
        let moved = (found[1].frequency() / found[1].undamped_frequency().unwrap() - 1.0).abs();
        assert_eq!(moved > 1e-3, c > 0.0, "{c}: {moved}");
    }
}

#[test]
fn a_pendulum_and_a_pendulum_on_a_turning_arm() {
    // hanging: ω² = g/l; on an arm of length a that turns with Ω, a link along the arm without
    // gravity: ω² = Ω² a/l in the plane of rotation
    let (l, g, a, rate) = (0.4, 9.81, 0.7, 25.0);
    for turning in [false, true] {
        let mut builder = ModelBuilder::new();
        let mut bob = Inertia::solid_sphere(1.5, 1e-6);
        bob.tensor.fill(0.0);
        let mut arm = Body::new("arm", Joint::Revolute { axis: Vec3::z() }, Inertia::NONE);
        let motion = Expression::parse(&format!("{} * t", if turning { rate } else { 0.0 }));
        arm.drives = vec![(0, Signal::Expression(motion.unwrap()))];
        let arm = builder.body(arm).unwrap();
        let joint = if turning {
            bob.centre = Vec3::new(l, 0.0, 0.0);
            Joint::Revolute { axis: Vec3::z() }
        } else {
            builder.gravity(Vec3::new(0.0, 0.0, -g));
            bob.centre = Vec3::new(0.0, 0.0, -l);
            Joint::Revolute { axis: Vec3::y() }
        };
        let link = Body::new("link", joint, bob)
            .at(Vec3::new(a, 0.0, 0.0))
            .on(arm);
        builder.body(link).unwrap();
        let expected = if turning {
            rate * (a / l).sqrt()
        } else {
            (g / l).sqrt()
        };
        let found = modes(&builder.build(), 1)[0].eigenvalue.norm();
        assert!(
            (found / expected - 1.0).abs() < 1e-9,
            "{found} against {expected}"
        );
    }
}
