//! Any law, point by point: the type of the law is known outside of the loop.

use super::{Points, Steps};
use crate::friction::LawVisitor;
use crate::law::{FrictionLaw, MAX_STATES};

/// Any law, point by point: the continuous view.
pub(super) struct EachRates<'a, 'b, 'c, const D: usize> {
    pub(super) points: &'a Points<'a, D>,
    pub(super) states: &'a [&'a [f64]],
    pub(super) rates: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

impl<const D: usize> LawVisitor for EachRates<'_, '_, '_, D> {
    type Output = ();

    fn visit<L: FrictionLaw>(self, law: &L) {
        let count = self.states.len();
        let (mut state, mut rates) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
        let (state, rates) = (&mut state[..count], &mut rates[..count]);
        for i in 0..self.points.normal_force.len() {
            for (z, column) in state.iter_mut().zip(self.states) {
                *z = column[i];
            }
            let force = law.rates(&self.points.slip(i), state, rates);
            scatter(rates, self.rates, i);
            scatter(&force, self.force, i);
        }
    }
}

/// Any law, point by point: the update.
pub(super) struct EachUpdate<'a, 'b, 'c, const D: usize> {
    pub(super) steps: &'a Steps<'a, D>,
    pub(super) states: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

impl<const D: usize> LawVisitor for EachUpdate<'_, '_, '_, D> {
    type Output = ();

    fn visit<L: FrictionLaw>(self, law: &L) {
        let count = self.states.len();
        let (mut old, mut new) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
        let (old, new) = (&mut old[..count], &mut new[..count]);
        for i in 0..self.steps.end.normal_force.len() {
            for (z, column) in old.iter_mut().zip(self.states.iter()) {
                *z = column[i];
            }
            let force = law.update(&self.steps.at(i), old, new);
            scatter(new, self.states, i);
            scatter(&force, self.force, i);
        }
    }
}

fn scatter(values: &[f64], columns: &mut [&mut [f64]], i: usize) {
    for (x, column) in values.iter().zip(columns) {
        column[i] = *x;
    }
}
