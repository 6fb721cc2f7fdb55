//! A sine of varying frequency.

use std::f64::consts::TAU;

use crate::error::Check;
use crate::{Jet, Signal, SignalError};

/// How the frequency of a [`Chirp`] goes from its start to its end value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sweep {
    /// f(τ) = f₀ + (f₁ − f₀) τ/T: the same number of hertz in every second.
    #[default]
    Linear,
    /// f(τ) = f₀ (f₁/f₀)^(τ/T): the same number of octaves in every second.
    Logarithmic,
}

/// A swept sine, amplitude(t) · sin(2π ∫₀^τ f), τ = t − start, for 0 ≤ τ < T and zero elsewhere.
///
/// The phase is the integral of the frequency, so it is continuous and starts at zero:
/// f₀ τ + (f₁ − f₀) τ²/(2T) turns when linear, f₀ T/L · (e^{Lτ/T} − 1) turns with L = ln(f₁/f₀)
/// when logarithmic.
#[derive(Clone, Debug)]
pub struct Chirp {
    /// Amplitude, in the unit of the quantity, as a function of the time t (not of τ).
    pub amplitude: Box<Signal>,
    /// Frequency f₀ at the start, Hz.
    pub start_frequency: f64,
    /// Frequency f₁ at the end, Hz.
    pub end_frequency: f64,
    /// Start, s.
    pub start: f64,
    /// Duration T, s.
    pub duration: f64,
    /// Linear or logarithmic.
    pub sweep: Sweep,
}

impl Chirp {
    pub(crate) fn check(&self) -> Result<(), SignalError> {
        let check = |field, value, unit| Check {
            signal: "chirp",
            field,
            value,
            unit,
        };
        check("start", self.start, "s").finite()?;
        check("duration", self.duration, "s").positive()?;
        for (field, value) in [
            ("start_frequency", self.start_frequency),
            ("end_frequency", self.end_frequency),
        ] {
            match self.sweep {
                Sweep::Linear => check(field, value, "Hz").not_negative()?,
                Sweep::Logarithmic => check(field, value, "Hz").positive()?,
            }
        }
        Ok(())
    }

    /// The momentary frequency at time `t`, Hz; zero outside the sweep.
    pub fn frequency(&self, t: f64) -> f64 {
        self.turns(t).map_or(0.0, |turns| turns.rate)
    }

    /// Turns since the start, with derivatives; none outside the sweep.
    fn turns(&self, t: f64) -> Option<Jet> {
        let (f0, f1, duration) = (self.start_frequency, self.end_frequency, self.duration);
        let tau = t - self.start;
        if tau < 0.0 || t >= self.start + duration {
            return None;
        }
        let slope = (f1 - f0) / duration;
        let growth = (f1 / f0).ln() / duration;
        if self.sweep == Sweep::Linear || growth == 0.0 {
            return Some(Jet {
                value: tau * (f0 + 0.5 * slope * tau),
                rate: f0 + slope * tau,
                acceleration: slope,
            });
        }
        let frequency = f0 * (growth * tau).exp();
        Some(Jet {
            value: f0 / growth * (growth * tau).exp_m1(),
            rate: frequency,
            acceleration: growth * frequency,
        })
    }

    pub(crate) fn jet(&self, t: f64) -> Jet {
        let Some(turns) = self.turns(t) else {
            return Jet::default();
        };
        let phase = turns * Jet::constant(TAU);
        let (sin, cos) = phase.value.sin_cos();
        self.amplitude.jet(t) * phase.map(sin, cos, -sin)
    }

    pub(crate) fn breakpoints(&self, end_time: f64, out: &mut Vec<f64>) {
        out.extend([self.start, self.start + self.duration]);
        self.amplitude.collect_breakpoints(end_time, out);
    }
}
