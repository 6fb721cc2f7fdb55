//! Linear interpolation between given points.

use std::sync::Arc;

use crate::{Jet, SignalError};

/// More corners than this are a sampled curve, which error control resolves better than a forced
/// step per sample.
const MAX_CORNERS: usize = 10_000;

/// Straight lines between points (t, value), held constant before the first and after the last.
///
/// The rate is that of the piece to the right of a point; the acceleration is zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    times: Arc<[f64]>,
    values: Arc<[f64]>,
}

impl Table {
    /// A table of `times` (s, strictly increasing) and `values`.
    ///
    /// # Errors
    /// [`SignalError`] if there is no row, the lengths differ, an entry is not finite, or a time
    /// does not exceed the one before it; the row is named.
    pub fn new(times: Vec<f64>, values: Vec<f64>) -> Result<Self, SignalError> {
        if times.len() != values.len() {
            return Err(SignalError::UnequalLengths {
                times: times.len(),
                values: values.len(),
            });
        }
        if times.is_empty() {
            return Err(SignalError::EmptyTable);
        }
        let mut previous = f64::NEG_INFINITY;
        for (row, (&time, &value)) in times.iter().zip(&values).enumerate() {
            for (field, entry) in [("time", time), ("value", value)] {
                if !entry.is_finite() {
                    return Err(SignalError::NotFinite {
                        row,
                        field,
                        value: entry,
                    });
                }
            }
            if time <= previous {
                return Err(SignalError::TimesNotIncreasing {
                    row,
                    time,
                    previous,
                });
            }
            previous = time;
        }
        Ok(Self {
            times: times.into(),
            values: values.into(),
        })
    }

    /// The times of the points, s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values at the points.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    pub(crate) fn jet(&self, t: f64) -> Jet {
        let above = self.times.partition_point(|&time| time <= t);
        if above == 0 || above == self.times.len() {
            return Jet::constant(self.values[above.saturating_sub(1)]);
        }
        let slope = self.slope(above - 1);
        let value = self.values[above - 1] + slope * (t - self.times[above - 1]);
        Jet {
            value,
            rate: slope,
            acceleration: 0.0,
        }
    }

    /// Slope of the piece that starts at point `index`; zero beyond the ends.
    fn slope(&self, index: usize) -> f64 {
        match (self.times.get(index + 1), self.values.get(index + 1)) {
            (Some(t), Some(v)) => (v - self.values[index]) / (t - self.times[index]),
            _ => 0.0,
        }
    }

    /// Whether it has so many corners before `end_time` that it announces none.
    pub(crate) fn hides_corners(&self, end_time: f64) -> bool {
        let first = self.times.partition_point(|&t| t <= 0.0);
        let last = self.times.partition_point(|&t| t < end_time);
        last.saturating_sub(first) > MAX_CORNERS
    }

    pub(crate) fn breakpoints(&self, end_time: f64, out: &mut Vec<f64>) {
        let first = self.times.partition_point(|&t| t <= 0.0);
        let last = self.times.partition_point(|&t| t < end_time);
        if self.hides_corners(end_time) {
            return;
        }
        for index in first..last {
            let before = if index == 0 {
                0.0
            } else {
                self.slope(index - 1)
            };
            let after = self.slope(index);
            // Points on one straight line differ in slope by rounding only.
            if (after - before).abs() > 1e-10 * (after.abs() + before.abs()) {
                out.push(self.times[index]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(f64, f64)]) -> Result<Table, SignalError> {
        Table::new(
            rows.iter().map(|r| r.0).collect(),
            rows.iter().map(|r| r.1).collect(),
        )
    }

    #[test]
    fn interpolates_and_holds_the_ends() {
        let pull = table(&[(1.0, 0.0), (2.0, 0.75), (4.0, 0.25)]).unwrap();
        // Hand numbers; every operation here is exact in binary.
        for (t, value, rate) in [
            (0.0, 0.0, 0.0),
            (1.0, 0.0, 0.75),
            (1.5, 0.375, 0.75),
            (2.0, 0.75, -0.25),
            (3.0, 0.5, -0.25),
            (4.0, 0.25, 0.0),
            (9.0, 0.25, 0.0),
        ] {
            assert_eq!(
                pull.jet(t),
                Jet {
                    value,
                    rate,
                    acceleration: 0.0
                },
                "at t = {t}"
            );
        }
    }

    #[test]
    fn corners_are_the_points_where_the_slope_changes() {
        let mut corners = Vec::new();
        let press = table(&[(0.0, 0.0), (1.0, 0.1), (2.0, 0.2), (3.0, 5.0), (9.0, 5.0)]).unwrap();
        press.breakpoints(8.0, &mut corners);
        assert_eq!(corners, [2.0, 3.0]);
    }

    #[test]
    fn refusals_name_the_row() {
        let text = |rows: &[(f64, f64)]| table(rows).unwrap_err().to_string();
        assert_eq!(
            text(&[(0.0, 1.0), (2.0, 1.0), (1.5, 1.0)]),
            "table row 3: time 1.5 s must be greater than 2 s, the time of the row before"
        );
        assert_eq!(
            text(&[(0.0, f64::NAN)]),
            "table row 1: value = NaN, must be finite"
        );
        assert_eq!(
            text(&[(0.0, 0.0), (f64::INFINITY, 0.0)]),
            "table row 2: time = inf, must be finite"
        );
        assert_eq!(table(&[]).unwrap_err(), SignalError::EmptyTable);
        let unequal = Table::new(vec![0.0, 1.0], vec![0.0]).unwrap_err();
        assert_eq!(unequal.to_string(), "table has 2 times but 1 values");
    }
}
