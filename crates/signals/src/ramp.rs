//! A transition from one value to another.

use crate::error::Check;
use crate::{Jet, SignalError};

/// The shape of a [`Ramp`] over r = (t − start)/duration in [0, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RampShape {
    /// A straight line, r.
    #[default]
    Linear,
    /// The quintic r³ (10 − 15 r + 6 r²), with zero rate and acceleration at both ends (STEP5 of
    /// multibody programs).
    Smooth,
}

/// From one value to another within a duration, constant before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ramp {
    /// Value before the start.
    pub from: f64,
    /// Value after the end.
    pub to: f64,
    /// Start, s.
    pub start: f64,
    /// Duration, s.
    pub duration: f64,
    /// Straight or smooth.
    pub shape: RampShape,
}

impl Ramp {
    pub(crate) fn check(&self) -> Result<(), SignalError> {
        let check = |field, value, unit| Check {
            signal: "ramp",
            field,
            value,
            unit,
        };
        check("from", self.from, "").finite()?;
        check("to", self.to, "").finite()?;
        check("start", self.start, "s").finite()?;
        check("duration", self.duration, "s").positive()
    }

    pub(crate) fn jet(&self, t: f64) -> Jet {
        if t < self.start {
            return Jet::constant(self.from);
        }
        if t >= self.start + self.duration {
            return Jet::constant(self.to);
        }
        let r = (t - self.start) / self.duration;
        let rise = self.to - self.from;
        let (shape, first, second) = match self.shape {
            RampShape::Linear => (r, 1.0, 0.0),
            RampShape::Smooth => (
                r * r * r * (10.0 - r * (15.0 - 6.0 * r)),
                30.0 * r * r * (1.0 - r) * (1.0 - r),
                60.0 * r * (1.0 - r) * (1.0 - 2.0 * r),
            ),
        };
        Jet {
            value: self.from + rise * shape,
            rate: rise * first / self.duration,
            acceleration: rise * second / (self.duration * self.duration),
        }
    }

    pub(crate) fn breakpoints(&self, out: &mut Vec<f64>) {
        out.extend([self.start, self.start + self.duration]);
    }
}
