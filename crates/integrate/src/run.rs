//! Integrating from a state to an end.

use crate::driver::RunDriver;
use crate::observer::{Observer, Statistics};
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
    let mut driver = RunDriver::new(system, plan);
    let outcome = driver.run(state, observer);
    driver.statistics.iterations += driver.trial.iterations;
    match outcome {
        Ok(()) => Ok(driver.statistics),
        Err(error) => Err((error, driver.statistics)),
    }
}
