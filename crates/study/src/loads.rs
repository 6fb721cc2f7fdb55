//! The load on a point of each contact and on each joint, as one run of a scenario has it.

use std::collections::BTreeMap;

use bristle_results::Result;
use bristle_scenario::Scenario;

use crate::engine::{RunObserver, channels_of, execute};
use crate::law_place::LawPlace;

/// Mean load of a point of each contact, or of a joint (N), by path, over the output times at which it
/// is loaded. What never is has none.
///
/// The scenario is run for it; a run that fails gives the mean up to there.
pub(crate) fn mean_loads(scenario: &Scenario) -> BTreeMap<String, f64> {
    let channels = channels_of(scenario);
    let places = LawPlace::all(&scenario.model).into_iter();
    let entries = places.filter_map(|pair| {
        let name = pair.load_channel();
        let place = channels.iter().position(|channel| channel.name == name)?;
        Some((pair.path(), place, pair.points.max(1) as f64))
    });
    let entries: Vec<(String, usize, f64)> = entries.collect();
    let mut sums = PositiveSums(
        entries
            .iter()
            .map(|(_, place, _)| (*place, 0.0, 0_u32))
            .collect(),
    );
    execute(scenario, &mut sums);
    let mean =
        |((name, _, points), (_, sum, rows)): (&(String, usize, f64), &(usize, f64, u32))| {
            (*rows > 0).then(|| (name.clone(), sum / f64::from(*rows) / points))
        };
    entries.iter().zip(&sums.0).filter_map(mean).collect()
}

/// Place of a channel, sum of its values above zero, and their number.
struct PositiveSums(Vec<(usize, f64, u32)>);

impl RunObserver for PositiveSums {
    fn row(&mut self, values: &[f64]) -> Result<()> {
        for (place, sum, rows) in &mut self.0 {
            if let Some(&force) = values.get(*place)
                && force > 0.0
            {
                *sum += force;
                *rows += 1;
            }
        }
        Ok(())
    }
}
