//! Numbers that sum up one channel over a window of time.

use crate::error::{Error, Result};

/// A window of model time in s, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Start (s).
    pub start: f64,
    /// End (s).
    pub end: f64,
}

/// What is asked of a channel over a window.
///
/// Between samples the channel is taken as linear; the ends of the window are interpolated.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Statistic {
    /// The value at a time (s), whatever the window.
    At(f64),
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The mean over time, $\frac1T\int y\,\mathrm dt$.
    Mean,
    /// The root of the mean square over time, $\sqrt{\frac1T\int y^2\,\mathrm dt}$.
    Rms,
    /// The value at the start.
    Initial,
    /// The value at the end.
    Final,
    /// The value at the end minus that at the start.
    Drift,
    /// The largest value minus the smallest.
    Range,
    /// The largest distance from the given value, $\max_t |y - c|$.
    WorstDeviation(f64),
}

/// A channel as times and values of equal number.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    t: &'a [f64],
    y: &'a [f64],
}

impl<'a> Samples<'a> {
    /// Times in s, not decreasing, and their values; what one of them has more is ignored.
    pub fn new(t: &'a [f64], y: &'a [f64]) -> Self {
        let n = t.len().min(y.len());
        Self {
            t: &t[..n],
            y: &y[..n],
        }
    }

    /// The values.
    pub fn values(&self) -> &'a [f64] {
        self.y
    }

    /// The times (s).
    pub fn times(&self) -> &'a [f64] {
        self.t
    }

    /// The window that covers all samples.
    ///
    /// # Errors
    /// [`Error::NoRows`].
    pub fn window(&self) -> Result<Window> {
        match (self.t.first(), self.t.last()) {
            (Some(&start), Some(&end)) => Ok(Window { start, end }),
            _ => Err(Error::NoRows),
        }
    }

    /// The value at `time`, linear between samples; at a jump, the value after it.
    ///
    /// # Errors
    /// [`Error::NoRows`], or [`Error::OutsideResults`] if `time` is more than rounding outside.
    pub fn at(&self, time: f64) -> Result<f64> {
        let whole = self.window()?;
        // output times are sums of steps: the last one may miss its round number by some bits
        let slack = 1e-9 * (whole.end - whole.start).max(whole.end.abs());
        if !(time >= whole.start - slack && time <= whole.end + slack) {
            return Err(outside(time, time, whole));
        }
        let after = self.t.partition_point(|&t| t <= time);
        if after == 0 {
            return Ok(self.y[0]);
        }
        let (t0, y0) = (self.t[after - 1], self.y[after - 1]);
        match (self.t.get(after), self.y.get(after)) {
            (Some(&t1), Some(&y1)) if t1 > t0 => Ok(y0 + (y1 - y0) * ((time - t0) / (t1 - t0))),
            _ => Ok(y0),
        }
    }

    /// The statistic over `window`, or over all samples.
    ///
    /// # Errors
    /// [`Error::NoRows`], or [`Error::OutsideResults`] if the window is not inside the samples.
    pub fn evaluate(&self, statistic: Statistic, window: Option<Window>) -> Result<f64> {
        let whole = self.window()?;
        if let Statistic::At(time) = statistic {
            return self.at(time);
        }
        let Window { start, end } = window.unwrap_or(whole);
        if start > end {
            return Err(outside(start, end, whole));
        }
        let points = self.cut(start, end)?;
        let values = || points.iter().map(|&(_, y)| y);
        let first = points.first().map_or(f64::NAN, |p| p.1);
        let last = points.last().map_or(f64::NAN, |p| p.1);
        let min = values().fold(f64::INFINITY, f64::min);
        let max = values().fold(f64::NEG_INFINITY, f64::max);
        Ok(match statistic {
            Statistic::Min => min,
            Statistic::Max => max,
            Statistic::Mean => mean(&points, |a, b| 0.5 * (a + b)),
            // the square of a line between a and b has the mean (a² + a b + b²)/3
            Statistic::Rms => mean(&points, |a, b| (a * a + a * b + b * b) / 3.0).sqrt(),
            Statistic::Initial => first,
            Statistic::At(_) | Statistic::Final => last,
            Statistic::Drift => last - first,
            Statistic::Range => max - min,
            Statistic::WorstDeviation(c) => values().fold(0.0, |d, y| d.max((y - c).abs())),
        })
    }

    /// The samples inside a window, with interpolated ends.
    fn cut(&self, start: f64, end: f64) -> Result<Vec<(f64, f64)>> {
        let (first, last) = (self.at(start)?, self.at(end)?);
        let mut points = vec![(start, first)];
        let inside = self
            .t
            .iter()
            .zip(self.y)
            .filter(|&(&t, _)| t > start && t < end);
        points.extend(inside.map(|(&t, &y)| (t, y)));
        points.push((end, last));
        Ok(points)
    }
}

fn outside(start: f64, end: f64, whole: Window) -> Error {
    Error::OutsideResults {
        start,
        end,
        first: whole.start,
        last: whole.end,
    }
}

/// Mean over time of what `segment` makes of the ends of each piece.
fn mean(points: &[(f64, f64)], segment: impl Fn(f64, f64) -> f64) -> f64 {
    let (mut area, mut duration) = (0.0, 0.0);
    for pair in points.windows(2) {
        let dt = pair[1].0 - pair[0].0;
        area += dt * segment(pair[0].1, pair[1].1);
        duration += dt;
    }
    if duration > 0.0 {
        area / duration
    } else {
        points.last().map_or(f64::NAN, |&(_, y)| segment(y, y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!(
            (a - b).abs() <= tolerance,
            "{a} is not {b} within {tolerance}"
        );
    }

    #[test]
    fn a_ramp_has_its_closed_forms() {
        // y = 2 t - 1 on uneven samples: linear interpolation is exact, so only rounding remains
        let t = [0.0, 0.1, 0.5, 0.6, 2.0];
        let y: Vec<f64> = t.iter().map(|t| 2.0 * t - 1.0).collect();
        let s = Samples::new(&t, &y);
        let w = Some(Window {
            start: 0.25,
            end: 1.75,
        });
        let value = |statistic| s.evaluate(statistic, w).unwrap();
        close(s.at(1.0).unwrap(), 1.0, 1e-15);
        close(value(Statistic::Min), -0.5, 1e-15);
        close(value(Statistic::Max), 2.5, 1e-15);
        close(value(Statistic::Mean), 1.0, 1e-15);
        // mean square of a line: mean² + slope² T²/12 = 1 + 4·2.25/12
        close(value(Statistic::Rms), 1.75_f64.sqrt(), 1e-15);
        close(value(Statistic::Drift), 3.0, 1e-15);
        close(value(Statistic::Range), 3.0, 1e-15);
        close(value(Statistic::Initial), -0.5, 1e-15);
        close(value(Statistic::Final), 2.5, 1e-15);
        close(value(Statistic::WorstDeviation(1.5)), 2.0, 1e-15);
        close(s.evaluate(Statistic::At(2.0), w).unwrap(), 3.0, 1e-15);
    }

    #[test]
    fn a_sine_has_its_rms() {
        let t: Vec<f64> = (0..=10_000).map(|i| f64::from(i) * 1e-4).collect();
        let y: Vec<f64> = t
            .iter()
            .map(|t| 3.0 * (std::f64::consts::TAU * t).sin())
            .collect();
        let rms = Samples::new(&t, &y).evaluate(Statistic::Rms, None).unwrap();
        // chord error of linear interpolation is (2π·1e-4)²/12 ≈ 3e-8 of the amplitude
        close(rms, 3.0 / 2.0_f64.sqrt(), 3e-7);
    }

    #[test]
    fn a_jump_has_the_value_after_it_and_a_point_is_its_own_mean() {
        let s = Samples::new(&[0.0, 1.0, 1.0, 2.0], &[0.0, 0.0, 5.0, 5.0]);
        close(s.at(1.0).unwrap(), 5.0, 0.0);
        close(s.evaluate(Statistic::Mean, None).unwrap(), 2.5, 1e-15);
        let point = Some(Window {
            start: 1.5,
            end: 1.5,
        });
        close(s.evaluate(Statistic::Rms, point).unwrap(), 5.0, 0.0);
    }

    #[test]
    fn times_outside_are_refused_but_not_rounding() {
        let s = Samples::new(&[0.0, 0.1 + 0.2], &[1.0, 2.0]);
        close(s.at(0.300_000_000_01).unwrap(), 2.0, 0.0);
        assert!(matches!(s.at(0.31), Err(Error::OutsideResults { .. })));
        assert!(matches!(s.at(f64::NAN), Err(Error::OutsideResults { .. })));
        let reversed = Some(Window {
            start: 0.2,
            end: 0.1,
        });
        assert!(s.evaluate(Statistic::Mean, reversed).is_err());
        assert!(matches!(Samples::new(&[], &[]).at(0.0), Err(Error::NoRows)));
    }
}
