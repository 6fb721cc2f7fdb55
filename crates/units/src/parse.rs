//! From `"4.88e5 N s/m^1.5"` to a number in SI.

use std::f64::consts::TAU;
use std::ops::Range;

use crate::table::{SYMBOLS, Symbol, describe};
use crate::{Dimension, QuantityError, Unit, suggest};

/// Nesting of parentheses in a unit that is still read.
const MAX_NESTING: usize = 8;

/// Reads a quantity, a number and a unit, and turns it into SI.
///
/// A number without a unit is in SI. The unit must have the dimension of `expected`. Frequencies
/// in Hz and angular velocities in rad/s are different things; only rpm serves as both.
///
/// # Errors
/// [`QuantityError`] if the text does not start with a finite number, the unit is unknown, or it
/// is the unit of another kind of quantity.
pub fn parse_quantity(text: &str, expected: Unit) -> Result<f64, QuantityError> {
    let trimmed = text.trim();
    let indent = text.len() - text.trim_start().len();
    let length = number_length(trimmed);
    let number = trimmed[..length].replace('_', "").parse::<f64>();
    let not_finite = || QuantityError::NotFinite {
        text: trimmed.to_owned(),
    };
    let Ok(number) = number else {
        let word = trimmed.trim_start_matches(['+', '-']);
        let begins = |name: &str| word.get(..3).is_some_and(|w| w.eq_ignore_ascii_case(name));
        let alone = word
            .get(3..)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        if alone && (begins("inf") || begins("nan")) {
            return Err(not_finite());
        }
        return Err(QuantityError::NoNumber {
            text: trimmed.to_owned(),
            expected: expected.described(),
            example: expected.example(),
        });
    };
    let unit = trimmed[length..].trim_start();
    let start = indent + trimmed.len() - unit.len();
    let mut factor = 1.0;
    if !unit.is_empty() {
        let parser = UnitParser {
            text: unit,
            at: 0,
            start,
            expected: Some(expected),
        };
        let (own, dimension) = parser.all()?;
        factor = convert(own, dimension, unit, expected).ok_or_else(|| {
            let found = describe(dimension, unit).map_or_else(
                || format!("in {dimension}"),
                |kind| {
                    Unit {
                        text: kind.unit,
                        dimension,
                    }
                    .described_kind()
                },
            );
            QuantityError::WrongDimension {
                text: trimmed.to_owned(),
                found,
                expected: expected.described(),
                example: expected.example(),
                range: start..start + unit.len(),
            }
        })?;
    }
    let value = number * factor;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(not_finite())
    }
}

/// A quantity of whatever kind: a number, its unit as it is written, and what that unit is in SI.
#[derive(Clone, Debug, PartialEq)]
pub struct AnyQuantity<'a> {
    /// The number before the unit.
    pub number: f64,
    /// The unit as it is written; empty if there is none.
    pub unit: &'a str,
    /// The unit in SI.
    pub factor: f64,
    /// The dimension of the unit.
    pub dimension: Dimension,
}

impl AnyQuantity<'_> {
    /// The value in SI.
    pub fn si(&self) -> f64 {
        self.number * self.factor
    }

    /// The SI unit of the value; `1` for a pure number.
    pub fn si_unit(&self) -> String {
        describe(self.dimension, self.unit)
            .map_or_else(|| self.dimension.to_string(), |kind| kind.unit.to_owned())
    }
}

/// Reads a quantity where no unit is expected yet, such as the values of a parameter study.
///
/// `None` if the text is not a finite number with a unit that is known, or without one.
pub fn parse_any_quantity(text: &str) -> Option<AnyQuantity<'_>> {
    let text = text.trim();
    let length = number_length(text);
    let number = text[..length].replace('_', "").parse::<f64>().ok()?;
    let unit = text[length..].trim_start();
    let (factor, dimension) = if unit.is_empty() {
        (1.0, Dimension::NONE)
    } else {
        parse_unit(unit).ok()?
    };
    (number * factor).is_finite().then_some(AnyQuantity {
        number,
        unit,
        factor,
        dimension,
    })
}

impl Unit {
    /// `a length`, without the unit.
    fn described_kind(&self) -> String {
        let described = self.described();
        described
            .split(" in ")
            .next()
            .unwrap_or_default()
            .to_owned()
    }
}

/// The factor to SI, if the unit suits.
fn convert(factor: f64, dimension: Dimension, unit: &str, expected: Unit) -> Option<f64> {
    if dimension == expected.dimension {
        return Some(factor);
    }
    // A rotational speed counts revolutions; as a frequency it is their number per second.
    (unit == "rpm" && expected.text == "Hz").then_some(factor / TAU)
}

/// Factor to SI and dimension of a unit.
pub(super) fn parse_unit(text: &str) -> Result<(f64, Dimension), QuantityError> {
    UnitParser {
        text,
        at: 0,
        start: 0,
        expected: None,
    }
    .all()
}

/// Length of a number such as `-1_000.5e-3` at the start of `text`.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_digit() || *b == b'_')
        {
            at += 1;
        }
        at
    };
    let mut end = digits(usize::from(matches!(bytes.first(), Some(b'+' | b'-'))));
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = digits(end + 1 + sign);
        }
    }
    end
}

/// Reads products of powers: `N s/m^1.5`, `1/mm`, `kg*m^2`, `N/(m s)`. A slash takes the next
/// factor only, as in `N m s/rad`.
struct UnitParser<'a> {
    text: &'a str,
    at: usize,
    /// Where the unit starts within the quantity.
    start: usize,
    expected: Option<Unit>,
}

impl UnitParser<'_> {
    fn all(mut self) -> Result<(f64, Dimension), QuantityError> {
        let result = self.product(0)?;
        self.skip_blanks();
        if self.at < self.text.len() {
            Err(self.malformed())
        } else {
            Ok(result)
        }
    }

    fn malformed(&self) -> QuantityError {
        let range = self.start..self.start + self.text.len();
        QuantityError::Malformed {
            text: self.text.to_owned(),
            range,
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn accept(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(symbol);
        if found {
            self.at += symbol.len_utf8();
        }
        found
    }

    fn product(&mut self, nesting: usize) -> Result<(f64, Dimension), QuantityError> {
        let (mut factor, mut dimension) = (1.0, Dimension::NONE);
        let mut first = true;
        loop {
            self.skip_blanks();
            let divide = self.accept('/');
            let multiply = !divide && !first && (self.accept('*') || self.accept('·'));
            self.skip_blanks();
            match self.peek() {
                None | Some(')') if first || divide || multiply => return Err(self.malformed()),
                None | Some(')') => return Ok((factor, dimension)),
                Some(_) => {}
            }
            let (own, mut exponents) = self.power(nesting)?;
            if divide {
                exponents = exponents.power(-2).ok_or_else(|| self.malformed())?;
            }
            factor = if divide { factor / own } else { factor * own };
            dimension = dimension.times(exponents).ok_or_else(|| self.malformed())?;
            first = false;
        }
    }

    fn power(&mut self, nesting: usize) -> Result<(f64, Dimension), QuantityError> {
        let (factor, dimension) = if self.accept('(') {
            if nesting >= MAX_NESTING {
                return Err(self.malformed());
            }
            let inner = self.product(nesting + 1)?;
            if !self.accept(')') {
                return Err(self.malformed());
            }
            inner
        } else {
            self.symbol()?
        };
        let halves = self.exponent()?;
        let power = dimension.power(halves).ok_or_else(|| self.malformed())?;
        let whole = halves % 2 == 0;
        let factor = if whole {
            factor.powi(i32::from(halves / 2))
        } else {
            factor.powf(f64::from(halves) / 2.0)
        };
        Ok((factor, power))
    }

    fn symbol(&mut self) -> Result<(f64, Dimension), QuantityError> {
        let rest = self.rest();
        let part_of_symbol = |c: char| c.is_alphabetic() || matches!(c, '%' | '°');
        let length = if rest.starts_with('1') {
            1
        } else {
            rest.find(|c| !part_of_symbol(c)).unwrap_or(rest.len())
        };
        let name = &rest[..length];
        if name.is_empty() {
            return Err(self.malformed());
        }
        let Some(known) = SYMBOLS.iter().find(|symbol| symbol.text == name) else {
            let begin = self.start + self.at;
            return Err(self.unknown(name, begin..begin + length));
        };
        self.at += length;
        Ok((known.factor, known.dimension))
    }

    fn unknown(&self, name: &str, range: Range<usize>) -> QuantityError {
        let expected = self.expected;
        // A unit that suits is meant more likely than one that does not.
        let suits = |dimension: Dimension| expected.is_none_or(|unit| unit.dimension == dimension);
        let (near, far): (Vec<_>, Vec<_>) = SYMBOLS.iter().partition(|s| suits(s.dimension));
        let suggestion = spelt_alike(name, &near)
            .or_else(|| spelt_alike(name, &far))
            .or_else(|| suggest::nearest(name, near.iter().map(|s| s.text)));
        let usual = expected
            .and_then(|unit| describe(unit.dimension, unit.text).map(|kind| kind.usual.to_owned()))
            .or_else(|| expected.map(|unit| unit.text.to_owned()))
            .unwrap_or_default();
        QuantityError::UnknownUnit {
            unit: name.to_owned(),
            range,
            suggestion,
            usual,
        }
    }

    /// Twice the exponent behind a symbol.
    fn exponent(&mut self) -> Result<i8, QuantityError> {
        for (sign, halves) in [('²', 4), ('³', 6), ('⁴', 8)] {
            if self.accept(sign) {
                return Ok(halves);
            }
        }
        if !self.accept('^') {
            return Ok(2);
        }
        let bracket = self.accept('(');
        let rest = self.rest();
        let part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-') || (bracket && c == '/');
        let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
        let number = match rest[..length].split_once('/') {
            Some((above, below)) => above.parse::<f64>().ok().zip(below.parse::<f64>().ok()),
            None => rest[..length].parse::<f64>().ok().map(|above| (above, 1.0)),
        };
        self.at += length;
        let halves = number.map(|(above, below)| 2.0 * above / below);
        let exact = (-40_i8..=40).find(|&exact| halves == Some(f64::from(exact)));
        match exact {
            Some(halves) if !bracket || self.accept(')') => Ok(halves),
            _ => Err(self.malformed()),
        }
    }
}

/// A unit that differs only in capitals, or is the full name of one.
fn spelt_alike(name: &str, symbols: &[&'static Symbol]) -> Option<&'static str> {
    const WORDS: &[(&str, &str)] = &[
        ("meter", "m"),
        ("metre", "m"),
        ("millimeter", "mm"),
        ("millimetre", "mm"),
        ("sec", "s"),
        ("second", "s"),
        ("minute", "min"),
        ("gram", "g"),
        ("kilogram", "kg"),
        ("newton", "N"),
        ("hertz", "Hz"),
        ("degree", "deg"),
        ("radian", "rad"),
        ("inch", "in"),
        ("pascal", "Pa"),
        ("kgs", "kg"),
    ];
    let lower = name.to_lowercase();
    let single = lower
        .strip_suffix('s')
        .filter(|word| word.len() > 2)
        .unwrap_or(&lower);
    let word = WORDS
        .iter()
        .find(|(word, _)| *word == single || *word == lower);
    let wanted = word.map_or(lower.as_str(), |(_, symbol)| symbol);
    symbols
        .iter()
        .find(|symbol| symbol.text == wanted)
        .or_else(|| {
            symbols
                .iter()
                .find(|symbol| symbol.text.to_lowercase() == lower)
        })
        .map(|symbol| symbol.text)
}
