//! Friction on the faces of couplings.

use super::coupling::CouplingSlip;
use super::rows::RowOwner;
use crate::element::{JointFriction, JointInput};
use crate::frame::Vec3;
use crate::model::{CouplingPlacement, Model};
use crate::scratch::{JointSlope, Scratch};
use bristle_integrate::Instant;

impl Model {
    /// What an element on a coupling is given; its multiplier stands for the reaction, with the sign
    /// of the force on the driven coordinate along the slip.
    pub(crate) fn coupling_input<'a>(
        &self,
        at: &Instant<'a>,
        placement: &CouplingPlacement,
    ) -> Option<JointInput<'a>> {
        let (own, multiplier) = (
            &self.constraints.couplings[placement.coupling],
            self.multiplier(placement),
        );
        let slip = own.slip.as_ref()?;
        let mut jet = [0.0; 2];
        for (term, b) in own.terms.iter().zip(&slip.by_terms) {
            let of = self.coupled(term, at);
            jet[0] += b * of[0];
            jet[1] += b * of[1];
        }
        let history = at.history.get(self.history_range(placement.element));
        let load = multiplier.map_or(0.0, |row| own.load_along_slip() * at.a[row]);
        Some(JointInput {
            t: at.t,
            step: at.step,
            stage: at.stage,
            coordinate: jet[0],
            rate: jet[1],
            axis: Vec3::zeros(),
            reaction_force: Vec3::new(load, 0.0, 0.0),
            reaction_moment: Vec3::zeros(),
            history: history.unwrap_or_default(),
        })
    }

    /// The place of a coupling's multiplier among the unknowns.
    fn multiplier(&self, placement: &CouplingPlacement) -> Option<usize> {
        let mut rows = self
            .constraints
            .rows_of(RowOwner::Coupling(placement.coupling));
        rows.next().map(|row| self.dofs + row)
    }

    /// Forces against the slip of couplings, on the coordinates that they couple.
    ///
    /// The load is an unknown of the step, and near self-locking the friction follows it nearly one
    /// to one: its slope by the multiplier belongs to the tangent.
    pub(crate) fn apply_coupling_elements(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        history: &mut [f64],
        residual: &mut [f64],
    ) {
        for placement in &self.coupling_elements {
            let element = &self.elements[placement.element];
            if scratch.leaves_joint_friction_out && element.downcast::<JointFriction>().is_some() {
                continue;
            }
            let input = self.coupling_input(at, placement);
            let Some((element, input)) = element.on_joint().zip(input) else {
                continue;
            };
            let own = &mut history[self.history_range(placement.element)];
            let answer = element.apply(&input, own, scratch.weights);
            let by_multiplier = answer.by_reaction * input.reaction_force.x.signum();
            let coupling = &self.constraints.couplings[placement.coupling];
            let Some(CouplingSlip { by_terms, .. }) = &coupling.slip else {
                continue;
            };
            let levers = coupling.terms.iter().zip(by_terms);
            for (term, b) in levers.clone() {
                self.resist(term, b * answer.force, residual, &mut scratch.drive_forces);
            }
            let levers = levers.filter_map(|(term, b)| Some((self.free_dof(term)?, *b)));
            for (row, b) in levers.clone() {
                for (column, other) in levers.clone() {
                    let slope = b * other * answer.slope;
                    scratch.joint_slopes.push(JointSlope { row, column, slope });
                }
                if let Some(column) = self.multiplier(placement) {
                    let slope = b * by_multiplier * coupling.load_along_slip();
                    scratch.joint_slopes.push(JointSlope { row, column, slope });
                }
            }
        }
    }

    /// Sets the history of the elements on couplings up, for the multipliers of an instant.
    pub(crate) fn start_coupling_elements(&self, at: &Instant<'_>, history: &mut [f64]) {
        for placement in &self.coupling_elements {
            let element = self.elements[placement.element].on_joint();
            if let Some((element, input)) = element.zip(self.coupling_input(at, placement)) {
                element.start(&input, &mut history[self.history_range(placement.element)]);
            }
        }
    }
}
