//! Laws with two sides from named values.

use super::TwoSided;
use crate::card::{LawCard, NEGATIVE, ParameterCard};
use crate::friction::Friction;
use crate::law::Sides;
use crate::parameters::{ParameterError, Value, Values, same_name};

/// A law from values of which some may hold for negative velocities only; `one` builds it from
/// those of one side.
///
/// # Errors
/// Of the law, by the names that were given, and if the law has no sides.
pub(crate) fn build(
    card: &LawCard<'_>,
    sides: Sides,
    values: &Values,
    one: impl Fn(&Values) -> Result<Friction, ParameterError>,
) -> Result<Friction, ParameterError> {
    let mut positive = Values::new();
    let mut own = Values::new();
    for (name, value) in values {
        match card.at_negative_velocities(name) {
            Some(base) => own.push((base.name.to_string(), value.clone())),
            None => positive.push((name.clone(), value.clone())),
        }
    }
    let Some((first, _)) = own.first() else {
        return one(values);
    };
    if sides == Sides::Same {
        return Err(ParameterError::SameBothWays {
            law: card.name.to_owned(),
            name: format!("{first}{NEGATIVE}"),
        });
    }
    let mut negative = positive.clone();
    negative.retain(|(name, _)| {
        let is_own = |(base, _): &(String, Value)| {
            let mut parameters = card.parameters.iter();
            let meant = |known: &str| same_name(known, name);
            parameters.any(|p| p.name == **base && (meant(&p.name) || meant(&p.symbol)))
        };
        !own.iter().any(is_own)
    });
    negative.extend(own.iter().cloned());
    let laws = [
        one(&positive)?,
        one(&negative).map_err(|error| named_for_its_side(error, card))?,
    ];
    Ok(Friction::TwoSided(joined(sides, laws, &own)))
}

/// The error of the numbers for negative velocities, by their names.
fn named_for_its_side(mut error: ParameterError, card: &LawCard<'_>) -> ParameterError {
    if let ParameterError::Missing { name, .. }
    | ParameterError::Twice { name, .. }
    | ParameterError::WrongKind { name, .. }
    | ParameterError::OutOfRange { name, .. }
    | ParameterError::Inconsistent { name, .. } = &mut error
    {
        let mut parameters = card.parameters.iter();
        if parameters.any(|p| p.name == **name && p.differs_by_direction()) {
            name.push_str(NEGATIVE);
        }
    }
    if let ParameterError::Inconsistent { reason, .. } = &mut error {
        reason.push_str(" at negative velocities");
    }
    error
}

/// Both sides as one law; what was given for negative velocities, `own`, stays a parameter even where it is
/// the same.
fn joined(sides: Sides, laws: [Friction; 2], own: &Values) -> TwoSided {
    let all = [0, 1].map(|side| laws[side].to_values());
    let card = laws[0].card();
    let differ = |name: &str| {
        let of = |values: &Values| values.iter().find(|(n, _)| n == name).cloned();
        own.iter().any(|(base, _)| base == name) || of(&all[0]) != of(&all[1])
    };
    let negative = card.parameters.iter();
    let negative = negative.filter(|p| p.differs_by_direction() && differ(&p.name));
    let cards = card.parameters.iter().cloned();
    let cards = cards.chain(negative.map(ParameterCard::negative));
    TwoSided {
        cards: cards.collect(),
        sides,
        dead_zone: laws[0].stiction().map_or(-1.0, |limit| limit.speed),
        laws: Box::new(laws),
    }
}
