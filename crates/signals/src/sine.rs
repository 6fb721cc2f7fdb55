//! A harmonic function.

use std::f64::consts::TAU;

use crate::error::Check;
use crate::{Jet, SignalError};

/// offset + amplitude · sin(2π · frequency · (t − start) + phase).
///
/// With a start time, the value before it is held at offset + amplitude · sin(phase), so that
/// nothing jumps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sine {
    /// Amplitude, in the unit of the quantity.
    pub amplitude: f64,
    /// Frequency, Hz.
    pub frequency: f64,
    /// Phase at the start, rad.
    pub phase: f64,
    /// Mean value, in the unit of the quantity.
    pub offset: f64,
    /// Start, s; without it the oscillation has always been going on, with its phase at t = 0.
    pub start: Option<f64>,
}

impl Sine {
    pub(crate) fn check(&self) -> Result<(), SignalError> {
        let check = |field, value, unit| Check {
            signal: "sine",
            field,
            value,
            unit,
        };
        check("amplitude", self.amplitude, "").finite()?;
        check("frequency", self.frequency, "Hz").not_negative()?;
        check("phase", self.phase, "rad").finite()?;
        check("offset", self.offset, "").finite()?;
        check("start", self.start.unwrap_or(0.0), "s").finite()
    }

    pub(crate) fn jet(&self, t: f64) -> Jet {
        let omega = TAU * self.frequency;
        let running = self.start.is_none_or(|start| t >= start);
        let elapsed = if running {
            t - self.start.unwrap_or(0.0)
        } else {
            0.0
        };
        let (sin, cos) = (omega * elapsed + self.phase).sin_cos();
        let value = self.offset + self.amplitude * sin;
        if !running {
            return Jet::constant(value);
        }
        Jet {
            value,
            rate: self.amplitude * omega * cos,
            acceleration: -self.amplitude * omega * omega * sin,
        }
    }
}
