//! The motions that constraints leave.

use crate::element::Contact;
use crate::model::Model;
use crate::modes::Contacts;
use bristle_integrate::{State, System as _};
use nalgebra::DMatrix;

impl Model {
    /// The motions that keep loops closed and, of stuck contacts, every point where it is on its
    /// plane: a basis, as columns. `None` if all motions do.
    pub fn admissible(&self, state: &State, contacts: Contacts) -> Option<DMatrix<f64>> {
        let mut scratch = self.scratch();
        self.evaluate(state, state.t, &mut scratch);
        let stuck = self.contacts().filter(|_| contacts == Contacts::Stuck);
        let stuck: Vec<&Contact> = stuck.collect();
        let points: usize = stuck.iter().map(|c| 3 * c.points.len()).sum();
        let rows = self.constraints.len() + points;
        if rows == 0 {
            return None;
        }
        let mut fixed = DMatrix::<f64>::zeros(rows, self.dofs);
        let own = self.constraint_jacobian(state);
        fixed.rows_mut(0, own.nrows()).copy_from(&own);
        let mut row = self.constraints.len();
        for contact in stuck {
            for point in &contact.points {
                let frame = &scratch.frames[contact.body.0];
                let place = frame.p + frame.r * point.position;
                for (body, sign) in [(contact.body.0, 1.0), (contact.surface.body.0, -1.0)] {
                    for &dof in &self.chains[body] {
                        let (moved, _) = scratch.motions[dof].of(&place);
                        for k in 0..3 {
                            fixed[(row + k, dof)] += sign * moved[k];
                        }
                    }
                }
                row += 3;
            }
        }
        let eigen = (fixed.transpose() * fixed).symmetric_eigen();
        let largest = eigen.eigenvalues.max();
        let kept: Vec<usize> = (0..self.dofs)
            .filter(|&i| eigen.eigenvalues[i] < 1e-12 * largest)
            .collect();
        Some(eigen.eigenvectors.select_columns(&kept))
    }
}
