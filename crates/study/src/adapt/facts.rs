//! What the parameters of one law say about a contact, in terms that all laws share.

use bristle_laws::{Friction, Value};

/// A number and how it was found; no words where it is a parameter itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fact {
    pub(crate) value: f64,
    pub(crate) from: String,
}

/// Elements side by side, as the laws of Maxwell slip have them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Elements {
    /// Stiffness of each, 1/m.
    pub(crate) stiffnesses: Vec<f64>,
    /// Share of each in the level; the sum is 1.
    pub(crate) shares: Vec<f64>,
}

/// What is known of a contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// μ_s.
    pub(crate) static_level: Option<Fact>,
    /// μ_k.
    pub(crate) kinetic_level: Option<Fact>,
    /// σ₀, 1/m.
    pub(crate) stiffness: Option<Fact>,
    /// The elements that make up that stiffness.
    pub(crate) elements: Option<Elements>,
    /// σ₁, s/m.
    pub(crate) damping: Option<Fact>,
    /// σ₂, s/m.
    pub(crate) viscous: Option<Fact>,
    /// Over which friction falls from the static to the kinetic level, m/s.
    pub(crate) stribeck: Option<Fact>,
    /// Below which a law without memory imitates stick, m/s.
    pub(crate) ramp: Option<Fact>,
    /// Of one point, N.
    pub(crate) normal_force: Option<f64>,
}

/// The parameters of a law by name and unit.
struct Parameters<'a> {
    entries: Vec<(&'a str, &'a str, Value)>,
    normal_force: Option<f64>,
}

impl Parameters<'_> {
    fn number(&self, name: &str, unit: &str) -> Option<f64> {
        self.entries
            .iter()
            .find_map(|(known, own, value)| match value {
                Value::Number(x) if *known == name && *own == unit && x.is_finite() => Some(*x),
                _ => None,
            })
    }

    fn fact(&self, name: &str, unit: &str) -> Option<Fact> {
        let value = self.number(name, unit)?;
        let from = name.to_owned();
        Some(Fact { value, from })
    }

    /// A parameter of the given unit, over the normal force.
    fn per_load(&self, name: &str, unit: &str) -> Option<Fact> {
        let (value, load) = (self.number(name, unit)?, self.normal_force?);
        Some(Fact {
            value: value / load,
            from: format!("{name}/N"),
        })
    }

    /// A parameter of the given unit, inverted.
    fn inverse(&self, name: &str, unit: &str) -> Option<Fact> {
        let value = self.number(name, unit)?;
        Some(Fact {
            value: 1.0 / value,
            from: format!("1/{name}"),
        })
    }

    fn list(&self, name: &str, unit: &str) -> Option<Vec<f64>> {
        self.entries
            .iter()
            .find_map(|(known, own, value)| match value {
                Value::List(list) if *known == name && *own == unit => Some(list.clone()),
                _ => None,
            })
    }

    fn elements(&self) -> Option<Elements> {
        let stiffnesses = self.list("element_stiffnesses", "1/m").or_else(|| {
            let (list, load) = (self.list("element_stiffnesses", "N/m")?, self.normal_force?);
            Some(list.into_iter().map(|k| k / load).collect())
        })?;
        let limits = self
            .list("element_limits", "1")
            .or_else(|| self.list("element_fractions", "1"))?;
        let sum: f64 = limits.iter().sum();
        let shares = limits.into_iter().map(|w| w / sum).collect();
        Some(Elements {
            stiffnesses,
            shares,
        })
    }
}

impl Fact {
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
            Some((&*parameter.name, &*parameter.unit, value))
        });
        let normal_force = normal_force.filter(|n| n.is_finite() && *n > 0.0);
        let own = Parameters {
            entries: entries.collect(),
            normal_force,
        };
        let kinetic_level = own.fact("kinetic_coefficient", "1").or_else(|| {
            let (first, second) = (
                own.number("first_amplitude", "1"),
                own.number("second_amplitude", "1"),
            );
            Some(Fact {
                value: first? - second?,
                from: "first_amplitude − second_amplitude".to_owned(),
            })
        });
        let static_level = own.fact("static_coefficient", "1");
        let ramp = own
            .fact("regularisation_velocity", "m/s")
            .or_else(|| own.fact("stiction_velocity", "m/s"))
            .or_else(|| own.fact("upper_velocity", "m/s"))
            .or_else(|| own.fact("transition_velocity", "m/s"))
            .or_else(|| own.inverse("transition_rate", "s/m"));
        let stribeck = own
            .fact("stribeck_velocity", "m/s")
            .or_else(|| own.inverse("decay_rate", "s/m"));
        let elements = own.elements();
        Self {
            stiffness: stiffness(
                &own,
                elements.as_ref(),
                static_level.as_ref().or(kinetic_level.as_ref()),
            ),
            elements,
            damping: own
                .fact("bristle_damping", "s/m")
                .or_else(|| own.per_load("bristle_damping", "N s/m"))
                .or_else(|| own.per_load("stick_damping", "N s/m")),
            viscous: own
                .fact("viscous_coefficient", "s/m")
                .or_else(|| own.per_load("viscous_coefficient", "N s/m")),
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
    pub(crate) fn level(&self) -> Option<&Fact> {
        self.static_level.as_ref().or(self.kinetic_level.as_ref())
    }
}

fn stiffness(
    own: &Parameters<'_>,
    elements: Option<&Elements>,
    level: Option<&Fact>,
) -> Option<Fact> {
    own.fact("bristle_stiffness", "1/m")
        .or_else(|| own.per_load("bristle_stiffness", "N/m"))
        .or_else(|| own.per_load("stick_stiffness", "N/m"))
        .or_else(|| own.per_load("tangential_stiffness", "N/m"))
        .or_else(|| {
            Some(Fact {
                value: elements?.stiffnesses.iter().sum(),
                from: "the sum of element_stiffnesses".to_owned(),
            })
        })
        .or_else(|| {
            let (level, length) = (level?, own.number("stiction_displacement", "m")?);
            Some(Fact {
                value: level.value / length,
                from: format!("{}/stiction_displacement", level.from),
            })
        })
        .or_else(|| {
            let (level, length) = (level?, own.number("relaxation_length", "m")?);
            Some(Fact {
                value: level.value / length,
                from: format!("{}/relaxation_length", level.from),
            })
        })
        .or_else(|| {
            let f_1 = own.number("first_amplitude", "1")?;
            let f_2 = own.number("second_amplitude", "1")?;
            let (eta, length) = (
                own.number("length_ratio", "1")?,
                own.number("friction_length", "m")?,
            );
            Some(Fact {
                value: (f_1 / eta - f_2) / length,
                from: "(first_amplitude/length_ratio − second_amplitude)/friction_length"
                    .to_owned(),
            })
        })
}
