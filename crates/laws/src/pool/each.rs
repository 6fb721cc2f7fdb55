//! Any law, point by point: the type of the law is known outside of the loop.

use super::{Points, Steps};
use crate::friction::LawVisitor;
use crate::law::{FrictionLaw, MAX_STATES};

/// Points that are gathered from the columns together. A law that reads two numbers of its state
/// at once right after they were stored one by one would wait for the stores.
const ROWS: usize = 16;

/// The states of some points, a row each.
type StateRows = [[f64; MAX_STATES]; ROWS];

const ZERO: StateRows = [[0.0; MAX_STATES]; ROWS];

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
        let (count, n) = (self.states.len(), self.points.normal_force.len());
        let (mut states, mut rates, mut force) = (ZERO, ZERO, [[0.0; D]; ROWS]);
        for from in (0..n).step_by(ROWS) {
            let rows = ROWS.min(n - from);
            gather(self.states, from, &mut states[..rows]);
            let slips: [_; ROWS] =
                std::array::from_fn(|i| self.points.slip(from + i.min(rows - 1)));
            for i in 0..rows {
                force[i] = law.rates(&slips[i], &states[i][..count], &mut rates[i][..count]);
            }
            scatter(&rates[..rows], self.rates, from);
            scatter(&force[..rows], self.force, from);
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
        let (count, n) = (self.states.len(), self.steps.end.normal_force.len());
        let (mut old, mut new, mut force) = (ZERO, ZERO, [[0.0; D]; ROWS]);
        for from in (0..n).step_by(ROWS) {
            let rows = ROWS.min(n - from);
            gather(self.states, from, &mut old[..rows]);
            let steps: [_; ROWS] = std::array::from_fn(|i| self.steps.at(from + i.min(rows - 1)));
            for i in 0..rows {
                force[i] = law.update(&steps[i], &old[i][..count], &mut new[i][..count]);
            }
            scatter(&new[..rows], self.states, from);
            scatter(&force[..rows], self.force, from);
        }
    }
}

/// Fills rows from columns.
fn gather<C: AsRef<[f64]>>(columns: &[C], from: usize, rows: &mut [[f64; MAX_STATES]]) {
    for (k, column) in columns.iter().enumerate() {
        for (row, x) in rows.iter_mut().zip(&column.as_ref()[from..]) {
            row[k] = *x;
        }
    }
}

/// Fills columns from rows.
fn scatter<const W: usize>(rows: &[[f64; W]], columns: &mut [&mut [f64]], from: usize) {
    for (k, column) in columns.iter_mut().enumerate() {
        for (row, x) in rows.iter().zip(&mut column[from..]) {
            *x = row[k];
        }
    }
}
