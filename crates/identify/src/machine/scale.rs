//! From an unknown to a number for the optimiser, and back.

use super::unknown::Unknown;

/// A positive unknown stays within a factor e⁹, 8000, of its start, unless bounds say otherwise.
const WIDEST: f64 = 9.0;

/// Numbers of the optimiser: logarithms of positive unknowns, others in units of their start.
pub(super) struct UnknownScale {
    positive: bool,
    size: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl UnknownScale {
    pub(super) fn of(unknown: &Unknown) -> Self {
        let bounded_above_zero = unknown.bounds.is_none_or(|(low, _)| low > 0.0);
        let positive = unknown.start > 0.0 && bounded_above_zero;
        let mut scale = Self {
            positive,
            size: if unknown.start == 0.0 {
                unknown.bounds.map_or(1.0, |(low, high)| 0.1 * (high - low))
            } else {
                unknown.start.abs()
            },
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        };
        (scale.low, scale.high) = match unknown.bounds {
            Some((low, high)) => (scale.number(low), scale.number(high)),
            None if positive => (-WIDEST, WIDEST),
            None => (-1e4, 1e4),
        };
        scale
    }

    pub(super) fn number(&self, x: f64) -> f64 {
        if self.positive {
            (x / self.size).ln()
        } else {
            x / self.size
        }
    }

    pub(super) fn value(&self, number: f64) -> f64 {
        if self.positive {
            self.size * number.exp()
        } else {
            self.size * number
        }
    }

    /// Change of the value with the number.
    pub(super) fn slope(&self, number: f64) -> f64 {
        if self.positive {
            self.value(number)
        } else {
            self.size
        }
    }
}
