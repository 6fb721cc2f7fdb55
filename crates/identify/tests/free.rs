//! The motion of a mass, computed inside the fit.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bristle_identify::{FitModel, MachineTerms, Options, Record, RecordKind, Servo, identify};

const MASS: f64 = 2.0;
const DRAG: f64 = 5.0;
const LEVEL: f64 = 3.0;

/// m v' = F₀ + A sin ωt − f − d v in closed form: a mass that never turns around, from v(0) = v₀.
fn sliding(t: f64) -> (f64, f64, f64) {
    let (mean, amplitude, omega, v_0) = (10.0, 6.0, 4.0, 1.5);
    let force = mean + amplitude * f64::sin(omega * t);
    let rate = DRAG / MASS;
    let steady = (mean - LEVEL) / DRAG;
    // particular solution p sin ωt + q cos ωt
    let scale = amplitude / MASS / (rate * rate + omega * omega);
    let (p, q) = (scale * rate, -scale * omega);
    let rest = v_0 - steady - q;
    let (sine, cosine) = (omega * t).sin_cos();
    let v = steady + rest * (-rate * t).exp() + p * sine + q * cosine;
    let x = steady * t
        + rest / rate * (1.0 - (-rate * t).exp())
        + p / omega * (1.0 - cosine)
        + q / omega * sine;
    (x, v, force)
}

fn record() -> Record {
    let t: Vec<f64> = (0..3000).map(|i| f64::from(i) * 2e-3).collect();
    let column = |f: &dyn Fn((f64, f64, f64)) -> f64| t.iter().map(|t| f(sliding(*t))).collect();
    Record::motion("mass", t.clone(), column(&|p| p.1), column(&|p| p.2))
        .unwrap()
        .with_position(column(&|p| p.0))
        .unwrap()
        .into_free()
        .unwrap()
}

#[test]
fn mass_and_friction_come_back_from_positions() {
    let terms = MachineTerms {
        mass: true,
        drag: true,
        ..MachineTerms::default()
    };
    let mut model = FitModel::of("coulomb_tanh", &terms).unwrap();
    // the mass never comes to rest
    model.fix("regularisation_velocity", 1e-3).unwrap();
    let fit = identify(&model, &[record()], &[], &Options::default()).unwrap();
    for (name, value) in [
        ("mass", MASS),
        ("drag", DRAG),
        ("kinetic_coefficient", LEVEL),
    ] {
        let found = fit.parameter(name).unwrap().value;
        // the method is of second order: some 1e-6 of the values at 2 ms
        assert!((found / value - 1.0).abs() < 1e-3, "{name} = {found}");
    }
    assert!(
        fit.train[0].record.kind == RecordKind::Free && fit.rms() < 1e-5,
        "{}",
        fit.rms()
    );
}

/// Under a force below break-away a mass stays, with a law that sticks.
#[test]
fn a_stuck_mass_does_not_move() {
    let t: Vec<f64> = (0..400).map(|i| f64::from(i) * 5e-3).collect();
    let push = |t: f64| {
        if t < 1.0 {
            0.9 * t
        } else {
            0.9 + 4.0 * (t - 1.0)
        }
    };
    // from 1.025 s on the push is above 1 N and the mass of 1 kg slides: m v' = 4 (t − 1.025)
    let x = |t: f64| {
        let s: f64 = (t - 1.025).max(0.0);
        4.0 / 6.0 * s.powi(3)
    };
    let v = |t: f64| 2.0 * (t - 1.025_f64).max(0.0).powi(2);
    let column = |f: &dyn Fn(f64) -> f64| t.iter().map(|t| f(*t)).collect::<Vec<_>>();
    let record = Record::motion("stuck", t.clone(), column(&v), column(&push))
        .unwrap()
        .with_position(column(&x))
        .unwrap()
        .into_free()
        .unwrap();
    let terms = MachineTerms {
        mass: true,
        ..MachineTerms::default()
    };
    let mut model = FitModel::of("dahl", &terms).unwrap();
    model.fix("bristle_stiffness", 1e7).unwrap();
    let fit = identify(&model, &[record], &[], &Options::default()).unwrap();
    for (name, value) in [("mass", 1.0), ("kinetic_coefficient", 1.0)] {
        let found = fit.parameter(name).unwrap().value;
        assert!((found / value - 1.0).abs() < 0.01, "{name} = {found}");
    }
}

#[test]
fn what_a_free_motion_needs_is_asked_for() {
    let model = FitModel::of("dahl", &MachineTerms::default()).unwrap();
    let error = identify(&model, &[record()], &[], &Options::default()).unwrap_err();
    assert!(error.to_string().contains("add the term mass"), "{error}");
    let servo = Servo {
        goal: vec![1.0; 3000],
        supply: vec![7.4; 3000],
        gain: 0.0,
    };
    let error = record().with_servo(servo).unwrap_err();
    assert!(error.to_string().contains("must be above 0"), "{error}");
    let t: Vec<f64> = (0..100).map(f64::from).collect();
    let without = Record::motion("m", t.clone(), t.clone(), t).unwrap();
    let error = without.into_free().unwrap_err();
    assert!(
        error.to_string().contains("no measured position"),
        "{error}"
    );
}
