//! What to do about a run that fails.

pub(crate) const NEWTON_ADVICE: &str =
    "Allow smaller steps (min_step), check the stiffness and the units of this element";
pub(crate) const STEP_ADVICE: &str =
    "Relax the tolerance, lower min_step, or look for a jump in the loads or in a law";
pub(crate) const SINGULAR_ADVICE: &str =
    "Give the body a mass and an inertia, or fix the free direction";
pub(crate) const JAM_ADVICE: &str =
    "Bring the load nearer to the guide, lengthen the guide, or lower the friction";
pub(crate) const FINITE_ADVICE: &str = "Check the loads and parameters of this element";
