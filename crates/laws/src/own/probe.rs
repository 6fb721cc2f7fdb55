//! What equations do and what their parameters mean, as the typical values show.

use super::dimension::OwnDimension;
use super::equations::OwnEquations;
use super::law::OwnLaw;
use crate::card::values::typical_value;
use crate::card::{Behaviour, Role};
use crate::law::slip::Slip;
use crate::law::{FrictionLaw, Law};
use crate::parameters::{Value, Values};
use std::sync::Arc;

fn typical(equations: &OwnEquations) -> Values {
    let cards = equations.parameters().iter();
    cards
        .map(|card| (card.name.to_string(), typical_value(card)))
        .collect()
}

/// Whether a law holds a load at rest, and whether its bristles give way below break-away.
pub(super) fn behaviour(equations: &Arc<OwnEquations>) -> &'static [Behaviour] {
    let Ok(law) = OwnLaw::from_values(equations, &typical(equations)) else {
        return &[];
    };
    let Some(size) = law.state_size(1.0) else {
        return &[];
    };
    let count = equations.layout.len(1);
    let mut state = vec![0.0; count];
    state[0] = 0.5 * size;
    let mut rates = vec![0.0; count];
    let [force] = law.rates(&Slip::new([0.0], 1.0), &state, &mut rates);
    if force == 0.0 || rates.iter().any(|rate| *rate != 0.0) {
        return &[];
    }
    let slow = 1e-3 * law.slip_speed();
    law.rates(&Slip::new([slow], 1.0), &state, &mut rates);
    if rates[0] < 0.999 * slow {
        &[Behaviour::Holds, Behaviour::Drifts]
    } else {
        &[Behaviour::Holds]
    }
}

/// What a parameter means, by its unit; a level and viscous friction by what they do to steady
/// sliding.
pub(super) fn role(equations: &Arc<OwnEquations>, index: usize, unit: OwnDimension) -> Role {
    let force = |factor: f64| {
        let mut values = typical(equations);
        if let Value::Number(x) = &mut values[index].1 {
            *x *= factor;
        }
        let law = OwnLaw::from_values(equations, &values).ok()?;
        law.steady(1.0, 1.0)
    };
    let (before, after) = (force(1.0), force(2.0));
    let ratio = before
        .zip(after)
        .map_or(1.0, |(before, after)| after / before);
    let is = |force: f64, length: f64, time: f64| {
        let other = OwnDimension::new(force, length, time);
        unit.is(other)
    };
    if is(0.0, -1.0, 0.0) || is(1.0, -1.0, 0.0) {
        Role::Stiffness
    } else if is(0.0, -1.0, 1.0) || is(1.0, -1.0, 1.0) {
        // damping of a state is not felt in steady sliding
        if (ratio - 1.0).abs() > 1e-9 {
            Role::Viscous
        } else {
            Role::Damping
        }
    } else if unit.is(OwnDimension::VELOCITY) {
        Role::Speed
    } else if unit.is(OwnDimension::LENGTH) {
        Role::Length
    } else if is(0.0, 0.0, 1.0) || is(0.0, 0.0, -1.0) {
        Role::Time
    } else if (ratio - 2.0).abs() < 1e-3 {
        Role::Level
    } else {
        Role::Shape
    }
}
