//! A run of beam elements added to a model.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod beam_bench;

use beam_bench::steel;
use bristle_mechanics::{Beam, BeamSupport};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, ModelBuilder, Vec3};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};

fn run(elements: usize) -> Beam {
    let support = |body, x: f64| BeamSupport {
        body,
        point: Vec3::new(x, 0.0, 0.1),
        pose: Isometry3::from_parts(
            Translation3::new(0.0, 0.2, 0.0),
            UnitQuaternion::from_scaled_axis(Vec3::z() * 0.5),
        ),
    };
    Beam {
        name: "blade".into(),
        supports: [support(BodyId::GROUND, 0.1), support(BodyId::GROUND, 0.6)],
        section_y: Vec3::new(0.1, 0.0, 1.0),
        properties: steel(),
        elements,
    }
}

#[test]
fn a_run_of_elements_is_undeformed_where_it_was_made() {
    let mut builder = ModelBuilder::new();
    let mut beam = run(3);
    let inertia = Inertia::solid_sphere(1.0, 0.1);
    let holder = Body::new("holder", Joint::Free, inertia).at(Vec3::new(0.0, 0.2, 0.0));
    let turned = UnitQuaternion::from_scaled_axis(Vec3::z() * 0.5);
    let holder = Body {
        orientation: turned,
        ..holder
    };
    let holder = builder.body(holder).unwrap();
    for support in &mut beam.supports {
        support.body = holder;
    }
    let nodes = beam.add_to(&mut builder, BodyId::GROUND).unwrap();
    let model = builder.build();
    assert_eq!(nodes.len(), 2);
    assert_eq!(model.bodies()[nodes[1].index()].name, "blade.node2");
    let state = model.start();
    let frames = model.frames(0.0, &state.q, &state.v, &state.a);
    for (k, element) in model.elements().iter().enumerate() {
        assert_eq!(element.name(), format!("blade.element{}", k + 1));
        assert_eq!(
            element.channels()[0].name,
            format!("beam.blade.element{}.axial_force", k + 1)
        );
        let mut out = Vec::new();
        element.sample(&model.input(k, &state, &frames), &mut out);
        // rounding of a length of 0.5 m times EA/L of 1e8 N/m, and of an angle times EI/L
        assert!(out.iter().all(|x| x.abs() < 1e-6), "{out:?}");
    }
}

#[test]
fn a_wrong_beam_is_named() {
    let refuse = |change: &dyn Fn(&mut Beam)| {
        let mut beam = run(2);
        change(&mut beam);
        let mut builder = ModelBuilder::new();
        beam.add_to(&mut builder, BodyId::GROUND)
            .unwrap_err()
            .to_string()
    };
    for (change, expected) in [
        (
            (&|b: &mut Beam| b.supports[1].point = b.supports[0].point) as &dyn Fn(&mut Beam),
            "beam `blade` has zero length",
        ),
        (
            &|b: &mut Beam| b.properties.section.area = 0.0,
            "beam `blade`: area = 0 m^2, must be in (0, ∞)",
        ),
        (
            &|b: &mut Beam| b.properties.material.young = -1.0,
            "beam `blade`: young = -1 Pa, must be in (0, ∞)",
        ),
        (
            &|b: &mut Beam| b.properties.section.i_y = f64::NAN,
            "beam `blade`: i_y = NaN m^4, must be in (0, ∞)",
        ),
        (
            &|b: &mut Beam| b.properties.damping.stiffness = -1e-3,
            "beam `blade`: stiffness_damping = -0.001 s, must be in [0, ∞)",
        ),
        (
            &|b: &mut Beam| b.section_y = Vec3::new(0.5_f64.cos(), 0.5_f64.sin(), 0.0),
            "lies along the beam",
        ),
        (
            &|b: &mut Beam| b.section_y = Vec3::zeros(),
            "lies along the beam",
        ),
        (&|b: &mut Beam| b.elements = 0, "must be at least 1"),
        (
            &|b: &mut Beam| b.properties.material.density = 0.0,
            "without mass",
        ),
    ] {
        let text = refuse(change);
        assert!(text.contains(expected), "{text}");
    }
}
