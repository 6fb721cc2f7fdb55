//! What a run under one law leaves of its contacts.

use std::sync::atomic::{AtomicBool, Ordering};

use bristle_integrate::Flow;

use super::trace::{ChannelPlaces, Trace};
use crate::engine::RunObserver;

/// Follows the contacts.
pub(super) struct Tracing<'s> {
    pub(super) places: Vec<Option<ChannelPlaces>>,
    /// Each with the largest normal force of a point so far.
    pub(super) traces: Vec<(Trace, f64)>,
    pub(super) stop: &'s AtomicBool,
    pub(super) step: &'s mut dyn FnMut(f64),
}

impl RunObserver for Tracing<'_> {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        for (places, (trace, largest)) in self.places.iter().zip(&mut self.traces) {
            if let Some(places) = places {
                trace.row(values, places, largest);
            }
        }
        Ok(())
    }

    fn step(&mut self, t: f64) -> Flow {
        (self.step)(t);
        if self.stop.load(Ordering::Relaxed) {
            Flow::Stop
        } else {
            Flow::Continue
        }
    }
}
