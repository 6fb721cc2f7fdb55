//! Stick and slip of the contacts, and of joints with friction.

use crate::element::{Frictional, SlipPlaces};
use bristle_integrate::StateArchive;

/// What happened in a contact, or in a joint with friction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactRecord {
    /// Name.
    pub name: String,
    /// Intervals in contact below the slip speed, s. A motion by less than twice the deflection at
    /// break-away, without loss of load, is within what bristles spring back and forth: it parts no interval.
    pub stick_intervals: Vec<[f64; 2]>,
    /// The longest of them.
    pub longest_stick: Option<StickInterval>,
    /// First time at the slip speed, s.
    pub first_slip_time: Option<f64>,
    /// Largest friction over normal force with which it broke away from a stick, of laws with bristles and
    /// without modes.
    pub break_away: Option<f64>,
    /// Largest slip speed of a loaded point at an accepted step, m/s.
    pub max_slip_speed: f64,
    /// Energy lost, J.
    pub dissipated: f64,
}

/// A time without slip, and what moved in it all the same: presliding, creep, drift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StickInterval {
    /// Its start, s.
    pub from: f64,
    /// Its end, s.
    pub to: f64,
    /// Displacement in the plane (of a joint, of its slip) from its start to its end, of the point that moved farthest, m.
    ///
    /// `None` where no point bears load at both: a ball that rolls, points that take turns.
    pub slip: Option<f64>,
}

/// Follows one contact over the accepted steps.
#[derive(Clone, Debug)]
pub(super) struct Monitor {
    /// Place in the list of elements.
    pub(super) element: usize,
    pub(super) threshold: f64,
    pub(super) record: ContactRecord,
    /// A motion by less does not part a stick, m.
    swing: f64,
    /// Start of the present stick interval, and where the points were.
    stuck_since: Option<(f64, SlipPlaces)>,
    /// The last stick interval, as long as the points stay close to where they stuck.
    swinging: Option<Swinging>,
    /// Whether friction rises gradually before it breaks away.
    rises: bool,
    /// The largest friction over normal force since the stick began, until friction has fallen behind it.
    risen: Option<f64>,
}

/// Friction that has fallen to this part of the largest has had its peak.
const FALLEN: f64 = 0.95;

/// A stick interval that may go on: bristles swing the bodies within the width of presliding.
#[derive(Clone, Debug, Default)]
struct Swinging {
    /// Start of the interval, s, and where the points were.
    from: f64,
    start: SlipPlaces,
    /// Where the points were when it ended.
    end: SlipPlaces,
}

impl Monitor {
    /// Of an element that can stick and slip.
    pub(super) fn of(element: usize, of: &dyn Frictional) -> Self {
        // from one limit of a bristle to the other; a law without presliding has no such width
        let swing = of.natural_sizes().map_or(0.0, |sizes| 2.0 * sizes.length);
        Self {
            element,
            swing,
            swinging: None,
            rises: swing > 0.0 && !of.has_modes(),
            risen: None,
            threshold: of.slip_threshold(),
            record: ContactRecord {
                name: of.name().to_owned(),
                ..ContactRecord::default()
            },
            stuck_since: None,
        }
    }

    /// Puts what was booked into an archive, or takes it from there.
    pub(super) fn archive(&mut self, archive: &mut StateArchive) {
        let record = &mut self.record;
        let count = archive.length(record.stick_intervals.len());
        record.stick_intervals.resize(count, [0.0; 2]);
        for interval in &mut record.stick_intervals {
            archive.numbers(interval);
        }
        let mut is_there = record.longest_stick.is_some();
        archive.flag(&mut is_there);
        let mut longest = record.longest_stick.unwrap_or(StickInterval {
            from: 0.0,
            to: 0.0,
            slip: None,
        });
        if is_there {
            archive.number(&mut longest.from);
            archive.number(&mut longest.to);
            archive.optional(&mut longest.slip);
        }
        record.longest_stick = is_there.then_some(longest);
        archive.optional(&mut record.first_slip_time);
        archive.optional(&mut record.break_away);
        archive.number(&mut record.max_slip_speed);
        archive.number(&mut record.dissipated);
        let mut sticks = self.stuck_since.is_some();
        archive.flag(&mut sticks);
        let (mut since, mut places) = self.stuck_since.take().unwrap_or_default();
        if sticks {
            archive.number(&mut since);
            archive_places(&mut places, archive);
        }
        self.stuck_since = sticks.then_some((since, places));
        let mut swings = self.swinging.is_some();
        archive.flag(&mut swings);
        let mut swinging = self.swinging.take().unwrap_or_default();
        if swings {
            archive.number(&mut swinging.from);
            archive_places(&mut swinging.start, archive);
            archive_places(&mut swinging.end, archive);
        }
        self.swinging = swings.then_some(swinging);
        archive.optional(&mut self.risen);
    }

    /// Whether a speed (of loaded points, if any is loaded) means stick.
    pub(super) fn sticks(&self, speed: Option<f64>) -> bool {
        speed.is_some_and(|s| s < self.threshold)
    }

    /// Whether the contact is below the slip speed since the last step that was booked.
    pub(super) fn is_stuck(&self) -> bool {
        self.stuck_since.is_some()
    }

    /// Whether the places of the points at an accepted step say if the last stick goes on.
    pub(super) fn is_swinging(&self) -> bool {
        self.swinging.is_some()
    }

    /// Whether friction over normal force at an accepted step is asked for.
    pub(super) fn is_rising(&self) -> bool {
        self.rises && (self.is_stuck() || self.risen.is_some())
    }

    /// Books friction over normal force at an accepted step, after [`Monitor::book`].
    pub(super) fn book_coefficient(&mut self, coefficient: Option<f64>) {
        let Some(coefficient) = coefficient else {
            self.risen = None;
            return;
        };
        let risen = self.risen.unwrap_or(0.0).max(coefficient);
        self.risen = Some(risen);
        if self.is_stuck() || self.is_swinging() {
            return;
        }
        self.record.break_away = Some(self.record.break_away.unwrap_or(0.0).max(risen));
        if coefficient < FALLEN * risen {
            self.risen = None;
        }
    }

    /// Books the speed at an accepted step; `changed` is the located time of a change, with the
    /// places of the points there. Without a change `places` are those at the step, asked for
    /// while [`Monitor::is_swinging`].
    pub(super) fn book(&mut self, speed: Option<f64>, changed: f64, places: &SlipPlaces) {
        self.record.max_slip_speed = self.record.max_slip_speed.max(speed.unwrap_or(0.0));
        let sticks = self.sticks(speed);
        if !sticks && speed.is_some() && self.record.first_slip_time.is_none() {
            self.record.first_slip_time = Some(changed);
        }
        let swing = self.swing;
        let stays = |s: &Swinging| farthest(&s.end, places).is_some_and(|way| way < swing);
        if sticks && self.stuck_since.is_none() {
            let before = self.swinging.take().filter(stays);
            if before.is_none() {
                self.risen = None;
            }
            let since = before.map_or_else(
                || (changed, places.clone()),
                |before| {
                    self.record.stick_intervals.pop();
                    (before.from, before.start)
                },
            );
            self.stuck_since = Some(since);
        } else if !sticks && self.stuck_since.is_some() {
            self.end_stick(changed, places);
        } else if !sticks {
            self.swinging = self.swinging.take().filter(stays);
        }
        if speed.is_none() {
            self.swinging = None;
        }
    }

    fn end_stick(&mut self, to: f64, places: &SlipPlaces) {
        let Some((from, start)) = self.stuck_since.take() else {
            return;
        };
        self.record.stick_intervals.push([from, to]);
        let longest = self.record.longest_stick.map_or(0.0, |h| h.to - h.from);
        if to - from > longest {
            let slip = farthest(&start, places);
            self.record.longest_stick = Some(StickInterval { from, to, slip });
        }
        let end = places.clone();
        self.swinging = (self.swing > 0.0).then_some(Swinging { from, start, end });
    }

    /// Closes the last interval at the end of the run.
    pub(super) fn finish(mut self, t: f64, places: &SlipPlaces) -> ContactRecord {
        self.end_stick(t, places);
        self.record
    }
}

fn archive_places(places: &mut SlipPlaces, archive: &mut StateArchive) {
    let count = archive.length(places.len());
    places.resize(count, None);
    for place in places {
        archive_place(place, archive);
    }
}

fn archive_place(place: &mut Option<[f64; 3]>, archive: &mut StateArchive) {
    let mut is_there = place.is_some();
    archive.flag(&mut is_there);
    let mut at = place.unwrap_or_default();
    if is_there {
        archive.numbers(&mut at);
    }
    *place = is_there.then_some(at);
}

/// How far the point moved that moved farthest, of those with load before and after.
fn farthest(before: &SlipPlaces, after: &SlipPlaces) -> Option<f64> {
    let moved = |(a, b): (&Option<[f64; 3]>, &Option<[f64; 3]>)| {
        let (a, b) = ((*a)?, (*b)?);
        Some((b[0] - a[0]).hypot(b[1] - a[1]).hypot(b[2] - a[2]))
    };
    before.iter().zip(after).filter_map(moved).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn monitor(threshold: f64, swing: f64) -> Monitor {
        Monitor {
            element: 0,
            threshold,
            record: ContactRecord::default(),
            swing,
            stuck_since: None,
            swinging: None,
            rises: false,
            risen: None,
        }
    }

    #[test]
    fn a_shorter_stick_never_stands_for_the_longest() {
        let mut monitor = monitor(1e-3, 0.0);
        let (rolls, still, moved) = (
            vec![None],
            vec![Some([0.0; 3])],
            vec![Some([3.0, 4.0, 0.0])],
        );
        let mut stick = |from: f64, to: f64, places: [&SlipPlaces; 2]| {
            monitor.book(Some(0.0), from, places[0]);
            monitor.book(Some(1.0), to, places[1]);
            monitor.record.longest_stick
        };
        let of = |from: f64, to: f64, slip: Option<f64>| Some(StickInterval { from, to, slip });
        let first = of(0.0, 1.0, Some(5.0));
        assert_eq!(stick(0.0, 1.0, [&still, &moved]), first);
        let longer = of(2.0, 5.0, None);
        assert_eq!(stick(2.0, 5.0, [&still, &rolls]), longer);
        assert_eq!(stick(6.0, 8.0, [&still, &moved]), longer);
        let longest = of(9.0, 13.0, Some(0.0));
        assert_eq!(stick(9.0, 13.0, [&still, &still]), longest);
    }

    /// Places on a line, in units of the deflection at break-away; the width of presliding is twice that.
    #[test]
    fn a_swing_within_presliding_parts_no_stick_and_a_way_beyond_it_does() {
        let at = |x: f64| vec![Some([x, 0.0, 0.0])];
        let followed = |steps: &[(Option<f64>, f64, f64)]| {
            let mut monitor = monitor(0.5, 2.0);
            for (speed, t, x) in steps {
                monitor.book(*speed, *t, &at(*x));
            }
            monitor.finish(9.0, &at(0.0)).stick_intervals
        };
        let (rests, moves) = (Some(0.0), Some(1.0));
        // to the other limit of the bristle and back
        let rings = [
            (rests, 0.0, 0.0),
            (moves, 1.0, 0.0),
            (moves, 2.0, 1.9),
            (rests, 3.0, 0.0),
        ];
        assert_eq!(followed(&rings), [[0.0, 9.0]]);
        // the same end, after a way that no bristle goes
        let slides = [
            (rests, 0.0, 0.0),
            (moves, 1.0, 0.0),
            (moves, 2.0, 2.1),
            (rests, 3.0, 0.0),
        ];
        assert_eq!(followed(&slides), [[0.0, 1.0], [3.0, 9.0]]);
        let arrives = [(rests, 0.0, 0.0), (moves, 1.0, 0.0), (rests, 3.0, 2.1)];
        assert_eq!(followed(&arrives), [[0.0, 1.0], [3.0, 9.0]]);
        // faces that part hold nothing
        let jumps = [
            (rests, 0.0, 0.0),
            (moves, 1.0, 0.0),
            (None, 2.0, 0.1),
            (rests, 3.0, 0.0),
        ];
        assert_eq!(followed(&jumps), [[0.0, 1.0], [3.0, 9.0]]);
        let lifted = [(rests, 0.0, 0.0), (None, 1.0, 0.0), (rests, 3.0, 0.0)];
        assert_eq!(followed(&lifted), [[0.0, 1.0], [3.0, 9.0]]);
    }
}
