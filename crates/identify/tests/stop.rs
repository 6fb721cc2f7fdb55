//! A fit that is ended from outside, and threads.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use bristle_identify::{
    Error, FitControl, FitModel, MachineTerms, Options, Record, StopFlag, identify,
    identify_watched,
};

/// Force of a Stribeck curve with bristles along a slow sine, 10 N of load.
fn record() -> Record {
    let t: Vec<f64> = (0..4000).map(|i| f64::from(i) * 1e-3).collect();
    let v: Vec<f64> = t.iter().map(|t| 0.05 * (3.0 * t).sin()).collect();
    let level = |v: f64| 0.2 + 0.1 * (-(v / 0.01).powi(2)).exp();
    let force = v.iter().map(|v| 10.0 * level(*v) * (v / 1e-4).tanh());
    let force = force.collect();
    Record::motion("bench", t, v, force)
        .unwrap()
        .with_load(vec![10.0; 4000])
        .unwrap()
}

#[test]
fn a_fit_ends_in_whatever_stage_it_is_stopped() {
    let model = FitModel::of("lugre", &MachineTerms::default()).unwrap();
    let options = Options {
        profile: true,
        ..Options::default()
    };
    let stages = [
        "starting values",
        "first descents",
        "descents with fine steps",
        "profiles",
    ];
    for stage in stages {
        let stop = StopFlag::default();
        let watch = |progress: bristle_identify::Progress| {
            if progress.stage == stage {
                stop.stop();
            }
        };
        let control = FitControl {
            watch: &watch,
            stop: &stop,
            jobs: Some(2),
            executor: None,
        };
        let ended = identify_watched(&model, &[record()], &[], &options, &control);
        assert_eq!(ended.unwrap_err(), Error::Stopped, "{stage}");
    }
}

#[test]
fn the_number_of_threads_moves_no_bit() {
    let model = FitModel::of("coulomb_tanh", &MachineTerms::default()).unwrap();
    let options = Options::default();
    let first = identify(&model, &[record()], &[], &options).unwrap();
    for jobs in [1, 3] {
        let control = FitControl {
            watch: &|_| (),
            stop: &StopFlag::default(),
            jobs: Some(jobs),
            executor: None,
        };
        let fit = identify_watched(&model, &[record()], &[], &options, &control).unwrap();
        assert_eq!(fit.parameters, first.parameters, "{jobs}");
    }
}
