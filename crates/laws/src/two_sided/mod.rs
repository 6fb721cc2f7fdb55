//! A law with numbers of its own for negative velocities: guideways, seals and gears that move more
//! easily one way than the other.
//!
//! Levels, Stribeck velocity and viscous coefficient may differ; stiffness and damping of the
//! bristles, and so the states, are those of the pair itself. Which side holds is a matter of the
//! sign of one number, so such a law has one dimension of slip.

mod build;
mod law;

pub(crate) use build::build;

use crate::card::{LawCard, ParameterCard};
use crate::friction::Friction;
use crate::law::Sides;
use crate::law::slip::Slip;
use crate::numbers::scalar::Scalar;
use crate::parameters::{ParameterError, Values};
use std::sync::Arc;

/// A law with numbers of its own for negative velocities:
///
/// $$ F(v, N, z) = \begin{cases} F_+(v, N, z) & v \ge 0\\ F_-(v, N, z) & v < 0 \end{cases}, \qquad
///    \dot z = \begin{cases} \dot z_+(v, N, z) & v \ge 0\\ \dot z_-(v, N, z) & v < 0 \end{cases} $$
///
/// Both sides are the same law with the same states z. An update moves the states by the side of
/// the mean slip velocity and takes the force from the side of the velocity at its end. Within the
/// dead zone of a law that answers the applied force, the side is that of this force.
#[derive(Clone, Debug)]
pub struct TwoSided<P = f64> {
    /// The law for positive velocities and at rest, and the one for negative velocities.
    laws: Box<[Friction<P>; 2]>,
    sides: Sides,
    /// Half width of the dead zone in which the applied force decides, m/s; below 0 without one.
    dead_zone: f64,
    /// The parameters of the law, then those for negative velocities that it has.
    cards: Arc<[ParameterCard]>,
}

impl<P> TwoSided<P> {
    /// The law for this velocity.
    pub fn side(&self, velocity: f64) -> &Friction<P> {
        &self.laws[usize::from(velocity < 0.0)]
    }

    /// The parameters for negative velocities.
    fn own(&self) -> impl Iterator<Item = (&str, &ParameterCard)> {
        let cards = self.cards.iter();
        cards.filter_map(|card| Some((card.base_name()?, card)))
    }
}

impl<P: Scalar> TwoSided<P> {
    /// The side at an instant.
    fn at<T: Scalar, const D: usize>(&self, slip: &Slip<T, D>) -> &Friction<P> {
        if D != 1 {
            return &self.laws[0];
        }
        let velocity = slip.velocity[0].value();
        if velocity.abs() <= self.dead_zone {
            self.side(slip.applied[0].value())
        } else {
            self.side(velocity)
        }
    }
}

impl TwoSided {
    /// The parameters, which the law has by name.
    pub(crate) fn parameters(&self) -> &Self {
        self
    }

    /// The values by name: those of positive velocities, then those of negative ones that differ.
    pub(crate) fn to_values(&self) -> Values {
        let [mut all, negative] = [0, 1].map(|side| self.laws[side].to_values());
        for (base, card) in self.own() {
            let value = negative.iter().find(|(name, _)| name == base);
            all.extend(value.map(|(_, value)| (card.name.to_string(), value.clone())));
        }
        all
    }

    /// The same law with parameters of another type: `number` gets the field, the element in a
    /// list, and the value.
    ///
    /// # Errors
    /// If the new values contradict each other.
    pub(crate) fn with_numbers<Q: Scalar>(
        &self,
        number: &mut dyn FnMut(&str, usize, f64) -> Q,
    ) -> Result<TwoSided<Q>, ParameterError> {
        let positive = self.laws[0].with_parameters(number)?;
        let negative = self.laws[1].with_parameters(&mut |name, element, x| {
            let own = self.own().find(|(base, _)| *base == name);
            number(own.map_or(name, |(_, card)| &card.name), element, x)
        })?;
        Ok(TwoSided {
            laws: Box::new([positive, negative]),
            sides: self.sides,
            dead_zone: self.dead_zone,
            cards: Arc::clone(&self.cards),
        })
    }

    /// What the cards of all such laws share.
    const SHARED: LawCard<'static> = LawCard {
        name: "two_sided",
        title: "A law with numbers of its own for negative velocities",
        summary: "",
        equations: &[],
        parameters: &[],
        states: &[],
        behaviour: &[],
        reproduces: &[],
        cannot: &[],
        source: "",
        remarks: "",
        printed: None,
    };
}
