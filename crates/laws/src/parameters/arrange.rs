//! Named values in the order of the cards.

use super::{ParameterError, Value, Values, same_name};
use crate::card::{Default, ParameterCard};
use crate::curve::Shape;
use crate::numbers::scalar::Scalar;
use std::sync::Arc;

/// Sorts named values into the order of `cards`, filling defaults.
///
/// # Errors
/// If a name is unknown or given twice.
pub fn arrange(
    law: &str,
    cards: &[ParameterCard],
    values: &Values,
) -> Result<Vec<Option<Value>>, ParameterError> {
    let mut sorted: Vec<Option<Value>> = vec![None; cards.len()];
    for (name, value) in values {
        let found = cards
            .iter()
            .position(|c| same_name(&c.name, name) || same_name(&c.symbol, name));
        let Some(i) = found else {
            let known: Vec<_> = cards.iter().map(|c| c.name.as_ref()).collect();
            return Err(ParameterError::Unknown {
                law: law.into(),
                name: name.clone(),
                known: known.join(", "),
            });
        };
        if sorted[i].is_some() {
            return Err(ParameterError::Twice {
                law: law.into(),
                name: cards[i].name.to_string(),
            });
        }
        sorted[i] = Some(value.clone());
    }
    levels_of_table(law, cards, &mut sorted)?;
    for (i, card) in cards.iter().enumerate() {
        if sorted[i].is_none() {
            sorted[i] = match card.default {
                Default::Required | Default::Absent => None,
                Default::Number(x) => Some(Value::Number(x)),
                Default::Flag(x) => Some(Value::Flag(x)),
                Default::Curve(name) => Shape::named(name).map(Value::Curve),
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
pub fn static_not_below_kinetic<P: Scalar>(
    law: &str,
    mu_s: P,
    mu_k: P,
) -> Result<(), ParameterError> {
    let (mu_s, mu_k) = (mu_s.value(), mu_k.value());
    if mu_s >= mu_k {
        return Ok(());
    }
    Err(ParameterError::Inconsistent {
        law: law.into(),
        name: "static_coefficient".into(),
        value: mu_s,
        unit: "1".into(),
        reason: format!("must not be below kinetic_coefficient = {mu_k}"),
    })
}

/// A Stribeck table says what the levels are: it fills them in, and others are refused.
fn levels_of_table(
    law: &str,
    cards: &[ParameterCard],
    sorted: &mut [Option<Value>],
) -> Result<(), ParameterError> {
    let table = sorted.iter().find_map(|value| match value {
        Some(Value::Curve(Shape::Table(table))) => Some(Arc::clone(table)),
        _ => None,
    });
    let Some(table) = table else {
        return Ok(());
    };
    let levels = [
        ("static_coefficient", table.at_rest(), true),
        ("kinetic_coefficient", table.lowest(), true),
        ("stribeck_velocity", table.falling_speed(), false),
    ];
    for (card, slot) in cards.iter().zip(sorted) {
        let Some((name, level, fixed)) = levels.iter().find(|(name, ..)| *name == card.name) else {
            continue;
        };
        match slot {
            None => *slot = Some(Value::Number(*level)),
            Some(Value::Number(x)) if *fixed && x.to_bits() != level.to_bits() => {
                return Err(ParameterError::Inconsistent {
                    law: law.into(),
                    name: (*name).into(),
                    value: *x,
                    unit: "1".into(),
                    reason: format!("the Stribeck table says {level}; leave {name} out"),
                });
            }
            Some(_) => {}
        }
    }
    Ok(())
}
