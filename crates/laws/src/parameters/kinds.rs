//! The types a parameter may have.

use super::{ParameterError, Value};
use crate::card::{ParameterCard, ParameterKind};
use crate::curve::Shape;

/// A type that can be the value of a parameter.
pub trait ParameterType: Sized {
    /// Takes the value of `card` out of `values`, after checking it.
    ///
    /// # Errors
    /// If the value has the wrong kind or leaves the card's range.
    fn take(law: &str, card: &ParameterCard, value: Option<Value>) -> Result<Self, ParameterError>;
    /// The value as a [`Value`].
    fn to_value(&self) -> Value;
}

fn in_range(law: &str, card: &ParameterCard, x: f64) -> Result<f64, ParameterError> {
    if card.range.contains(x) {
        Ok(x)
    } else {
        Err(ParameterError::OutOfRange {
            law: law.into(),
            name: card.name.to_string(),
            value: x,
            unit: card.unit.to_string(),
            allowed: card.range.to_string(),
        })
    }
}

fn missing(law: &str, card: &ParameterCard) -> ParameterError {
    ParameterError::Missing {
        law: law.into(),
        name: card.name.to_string(),
        symbol: card.symbol.to_string(),
        unit: card.unit.to_string(),
        allowed: card.range.to_string(),
    }
}

impl ParameterType for f64 {
    fn take(law: &str, card: &ParameterCard, value: Option<Value>) -> Result<Self, ParameterError> {
        match value {
            Some(Value::Number(x)) => in_range(law, card, x),
            Some(_) => Err(ParameterError::WrongKind {
                law: law.into(),
                name: card.name.to_string(),
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
    fn take(law: &str, card: &ParameterCard, value: Option<Value>) -> Result<Self, ParameterError> {
        match value {
            Some(Value::List(list)) if !list.is_empty() => {
                list.into_iter().map(|x| in_range(law, card, x)).collect()
            }
            Some(_) => Err(ParameterError::WrongKind {
                law: law.into(),
                name: card.name.to_string(),
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
    fn take(law: &str, card: &ParameterCard, value: Option<Value>) -> Result<Self, ParameterError> {
        value.map(|v| f64::take(law, card, Some(v))).transpose()
    }
    fn to_value(&self) -> Value {
        // an absent value is not written out; see `parameters!`
        Value::Number(self.unwrap_or(f64::NAN))
    }
}

impl ParameterType for bool {
    fn take(law: &str, card: &ParameterCard, value: Option<Value>) -> Result<Self, ParameterError> {
        match value {
            Some(Value::Flag(x)) => Ok(x),
            Some(_) => Err(ParameterError::WrongKind {
                law: law.into(),
                name: card.name.to_string(),
                expected: "true or false",
            }),
            None => Err(missing(law, card)),
        }
    }
    fn to_value(&self) -> Value {
        Value::Flag(*self)
    }
}

impl ParameterType for Shape {
    fn take(law: &str, card: &ParameterCard, value: Option<Value>) -> Result<Self, ParameterError> {
        match value {
            Some(Value::Curve(shape)) => Ok(shape),
            Some(_) => Err(ParameterError::WrongKind {
                law: law.into(),
                name: card.name.to_string(),
                expected: "a Stribeck curve",
            }),
            None => Err(missing(law, card)),
        }
    }
    fn to_value(&self) -> Value {
        Value::Curve(self.clone())
    }
}

/// The kind of a parameter type, for its card.
pub trait KindOf {
    /// Number, list, flag or curve.
    const KIND: ParameterKind;
}
impl KindOf for f64 {
    const KIND: ParameterKind = ParameterKind::Number;
}
impl KindOf for Option<f64> {
    const KIND: ParameterKind = ParameterKind::Number;
}
impl KindOf for Vec<f64> {
    const KIND: ParameterKind = ParameterKind::List;
}
impl KindOf for bool {
    const KIND: ParameterKind = ParameterKind::Flag;
}
impl KindOf for Shape {
    const KIND: ParameterKind = ParameterKind::Curve;
}

/// A type of parameter whose numbers may be of another kind.
pub trait WithNumbers {
    /// The same with numbers `Q`.
    type With<Q>;
    /// Every number, by element (0 where there is one only), through `number`.
    fn with_numbers<Q>(&self, number: &mut dyn FnMut(usize, f64) -> Q) -> Self::With<Q>;
}
impl WithNumbers for f64 {
    type With<Q> = Q;
    fn with_numbers<Q>(&self, number: &mut dyn FnMut(usize, f64) -> Q) -> Q {
        number(0, *self)
    }
}
impl WithNumbers for Option<f64> {
    type With<Q> = Option<Q>;
    fn with_numbers<Q>(&self, number: &mut dyn FnMut(usize, f64) -> Q) -> Option<Q> {
        self.map(|x| number(0, x))
    }
}
impl WithNumbers for Vec<f64> {
    type With<Q> = Vec<Q>;
    fn with_numbers<Q>(&self, number: &mut dyn FnMut(usize, f64) -> Q) -> Vec<Q> {
        let each = self.iter().enumerate();
        each.map(|(element, x)| number(element, *x)).collect()
    }
}
impl WithNumbers for bool {
    type With<Q> = bool;
    fn with_numbers<Q>(&self, _number: &mut dyn FnMut(usize, f64) -> Q) -> bool {
        *self
    }
}
impl WithNumbers for Shape {
    type With<Q> = Shape;
    fn with_numbers<Q>(&self, _number: &mut dyn FnMut(usize, f64) -> Q) -> Shape {
        self.clone()
    }
}
