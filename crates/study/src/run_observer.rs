//! Who follows a run, and what it sees.

use bristle_integrate::Flow;
use bristle_mechanics::record::channels;
use bristle_results::{Channel, Result};
use bristle_scenario::Scenario;

/// Follows a run of a scenario, and may end it.
pub trait RunObserver {
    /// The values of all channels at an output time; they are finite.
    ///
    /// # Errors
    /// If the results cannot go on; the run ends and its summary says why.
    fn row(&mut self, values: &[f64]) -> Result<()>;

    /// Whether it takes the values at the end of every accepted step as well.
    fn takes_steps(&self) -> bool {
        false
    }

    /// The values of all channels at the end of an accepted step, if it takes them; they are finite.
    fn step_row(&mut self, _values: &[f64]) {}

    /// After every accepted step: the model time (s). May end the run.
    fn step(&mut self, _t: f64) -> Flow {
        Flow::Continue
    }
}

/// The channels of a scenario's results; the first one is the time.
pub fn channels_of(scenario: &Scenario) -> Vec<Channel> {
    channels(&scenario.model)
        .into_iter()
        .map(|channel| Channel::new(channel.name, channel.unit, channel.meaning))
        .collect()
}
