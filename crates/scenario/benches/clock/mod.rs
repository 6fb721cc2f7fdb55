//! Time of a measurement.

use std::time::Instant;

/// Time on the processor where the system tells it, which others on the machine do not prolong.
pub(crate) struct Clock {
    wall: Instant,
    processor: Option<f64>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self {
            wall: Instant::now(),
            processor: processor_time(),
        }
    }

    pub(crate) fn seconds(&self) -> f64 {
        match (self.processor, processor_time()) {
            (Some(start), Some(end)) => end - start,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// Seconds of this thread on a processor (Linux).
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}
