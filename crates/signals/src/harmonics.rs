//! Signals as sums of a constant and harmonics.

use crate::{Harmonic, Signal, SignalError};

/// A signal as a constant and harmonics ([`Signal::harmonics`]).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HarmonicSum {
    /// The part that does not change.
    pub mean: f64,
    /// The others, in the order in which they are written; an order may come several times.
    pub harmonics: Vec<Harmonic>,
}

impl HarmonicSum {
    fn scaled(mut self, factor: f64) -> Self {
        self.mean *= factor;
        for harmonic in &mut self.harmonics {
            harmonic.amplitude *= factor;
        }
        self
    }
}

impl Signal {
    /// The constant and the harmonics that make this signal.
    ///
    /// # Errors
    /// [`SignalError::NotHarmonic`] with the kind of the part that depends on time in another way.
    pub fn harmonics(&self) -> Result<HarmonicSum, SignalError> {
        if self.is_constant() {
            return Ok(HarmonicSum {
                mean: self.value(0.0),
                harmonics: Vec::new(),
            });
        }
        match self {
            Self::Harmonic(harmonic) => Ok(HarmonicSum {
                mean: 0.0,
                harmonics: vec![*harmonic],
            }),
            Self::Sum(terms) => {
                let mut sum = HarmonicSum::default();
                for term in terms {
                    let own = term.harmonics()?;
                    sum.mean += own.mean;
                    sum.harmonics.extend(own.harmonics);
                }
                Ok(sum)
            }
            Self::Product(factors) => {
                let (first, second) = &**factors;
                let (first, second) = (first.harmonics()?, second.harmonics()?);
                if first.harmonics.is_empty() {
                    Ok(second.scaled(first.mean))
                } else if second.harmonics.is_empty() {
                    Ok(first.scaled(second.mean))
                } else {
                    Err(SignalError::NotHarmonic {
                        signal: "a product of functions of time",
                    })
                }
            }
            other => Err(SignalError::NotHarmonic {
                signal: other.kind(),
            }),
        }
    }

    /// Whether there is a harmonic in it.
    pub fn has_harmonic(&self) -> bool {
        let mut found = false;
        self.each_harmonic(&mut |_| found = true);
        found
    }

    /// Whether there is a harmonic without a frequency in it.
    pub fn has_open_harmonic(&self) -> bool {
        let mut found = false;
        self.each_harmonic(&mut |harmonic| found |= harmonic.frequency.is_none());
        found
    }

    /// Gives all harmonics in it this frequency of order 1 (Hz, positive), or none.
    pub fn set_frequency(&mut self, frequency: Option<f64>) {
        match self {
            Self::Harmonic(harmonic) => harmonic.frequency = frequency,
            Self::Chirp(chirp) => chirp.amplitude.set_frequency(frequency),
            Self::Product(factors) => {
                factors.0.set_frequency(frequency);
                factors.1.set_frequency(frequency);
            }
            Self::Sum(terms) => {
                for term in terms {
                    term.set_frequency(frequency);
                }
            }
            _ => {}
        }
    }

    fn each_harmonic(&self, each: &mut dyn FnMut(&Harmonic)) {
        match self {
            Self::Harmonic(harmonic) => each(harmonic),
            Self::Chirp(chirp) => chirp.amplitude.each_harmonic(each),
            Self::Product(factors) => {
                factors.0.each_harmonic(each);
                factors.1.each_harmonic(each);
            }
            Self::Sum(terms) => {
                for term in terms {
                    term.each_harmonic(each);
                }
            }
            _ => {}
        }
    }

    /// What it is, with its article.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Constant(_) => "a constant",
            Self::Table(_) => "a table",
            Self::Pieces(_) => "a smooth curve through points",
            Self::Sine(_) => "a sine",
            Self::Harmonic(_) => "a harmonic",
            Self::Chirp(_) => "a chirp",
            Self::Pulses(_) => "a train of pulses",
            Self::Ramp(_) => "a ramp",
            Self::Expression(_) => "a formula",
            Self::Product(_) => "a product of functions of time",
            Self::Sum(_) => "a sum",
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop")]

    use super::*;
    use crate::{Jet, Ramp, Sine};

    fn second_order() -> Harmonic {
        Harmonic {
            amplitude: 3.0,
            phase: 0.4,
            order: 2,
            frequency: Some(0.75),
        }
    }

    #[test]
    fn it_is_the_cosine_of_its_order() {
        // a cosine is a sine a quarter of a turn later
        let sine = Sine {
            amplitude: 3.0,
            frequency: 1.5,
            phase: 0.4 + std::f64::consts::FRAC_PI_2,
            ..Sine::default()
        };
        let (own, sine) = (
            Signal::harmonic(second_order()).unwrap(),
            Signal::sine(sine).unwrap(),
        );
        for t in [0.0, 0.21, 1.7, 9.3] {
            let (own, sine) = (own.jet(t), sine.jet(t));
            // rounding of the argument, up to 100 rad, and of ω² = 89
            assert!((own.value - sine.value).abs() < 1e-13, "{t}");
            assert!((own.rate - sine.rate).abs() < 1e-12, "{t}");
            assert!((own.acceleration - sine.acceleration).abs() < 1e-11, "{t}");
        }
    }

    #[test]
    fn without_a_frequency_it_is_its_mean() {
        let mut load = Signal::sum(vec![
            Signal::Constant(5.0),
            Signal::Harmonic(Harmonic {
                frequency: None,
                ..second_order()
            }),
        ]);
        assert!(load.has_open_harmonic() && !load.is_constant());
        assert_eq!(load.jet(0.3), Jet::constant(5.0));
        load.set_frequency(Some(0.75));
        assert!(load.has_harmonic() && !load.has_open_harmonic());
        let whole = 5.0 + 3.0 * 0.4_f64.cos();
        assert!((load.value(0.0) - whole).abs() < 1e-15);
        load.set_frequency(None);
        assert!(load.has_open_harmonic());
    }

    #[test]
    fn sums_and_constant_factors_are_taken_apart() {
        let first = Harmonic {
            amplitude: 2.0,
            ..Harmonic::default()
        };
        let inner = Signal::sum(vec![
            Signal::Harmonic(first),
            Signal::Constant(1.0),
            Signal::expression("2*3").unwrap(),
        ]);
        let outer = Signal::sum(vec![
            Signal::product(inner, Signal::Constant(-2.0)),
            Signal::harmonic(second_order()).unwrap().scaled(0.5),
        ]);
        let parts = outer.harmonics().unwrap();
        let expected = HarmonicSum {
            mean: -14.0,
            harmonics: vec![
                Harmonic {
                    amplitude: -4.0,
                    ..first
                },
                Harmonic {
                    amplitude: 1.5,
                    ..second_order()
                },
            ],
        };
        assert_eq!(parts, expected);
    }

    #[test]
    fn what_is_no_harmonic_is_named() {
        let wave = Signal::Harmonic(Harmonic::default());
        let ramp = Signal::ramp(Ramp {
            to: 1.0,
            duration: 1.0,
            ..Ramp::default()
        });
        let ramp = ramp.unwrap();
        for (signal, kind) in [
            (Signal::sum(vec![wave.clone(), ramp.clone()]), "a ramp"),
            (Signal::product(ramp, wave.clone()), "a ramp"),
            (
                Signal::product(wave.clone(), wave),
                "a product of functions of time",
            ),
            (Signal::Sine(Sine::default()), "a sine"),
            (Signal::expression("t").unwrap(), "a formula"),
        ] {
            let error = signal.harmonics().unwrap_err();
            assert_eq!(error, SignalError::NotHarmonic { signal: kind });
        }
    }

    #[test]
    fn parameters_have_ranges() {
        let refused = |harmonic: Harmonic| Signal::harmonic(harmonic).unwrap_err().to_string();
        let order = Harmonic {
            order: 0,
            ..Harmonic::default()
        };
        assert_eq!(refused(order), "harmonic.order = 0, must be in [1, ∞)");
        let frequency = Harmonic {
            frequency: Some(0.0),
            ..Harmonic::default()
        };
        assert_eq!(
            refused(frequency),
            "harmonic.frequency = 0 Hz, must be in (0, ∞) Hz"
        );
    }
}
