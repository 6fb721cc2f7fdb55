//! Records with more noise than they have.

use bristle_recordings::{MotionSource, derivative};

use crate::prediction::smoothed;
use crate::{Record, RecordKind};

/// Normal numbers from a fixed seed (splitmix64, Box and Muller): the same input gives the same bias.
pub(super) struct NormalNumbers(u64);

impl NormalNumbers {
    pub(super) fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// A number in (0, 1).
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((z >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn next(&mut self) -> f64 {
        let (radius, angle) = (self.uniform(), self.uniform());
        (-2.0 * radius.ln()).sqrt() * (2.0 * std::f64::consts::PI * angle).cos()
    }

    fn column(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.next()).collect()
    }
}

/// What white noise of deviation 1 of the measured signals adds to a prepared motion.
pub(super) struct Disturbance {
    position: Option<Vec<f64>>,
    velocity: Vec<f64>,
    acceleration: Option<Vec<f64>>,
}

impl Disturbance {
    /// A draw of the noise of a record whose steady curve has a noise of `steady`; the way through
    /// filter and derivatives is that of the motion.
    pub(super) fn draw(record: &Record, steady: f64, random: &mut NormalNumbers) -> Option<Self> {
        let n = record.len();
        let white = |random: &mut NormalNumbers, size: f64| -> Vec<f64> {
            random.column(n).into_iter().map(|x| size * x).collect()
        };
        if record.kind == RecordKind::Steady {
            return (steady > 0.0).then(|| Self {
                position: None,
                velocity: white(random, steady),
                acceleration: None,
            });
        }
        let noise = record.noise.filter(|_| record.kind == RecordKind::Motion)?;
        let signal = smoothed(record, white(random, noise.deviation));
        let (position, velocity) = match noise.source {
            MotionSource::Position => {
                let velocity = derivative(&record.t, &signal);
                (Some(signal), velocity)
            }
            MotionSource::Velocity => (None, signal),
        };
        let acceleration = match noise.acceleration {
            Some(size) => smoothed(record, white(random, size)),
            None => derivative(&record.t, &velocity),
        };
        Some(Self {
            position,
            velocity,
            acceleration: Some(acceleration),
        })
    }

    /// The record with `factor` times this.
    pub(super) fn added_to(&self, record: &Record, factor: f64) -> Record {
        let sum = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
        };
        let mut noisy = record.clone();
        noisy.velocity = sum(&record.velocity, &self.velocity);
        if let Some(a) = &self.acceleration {
            noisy.acceleration = sum(&record.acceleration, a);
        }
        if let (Some(x), Some(d)) = (&record.position, &self.position) {
            noisy.position = Some(sum(x, d));
        }
        noisy
    }
}
