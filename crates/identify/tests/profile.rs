//! Intervals by profile likelihood, and the global search.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use bristle_identify::{Fit, FitModel, MachineTerms, Options, Record, identify};

fn with_profiles(model: &FitModel, record: Record) -> Fit {
    let options = Options {
        profile: true,
        ..Options::default()
    };
    identify(model, &[record], &[], &options).unwrap()
}

/// F = m a + d v + F₀ is linear in its parameters: S rises as a parabola, and the profile ends
/// where the covariance says.
#[test]
fn the_profile_of_a_linear_model_is_the_interval_of_the_covariance() {
    let mut random = common::Random::new(5);
    let t: Vec<f64> = (0..400).map(|i| f64::from(i) * 0.01).collect();
    let v: Vec<f64> = t.iter().map(|t| 0.3 * (4.0 * t).sin()).collect();
    let a = t.iter().map(|t| 1.2 * (4.0 * t).cos());
    let force: Vec<f64> = v
        .iter()
        .zip(a.clone())
        .map(|(v, a)| 2.0 * a + 5.0 * v + 0.7 + 0.3 * random.normal())
        .collect();
    let record = Record::motion("linear", t.clone(), v, force)
        .unwrap()
        .with_acceleration(a.collect())
        .unwrap();
    let terms = MachineTerms {
        mass: true,
        drag: true,
        offset: true,
        ..MachineTerms::default()
    };
    let fit = with_profiles(&FitModel::of("none", &terms).unwrap(), record);
    assert_eq!(fit.profiles.len(), 3);
    for profile in &fit.profiles {
        let (low, high) = fit.parameter(&profile.name).unwrap().interval.unwrap();
        // the ends are sought to half a per cent of √D, which is linear in the parameter
        let close = 0.01 * 0.5 * (high - low);
        assert!((profile.low.unwrap() - low).abs() < close, "{profile:?}");
        assert!((profile.high.unwrap() - high).abs() < close, "{profile:?}");
        let optimum = fit.parameter(&profile.name).unwrap().value;
        for (x, d) in profile.values.iter().zip(&profile.deviance) {
            let parabola = profile.threshold * (2.0 * (x - optimum) / (high - low)).powi(2);
            // the new fits end at a relative change of the cost of 1e-10
            assert!(
                (d - parabola).abs() < 0.01 * parabola + 1e-6,
                "{x}: {d} {parabola}"
            );
        }
    }
}

/// A stiffness that a record of sliding bounds on one side only has an open interval: bristles
/// that are stiffer still do the same.
#[test]
fn an_interval_may_be_open_to_one_side() {
    let law = common::law("dahl", &[("sigma_0", 1e6), ("mu_k", 0.1)]);
    // 10 µm and more between samples, a hundred break-away deflections of 0.1 µm
    let motion: Vec<(f64, f64, f64)> = (0..400)
        .map(|i| {
            let t = f64::from(i) * 0.01;
            (t, 0.01 * (2.0 * t + 0.3).sin(), 10.0)
        })
        .collect();
    let record = common::record(&law, &motion, 0.01, 9);
    let fit = with_profiles(
        &FitModel::of("dahl", &MachineTerms::default()).unwrap(),
        record,
    );
    let of = |name: &str| fit.profiles.iter().find(|p| p.name == name).unwrap();
    let stiffness = of("bristle_stiffness");
    assert!(stiffness.high.is_none(), "{stiffness:?}");
    assert!(stiffness.low.unwrap() < 1e6, "{stiffness:?}");
    assert!(of("kinetic_coefficient").high.is_some());
}
