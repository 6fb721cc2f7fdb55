//! When a contact sticks, and with which friction it breaks away.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

mod common;

use bristle_laws::Friction;
use bristle_mechanics::element::Contact;
use bristle_mechanics::{Body, BodyId, Inertia, Joint, Model, ModelBuilder, Prescribed, Vec3};
use bristle_signals::Signal;
use common::{base, law, pulled, run};

/// A block that is moved over a plane under 10 N, and a body without forces beside it.
fn driven(friction: Friction, displacement: Signal, slip_speed: f64) -> Model {
    let mut builder = ModelBuilder::new();
    let motion = Prescribed {
        direction: Vec3::x(),
        displacement,
        axis: Vec3::z(),
        angle: Signal::Constant(0.0),
    };
    let block = Body::new("block", Joint::Prescribed(motion), Inertia::NONE);
    let block = builder.body(block).unwrap();
    let inertia = Inertia {
        mass: 1.0,
        ..Inertia::NONE
    };
    let free = Body::new("other", Joint::Prismatic { axis: Vec3::x() }, inertia);
    builder.body(free).unwrap();
    builder
        .element(Box::new(Contact {
            slip_speed,
            ..base(block, BodyId::GROUND, 10.0, friction)
        }))
        .unwrap();
    builder.build()
}

/// The stick-slip experiment with bristles that ring after every slip: they have no damper. The block sticks before,
/// between and after its jumps, and no more often.
#[test]
fn a_block_that_rings_after_each_slip_sticks_once_in_a_cycle() {
    let friction = law(
        "lugre",
        &[
            ("static_coefficient", 0.15),
            ("kinetic_coefficient", 0.1),
            ("bristle_stiffness", 1e3),
            ("bristle_damping", 0.0),
            ("viscous_coefficient", 0.0),
            ("stribeck_velocity", 1e-3),
        ],
    );
    let slips_from = friction.slip_speed();
    let (outcome, rows) = run(&pulled(friction), 25.0, 1e-8, 0.05);
    let stick = &outcome.contacts[0].stick_intervals;
    let (times, speeds) = (rows.column("t"), rows.column("body.block.velocity.x"));
    // a jump goes up to 0.37 m/s, and the ringing to some mm/s
    let jumps = speeds
        .windows(2)
        .filter(|pair| pair[0] < 0.1 && pair[1] >= 0.1);
    assert_eq!(jumps.count(), 3);
    assert_eq!(stick.len(), 4, "{stick:?}");
    // it does ring: within a second after each jump the block goes back faster than it slips from
    for [start, _] in &stick[1..] {
        let after = times
            .iter()
            .zip(&speeds)
            .filter(|(t, _)| *t > start && **t < start + 1.0);
        let back = after.map(|(_, v)| *v).fold(0.0, f64::min);
        assert!(back < -slips_from, "{start}: {back}");
    }
}

/// A block that begins to move with v: bristles without damper bend up to the
/// steady curve, μ_k + (μ_s − μ_k) exp(−(v/v_s)²), and that is what friction breaks away with.
#[test]
fn bristles_break_away_at_the_steady_curve_of_the_speed() {
    let stribeck = 1e-3;
    for part in [0.03, 0.5, 1.0] {
        let v = part * stribeck;
        let friction = law(
            "lugre",
            &[
                ("static_coefficient", 0.15),
                ("kinetic_coefficient", 0.1),
                ("bristle_stiffness", 1e4),
                ("bristle_damping", 0.0),
                ("viscous_coefficient", 0.0),
                ("stribeck_velocity", stribeck),
            ],
        );
        // from rest to v within some milliseconds about 0.1 s, where the bristles take 10 ms or more
        let motion = format!("{v}*0.5*(t - 0.1 + sqrt((t - 0.1)^2 + 1e-6))");
        let model = driven(friction, Signal::expression(&motion).unwrap(), 0.3 * v);
        let (outcome, _) = run(&model, 6.0, 1e-8, 0.01);
        let expected = 0.1 + 0.05 * f64::exp(-part * part);
        let found = outcome.contacts[0].break_away.unwrap();
        // what is left of the approach after 0.9 s, and the tolerance
        assert!(
            (found - expected).abs() < 1e-4,
            "{part}: {found} {expected}"
        );
    }
}
