//! Two ends of one kind, and the numbers between them.

use bristle_results::format_number;
use bristle_scenario::{AnyQuantity, parse_any_quantity};

/// A quantity, or what is wrong with its text.
fn read(text: &str) -> Result<AnyQuantity<'_>, String> {
    parse_any_quantity(text)
        .ok_or_else(|| format!("\"{text}\" is not a number with a unit that is known, or without"))
}

/// From one number to another, in the unit of the first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) from: f64,
    pub(super) to: f64,
    unit: String,
    logarithmic: bool,
}

impl Interval {
    /// Reads both ends, or says what is wrong with them.
    pub(super) fn parse(from: &str, to: &str, logarithmic: bool) -> Result<Self, String> {
        let (from, to) = (read(from)?, read(to)?);
        if from.dimension != to.dimension {
            let word = |unit: &str| if unit.is_empty() { "no unit" } else { unit }.to_owned();
            let (a, b) = (word(from.unit), word(to.unit));
            return Err(format!("its ends are of different kinds, {a} and {b}"));
        }
        let last = if from.unit == to.unit {
            to.number
        } else {
            to.si() / from.factor
        };
        if logarithmic && from.number * last <= 0.0 {
            return Err("logarithmic spacing needs ends of the same sign, and not zero".to_owned());
        }
        Ok(Self {
            from: from.number,
            to: last,
            unit: from.unit.to_owned(),
            logarithmic,
        })
    }

    /// The number at a part of the way, with its unit; the ends are exact.
    pub(super) fn text(&self, part: f64) -> String {
        let number = if part <= 0.0 {
            self.from
        } else if part >= 1.0 {
            self.to
        } else {
            self.between(part)
        };
        self.with_unit(number)
    }

    /// As in `0.1 mm … 1 mm (log)`.
    pub(super) fn words(&self) -> String {
        let spacing = if self.logarithmic { " (log)" } else { "" };
        let (from, to) = (self.with_unit(self.from), self.with_unit(self.to));
        format!("{from} … {to}{spacing}")
    }

    fn with_unit(&self, number: f64) -> String {
        let number = format_number(number);
        if self.unit.is_empty() {
            number
        } else {
            format!("{number} {}", self.unit)
        }
    }

    /// The number without the noise of the last digit: 0.3 and not 0.30000000000000004.
    fn between(&self, part: f64) -> f64 {
        let Self { from, to, .. } = self;
        let exact = if self.logarithmic {
            from * (to / from).powf(part)
        } else {
            from * (1.0 - part) + to * part
        };
        format!("{exact:.14e}").parse().unwrap_or(exact)
    }
}
