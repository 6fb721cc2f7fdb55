//! Integrating from a state to an end.

use crate::integration::{Course, Integration};
use crate::observer::{Flow, Observer, Statistics};
use crate::plan::Plan;
use crate::state::State;
use crate::system::{RunError, System};

/// Integrates from `state` to the end time; `state` is left at the last accepted step.
///
/// # Errors
/// [`RunError`], with the statistics so far; everything accepted was observed.
pub fn run<S: System, O: Observer<S>>(
    system: &S,
    plan: &Plan,
    state: &mut State,
    observer: &mut O,
) -> Result<Statistics, (RunError, Statistics)> {
    let on = Course { system, plan };
    let mut integration = Integration::new(system, plan);
    let outcome = match integration.begin(&on, state, observer) {
        Ok(Flow::Continue) => integration.advance(&on, state, observer, plan.end_time),
        other => other,
    };
    match outcome {
        Ok(_) => Ok(integration.statistics()),
        Err(error) => Err((error, integration.statistics())),
    }
}
