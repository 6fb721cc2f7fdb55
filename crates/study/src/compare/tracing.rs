//! What a run under one law leaves of its contacts and joints.

use std::sync::atomic::{AtomicBool, Ordering};

use bristle_integrate::Flow;
use bristle_results::ChannelTable;

use super::trace::{ChannelPlaces, Trace};
use crate::engine::RunObserver;

/// Follows contacts and joints.
pub(super) struct Tracing<'s> {
    pub(super) places: Vec<Option<ChannelPlaces>>,
    /// Each with the largest normal force of a point so far.
    pub(super) traces: Vec<(Trace, f64)>,
    /// The rows, if they are kept.
    pub(super) table: Option<ChannelTable>,
    pub(super) stop: &'s AtomicBool,
    pub(super) step: &'s mut dyn FnMut(f64),
}

impl RunObserver for Tracing<'_> {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.take(values);
        match &mut self.table {
            Some(table) => table.push_row(values),
            None => Ok(()),
        }
    }

    fn takes_steps(&self) -> bool {
        true
    }

    fn step_row(&mut self, values: &[f64]) {
        self.take(values);
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

impl Tracing<'_> {
    fn take(&mut self, values: &[f64]) {
        for (places, (trace, largest)) in self.places.iter().zip(&mut self.traces) {
            if let Some(places) = places {
                trace.row(values, places, largest);
            }
        }
    }
}
