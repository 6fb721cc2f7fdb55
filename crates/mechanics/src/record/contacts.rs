//! Stick and slip of the contacts, and of joints with friction.

use crate::element::Element;

/// What happened in a contact, or in a joint with friction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactRecord {
    /// Name.
    pub name: String,
    /// Intervals in contact below the slip speed, s.
    pub stick_intervals: Vec<[f64; 2]>,
    /// First time at the slip speed, s.
    pub first_slip_time: Option<f64>,
    /// Largest slip speed of a loaded point at an accepted step, m/s.
    pub max_slip_speed: f64,
    /// Energy lost, J.
    pub dissipated: f64,
}

/// Follows one contact over the accepted steps.
#[derive(Debug)]
pub(super) struct Monitor {
    /// Place in the list of elements.
    pub(super) element: usize,
    pub(super) threshold: f64,
    pub(super) record: ContactRecord,
    /// Start of the present stick interval.
    stuck_since: Option<f64>,
}

impl Monitor {
    /// Of an element that can stick and slip.
    pub(super) fn of(element: usize, of: &dyn Element) -> Option<Self> {
        let contact = of.as_contact().map(|contact| contact.slip_speed);
        Some(Self {
            element,
            threshold: contact.or_else(|| of.slip_threshold())?,
            record: ContactRecord {
                name: of.name().to_owned(),
                ..ContactRecord::default()
            },
            stuck_since: None,
        })
    }

    /// Whether a speed (of loaded points, if any is loaded) means stick.
    pub(super) fn sticks(&self, speed: Option<f64>) -> bool {
        speed.is_some_and(|s| s < self.threshold)
    }

    /// Whether the contact is in a stick interval.
    pub(super) fn is_stuck(&self) -> bool {
        self.stuck_since.is_some()
    }

    /// Books the speed at an accepted moment; `changed` is the located time of a change.
    pub(super) fn book(&mut self, speed: Option<f64>, changed: f64) {
        self.record.max_slip_speed = self.record.max_slip_speed.max(speed.unwrap_or(0.0));
        let sticks = self.sticks(speed);
        if !sticks && speed.is_some() && self.record.first_slip_time.is_none() {
            self.record.first_slip_time = Some(changed);
        }
        match (self.stuck_since, sticks) {
            (None, true) => self.stuck_since = Some(changed),
            (Some(start), false) => {
                self.record.stick_intervals.push([start, changed]);
                self.stuck_since = None;
            }
            _ => {}
        }
    }

    /// Closes the last interval at the end of the run.
    pub(super) fn finish(mut self, t: f64) -> ContactRecord {
        if let Some(start) = self.stuck_since {
            self.record.stick_intervals.push([start, t]);
        }
        self.record
    }
}
