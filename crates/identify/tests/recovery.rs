//! Parameters come back from records whose parameters are known.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use bristle_identify::{FitModel, MachineTerms, Options, Record, Verdict, identify};

/// With noise, within three standard deviations: one number in 370 lies outside by chance, and
/// the seed is one where none does.
#[test]
fn noise_is_within_the_intervals_of_lugre() {
    let truth = [
        ("bristle_stiffness", 2e4),
        ("bristle_damping", 20.0),
        ("viscous_coefficient", 0.5),
        ("stribeck_velocity", 2e-3),
        ("kinetic_coefficient", 0.12),
        ("static_coefficient", 0.2),
    ];
    let law = common::law("lugre", &truth);
    let record = common::record(&law, &common::rich_motion(4000), 0.02, 7);
    let model = FitModel::of("lugre", &MachineTerms::default()).unwrap();
    let fit = identify(&model, &[record], &[], &Options::default()).unwrap();
    for (name, value) in truth {
        let p = fit.parameter(name).unwrap();
        let error = p.standard_error.unwrap();
        assert!(
            (p.value - value).abs() < 3.0 * error,
            "{name} = {} ± {error} instead of {value}",
            p.value
        );
    }
    assert!(fit.residuals.white, "{:?}", fit.residuals);
}

/// A steady curve tells levels and the Stribeck velocity, nothing of the bristles; without slow
/// points it does not tell the static level either.
#[test]
fn c35_a_steady_curve_does_not_tell_bristles() {
    let curve = |low: f64| {
        let law = common::law(
            "lugre",
            &[
                ("sigma_0", 1e5),
                ("sigma_1", 316.0),
                ("sigma_2", 0.4),
                ("v_s", 1e-3),
                ("mu_k", 1.0),
                ("mu_s", 1.5),
            ],
        );
        let (mut v, mut f) = (Vec::new(), Vec::new());
        for i in 0..30 {
            let speed = low * (0.1_f64 / low).powf(f64::from(i) / 29.0);
            for side in [1.0, -1.0] {
                v.push(side * speed);
                f.push(side * law.steady(speed, 1.0).unwrap());
            }
        }
        let record = Record::steady("curve", v, f).unwrap();
        let model = FitModel::of("lugre", &MachineTerms::default()).unwrap();
        identify(&model, &[record], &[], &Options::default()).unwrap()
    };
    let slow = curve(1e-4);
    let verdict = |fit: &bristle_identify::Fit, name: &str| fit.parameter(name).unwrap().verdict;
    for name in ["bristle_stiffness", "bristle_damping"] {
        assert_eq!(verdict(&slow, name), Verdict::NotIdentifiable, "{name}");
    }
    for (name, value) in [
        ("kinetic_coefficient", 1.0),
        ("static_coefficient", 1.5),
        ("stribeck_velocity", 1e-3),
        ("viscous_coefficient", 0.4),
    ] {
        let p = slow.parameter(name).unwrap();
        assert!((p.value / value - 1.0).abs() < 0.01, "{name} = {}", p.value);
        assert_eq!(p.verdict, Verdict::Identified, "{name}");
    }
    let fast = curve(4e-3);
    for name in [
        "bristle_stiffness",
        "static_coefficient",
        "stribeck_velocity",
    ] {
        assert_eq!(verdict(&fast, name), Verdict::NotIdentifiable, "{name}");
    }
    assert_eq!(verdict(&fast, "kinetic_coefficient"), Verdict::Identified);
}

/// Fitting without friction works, and without any parameter at all.
#[test]
fn c47_no_friction_is_a_model_too() {
    let law = common::law("dahl", &[("sigma_0", 1e4), ("mu_k", 0.1)]);
    let record = common::record(&law, &common::rich_motion(1000), 0.0, 1);
    for terms in [
        MachineTerms::default(),
        MachineTerms {
            mass: true,
            offset: true,
            ..MachineTerms::default()
        },
    ] {
        let model = FitModel::of("none", &terms).unwrap();
        let fit = identify(
            &model,
            std::slice::from_ref(&record),
            &[],
            &Options::default(),
        )
        .unwrap();
        assert!(fit.rms() > 0.0);
        assert_eq!(fit.parameters.len(), model.parameters.len());
    }
}

/// The same input gives the same bits on one thread and on three.
#[test]
fn the_number_of_threads_changes_nothing() {
    let law = common::law(
        "lugre",
        &[
            ("sigma_0", 1e4),
            ("sigma_1", 30.0),
            ("sigma_2", 0.04),
            ("v_s", 1e-3),
            ("mu_k", 0.1),
            ("mu_s", 0.15),
        ],
    );
    let record = common::record(&law, &common::rich_motion(3000), 0.02, 5);
    let terms = MachineTerms {
        mass: true,
        offset: true,
        drag: true,
        preload: true,
        ..MachineTerms::default()
    };
    // ten numbers: two passes of derivatives
    let model = FitModel::of("lugre", &terms).unwrap();
    let bits = |threads: usize| -> Vec<u64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        let records = [record.clone()];
        let fit = pool.install(|| identify(&model, &records, &[], &Options::default()).unwrap());
        let numbers = |p: &bristle_identify::Estimate| {
            [p.value.to_bits(), p.standard_error.map_or(0, f64::to_bits)]
        };
        fit.parameters.iter().flat_map(numbers).collect()
    };
    assert_eq!(bits(1), bits(3));
}
