//! A pair at an instant, as others know it.

/// Slip and load of a pair at an instant, to be written into a history.
#[derive(Clone, Copy, Debug)]
pub struct PairInstant<'a> {
    /// Slip displacement from rest, m, and slip velocity, m/s; a joint has the first entries.
    pub displacement: [f64; 2],
    /// Slip velocity, m/s.
    pub velocity: [f64; 2],
    /// Normal force, N.
    pub normal_force: f64,
    /// Closing speed at touch-down, m/s.
    pub impact_rate: f64,
    /// States of the law.
    pub states: &'a [f64],
}
