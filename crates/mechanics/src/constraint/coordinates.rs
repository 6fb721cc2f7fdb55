//! The joint coordinates that couplings tie.

use super::coupling::CouplingTerm;
use crate::joint::{Coordinate, JointStep};
use crate::model::Model;
use bristle_integrate::Instant;

impl Model {
    /// Value, rate and acceleration of the joint coordinate of a coupling.
    pub(crate) fn coupled(&self, term: &CouplingTerm, at: &Instant<'_>) -> [f64; 3] {
        self.coordinate_of(term).map_or([0.0; 3], |by| by.jet(at))
    }

    /// The degree of freedom of a coupled coordinate; a driven one has none.
    pub(crate) fn free_dof(&self, term: &CouplingTerm) -> Option<usize> {
        match self.coordinate_of(term)? {
            Coordinate::Free { v, .. } => Some(*v),
            Coordinate::Driven { .. } => None,
        }
    }

    /// The place of a coupled coordinate among the motions: degrees of freedom, then driven ones.
    pub(super) fn coupled_motion(&self, term: &CouplingTerm) -> Option<usize> {
        self.coordinate_of(term).map(Coordinate::place)
    }

    /// Adds a force against a coupled coordinate to the residual, or to what its drive overcomes.
    pub(super) fn resist(
        &self,
        term: &CouplingTerm,
        force: f64,
        residual: &mut [f64],
        drives: &mut [f64],
    ) {
        let Some(place) = self.coordinate_of(term).map(Coordinate::place) else {
            return;
        };
        match place.checked_sub(self.dofs) {
            None => residual[place] += force,
            Some(drive) => drives[drive] += force,
        }
    }

    fn coordinate_of(&self, term: &CouplingTerm) -> Option<&Coordinate> {
        match self.joints.of_body[term.body.0].get(term.place)? {
            JointStep::Slide(_, by) | JointStep::Turn(_, by) => Some(by),
            JointStep::Ball { .. } | JointStep::Float { .. } => None,
        }
    }
}
