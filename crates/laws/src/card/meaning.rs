//! What the parameters of a law mean, by the roles of its card.

use crate::card::Role;
use crate::friction::Friction;
use crate::law::slip::Slip;
use crate::parameters::Value;

/// Laws of the catalogue that hold any load below break-away, also one that vibrates.
pub const HOLD_ANY_LOAD: [&str; 2] = ["elastoplastic", "gms"];

/// The law that others are compared with.
pub const REFERENCE: &str = "lugre";

impl Friction {
    /// The number with that role, the first one if there are several.
    pub fn number(&self, role: Role) -> Option<f64> {
        self.values_of(role).find_map(|value| match value {
            Value::Number(x) => Some(x),
            _ => None,
        })
    }

    /// The list with that role.
    pub fn list(&self, role: Role) -> Option<Vec<f64>> {
        self.values_of(role).find_map(|value| match value {
            Value::List(list) => Some(list),
            _ => None,
        })
    }

    fn values_of(&self, role: Role) -> impl Iterator<Item = Value> {
        let parameters = self.card().parameters;
        let values = self.to_values().into_iter();
        values.filter_map(move |(name, value)| {
            let mut of_role = parameters.iter().filter(|p| p.role == role);
            of_role.any(|p| p.name == name).then_some(value)
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
        if let Self::TwoSided(law) = self {
            let [one, other] = [1.0, -1.0].map(|v| law.side(v).highest_level());
            return Some(one?.max(other?));
        }
        match self.number(Role::Drop) {
            Some(_) => None,
            None => self
                .number(Role::StaticLevel)
                .or_else(|| self.kinetic_level()),
        }
    }

    /// Stiffness of the bristles under a normal force, N/m: a parameter, the sum over the elements,
    /// or the highest level over a length; that from rest for a law with a [`Role::Drop`].
    pub fn stiffness(&self, normal_force: f64) -> Option<f64> {
        let of_card = |x: f64| {
            let parameter = self.card().with_role(Role::Stiffness)?;
            Some(if parameter.per_load() {
                x * normal_force
            } else {
                x
            })
        };
        let sum = || self.list(Role::Stiffness).map(|list| list.iter().sum());
        if let Some(x) = self.number(Role::Stiffness).or_else(sum) {
            return of_card(x);
        }
        let length = self.number(Role::Length)?;
        match self.highest_level() {
            Some(level) => Some(level * normal_force / length),
            None => Some(self.stiffness_from_rest(normal_force)),
        }
    }

    /// How the force grows with the first travel from the state at the start, N/m.
    fn stiffness_from_rest(&self, normal_force: f64) -> f64 {
        let slip = Slip::new([0.0], normal_force);
        let mut state = vec![0.0; self.layout().len(1)];
        self.start(&slip, &mut state);
        let slopes = self.jacobian(&slip, &state);
        let by_state = slopes.force_state.iter().zip(&slopes.rate_velocity);
        by_state.map(|([force], [rate])| force * rate).sum()
    }
}
