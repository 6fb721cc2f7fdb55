//! The fields of a law from what is known of a contact.
//!
//! What has no counterpart keeps its proportions in the typical set of the law's card: levels over
//! the kinetic one, speeds over that of the ramp, lengths over a level and a stiffness.

use bristle_laws::card::{ParameterKind, Relation, Role, Typical};
use bristle_laws::{Friction, LawCard, ParameterCard, Value, friction};

use super::facts::{Facts, SourcedNumber};

/// A law whose fields are wanted.
pub(super) struct TargetLaw {
    /// What its typical set says of a contact with 1 N.
    typical: Facts,
}

impl TargetLaw {
    /// The law of a card.
    pub(super) fn of(card: &LawCard) -> Self {
        let law = Friction::build(card.name, &friction::typical(card)).ok();
        let typical = law.map(|law| Facts::of(&law, Some(1.0)));
        Self {
            typical: typical.unwrap_or_default(),
        }
    }

    /// The value of a field and how it was found; nothing if it cannot be derived.
    pub(super) fn derive(
        &self,
        parameter: &ParameterCard,
        facts: &Facts,
    ) -> Option<(Value, String)> {
        if parameter.kind == ParameterKind::List {
            return list(parameter, facts);
        }
        let kinetic = facts.kinetic_level.as_ref();
        let (value, how) = match parameter.role {
            Role::Level => plain(kinetic.or(facts.static_level.as_ref())),
            Role::StaticLevel | Role::Drop => {
                in_proportion(parameter, self.typical.kinetic_level.as_ref(), kinetic)
            }
            Role::LevelDifference => Some((0.0, "alike in both directions".to_owned())),
            Role::StribeckSpeed => speed(parameter, facts.stribeck.as_ref()),
            Role::StickSpeed => speed(parameter, facts.ramp.as_ref()),
            Role::Speed => {
                in_proportion(parameter, self.typical.ramp.as_ref(), facts.ramp.as_ref())
            }
            Role::Stiffness => loaded(parameter, facts.stiffness.as_ref(), facts.normal_force),
            Role::Damping => loaded(parameter, facts.damping.as_ref(), facts.normal_force),
            Role::Viscous => loaded(parameter, facts.viscous.as_ref(), facts.normal_force),
            Role::Length => self.length(parameter, facts),
            Role::Share | Role::Time | Role::Shape => None,
        }?;
        let sound = value.is_finite() && parameter.range.contains(value);
        sound.then_some((Value::Number(value), how))
    }

    /// A length that is to a level over the stiffness as in the typical set.
    fn length(&self, parameter: &ParameterCard, facts: &Facts) -> Option<(f64, String)> {
        // a length with a bound ends below sliding
        let sliding = parameter.relation != Relation::Free || self.typical.static_level.is_none();
        let level = |facts: &Facts| {
            let level = if sliding {
                facts.kinetic_level.as_ref()
            } else {
                facts.level()
            };
            let (level, stiffness) = (level?, facts.stiffness.as_ref()?);
            Some(SourcedNumber {
                value: level.value / stiffness.value,
                from: format!("{}/{}", level.from, stiffness.from),
            })
        };
        in_proportion(
            parameter,
            level(&self.typical).as_ref(),
            level(facts).as_ref(),
        )
    }
}

fn plain(fact: Option<&SourcedNumber>) -> Option<(f64, String)> {
    let fact = fact?;
    Some((fact.value, fact.from.clone()))
}

/// A value that is to `fact` as the typical one is to `typical`.
fn in_proportion(
    parameter: &ParameterCard,
    typical: Option<&SourcedNumber>,
    fact: Option<&SourcedNumber>,
) -> Option<(f64, String)> {
    let (Typical::Number(x), typical, fact) = (parameter.typical, typical?, fact?) else {
        return None;
    };
    // short numbers of the card make a short factor
    let factor: f64 = format!("{:.9e}", x / typical.value).parse().ok()?;
    if factor.to_bits() == 1.0_f64.to_bits() {
        return plain(Some(fact));
    }
    Some((factor * fact.value, format!("{factor} {}", fact.from)))
}

fn speed(parameter: &ParameterCard, fact: Option<&SourcedNumber>) -> Option<(f64, String)> {
    let fact = fact?;
    if parameter.is_reciprocal() {
        return Some((1.0 / fact.value, format!("1/({})", fact.from)));
    }
    plain(Some(fact))
}

/// A value of the contact itself, from one of a unit of normal force.
fn loaded(
    parameter: &ParameterCard,
    fact: Option<&SourcedNumber>,
    normal_force: Option<f64>,
) -> Option<(f64, String)> {
    if parameter.per_load() {
        return plain(fact);
    }
    let (fact, load) = (fact?, normal_force?);
    let load_text = bristle_results::format_quantity(load, "N");
    let how = format!(
        "{} times the normal force of a point, {load_text}",
        fact.from
    );
    Some((fact.value * load, how))
}

/// A list of elements: those of the other law, or the typical ones with the same sum.
fn list(parameter: &ParameterCard, facts: &Facts) -> Option<(Value, String)> {
    let own = facts.elements.as_ref();
    let (list, (sum, from)) = match (parameter.role, parameter.relation) {
        (Role::Stiffness, _) => (
            own.map(|e| &e.stiffnesses),
            loaded(parameter, facts.stiffness.as_ref(), facts.normal_force)?,
        ),
        (Role::Share, Relation::SumNotBelow(_)) => (own.map(|e| &e.shares), plain(facts.level())?),
        (Role::Share, _) => (Some(&own?.shares), (1.0, "1".to_owned())),
        _ => return None,
    };
    let Typical::List(typical) = parameter.typical else {
        return None;
    };
    let (shape, whose) = list.map_or((typical, "typical ones"), |l| (l, "its elements"));
    let total: f64 = shape.iter().sum();
    let list = shape.iter().map(|x| x * sum / total).collect();
    Some((Value::List(list), format!("{whose} with the sum {from}")))
}
