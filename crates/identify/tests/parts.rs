//! The parts of a fit computed elsewhere: the same bits as in one go.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

mod common;

use std::sync::Mutex;

use bristle_identify::{
    Error, Fit, FitControl, FitExecutor, FitModel, MachineTerms, MotionNoise, MotionSource,
    Options, Record, StopFlag, compute_part, identify, identify_watched,
};

fn control<'a>(stop: &'a StopFlag, executor: Option<&'a dyn FitExecutor>) -> FitControl<'a> {
    FitControl {
        watch: &|_| (),
        stop,
        jobs: Some(1),
        executor,
    }
}

/// Computes parts from the last to the first, each as another process would.
struct Elsewhere<'a> {
    model: &'a FitModel,
    train: &'a [Record],
    options: &'a Options,
    /// Parts at a time.
    counts: Mutex<Vec<usize>>,
}

impl FitExecutor for Elsewhere<'_> {
    fn compute(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Error> {
        self.counts.lock().unwrap().push(parts.len());
        let stop = StopFlag::default();
        let control = control(&stop, None);
        let outcome =
            |part: &Vec<u8>| compute_part(self.model, self.train, self.options, part, &control);
        let mut outcomes: Vec<_> = parts.iter().rev().map(outcome).collect::<Result<_, _>>()?;
        outcomes.reverse();
        Ok(outcomes)
    }
}

/// Fits here and elsewhere; gives the fit and how many parts were given out at a time.
fn both(model: &FitModel, train: &[Record], options: &Options) -> (Fit, Vec<usize>) {
    let here = identify(model, train, &[], options).unwrap();
    let elsewhere = Elsewhere {
        model,
        train,
        options,
        counts: Mutex::default(),
    };
    let stop = StopFlag::default();
    let control = control(&stop, Some(&elsewhere));
    let there = identify_watched(model, train, &[], options, &control).unwrap();
    // texts of numbers are as exact as their bits
    assert_eq!(format!("{here:?}"), format!("{there:?}"));
    (here, elsewhere.counts.into_inner().unwrap())
}

fn quick() -> Options {
    Options {
        draws: 40,
        starts: 3,
        iterations: 20,
        ..Options::default()
    }
}

/// Starts, descents, descents with fine steps, and draws of the noise of the motion, twice.
#[test]
fn noisy_motions_with_bent_bristles_are_fitted_the_same_elsewhere() {
    let law = common::law("dahl", &[("sigma_0", 1e4), ("mu_k", 0.1)]);
    let sine = |i: usize| {
        let t = i as f64 * 4e-3;
        (t, 5e-3 * (6.0 * t).sin(), 10.0)
    };
    let motion: Vec<_> = (0..1500).map(sine).collect();
    let mut record = common::record(&law, &motion, 0.01, 1);
    record.noise = Some(MotionNoise {
        source: MotionSource::Velocity,
        deviation: 3e-4,
        acceleration: None,
    });
    let mut random = common::Random::new(2);
    for v in &mut record.velocity {
        *v += 3e-4 * random.normal();
    }
    // the bristles of the first samples stand as no motion before them explains
    for f in &mut record.force[..20] {
        *f = -*f;
    }
    let model = FitModel::of("dahl", &MachineTerms::default()).unwrap();
    let (fit, counts) = both(&model, &[record], &quick());
    assert!(fit.train[0].record.weight[0] == 0.0, "a start is left out");
    // 1500 samples are drawn eight times, with both signs
    assert!(counts.contains(&16), "{counts:?}");
    assert!(counts.contains(&3), "{counts:?}");
}

/// Populations and the polish of a law that jumps.
#[test]
fn laws_that_jump_are_fitted_the_same_elsewhere() {
    let law = common::law(
        "karnopp",
        &[("Dv", 1e-3), ("v_s", 1e-2), ("mu_k", 0.1), ("mu_s", 0.15)],
    );
    let record = common::record(&law, &common::rich_motion(400), 0.0, 1);
    let model = FitModel::of("karnopp", &MachineTerms::default()).unwrap();
    both(&model, &[record], &quick());
}

/// A free motion is fitted as a driven one first.
#[test]
fn free_motions_are_fitted_the_same_elsewhere() {
    let t: Vec<f64> = (0..600).map(|i| f64::from(i) * 1e-2).collect();
    // a mass of 2 kg under 10 N less 3 N of friction, from 1.5 m/s
    let v: Vec<f64> = t.iter().map(|t| 1.5 + 3.5 * t).collect();
    let x = t.iter().map(|t| 1.5 * t + 1.75 * t * t).collect();
    let record = Record::motion("mass", t, v, vec![10.0; 600]).unwrap();
    let record = record.with_position(x).unwrap().into_free().unwrap();
    let terms = MachineTerms {
        mass: true,
        ..MachineTerms::default()
    };
    let mut model = FitModel::of("coulomb_tanh", &terms).unwrap();
    model.fix("regularisation_velocity", 1e-3).unwrap();
    model.fix("mass", 2.0).unwrap();
    let (fit, _) = both(&model, &[record], &quick());
    let level = fit.parameter("kinetic_coefficient").unwrap().value;
    assert!((level / 3.0 - 1.0).abs() < 1e-3, "{level}");
}

struct Failing;

impl FitExecutor for Failing {
    fn compute(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Error> {
        // what is no outcome
        Ok(parts)
    }
}

#[test]
fn outcomes_that_are_none_are_refused() {
    let law = common::law("dahl", &[("sigma_0", 1e4), ("mu_k", 0.1)]);
    let record = common::record(&law, &common::rich_motion(400), 0.0, 1);
    let model = FitModel::of("dahl", &MachineTerms::default()).unwrap();
    let stop = StopFlag::default();
    let elsewhere = control(&stop, Some(&Failing));
    let ended = identify_watched(
        &model,
        std::slice::from_ref(&record),
        &[],
        &quick(),
        &elsewhere,
    );
    assert!(matches!(ended.unwrap_err(), Error::Part { .. }));
    let ended = compute_part(
        &model,
        &[record],
        &quick(),
        b"no part",
        &control(&stop, None),
    );
    assert!(matches!(ended.unwrap_err(), Error::Part { .. }));
}
