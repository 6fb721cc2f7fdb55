//! What is read from the points of a curve everywhere.

use bristle_response::MarkedPoint;

/// Whether small deviations die out; nothing if it is not known.
pub(super) fn stable(point: &MarkedPoint) -> Option<bool> {
    let multipliers = point.result.multipliers.as_ref()?;
    Some(multipliers.is_stable())
}

/// Half of peak to peak of the first channel.
pub(super) fn leading_amplitude(point: &MarkedPoint) -> f64 {
    let first = point.result.channels.first();
    first.map_or(f64::NAN, |read| read.amplitude)
}
