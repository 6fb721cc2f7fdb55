//! A number with its derivatives by several others at once: what travels along a record.
//!
//! The dual numbers of `num-dual` say of each whether it has derivatives, and copy them through
//! that choice. Here all have, in one array that the compiler turns into vector instructions.

use bristle_laws::numbers::scalar::relaxation_slope;
use bristle_laws::{MixesWith, Real, Scalar};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Derivatives that travel at once.
pub(crate) const WIDTH: usize = 8;

/// A value and its derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MultiDual {
    pub(crate) value: f64,
    pub(crate) slope: [f64; WIDTH],
}

impl MultiDual {
    /// The number of this value by which the derivative `k` is taken.
    pub(crate) fn variable(value: f64, k: usize) -> Self {
        let mut slope = [0.0; WIDTH];
        slope[k] = 1.0;
        Self { value, slope }
    }

    /// f(x) from its value and f′.
    #[inline]
    fn chain(self, value: f64, slope: f64) -> Self {
        Self {
            value,
            slope: std::array::from_fn(|k| self.slope[k] * slope),
        }
    }

    /// f(x, y) from its value and its derivatives by both.
    #[inline]
    fn join(self, other: Self, value: f64, by_self: f64, by_other: f64) -> Self {
        Self {
            value,
            slope: std::array::from_fn(|k| self.slope[k] * by_self + other.slope[k] * by_other),
        }
    }
}

impl Add for MultiDual {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slope: std::array::from_fn(|k| self.slope[k] + other.slope[k]),
        }
    }
}

impl Sub for MultiDual {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self {
            value: self.value - other.value,
            slope: std::array::from_fn(|k| self.slope[k] - other.slope[k]),
        }
    }
}

impl Mul for MultiDual {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        self.join(other, self.value * other.value, other.value, self.value)
    }
}

impl Div for MultiDual {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let inverse = 1.0 / other.value;
        self.join(other, value, inverse, -value * inverse)
    }
}

impl Neg for MultiDual {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

impl Add<f64> for MultiDual {
    type Output = Self;
    #[inline]
    fn add(self, x: f64) -> Self {
        Self {
            value: self.value + x,
            ..self
        }
    }
}

impl Sub<f64> for MultiDual {
    type Output = Self;
    #[inline]
    fn sub(self, x: f64) -> Self {
        Self {
            value: self.value - x,
            ..self
        }
    }
}

impl Mul<f64> for MultiDual {
    type Output = Self;
    #[inline]
    fn mul(self, x: f64) -> Self {
        self.chain(self.value * x, x)
    }
}

impl Div<f64> for MultiDual {
    type Output = Self;
    #[inline]
    fn div(self, x: f64) -> Self {
        self.chain(self.value / x, 1.0 / x)
    }
}

impl Real for MultiDual {
    type Mask = bool;
    #[inline]
    fn from_f64(value: f64) -> Self {
        Self {
            value,
            slope: [0.0; WIDTH],
        }
    }
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root)
    }
    #[inline]
    fn exp(self) -> Self {
        let value = self.value.exp();
        self.chain(value, value)
    }
    #[inline]
    fn exp_m1(self) -> Self {
        let value = self.value.exp_m1();
        self.chain(value, value + 1.0)
    }
    #[inline]
    fn decay(self) -> Self {
        let value = Real::decay(self.value);
        self.chain(value, -value)
    }
    #[inline]
    fn decay_and_rest(self) -> (Self, Self) {
        let (decay, rest) = Real::decay_and_rest(self.value);
        (self.chain(decay, -decay), self.chain(rest, decay))
    }
    #[inline]
    fn relaxation(self) -> (Self, Self) {
        let (decay, mean) = Real::relaxation(self.value);
        let slope = relaxation_slope(self.value, decay, mean);
        (self.chain(decay, -decay), self.chain(mean, slope))
    }
    #[inline]
    fn ln(self) -> Self {
        self.chain(self.value.ln(), 1.0 / self.value)
    }
    #[inline]
    fn tanh(self) -> Self {
        let value = Real::tanh(self.value);
        self.chain(value, 1.0 - value * value)
    }
    #[inline]
    fn sin(self) -> Self {
        let (sine, cosine) = self.value.sin_cos();
        self.chain(sine, cosine)
    }
    #[inline]
    fn cos(self) -> Self {
        let (sine, cosine) = self.value.sin_cos();
        self.chain(cosine, -sine)
    }
    #[inline]
    fn atan(self) -> Self {
        self.chain(self.value.atan(), 1.0 / (1.0 + self.value * self.value))
    }
    #[inline]
    fn powf(self, e: f64) -> Self {
        let value = self.value.powf(e);
        self.chain(value, e * value / self.value)
    }
    #[inline]
    fn less(self, other: Self) -> bool {
        self.value < other.value
    }
    #[inline]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}

impl Scalar for MultiDual {
    #[inline]
    fn value(self) -> f64 {
        self.value
    }
    #[inline]
    fn is_constant(self) -> bool {
        self.slope.iter().all(|x| *x == 0.0)
    }
}

impl MixesWith<Self> for MultiDual {
    #[inline]
    fn of(parameter: Self) -> Self {
        parameter
    }
    #[inline]
    fn power(self, exponent: Self) -> Self {
        // d(x^e) = x^e (e dx/x + ln x de)
        let value = self.value.powf(exponent.value);
        let by_x = exponent.value * value / self.value;
        self.join(exponent, value, by_x, value * self.value.ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function against the same one with a small imaginary-like step: central differences.
    #[test]
    fn slopes_are_those_of_the_functions() {
        type Function = (fn(MultiDual) -> MultiDual, fn(f64) -> f64);
        let functions: [Function; 15] = [
            (|x| Real::sqrt(x), f64::sqrt),
            (|x| Real::exp(x), f64::exp),
            (|x| Real::exp_m1(x), f64::exp_m1),
            (|x| Real::decay(x), |x| (-x).exp()),
            (|x| Real::decay_and_rest(x).1, |x| -(-x).exp_m1()),
            (|x| Real::relaxation(x).0, |x| (-x).exp()),
            (|x| Real::relaxation(x).1, |x| -(-x).exp_m1() / x),
            (|x| Real::ln(x), f64::ln),
            (|x| Real::tanh(x), f64::tanh),
            (|x| Real::sin(x), f64::sin),
            (|x| Real::cos(x), f64::cos),
            (|x| Real::atan(x), f64::atan),
            (|x| Real::powf(x, 1.7), |x| x.powf(1.7)),
            (|x| x.power(x), |x| x.powf(x)),
            (
                |x| (x * 3.0 - 1.0) / (x * x + x - (-x) / 2.0),
                |x| (x * 3.0 - 1.0) / (x * x + x + x / 2.0),
            ),
        ];
        for (number, (dual, plain)) in functions.iter().enumerate() {
            for x in [0.3, 0.9, 2.4_f64] {
                let got = dual(MultiDual::variable(x, 3));
                let h = 1e-5;
                let difference = (plain(x + h) - plain(x - h)) / (2.0 * h);
                assert!(
                    (got.value - plain(x)).abs() <= 1e-15 * plain(x).abs(),
                    "{number} {x}"
                );
                // rounding 1e-16/1e-5 and the third derivative times 1e-10
                assert!((got.slope[3] - difference).abs() < 1e-8, "{number} {x}");
                assert!(got.slope[0] == 0.0);
            }
        }
    }
}
