//! How a law behaves in a contact or a joint, from what was measured.
//!
//! | what | how it is measured | said of a law if |
//! |---|---|---|
//! | creep | slip over time while the contact sticks and force and load stay within 0.2 %, below what the law has where it slides | faster than 10⁻⁴ of the slip speed |
//! | drift | slip that is left when the force is back to where a stick interval began | more than 5 % of the largest slip in it |
//! | drift under a load that swings | slip from the middle of a stick interval to a like load in its last quarter | more than 20 % of the largest slip in between |
//! | overshoot | largest F/N of a point less its viscous part | more than 1 % above μ_s |
//! | no peak | the law itself | it has one level, and the scenario's law has two |
//! | early break-away | largest F/N around the first slip | less than half of the way from its own μ_k to μ_s |
//! | frictional lag | F/N while the slip slows down before stick | below its steady curve by a fifth of that way |
//!
//! Everything is read from the accepted steps, and from the output times between them.

mod peak;

use bristle_results::format_quantity;

use super::trace::{Trace, distance, norm};
use crate::stribeck_peak::Peak;

const STEADY: f64 = 2e-3;
/// A load that is held has at least this part of the largest friction, for this part of the run.
const HELD: f64 = 0.1;
const HELD_TIME: f64 = 0.02;
/// Rows that a hold or a slow-down needs.
const ROWS: usize = 5;
const CREEP: f64 = 1e-4;
/// From this part of the friction at which the law slides the faces slide, however slowly.
const SLIDES: f64 = 0.99;
/// Speeds below the slip speed at which a law is asked for that friction, and their ratio.
const SPEEDS: i32 = 24;
const SPEED_RATIO: f64 = 0.6;
const DRIFT: f64 = 0.05;
/// The force is back where it differs by less than this part of the largest one.
const BACK: f64 = 2e-3;
/// A load that swings is like it was where it differs by less than this part of its size; rows that
/// do not fall on the same phase of the swing differ by as much.
const LIKE: f64 = 0.05;
/// A load that swings differs by more than this part of its size.
const SWINGS: f64 = 0.1;
/// Less of the slip in between is no drift.
const SWING: f64 = 0.2;
const OVERSHOOT: f64 = 0.01;

/// RunLevels of the law that was run, and the speed from which it slips.
#[derive(Clone, Copy, Default)]
pub(super) struct RunLevels<'l> {
    /// μ_s of the law; μ_k if it has no other.
    pub(super) highest: f64,
    /// Viscous friction over the normal force and the slip speed.
    pub(super) viscous: f64,
    /// Stribeck peak of the law that was run.
    pub(super) own: Option<Peak>,
    /// Steady friction over load of the law that was run, over the slip speed of the trace.
    pub(super) steady: Option<&'l dyn Fn(f64) -> Option<f64>>,
    /// Stribeck peak of the scenario's law.
    pub(super) scenario: Option<Peak>,
    /// In the unit of the trace.
    pub(super) slip_speed: f64,
}

impl RunLevels<'_> {
    /// The most that the law has in steady sliding up to the slip speed, over the load.
    fn sliding(&self) -> Option<f64> {
        let steady = self.steady?;
        let speeds = (0..SPEEDS).map(|i| self.slip_speed * SPEED_RATIO.powi(i));
        speeds.filter_map(steady).reduce(f64::max)
    }
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredBehaviour {
    /// Largest friction, in the unit of the trace.
    pub peak_force: f64,
    /// When it occurred, s.
    pub peak_time: f64,
    /// Largest friction over normal force of a point.
    pub peak_ratio: f64,
    /// Speed of creep under the load that was held longest; nothing if none was held.
    pub creep: Option<f64>,
    /// Slip left over after a cycle of the load in stick; nothing if there was none.
    pub drift: Option<f64>,
    /// Sentences for the user.
    pub remarks: Vec<String>,
}

pub(super) fn measure(
    trace: &Trace,
    levels: &RunLevels<'_>,
    first_slip: Option<f64>,
) -> MeasuredBehaviour {
    let (peak_force, peak_time) = trace.peak();
    let mut found = MeasuredBehaviour {
        peak_force,
        peak_time,
        peak_ratio: trace.ratio.iter().copied().fold(0.0, f64::max),
        ..MeasuredBehaviour::default()
    };
    let stuck = stick_intervals(trace, levels.slip_speed);
    creep(trace, &stuck, levels, &mut found);
    drift(trace, &stuck, &mut found);
    overshoot(trace, levels, &mut found);
    peak::peaks(trace, levels, first_slip, &mut found);
    if found.remarks.is_empty() {
        let held = found.creep.map_or(String::new(), |creep| {
            format!(
                "; under the load that is held it creeps by {} only",
                format_quantity(creep, trace.units.speed)
            )
        });
        found.remarks.push(format!("no remarks{held}"));
    }
    found
}

/// Ranges of rows in which the contact is loaded and below its slip speed.
fn stick_intervals(trace: &Trace, slip_speed: f64) -> Vec<std::ops::Range<usize>> {
    let mut all = Vec::new();
    let mut start = None;
    for i in 0..=trace.t.len() {
        let sticks = i < trace.t.len() && trace.normal[i] > 0.0 && trace.speed[i] < slip_speed;
        match (start, sticks) {
            (None, true) => start = Some(i),
            (Some(from), false) => {
                all.push(from..i);
                start = None;
            }
            _ => {}
        }
    }
    all
}

fn creep(
    trace: &Trace,
    stuck: &[std::ops::Range<usize>],
    levels: &RunLevels<'_>,
    found: &mut MeasuredBehaviour,
) {
    let run = trace.t.last().copied().unwrap_or(0.0) - trace.t.first().copied().unwrap_or(0.0);
    let sliding = levels.sliding().unwrap_or(f64::INFINITY);
    let slides = |i: usize| norm(&trace.force[i]) >= SLIDES * sliding * trace.normal[i];
    let mut longest: Option<(usize, usize)> = None;
    for interval in stuck {
        let mut from = interval.start;
        for i in interval.clone() {
            let moved = distance(&trace.force[i], &trace.force[from]) > STEADY * found.peak_force
                || (trace.normal[i] - trace.normal[from]).abs() > STEADY * trace.normal[from];
            if moved || slides(i) {
                from = i;
                continue;
            }
            let time = trace.t[i] - trace.t[from];
            let longer = longest.is_none_or(|(a, b)| time > trace.t[b] - trace.t[a]);
            let held = norm(&trace.force[i]) >= HELD * found.peak_force && found.peak_force > 0.0;
            if longer && held && i - from >= ROWS && time >= HELD_TIME * run {
                longest = Some((from, i));
            }
        }
    }
    let Some((from, to)) = longest else { return };
    // what relaxes after the load has come to rest, or moves when it begins to change, is no creep
    let (start, length) = (trace.t[from], trace.t[to] - trace.t[from]);
    let row_at = |part: f64| trace.t.partition_point(|t| *t < start + part * length);
    let (from, to) = (row_at(0.25).max(from), row_at(0.9).min(to));
    if to <= from {
        return;
    }
    let time = trace.t[to] - trace.t[from];
    let speed = distance(&trace.slip[to], &trace.slip[from]) / time;
    found.creep = Some(speed);
    if speed > CREEP * levels.slip_speed {
        found.remarks.push(format!(
            "creeps: under a steady {} from {} to {} it slips on at {}",
            format_quantity(norm(&trace.force[to]), trace.units.force),
            format_quantity(trace.t[from], "s"),
            format_quantity(trace.t[to], "s"),
            format_quantity(speed, trace.units.speed),
        ));
    }
}

fn drift(trace: &Trace, stuck: &[std::ops::Range<usize>], found: &mut MeasuredBehaviour) {
    let length =
        |interval: &std::ops::Range<usize>| trace.t[interval.end - 1] - trace.t[interval.start];
    let longest = stuck.iter().max_by(|a, b| length(a).total_cmp(&length(b)));
    let Some(interval) = longest else { return };
    let first = interval.start;
    let (mut departed, mut back) = (false, None);
    let mut largest = 0.0_f64;
    for i in interval.clone() {
        let away = distance(&trace.force[i], &trace.force[first]);
        largest = largest.max(distance(&trace.slip[i], &trace.slip[first]));
        departed |= away > 0.2 * found.peak_force;
        if departed && away < BACK * found.peak_force {
            back = Some(i);
        }
    }
    let Some(back) = back else {
        return swing(trace, interval.clone(), found);
    };
    let left = distance(&trace.slip[back], &trace.slip[first]);
    found.drift = Some(left);
    if left > DRIFT * largest && largest > 0.0 {
        found.remarks.push(format!(
            "drifts: {} of slip are left at {}, when the load is back to where it began and \
             nothing has broken away",
            format_quantity(left, trace.units.slip),
            format_quantity(trace.t[back], "s"),
        ));
    }
}

/// A load that swings and does not come back to where the stick began: the slip between the middle
/// of the interval and the moment in its last quarter at which the load is most like then.
fn swing(trace: &Trace, interval: std::ops::Range<usize>, found: &mut MeasuredBehaviour) {
    let (start, end) = (trace.t[interval.start], trace.t[interval.end - 1]);
    let row_at = |part: f64| {
        let times = &trace.t[interval.clone()];
        interval.start + times.partition_point(|t| *t < start + part * (end - start))
    };
    let (first, late) = (row_at(0.5), row_at(0.75));
    // how far the load is from that of the middle, in parts of its size
    let away = |i: usize| {
        let force = distance(&trace.force[i], &trace.force[first]) / found.peak_force;
        let normal = (trace.normal[i] - trace.normal[first]).abs() / trace.normal[first];
        force.max(normal)
    };
    if interval.len() < 8 * ROWS
        || found.peak_force == 0.0
        || !(first..late).any(|i| away(i) > SWINGS)
    {
        return;
    }
    // on the way up a bristle is elsewhere than on the way down: the load must change alike
    let rate = |i: usize| {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(trace.t.len() - 1));
        let force: [f64; 3] = std::array::from_fn(|k| trace.force[b][k] - trace.force[a][k]);
        [
            force[0],
            force[1],
            force[2],
            trace.normal[b] - trace.normal[a],
        ]
    };
    let alike = |i: &usize| {
        rate(*i)
            .iter()
            .zip(rate(first))
            .map(|(a, b)| a * b)
            .sum::<f64>()
            > 0.0
    };
    let back = (late..interval.end)
        .filter(alike)
        .min_by(|a, b| away(*a).total_cmp(&away(*b)));
    let Some(back) = back.filter(|i| away(*i) < LIKE) else {
        return;
    };
    let left = distance(&trace.slip[back], &trace.slip[first]);
    let about = (first..=back).map(|i| distance(&trace.slip[i], &trace.slip[first]));
    let largest = about.fold(0.0, f64::max);
    found.drift = Some(left);
    if left > SWING * largest {
        found.remarks.push(format!(
            "drifts: from {} to {} it slips on by {}, {} on average, while the load swings and \
             nothing breaks away",
            format_quantity(trace.t[first], "s"),
            format_quantity(trace.t[back], "s"),
            format_quantity(left, trace.units.slip),
            format_quantity(left / (trace.t[back] - trace.t[first]), trace.units.speed),
        ));
    }
}

fn overshoot(trace: &Trace, levels: &RunLevels<'_>, found: &mut MeasuredBehaviour) {
    let ratios = trace.ratio.iter().zip(&trace.speed).zip(&trace.t);
    let plain = ratios.map(|((ratio, speed), t)| (ratio - levels.viscous * speed, *t));
    let Some((ratio, t)) = plain.max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return;
    };
    let above = ratio - levels.highest;
    if levels.highest > 0.0 && above > OVERSHOOT * levels.highest {
        found.remarks.push(format!(
            "overshoots: friction over normal force reaches {ratio:.4} at {}, {above:.4} above the \
             static {}",
            format_quantity(t, "s"),
            short(levels.highest),
        ));
    }
}

/// A coefficient with four digits at most.
fn short(coefficient: f64) -> String {
    let digits = format!("{coefficient:.4}");
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

#[cfg(test)]
mod tests;
