//! What a friction pair reports is the same in a contact and in a joint, and the law's card says it.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by a panic")]

mod common;

use bristle_integrate::System;
use bristle_laws::{Friction, friction};
use bristle_mechanics::element::{
    Contact, ContactPoint, JointFriction, JointLoad, NormalForceSource, Surface,
};
use bristle_mechanics::record::{Start, channels};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, JointOwner, Model, ModelBuilder, Vec3};
use bristle_signals::Signal;
use common::{plan, record, values};

/// Normal force of every pair, N.
const LOAD: f64 = 10.0;

fn block(builder: &mut ModelBuilder) -> BodyId {
    let inertia = Inertia {
        mass: 1.0,
        ..Inertia::NONE
    };
    let joint = Joint::Prismatic { axis: Vec3::x() };
    let mut body = Body::new("block", joint, inertia);
    body.velocity = vec![0.02];
    builder.body(body).unwrap()
}

/// A block on a guide that rubs on the ground.
fn on_the_ground(friction: Friction) -> Model {
    let mut builder = ModelBuilder::new();
    let body = block(&mut builder);
    let slip_speed = friction.slip_speed();
    let contact = Contact {
        name: "pad".into(),
        body,
        points: vec![ContactPoint::new(Vec3::zeros())],
        surface: Surface::plane(BodyId::GROUND, Vec3::zeros(), Vec3::z()),
        normal: NormalForceSource::Prescribed(Signal::Constant(LOAD)),
        friction: friction.into(),
        slip_speed,
        resistance: None,
    };
    builder.element(Box::new(contact)).unwrap();
    builder.build()
}

/// The same block, whose guide rubs.
fn on_its_guide(friction: Friction) -> Model {
    let mut builder = ModelBuilder::new();
    let body = block(&mut builder);
    let slip_speed = friction.slip_speed();
    let joint = JointFriction {
        name: "pad".into(),
        joint: JointOwner::Body(body),
        place: 0,
        friction: friction.into(),
        load: JointLoad::Given(Signal::Constant(LOAD)),
        radius: None,
        slip_speed,
    };
    builder.joint_element(Box::new(joint)).unwrap();
    builder.build()
}

/// Units of the states of a law, by channel.
fn units(model: &Model, prefix: &str) -> Vec<(String, String)> {
    let all = channels(model).into_iter();
    all.filter_map(|c| Some((c.name.strip_prefix(prefix)?.to_owned(), c.unit.to_string())))
        .filter(|(name, _)| name.starts_with("state") || name.starts_with("mode"))
        .collect()
}

#[test]
fn the_states_of_every_law_have_the_units_of_its_card() {
    for card in Friction::CARDS {
        let law = || Friction::build(card.name, &friction::typical(card)).unwrap();
        // the vectors first; a law of elements has each of its states once for every element
        let layout = law().layout();
        let copies = (layout.vectors + layout.scalars) / card.states.len().max(1);
        let states = card.states.iter();
        let listed: Vec<String> = states
            .flat_map(|state| std::iter::repeat_n(state.unit.to_string(), copies))
            .collect();
        let in_joint = units(&on_its_guide(law()), "joint_friction.pad.");
        let got: Vec<_> = in_joint.iter().map(|(_, unit)| unit.clone()).collect();
        assert_eq!(got, listed, "{}: {in_joint:?}", card.name);
        let in_contact = units(&on_the_ground(law()), "contact.pad.point1.");
        let got: Vec<_> = in_contact
            .iter()
            .filter(|(name, _)| !["y", "z"].contains(&name.rsplit('.').next().unwrap()))
            .map(|(_, unit)| unit.clone())
            .collect();
        assert_eq!(got, listed, "{}: {in_contact:?}", card.name);
    }
}

#[test]
fn the_units_that_the_cards_do_not_hide_are_those_of_the_papers() {
    let unit = |law: &str, state: &str| {
        let card = Friction::card_of(law).unwrap();
        let law = Friction::build(law, &friction::typical(card)).unwrap();
        let units = units(&on_its_guide(law), "joint_friction.pad.");
        units
            .iter()
            .find(|(name, _)| name == state)
            .unwrap()
            .1
            .clone()
    };
    // a bristle deflects, a spring is known by its force, an element of gms by its coefficient
    assert_eq!(unit("lugre", "state"), "m");
    assert_eq!(unit("jenkins", "state"), "N");
    assert_eq!(unit("gms", "state2"), "1");
    assert_eq!(unit("simpack_stick_slip", "state"), "m");
    assert_eq!(unit("simpack_stick_slip", "state2"), "1");
}

#[test]
fn dymores_rate_belongs_to_the_kinetic_level() {
    let (sigma, speed, mu_k) = (1e4, 2e-3, 0.1);
    let law = || {
        let list = [
            ("sigma_0", sigma),
            ("sigma_1", 0.0),
            ("v_s", speed),
            ("mu_k", mu_k),
            ("mu_s", 0.25),
        ];
        Friction::build("lugre", &values(&list)).unwrap()
    };
    for model in [on_the_ground(law()), on_its_guide(law())] {
        let mut slips = Vec::new();
        model.slip_states(&mut model.scratch(), &model.start(), &mut |s| slips.push(s));
        assert_eq!(slips.len(), 1);
        // Dymore's manual, eq. 8: Ω = σ₀ v_s/μ_k, and ν_min ν = V_r/v_s
        let expected = sigma * speed / mu_k;
        let rate = slips[0].rate;
        // the level at rest is taken at 1e-9 v_s
        assert!((rate - expected).abs() < 1e-8 * expected, "{rate}");
        assert!((slips[0].ratio - 10.0).abs() < 1e-12, "{}", slips[0].ratio);
    }
}

#[test]
fn a_joint_reports_the_way_that_it_has_slid() {
    // a law with scalar states, and output times inside of steps
    let card = Friction::card_of("gms").unwrap();
    let law = Friction::build("gms", &friction::typical(card)).unwrap();
    let model = on_its_guide(law);
    let (outcome, rows) = record(&model, &plan(0.02, 1e-6), Start::AsGiven, 3.7e-4);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    let slid = rows.column("joint_friction.pad.slip");
    let moved = rows.column("joint.block.coordinate");
    let way = moved.last().unwrap().abs();
    for (slid, moved) in slid.iter().zip(&moved) {
        // linear in a step, where the coordinate is cubic
        assert!((slid - moved).abs() < 1e-2 * way, "{slid} {moved}");
    }
}
