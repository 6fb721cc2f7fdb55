//! Rectangular pulses.

use crate::error::Check;
use crate::{Jet, SignalError, signal::MAX_BREAKPOINTS};

/// The value `amplitude` on [start + k·period, start + k·period + width) for k = 0, 1, … and zero
/// between.
///
/// Derivatives are zero; the jumps are breakpoints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pulses {
    /// Height, in the unit of the quantity.
    pub amplitude: f64,
    /// Width of a pulse, s.
    pub width: f64,
    /// From one rising edge to the next, s; at least `width`.
    pub period: f64,
    /// Number of pulses; without it they never end.
    pub count: Option<u32>,
    /// First rising edge, s.
    pub start: f64,
}

impl Pulses {
    pub(crate) fn check(&self) -> Result<(), SignalError> {
        let check = |field, value, unit| Check {
            signal: "pulses",
            field,
            value,
            unit,
        };
        check("amplitude", self.amplitude, "").finite()?;
        check("width", self.width, "s").positive()?;
        check("period", self.period, "s").positive()?;
        check("width", self.width, "s").at_most(self.period, "(0, period]")?;
        check("start", self.start, "s").finite()
    }

    fn rise(&self, index: f64) -> f64 {
        self.start + index * self.period
    }

    fn fall(&self, index: f64) -> f64 {
        // Pulses without a gap must not leave a hole of one rounding error between them.
        if self.width < self.period {
            self.rise(index) + self.width
        } else {
            self.rise(index + 1.0)
        }
    }

    pub(crate) fn jet(&self, t: f64) -> Jet {
        let mut index = ((t - self.start) / self.period).floor();
        // The division rounds; the edges are those that `breakpoints` announces.
        if self.rise(index + 1.0) <= t {
            index += 1.0;
        } else if self.rise(index) > t {
            index -= 1.0;
        }
        let exists = index >= 0.0 && self.count.is_none_or(|count| index < f64::from(count));
        Jet::constant(if exists && t < self.fall(index) {
            self.amplitude
        } else {
            0.0
        })
    }

    pub(crate) fn breakpoints(&self, end_time: f64, out: &mut Vec<f64>) {
        let mut index = (-self.start / self.period).floor().max(0.0);
        let limit = out.len() + MAX_BREAKPOINTS;
        while out.len() < limit
            && self.rise(index) < end_time
            && self.count.is_none_or(|count| index < f64::from(count))
        {
            out.extend([self.rise(index), self.fall(index)]);
            index += 1.0;
        }
    }
}
