//! The joint coordinates that couplings tie.

use super::coupling::CouplingTerm;
use crate::joint::{Coordinate, JointStep};
use crate::model::Model;
use bristle_integrate::Instant;

impl Model {
    /// Value, rate and acceleration of the joint coordinate of a coupling, and its degree of freedom
    /// if it is free.
    pub(crate) fn coupled(
        &self,
        term: &CouplingTerm,
        at: &Instant<'_>,
    ) -> ([f64; 3], Option<usize>) {
        let steps = &self.joints.of_body[term.body.0];
        match steps.get(term.place) {
            Some(JointStep::Slide(_, by) | JointStep::Turn(_, by)) => {
                let dof = match by {
                    Coordinate::Free { v, .. } => Some(*v),
                    Coordinate::Driven { .. } => None,
                };
                (by.jet(at), dof)
            }
            _ => ([0.0; 3], None),
        }
    }

    /// The degree of freedom of a coupled coordinate; a driven one has none.
    pub(crate) fn free_dof(&self, term: &CouplingTerm) -> Option<usize> {
        match self.joints.of_body[term.body.0].get(term.place) {
            Some(
                JointStep::Slide(_, Coordinate::Free { v, .. })
                | JointStep::Turn(_, Coordinate::Free { v, .. }),
            ) => Some(*v),
            _ => None,
        }
    }
}
