//! Curves through rest, without 0/0.

use crate::scalar::Scalar;

/// Below this x the series 1 − x²/3 of tanh(x)/x is exact in double precision (2x⁴/15 < ε).
const SMALL: f64 = 1e-4;

/// tanh x is 1 in double precision from here on; hyperbolic functions overflow much later.
const SATURATED: f64 = 20.0;

/// tanh(x)/x for x ≥ 0, with its derivative; 1 at rest.
#[inline]
pub(crate) fn tanh_over_argument<T: Scalar>(x: T) -> T {
    if x.value() > SMALL {
        x.min(T::from_f64(SATURATED)).tanh() / x
    } else {
        -(x * x) / 3.0 + 1.0
    }
}
