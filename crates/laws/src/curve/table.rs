//! A Stribeck curve from points, for instance measured ones.

use crate::numbers::scalar::Scalar;

/// Why points make no curve. Rows count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Fewer than two points.
    #[error("a Stribeck table needs two points at least, found {found}")]
    TooFew {
        /// Points given.
        found: usize,
    },
    /// The first point is not at rest.
    #[error("the first point of a Stribeck table must be at rest (v = 0), found v = {speed} m/s")]
    NotFromRest {
        /// The speed given, m/s.
        speed: f64,
    },
    /// Speeds do not rise.
    #[error("speeds must rise: {speed} m/s follows {before} m/s")]
    NotRising {
        /// Row.
        row: usize,
        /// Its speed, m/s.
        speed: f64,
        /// The speed of the row before, m/s.
        before: f64,
    },
    /// A coefficient is not a positive number.
    #[error("mu = {mu}, must be in (0, ∞)")]
    NotPositive {
        /// Row.
        row: usize,
        /// The coefficient given.
        mu: f64,
    },
}

impl TableError {
    /// The row at fault, from 0.
    pub fn row(&self) -> Option<usize> {
        match self {
            Self::TooFew { .. } => None,
            Self::NotFromRest { .. } => Some(0),
            Self::NotRising { row, .. } | Self::NotPositive { row, .. } => Some(*row),
        }
    }
}

/// A Stribeck curve through points (|v|, μ), from rest on; constant beyond the last.
///
/// Between points a cubic with the slopes of Fritsch & Carlson 1980: it has a continuous slope
/// and no value that the points do not enclose. The slope is zero at both ends.
#[derive(Clone, Debug, PartialEq)]
pub struct TableCurve {
    speed: Vec<f64>,
    mu: Vec<f64>,
    slope: Vec<f64>,
    lowest: f64,
}

impl TableCurve {
    /// The curve through points (|v| in m/s, μ).
    ///
    /// # Errors
    /// If there are fewer than two points, the first is not at rest, speeds do not rise, or a
    /// coefficient is not positive.
    pub fn new(points: &[(f64, f64)]) -> Result<Self, TableError> {
        let found = points.len();
        if found < 2 {
            return Err(TableError::TooFew { found });
        }
        if points[0].0 != 0.0 {
            let speed = points[0].0;
            return Err(TableError::NotFromRest { speed });
        }
        for (row, pair) in points.windows(2).enumerate() {
            let (before, speed) = (pair[0].0, pair[1].0);
            if !(speed > before && speed.is_finite()) {
                let row = row + 1;
                return Err(TableError::NotRising { row, speed, before });
            }
        }
        let bad = |(_, (_, mu)): &(usize, &(f64, f64))| !(*mu > 0.0 && mu.is_finite());
        if let Some((row, (_, mu))) = points.iter().enumerate().find(bad) {
            return Err(TableError::NotPositive { row, mu: *mu });
        }
        let (speed, mu): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
        Ok(Self {
            slope: slopes(&speed, &mu),
            lowest: mu.iter().copied().fold(f64::INFINITY, f64::min),
            speed,
            mu,
        })
    }

    /// The speeds of the points, ascending from 0, m/s.
    pub fn speeds(&self) -> &[f64] {
        &self.speed
    }

    /// The coefficient at rest.
    pub fn at_rest(&self) -> f64 {
        self.mu[0]
    }

    /// The highest coefficient.
    pub fn highest(&self) -> f64 {
        self.mu.iter().copied().fold(0.0, f64::max)
    }

    /// The lowest coefficient.
    pub fn lowest(&self) -> f64 {
        self.lowest
    }

    /// The speed at which 1/e of the fall from rest to the lowest coefficient is left, m/s: what
    /// the Stribeck velocity is for the exponential curve.
    pub fn falling_speed(&self) -> f64 {
        let level = self.lowest + (self.at_rest() - self.lowest) / std::f64::consts::E;
        let below = |i: &usize| self.mu[*i] <= level;
        let last = self.speed.len() - 1;
        let i = (1..last).find(below).unwrap_or(last);
        let fall = self.mu[i - 1] - self.mu[i];
        let share = if fall > 0.0 {
            ((self.mu[i - 1] - level) / fall).clamp(0.0, 1.0)
        } else {
            1.0
        };
        self.speed[i - 1] + share * (self.speed[i] - self.speed[i - 1])
    }

    /// g at a speed |v| ≥ 0.
    pub fn value<T: Scalar>(&self, speed: T) -> T {
        let Some((i, h)) = self.segment(speed.value()) else {
            let end = if speed.value() > 0.0 {
                self.mu.len() - 1
            } else {
                0
            };
            return T::from_f64(self.mu[end]);
        };
        let r = (speed - self.speed[i]) / h;
        let [c1, c2, c3] = self.cubic(i, h);
        ((r * c3 + c2) * r + c1) * r + self.mu[i]
    }

    /// g and dg/d|v| at a speed |v| ≥ 0.
    pub fn value_and_slope(&self, speed: f64) -> (f64, f64) {
        let slope = self.segment(speed).map_or(0.0, |(i, h)| {
            let r = (speed - self.speed[i]) / h;
            let [c1, c2, c3] = self.cubic(i, h);
            ((3.0 * c3 * r + 2.0 * c2) * r + c1) / h
        });
        (self.value(speed), slope)
    }

    /// The segment that holds a speed, and its length.
    fn segment(&self, speed: f64) -> Option<(usize, f64)> {
        let after = self.speed.partition_point(|v| *v <= speed);
        let last = after.checked_sub(1)?;
        let next = self.speed.get(after)?;
        Some((last, next - self.speed[last]))
    }

    /// μ = μ_i + c₁ r + c₂ r² + c₃ r³ with r from 0 to 1.
    fn cubic(&self, i: usize, h: f64) -> [f64; 3] {
        let rise = self.mu[i + 1] - self.mu[i];
        let (a, b) = (self.slope[i] * h, self.slope[i + 1] * h);
        [a, 3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise]
    }
}

/// Slopes at the points: harmonic means of the secants, weighted by the lengths beside them
/// (Fritsch & Butland 1984); zero at extremes and at both ends.
fn slopes(speed: &[f64], mu: &[f64]) -> Vec<f64> {
    let mut slope = vec![0.0; mu.len()];
    for i in 1..mu.len() - 1 {
        let (h0, h1) = (speed[i] - speed[i - 1], speed[i + 1] - speed[i]);
        let (d0, d1) = ((mu[i] - mu[i - 1]) / h0, (mu[i + 1] - mu[i]) / h1);
        if d0 * d1 > 0.0 {
            let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
            slope[i] = (w0 + w1) / (w0 / d0 + w1 / d1);
        }
    }
    slope
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meets_its_points_and_stays_between_them() {
        let points = [
            (0.0, 0.5),
            (0.1, 0.49),
            (0.2, 0.31),
            (0.5, 0.3),
            (1.0, 0.32),
        ];
        let table = TableCurve::new(&points).expect("sound");
        for (v, mu) in points {
            // the cubic at the ends of its pieces: rounding only
            assert!((table.value(v) - mu).abs() < 1e-15, "{v}");
        }
        for pair in points.windows(2) {
            for k in 0..=50 {
                let v = pair[0].0 + (pair[1].0 - pair[0].0) * f64::from(k) / 50.0;
                let (low, high) = (pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1));
                let mu = table.value(v);
                // rounding only
                assert!(mu >= low - 1e-15 && mu <= high + 1e-15, "{v}: {mu}");
            }
        }
        assert!((table.value(7.0) - 0.32).abs() < 1e-16);
        // 1/e of the fall 0.2 is left between 0.1 and 0.2 m/s
        let level: f64 = 0.3 + 0.2 / std::f64::consts::E;
        let by_hand = 0.1 + 0.1 * (0.49 - level) / 0.18;
        assert!((table.falling_speed() - by_hand).abs() < 1e-15);
    }

    #[test]
    fn unsound_points_are_refused_with_their_row() {
        let row = |points: &[(f64, f64)]| TableCurve::new(points).expect_err("unsound").row();
        assert_eq!(row(&[(0.0, 0.5)]), None);
        assert_eq!(row(&[(0.1, 0.5), (0.2, 0.4)]), Some(0));
        assert_eq!(row(&[(0.0, 0.5), (0.2, 0.4), (0.2, 0.3)]), Some(2));
        assert_eq!(row(&[(0.0, 0.5), (f64::NAN, 0.4)]), Some(1));
        assert_eq!(row(&[(0.0, 0.5), (0.1, 0.0)]), Some(1));
    }
}
