//! Stick and slip of the contacts, and of joints with friction.

use crate::element::{Frictional, SlipPlaces};
use bristle_integrate::StateArchive;

/// What happened in a contact, or in a joint with friction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactRecord {
    /// Name.
    pub name: String,
    /// Intervals in contact below the slip speed, s.
    pub stick_intervals: Vec<[f64; 2]>,
    /// The longest of them.
    pub longest_stick: Option<StickInterval>,
    /// First time at the slip speed, s.
    pub first_slip_time: Option<f64>,
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
    /// Displacement in the plane from its start to its end, of the point that moved farthest, m.
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
    /// Start of the present stick interval, and where the points were.
    stuck_since: Option<(f64, SlipPlaces)>,
}

impl Monitor {
    /// Of an element that can stick and slip.
    pub(super) fn of(element: usize, of: &dyn Frictional) -> Self {
        Self {
            element,
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
        archive.number(&mut record.max_slip_speed);
        archive.number(&mut record.dissipated);
        let mut sticks = self.stuck_since.is_some();
        archive.flag(&mut sticks);
        let (mut since, mut places) = self.stuck_since.take().unwrap_or_default();
        if sticks {
            archive.number(&mut since);
            let count = archive.length(places.len());
            places.resize(count, None);
            for place in &mut places {
                archive_place(place, archive);
            }
        }
        self.stuck_since = sticks.then_some((since, places));
    }

    /// Whether a speed (of loaded points, if any is loaded) means stick.
    pub(super) fn sticks(&self, speed: Option<f64>) -> bool {
        speed.is_some_and(|s| s < self.threshold)
    }

    /// Whether the contact is in a stick interval.
    pub(super) fn is_stuck(&self) -> bool {
        self.stuck_since.is_some()
    }

    /// Books the speed at an accepted step; `changed` is the located time of a change, with the
    /// places of the points there.
    pub(super) fn book(&mut self, speed: Option<f64>, changed: f64, places: &SlipPlaces) {
        self.record.max_slip_speed = self.record.max_slip_speed.max(speed.unwrap_or(0.0));
        let sticks = self.sticks(speed);
        if !sticks && speed.is_some() && self.record.first_slip_time.is_none() {
            self.record.first_slip_time = Some(changed);
        }
        if sticks && self.stuck_since.is_none() {
            self.stuck_since = Some((changed, places.clone()));
        } else if !sticks {
            self.end_stick(changed, places);
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
    }

    /// Closes the last interval at the end of the run.
    pub(super) fn finish(mut self, t: f64, places: &SlipPlaces) -> ContactRecord {
        self.end_stick(t, places);
        self.record
    }
}

fn archive_place(place: &mut Option<[f64; 2]>, archive: &mut StateArchive) {
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
    let moved = |(a, b): (&Option<[f64; 2]>, &Option<[f64; 2]>)| {
        let (a, b) = ((*a)?, (*b)?);
        Some((b[0] - a[0]).hypot(b[1] - a[1]))
    };
    before.iter().zip(after).filter_map(moved).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_stick_never_stands_for_the_longest() {
        let mut monitor = Monitor {
            element: 0,
            threshold: 1e-3,
            record: ContactRecord::default(),
            stuck_since: None,
        };
        let (rolls, still, moved) = (vec![None], vec![Some([0.0; 2])], vec![Some([3.0, 4.0])]);
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
}
