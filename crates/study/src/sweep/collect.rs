//! What is kept of a run while it goes on.

use std::sync::atomic::{AtomicBool, Ordering};

use bristle_integrate::Flow;
use bristle_results::Channel;

use super::measure::{CaseMeasure, Measuring};
use crate::engine::RunObserver;

/// Keeps of a run what its record needs.
pub(super) struct InMemory<'s> {
    pub(super) measuring: Measuring<'s>,
    /// Rows of the channels that are kept, one behind the other.
    pub(super) kept: Vec<f64>,
    /// Position of each kept channel in a row; none where the run has no such channel.
    places: Vec<Option<usize>>,
    stop: &'s AtomicBool,
}

impl<'s> InMemory<'s> {
    pub(super) fn new(
        channels: &'s [Channel],
        measures: &'s [CaseMeasure],
        kept: &[String],
        stop: &'s AtomicBool,
    ) -> Self {
        Self {
            measuring: Measuring::new(measures, channels),
            kept: Vec::new(),
            places: kept
                .iter()
                .map(|name| channels.iter().position(|channel| channel.name == *name))
                .collect(),
            stop,
        }
    }
}

impl RunObserver for InMemory<'_> {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.measuring.row(values);
        let value = |place: &Option<usize>| place.and_then(|i| values.get(i)).copied();
        let kept = self
            .places
            .iter()
            .map(|place| value(place).unwrap_or(f64::NAN));
        self.kept.extend(kept);
        Ok(())
    }

    fn step(&mut self, _t: f64) -> Flow {
        if self.stop.load(Ordering::Relaxed) {
            Flow::Stop
        } else {
            Flow::Continue
        }
    }
}
