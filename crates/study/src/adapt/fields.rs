//! The fields of a law from what is known of a contact.

use bristle_laws::card::Typical;
use bristle_laws::{ParameterCard, Value};

use super::facts::{Fact, Facts};

/// Amplitudes of Bliman and Sorine over the kinetic level, and the ratio of their lengths: those of
/// the typical set of the law's card.
const FIRST_AMPLITUDE: f64 = 2.5;
const SECOND_AMPLITUDE: f64 = 1.5;
const LENGTH_RATIO: f64 = 0.2;
/// Dead zone of a ramp that starts beyond one, over the speed where it ends, as in its card.
const DEAD_ZONE: f64 = 0.1;
/// Break-away deflection of the elasto-plastic law over μ_k/σ₀, as in its card.
const BREAKAWAY: f64 = 0.7;

/// The value of a field and how it was found; nothing if it cannot be derived.
pub(super) fn derive(parameter: &ParameterCard, facts: &Facts) -> Option<(Value, String)> {
    let plain = |fact: &Option<Fact>| {
        let fact = fact.as_ref()?;
        Some((fact.value, fact.from.clone()))
    };
    let (value, how) = match (&*parameter.name, &*parameter.unit) {
        ("kinetic_coefficient", _) => {
            plain(&facts.kinetic_level).or_else(|| plain(&facts.static_level))
        }
        ("static_coefficient", _) => plain(&facts.kinetic_level),
        ("stribeck_velocity", _) => plain(&facts.stribeck),
        (
            "regularisation_velocity"
            | "stiction_velocity"
            | "upper_velocity"
            | "transition_velocity",
            _,
        ) => plain(&facts.ramp),
        ("lower_velocity", _) => multiple(facts.ramp.as_ref(), DEAD_ZONE),
        ("transition_rate", _) => inverse(facts.ramp.as_ref()),
        ("decay_rate", _) => inverse(facts.stribeck.as_ref()),
        ("bristle_stiffness", "1/m") => plain(&facts.stiffness),
        ("bristle_damping", "s/m") => plain(&facts.damping),
        ("viscous_coefficient", "s/m") => plain(&facts.viscous),
        ("bristle_stiffness" | "stick_stiffness" | "tangential_stiffness", "N/m") => {
            loaded(facts.stiffness.as_ref(), facts.normal_force)
        }
        ("bristle_damping" | "stick_damping", "N s/m") => {
            loaded(facts.damping.as_ref(), facts.normal_force)
        }
        ("viscous_coefficient", "N s/m") => loaded(facts.viscous.as_ref(), facts.normal_force),
        ("stiction_displacement", _) => over_stiffness(facts.level(), 1.0, facts),
        ("breakaway_deflection", _) => {
            over_stiffness(facts.kinetic_level.as_ref(), BREAKAWAY, facts)
        }
        ("relaxation_length", _) => over_stiffness(facts.kinetic_level.as_ref(), 1.0, facts),
        ("directional_coefficient", _) => Some((0.0, "alike in both directions".to_owned())),
        ("first_amplitude", _) => multiple(facts.kinetic_level.as_ref(), FIRST_AMPLITUDE),
        ("second_amplitude", _) => multiple(facts.kinetic_level.as_ref(), SECOND_AMPLITUDE),
        ("friction_length", _) => {
            // σ0 = (f1/η − f2)/ε is the stiffness from rest
            let amplitude = FIRST_AMPLITUDE / LENGTH_RATIO - SECOND_AMPLITUDE;
            let (length, how) = over_stiffness(facts.kinetic_level.as_ref(), amplitude, facts)?;
            Some((
                length,
                format!("{how}, which gives that stiffness from rest"),
            ))
        }
        ("element_stiffnesses" | "element_limits" | "element_fractions", _) => {
            return list(parameter, facts);
        }
        _ => None,
    }?;
    (value.is_finite() && parameter.range.contains(value)).then_some((Value::Number(value), how))
}

fn multiple(fact: Option<&Fact>, factor: f64) -> Option<(f64, String)> {
    let fact = fact?;
    Some((factor * fact.value, format!("{factor} {}", fact.from)))
}

fn inverse(fact: Option<&Fact>) -> Option<(f64, String)> {
    let fact = fact?;
    Some((1.0 / fact.value, format!("1/({})", fact.from)))
}

fn loaded(fact: Option<&Fact>, normal_force: Option<f64>) -> Option<(f64, String)> {
    let (fact, load) = (fact?, normal_force?);
    let load_text = bristle_results::format_quantity(load, "N");
    let how = format!(
        "{} times the normal force of a point, {load_text}",
        fact.from
    );
    Some((fact.value * load, how))
}

fn over_stiffness(fact: Option<&Fact>, factor: f64, facts: &Facts) -> Option<(f64, String)> {
    let (fact, stiffness) = (fact?, facts.stiffness.as_ref()?);
    let times = if factor.to_bits() == 1.0_f64.to_bits() {
        String::new()
    } else {
        format!("{factor} ")
    };
    let how = format!("{times}{}/{}", fact.from, stiffness.from);
    Some((factor * fact.value / stiffness.value, how))
}

/// A list of elements: those of the other law, or the typical ones with the same sum.
fn list(parameter: &ParameterCard, facts: &Facts) -> Option<(Value, String)> {
    let own = facts.elements.as_ref();
    let load = || loaded(facts.stiffness.as_ref(), facts.normal_force);
    let (list, sum, from) = match (&*parameter.name, &*parameter.unit) {
        ("element_stiffnesses", "N/m") => {
            let (sum, from) = load()?;
            (own.map(|e| &e.stiffnesses), sum, from)
        }
        ("element_stiffnesses", _) => {
            let fact = facts.stiffness.as_ref()?;
            (own.map(|e| &e.stiffnesses), fact.value, fact.from.clone())
        }
        ("element_limits", _) => {
            let fact = facts.level()?;
            (own.map(|e| &e.shares), fact.value, fact.from.clone())
        }
        _ => (Some(&own?.shares), 1.0, "1".to_owned()),
    };
    let Typical::List(typical) = parameter.typical else {
        return None;
    };
    let (shape, whose) = list.map_or((typical, "typical ones"), |l| (l, "its elements"));
    let total: f64 = shape.iter().sum();
    let list = shape.iter().map(|x| x * sum / total).collect();
    Some((Value::List(list), format!("{whose} with the sum {from}")))
}
