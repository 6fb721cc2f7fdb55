//! One period in samples, and its harmonics.
//!
//! A real function is q = a₀ + Σ (a_h cos hθ + b_h sin hθ) with θ = Ωt. Its coefficients stand in
//! the order a₀, a₁, b₁, a₂, b₂, …; the complex harmonic is X_h = a_h − i b_h, so that
//! q = Re Σ X_h e^(ihθ).

use nalgebra::{DMatrix, DMatrixView};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Samples and harmonics of a period, with the tables of the transform.
#[derive(Clone, Debug)]
pub struct PeriodGrid {
    harmonics: usize,
    samples: usize,
    /// Shared by all points of a curve.
    tables: Arc<GridTables>,
}

#[derive(Debug)]
struct GridTables {
    /// Values of the basis functions, sample by sample.
    basis: Vec<f64>,
    /// Their derivatives by θ.
    slope: Vec<f64>,
    /// What each sample of a march adds to the coefficients: samples 1, 2, … and at last 0, by rows.
    marched: DMatrix<f64>,
}

impl PeriodGrid {
    /// A period of `samples` with harmonics 0 to `harmonics`.
    pub fn new(harmonics: usize, samples: usize) -> Self {
        let width = 2 * harmonics + 1;
        let (mut basis, mut slope) = (vec![0.0; samples * width], vec![0.0; samples * width]);
        let circle: Vec<(f64, f64)> = (0..samples)
            .map(|k| (TAU * k as f64 / samples as f64).sin_cos())
            .collect();
        for k in 0..samples {
            let (values, slopes) = (&mut basis[k * width..], &mut slope[k * width..]);
            values[0] = 1.0;
            for h in 1..=harmonics {
                // the angle of the remainder keeps all digits at high orders
                let (sin, cos) = circle[(h * k) % samples];
                let order = h as f64;
                (values[2 * h - 1], values[2 * h]) = (cos, sin);
                (slopes[2 * h - 1], slopes[2 * h]) = (-order * sin, order * cos);
            }
        }
        let marched = DMatrix::from_fn(samples, width, |row, place| {
            basis[(row + 1) % samples * width + place] * weight(samples, place)
        });
        Self {
            harmonics,
            samples,
            tables: Arc::new(GridTables {
                basis,
                slope,
                marched,
            }),
        }
    }

    /// Highest harmonic.
    pub fn harmonics(&self) -> usize {
        self.harmonics
    }

    /// Samples of a period.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Coefficients of one function: 2H + 1.
    pub fn width(&self) -> usize {
        2 * self.harmonics + 1
    }

    /// The basis functions at a sample; any whole number of periods later it is the same.
    pub fn basis(&self, sample: usize) -> &[f64] {
        row(&self.tables.basis, self.width(), sample % self.samples)
    }

    /// Their derivatives by θ.
    pub fn slope(&self, sample: usize) -> &[f64] {
        row(&self.tables.slope, self.width(), sample % self.samples)
    }

    /// The weight with which a sample enters coefficient number `place`, beside the basis function.
    pub fn weight(&self, place: usize) -> f64 {
        weight(self.samples, place)
    }

    /// What the samples of a march add to the coefficients: those after the sample `first` − 1, by rows.
    pub(crate) fn marched(&self, first: usize, count: usize) -> DMatrixView<'_, f64> {
        self.tables.marched.rows(first, count)
    }

    /// The function of some coefficients at a sample.
    pub fn value(&self, coefficients: &[f64], sample: usize) -> f64 {
        dot(coefficients, self.basis(sample))
    }

    /// Its derivative by θ.
    pub fn rate(&self, coefficients: &[f64], sample: usize) -> f64 {
        dot(coefficients, self.slope(sample))
    }

    /// Coefficients of a sampled function.
    pub fn transform(&self, samples: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut out = vec![0.0; self.width()];
        for (k, x) in samples.enumerate() {
            for (sum, basis) in out.iter_mut().zip(self.basis(k)) {
                *sum += x * basis;
            }
        }
        for (place, sum) in out.iter_mut().enumerate() {
            *sum *= self.weight(place);
        }
        out
    }
}

fn weight(samples: usize, place: usize) -> f64 {
    if place == 0 {
        1.0 / samples as f64
    } else {
        2.0 / samples as f64
    }
}

fn row(table: &[f64], width: usize, k: usize) -> &[f64] {
    &table[k * width..(k + 1) * width]
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
