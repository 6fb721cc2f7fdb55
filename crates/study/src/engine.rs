//! One run: from a scenario to its summary.

use bristle_integrate::Plan;
use bristle_results::Summary;
use bristle_scenario::Scenario;

use crate::execution::Execution;

pub use crate::outcome_summary::advice;
pub use crate::run_observer::{RunObserver, channels_of};

/// Simulates a scenario and sums it up; the rows go to `observer`.
///
/// A run that fails or is stopped has a summary too, of what was computed before. The phrase of
/// the model is left empty.
pub fn execute(scenario: &Scenario, observer: &mut dyn RunObserver) -> Summary {
    execute_with(scenario, &scenario.plan, observer)
}

/// [`execute`] with another plan of the integration; its end is that of the scenario.
pub(crate) fn execute_with(
    scenario: &Scenario,
    plan: &Plan,
    observer: &mut dyn RunObserver,
) -> Summary {
    let mut execution = Execution::with(scenario, *plan);
    execution.advance(scenario, scenario.plan.end_time, observer);
    execution.summary(scenario)
}
