//! Cards: what the catalogue, the schema, the docs and the tests know about a law.

use crate::Shortest;
use std::fmt;

/// The admissible range of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// (0, ∞)
    Positive,
    /// [0, ∞)
    NonNegative,
    /// (−∞, ∞)
    Finite,
    /// (low, high)
    Open(f64, f64),
    /// [low, high]
    Closed(f64, f64),
}

impl Range {
    /// Whether `x` is finite and in the range.
    pub fn contains(self, x: f64) -> bool {
        x.is_finite()
            && match self {
                Self::Positive => x > 0.0,
                Self::NonNegative => x >= 0.0,
                Self::Finite => true,
                Self::Open(low, high) => low < x && x < high,
                Self::Closed(low, high) => low <= x && x <= high,
            }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Positive => f.write_str("(0, ∞)"),
            Self::NonNegative => f.write_str("[0, ∞)"),
            Self::Finite => f.write_str("(−∞, ∞)"),
            Self::Open(low, high) => write!(f, "({}, {})", Shortest(*low), Shortest(*high)),
            Self::Closed(low, high) => write!(f, "[{}, {}]", Shortest(*low), Shortest(*high)),
        }
    }
}

/// The kind of value a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One number.
    Number,
    /// A list of numbers, one per element.
    List,
    /// true or false.
    Flag,
    /// A Stribeck curve.
    Curve,
}

/// Where a parameter's value comes from when it is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// The parameter must be given.
    Required,
    /// A fixed number.
    Number(f64),
    /// Another parameter of the same law times a factor.
    Scaled(&'static str, f64),
    /// A flag.
    Flag(bool),
    /// The name of a Stribeck curve.
    Curve(&'static str),
    /// May be left out: another parameter replaces it.
    Absent,
}

/// One parameter of a law.
#[derive(Clone, Copy, Debug)]
pub struct ParameterCard {
    /// Field name in words, e.g. `bristle_stiffness`.
    pub name: &'static str,
    /// Symbol of the literature, e.g. `sigma_0`.
    pub symbol: &'static str,
    /// SI unit, e.g. `1/m`; `1` for a pure number.
    pub unit: &'static str,
    /// Number, list, flag or curve.
    pub kind: Kind,
    /// Admissible range (of every entry for a list).
    pub range: Range,
    /// A typical value, used by examples and tests.
    pub typical: Typical,
    /// The value when it is not given.
    pub default: Default,
    /// What it is, one sentence.
    pub meaning: &'static str,
}

/// A typical value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Typical {
    /// A number.
    Number(f64),
    /// A list.
    List(&'static [f64]),
    /// A flag.
    Flag(bool),
    /// The name of a Stribeck curve.
    Curve(&'static str),
}

/// One equation of a law.
#[derive(Clone, Copy, Debug)]
pub struct Equation {
    /// As plain text, for the terminal.
    pub text: &'static str,
    /// As TeX, for the docs.
    pub tex: &'static str,
    /// Where it is printed, e.g. `Colantonio et al. 2022, eq. 21`.
    pub source: &'static str,
}

/// The declaration of a friction or normal-force law.
#[derive(Clone, Copy, Debug)]
pub struct LawCard {
    /// Catalogue name.
    pub name: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// One sentence: what it is for.
    pub summary: &'static str,
    /// The equations.
    pub equations: &'static [Equation],
    /// The parameters, in order.
    pub parameters: &'static [ParameterCard],
    /// The states: name, unit, meaning. Empty for a static law.
    pub states: &'static [(&'static str, &'static str, &'static str)],
    /// What it reproduces.
    pub reproduces: &'static [&'static str],
    /// What it cannot reproduce, and what to watch.
    pub cannot: &'static [&'static str],
    /// Paper and place.
    pub source: &'static str,
    /// Remarks on the extension to two and three dimensions, on numerics.
    pub remarks: &'static str,
}
