//! Cases from issue trackers and benchmarks of the literature: what a fit must say about data
//! that do not tell a parameter. C35 and C47 stand in `recovery.rs`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use bristle_identify::{Fit, FitModel, FitTopic, MachineTerms, Options, Record, Verdict, identify};

fn fitted(law: &str, record: Record) -> Fit {
    let model = FitModel::of(law, &MachineTerms::default()).unwrap();
    identify(&model, &[record], &[], &Options::default()).unwrap()
}

/// Fits of the same friction with tanh and with the logistic function gave k = 193.8 and 454.6
/// s/rad, and atan ran off to 2.45e8: speeds of 0.05 and more, ten widths of 1/193.8, saturate all
/// of them. The level, 0.572, is told, the width is not.
#[test]
fn c34_a_width_below_the_slowest_speed_is_not_identifiable() {
    let mut random = common::Random::new(34);
    let (mut v, mut f) = (Vec::new(), Vec::new());
    for i in 0..60 {
        let speed = 0.05 * 20_f64.powf(f64::from(i) / 59.0);
        for side in [1.0, -1.0] {
            v.push(side * speed);
            f.push(side * 0.572 * (speed * 193.8).tanh() + 0.01 * random.normal());
        }
    }
    let fit = fitted("coulomb_tanh", Record::steady("joint", v, f).unwrap());
    let level = fit.parameter("kinetic_coefficient").unwrap();
    assert_eq!(level.verdict, Verdict::Identified);
    assert!((level.value - 0.572).abs() < 3.0 * level.standard_error.unwrap());
    let width = fit.parameter("regularisation_velocity").unwrap();
    assert_eq!(width.verdict, Verdict::NotIdentifiable, "{width:?}");
    assert!(!width.reason.is_empty() && width.experiment.is_some());
}

/// `LuGre` parameters that never reached the model had no gradient: from starts that are off by
/// 20 % every one of them moves, and comes back.
#[test]
fn c36_starts_that_are_off_by_a_fifth_move() {
    let truth = [
        ("bristle_stiffness", 1e4),
        ("bristle_damping", 30.0),
        ("viscous_coefficient", 1.0),
        ("stribeck_velocity", 2e-3),
        ("kinetic_coefficient", 0.1),
        ("static_coefficient", 0.15),
    ];
    let law = common::law("lugre", &truth);
    let record = common::record(&law, &common::thorough_motion(3000), 0.0, 1);
    let mut model = FitModel::of("lugre", &MachineTerms::default()).unwrap();
    for (name, value) in truth {
        model.start_at(name, 1.2 * value).unwrap();
    }
    let options = Options {
        draws: 1,
        starts: 1,
        ..Options::default()
    };
    let fit = identify(&model, &[record], &[], &options).unwrap();
    for (name, value) in truth {
        let found = fit.parameter(name).unwrap().value;
        assert!((found / value - 1.0).abs() < 0.01, "{name} = {found}");
    }
}

/// The sign of a noisy velocity chatters at rest: the width that is found is that of the noise, or
/// the fit warns.
#[test]
fn c37_the_width_knows_the_noise_of_the_velocity() {
    let mut random = common::Random::new(37);
    let (mut t, mut v, mut f) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..3000 {
        let time = f64::from(i) * 1e-3;
        // a second of rest, then slow sliding
        let speed = if time < 1.0 {
            0.0
        } else {
            0.05 * (3.0 * (time - 1.0)).sin()
        };
        t.push(time);
        v.push(speed + 1e-3 * random.normal());
        f.push(1.5 * (speed / 1e-6).tanh());
    }
    let fit = fitted("coulomb_tanh", Record::motion("rest", t, v, f).unwrap());
    let width = fit.parameter("regularisation_velocity").unwrap();
    let warned = fit
        .warnings
        .iter()
        .any(|w| w.topic == FitTopic::VelocityNoise);
    assert!(width.value > 1e-3 || warned, "{width:?} {:?}", fit.warnings);
}

/// Presliding under a slow force triangle of ±1.425 N on the parameters of 1995 (σ₀ 1e5 N/m, Fs
/// 1.5 N): σ₀ comes back, and what needs sliding is called not identifiable.
///
/// The motion in closed form, g = Fs since it is slow: dx/dF = 1/(σ₀ (1 ∓ F/g)) while it rises or
/// falls; x at the first peak is −(g/σ₀) ln(1 − 0.95) = 44.937 µm, as in B4.
#[test]
fn b4_a_presliding_loop_gives_the_stiffness_and_says_what_it_cannot() {
    let law = common::law(
        "lugre",
        &[
            ("bristle_stiffness", 1e5),
            ("bristle_damping", 316.0),
            ("viscous_coefficient", 0.4),
            ("stribeck_velocity", 1e-3),
            ("kinetic_coefficient", 1.0),
            ("static_coefficient", 1.5),
        ],
    );
    let (level, peak, rate) = (1.5, 1.425, 1.0);
    let motion: Vec<(f64, f64, f64)> = (0..4000)
        .map(|i| {
            let t = f64::from(i) * 2e-3;
            // up to the peak, down to the other one, and up again
            let (force, sign) = if t < peak {
                (t, 1.0)
            } else if t < 3.0 * peak {
                (2.0 * peak - t, -1.0)
            } else {
                (t - 4.0 * peak, 1.0)
            };
            let force = f64::min(force, peak);
            (t, sign * rate / (1e5 * (1.0 - sign * force / level)), 1.0)
        })
        .filter(|(t, ..)| *t < 5.0 * peak)
        .collect();
    let peak_place: f64 = motion
        .windows(2)
        .take_while(|pair| pair[1].0 <= peak)
        .map(|pair| 0.5 * (pair[0].1 + pair[1].1) * (pair[1].0 - pair[0].0))
        .sum();
    // trapezoids of 2 ms, and the last of them ends a little before the peak
    assert!((peak_place / 4.4937e-5 - 1.0).abs() < 0.02, "{peak_place}");
    let fit = fitted("lugre", common::record(&law, &motion, 1e-3, 4));
    let stiffness = fit.parameter("bristle_stiffness").unwrap();
    assert_eq!(stiffness.verdict, Verdict::Identified);
    assert!((stiffness.value / 1e5 - 1.0).abs() < 0.01, "{stiffness:?}");
    for name in [
        "kinetic_coefficient",
        "stribeck_velocity",
        "viscous_coefficient",
    ] {
        // the fastest presliding, a fifth of the Stribeck velocity, gives a hint of the level at most
        let p = fit.parameter(name).unwrap();
        assert_ne!(p.verdict, Verdict::Identified, "{name}");
        assert!(p.experiment.is_some(), "{name}");
    }
}
