//! What is kept of a run while it goes on.

use std::sync::atomic::{AtomicBool, Ordering};

use bristle_integrate::Flow;
use bristle_results::Channel;

use super::measure::{ChannelMeasure, Measuring};
use crate::engine::RunObserver;

/// Keeps of a run what its record needs.
pub(super) struct InMemory<'s> {
    pub(super) measuring: Measuring<'s>,
    stop: &'s AtomicBool,
}

impl<'s> InMemory<'s> {
    pub(super) fn new(
        channels: &'s [Channel],
        measures: &'s [ChannelMeasure],
        stop: &'s AtomicBool,
    ) -> Self {
        Self {
            measuring: Measuring::new(measures, channels),
            stop,
        }
    }
}

impl RunObserver for InMemory<'_> {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.measuring.row(values);
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
