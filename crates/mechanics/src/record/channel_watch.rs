//! A channel that is watched for crossing a level.

/// A channel that is watched: it crosses a level where it was below and is not below any more
/// (rises), or was above and is not above any more (falls).
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelWatch {
    /// Name of the event.
    pub name: String,
    /// Place of the channel in a row.
    pub channel: usize,
    /// The level, in the unit of the channel.
    pub level: f64,
    /// Whether a crossing upwards counts.
    pub rises: bool,
    /// Whether a crossing downwards counts.
    pub falls: bool,
    /// Whether a crossing ends the run.
    pub stops: bool,
}

impl ChannelWatch {
    pub(super) fn crosses(&self, from: f64, to: f64) -> bool {
        (self.rises && from < self.level && to >= self.level)
            || (self.falls && from > self.level && to <= self.level)
    }
}
