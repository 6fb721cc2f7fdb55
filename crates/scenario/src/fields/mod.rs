//! Sections of a scenario, declared once: what is read, checked, documented and in the schema.

mod read;
mod reader;
mod schema;

use bristle_laws::Shortest;
use std::fmt;

pub use reader::{Fields, Reader};
pub use schema::json_schema;
pub(crate) use schema::{QUANTITY, object_schema};

use crate::Unit;

/// A group of fields, such as `[body.NAME]`.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Its name in messages and in the schema.
    pub name: &'static str,
    /// What it describes, in one sentence.
    pub doc: &'static str,
    /// Its fields.
    pub fields: &'static [Field<'static>],
}

/// A field of a section.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Its name, a word with underscores.
    pub name: &'a str,
    /// A symbol of the literature that may be written instead of the name.
    pub symbol: Option<&'a str>,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether it must be given.
    pub required: bool,
    /// What it means, in one sentence.
    pub doc: &'a str,
    /// The value it has when it is not given, as it would be written in a file: a quantity with
    /// unit, a word, or a TOML list.
    pub default: Option<&'a str>,
}

impl<'a> Field<'a> {
    /// A field that must be given.
    pub const fn required(name: &'a str, kind: FieldKind, doc: &'a str) -> Self {
        Self {
            name,
            symbol: None,
            kind,
            required: true,
            doc,
            default: None,
        }
    }

    /// A field that may be left out.
    pub const fn optional(name: &'a str, kind: FieldKind, doc: &'a str) -> Self {
        Self {
            name,
            symbol: None,
            kind,
            required: false,
            doc,
            default: None,
        }
    }

    /// The same field with a symbol that may be written instead of the name.
    #[must_use]
    pub const fn symbol(mut self, symbol: &'a str) -> Self {
        self.symbol = Some(symbol);
        self
    }

    /// The same field with the value it has when it is not given.
    #[must_use]
    pub const fn default(mut self, default: &'a str) -> Self {
        self.default = Some(default);
        self
    }
}

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A number, or a text with a unit.
    Number {
        /// SI unit.
        unit: Unit,
        /// Admissible values, in that unit.
        range: FieldRange,
    },
    /// A whole number.
    Integer {
        /// Admissible values.
        range: FieldRange,
    },
    /// Any text.
    Text,
    /// One of some words; hyphens and underscores are the same.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// Three numbers, each as in [`FieldKind::Number`].
    Vector3 {
        /// SI unit.
        unit: Unit,
    },
    /// Any count of numbers, each as in [`FieldKind::Number`].
    List {
        /// SI unit.
        unit: Unit,
        /// Admissible values of each.
        range: FieldRange,
    },
    /// A function of time.
    Signal {
        /// SI unit of the value.
        unit: Unit,
    },
    /// A table with given fields.
    Table(&'static Section),
    /// A table of tables with names of the user's choice, such as `[body.cube]`.
    Named(&'static Section),
    /// A list of tables, such as `[[expect]]`.
    Tables(&'static Section),
    /// Anything; whoever reads it checks it. The text says what is accepted.
    Any(&'static str),
}

impl FieldKind {
    /// What is expected, for "expected …, found …".
    pub fn expected(&self) -> String {
        let with_unit = |unit: &Unit| {
            let described = unit.described();
            if unit.is_one() {
                return described;
            }
            let example = unit.example();
            format!("{described}: a number or a text with a unit such as \"{example}\"")
        };
        match self {
            Self::Number { unit, .. } => with_unit(unit),
            Self::Integer { range } => format!("a whole number in {range}"),
            Self::Text => "a text".to_owned(),
            Self::Choice(words) => format!("one of {}", quoted(words)),
            Self::Flag => "true or false".to_owned(),
            Self::Vector3 { unit } => format!("a list of three numbers, each {}", with_unit(unit)),
            Self::List { unit, .. } => format!("a list of numbers, each {}", with_unit(unit)),
            Self::Signal { unit } => format!(
                "a function of time ({}): a number, a formula in t, or a table such as \
                 {{ table = [[0, 0], [1, 10]] }}",
                unit.described()
            ),
            Self::Table(section) => format!("a table with the fields of {}", section.name),
            Self::Named(section) => format!("tables such as [{}]", section.name),
            Self::Tables(section) => format!("a list of tables such as [[{}]]", section.name),
            Self::Any(text) => (*text).to_owned(),
        }
    }
}

/// The words in quotes with commas between.
pub(crate) fn quoted(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("\"{word}\""))
        .collect::<Vec<_>>()
        .join(", ")
}

/// An interval of admissible numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldRange {
    /// All finite numbers.
    Any,
    /// (0, ∞).
    Positive,
    /// [0, ∞).
    NonNegative,
    /// An interval with ends of its own; infinite ends are allowed.
    Between {
        /// Lower end.
        low: f64,
        /// Whether the lower end itself is excluded.
        low_open: bool,
        /// Upper end.
        high: f64,
        /// Whether the upper end itself is excluded.
        high_open: bool,
    },
}

impl FieldRange {
    /// The closed interval [low, high].
    pub const fn closed(low: f64, high: f64) -> Self {
        Self::Between {
            low,
            low_open: false,
            high,
            high_open: false,
        }
    }

    /// Lower end, whether it is open, upper end, whether it is open.
    pub fn ends(self) -> (f64, bool, f64, bool) {
        match self {
            Self::Any => (f64::NEG_INFINITY, true, f64::INFINITY, true),
            Self::Positive => (0.0, true, f64::INFINITY, true),
            Self::NonNegative => (0.0, false, f64::INFINITY, true),
            Self::Between {
                low,
                low_open,
                high,
                high_open,
            } => (
                low,
                low_open || low.is_infinite(),
                high,
                high_open || high.is_infinite(),
            ),
        }
    }

    /// True if `value` is finite and inside.
    pub fn contains(self, value: f64) -> bool {
        let (low, low_open, high, high_open) = self.ends();
        value.is_finite()
            && (value > low || (!low_open && value >= low))
            && (value < high || (!high_open && value <= high))
    }
}

impl fmt::Display for FieldRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, low_open, high, high_open) = self.ends();
        let end = |value: f64| {
            if value.is_infinite() {
                if value > 0.0 {
                    "∞".to_owned()
                } else {
                    "-∞".to_owned()
                }
            } else {
                Shortest(value).to_string()
            }
        };
        let left = if low_open { '(' } else { '[' };
        let right = if high_open { ')' } else { ']' };
        write!(formatter, "{left}{}, {}{right}", end(low), end(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_print_as_intervals_and_hold_their_ends() {
        let half_open = FieldRange::Between {
            low: 0.0,
            low_open: true,
            high: 1.0,
            high_open: false,
        };
        for (range, text, inside, outside) in [
            (FieldRange::Positive, "(0, ∞)", 1e-300, 0.0),
            (FieldRange::NonNegative, "[0, ∞)", 0.0, -1e-300),
            (FieldRange::Any, "(-∞, ∞)", -1e300, f64::INFINITY),
            (FieldRange::closed(0.5, 2.0), "[0.5, 2]", 2.0, 2.1),
            (half_open, "(0, 1]", 1.0, 0.0),
        ] {
            assert_eq!(range.to_string(), text);
            assert!(range.contains(inside) && !range.contains(outside), "{text}");
            assert!(!range.contains(f64::NAN), "{text}");
        }
    }
}
