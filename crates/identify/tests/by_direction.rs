//! Friction that differs by direction is recovered from data of closed forms.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use bristle_identify::{Error, Fit, FitModel, MachineTerms, Options, Record, identify};
use bristle_laws::Value;

const LOAD: f64 = 10.0;

fn asymmetric() -> MachineTerms {
    MachineTerms {
        asymmetric: true,
        ..MachineTerms::default()
    }
}

fn fitted(law: &str, record: Record) -> Fit {
    let model = FitModel::of(law, &asymmetric()).unwrap();
    identify(&model, &[record], &[], &Options::default()).unwrap()
}

fn near(fit: &Fit, name: &str, wanted: f64, tolerance: f64) {
    let found = fit.parameters.iter().find(|p| p.name == name).unwrap();
    let off = (found.value / wanted - 1.0).abs();
    assert!(off <= tolerance, "{name}: {}, wanted {wanted}", found.value);
    // the law of the fit has the same number
    let values = fit.friction.as_ref().unwrap().to_values();
    let Some((_, Value::Number(x))) = values.iter().find(|(own, _)| own == name) else {
        panic!("{name} is no number of the law");
    };
    assert_eq!(x.to_bits(), found.value.to_bits(), "{name}");
}

/// ±N (μk + (μs − μk) e^(−(v/v_s)²) + σ₂ |v|), with numbers of their own for each sign.
#[test]
fn a_steady_curve_has_both_sides() {
    let sides = [(1.0, 0.1, 0.15, 1e-3, 0.04), (-1.0, 0.14, 0.25, 4e-3, 0.3)];
    let (mut velocity, mut force) = (Vec::new(), Vec::new());
    for (sign, mu_k, mu_s, v_s, sigma_2) in sides {
        for i in 0..=80 {
            let v = 1e-4 * 1e3_f64.powf(f64::from(i) / 80.0);
            let fall = (-(v / v_s) * (v / v_s)).exp();
            velocity.push(sign * v);
            force.push(sign * LOAD * (mu_k + (mu_s - mu_k) * fall + sigma_2 * v));
        }
    }
    let n = velocity.len();
    let record = Record::steady("curve", velocity, force).unwrap();
    let fit = fitted("lugre", record.with_load(vec![LOAD; n]).unwrap());
    for (sign, mu_k, mu_s, v_s, sigma_2) in sides {
        let name = |field: &str| match sign {
            1.0 => field.to_owned(),
            _ => format!("{field}_negative"),
        };
        // without noise the fit ends where its slopes are rounding
        near(&fit, &name("kinetic_coefficient"), mu_k, 1e-4);
        near(&fit, &name("static_coefficient"), mu_s, 1e-4);
        near(&fit, &name("stribeck_velocity"), v_s, 1e-4);
        near(&fit, &name("viscous_coefficient"), sigma_2, 1e-4);
    }
}

/// The force of Dahl's bristles is a function of the path alone: from a turn at x₀ with F₀ it is
/// ±Nμ + (F₀ ∓ Nμ) e^(−σ₀|x − x₀|/μ), with the μ of the direction.
#[test]
fn a_motion_has_both_sides() {
    let (stiffness, forward, backward) = (1e4, 0.1_f64, 0.16_f64);
    let (count, step, amplitude, pulse) = (4000_u32, 1e-3, 1e-4, 2.0 * std::f64::consts::PI);
    let (mut time, mut velocity, mut force) = (Vec::new(), Vec::new(), Vec::new());
    // from x = −A at rest, so that turns are at samples
    let (mut turn, mut at_turn) = (-amplitude, 0.0);
    for i in 0..count {
        let t = f64::from(i) * step;
        let (sine, cosine) = (pulse * t).sin_cos();
        let x = -amplitude * cosine;
        // the second half of each period goes back, and begins at its turn
        let back = i % 1000 >= 500;
        let level = if back { -backward } else { forward };
        if i > 0 && i % 500 == 0 {
            turn = x;
            at_turn = *force.last().unwrap();
        }
        let decay = (-stiffness * (x - turn).abs() / level.abs()).exp();
        time.push(t);
        velocity.push(amplitude * pulse * sine);
        force.push(LOAD * level + (at_turn - LOAD * level) * decay);
    }
    let record = Record::motion("loop", time, velocity, force).unwrap();
    let record = record.with_load(vec![LOAD; count as usize]).unwrap();
    let fit = fitted("dahl", record);
    // velocities are linear between samples: the path of a segment is off by (2π h)²/12 = 3e-6, and
    // at a turn the force of the sample before stands for it: σ₀ A (2π h)²/2 of the level, 2e-3
    near(&fit, "kinetic_coefficient", forward, 1e-3);
    near(&fit, "kinetic_coefficient_negative", backward, 1e-3);
    near(&fit, "bristle_stiffness", stiffness, 3e-3);
}

#[test]
fn a_law_that_is_the_same_both_ways_says_so() {
    let long: Vec<f64> = (0..300).map(f64::from).collect();
    let speeds: Vec<f64> = long.iter().map(|t| t.sin()).collect();
    let forces = speeds.iter().map(|v| v.signum()).collect();
    let record = Record::motion("m", long, speeds, forces).unwrap();
    let model = FitModel::of("iwan", &asymmetric()).unwrap();
    let error = identify(&model, &[record], &[], &Options::default()).unwrap_err();
    assert!(matches!(error, Error::Unsuited { .. }), "{error}");
    assert!(error.to_string().contains("both directions"), "{error}");
}
