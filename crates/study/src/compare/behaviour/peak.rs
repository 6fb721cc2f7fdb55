//! The Stribeck peak: what of it shows in a run.

use bristle_results::format_quantity;

use super::{MeasuredBehaviour, ROWS, RunLevels, short, stick_intervals};
use crate::compare::trace::Trace;
use crate::stribeck_peak::Peak;

/// Part of the way from the kinetic to the static level that break-away reaches.
const BREAK_AWAY: f64 = 0.5;
/// Part of that way by which friction lags behind the steady curve.
const LAG: f64 = 0.2;
/// Part of the run around the first slip in which break-away is looked for.
const AROUND: f64 = 0.05;

/// What shows of the static level when slip begins and when it ends. A law that has a peak never lacks
/// it, whatever the run shows: its break-away depends on the rate of the load, and its return may lag.
pub(super) fn peaks(
    trace: &Trace,
    levels: &RunLevels<'_>,
    first_slip: Option<f64>,
    found: &mut MeasuredBehaviour,
) {
    let Some(slip) = first_slip else { return };
    let run = trace.t.last().copied().unwrap_or(0.0);
    let near = trace.t.iter().zip(&trace.ratio);
    let near = near.filter(|(t, _)| (*t - slip).abs() < AROUND * run);
    let most = near.map(|(_, ratio)| *ratio).fold(0.0, f64::max);
    let remark = match (levels.own, levels.scenario) {
        (None, Some(scenario)) => Some(format!(
            "has no Stribeck peak: it breaks away with friction over normal force at {most:.4}, \
             where the scenario's law has {} before {}",
            short(scenario.highest),
            short(scenario.sliding)
        )),
        (Some(own), _) if most > 0.0 && most < own.at(BREAK_AWAY) => Some(format!(
            "breaks away at {most:.4} and not at its static {}: the load comes faster than friction \
             builds up",
            short(own.highest)
        )),
        (Some(own), _) => lag(trace, levels, own),
        (None, None) => None,
    };
    found.remarks.extend(remark);
}

/// Friction that is still below the steady curve of the law when slip ends: it follows the speed late.
fn lag(trace: &Trace, levels: &RunLevels<'_>, own: Peak) -> Option<String> {
    let steady = levels.steady?;
    let (end, rows) = end_of_slip(trace, levels)?;
    let loaded = rows.filter(|i| trace.ratio[*i] > 0.0);
    let behind = loaded.filter_map(|i| Some((i, steady(trace.speed[i])? - trace.ratio[i])));
    let (row, behind) = behind.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (behind > LAG * (own.highest - own.sliding)).then(|| {
        let ratio = trace.ratio[row];
        format!(
            "shows frictional lag: before it sticks at {}, friction over normal force is {ratio:.4} at {}, \
             where its steady curve has {:.4}",
            format_quantity(end, "s"),
            format_quantity(trace.speed[row], trace.units.speed),
            ratio + behind,
        )
    })
}

/// When the first slip that slows down in several rows ends, and these rows.
fn end_of_slip(
    trace: &Trace,
    levels: &RunLevels<'_>,
) -> Option<(f64, impl Iterator<Item = usize>)> {
    let intervals = stick_intervals(trace, levels.slip_speed);
    let ends = intervals.iter().filter(|interval| interval.start >= ROWS);
    for interval in ends {
        let slow = |i: &usize| trace.speed[*i] < 10.0 * levels.slip_speed;
        let rows: Vec<usize> = (0..interval.start).rev().take_while(slow).collect();
        // what happens between two rows cannot be judged
        if rows.len() >= ROWS {
            return Some((trace.t[interval.start], rows.into_iter()));
        }
    }
    None
}
