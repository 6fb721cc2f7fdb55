//! Dimensions of formulas: exponents of newton, metre and second.

use std::fmt;

/// Exponents of newton, metre and second; angles are pure numbers here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnDimension {
    /// Exponent of the newton.
    pub force: f64,
    /// Exponent of the metre.
    pub length: f64,
    /// Exponent of the second.
    pub time: f64,
}

/// Exponents that differ by less are equal: thirds are not exact.
const ROUNDING: f64 = 1e-9;

impl OwnDimension {
    /// That of a pure number.
    pub const ONE: Self = Self::new(0.0, 0.0, 0.0);
    /// N.
    pub const FORCE: Self = Self::new(1.0, 0.0, 0.0);
    /// m.
    pub const LENGTH: Self = Self::new(0.0, 1.0, 0.0);
    /// s.
    pub const TIME: Self = Self::new(0.0, 0.0, 1.0);
    /// m/s.
    pub const VELOCITY: Self = Self::new(0.0, 1.0, -1.0);

    /// N^force m^length s^time.
    pub const fn new(force: f64, length: f64, time: f64) -> Self {
        Self {
            force,
            length,
            time,
        }
    }

    /// That of a product with the power `exponent` of another quantity.
    #[must_use]
    pub fn times(self, other: Self, exponent: f64) -> Self {
        Self {
            force: self.force + exponent * other.force,
            length: self.length + exponent * other.length,
            time: self.time + exponent * other.time,
        }
    }

    /// That of a power.
    #[must_use]
    pub fn power(self, exponent: f64) -> Self {
        Self::ONE.times(self, exponent)
    }

    /// Whether both are the same.
    pub fn is(self, other: Self) -> bool {
        let Self {
            force,
            length,
            time,
        } = self.times(other, -1.0);
        [force, length, time].iter().all(|x| x.abs() < ROUNDING)
    }
}

impl fmt::Display for OwnDimension {
    /// As a unit: `N s/m`, `1/m`, `1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [("N", self.force), ("m", self.length), ("s", self.time)];
        let powers = |sign: f64| -> Vec<String> {
            let above = units.iter().filter(|(_, x)| sign * x > ROUNDING);
            above
                .map(|(unit, x)| {
                    let exponent = sign * x;
                    if (exponent - 1.0).abs() < ROUNDING {
                        (*unit).to_owned()
                    } else {
                        format!("{unit}^{}", (exponent * 1e6).round() / 1e6)
                    }
                })
                .collect()
        };
        let (over, under) = (powers(1.0), powers(-1.0));
        f.write_str(&if over.is_empty() {
            "1".to_owned()
        } else {
            over.join(" ")
        })?;
        match under.as_slice() {
            [] => Ok(()),
            [one] => write!(f, "/{one}"),
            several => write!(f, "/({})", several.join(" ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_print_as_units() {
        for (dimension, text) in [
            (OwnDimension::ONE, "1"),
            (OwnDimension::VELOCITY, "m/s"),
            (OwnDimension::LENGTH.power(-1.0), "1/m"),
            (OwnDimension::new(1.0, -1.5, 1.0), "N s/m^1.5"),
            (OwnDimension::new(1.0, -1.0, -2.0), "N/(m s^2)"),
        ] {
            assert_eq!(dimension.to_string(), text);
        }
        let third = OwnDimension::LENGTH.power(1.0 / 3.0);
        assert!(third.times(third, 2.0).is(OwnDimension::LENGTH));
        assert!(!third.is(OwnDimension::LENGTH));
    }
}
