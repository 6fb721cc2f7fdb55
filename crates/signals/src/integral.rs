//! Integrals over time, where they are exact.

use std::f64::consts::{FRAC_PI_2, TAU};

use crate::{Pieces, Signal, SignalError, Sine};

impl Signal {
    /// The integral over time that is `start` at t = 0, exact with its derivatives.
    ///
    /// # Errors
    /// [`SignalError::NoIntegral`] of a signal whose integral is no signal of these kinds: a chirp,
    /// pulses, a ramp, a formula, a product of two functions of time.
    pub fn integral(&self, start: f64) -> Result<Self, SignalError> {
        let pieces = |pieces: Pieces| {
            let integral = pieces.integral(start).map(Self::Pieces);
            integral.ok_or(SignalError::NoIntegral { signal: "this" })
        };
        let refuse = |signal| Err(SignalError::NoIntegral { signal });
        match self {
            Self::Constant(value) => pieces(Pieces::constant(*value)),
            Self::Table(table) => pieces(Pieces::linear(table)),
            Self::Pieces(own) => pieces(own.clone()),
            Self::Sine(sine) if sine.start.is_none() => harmonic(sine, start),
            Self::Sine(_) => refuse("a sine with a start"),
            Self::Sum(terms) => {
                let starts = std::iter::once(start).chain(std::iter::repeat(0.0));
                let parts = terms
                    .iter()
                    .zip(starts)
                    .map(|(term, start)| term.integral(start));
                parts.collect::<Result<Vec<_>, _>>().map(Self::sum)
            }
            Self::Product(factors) => {
                let (Self::Constant(factor), signal) = &**factors else {
                    return refuse("a product of functions of time");
                };
                let scaled = signal.integral(0.0)?.scaled(*factor);
                Ok(Self::sum(vec![scaled, Self::Constant(start)]))
            }
            Self::Expression(formula) if formula.is_constant() => {
                pieces(Pieces::constant(self.value(0.0)))
            }
            // the amplitude of its integral would depend on the frequency, which may be open
            Self::Harmonic(_)
            | Self::Expression(_)
            | Self::Chirp(_)
            | Self::Pulses(_)
            | Self::Ramp(_) => refuse(self.kind()),
        }
    }

    /// Whether a table in it has so many corners before `end_time` that it announces none of them
    /// ([`Signal::breakpoints`]).
    pub fn hides_corners(&self, end_time: f64) -> bool {
        match self {
            Self::Table(table) => table.hides_corners(end_time),
            Self::Product(factors) => {
                factors.0.hides_corners(end_time) || factors.1.hides_corners(end_time)
            }
            Self::Sum(terms) => terms.iter().any(|term| term.hides_corners(end_time)),
            _ => false,
        }
    }
}

/// −A/ω cos(ω t + φ) + c t, with `start` at t = 0.
fn harmonic(sine: &Sine, start: f64) -> Result<Signal, SignalError> {
    let omega = TAU * sine.frequency;
    if omega == 0.0 {
        let value = sine.offset + sine.amplitude * sine.phase.sin();
        return Signal::Constant(value).integral(start);
    }
    let size = sine.amplitude / omega;
    let wave = Sine {
        amplitude: size,
        phase: sine.phase - FRAC_PI_2,
        offset: 0.0,
        ..*sine
    };
    let rest = Signal::Constant(sine.offset).integral(start + size * sine.phase.cos())?;
    Ok(Signal::sum(vec![Signal::Sine(wave), rest]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ramp, RampShape};

    #[test]
    fn a_harmonic_acceleration_gives_a_harmonic_motion() {
        // a = -w² sin(w t) + 2 with v(0) = w, x(0) = 0.25: x = sin(w t) + t² + 0.25
        let w = TAU * 1.5;
        let wave = Signal::sine(Sine {
            amplitude: -w * w,
            frequency: 1.5,
            offset: 2.0,
            ..Sine::default()
        });
        let x = wave.unwrap().integral(w).unwrap().integral(0.25).unwrap();
        for t in [0.0, 0.1, 0.37, 2.0_f64] {
            let (sin, cos) = (w * t).sin_cos();
            let jet = x.jet(t);
            // rounding of terms of w²
            assert!((jet.value - (sin + t * t + 0.25)).abs() < 1e-13, "{t}");
            assert!((jet.rate - (w * cos + 2.0 * t)).abs() < 1e-12, "{t}");
            assert!(
                (jet.acceleration - (2.0 - w * w * sin)).abs() < 1e-11,
                "{t}"
            );
        }
        let scaled = Signal::Constant(3.0).scaled(2.0).integral(1.0).unwrap();
        assert!((scaled.value(2.0) - 13.0).abs() < 1e-15);
    }

    #[test]
    fn what_has_no_exact_integral_is_refused() {
        let ramp = Ramp {
            from: 0.0,
            to: 1.0,
            start: 0.0,
            duration: 1.0,
            shape: RampShape::Linear,
        };
        let refused = Signal::ramp(ramp).unwrap().integral(0.0).unwrap_err();
        assert!(
            refused
                .to_string()
                .starts_with("a ramp has no exact integral")
        );
    }
}
