//! A value with its first two time derivatives.

use std::ops::{Add, Mul, Neg, Sub};

/// A value, its rate and its acceleration at one time: the Taylor coefficients that sums,
/// products and smooth functions carry along exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    /// The value.
    pub value: f64,
    /// The first time derivative, per second.
    pub rate: f64,
    /// The second time derivative, per second squared.
    pub acceleration: f64,
}

impl Jet {
    /// A value that does not change.
    pub const fn constant(value: f64) -> Self {
        Self {
            value,
            rate: 0.0,
            acceleration: 0.0,
        }
    }

    /// The time `t` (s) itself.
    pub const fn time(t: f64) -> Self {
        Self {
            value: t,
            rate: 1.0,
            acceleration: 0.0,
        }
    }

    /// The composition `f(self)`, given `f`, `f'` and `f''` at `self.value`:
    /// (f∘x)' = f' x', (f∘x)'' = f'' x'² + f' x''.
    ///
    /// A derivative of `f` that is infinite does not turn a resting argument into NaN.
    #[must_use]
    pub fn map(self, f: f64, first: f64, second: f64) -> Self {
        let product = |a: f64, b: f64| if b == 0.0 { 0.0 } else { a * b };
        Self {
            value: f,
            rate: product(first, self.rate),
            acceleration: product(second, self.rate * self.rate)
                + product(first, self.acceleration),
        }
    }

    /// True if the first two derivatives vanish.
    pub(crate) fn is_resting(self) -> bool {
        self.rate == 0.0 && self.acceleration == 0.0
    }
}

impl Add for Jet {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            rate: self.rate + other.rate,
            acceleration: self.acceleration + other.acceleration,
        }
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            value: -self.value,
            rate: -self.rate,
            acceleration: -self.acceleration,
        }
    }
}

impl Mul for Jet {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            rate: self.rate * other.value + self.value * other.rate,
            acceleration: self.acceleration * other.value
                + 2.0 * self.rate * other.rate
                + self.value * other.acceleration,
        }
    }
}
