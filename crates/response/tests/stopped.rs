//! A curve that is stopped is kept, and nothing more is computed for it.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod common;

use bristle_integrate::equilibrium;
use bristle_response::{
    CurveEnd, CurveOptions, CurveRange, Machine, ResponseCurve, ResponseRequest, response_curve,
};
use common::{JENKINS, fixed, mass, scenario};

/// A curve with a peak, whose progress says no from its call number `last` on; and the calls it had.
fn stopped(last: usize) -> (ResponseCurve, usize) {
    let mut scenario = scenario(&mass("2", 10.0, "10", JENKINS, ""));
    scenario.model.set_frequency(None);
    let mut state = scenario.model.start();
    equilibrium(&scenario.model, &mut state).unwrap();
    let machine = Machine::new(&mut scenario.model, state).unwrap();
    let request = ResponseRequest {
        channels: vec!["joint.mass.coordinate".to_owned()],
        range: CurveRange {
            from: 80.0,
            to: 150.0,
            at: Vec::new(),
        },
        options: CurveOptions {
            grid: fixed(3, 256),
            ..CurveOptions::default()
        },
        stability: true,
        motion: false,
    };
    let mut calls = 0;
    let curve = response_curve(&machine, &mut scenario.model, &request, &mut |_| {
        calls += 1;
        calls < last
    });
    (curve.unwrap(), calls)
}

#[test]
fn a_curve_that_is_stopped_keeps_its_points_without_their_stability() {
    let (curve, calls) = stopped(7);
    assert_eq!(curve.end, CurveEnd::Stopped);
    // the first point is not asked about: seven more were followed, and that is all
    assert_eq!((curve.points.len(), calls), (8, 7));
    assert!(curve.points.iter().all(|p| p.result.multipliers.is_none()));
}

#[test]
fn a_stop_while_points_are_read_ends_their_stability() {
    let (whole, calls) = stopped(usize::MAX);
    assert_eq!(whole.end, CurveEnd::Complete);
    assert_eq!(whole.peaks().count(), 1);
    let followed = whole.points.len();
    assert!(calls > followed);
    let (curve, _) = stopped(followed + 5);
    assert_eq!(curve.end, CurveEnd::Stopped);
    let known = |p: &&bristle_response::MarkedPoint| p.result.multipliers.is_some();
    let read = curve.points.iter().filter(known).count();
    assert!(0 < read && read < curve.points.len(), "{read}");
    assert!(curve.points.len() <= followed);
}
