//! Channels that cross a level, and when.

use super::recorder::{Recorder, RowObserver};
use crate::model::Model;
use bristle_integrate::{Flow, Segment};

/// Evaluations to find a crossing: halvings to a part of 1e-12 of a step.
const HALVINGS: usize = 40;

impl Recorder {
    /// Reports the crossings in a step to the observer, in the order of their times; the time of the
    /// first one that ends the run (s).
    ///
    /// The state inside the step is interpolated as for rows. A channel that crosses and comes back
    /// within one step is not seen.
    pub(super) fn crossings(
        &mut self,
        segment: &Segment<'_, Model>,
        rows: &mut dyn RowObserver,
    ) -> Option<f64> {
        if self.watches.is_empty() {
            return None;
        }
        if self.watched.is_empty() {
            self.sample(segment, segment.before.t);
            self.watched.extend_from_slice(&self.row);
        }
        self.sample(segment, segment.after.t);
        let after = self.row.clone();
        let mut found: Vec<(f64, usize)> = Vec::new();
        for k in 0..self.watches.len() {
            let channel = self.watches[k].channel;
            if self.watches[k].crosses(self.watched[channel], after[channel]) {
                found.push((self.crossing(segment, k), k));
            }
        }
        self.watched.copy_from_slice(&after);
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (t, k) in found {
            let ends = rows.crossed(k, t) == Flow::Stop;
            if ends || self.watches[k].stops {
                return Some(t);
            }
        }
        None
    }

    /// When a channel crosses its level inside a step: the first time at which it has.
    fn crossing(&mut self, segment: &Segment<'_, Model>, watch: usize) -> f64 {
        let channel = self.watches[watch].channel;
        let from = self.watched[channel];
        let (mut low, mut high) = (segment.before.t, segment.after.t);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            self.sample(segment, middle);
            if self.watches[watch].crosses(from, self.row[channel]) {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }
}
