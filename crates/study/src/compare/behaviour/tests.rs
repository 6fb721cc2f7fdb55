//! Traces whose behaviour is known by construction.

use super::*;

const PEAK: Option<Peak> = Some(Peak {
    highest: 0.15,
    sliding: 0.1,
});

const LEVELS: RunLevels<'_> = RunLevels {
    highest: 0.15,
    viscous: 0.0,
    own: PEAK,
    steady: None,
    scenario: PEAK,
    slip_speed: 1e-3,
};

/// A contact with N = 10 N that slips at `speed(t)` with friction `force(t)` along x.
fn trace(end: f64, force: impl Fn(f64) -> f64, speed: impl Fn(f64) -> f64) -> Trace {
    let mut trace = Trace::default();
    let places = ChannelPlaces::of(&place(), &channels()).unwrap();
    let mut largest = 0.0;
    for i in 0..=1000_u32 {
        let t = end * f64::from(i) / 1000.0;
        let (f, v) = (force(t), speed(t));
        let row = [t, f, 0.0, 0.0, 10.0, v.abs(), f.abs(), 10.0, v, 0.0, 0.0];
        trace.row(&row, &places, &mut largest);
    }
    trace
}

use super::super::trace::ChannelPlaces;
use crate::law_place::LawPlace;
use bristle_laws::Friction;
use bristle_results::{Channel, PairKind};

fn place() -> LawPlace {
    let card = &Friction::CARDS[0];
    let typical = bristle_laws::friction::typical(card);
    LawPlace {
        kind: PairKind::Contact,
        name: "a".to_owned(),
        points: 1,
        slip_speed: 1e-3,
        radius: None,
        law: Friction::build(card.name, &typical).unwrap(),
    }
}

fn channels() -> Vec<Channel> {
    let names = [
        "friction.x",
        "friction.y",
        "friction.z",
        "normal_force",
        "slip_speed",
        "point1.friction.magnitude",
        "point1.normal_force",
        "point1.slip_velocity.x",
        "point1.slip_velocity.y",
        "point1.slip_velocity.z",
    ];
    let named = names.map(|name| Channel::new(format!("contact.a.{name}"), "1", ""));
    std::iter::once(Channel::time()).chain(named).collect()
}

fn remarks(found: &MeasuredBehaviour) -> String {
    found.remarks.join("; ")
}

#[test]
fn creep_is_the_speed_under_a_steady_load() {
    // ramp to 1 N in 1 s, then held, with 5e-5 m/s all along
    let held = trace(4.0, |t| t.min(1.0), |_| 5e-5);
    let found = measure(&held, &LEVELS, None);
    assert!((found.creep.unwrap() - 5e-5).abs() < 1e-12, "{found:?}");
    assert!(remarks(&found).starts_with("creeps"));
    // a law that holds: the remark says so
    let found = measure(&trace(4.0, |t| t.min(1.0), |_| 0.0), &LEVELS, None);
    assert_eq!(found.creep, Some(0.0));
    assert!(remarks(&found).starts_with("no remarks"));
}

#[test]
fn slow_sliding_is_no_creep() {
    // 1 N of 10 N is what the law slides with; at half of that it creeps
    let steady = |speed: f64| Some(0.1 * (speed / 1e-5).tanh());
    let levels = RunLevels {
        steady: Some(&steady),
        ..LEVELS
    };
    let at = |force: f64| trace(4.0, move |t| force * t.min(1.0), |_| 5e-5);
    let found = measure(&at(1.0), &levels, None);
    assert!(
        !remarks(&found).contains("creeps") && found.creep.is_none(),
        "{found:?}"
    );
    let found = measure(&at(0.5), &levels, None);
    assert!((found.creep.unwrap() - 5e-5).abs() < 1e-12, "{found:?}");
}

#[test]
fn drift_is_what_a_cycle_leaves() {
    // one sine of the load in 1 s, and a slip that goes as far and comes back by half:
    // ∫ of 1e-4 m/s over the first half, −0.5e-4 m/s over the second leaves 2.5e-5 m
    let speed = |t: f64| if t < 0.5 { 1e-4 } else { -0.5e-4 };
    let cycle = trace(1.0, |t| (std::f64::consts::PI * t).sin(), speed);
    let found = measure(&cycle, &LEVELS, None);
    // one row of the jump: 1e-3 s of 0.75e-4 m/s
    assert!((found.drift.unwrap() - 2.5e-5).abs() < 1e-7, "{found:?}");
    assert!(remarks(&found).contains("drifts"));
}

#[test]
fn a_load_that_swings_shows_the_drift_too() {
    // 0.5 N + 0.4 N sin at 5 Hz after a ramp, with a slip of 3e-5 m/s on average
    let force = |t: f64| 0.5 * (2.0 * t).min(1.0) + 0.4 * (10.0 * std::f64::consts::PI * t).sin();
    let speed = |t: f64| 3e-5 * (1.0 + (10.0 * std::f64::consts::PI * t).cos());
    let found = measure(&trace(10.0, force, speed), &LEVELS, None);
    // whole swings of 0.2 s from the 5th second on
    let swings = found.drift.unwrap() / 3e-5 / 0.2;
    assert!(
        (swings - swings.round()).abs() < 0.05 && swings > 10.0,
        "{found:?}"
    );
    assert!(remarks(&found).contains("30 µm/s on average"), "{found:?}");
    // and a slip to and fro is none
    let speed = |t: f64| 3e-5 * (10.0 * std::f64::consts::PI * t).cos();
    let found = measure(&trace(10.0, force, speed), &LEVELS, None);
    assert!(remarks(&found).starts_with("no remarks"), "{found:?}");
}

#[test]
fn coefficients_are_short() {
    assert_eq!(short(0.25 - 0.15), "0.1");
    assert_eq!(short(0.6), "0.6");
}

#[test]
fn overshoot_and_missing_peaks_are_told() {
    let high = measure(&trace(1.0, |_| 1.6, |_| 0.1), &LEVELS, Some(0.0));
    assert!(remarks(&high).contains("0.1600"), "{high:?}");
    // a law with one level, and one with two that breaks away at the lower one
    let one_level = RunLevels {
        own: None,
        ..LEVELS
    };
    let low = trace(1.0, |_| 1.0, |_| 0.1);
    let lacks = measure(&low, &one_level, Some(0.0));
    assert!(remarks(&lacks).contains("no Stribeck peak"), "{lacks:?}");
    let early = remarks(&measure(&low, &LEVELS, Some(0.0)));
    assert!(!early.contains("no Stribeck peak"), "{early}");
    assert!(early.contains("breaks away at 0.1000"), "{early}");
    // nothing is said of two laws with one level
    let neither = RunLevels {
        scenario: None,
        ..one_level
    };
    let neither = measure(&low, &neither, Some(0.0));
    assert!(remarks(&neither).starts_with("no remarks"));
    // break-away at μs, then slip at μk that slows down from 50 mm/s to rest
    let stops = |t: f64| if t < 0.1 { 1.5 } else { 1.0 };
    let speed = |t: f64| {
        if t < 0.1 {
            0.0
        } else {
            (0.05 * (1.0 - t)).max(0.0)
        }
    };
    let stops = trace(1.0, stops, speed);
    // the steady curve is at 0.1 + 0.05/e at the stick speed of 1 mm/s
    let steady = |v: f64| Some(0.1 + 0.05 * (-(v / 1e-3).powi(2)).exp());
    let lagging = RunLevels {
        steady: Some(&steady),
        ..LEVELS
    };
    let end = measure(&stops, &lagging, Some(0.1));
    assert!(remarks(&end).contains("frictional lag"), "{end:?}");
    // a law that follows its curve does not lag
    let end = measure(&stops, &LEVELS, Some(0.1));
    assert!(!remarks(&end).contains("frictional lag"), "{end:?}");
}
