//! Units, quantities such as `"100 mm"`, numbers as text, and the name that was probably meant.
//!
//! The ground floor of everything that talks with users: [`parse_quantity`] reads a quantity in the
//! unit of a field, [`format_quantity`] writes one for reading, [`suggest`] finds the name behind a
//! slip of the pen. Nothing here knows files, scenarios or friction.

mod number;
mod parse;
mod readable;
pub mod suggest;
mod table;

use std::fmt;
use std::ops::Range;

pub use number::{format_number, push_number};
pub use parse::{AnyQuantity, parse_any_quantity, parse_quantity};
pub use readable::{
    Scale, exponent, format_quantity, number_of, pretty_unit, scale_for, significant, superscript,
};

/// Exponents of metre, kilogram, second and radian, in halves, so that N s/m^1.5 has a dimension.
///
/// The radian counts as a base unit: a length is not an angle, and N m/rad is not N m.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dimension {
    /// Twice the exponent of the metre.
    pub length: i8,
    /// Twice the exponent of the kilogram.
    pub mass: i8,
    /// Twice the exponent of the second.
    pub time: i8,
    /// Twice the exponent of the radian.
    pub angle: i8,
}

impl Dimension {
    /// The dimension of a pure number.
    pub const NONE: Self = Self::new(0, 0, 0, 0);

    /// The dimension with these exponents, given in halves.
    pub const fn new(length: i8, mass: i8, time: i8, angle: i8) -> Self {
        Self {
            length,
            mass,
            time,
            angle,
        }
    }

    fn zip(self, other: Self, f: impl Fn(i8, i8) -> Option<i8>) -> Option<Self> {
        Some(Self {
            length: f(self.length, other.length)?,
            mass: f(self.mass, other.mass)?,
            time: f(self.time, other.time)?,
            angle: f(self.angle, other.angle)?,
        })
    }

    /// The dimension of a product.
    pub(crate) fn times(self, other: Self) -> Option<Self> {
        self.zip(other, i8::checked_add)
    }

    /// The dimension of a power of `halves`/2; none if it is out of bounds or not in halves.
    pub(crate) fn power(self, halves: i8) -> Option<Self> {
        self.zip(self, |exponent, _| {
            let product = i16::from(exponent) * i16::from(halves);
            if product % 2 == 0 {
                i8::try_from(product / 2).ok()
            } else {
                None
            }
        })
    }
}

impl fmt::Display for Dimension {
    /// The dimension in base units, such as `kg m^-1.5 s^-1`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        for (symbol, halves) in [
            ("kg", self.mass),
            ("m", self.length),
            ("s", self.time),
            ("rad", self.angle),
        ] {
            match halves {
                0 => {}
                2 => parts.push(symbol.to_owned()),
                _ => parts.push(format!("{symbol}^{}", f64::from(halves) / 2.0)),
            }
        }
        formatter.write_str(
            if parts.is_empty() {
                "1".to_owned()
            } else {
                parts.join(" ")
            }
            .as_str(),
        )
    }
}

/// The unit in which a field is meant when it is given as a plain number: always SI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// As it is written, such as `N s/m`; `1` for pure numbers.
    pub text: &'static str,
    /// Its dimension.
    pub dimension: Dimension,
}

macro_rules! units {
    ($($name:ident = $text:literal, $length:literal $mass:literal $time:literal $angle:literal;)*) => {
        impl Unit {
            $(
                #[doc = concat!("`", $text, "`.")]
                pub const $name: Self =
                    Self { text: $text, dimension: Dimension::new($length, $mass, $time, $angle) };
            )*
        }
    };
}

units! { // exponents of m, kg, s, rad in halves
    ONE = "1", 0 0 0 0;
    METRE = "m", 2 0 0 0;
    SQUARE_METRE = "m^2", 4 0 0 0;
    QUARTIC_METRE = "m^4", 8 0 0 0;
    PER_METRE = "1/m", -2 0 0 0;
    KILOGRAM = "kg", 0 2 0 0;
    KILOGRAM_SQUARE_METRE = "kg m^2", 4 2 0 0;
    KILOGRAM_PER_CUBIC_METRE = "kg/m^3", -6 2 0 0;
    SECOND = "s", 0 0 2 0;
    PER_SECOND = "1/s", 0 0 -2 0;
    SECOND_PER_METRE = "s/m", -2 0 2 0;
    METRE_PER_SECOND = "m/s", 2 0 -2 0;
    METRE_PER_SECOND_SQUARED = "m/s^2", 2 0 -4 0;
    HERTZ = "Hz", 0 0 -2 0;
    RADIAN = "rad", 0 0 0 2;
    RADIAN_PER_SECOND = "rad/s", 0 0 -2 2;
    RADIAN_PER_SECOND_SQUARED = "rad/s^2", 0 0 -4 2;
    NEWTON = "N", 2 2 -4 0;
    NEWTON_PER_METRE = "N/m", 0 2 -4 0;
    NEWTON_SECOND_PER_METRE = "N s/m", 0 2 -2 0;
    NEWTON_METRE = "N m", 4 2 -4 0;
    NEWTON_METRE_PER_RADIAN = "N m/rad", 4 2 -4 -2;
    NEWTON_METRE_SECOND_PER_RADIAN = "N m s/rad", 4 2 -2 -2;
    NEWTON_PER_METRE_SECOND = "N/(m s)", 0 2 -6 0;
    NEWTON_METRE_PER_RADIAN_SECOND = "N m/(rad s)", 4 2 -6 -2;
    NEWTON_PER_CUBIC_METRE = "N/m^3", -4 2 -4 0;
    NEWTON_METRE_PER_CUBIC_RADIAN = "N m/rad^3", 4 2 -4 -6;
    NEWTON_PER_METRE_1_5 = "N/m^1.5", -1 2 -4 0;
    NEWTON_SECOND_PER_METRE_1_5 = "N s/m^1.5", -1 2 -2 0;
    NEWTON_PER_SQUARE_METRE = "N/m^2", -2 2 -4 0;
    PASCAL = "Pa", -2 2 -4 0;
    JOULE = "J", 4 2 -4 0;
    WATT = "W", 4 2 -6 0;
}

/// What an SI unit measures, in words: `velocity` of `m/s`. `None` for numbers and units without such a word.
///
/// ```
/// assert_eq!(bristle_units::measured_by("N m"), Some("torque"));
/// assert_eq!(bristle_units::measured_by("J"), Some("energy"));
/// assert_eq!(bristle_units::measured_by("1"), None);
/// ```
pub fn measured_by(unit: &str) -> Option<&'static str> {
    let (_, dimension) = parse::parse_unit(unit).ok()?;
    let kind = table::describe(dimension, unit)?;
    (dimension != Dimension::NONE).then_some(kind.name)
}

impl Unit {
    /// The unit of a symbol such as a parameter card has, `N s/m^1.5`; it must be an SI unit.
    ///
    /// # Errors
    /// [`QuantityError`] if the symbol is not understood or is not SI (a factor other than 1).
    pub fn from_symbol(text: &'static str) -> Result<Self, QuantityError> {
        let (factor, dimension) = parse::parse_unit(text)?;
        if factor.to_bits() != 1.0_f64.to_bits() {
            return Err(QuantityError::Malformed {
                text: text.to_owned(),
                range: 0..text.len(),
            });
        }
        Ok(Self { text, dimension })
    }

    /// The kind of quantity in words: `velocity`, `angle`; `quantity` if it has no common name.
    pub fn quantity(&self) -> &'static str {
        table::describe(self.dimension, self.text).map_or("quantity", |kind| kind.name)
    }

    /// A quantity in this unit as users write it, such as `5 mm/s`.
    pub fn example(&self) -> String {
        table::describe(self.dimension, self.text).map_or_else(
            || format!("2.5 {}", self.text),
            |kind| kind.example.to_owned(),
        )
    }

    /// True for pure numbers.
    pub fn is_one(&self) -> bool {
        self.dimension == Dimension::NONE
    }

    /// ` N/m`, or nothing for a pure number: what follows a value in a message.
    pub fn suffix(&self) -> String {
        if self.is_one() {
            String::new()
        } else {
            format!(" {}", self.text)
        }
    }

    /// `a velocity in m/s`; `a number` for pure numbers.
    pub fn described(&self) -> String {
        if self.is_one() {
            return "a number".to_owned();
        }
        let name = self.quantity();
        let article = if name.starts_with(['a', 'e', 'i', 'o']) {
            "an"
        } else {
            "a"
        };
        format!("{article} {name} in {}", self.text)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text)
    }
}

/// Why a text is not a quantity of the unit that is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuantityError {
    /// The text does not start with a number.
    #[error("\"{text}\" does not start with a number; expected {expected}")]
    NoNumber {
        /// The text.
        text: String,
        /// What is expected: `a velocity in m/s`.
        expected: String,
        /// An example of it.
        example: String,
    },
    /// The number is infinite, not a number, or overflows in SI.
    #[error("\"{text}\" is not a finite number")]
    NotFinite {
        /// The text.
        text: String,
    },
    /// A unit that is not in the table.
    #[error("unknown unit \"{unit}\"")]
    UnknownUnit {
        /// The unit.
        unit: String,
        /// Where it stands in the text.
        range: Range<usize>,
        /// A known unit with a similar name.
        suggestion: Option<&'static str>,
        /// Units that are usual for what is expected, with commas between.
        usual: String,
    },
    /// The unit could not be read.
    #[error("cannot read the unit \"{text}\"")]
    Malformed {
        /// The text of the unit.
        text: String,
        /// Where it stands in the text.
        range: Range<usize>,
    },
    /// A quantity of another kind.
    #[error("{text} is {found}; this field is {expected}")]
    WrongDimension {
        /// The text.
        text: String,
        /// What it is: `a length`.
        found: String,
        /// What is expected: `a velocity in m/s`.
        expected: String,
        /// An example of it.
        example: String,
        /// Where the unit stands in the text.
        range: Range<usize>,
    },
}

impl QuantityError {
    /// What to write instead.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::NoNumber { example, .. } | Self::WrongDimension { example, .. } => {
                Some(format!("for example \"{example}\""))
            }
            Self::UnknownUnit {
                suggestion, usual, ..
            } => {
                let meant = suggestion.map(|name| format!("did you mean \"{name}\"?"));
                let usual = (!usual.is_empty()).then(|| format!("usual here: {usual}"));
                let parts: Vec<String> = meant.into_iter().chain(usual).collect();
                (!parts.is_empty()).then(|| parts.join(" "))
            }
            Self::Malformed { text, .. } if text.starts_with(',') => {
                Some("the decimal sign is a point: 0.3 kN and not 0,3 kN".into())
            }
            Self::Malformed { .. } => {
                Some("units are written like \"N s/m\", \"kg*m^2\", \"1/mm\", \"N s/m^1.5\"".into())
            }
            Self::NotFinite { .. } => None,
        }
    }

    /// The part of the text that is at fault, if it is not all of it.
    pub fn range(&self) -> Option<Range<usize>> {
        match self {
            Self::UnknownUnit { range, .. }
            | Self::Malformed { range, .. }
            | Self::WrongDimension { range, .. } => Some(range.clone()),
            Self::NoNumber { .. } | Self::NotFinite { .. } => None,
        }
    }
}
