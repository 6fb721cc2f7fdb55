//! How the coordinates that elements act on follow the motions of the tree.

use crate::kinematics::Motion;
use crate::model::{CouplingPlacement, LoopPlacement, Model};
use crate::scratch::Scratch;
use bristle_integrate::{State, System as _};
use nalgebra::{DMatrix, DVector, RowDVector};

impl Model {
    /// G = ∂Φ/∂q of the loops and rigid couplings at a state: a row for every multiplier, in m or 1 per
    /// unit of the degree of freedom.
    pub fn constraint_jacobian(&self, state: &State) -> DMatrix<f64> {
        let mut scratch = self.scratch();
        self.place_state(state, state.t, &mut scratch);
        let mut rows = DMatrix::zeros(self.constraints.len(), self.dofs);
        let Scratch {
            frames, motions, ..
        } = &scratch;
        self.jacobian_entries(frames, motions, |row, dof, x| {
            rows[(row - self.dofs, dof)] += x;
        });
        rows
    }

    /// Sets the multipliers of a state with its accelerations to those that hold its loops: they take what
    /// the equations of motion leave along the constraints, λ ← λ + (G Gᵀ)⁻¹ G r.
    pub fn balance_multipliers(&self, scratch: &mut Scratch, state: &mut State) {
        if self.constraints.is_empty() {
            return;
        }
        self.evaluate(state, state.t, scratch);
        let left = DVector::from_column_slice(&scratch.residual[..self.dofs]);
        let rows = self.constraint_jacobian(state);
        let square = &rows * rows.transpose();
        let added = square.cholesky().map(|square| square.solve(&(rows * left)));
        for (multiplier, added) in state.a[self.dofs..].iter_mut().zip(added.iter().flatten()) {
            *multiplier += added;
        }
    }

    /// The rate of the single coordinate of an element, per rate of every motion: degrees of freedom, then
    /// driven coordinates. `None` of an element that acts on no single coordinate.
    pub(crate) fn element_row(&self, element: usize, scratch: &Scratch) -> Option<RowDVector<f64>> {
        let mut row = RowDVector::zeros(self.motions());
        let own = self.joint_elements.iter().find(|p| p.element == element);
        if let Some(placement) = own {
            row[placement.motion] = 1.0;
            return Some(row);
        }
        let of_loop = self.loop_elements.iter().find(|p| p.element == element);
        if let Some(placement) = of_loop {
            self.add_loop_row(placement, scratch, &mut row);
            return Some(row);
        }
        let of_coupling = self.coupling_elements.iter();
        let placement = of_coupling.into_iter().find(|p| p.element == element)?;
        self.add_coupling_row(placement, &mut row);
        Some(row)
    }

    fn add_loop_row(&self, of: &LoopPlacement, scratch: &Scratch, row: &mut RowDVector<f64>) {
        let own = &self.constraints.loops[of.of_loop];
        let unit = self.loop_wrenches(of, &scratch.frames);
        // by virtual work: what a force of 1 does in a motion is the rate of its coordinate
        for (end, wrench) in [own.from.body, own.to.body].iter().zip(&unit) {
            let place = &scratch.frames[end.0].p;
            for column in self.columns_of(end.0) {
                let motion: &Motion = &scratch.motions[column];
                row[column] += motion.force(place, wrench);
            }
        }
    }

    fn add_coupling_row(&self, of: &CouplingPlacement, row: &mut RowDVector<f64>) {
        let coupling = &self.constraints.couplings[of.coupling];
        let levers = coupling.slip.iter().flat_map(|slip| &slip.by_terms);
        for (term, lever) in coupling.terms.iter().zip(levers) {
            if let Some(motion) = self.coupled_motion(term) {
                row[motion] += lever;
            }
        }
    }
}
