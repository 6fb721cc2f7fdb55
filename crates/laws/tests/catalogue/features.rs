//! What the laws reproduce, measured on a mass of 1 kg or on the test bench, against numbers
//! that were computed apart from this project (three or four digits).
//!
//! Set: mu_s 0.15, mu_k 0.1, N 10 N, sigma_0 1e4 1/m, v_s 1 mm/s where they exist.

use bristle_laws::friction::typical;
use bristle_laws::{Friction, Slip, Step, Value};

const LOAD: f64 = 10.0;

/// A law with the typical set and some changes.
fn build(name: &str, changes: &[(&str, f64)]) -> Friction {
    let card = Friction::card_of(name).expect("a law of the catalogue");
    let mut values = typical(card);
    for (field, x) in changes {
        let entry = values.iter_mut().find(|(n, _)| n == field);
        entry.expect("a field of the law").1 = Value::Number(*x);
    }
    Friction::build(name, &values).expect("admissible parameters")
}

/// A mass on a law, by the trapezoidal rule with the law's own update.
struct Mass {
    law: Friction,
    state: Vec<f64>,
    x: f64,
    v: f64,
    f: f64,
}

impl Mass {
    fn new(law: Friction) -> Self {
        let mut state = vec![0.0; law.layout().len(1)];
        law.start(&Slip::new([0.0], LOAD), &mut state);
        let (x, v, f) = (0.0, 0.0, 0.0);
        Self {
            law,
            state,
            x,
            v,
            f,
        }
    }

    /// One step under the mean load; the force depends on the end velocity, found by iteration.
    fn step(&mut self, load: f64, h: f64) {
        let mut new = self.state.clone();
        let mut v = self.v;
        let mut f = self.f;
        // a step times slope over mass is below 0.3: the sixth iterate is good to 1e-3 of a step
        for _ in 0..6 {
            v = self.v + h * (load - 0.5 * (self.f + f));
            let step = Step {
                mean: Slip::new([0.5 * (self.v + v)], LOAD),
                end: Slip::new([v], LOAD),
                duration: h,
            };
            f = self.law.update(&step, &self.state, &mut new)[0];
        }
        self.x += 0.5 * h * (self.v + v);
        (self.v, self.f, self.state) = (v, f, new);
    }

    /// The largest force while the load grows with `rate` N/s from zero.
    fn break_away(&mut self, rate: f64) -> f64 {
        let h = 2e-4 / rate;
        let mut peak = 0.0_f64;
        for k in 0..11_000 {
            self.step(rate * h * (f64::from(k) + 0.5), h);
            peak = peak.max(self.f);
            if self.v > 0.05 {
                break;
            }
        }
        peak
    }

    /// Mean speed under 0.5 + 0.4 sin(10 pi t) N over the second second.
    fn drift(&mut self) -> f64 {
        let h = 2e-5;
        let mut start = 0.0;
        for k in 0..110_000 {
            let t = h * (f64::from(k) + 0.5);
            // ramped up over 0.2 s, a cycle
            let vibration = if t > 0.2 {
                0.4 * (10.0 * std::f64::consts::PI * t).sin()
            } else {
                0.0
            };
            self.step(0.5 * (t / 0.2).min(1.0) + vibration, h);
            if k + 1 == 60_000 {
                start = self.x;
            }
        }
        // five cycles of 0.2 s
        self.x - start
    }
}

#[test]
fn break_away_force_against_the_rate_of_loading() {
    for (name, changes, slow, fast) in [
        ("lugre", &[][..], 1.364, 1.025),
        (
            "elastoplastic",
            &[("breakaway_deflection", 9e-6)],
            1.411,
            1.274,
        ),
        ("bliman_sorine", &[], 1.71, 1.71),
        ("gonthier", &[], 1.499, 1.309),
        ("dahl", &[], 1.0, 1.0),
        ("jenkins", &[], 1.0, 1.0),
        ("adams_stick_slip", &[], 1.5, 1.5),
        ("recurdyn_stick_slip", &[], 1.5, 1.5),
        // d_f v on top of mu_s N
        ("simpack_stick_slip", &[], 1.51, 1.59),
        ("adams_regularised", &[], 1.5, 1.5),
        ("simpack_regularised", &[], 1.5, 1.5),
    ] {
        for (rate, expected) in [(3.0, slow), (30.0, fast)] {
            let peak = Mass::new(build(name, changes)).break_away(rate);
            // integrated values: half a per cent
            assert!(
                (peak - expected).abs() <= 5e-3 * expected,
                "{name} at {rate} N/s: {peak}, expected {expected}"
            );
        }
    }
}

#[test]
fn lag_in_sliding_with_changing_speed() {
    // F rising minus F falling at 1.5 mm/s, v = 1e-3 (1.5 + cos(w t))
    for (name, changes, slow, fast) in [
        ("lugre", &[][..], 0.0012, 0.036),
        (
            "elastoplastic",
            &[("breakaway_deflection", 9e-6)],
            0.0011,
            0.027,
        ),
        ("gms", &[], 0.0067, 0.15),
        ("gonthier", &[], 0.033, 0.054),
        ("dahl", &[], 0.0, 0.0),
    ] {
        for (omega, expected) in [(1.0_f64, slow), (25.0, fast)] {
            let law = build(name, changes);
            let mut state = vec![0.0; law.layout().len(1)];
            law.start(&Slip::new([2.5e-3], LOAD), &mut state);
            let count = 4000;
            let h = std::f64::consts::TAU / omega / f64::from(count);
            let speed = |t: f64| 1e-3 * (1.5 + (omega * t).cos());
            let (mut rising, mut falling) = (0.0, 0.0);
            for k in 0..3 * count {
                let t = h * f64::from(k);
                let step = Step {
                    mean: Slip::new([speed(t + 0.5 * h)], LOAD),
                    end: Slip::new([speed(t + h)], LOAD),
                    duration: h,
                };
                let mut new = state.clone();
                let f = law.update(&step, &state, &mut new)[0];
                state = new;
                match (k + 1) % count {
                    1000 => falling = f,
                    3000 => rising = f,
                    _ => {}
                }
            }
            let lag = rising - falling;
            // the references have two digits
            assert!(
                (lag - expected).abs() <= 0.04 * expected + 1e-9,
                "{name} at {omega} rad/s: {lag}, expected {expected}"
            );
        }
    }
}

#[test]
fn drift_under_a_vibrating_load_below_break_away() {
    for (name, changes, expected, tolerance) in [
        // v_r W/Fc: the mean of a linear law
        (
            "coulomb_linear",
            &[
                ("kinetic_coefficient", 0.1),
                ("regularisation_velocity", 1e-4),
            ][..],
            50e-6,
            0.5e-6,
        ),
        ("adams_regularised", &[], 19e-6, 0.6e-6),
        ("recurdyn_regularised", &[], 19e-6, 0.6e-6),
        ("simpack_regularised", &[], 22e-6, 0.6e-6),
        ("lugre", &[], 34e-6, 1e-6),
        ("bliman_sorine", &[], 13e-6, 1e-6),
    ] {
        let drift = Mass::new(build(name, changes)).drift();
        // two digits of the references
        assert!(
            (drift - expected).abs() <= tolerance,
            "{name}: {drift:e}, expected {expected:e}"
        );
    }
}

#[test]
fn no_drift_where_the_law_promises_it() {
    for (name, changes, tolerance) in [
        // elastic up to 0.95 N, above the peak of the load; 1 nm/s, as the published test asks for
        (
            "elastoplastic",
            &[("breakaway_deflection", 9.5e-6)][..],
            1e-9,
        ),
        ("adams_stick_slip", &[], 1e-9),
        ("recurdyn_stick_slip", &[], 1e-9),
        ("simpack_stick_slip", &[], 1e-9),
        // undamped: they ring about the mean, by less than a tenth of the drift of lugre
        ("gms", &[], 3e-6),
        ("jenkins", &[], 3e-6),
    ] {
        let drift = Mass::new(build(name, changes)).drift();
        assert!(drift.abs() < tolerance, "{name}: {drift:e}");
    }
}

/// Misfit of the force where an inner loop closes over the peak: 0, 1, −0.5, 0.3, −0.5 in units of 8 µm.
fn misfit(law: &Friction) -> f64 {
    let mut state = vec![0.0; law.layout().len(1)];
    let mut leg = |distance: f64| {
        let v = 1e-5_f64.copysign(distance);
        let step = Step::constant(Slip::new([v], LOAD), distance * 8e-6 / v);
        let mut new = state.clone();
        let f = law.update(&step, &state, &mut new)[0];
        state = new;
        f
    };
    let peak = leg(1.0);
    let open = leg(-1.5);
    leg(0.8);
    (leg(-0.8) - open).abs() / peak
}

#[test]
fn inner_loops() {
    for (name, expected, tolerance) in [
        // 1 -/+ r falls by e^(-0.8 leg): r = 0.550671, -0.532947, 0.191689, -0.371632
        ("dahl", 0.292_943, 1e-6),
        // one slider: closes but for rounding
        ("jenkins", 0.0, 1e-12),
        ("adams_stick_slip", 0.0, 1e-12),
    ] {
        let misfit = misfit(&build(name, &[]));
        assert!(
            (misfit - expected).abs() <= tolerance,
            "{name}: {misfit}, expected {expected}"
        );
    }
    // the loops of the Leuven law close the better, the larger n
    let leuven = |n: f64| misfit(&build("leuven", &[("leuven_exponent", n)]));
    let series = [leuven(1.0), leuven(2.0), leuven(4.0), leuven(8.0)];
    assert!(series.is_sorted_by(|a, b| a > b), "{series:?}");
}
