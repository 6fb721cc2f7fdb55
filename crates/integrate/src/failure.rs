//! What a run that fails says.

use crate::driver::Driver;
use crate::newton::Failure;
use crate::state::State;
use crate::system::{Instant, RunError, System};

const NEWTON_ADVICE: &str =
    "Allow smaller steps (min_step), check the stiffness and the units of this element";
const STEP_ADVICE: &str =
    "Relax the tolerance, lower min_step, or look for a jump in the loads or in a law";
pub(crate) const SINGULAR_ADVICE: &str =
    "Give the body a mass and an inertia, or fix the free direction";
pub(crate) const FINITE_ADVICE: &str = "Check the loads and parameters of this element";

impl<S: System> Driver<'_, S> {
    /// The element or coordinate that a failure at `dof` is about.
    fn blame(&mut self, state: &State, dof: usize) -> String {
        self.system
            .blame(&mut self.scratch, &Instant::of(state, 0.0), dof)
    }

    /// The iteration failed at the smallest step.
    pub(crate) fn failed(&mut self, state: &State, step: f64, failure: Failure) -> RunError {
        let t = state.t;
        match failure {
            Failure::Diverged(dof) => RunError::NotConverged {
                t,
                step,
                element: self.blame(state, dof),
                advice: NEWTON_ADVICE,
            },
            Failure::Singular(dof) => RunError::Singular {
                t,
                element: self.blame(state, dof),
                advice: SINGULAR_ADVICE,
            },
            Failure::NotFinite(dof) => RunError::NotFinite {
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
