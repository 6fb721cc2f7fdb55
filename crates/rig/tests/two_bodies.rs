//! Friction between two bodies that both move, oblique impact, and stops, with every law.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a test fails by a panic, and shows its numbers"
)]

mod common;

use bristle_integrate::{Control, Flow, Method, Plan};
use bristle_laws::{Friction, Normal, Value};
use bristle_mechanics::element::{Contact, ContactPoint, Force, NormalForceSource, Surface};
use bristle_mechanics::record::{Outcome, RowObserver, Start, simulate};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, Model, ModelBuilder, Vec3};
use bristle_signals::Signal;
use common::{coulomb_like, rebound};

fn run(model: &Model, end_time: f64, control: Control, tolerance: f64) -> Outcome {
    struct Nothing;
    impl RowObserver for Nothing {
        fn row(&mut self, _values: &[f64]) -> Flow {
            Flow::Continue
        }
    }
    let plan = Plan {
        method: Method::NEWMARK,
        end_time,
        tolerance,
        control,
    };
    let outcome = simulate(model, &plan, Start::AsGiven, end_time, &mut Nothing);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    outcome
}

fn adaptive(max_step: f64) -> Control {
    Control::Adaptive {
        min_step: 1e-12,
        max_step,
        first_step: 1e-6,
    }
}

/// A body on a slider along x.
fn slider(builder: &mut ModelBuilder, name: &str, mass: f64, velocity: f64) -> BodyId {
    let inertia = Inertia {
        mass,
        ..Inertia::NONE
    };
    let joint = Joint::Prismatic { axis: Vec3::x() };
    let mut body = Body::new(name, joint, inertia);
    body.velocity = vec![velocity];
    builder.body(body).unwrap()
}

/// A point of one body on the other, pressed with a given force.
fn between(point: BodyId, plane: BodyId, friction: &Friction, normal: f64) -> Contact {
    Contact {
        name: "base".into(),
        body: point,
        points: vec![ContactPoint::new(Vec3::zeros())],
        surface: Surface::plane(plane, Vec3::zeros(), Vec3::z()),
        normal: NormalForceSource::Prescribed(Signal::constant(normal).unwrap()),
        friction: friction.clone().into(),
        slip_speed: friction.slip_speed().min(1e-6),
        resistance: None,
    }
}

/// Case C22: two speeds x and y with dx/dt = ∓2 and dy/dt = −0.75 ± 2.25 as x > y or not. They meet at
/// 1/7 s and go on together. It is 2 N of friction between 1 kg and 8/9 kg that is pushed by −2/3 N.
#[test]
fn two_blocks_meet_and_go_on_together() {
    for (name, law) in coulomb_like(0.2) {
        let mut builder = ModelBuilder::new();
        let upper = slider(&mut builder, "upper", 1.0, 1.5);
        let lower = slider(&mut builder, "lower", 8.0 / 9.0, 1.0);
        let contact = between(upper, lower, &law, 10.0);
        builder.element(Box::new(contact)).unwrap();
        builder
            .element(Box::new(Force {
                name: "push".into(),
                body: lower,
                point: Vec3::zeros(),
                direction: Vec3::x(),
                follows: false,
                magnitude: Signal::constant(-2.0 / 3.0).unwrap(),
            }))
            .unwrap();
        let outcome = run(&builder.build(), 1.0, adaptive(0.01), 1e-7);
        // both at 0.911765 m/s, 17/14 − 6/17 (1 − 1/7): the common speed is that of the momentum
        let v = &outcome.state.v;
        let common = (v[0] + v[1] * 8.0 / 9.0) / (17.0 / 9.0);
        assert!((common - 0.911_765).abs() < 1e-6, "{name}: {v:?}");
        // creep of a regularised law, and the ring of a spring without damping that meets at 3.3 m/s²
        let together = 2.0 * law.slip_speed() + 0.01;
        assert!((v[0] - v[1]).abs() < together, "{name}: {v:?}");
        // one meeting, some swings of a spring: bounded, however small the steps are
        let switches = outcome.statistics.mode_changes;
        assert!(switches <= 20, "{name}: {switches} changes of mode");
    }
}

/// Cases C12: a box on a belt that runs at 1 m/s is in step after 0.254842 s and 0.127421 m of slip.
#[test]
fn a_box_is_taken_along_by_a_belt() {
    for (name, law) in coulomb_like(0.4) {
        let mut builder = ModelBuilder::new();
        // a belt that the box hardly slows down
        let belt = slider(&mut builder, "belt", 1e9, 1.0);
        let block = slider(&mut builder, "box", 2.0, 0.0);
        let contact = between(block, belt, &law, 2.0 * 9.81);
        builder.element(Box::new(contact)).unwrap();
        let model = builder.build();
        let outcome = run(&model, 0.2, adaptive(0.01), 1e-7);
        // 7.848 N of friction on 2 kg; bristles and quintics need some of the way to load
        let v = outcome.state.v[1];
        assert!((v - 0.784_8).abs() < 2e-3, "{name}: {v}");
        let outcome = run(&model, 0.4, adaptive(0.01), 1e-7);
        let slip = outcome.state.q[0] - outcome.state.q[1];
        // a bristle without damping rings with what it held, sqrt(0.4 g z) at 40 µm
        let ring = (0.4 * 9.81 * law.breakaway_deflection(2.0 * 9.81).unwrap_or(0.0)).sqrt();
        let v = outcome.state.v[1];
        assert!((v - 1.0).abs() < 2e-3 + ring, "{name}: {v}");
        assert!((slip - 0.127_421).abs() < 5e-4, "{name}: {slip}");
    }
}

/// Case C25: friction is a force and no impulse: inertia 2, level 0.5 stops from 1 at 4 s, whatever the step.
#[test]
fn a_stop_does_not_depend_on_the_step() {
    for (name, law) in coulomb_like(0.5) {
        for step in [1e-3, 1e-2] {
            let mut builder = ModelBuilder::new();
            let body = slider(&mut builder, "block", 2.0, 1.0);
            let contact = between(body, BodyId::GROUND, &law, 1.0);
            builder.element(Box::new(contact)).unwrap();
            let model = builder.build();
            let outcome = run(&model, 3.9, Control::Fixed { step }, 1e-6);
            // a first step without friction, in which a bristle loads
            let v = outcome.state.v[0];
            assert!(
                (v - 0.025).abs() < 0.25 * step + 2e-4,
                "{name}, {step}: {v}"
            );
            let outcome = run(&model, 5.0, Control::Fixed { step }, 1e-6);
            // at rest, but for the ringing of bristles without damping
            let v = outcome.state.v[0];
            let most = 0.25 * step + 1e-3_f64.max(rebound(&law, 1.0, 2.0));
            assert!(v.abs() < most, "{name}, {step}: {v}");
        }
    }
}

/// Case C32: 10 N on 1 kg at 0.01 m/s, in one step of 0.01 s: friction stops it, and does not throw it back.
#[test]
fn friction_does_not_reverse_the_motion() {
    for (name, law) in coulomb_like(1.0) {
        let mut builder = ModelBuilder::new();
        let body = slider(&mut builder, "block", 1.0, 0.01);
        let contact = between(body, BodyId::GROUND, &law, 10.0);
        builder.element(Box::new(contact)).unwrap();
        let model = builder.build();
        // −0.09 m/s by the sign of v; a spring may give the 0.01 m/s back, or what it is loaded with
        let most = 0.0101_f64.max(1.01 * rebound(&law, 10.0, 1.0));
        let outcome = run(&model, 0.01, Control::Fixed { step: 0.01 }, 1e-6);
        let v = outcome.state.v[0];
        assert!(v.abs() <= most, "{name}: {v}");
        let outcome = run(&model, 0.01, adaptive(0.01), 1e-7);
        let v = outcome.state.v[0];
        assert!(v.abs() <= most, "{name}: {v}");
        let outcome = run(&model, 1.0, adaptive(0.01), 1e-7);
        let v = outcome.state.v[0];
        assert!(v.abs() <= most, "{name}: {v}");
    }
}

/// Case C19: a ball that hits the floor at 76° from the normal without loss slides all through, and its energy falls.
#[test]
fn an_oblique_impact_takes_energy() {
    let radius = 0.1;
    for (name, law) in coulomb_like(0.5) {
        // springs that load early in the impact
        let mut values = law.to_values();
        for (field, value) in &mut values {
            let springs = [
                ("lugre_classical", "bristle_stiffness"),
                ("jenkins", "tangential_stiffness"),
                ("simpack_stick_slip", "stick_stiffness"),
            ];
            match value {
                Value::List(list) if field == "element_stiffnesses" => {
                    // iwan: 1e8 N/m in all, as those below; the others grow with the load
                    let stiffer = if name == "iwan" { 1000.0 } else { 10.0 };
                    for k in list {
                        *k *= stiffer;
                    }
                }
                Value::Number(x) if springs.contains(&(name, field)) => *x = 1e8,
                _ => {}
            }
        }
        let law = Friction::build(name, &values).unwrap();
        let mut builder = ModelBuilder::new();
        let inertia = Inertia::solid_sphere(1.0, radius);
        let mut body =
            Body::new("ball", Joint::Free, inertia).at(Vec3::new(0.0, 0.0, radius + 1e-6));
        let (sine, cosine) = 76.0_f64.to_radians().sin_cos();
        body.velocity = vec![sine, 0.0, -cosine, 0.0, 0.0, 0.0];
        let ball = builder.body(body).unwrap();
        let normal = [("stiffness".to_owned(), Value::Number(1e9))];
        let mut contact = between(ball, BodyId::GROUND, &law, 0.0);
        contact.points = vec![ContactPoint::ball(Vec3::zeros(), radius)];
        contact.normal = NormalForceSource::Law(Normal::build("hertz", &normal.to_vec()).unwrap());
        builder.element(Box::new(contact)).unwrap();
        let outcome = run(&builder.build(), 2e-3, adaptive(1e-5), 1e-7);
        let v = &outcome.state.v;
        // Coulomb: impulse 2 cos 76° normal, half of it tangential. The lever is shorter by half of the
        // depth, 0.1 mm; bristles take some 10 µm of 0.5 mm to load
        let wanted = [0.728_374, 0.241_922, 0.604_805];
        let found = [v[0], v[2], v[4] * radius];
        let energy = 0.5 * (v[0] * v[0] + v[2] * v[2] + 0.4 * (v[4] * radius).powi(2));
        let ratio = 2.0 * energy;
        assert!(ratio < 1.0, "{name}: {ratio}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 0.01, "{name}: {v:?}");
        }
        assert!((ratio - 0.735_370).abs() < 0.02, "{name}: {ratio}");
    }
}
