//! Signals against closed forms, numerical integrals and difference quotients.
#![allow(clippy::float_cmp, reason = "exact results are asserted exactly")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use std::f64::consts::{LN_2, PI, TAU};

use bristle_signals::{Chirp, Pulses, Ramp, RampShape, Signal, SignalError, Sine, Sweep};

fn close(actual: f64, expected: f64, tolerance: f64, what: &str) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{what}: {actual} instead of {expected} (±{tolerance:e})"
    );
}

/// Rate and acceleration against central differences of the value with step 1e-4 s: truncation
/// h²/6·|f'''| and rounding ε|f|/h (rate), ε|f|/h² (acceleration) for |f|, |f'''| up to about 1e3.
fn differentiates(signal: &Signal, times: &[f64]) {
    let h = 1e-4;
    for &t in times {
        let (left, middle, right) = (signal.value(t - h), signal.value(t), signal.value(t + h));
        let scale = 1.0 + middle.abs() + signal.acceleration(t).abs();
        let what = format!("{signal:?} at t = {t}");
        close(
            signal.rate(t),
            (right - left) / (2.0 * h),
            2e-6 * scale,
            &what,
        );
        let second = (right - 2.0 * middle + left) / (h * h);
        close(signal.acceleration(t), second, 1e-5 * scale, &what);
    }
}

fn expression(text: &str) -> Signal {
    Signal::expression(text).unwrap()
}

fn chirp(f0: f64, f1: f64, sweep: Sweep) -> Chirp {
    Chirp {
        amplitude: Box::new(Signal::Constant(2.0)),
        start_frequency: f0,
        end_frequency: f1,
        start: 1.0,
        duration: 4.0,
        sweep,
    }
}

#[test]
fn signals_cross_threads() {
    fn check<T: Clone + std::fmt::Debug + Send + Sync>() {}
    check::<Signal>();
}

#[test]
fn derivatives_are_those_of_the_value() {
    let ramp = Ramp {
        from: 1.0,
        to: -2.0,
        start: 0.5,
        duration: 2.0,
        shape: RampShape::Smooth,
    };
    let sine = Sine {
        amplitude: 3.0,
        frequency: 0.7,
        phase: 0.4,
        offset: 1.0,
        start: Some(0.1),
    };
    let ramp = Signal::ramp(ramp).unwrap();
    let sine = Signal::sine(sine).unwrap();
    let times = [0.3, 0.7, 1.2, 1.9, 2.3, 3.7];
    differentiates(&Signal::product(ramp.clone(), sine.clone()), &times);
    differentiates(
        &Signal::sum(vec![ramp.clone(), sine.clone(), Signal::Constant(1.0)]),
        &times,
    );
    for sweep in [Sweep::Linear, Sweep::Logarithmic] {
        let mut swept = chirp(0.2, 1.5, sweep);
        swept.amplitude = Box::new(ramp.clone());
        differentiates(
            &Signal::chirp(swept).unwrap(),
            &[0.5, 1.3, 1.9, 3.7, 4.9, 5.5],
        );
    }
    differentiates(&sine.scaled(0.5), &times);
}

#[test]
fn formulas_have_exact_derivatives() {
    for text in [
        "3*t^3 - t/2 + 1",
        "sin(2*pi*t)*exp(-t/3)",
        "cos(t)^2 + tan(t/4) - asin(t/5) + acos(t/6) + atan(t)",
        "sinh(t)/cosh(t) + tanh(2*t)",
        "ln(1+t) + log10(t) - log2(t) + log(t)",
        "sqrt(t) + cbrt(t) + t^1.5 + 2^t + t^t",
        "abs(t-2)*t + max(t, 2-t)^2 - min(1, t^2)",
        "atan2(sin(t), 2 + t^2) + pow(t, 3)",
        "step(t-1)*(t-1) + sign(t-2)*t + floor(t) + ceil(t)",
        "1/(1+t^2)",
    ] {
        differentiates(&expression(text), &[0.3, 0.7, 1.2, 1.9, 2.3, 3.7]);
    }
}

#[test]
fn formulas_follow_the_usual_precedence() {
    // Hand numbers at t = 3.
    for (text, value) in [
        ("-t^2", -9.0),
        ("2^3^2", 512.0),
        ("2**-1", 0.5),
        ("10-2-3", 5.0),
        ("24/4/t", 2.0),
        ("2/t*6", 4.0),
        ("-t*2 + 1", -5.0),
        ("2*-t", -6.0),
        ("--t", 3.0),
        ("1e-3*t", 0.003),
        ("(t-5)^2", 4.0),
        ("(t-5)^3", -8.0),
        (".5 * (t + 1.)", 2.0),
        ("π", PI),
        ("step(t-3) + sign(-t)", 0.0),
    ] {
        close(
            expression(text).value(3.0),
            value,
            1e-15 * value.abs(),
            text,
        );
    }
}

#[test]
fn powers_are_differentiable_where_the_base_vanishes() {
    let cube = expression("t^3 + t^2 + t^1 + t^0").jet(0.0);
    assert_eq!((cube.value, cube.rate, cube.acceleration), (1.0, 1.0, 2.0));
    let corner = expression("abs(2*t)").jet(0.0);
    assert_eq!(
        (corner.value, corner.rate),
        (0.0, 2.0),
        "right-hand derivative"
    );
}

#[test]
fn a_broken_formula_says_where() {
    let fault = |text: &str| match Signal::expression(text) {
        Err(SignalError::Expression { range, reason, .. }) => (text[range].to_owned(), reason),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(fault("2*sim(t)").0, "sim");
    assert!(
        fault("2*sim(t)")
            .1
            .starts_with("unknown name \"sim\"; known are t, pi, tau, e")
    );
    assert_eq!(fault("sin(t").1, "found the end, expected \")\"");
    assert_eq!(fault("3 t").0, "t");
    assert_eq!(
        fault("").1,
        "found the end, expected a number, t, a function or \"(\""
    );
    assert_eq!(fault("max(t)").1, "found \")\", expected \",\"");
    assert_eq!(fault("1..2").0, ".2");
    assert_eq!(fault("t $ 2").0, "$");
    for deep in ["(".repeat(10_000), "-".repeat(10_000), "2^".repeat(10_000)] {
        assert!(
            fault(&deep).1.contains("too deeply"),
            "deep nesting is refused"
        );
    }
}

#[test]
fn the_phase_of_a_chirp_is_the_integral_of_its_frequency() {
    for (f0, f1, sweep) in [
        (0.5, 6.0, Sweep::Linear),
        (0.0, 3.0, Sweep::Linear),
        (0.5, 6.0, Sweep::Logarithmic),
        (6.0, 0.5, Sweep::Logarithmic),
        (2.0, 2.0, Sweep::Logarithmic),
    ] {
        let law = |tau: f64| match sweep {
            Sweep::Linear => f0 + (f1 - f0) * tau / 4.0,
            Sweep::Logarithmic => f0 * (f1 / f0).powf(tau / 4.0),
        };
        let signal = Signal::chirp(chirp(f0, f1, sweep)).unwrap();
        let tau = 3.1;
        // Simpson's rule on 2000 intervals: error below 1e-12 turns for these smooth laws.
        let h = tau / 2000.0;
        let turns = (0..=2000)
            .map(|i: u32| {
                let weight = if i == 0 || i == 2000 {
                    1.0
                } else {
                    f64::from(2 + 2 * (i % 2))
                };
                weight * law(f64::from(i) * h) * h / 3.0
            })
            .sum::<f64>();
        let what = format!("{f0} to {f1} Hz, {sweep:?}");
        close(
            signal.value(1.0 + tau),
            2.0 * (TAU * turns).sin(),
            1e-10,
            &what,
        );
        let momentary = chirp(f0, f1, sweep).frequency(1.0 + tau);
        close(momentary, law(tau), 1e-13 * law(tau), &what);
        assert_eq!(signal.value(0.999), 0.0);
        assert_eq!(signal.value(5.0), 0.0);
        assert_eq!(signal.breakpoints(10.0), [1.0, 5.0]);
    }
}

#[test]
fn a_logarithmic_octave_takes_its_closed_form() {
    // f = 2^τ Hz over T = 1 s makes ∫f = (2^τ − 1)/ln 2 turns.
    let swept = Chirp {
        amplitude: Box::new(Signal::Constant(1.0)),
        start_frequency: 1.0,
        end_frequency: 2.0,
        start: 0.0,
        duration: 1.0,
        sweep: Sweep::Logarithmic,
    };
    let value = Signal::chirp(swept).unwrap().value(0.5);
    // A handful of roundings of a phase of 4 rad.
    close(
        value,
        (TAU * (2.0_f64.sqrt() - 1.0) / LN_2).sin(),
        1e-14,
        "half an octave",
    );
}

#[test]
fn sine_holds_before_its_start() {
    let sine = Sine {
        amplitude: 2.0,
        frequency: 1.0,
        phase: PI / 6.0,
        offset: 1.0,
        start: Some(3.0),
    };
    let signal = Signal::sine(sine).unwrap();
    // sin 30° = 1/2 up to rounding.
    close(signal.value(0.0), 2.0, 1e-15, "held");
    assert_eq!(signal.rate(2.9), 0.0);
    close(
        signal.value(3.25),
        1.0 + 3.0_f64.sqrt(),
        1e-14,
        "a quarter of a period on: cos 30°",
    );
    assert_eq!(signal.breakpoints(9.0), [3.0]);
}

#[test]
fn pulses_switch_exactly_at_their_breakpoints() {
    let pulses = Pulses {
        amplitude: 5.0,
        width: 0.03,
        period: 0.1,
        count: Some(40),
        start: 0.2,
    };
    let signal = Signal::pulses(pulses).unwrap();
    let edges = signal.breakpoints(100.0);
    assert_eq!(edges.len(), 80);
    for (index, &edge) in edges.iter().enumerate() {
        let rising = index % 2 == 0;
        assert_eq!(
            signal.value(edge),
            if rising { 5.0 } else { 0.0 },
            "edge {index}"
        );
        assert_eq!(
            signal.value(edge.next_down()),
            if rising { 0.0 } else { 5.0 },
            "edge {index}"
        );
    }
    let gapless = Pulses {
        width: 0.1,
        count: Some(3),
        ..pulses
    };
    let gapless = Signal::pulses(gapless).unwrap();
    assert!((0..300).all(|i| gapless.value(0.2 + f64::from(i) * 0.001) == 5.0));
    let endless = Pulses {
        width: 1e-7,
        period: 2e-7,
        count: None,
        start: -3.0,
        ..pulses
    };
    assert!(Signal::pulses(endless).unwrap().breakpoints(1e9).len() <= 100_000);
}

#[test]
fn ramps_reach_their_ends() {
    let ramp = Ramp {
        from: 10.0,
        to: 0.0,
        start: 3.0,
        duration: 1.0,
        shape: RampShape::Linear,
    };
    let press = Signal::ramp(ramp).unwrap();
    assert_eq!(
        [press.value(0.0), press.value(3.5), press.value(4.0)],
        [10.0, 5.0, 0.0]
    );
    assert_eq!(press.rate(3.0), -10.0);
    let step = Signal::ramp(Ramp {
        shape: RampShape::Smooth,
        ..ramp
    })
    .unwrap();
    // STEP5 is odd about its centre, with slope 15/8 there, and rests at both ends.
    assert_eq!(
        [step.value(3.5), step.rate(3.5), step.acceleration(3.5)],
        [5.0, -18.75, 0.0]
    );
    assert_eq!([step.rate(3.0), step.acceleration(3.0)], [0.0, 0.0]);
    // One part in 1e12 before the end.
    close(step.value(4.0 - 1e-12), 0.0, 1e-9, "continuous at the end");
}

#[test]
fn breakpoints_are_merged_sorted_and_inside_the_run() {
    let ramp = |start, duration| {
        Signal::ramp(Ramp {
            from: 0.0,
            to: 1.0,
            start,
            duration,
            shape: RampShape::Linear,
        })
        .unwrap()
    };
    // 0.1 + 0.2 and 0.3 differ by one rounding: one landing serves both.
    let sum = Signal::sum(vec![
        ramp(0.3, 5.0),
        ramp(0.1, 0.2),
        ramp(-1.0, 1.0),
        ramp(2.0, 9.0),
    ]);
    assert_eq!(sum.breakpoints(6.0), [0.1, 0.1 + 0.2, 2.0, 5.3]);
    assert!(sum.breakpoints(f64::NAN).is_empty());
}

#[test]
fn corners_of_formulas_are_found_to_the_last_bit() {
    let signal = expression("10*step(t-1.1) + abs(t-2.3)");
    let corners = signal.breakpoints(7.0);
    assert_eq!(corners, [1.1, 2.3]);
    assert_eq!(signal.value(corners[0].next_down()).floor(), 1.0);
    assert!(expression("sin(t)").breakpoints(7.0).is_empty());
}

#[test]
fn parameters_out_of_range_are_named() {
    let text = |result: Result<Signal, SignalError>| result.unwrap_err().to_string();
    let sine = Sine {
        frequency: -3.0,
        ..Sine::default()
    };
    assert_eq!(
        text(Signal::sine(sine)),
        "sine.frequency = -3 Hz, must be in [0, ∞) Hz"
    );
    assert_eq!(
        text(Signal::chirp(chirp(0.0, 3.0, Sweep::Logarithmic))),
        "chirp.start_frequency = 0 Hz, must be in (0, ∞) Hz"
    );
    let pulses = Pulses {
        amplitude: 1.0,
        width: 2.0,
        period: 1.0,
        count: None,
        start: 0.0,
    };
    assert_eq!(
        text(Signal::pulses(pulses)),
        "pulses.width = 2 s, must be in (0, period] s"
    );
    assert_eq!(
        text(Signal::ramp(Ramp {
            to: f64::NAN,
            ..Ramp::default()
        })),
        "ramp.to = NaN, must be in (-∞, ∞)"
    );
    assert_eq!(
        text(Signal::ramp(Ramp::default())),
        "ramp.duration = 0 s, must be in (0, ∞) s"
    );
    assert!(Signal::constant(f64::INFINITY).is_err());
}
