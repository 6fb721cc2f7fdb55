//! What the parameters of a law mean, by the roles of its card.

use crate::card::Role;
use crate::friction::Friction;
use crate::parameters::Value;

/// Laws of the catalogue that hold any load below break-away, also one that vibrates.
pub const HOLD_ANY_LOAD: [&str; 2] = ["elastoplastic", "gms"];

/// The law that others are compared with.
pub const REFERENCE: &str = "lugre";

impl Friction {
    /// The number with that role, the first one if there are several.
    pub fn number(&self, role: Role) -> Option<f64> {
        let card = self.card();
        self.to_values().into_iter().find_map(|(name, value)| {
            let has_role = card
                .parameters
                .iter()
                .any(|p| p.name == name && p.role == role);
            match value {
                Value::Number(x) if has_role => Some(x),
                _ => None,
            }
        })
    }

    /// Kinetic friction over the normal force: a parameter, or the static level less the drop.
    pub fn kinetic_level(&self) -> Option<f64> {
        let drop = || Some(self.number(Role::StaticLevel)? - self.number(Role::Drop)?);
        self.number(Role::Level).or_else(drop)
    }

    /// The largest force over the normal force: the static level, or the kinetic one where the law
    /// has no other. None for a law with a [`Role::Drop`]: how much of its static level it reaches
    /// depends on its path.
    pub fn highest_level(&self) -> Option<f64> {
        match self.number(Role::Drop) {
            Some(_) => None,
            None => self
                .number(Role::StaticLevel)
                .or_else(|| self.kinetic_level()),
        }
    }

    /// Stiffness of the bristles under a normal force, N/m: a parameter, or the highest level over
    /// a length.
    pub fn stiffness(&self, normal_force: f64) -> Option<f64> {
        let card = self.card();
        let parameter = card.with_role(Role::Stiffness);
        match (self.number(Role::Stiffness), parameter) {
            (Some(x), Some(p)) if p.per_load() => Some(x * normal_force),
            (Some(x), _) => Some(x),
            _ => Some(self.highest_level()? * normal_force / self.number(Role::Length)?),
        }
    }
}
