//! Beams in models: the tangent on moving parents, equilibrium, ring-down with its energy.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod beam_bench;
mod common;

use beam_bench::steel;
use bristle_integrate::{Instant, Renew, System, TangentRequest, Weights, equilibrium};
use bristle_mechanics::element::{BeamProperties, CrossSection, Material, Rayleigh};
use bristle_mechanics::record::Start;
use bristle_mechanics::{Beam, BeamSupport};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, Model, ModelBuilder, Vec3};
use common::{fixed, numbers, record};
use nalgebra::{Isometry3, UnitQuaternion};

/// A free body on the end of a soft beam that sticks out of a rotor; the nodes ride on the rotor,
/// and the damping acts against it.
fn rotor() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.4, -0.3, -9.81));
    let inertia = Inertia::solid_box(0.8, [0.5, 0.4, 0.3]);
    let shaft = Joint::Revolute {
        axis: Vec3::new(0.0, 0.6, 0.8),
    };
    let rotor = builder.body(Body::new("rotor", shaft, inertia)).unwrap();
    let place = Vec3::new(1.1, 0.1, -0.2);
    let tip = Body::new("tip", Joint::Free, inertia).at(place);
    let tip = builder.body(tip).unwrap();
    let beam = Beam {
        name: "arm".into(),
        supports: [
            BeamSupport {
                body: rotor,
                point: Vec3::new(0.2, 0.05, 0.0),
                pose: Isometry3::identity(),
            },
            BeamSupport {
                body: tip,
                point: Vec3::new(-0.1, 0.1, 0.05),
                pose: Isometry3::from_parts(place.into(), UnitQuaternion::identity()),
            },
        ],
        section_y: Vec3::y(),
        properties: BeamProperties {
            section: CrossSection::rectangular(0.1, 0.06),
            material: Material {
                young: 2e4,
                shear: 8e3,
                density: 150.0,
            },
            damping: Rayleigh {
                mass: 2.0,
                stiffness: 0.1,
            },
            reference: rotor,
        },
        elements: 3,
    };
    beam.add_to(&mut builder, rotor).unwrap();
    builder.build()
}

#[test]
fn tangent_of_a_beam_on_a_rotor_agrees_with_differences() {
    let model = rotor();
    let n = model.dofs();
    assert_eq!(n, 1 + 6 + 2 * 6);
    let start = model.start();
    let scaled = |seed, size: f64| -> Vec<f64> {
        let numbers = numbers(n, seed);
        numbers.iter().map(|x| x * size).collect()
    };
    let mut q = start.q.clone();
    model.displace(&start.q, &scaled(1, 0.1), &mut q);
    let (v, a) = (scaled(2, 3.0), scaled(3, 10.0));
    for [mass, damping, stiffness] in [[1.0, 0.0, 0.0], [1.0, 0.2, 0.0], [1.0, 0.2, 0.1]] {
        let weights = Weights {
            mass,
            damping,
            stiffness,
        };
        let residual = |e: f64, d: &[f64]| {
            let shifted = |x: &[f64], w: f64| -> Vec<f64> {
                x.iter().zip(d).map(|(x, d)| x + e * w * d).collect()
            };
            let mut moved = q.clone();
            model.displace(&q, &shifted(&vec![0.0; n], stiffness), &mut moved);
            let mut out = vec![0.0; n];
            let at = Instant {
                t: 0.0,
                q: &moved,
                v: &shifted(&v, damping),
                a: &shifted(&a, mass),
                history: &[],
                step: 1e-3,
                stage: None,
            };
            model.residual(&mut model.scratch(), &at, &mut out, &mut []);
            out
        };
        let mut scratch = model.scratch();
        let at = Instant {
            t: 0.0,
            q: &q,
            v: &v,
            a: &a,
            history: &[],
            step: 1e-3,
            stage: None,
        };
        let mut out = vec![0.0; n];
        let renew = Renew::All;
        let request = TangentRequest { weights, renew };
        model
            .factorise(&mut scratch, &at, request, &mut out, &mut [])
            .unwrap();
        for seed in 10..20 {
            let d = numbers(n, seed);
            let e = 1e-5;
            let (plus, minus) = (residual(e, &d), residual(-e, &d));
            let difference = plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * e));
            let mut found: Vec<f64> = difference.collect();
            model.solve(&mut scratch, &mut found);
            for (i, (x, d)) in found.iter().zip(&d).enumerate() {
                // differences are good to 1e-8; the light nodes' small pivots take some of it
                assert!((x - d).abs() < 1e-5, "dof {i}: {x} against {d}");
            }
        }
    }
}

/// A clamped steel strip, 0.5 m long, under gravity.
fn cantilever(elements: usize, gravity: f64, damping: Rayleigh) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::z() * -gravity);
    let place = Vec3::x() * 0.5;
    let tip = builder.body(Body::node("tip", 0.5).at(place)).unwrap();
    let support = |body, place: Vec3| BeamSupport {
        body,
        point: Vec3::zeros(),
        pose: Isometry3::translation(place.x, place.y, place.z),
    };
    let beam = Beam {
        name: "strip".into(),
        supports: [support(BodyId::GROUND, Vec3::zeros()), support(tip, place)],
        section_y: Vec3::y(),
        properties: BeamProperties { damping, ..steel() },
        elements,
    };
    beam.add_to(&mut builder, BodyId::GROUND).unwrap();
    builder.build()
}

/// m g L³/8EI.
fn sag(gravity: f64) -> f64 {
    let p = steel();
    let load = p.material.density * p.section.area * gravity;
    load * 0.5_f64.powi(4) / (8.0 * p.material.young * p.section.i_y)
}

#[test]
fn a_strip_sags_under_its_weight() {
    for elements in [1, 4] {
        let model = cantilever(elements, 1.0, Rayleigh::default());
        let mut state = model.start();
        equilibrium(&model, &mut state).unwrap();
        let frames = model.frames(0.0, &state.q, &state.v, &state.a);
        let tip = model.body("tip").unwrap();
        let found = -frames[tip.index()].p.z / sag(1.0);
        // the deflection is 2e-4 of the length: geometric terms are the square of it
        assert!((found - 1.0).abs() < 1e-6, "{elements}: {found}");
    }
}

#[test]
fn a_released_strip_swings_with_its_first_frequency() {
    let damping = Rayleigh {
        mass: 0.2,
        stiffness: 2e-5,
    };
    let model = cantilever(4, 9.81, damping);
    let p = steel();
    let line = p.material.density * p.section.area;
    let omega = (1.875_104_068_711_961 / 0.5_f64).powi(2)
        * (p.material.young * p.section.i_y / line).sqrt();
    let period = std::f64::consts::TAU / omega;
    let (outcome, rows) = record(
        &model,
        &fixed(10.0 * period, period / 400.0),
        Start::AsGiven,
        period / 400.0,
    );
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    // the mean moment at the root is m g L/2, and it swings about it
    let moment = rows.column("beam.strip.element1.moment_start.y");
    let mean = moment[1..].iter().sum::<f64>() / (moment.len() - 1) as f64;
    let exact = 0.5 * line * 9.81 * 0.25;
    // higher modes do not fit whole periods
    assert!((mean.abs() / exact - 1.0).abs() < 1e-3, "{mean} {exact}");
    // the sag's energy ½ w L · w L⁴/20EI; 97 % of it is in the first mode
    let swing = (line * 9.81).powi(2) * 0.5_f64.powi(5) / (40.0 * p.material.young * p.section.i_y);
    let energies = outcome.energies;
    // back at the top after whole periods: a phase error of 0.03 rad in 63 would show
    assert!(energies.kinetic < 1e-3 * swing, "{energies:?}");
    // amplitudes fall by exp(−ζωt), energies by the square; higher modes lose a little more
    let ratio = 0.5 * (damping.mass / omega + damping.stiffness * omega);
    let lost = swing * (1.0 - (-2.0 * ratio * omega * 10.0 * period).exp());
    assert!(
        (energies.dissipated / lost - 1.0).abs() < 0.05,
        "{energies:?} {lost}"
    );
    // the trapezoidal rule keeps the balance of a nearly linear system
    assert!(energies.relative_imbalance() < 1e-8, "{energies:?}");
}
