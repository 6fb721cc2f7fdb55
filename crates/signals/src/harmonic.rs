//! A cosine whose frequency may be given later.

use std::f64::consts::TAU;

use crate::error::Check;
use crate::{Jet, SignalError};

/// amplitude · cos(order · 2π · frequency · t + phase).
///
/// Without a frequency it is a load of a forced response, whose frequency is not fixed: value and
/// derivatives are 0 then, its mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Harmonic {
    /// Amplitude, in the unit of the quantity.
    pub amplitude: f64,
    /// Phase at t = 0, rad.
    pub phase: f64,
    /// Multiple of the frequency, from 1 on.
    pub order: u32,
    /// Frequency of order 1, Hz.
    pub frequency: Option<f64>,
}

impl Default for Harmonic {
    fn default() -> Self {
        Self {
            amplitude: 0.0,
            phase: 0.0,
            order: 1,
            frequency: None,
        }
    }
}

impl Harmonic {
    pub(crate) fn check(&self) -> Result<(), SignalError> {
        let check = |field, value, unit| Check {
            signal: "harmonic",
            field,
            value,
            unit,
        };
        check("amplitude", self.amplitude, "").finite()?;
        check("phase", self.phase, "rad").finite()?;
        check("order", f64::from(self.order), "").at_least_one()?;
        match self.frequency {
            Some(frequency) => check("frequency", frequency, "Hz").positive(),
            None => Ok(()),
        }
    }

    pub(crate) fn jet(&self, t: f64) -> Jet {
        let Some(frequency) = self.frequency else {
            return Jet::default();
        };
        let omega = TAU * frequency * f64::from(self.order);
        let (sin, cos) = (omega * t + self.phase).sin_cos();
        let value = self.amplitude * cos;
        Jet {
            value,
            rate: -self.amplitude * omega * sin,
            acceleration: -omega * omega * value,
        }
    }
}
