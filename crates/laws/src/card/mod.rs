//! Cards: what the catalogue, the schema, the docs and the tests know about a law.

pub(crate) mod meaning;
mod number_text;
mod synonyms;
pub(crate) mod values;

pub use number_text::Shortest;
pub use synonyms::instead_of;

use crate::parameters::same_name;
use std::borrow::Cow;
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
pub enum ParameterKind {
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

/// What a parameter means, in terms that all laws share.
///
/// A parameter of the role [`StribeckSpeed`](Self::StribeckSpeed) or [`StickSpeed`](Self::StickSpeed)
/// in s/m is the reciprocal of that speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Kinetic friction, over the normal force.
    Level,
    /// Static friction, over the normal force.
    StaticLevel,
    /// What friction loses from the static to the kinetic level, over the normal force.
    Drop,
    /// Half the difference of the levels of both directions.
    LevelDifference,
    /// Tangential stiffness.
    Stiffness,
    /// Damping of the tangential deflection.
    Damping,
    /// Friction in proportion to the speed.
    Viscous,
    /// Speed over which friction falls from the static to the kinetic level.
    StribeckSpeed,
    /// Speed below which the law sticks, or imitates it.
    StickSpeed,
    /// Any other speed.
    Speed,
    /// A deflection or a travel.
    Length,
    /// Share of an element in the level.
    Share,
    /// A time, or the reciprocal of one.
    Time,
    /// An exponent, a ratio or a choice: the shape of a curve.
    Shape,
}

/// How a parameter is bound to others of its law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Not at all.
    Free,
    /// It is not below that parameter.
    NotBelow(&'static str),
    /// It is below the ratio of a level and a stiffness.
    BelowRatio {
        /// The level.
        level: &'static str,
        /// The stiffness.
        stiffness: &'static str,
    },
    /// The entries of the list add to 1.
    SumIsOne,
    /// The entries of the list add to that parameter or more.
    SumNotBelow(&'static str),
}

/// What a law does that a fit, a solver or a warning must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// The force or a state jumps where the mode changes.
    Jumps,
    /// The curve of friction over speed has a corner.
    Corner,
    /// It rests under a constant load below break-away; laws without it creep.
    Holds,
    /// Bristles give way below break-away, dz/dx = 1 − σ₀z/μ: under a load that vibrates it drifts.
    Drifts,
    /// Friction depends on the direction of the slip in the plane of contact.
    Anisotropic,
    /// The force of a steady slide depends on the rest before it; declared is that after a long one.
    SteadyByHistory,
    /// It answers the applied force at rest, which does not follow from the motion alone.
    AppliedForce,
}

/// One parameter of a law.
#[derive(Clone, Debug)]
pub struct ParameterCard {
    /// Field name in words, e.g. `bristle_stiffness`.
    pub name: Cow<'static, str>,
    /// Symbol of the literature, e.g. `sigma_0`.
    pub symbol: Cow<'static, str>,
    /// SI unit, e.g. `1/m`; `1` for a pure number.
    pub unit: Cow<'static, str>,
    /// What it means.
    pub role: Role,
    /// Number, list, flag or curve.
    pub kind: ParameterKind,
    /// Admissible range (of every entry for a list).
    pub range: Range,
    /// A typical value, used by examples and tests.
    pub typical: Typical,
    /// Its value in the standard set of the test bench, where that is not the typical one.
    pub standard: Option<f64>,
    /// The value when it is not given.
    pub default: Default,
    /// How it is bound to other parameters.
    pub relation: Relation,
    /// Whether a fit estimates it by default; else it stays at its default.
    pub fitted: bool,
    /// What it is, one sentence.
    pub meaning: Cow<'static, str>,
}

/// What stands behind the name of a parameter in that of its value at negative velocities.
pub(crate) const NEGATIVE: &str = "_negative";

impl ParameterCard {
    /// Whether it may have another value at negative velocities, where the law has
    /// [sides](crate::Sides): levels, Stribeck velocity and viscous coefficient may.
    pub fn differs_by_direction(&self) -> bool {
        let may = matches!(
            self.role,
            Role::Level
                | Role::StaticLevel
                | Role::Drop
                | Role::LevelDifference
                | Role::Viscous
                | Role::StribeckSpeed
        );
        may && self.kind == ParameterKind::Number
    }

    /// The card of its value at negative velocities.
    #[must_use]
    pub fn negative(&self) -> Self {
        Self {
            name: format!("{}{NEGATIVE}", self.name).into(),
            symbol: format!("{}-", self.symbol).into(),
            default: Default::Absent,
            relation: Relation::Free,
            meaning: format!(
                "{} at negative velocities",
                self.meaning.trim().trim_end_matches('.')
            )
            .into(),
            ..self.clone()
        }
    }

    /// The name without what says that it holds at negative velocities; `None` of any other.
    pub(crate) fn base_name(&self) -> Option<&str> {
        let is_own = self.symbol.ends_with('-') && self.differs_by_direction();
        self.name.strip_suffix(NEGATIVE).filter(|_| is_own)
    }

    /// Whether the value is that of one unit of normal force (σ₀ in 1/m); else it is that of the
    /// contact itself (N/m).
    pub fn per_load(&self) -> bool {
        !self.unit.starts_with('N')
    }

    /// Whether the value is the reciprocal of the speed of its role.
    pub fn is_reciprocal(&self) -> bool {
        let is_speed = matches!(
            self.role,
            Role::StribeckSpeed | Role::StickSpeed | Role::Speed
        );
        is_speed && self.unit == "s/m"
    }
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

/// What Colantonio et al. 2022, table 1, print for a law.
#[derive(Clone, Copy, Debug)]
pub struct Printed {
    /// The features of [`Self::FEATURES`] that it has; it lacks the others.
    pub has: &'static [&'static str],
    /// Where the test bench finds the opposite: the feature, and why.
    pub differs: &'static [(&'static str, &'static str)],
}

impl Printed {
    /// The rows of the table.
    pub const FEATURES: [&'static str; 8] = [
        "steady_state",
        "stick_slip",
        "presliding_displacement",
        "frictional_lag",
        "varying_break_away",
        "nonlocal_memory",
        "transition_curve",
        "computational_cost",
    ];

    /// Whether the law has a feature; `None` if the table has no such row.
    pub fn has(&self, feature: &str) -> Option<bool> {
        Self::FEATURES
            .contains(&feature)
            .then(|| self.has.contains(&feature))
    }

    /// Why the test bench finds the opposite, where the reason is known.
    pub fn reason(&self, feature: &str) -> Option<&'static str> {
        let mut reasons = self.differs.iter();
        reasons
            .find(|(known, _)| *known == feature)
            .map(|(_, why)| *why)
    }
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

/// One state of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct StateCard {
    /// Symbol, e.g. `z`.
    pub name: Cow<'static, str>,
    /// SI unit; `1` for a pure number.
    pub unit: Cow<'static, str>,
    /// What it is, in a few words.
    pub meaning: Cow<'static, str>,
    /// Whether it is a vector in the plane of contact, or a number. The states of a law begin with
    /// its vectors.
    pub is_vector: bool,
    /// Whether every element of the law has one.
    pub is_per_element: bool,
}

impl StateCard {
    /// A state of a law of the catalogue with one entry for every dimension of the slip.
    pub const fn vector(name: &'static str, unit: &'static str, meaning: &'static str) -> Self {
        let mut state = Self::scalar(name, unit, meaning);
        state.is_vector = true;
        state
    }

    /// A state of a law of the catalogue that is one number in all dimensions.
    pub const fn scalar(name: &'static str, unit: &'static str, meaning: &'static str) -> Self {
        Self {
            name: Cow::Borrowed(name),
            unit: Cow::Borrowed(unit),
            meaning: Cow::Borrowed(meaning),
            is_vector: false,
            is_per_element: false,
        }
    }

    /// The same state, once for every element of the law.
    #[must_use]
    pub const fn per_element(mut self) -> Self {
        self.is_per_element = true;
        self
    }

    /// What it is, whether it is a vector, and whether every element has one: for tables of states.
    pub fn description(&self) -> String {
        let vector = if self.is_vector { " (vector)" } else { "" };
        let elements = if self.is_per_element {
            ", for every element"
        } else {
            ""
        };
        format!("{}{vector}{elements}", self.meaning)
    }
}

/// The declaration of a friction or normal-force law.
#[derive(Clone, Copy, Debug)]
pub struct LawCard<'a> {
    /// Catalogue name.
    pub name: &'a str,
    /// Title for people.
    pub title: &'a str,
    /// One sentence: what it is for.
    pub summary: &'a str,
    /// The equations.
    pub equations: &'a [Equation],
    /// The parameters, in order.
    pub parameters: &'a [ParameterCard],
    /// The states. Empty for a static law.
    pub states: &'a [StateCard],
    /// What it does that a fit, a solver or a warning must know.
    pub behaviour: &'a [Behaviour],
    /// What a printed comparison of laws says of it.
    pub printed: Option<Printed>,
    /// What it reproduces.
    pub reproduces: &'a [&'a str],
    /// What it cannot reproduce, and what to watch.
    pub cannot: &'a [&'a str],
    /// Paper and place.
    pub source: &'a str,
    /// Remarks on the extension to two and three dimensions, on numerics.
    pub remarks: &'a str,
}

impl<'a> LawCard<'a> {
    /// Whether the law behaves so.
    pub const fn does(&self, behaviour: Behaviour) -> bool {
        let mut i = 0;
        while i < self.behaviour.len() {
            // enums without fields cannot be compared by == in a constant
            if self.behaviour[i] as u8 == behaviour as u8 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// The parameters that a law with [sides](crate::Sides) may have for negative velocities.
    pub fn negative_parameters(&self) -> Vec<ParameterCard> {
        let own = self.parameters.iter().filter(|p| p.differs_by_direction());
        own.map(ParameterCard::negative).collect()
    }

    /// The parameter whose value at negative velocities has this name: its own with `_negative`
    /// behind it, or its symbol with a minus sign.
    pub fn at_negative_velocities(&self, name: &str) -> Option<&'a ParameterCard> {
        let is = |p: &ParameterCard| same_name(&p.name, name) || p.symbol == name;
        if self.parameters.iter().any(is) {
            return None;
        }
        let mut parameters = self.parameters.iter().filter(|p| p.differs_by_direction());
        parameters.find(|p| {
            let named = name.split_at_checked(p.name.len());
            named.is_some_and(|(base, rest)| same_name(&p.name, base) && same_name(NEGATIVE, rest))
                || name.strip_suffix('-') == Some(&*p.symbol)
        })
    }

    /// The first parameter with that role.
    pub fn with_role(&self, role: Role) -> Option<&'a ParameterCard> {
        self.parameters.iter().find(|p| p.role == role)
    }
}
