//! Parameters: one declaration gives the struct, its cards, its validation.

use crate::card::{Default, Kind, ParameterCard};

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, SI.
    Number(f64),
    /// A list of numbers, SI.
    List(Vec<f64>),
    /// A flag.
    Flag(bool),
}

/// Named parameter values, in the order given.
pub type Values = Vec<(String, Value)>;

/// A parameter that a law refuses, by name.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// The law is not in the catalogue.
    #[error("unknown {kind} law `{name}`; known: {known}")]
    UnknownLaw {
        /// `friction` or `normal`.
        kind: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The law has no such parameter.
    #[error("{law} has no parameter `{name}`; it has {known}")]
    Unknown {
        /// The law.
        law: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A required parameter is missing.
    #[error("{law}.{name} ({symbol}) is missing; it must be in {allowed} {unit}")]
    Missing {
        /// The law.
        law: &'static str,
        /// The parameter.
        name: &'static str,
        /// Its symbol.
        symbol: &'static str,
        /// Its unit.
        unit: &'static str,
        /// The admissible range.
        allowed: String,
    },
    /// The parameter is given twice (by field name and symbol, say).
    #[error("{law}.{name} is given twice")]
    Twice {
        /// The law.
        law: &'static str,
        /// The parameter.
        name: &'static str,
    },
    /// The value has the wrong type.
    #[error("{law}.{name} must be {expected}")]
    WrongKind {
        /// The law.
        law: &'static str,
        /// The parameter.
        name: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// The value leaves its range.
    #[error("{law}.{name} = {value} {unit}, must be in {allowed} {unit}")]
    OutOfRange {
        /// The law.
        law: &'static str,
        /// The parameter.
        name: &'static str,
        /// The value.
        value: f64,
        /// The unit.
        unit: &'static str,
        /// The admissible range.
        allowed: String,
    },
    /// Two parameters contradict each other.
    #[error("{law}.{name} = {value} {unit}: {reason}")]
    Inconsistent {
        /// The law.
        law: &'static str,
        /// The parameter to change.
        name: &'static str,
        /// The value.
        value: f64,
        /// The unit.
        unit: &'static str,
        /// The condition that fails.
        reason: String,
    },
}

impl ParameterError {
    /// The parameter that the error is about, if it is about one.
    pub fn parameter(&self) -> Option<&str> {
        match self {
            Self::UnknownLaw { .. } => None,
            Self::Unknown { name, .. } => Some(name),
            Self::Missing { name, .. }
            | Self::Twice { name, .. }
            | Self::WrongKind { name, .. }
            | Self::OutOfRange { name, .. }
            | Self::Inconsistent { name, .. } => Some(name),
        }
    }
}

/// Hyphens and underscores are the same in a name.
pub fn same_name(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .all(|(x, y)| x == y || matches!((x, y), (b'-' | b'_', b'-' | b'_')))
}

/// A type that can be the value of a parameter.
pub trait ParameterType: Sized {
    /// Takes the value of `card` out of `values`, after checking it.
    ///
    /// # Errors
    /// If the value has the wrong kind or leaves the card's range.
    fn take(
        law: &'static str,
        card: &ParameterCard,
        value: Option<Value>,
    ) -> Result<Self, ParameterError>;
    /// The value as a [`Value`].
    fn to_value(&self) -> Value;
}

fn in_range(law: &'static str, card: &ParameterCard, x: f64) -> Result<f64, ParameterError> {
    if card.range.contains(x) {
        Ok(x)
    } else {
        let (name, unit) = (card.name, card.unit);
        Err(ParameterError::OutOfRange {
            law,
            name,
            value: x,
            unit,
            allowed: card.range.to_string(),
        })
    }
}

fn missing(law: &'static str, card: &ParameterCard) -> ParameterError {
    let (name, symbol, unit) = (card.name, card.symbol, card.unit);
    ParameterError::Missing {
        law,
        name,
        symbol,
        unit,
        allowed: card.range.to_string(),
    }
}

impl ParameterType for f64 {
    fn take(
        law: &'static str,
        card: &ParameterCard,
        value: Option<Value>,
    ) -> Result<Self, ParameterError> {
        match value {
            Some(Value::Number(x)) => in_range(law, card, x),
            Some(_) => Err(ParameterError::WrongKind {
                law,
                name: card.name,
                expected: "a number",
            }),
            None => Err(missing(law, card)),
        }
    }
    fn to_value(&self) -> Value {
        Value::Number(*self)
    }
}

impl ParameterType for Vec<f64> {
    fn take(
        law: &'static str,
        card: &ParameterCard,
        value: Option<Value>,
    ) -> Result<Self, ParameterError> {
        match value {
            Some(Value::List(list)) if !list.is_empty() => {
                list.into_iter().map(|x| in_range(law, card, x)).collect()
            }
            Some(_) => Err(ParameterError::WrongKind {
                law,
                name: card.name,
                expected: "a list of one or more numbers",
            }),
            None => Err(missing(law, card)),
        }
    }
    fn to_value(&self) -> Value {
        Value::List(self.clone())
    }
}

impl ParameterType for Option<f64> {
    fn take(
        law: &'static str,
        card: &ParameterCard,
        value: Option<Value>,
    ) -> Result<Self, ParameterError> {
        value.map(|v| f64::take(law, card, Some(v))).transpose()
    }
    fn to_value(&self) -> Value {
        // an absent value is not written out; see `parameters!`
        Value::Number(self.unwrap_or(f64::NAN))
    }
}

impl ParameterType for bool {
    fn take(
        law: &'static str,
        card: &ParameterCard,
        value: Option<Value>,
    ) -> Result<Self, ParameterError> {
        match value {
            Some(Value::Flag(x)) => Ok(x),
            Some(_) => Err(ParameterError::WrongKind {
                law,
                name: card.name,
                expected: "true or false",
            }),
            None => Err(missing(law, card)),
        }
    }
    fn to_value(&self) -> Value {
        Value::Flag(*self)
    }
}

/// Sorts named values into the order of `cards`, filling defaults.
///
/// # Errors
/// If a name is unknown or given twice.
pub fn arrange(
    law: &'static str,
    cards: &[ParameterCard],
    values: &Values,
) -> Result<Vec<Option<Value>>, ParameterError> {
    let mut sorted: Vec<Option<Value>> = vec![None; cards.len()];
    for (name, value) in values {
        let found = cards
            .iter()
            .position(|c| same_name(c.name, name) || same_name(c.symbol, name));
        let Some(i) = found else {
            let known: Vec<_> = cards.iter().map(|c| c.name).collect();
            return Err(ParameterError::Unknown {
                law,
                name: name.clone(),
                known: known.join(", "),
            });
        };
        if sorted[i].is_some() {
            return Err(ParameterError::Twice {
                law,
                name: cards[i].name,
            });
        }
        sorted[i] = Some(value.clone());
    }
    for (i, card) in cards.iter().enumerate() {
        if sorted[i].is_none() {
            sorted[i] = match card.default {
                Default::Required | Default::Absent => None,
                Default::Number(x) => Some(Value::Number(x)),
                Default::Flag(x) => Some(Value::Flag(x)),
                Default::Scaled(other, factor) => {
                    let j = cards.iter().position(|c| c.name == other);
                    match j.and_then(|j| sorted[j].clone()) {
                        Some(Value::Number(x)) => Some(Value::Number(x * factor)),
                        _ => None,
                    }
                }
            };
        }
    }
    Ok(sorted)
}

/// Refuses μs < μk by name.
///
/// # Errors
/// If `mu_s < mu_k`.
pub fn static_not_below_kinetic(
    law: &'static str,
    mu_s: f64,
    mu_k: f64,
) -> Result<(), ParameterError> {
    if mu_s >= mu_k {
        return Ok(());
    }
    Err(ParameterError::Inconsistent {
        law,
        name: "static_coefficient",
        value: mu_s,
        unit: "1",
        reason: format!("must not be below kinetic_coefficient = {mu_k}"),
    })
}

/// The kind of a parameter type, for its card.
pub trait KindOf {
    /// Number, list or flag.
    const KIND: Kind;
}
impl KindOf for f64 {
    const KIND: Kind = Kind::Number;
}
impl KindOf for Option<f64> {
    const KIND: Kind = Kind::Number;
}
impl KindOf for Vec<f64> {
    const KIND: Kind = Kind::List;
}
impl KindOf for bool {
    const KIND: Kind = Kind::Flag;
}

/// Declares a parameter struct: fields with symbol, unit, range, typical value and default.
///
/// Generates the struct with public fields, `CARDS`, `from_values` and `to_values`.
#[macro_export]
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $Name:ident for $law:literal {
            $(
                $(#[doc = $doc:literal])+
                $field:ident : $type:ty = {
                    symbol: $symbol:literal, unit: $unit:literal, range: $range:expr,
                    typical: $typical:expr $(, default: $default:expr)? $(,)?
                }
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Name {
            $( $(#[doc = $doc])+ pub $field: $type, )*
        }

        impl $Name {
            /// The card of every field, in order.
            pub const CARDS: &'static [$crate::card::ParameterCard] = &[
                $( $crate::card::ParameterCard {
                    name: stringify!($field),
                    symbol: $symbol,
                    unit: $unit,
                    kind: <$type as $crate::parameters::KindOf>::KIND,
                    range: $range,
                    typical: $typical,
                    default: $crate::parameters!(@default $($default)?),
                    meaning: concat!($($doc),+),
                } ),*
            ];

            /// Reads named values (field names or symbols), fills defaults, checks ranges.
            ///
            /// # Errors
            /// Names the parameter that is unknown, missing or out of range.
            pub fn from_values(
                values: &$crate::parameters::Values,
            ) -> Result<Self, $crate::parameters::ParameterError> {
                let sorted = $crate::parameters::arrange($law, Self::CARDS, values)?;
                let mut cards = Self::CARDS.iter();
                let mut sorted = sorted.into_iter();
                Ok(Self { $( $field: {
                    // one card and one value per field, in the order of declaration
                    match (cards.next(), sorted.next()) {
                        (Some(card), Some(value)) => {
                            <$type as $crate::parameters::ParameterType>::take($law, card, value)?
                        }
                        _ => return Err($crate::parameters::ParameterError::WrongKind {
                            law: $law, name: stringify!($field), expected: "declared",
                        }),
                    }
                } ),* })
            }

            /// The values by field name.
            pub fn to_values(&self) -> $crate::parameters::Values {
                let all = vec![ $( (
                    stringify!($field).to_owned(),
                    $crate::parameters::ParameterType::to_value(&self.$field),
                ) ),* ];
                all.into_iter()
                    .filter(|(_, v)| !matches!(v, $crate::Value::Number(x) if x.is_nan()))
                    .collect()
            }
        }
    };
    (@default) => { $crate::card::Default::Required };
    (@default $default:expr) => { $default };
}
