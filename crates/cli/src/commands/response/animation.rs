//! The periodic motion at the highest point of a curve, for the page: the machine moving, and the
//! loops of its friction.

use bristle_integrate::{State, System as _};
use bristle_mechanics::record::channels;
use bristle_report::Scene;
use bristle_response::ResponseCurve;
use bristle_results::{Channel, ChannelTable, Plot};
use bristle_scenario::Scenario;

use crate::commands::report::scene_of;
use crate::plots;

/// Periods that the page shows, and rows of each.
const PERIODS: usize = 3;
const ROWS: usize = 256;
/// Friction loops on the page, at most.
const LOOPS: usize = 12;

/// What the page shows of a motion.
pub(super) struct ShownMotion {
    /// Hz.
    pub(super) frequency: f64,
    pub(super) scene: Scene,
    pub(super) table: ChannelTable,
    /// Friction over slip and over displacement.
    pub(super) loops: Vec<Plot>,
}

/// The motion at the highest point of a curve, if it was asked for.
pub(super) fn of(scenario: &mut Scenario, curve: &ResponseCurve) -> Option<ShownMotion> {
    let motion = curve.motion.as_ref()?;
    let table = table(scenario, motion.frequency, &motion.states);
    let mut loops = plots::of_scenario(scenario, &table);
    loops.retain(|plot| plot.series.iter().any(|series| series.x != "t"));
    loops.truncate(LOOPS);
    Some(ShownMotion {
        frequency: motion.frequency,
        scene: scene_of(scenario),
        table,
        loops,
    })
}

/// All channels over some periods. Energies since a start mean nothing here.
fn table(scenario: &mut Scenario, frequency: f64, states: &[State]) -> ChannelTable {
    let model = &mut scenario.model;
    let all = channels(model);
    let kept: Vec<usize> = (0..all.len())
        .filter(|&i| !all[i].name.starts_with("energy."))
        .collect();
    let shown = kept.iter().map(|&i| {
        let channel = &all[i];
        Channel::new(&channel.name, &*channel.unit, &*channel.meaning)
    });
    let mut table = ChannelTable::new(shown.collect());
    model.set_frequency(Some(frequency));
    let mut scratch = model.scratch();
    let stride = states.len().div_ceil(ROWS).max(1);
    let mut values = Vec::new();
    let rows = states.iter().step_by(stride).map(|state| {
        model.channel_values(&mut scratch, state, &mut values);
        kept.iter().map(|&i| values[i]).collect()
    });
    let mut rows: Vec<Vec<f64>> = rows.collect();
    for period in 0..PERIODS {
        for row in &mut rows {
            // every row is finite and as long as the channels; one that is not is left out
            let _ = table.push_row(row);
            if let Some(t) = row.first_mut() {
                *t += 1.0 / frequency;
            }
        }
        if period + 1 == PERIODS
            && let Some(first) = rows.first()
        {
            let _ = table.push_row(first);
        }
    }
    model.set_frequency(None);
    table
}
