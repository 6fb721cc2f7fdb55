//! Polynomials in pieces: cubic splines, and integrals of tables.

use std::sync::Arc;

use crate::{Jet, Table};

/// Coefficients of 1, s, s², …; degree 5 is a spline that is integrated twice.
type Polynomial = [f64; 6];

/// More corners than this are a sampled curve, as of a table.
const MAX_CORNERS: usize = 10_000;

/// A polynomial between each two knots, one before the first and one after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Pieces {
    knots: Arc<[f64]>,
    /// In s = t − first knot.
    before: Polynomial,
    /// From each knot on, in s = t − knot.
    after: Arc<[Polynomial]>,
}

impl Pieces {
    /// The same value at all times.
    pub(crate) fn constant(value: f64) -> Self {
        let before = [value, 0.0, 0.0, 0.0, 0.0, 0.0];
        Self {
            knots: [0.0].into(),
            before,
            after: [before].into(),
        }
    }

    /// Straight lines through the points of a table, as it has them.
    pub(crate) fn linear(table: &Table) -> Self {
        Self::through(table, |_, h, change| [change / h, 0.0, 0.0])
    }

    /// The C² cubic spline through the points of a table, held constant outside. Its third derivative
    /// is continuous at the second and the last point but one (not a knot), so that it is exact for
    /// cubics; three points give a parabola, two a line.
    pub(crate) fn cubic(table: &Table) -> Self {
        let curvature = curvatures(table.times(), table.values());
        Self::through(table, |i, h, change| {
            let (a, b) = (curvature[i], curvature[i + 1]);
            [
                change / h - h * (2.0 * a + b) / 6.0,
                0.5 * a,
                (b - a) / (6.0 * h),
            ]
        })
    }

    /// Through the points of a table: `slopes` gives the coefficients beyond the constant of a
    /// piece from its number, its length and the change over it.
    fn through(table: &Table, slopes: impl Fn(usize, f64, f64) -> [f64; 3]) -> Self {
        let (times, values) = (table.times(), table.values());
        let held = |value: f64| [value, 0.0, 0.0, 0.0, 0.0, 0.0];
        let piece = |i: usize| {
            let Some((t, y)) = times.get(i + 1).zip(values.get(i + 1)) else {
                return held(values[i]);
            };
            let [b, c, d] = slopes(i, t - times[i], y - values[i]);
            [values[i], b, c, d, 0.0, 0.0]
        };
        Self {
            knots: times.into(),
            before: held(values[0]),
            after: (0..times.len()).map(piece).collect(),
        }
    }

    /// The integral over time that is `start` at t = 0; `None` of pieces of too high a degree.
    pub(crate) fn integral(&self, start: f64) -> Option<Self> {
        let [.., highest] = self.before;
        if highest != 0.0 || self.after.iter().any(|[.., highest]| *highest != 0.0) {
            return None;
        }
        let mut at_knot = 0.0;
        let mut after = Vec::with_capacity(self.after.len());
        for (i, piece) in self.after.iter().enumerate() {
            let integral = integrated(piece, at_knot);
            after.push(integral);
            if let Some(next) = self.knots.get(i + 1) {
                at_knot = polynomial(&integral, next - self.knots[i]).value;
            }
        }
        let mut own = Self {
            knots: self.knots.clone(),
            before: integrated(&self.before, 0.0),
            after: after.into(),
        };
        let shift = start - own.jet(0.0).value;
        own.before[0] += shift;
        own.after = own
            .after
            .iter()
            .map(|piece| {
                let mut piece = *piece;
                piece[0] += shift;
                piece
            })
            .collect();
        Some(own)
    }

    pub(crate) fn jet(&self, t: f64) -> Jet {
        let above = self.knots.partition_point(|&knot| knot <= t);
        match above.checked_sub(1) {
            Some(i) => polynomial(&self.after[i], t - self.knots[i]),
            None => polynomial(&self.before, t - self.knots[0]),
        }
    }

    /// Knots at which value, rate or acceleration jump by more than rounding.
    pub(crate) fn breakpoints(&self, end_time: f64, out: &mut Vec<f64>) {
        let first = self.knots.partition_point(|&t| t <= 0.0);
        let last = self.knots.partition_point(|&t| t < end_time);
        if last.saturating_sub(first) > MAX_CORNERS {
            return;
        }
        for i in first..last {
            let before = match i.checked_sub(1) {
                Some(k) => polynomial(&self.after[k], self.knots[i] - self.knots[k]),
                None => polynomial(&self.before, 0.0),
            };
            let after = polynomial(&self.after[i], 0.0);
            let jumps = |a: f64, b: f64| (a - b).abs() > 1e-9 * (a.abs() + b.abs());
            if jumps(before.rate, after.rate) || jumps(before.acceleration, after.acceleration) {
                out.push(self.knots[i]);
            }
        }
    }
}

/// Value and derivatives at s.
fn polynomial(c: &Polynomial, s: f64) -> Jet {
    let start = Jet::default();
    c.iter()
        .rev()
        .fold(start, |sum, c| sum * Jet::time(s) + Jet::constant(*c))
}

/// The integral that has this constant.
fn integrated(c: &Polynomial, constant: f64) -> Polynomial {
    std::array::from_fn(|k| match k.checked_sub(1) {
        Some(below) => c[below] / k as f64,
        None => constant,
    })
}

/// Second derivatives of the spline at its points.
fn curvatures(times: &[f64], values: &[f64]) -> Vec<f64> {
    let n = times.len();
    let h: Vec<f64> = times.windows(2).map(|t| t[1] - t[0]).collect();
    let changes = values.windows(2).zip(&h);
    let slope: Vec<f64> = changes.map(|(y, h)| (y[1] - y[0]) / h).collect();
    if n < 3 {
        return vec![0.0; n];
    }
    if n == 3 {
        return vec![2.0 * (slope[1] - slope[0]) / (h[0] + h[1]); n];
    }
    // h_i m_i + 2 (h_i + h_{i+1}) m_{i+1} + h_{i+1} m_{i+2} = 6 (slope_{i+1} − slope_i), with the
    // outer m on the straight line through the two inside
    let inner = n - 2;
    let (first, last) = (h[0] / h[1], h[n - 2] / h[n - 3]);
    let (mut diagonal, mut right) = (vec![0.0; inner], vec![0.0; inner]);
    let mut above = vec![0.0; inner];
    for i in 0..inner {
        let mut below = h[i];
        diagonal[i] = 2.0 * (h[i] + h[i + 1]);
        above[i] = h[i + 1];
        right[i] = 6.0 * (slope[i + 1] - slope[i]);
        if i == 0 {
            diagonal[i] += h[0] * (1.0 + first);
            above[i] -= h[0] * first;
        }
        if i + 1 == inner {
            diagonal[i] += h[n - 2] * (1.0 + last);
            below -= h[n - 2] * last;
        }
        if i > 0 {
            let factor = below / diagonal[i - 1];
            diagonal[i] -= factor * above[i - 1];
            right[i] -= factor * right[i - 1];
        }
    }
    let mut m = vec![0.0; n];
    for i in (0..inner).rev() {
        let next = if i + 1 < inner {
            above[i] * m[i + 2]
        } else {
            0.0
        };
        m[i + 1] = (right[i] - next) / diagonal[i];
    }
    m[0] = m[1] + first * (m[1] - m[2]);
    m[n - 1] = m[n - 2] + last * (m[n - 2] - m[n - 3]);
    m
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SignalError;

    fn cubic(t: f64) -> f64 {
        1.0 - 2.0 * t + 0.5 * t * t + 3.0 * t * t * t
    }

    fn table(times: &[f64], value: impl Fn(f64) -> f64) -> Result<Table, SignalError> {
        Table::new(times.to_vec(), times.iter().map(|t| value(*t)).collect())
    }

    #[test]
    fn a_spline_through_a_cubic_is_the_cubic() {
        let spline = Pieces::cubic(&table(&[0.0, 0.3, 0.5, 1.1, 1.2, 2.0], cubic).unwrap());
        for t in [0.0, 0.1, 0.4, 0.77, 1.15, 1.99] {
            let jet = spline.jet(t);
            // rounding of a small system
            assert!((jet.value - cubic(t)).abs() < 1e-12, "{t}");
            assert!((jet.rate - (-2.0 + t + 9.0 * t * t)).abs() < 1e-11, "{t}");
            assert!((jet.acceleration - (1.0 + 18.0 * t)).abs() < 1e-10, "{t}");
        }
        let mut corners = Vec::new();
        spline.breakpoints(9.0, &mut corners);
        // inside it is smooth; at its end it stops at once
        assert_eq!(corners, [2.0]);
    }

    #[test]
    fn a_spline_is_of_fourth_order_and_smooth() {
        let error = |n: usize| {
            let times: Vec<f64> = (0..=n).map(|i| 3.0 * i as f64 / n as f64).collect();
            let spline = Pieces::cubic(&table(&times, f64::sin).unwrap());
            // the ends converge faster at first
            let far = (500..2500).map(|i| f64::from(i) * 1e-3);
            far.fold(0.0_f64, |m, t| m.max((spline.jet(t).value - t.sin()).abs()))
        };
        let ratio = error(20) / error(40);
        assert!((14.0..20.0).contains(&ratio), "{ratio}");
    }

    #[test]
    fn an_acceleration_in_straight_lines_integrates_to_cubics() {
        // a = 6 t up to 1, then 6: v = 2 + 3 t², x = 1 + 2 t + t³; from 1 on v = 5 + 6 s, x = 4 + 5 s + 3 s²
        let a = Pieces::linear(&table(&[0.0, 1.0], |t| 6.0 * t).unwrap());
        let x = a.integral(2.0).unwrap().integral(1.0).unwrap();
        for (t, value, rate, acceleration) in [
            (0.0, 1.0, 2.0, 0.0),
            (0.5, 2.125, 2.75, 3.0),
            (1.0, 4.0, 5.0, 6.0),
            (3.0, 26.0, 17.0, 6.0),
        ] {
            let jet = x.jet(t);
            assert!((jet.value - value).abs() < 1e-14 && (jet.rate - rate).abs() < 1e-14);
            assert!((jet.acceleration - acceleration).abs() < 1e-14);
        }
        // a record that begins before the run has its start values at t = 0
        let a = Pieces::linear(&table(&[-2.0, 1.0], |_| 4.0).unwrap());
        let x = a.integral(1.0).unwrap().integral(0.5).unwrap();
        assert!((x.jet(0.0).value - 0.5).abs() < 1e-14 && (x.jet(2.0).value - 10.5).abs() < 1e-14);
    }
}
