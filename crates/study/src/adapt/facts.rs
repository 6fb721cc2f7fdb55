//! What the parameters of one law say about a contact, in terms that all laws share.

use bristle_laws::card::Role;
use bristle_laws::{Friction, ParameterCard, Value};

/// A number and how it was found; no words where it is a parameter itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SourcedNumber {
    pub(crate) value: f64,
    pub(crate) from: String,
}

/// Elements side by side, as the laws of Maxwell slip have them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParallelElements {
    /// Stiffness of each, 1/m.
    pub(crate) stiffnesses: Vec<f64>,
    /// Share of each in the level; the sum is 1.
    pub(crate) shares: Vec<f64>,
}

/// What is known of a contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// μ_s.
    pub(crate) static_level: Option<SourcedNumber>,
    /// μ_k.
    pub(crate) kinetic_level: Option<SourcedNumber>,
    /// σ₀, 1/m.
    pub(crate) stiffness: Option<SourcedNumber>,
    /// The elements that make up that stiffness.
    pub(crate) elements: Option<ParallelElements>,
    /// σ₁, s/m.
    pub(crate) damping: Option<SourcedNumber>,
    /// σ₂, s/m.
    pub(crate) viscous: Option<SourcedNumber>,
    /// Over which friction falls from the static to the kinetic level, m/s.
    pub(crate) stribeck: Option<SourcedNumber>,
    /// Below which a law without memory imitates stick, m/s.
    pub(crate) ramp: Option<SourcedNumber>,
    /// Of one point, N.
    pub(crate) normal_force: Option<f64>,
}

/// The parameters of a law with their cards.
struct Parameters<'a> {
    entries: Vec<(&'a ParameterCard, Value)>,
    normal_force: Option<f64>,
}

impl<'a> Parameters<'a> {
    fn of_role(&self, role: Role) -> impl Iterator<Item = (&'a ParameterCard, &Value)> {
        let all = self.entries.iter().map(|(card, value)| (*card, value));
        all.filter(move |(card, _)| card.role == role)
    }

    /// The number with that role, over the normal force; a speed where the parameter is the
    /// reciprocal of one.
    fn fact(&self, role: Role) -> Option<SourcedNumber> {
        let (card, value) = self.of_role(role).find_map(|(card, value)| match value {
            Value::Number(x) if x.is_finite() => Some((card, *x)),
            _ => None,
        })?;
        let name = &*card.name;
        let (value, from) = if card.is_reciprocal() {
            (1.0 / value, format!("1/{name}"))
        } else if card.per_load() {
            (value, name.to_owned())
        } else {
            (value / self.normal_force?, format!("{name}/N"))
        };
        Some(SourcedNumber { value, from })
    }

    fn list(&self, role: Role) -> Option<(&'a ParameterCard, Vec<f64>)> {
        self.of_role(role).find_map(|(card, value)| match value {
            Value::List(list) => Some((card, list.clone())),
            _ => None,
        })
    }

    fn elements(&self) -> Option<ParallelElements> {
        let (card, mut stiffnesses) = self.list(Role::Stiffness)?;
        if !card.per_load() {
            let load = self.normal_force?;
            for k in &mut stiffnesses {
                *k /= load;
            }
        }
        let (_, limits) = self.list(Role::Share)?;
        let sum: f64 = limits.iter().sum();
        let shares = limits.into_iter().map(|w| w / sum).collect();
        Some(ParallelElements {
            stiffnesses,
            shares,
        })
    }

    /// Kinetic friction, or static friction less what it loses.
    fn kinetic_level(&self) -> Option<SourcedNumber> {
        self.fact(Role::Level).or_else(|| {
            let (high, drop) = (self.fact(Role::StaticLevel)?, self.fact(Role::Drop)?);
            Some(SourcedNumber {
                value: high.value - drop.value,
                from: format!("{} − {}", high.from, drop.from),
            })
        })
    }

    /// Static friction; what a law with a drop reaches of it depends on its path.
    fn static_level(&self) -> Option<SourcedNumber> {
        match self.fact(Role::Drop) {
            Some(_) => None,
            None => self.fact(Role::StaticLevel),
        }
    }

    /// The stiffness of `law`, which has these parameters, over the normal force.
    fn stiffness(&self, law: &Friction, level: Option<&SourcedNumber>) -> Option<SourcedNumber> {
        let from = if let Some(fact) = self.fact(Role::Stiffness) {
            fact.from
        } else if let Some((card, _)) = self.list(Role::Stiffness) {
            format!("the sum of {}", card.name)
        } else if self.fact(Role::Drop).is_some() {
            "the stiffness from rest".to_owned()
        } else {
            format!("{}/{}", level?.from, self.fact(Role::Length)?.from)
        };
        let load = self.load_of(law)?;
        let value = law.stiffness(load)? / load;
        Some(SourcedNumber { value, from })
    }

    /// A normal force under which to look at a law: any, unless its stiffness is not per load.
    fn load_of(&self, law: &Friction) -> Option<f64> {
        let card = law.card().with_role(Role::Stiffness);
        if card.is_some_and(|card| !card.per_load()) {
            return self.normal_force;
        }
        Some(1.0)
    }
}

impl SourcedNumber {
    fn times(self, factor: f64, words: &str) -> Self {
        Self {
            value: self.value * factor,
            from: format!("{words} {}", self.from),
        }
    }
}

impl Facts {
    /// What `law` says.
    pub(crate) fn of(law: &Friction, normal_force: Option<f64>) -> Self {
        let card = law.card();
        let values = law.to_values().into_iter();
        let entries = values.filter_map(|(name, value)| {
            let parameter = card.parameters.iter().find(|p| p.name == name)?;
            Some((parameter, value))
        });
        let normal_force = normal_force.filter(|n| n.is_finite() && *n > 0.0);
        let own = Parameters {
            entries: entries.collect(),
            normal_force,
        };
        let (kinetic_level, static_level) = (own.kinetic_level(), own.static_level());
        let (ramp, stribeck) = (own.fact(Role::StickSpeed), own.fact(Role::StribeckSpeed));
        Self {
            stiffness: own.stiffness(law, static_level.as_ref().or(kinetic_level.as_ref())),
            elements: own.elements(),
            damping: own.fact(Role::Damping),
            viscous: own.fact(Role::Viscous),
            ramp: ramp
                .clone()
                .or_else(|| Some(stribeck.clone()?.times(0.1, "a tenth of"))),
            stribeck: stribeck.or_else(|| Some(ramp?.times(10.0, "ten times"))),
            static_level,
            kinetic_level,
            normal_force,
        }
    }

    /// The highest level that is known.
    pub(crate) fn level(&self) -> Option<&SourcedNumber> {
        self.static_level.as_ref().or(self.kinetic_level.as_ref())
    }
}
