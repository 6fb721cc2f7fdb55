//! Closing the loops of a state between two steps.

use super::level::ConstraintLevel;
use crate::model::Model;
use crate::scratch::Scratch;
use bristle_integrate::{Instant, State, System as _, TangentRequest};

/// Corrections: the interpolation of a step is nearly closed, and each squares what is left.
const CORRECTIONS: usize = 3;

impl Model {
    /// Closes the loops of a state that lies between two steps, where interpolation leaves a gap of
    /// the size of the step's error.
    pub(crate) fn settle(&self, scratch: &mut Scratch, state: &mut State) {
        if self.constraints.is_empty() {
            return;
        }
        let (mut unused, mut history) = (vec![0.0; self.unknowns()], state.history.clone());
        let at = Instant::of(state, 0.0);
        let request = TangentRequest::MASS;
        if self
            .factorise(scratch, &at, request, &mut unused, &mut history)
            .is_err()
        {
            return;
        }
        for _ in 0..CORRECTIONS {
            let q = state.q.clone();
            let correction = self.closing(scratch, state, ConstraintLevel::Position);
            self.displace(&q, &correction, &mut state.q);
        }
        let correction = self.closing(scratch, state, ConstraintLevel::Velocity);
        for (v, c) in state.v.iter_mut().zip(&correction) {
            *v += c;
        }
    }

    fn closing(&self, scratch: &mut Scratch, state: &State, level: ConstraintLevel) -> Vec<f64> {
        let at = Instant::of(state, 0.0);
        self.place(&at, &mut scratch.frames, &mut scratch.motions);
        let mut correction = vec![0.0; self.unknowns()];
        let rows = &mut correction[self.dofs..];
        self.constraint_values(&scratch.frames, &at, level, rows);
        for x in rows {
            *x = -*x;
        }
        self.solve(scratch, &mut correction);
        correction[self.dofs..].fill(0.0);
        correction
    }
}
