//! Records made with the error-controlled driver of the test bench, which is independent of the
//! steps that the fit takes.

#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bristle_identify::Record;
use bristle_laws::{Friction, Value, Values};
use bristle_rig::{Driver, Sample};

/// A motion of presliding loops, slow and fast sliding, with some load changes.
pub(crate) fn rich_motion(samples: usize) -> Vec<(f64, f64, f64)> {
    let dt = 8.0 / samples as f64;
    (0..samples)
        .map(|i| {
            let t = i as f64 * dt;
            let tau = 2.0 * std::f64::consts::PI;
            let v = if t < 2.0 {
                // loops that grow from micrometres to the break-away deflection and beyond
                1e-4 * t * (tau * 2.0 * t).cos()
            } else if t < 5.0 {
                5e-3 * (tau * 0.5 * (t - 2.0)).sin()
            } else {
                0.05 * (t - 5.0) / 3.0 * (tau * (t - 5.0)).sin()
            };
            let n = 10.0 + 3.0 * (tau * 0.3 * t).sin();
            (t, v, n)
        })
        .collect()
}

/// Presliding loops, slow sliding at the static level, sliding through the Stribeck range, fast
/// sliding, under a load that varies: what the parameters of every law show in.
pub(crate) fn thorough_motion(samples: usize) -> Vec<(f64, f64, f64)> {
    let tau = 2.0 * std::f64::consts::PI;
    (0..samples)
        .map(|i| {
            let t = i as f64 * 10.0 / samples as f64;
            let v = if t < 3.0 {
                4e-5 * t * (tau * 2.0 * t).sin()
            } else if t < 5.0 {
                2e-4 * (tau * 0.5 * (t - 3.0)).sin()
            } else if t < 8.0 {
                5e-3 * (tau * (t - 5.0) / 3.0).sin()
            } else {
                0.05 * (tau * (t - 8.0)).sin()
            };
            (t, v, 10.0 + 3.0 * (tau * 0.3 * t).sin())
        })
        .collect()
}

/// The force of a law along a motion of (t, v, N).
pub(crate) fn driven(law: &Friction, motion: &[(f64, f64, f64)]) -> Vec<f64> {
    driven_under(law, motion, &vec![0.0; motion.len()])
}

/// The force of a law along a motion of (t, v, N) under an applied force.
pub(crate) fn driven_under(
    law: &Friction,
    motion: &[(f64, f64, f64)],
    applied: &[f64],
) -> Vec<f64> {
    let sample = |i: usize| Sample {
        t: motion[i].0,
        velocity: [motion[i].1],
        normal_force: motion[i].2,
        applied: [applied[i]],
    };
    let mut driver = Driver::<1>::new(law, &sample(0), 1e-9);
    let mut force = vec![driver.force()[0]];
    for i in 1..motion.len() {
        force.push(driver.advance(&sample(i)).unwrap()[0]);
    }
    force
}

/// A record of a law, with normal noise of a standard deviation (N) from a seed.
pub(crate) fn record(law: &Friction, motion: &[(f64, f64, f64)], noise: f64, seed: u64) -> Record {
    let mut random = Random::new(seed);
    let force = driven(law, motion)
        .into_iter()
        .map(|f| f + noise * random.normal())
        .collect();
    let column = |k: usize| {
        motion
            .iter()
            .map(|p| [p.0, p.1, p.2][k])
            .collect::<Vec<_>>()
    };
    Record::motion("synthetic", column(0), column(1), force)
        .unwrap()
        .with_load(column(2))
        .unwrap()
}

/// The law of some numbers.
pub(crate) fn law(name: &str, values: &[(&str, f64)]) -> Friction {
    let values: Values = values
        .iter()
        .map(|(name, x)| ((*name).to_owned(), Value::Number(*x)))
        .collect();
    Friction::build(name, &values).unwrap()
}

/// xorshift64* with Box–Muller: the same numbers everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        (bits as f64 + 0.5) / (1_u64 << 53) as f64
    }

    pub(crate) fn normal(&mut self) -> f64 {
        let (a, b) = (self.uniform(), self.uniform());
        (-2.0 * a.ln()).sqrt() * (2.0 * std::f64::consts::PI * b).cos()
    }
}
