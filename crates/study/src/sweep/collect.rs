//! What is kept of a run while it goes on.

use std::sync::atomic::{AtomicBool, Ordering};

use bristle_integrate::Flow;
use bristle_results::{Channel, Error, Extreme, Ordered};

use super::measure::{Measure, Measuring};
use crate::engine::Sink;

/// Keeps of a run what its record needs.
pub(super) struct InMemory<'s> {
    channels: &'s [Channel],
    extremes: Vec<Extreme>,
    pub(super) measuring: Measuring<'s>,
    stop: &'s AtomicBool,
    last_time: f64,
}

impl<'s> InMemory<'s> {
    pub(super) fn new(
        channels: &'s [Channel],
        measures: &'s [Measure],
        stop: &'s AtomicBool,
    ) -> Self {
        Self {
            measuring: Measuring::new(measures, channels),
            channels,
            extremes: Vec::new(),
            stop,
            last_time: 0.0,
        }
    }
}

impl Sink for InMemory<'_> {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        if let Some(bad) = values.iter().position(|value| !value.is_finite()) {
            return Err(Error::NotFinite {
                channel: self
                    .channels
                    .get(bad)
                    .map_or_else(String::new, |c| c.name.clone()),
                time: self.last_time,
                value: values[bad],
            });
        }
        let Some((&t, values_behind)) = values.split_first() else {
            return Ok(());
        };
        self.last_time = t;
        if self.extremes.is_empty() {
            let start = |&value: &f64| Extreme {
                min: value,
                t_min: t,
                max: value,
                t_max: t,
            };
            self.extremes = values_behind.iter().map(start).collect();
        }
        for (extreme, &value) in self.extremes.iter_mut().zip(values_behind) {
            extreme.include(t, value);
        }
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

    fn extremes(&self) -> Ordered<Extreme> {
        let names = self.channels.iter().skip(1).map(|c| c.name.clone());
        names.zip(self.extremes.iter().copied()).collect()
    }
}
