//! A curve that is stopped is kept, and nothing more is computed for it.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod common;

use std::cell::Cell;

use bristle_integrate::equilibrium;
use bristle_response::{
    CurveControl, CurveEnd, CurveOptions, CurveRange, Machine, ResponseCurve, ResponseRequest,
    response_curve,
};
use common::{JENKINS, fixed, mass, scenario};

/// A curve with a peak that is stopped when it has asked `last` times if it is, and how many points were found.
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
    let (mut found, asked) = (0, Cell::new(0));
    let mut control = CurveControl {
        found: &mut |_| found += 1,
        stops: &|| {
            asked.set(asked.get() + 1);
            asked.get() >= last
        },
    };
    let curve = response_curve(&machine, &mut scenario.model, &request, &mut control);
    (curve.unwrap(), found)
}

#[test]
fn a_curve_that_is_stopped_keeps_its_points_without_their_stability() {
    let (curve, found) = stopped(7);
    assert_eq!(curve.end, CurveEnd::Stopped);
    // the first point is there before: seven more were followed, and that is all
    assert_eq!((curve.points.len(), found), (8, 7));
    assert!(curve.points.iter().all(|p| p.result.multipliers.is_none()));
}

#[test]
fn a_stop_while_points_are_read_ends_their_stability() {
    let (whole, followed) = stopped(usize::MAX);
    assert_eq!(whole.end, CurveEnd::Complete);
    assert_eq!(whole.peaks().count(), 1);
    // once a point while it follows, once between two of them, and then a few are read
    let (curve, _) = stopped(2 * followed + 5);
    assert_eq!(curve.end, CurveEnd::Stopped);
    let known = |p: &&bristle_response::MarkedPoint| p.result.multipliers.is_some();
    let read = curve.points.iter().filter(known).count();
    assert!(0 < read && read < curve.points.len(), "{read}");
    assert!(curve.points.len() <= whole.points.len());
}
