//! The Stribeck peak: whether a law has one, and what of it shows in a run.

use bristle_laws::Friction;
use bristle_results::format_quantity;

use super::{MeasuredBehaviour, ROWS, RunLevels, short, stick_intervals};
use crate::adapt::Facts;
use crate::compare::trace::Trace;

/// A smaller difference of the levels is no peak.
const DIFFERENCE: f64 = 0.02;
/// Part of the way from the kinetic to the static level that break-away reaches.
const BREAK_AWAY: f64 = 0.5;
/// Part of that way by which friction lags behind the steady curve.
const LAG: f64 = 0.2;
/// Part of the run around the first slip in which break-away is looked for.
const AROUND: f64 = 0.05;
/// Speeds at which a curve is looked at, m/s: from 10^first to 10^last, so many to a decade.
const DECADES: (i32, i32) = (-7, 1);
const PER_DECADE: i32 = 30;

/// The levels of friction over load before and after break-away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Peak {
    /// μ_s.
    pub(crate) highest: f64,
    /// μ_k.
    pub(crate) sliding: f64,
}

impl Peak {
    /// That of a law under a load (N): from its parameters, else from its steady curve; `None` where
    /// friction does not fall.
    pub(crate) fn of(law: &Friction, load: f64) -> Option<Self> {
        let facts = Facts::of(law, Some(load));
        let known = facts.static_level.zip(facts.kinetic_level);
        let peak = match known {
            Some((highest, sliding)) => Self {
                highest: highest.value,
                sliding: sliding.value,
            },
            None => Self::of_curve(law, load)?,
        };
        (peak.highest > (1.0 + DIFFERENCE) * peak.sliding).then_some(peak)
    }

    /// The largest fall of the steady curve with the speed.
    fn of_curve(law: &Friction, load: f64) -> Option<Self> {
        let speeds = DECADES.0 * PER_DECADE..=DECADES.1 * PER_DECADE;
        let speeds = speeds.map(|i| 10.0_f64.powf(f64::from(i) / f64::from(PER_DECADE)));
        let mut found: Option<Self> = None;
        let mut highest = f64::NEG_INFINITY;
        for speed in speeds {
            let sliding = law.steady(speed, load)? / load;
            highest = highest.max(sliding);
            if found.is_none_or(|peak| highest - sliding > peak.highest - peak.sliding) {
                found = Some(Self { highest, sliding });
            }
        }
        found
    }

    /// A level this part of the way up.
    fn at(&self, part: f64) -> f64 {
        self.sliding + part * (self.highest - self.sliding)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn typical(name: &str) -> Friction {
        let card = Friction::card_of(name).unwrap();
        Friction::build(name, &bristle_laws::friction::typical(card)).unwrap()
    }

    #[test]
    fn the_peak_is_that_of_the_card_or_of_the_curve() {
        // no level but one: Coulomb's, and Dahl's asymptote
        for name in ["coulomb_tanh", "dahl"] {
            assert_eq!(Peak::of(&typical(name), 10.0), None, "{name}");
        }
        for name in ["lugre", "adams_stick_slip", "gms", "leuven", "karnopp"] {
            let peak = Peak::of(&typical(name), 10.0);
            assert!(
                peak.is_some_and(|p| p.highest > p.sliding),
                "{name}: {peak:?}"
            );
        }
        // Bengisu and Akay, Makkar: levels that no parameter names as such
        let makkar = Peak::of(&typical("makkar"), 10.0);
        assert!(makkar.is_some(), "{makkar:?}");
    }
}
