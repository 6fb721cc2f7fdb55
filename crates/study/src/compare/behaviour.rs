//! How a law behaves in a contact, from what was measured.
//!
//! | what | how it is measured | said of a law if |
//! |---|---|---|
//! | creep | slip over time while the contact sticks and force and load stay within 0.2 % | faster than 10⁻⁴ of the slip speed |
//! | drift | slip that is left when the force is back to where a stick interval began | more than 5 % of the largest slip in it |
//! | overshoot | largest F/N of a point less its viscous part | more than 1 % above μ_s |
//! | no peak at break-away | largest F/N around the first slip | less than half of the way from μ_k to μ_s |
//! | no peak where slip ends | largest F/N while the slip slows down before stick | less than a fifth of that way |

use bristle_results::format_quantity;

use super::trace::{Trace, distance, norm};

const STEADY: f64 = 2e-3;
/// A load that is held has at least this part of the largest friction, for this part of the run.
const HELD: f64 = 0.1;
const HELD_TIME: f64 = 0.02;
/// Rows that a hold or a slow-down needs.
const ROWS: usize = 5;
const CREEP: f64 = 1e-4;
const DRIFT: f64 = 0.05;
/// The force is back where it differs by less than this part of the largest one.
const BACK: f64 = 2e-3;
const OVERSHOOT: f64 = 0.01;

/// Levels of the law that was run, and the speed from which its contact slips.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Levels {
    /// μ_s of the law; μ_k if it has no other.
    pub(super) highest: f64,
    /// Viscous friction over the normal force, s/m.
    pub(super) viscous: f64,
    /// μ_s and μ_k of the scenario's law, if they differ.
    pub(super) peak: Option<(f64, f64)>,
    /// m/s.
    pub(super) slip_speed: f64,
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Behaviour {
    /// Largest friction force, N.
    pub peak_force: f64,
    /// When it occurred, s.
    pub peak_time: f64,
    /// Largest friction over normal force of a point.
    pub peak_ratio: f64,
    /// Speed of creep under the load that was held longest, m/s; nothing if none was held.
    pub creep: Option<f64>,
    /// Slip left over after a cycle of the load in stick, m; nothing if there was none.
    pub drift: Option<f64>,
    /// Sentences for the user.
    pub remarks: Vec<String>,
}

pub(super) fn measure(trace: &Trace, levels: &Levels, first_slip: Option<f64>) -> Behaviour {
    let (peak_force, peak_time) = trace.peak();
    let mut found = Behaviour {
        peak_force,
        peak_time,
        peak_ratio: trace.ratio.iter().copied().fold(0.0, f64::max),
        ..Behaviour::default()
    };
    let stuck = stick_intervals(trace, levels.slip_speed);
    creep(trace, &stuck, levels, &mut found);
    drift(trace, &stuck, &mut found);
    overshoot(trace, levels, &mut found);
    peaks(trace, levels, first_slip, &mut found);
    if found.remarks.is_empty() {
        let held = found.creep.map_or(String::new(), |creep| {
            format!(
                "; under the load that is held it creeps by {} only",
                format_quantity(creep, "m/s")
            )
        });
        found
            .remarks
            .push(format!("no peculiarity was measured{held}"));
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

fn creep(trace: &Trace, stuck: &[std::ops::Range<usize>], levels: &Levels, found: &mut Behaviour) {
    let run = trace.t.last().copied().unwrap_or(0.0) - trace.t.first().copied().unwrap_or(0.0);
    let mut longest: Option<(usize, usize)> = None;
    for interval in stuck {
        let mut from = interval.start;
        for i in interval.clone() {
            let moved = distance(&trace.force[i], &trace.force[from]) > STEADY * found.peak_force
                || (trace.normal[i] - trace.normal[from]).abs() > STEADY * trace.normal[from];
            if moved {
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
    let (from, to) = (from + (to - from) / 4, to - (to - from) / 10);
    let time = trace.t[to] - trace.t[from];
    let speed = distance(&trace.slip[to], &trace.slip[from]) / time;
    found.creep = Some(speed);
    if speed > CREEP * levels.slip_speed {
        found.remarks.push(format!(
            "creeps: under a steady {} from {} to {} it slips on at {}",
            format_quantity(norm(&trace.force[to]), "N"),
            format_quantity(trace.t[from], "s"),
            format_quantity(trace.t[to], "s"),
            format_quantity(speed, "m/s"),
        ));
    }
}

fn drift(trace: &Trace, stuck: &[std::ops::Range<usize>], found: &mut Behaviour) {
    let longest = stuck.iter().max_by_key(|interval| interval.len());
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
    let Some(back) = back else { return };
    let left = distance(&trace.slip[back], &trace.slip[first]);
    found.drift = Some(left);
    if left > DRIFT * largest && largest > 0.0 {
        found.remarks.push(format!(
            "drifts: {} of slip are left at {}, when the load is back to where it began and \
             nothing has broken away",
            format_quantity(left, "m"),
            format_quantity(trace.t[back], "s"),
        ));
    }
}

fn overshoot(trace: &Trace, levels: &Levels, found: &mut Behaviour) {
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
            levels.highest,
        ));
    }
}

/// Whether the static level shows when slip begins and when it ends.
fn peaks(trace: &Trace, levels: &Levels, first_slip: Option<f64>, found: &mut Behaviour) {
    let (Some((mu_s, mu_k)), Some(slip)) = (levels.peak, first_slip) else {
        return;
    };
    let run = trace.t.last().copied().unwrap_or(0.0);
    let near = trace.t.iter().zip(&trace.ratio);
    let near = near.filter(|(t, _)| (*t - slip).abs() < 0.05 * run);
    let most = near.map(|(_, ratio)| *ratio).fold(0.0, f64::max);
    if most < mu_k + 0.5 * (mu_s - mu_k) {
        found.remarks.push(format!(
            "has no Stribeck peak: it breaks away with friction over normal force at {most:.4}, \
             where the scenario's law has {mu_s} before {mu_k}"
        ));
    } else if let Some((t, most)) = end_of_slip(trace, levels)
        && most < mu_k + 0.2 * (mu_s - mu_k)
    {
        found.remarks.push(format!(
            "has no Stribeck peak where slip ends: friction over normal force stays at {most:.4} \
             until it sticks at {}",
            format_quantity(t, "s"),
        ));
    }
}

/// The largest ratio while slip slows down before the first stick after it, and when it sticks.
fn end_of_slip(trace: &Trace, levels: &Levels) -> Option<(f64, f64)> {
    let intervals = stick_intervals(trace, levels.slip_speed);
    let ends = intervals.iter().filter(|interval| interval.start >= ROWS);
    for interval in ends {
        let slow = |i: &usize| trace.speed[*i] < 10.0 * levels.slip_speed;
        let rows: Vec<usize> = (0..interval.start).rev().take_while(slow).collect();
        // a peak between two rows cannot be judged
        if rows.len() >= ROWS {
            let most = rows.iter().map(|&i| trace.ratio[i]).fold(0.0, f64::max);
            return Some((trace.t[interval.start], most));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: Levels = Levels {
        highest: 0.15,
        viscous: 0.0,
        peak: Some((0.15, 0.1)),
        slip_speed: 1e-3,
    };

    /// A contact with N = 10 N that slips at `speed(t)` with friction `force(t)` along x.
    fn trace(end: f64, force: impl Fn(f64) -> f64, speed: impl Fn(f64) -> f64) -> Trace {
        let mut trace = Trace::default();
        let places = Places::of("a", 1, &channels()).unwrap();
        let mut largest = 0.0;
        for i in 0..=1000_u32 {
            let t = end * f64::from(i) / 1000.0;
            let (f, v) = (force(t), speed(t));
            let row = [t, f, 0.0, 0.0, 10.0, v.abs(), f.abs(), 10.0, v, 0.0, 0.0];
            trace.row(&row, &places, &mut largest);
        }
        trace
    }

    use super::super::trace::Places;
    use bristle_results::Channel;

    fn channels() -> Vec<Channel> {
        let names = [
            "friction.x",
            "friction.y",
            "friction.z",
            "normal_force",
            "slip_speed",
            "point1.friction.magnitude",
            "point1.normal_force",
            "point1.slip_velocity.x",
            "point1.slip_velocity.y",
            "point1.slip_velocity.z",
        ];
        let named = names.map(|name| Channel::new(format!("contact.a.{name}"), "1", ""));
        std::iter::once(Channel::time()).chain(named).collect()
    }

    fn remarks(found: &Behaviour) -> String {
        found.remarks.join("; ")
    }

    #[test]
    fn creep_is_the_speed_under_a_steady_load() {
        // ramp to 1 N in 1 s, then held, with 5e-5 m/s all along
        let held = trace(4.0, |t| t.min(1.0), |_| 5e-5);
        let found = measure(&held, &LEVELS, None);
        assert!((found.creep.unwrap() - 5e-5).abs() < 1e-12, "{found:?}");
        assert!(remarks(&found).starts_with("creeps"));
        // a law that holds: the remark says so
        let found = measure(&trace(4.0, |t| t.min(1.0), |_| 0.0), &LEVELS, None);
        assert_eq!(found.creep, Some(0.0));
        assert!(remarks(&found).starts_with("no peculiarity"));
    }

    #[test]
    fn drift_is_what_a_cycle_leaves() {
        // one sine of the load in 1 s, and a slip that goes as far and comes back by half:
        // ∫ of 1e-4 m/s over the first half, −0.5e-4 m/s over the second leaves 2.5e-5 m
        let speed = |t: f64| if t < 0.5 { 1e-4 } else { -0.5e-4 };
        let cycle = trace(1.0, |t| (std::f64::consts::PI * t).sin(), speed);
        let found = measure(&cycle, &LEVELS, None);
        // one row of the jump: 1e-3 s of 0.75e-4 m/s
        assert!((found.drift.unwrap() - 2.5e-5).abs() < 1e-7, "{found:?}");
        assert!(remarks(&found).contains("drifts"));
    }

    #[test]
    fn overshoot_and_missing_peaks_are_told() {
        let high = measure(&trace(1.0, |_| 1.6, |_| 0.1), &LEVELS, Some(0.0));
        assert!(remarks(&high).contains("0.1600"), "{high:?}");
        let low = measure(&trace(1.0, |_| 1.0, |_| 0.1), &LEVELS, Some(0.0));
        assert!(remarks(&low).contains("no Stribeck peak"), "{low:?}");
        // break-away at μs, then slip at μk that slows down from 50 mm/s to rest
        let stops = |t: f64| if t < 0.1 { 1.5 } else { 1.0 };
        let speed = |t: f64| {
            if t < 0.1 {
                0.0
            } else {
                (0.05 * (1.0 - t)).max(0.0)
            }
        };
        let end = measure(&trace(1.0, stops, speed), &LEVELS, Some(0.1));
        assert!(remarks(&end).contains("where slip ends"), "{end:?}");
    }
}
