//! What a run that fails says.

use crate::advice::{FINITE_ADVICE, NEWTON_ADVICE, SINGULAR_ADVICE, STEP_ADVICE};
use crate::driver::RunDriver;
use crate::newton::StepFailure;
use crate::state::State;
use crate::system::{Instant, RunError, System};

impl<S: System> RunDriver<'_, S> {
    /// The element or coordinate that a failure at `dof` is about.
    pub(crate) fn blame(&mut self, state: &State, dof: usize) -> String {
        self.system
            .blame(&mut self.run.scratch, &Instant::of(state, 0.0), dof)
    }

    /// The iteration failed at the smallest step.
    pub(crate) fn failed(&mut self, state: &State, step: f64, failure: StepFailure) -> RunError {
        let t = state.t;
        match failure {
            StepFailure::Diverged(dof) => RunError::NotConverged {
                t,
                step,
                element: self.blame(state, dof),
                advice: NEWTON_ADVICE,
            },
            StepFailure::Singular(dof) => RunError::Singular {
                t,
                element: self.blame(state, dof),
                advice: SINGULAR_ADVICE,
            },
            StepFailure::NotFinite(dof) => RunError::NotFinite {
                t,
                element: self.blame(state, dof),
                advice: FINITE_ADVICE,
            },
        }
    }

    /// The error control asks for less than the smallest step.
    pub(crate) fn too_small(&mut self, state: &State, step: f64, worst: usize) -> RunError {
        RunError::StepTooSmall {
            t: state.t,
            step,
            element: self.blame(state, worst),
            advice: STEP_ADVICE,
        }
    }
}
