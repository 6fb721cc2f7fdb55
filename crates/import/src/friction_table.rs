//! The friction law of a joint whose level is all that a file gives.
//!
//! The load carries the level: level = load × 1. With a friction radius of 1 m an angle (rad) and a slip (m)
//! have the same number. What else a law needs is chosen here, by the roles of its parameters, and stated.

use bristle_laws::card::{Default as CardDefault, Role, Typical};
use bristle_laws::{Friction, LawCard, ParameterCard, Value};

use crate::numbers;

/// Speed about which laws pass from stick to slip, m/s or rad/s.
const SPEED: f64 = 0.01;

/// Travel before a joint slips, m or rad.
const TRAVEL: f64 = 1e-3;

/// Time constant of the bristles at rest, s.
const TIME: f64 = 1e-3;

/// A law at a level.
pub(crate) struct FrictionTable {
    /// Its fields, without braces.
    pub(crate) fields: String,
    /// Its largest force over the load, where that is not 1.
    pub(crate) factor: Option<f64>,
}

/// The fields of a law that makes a force of this size (N, or N m at 1 m) under a load of the same size.
pub(crate) fn table(law: &LawCard<'static>, level: f64) -> Result<FrictionTable, String> {
    let needed = law.parameters.iter().filter(|p| needs(p));
    let values: Vec<(String, Value)> = needed
        .map(|p| (p.name.to_string(), value(p, level)))
        .collect();
    let friction = Friction::build(law.name, &values).map_err(|error| error.to_string())?;
    let mut fields = vec![format!("law = \"{}\"", law.name)];
    fields.extend(
        values
            .iter()
            .map(|(name, value)| format!("{name} = {}", text(value))),
    );
    let highest = friction.highest_level();
    Ok(FrictionTable {
        fields: fields.join(", "),
        factor: highest.filter(|highest| (highest - 1.0).abs() > 1e-9),
    })
}

/// What the constants above mean, for the head of the scenario.
pub(crate) fn assumption() -> String {
    format!(
        "static and kinetic level the same, slip from {} rad/s or m/s on, break-away after {} rad or m",
        numbers::number(SPEED),
        numbers::number(TRAVEL)
    )
}

fn needs(parameter: &ParameterCard) -> bool {
    // a static level that is left out earns a warning
    parameter.default == CardDefault::Required || parameter.role == Role::StaticLevel
}

fn value(parameter: &ParameterCard, level: f64) -> Value {
    let per_load = |x: f64| if parameter.per_load() { x } else { x * level };
    let number = match (parameter.role, parameter.typical) {
        (_, Typical::List(list)) => return Value::List(list.to_vec()),
        (_, Typical::Flag(flag)) => return Value::Flag(flag),
        (_, Typical::Curve(_)) => return bristle_laws::friction::typical_value(parameter),
        (Role::Level | Role::StaticLevel, _) => 1.0,
        (Role::StribeckSpeed | Role::StickSpeed | Role::Speed, _) if parameter.is_reciprocal() => {
            1.0 / SPEED
        }
        (Role::StribeckSpeed | Role::StickSpeed | Role::Speed, _) => SPEED,
        (Role::Stiffness, _) => per_load(1.0 / TRAVEL),
        (Role::Damping, _) => per_load(TIME / TRAVEL),
        (Role::Viscous, _) => 0.0,
        (Role::Length, _) => TRAVEL,
        (_, Typical::Number(x)) => x,
    };
    Value::Number(number)
}

fn text(value: &Value) -> String {
    match value {
        Value::Number(x) => numbers::number(*x),
        Value::List(list) => {
            let entries: Vec<String> = list.iter().map(|x| numbers::number(*x)).collect();
            format!("[{}]", entries.join(", "))
        }
        Value::Flag(flag) => flag.to_string(),
        Value::Curve(shape) => format!("\"{}\"", shape.name()),
    }
}
