//! The numbers along one axis: unit prefix, offset, range and ticks.

use bristle_units::{Scale, exponent, scale_for, significant};

/// Ticks that an axis aims at.
const TICKS: f64 = 6.0;

/// How the values of one axis are shown: (value − offset) · factor, from `low` to `high`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AxisScale {
    pub(crate) label: String,
    offset: f64,
    factor: f64,
    /// Ends of the axis and distance of its ticks, in shown numbers.
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) step: f64,
    pub(crate) decimals: usize,
}

impl AxisScale {
    /// An axis for values from `min` to `max` with a margin as a part of the range.
    pub(crate) fn new(label: &str, unit: &str, range: (f64, f64), margin: f64) -> Self {
        let (min, max) = range;
        let size = min.abs().max(max.abs());
        let span = max - min;
        // differences in the last bits are a constant to a reader
        let constant = span <= 1e-12 * size;
        let offset = if constant || span > 1e-3 * size {
            0.0
        } else {
            rounded(min, span)
        };
        let (scale, label) = if offset.abs() > 0.0 {
            let scale = scale_for(span, unit);
            let label = with_unit(&format!("{label} − {}", exact(offset, span, unit)), &scale);
            (scale, label)
        } else {
            let scale = scale_for(size, unit);
            let label = with_unit(label, &scale);
            (scale, label)
        };
        let show = |value: f64| (value - offset) * scale.factor;
        let (mut low, mut high) = (show(min), show(max));
        if constant {
            let around = if size > 0.0 {
                0.1 * size * scale.factor
            } else {
                1.0
            };
            (low, high) = (low - around, high + around);
        } else {
            let extra = margin * (high - low);
            (low, high) = (low - extra, high + extra);
        }
        let step = nice_step(high - low);
        if margin <= 0.0 && !constant {
            (low, high) = (snapped(low, step), snapped(high, step));
        }
        let decimals = decimals_of(step);
        Self {
            label,
            offset,
            factor: scale.factor,
            low,
            high,
            step,
            decimals,
        }
    }

    /// The shown number of a value.
    pub(crate) fn show(&self, value: f64) -> f64 {
        (value - self.offset) * self.factor
    }
}

fn with_unit(label: &str, scale: &Scale) -> String {
    match (label.is_empty(), scale.unit.is_empty()) {
        (_, true) => label.to_owned(),
        (true, false) => scale.unit.clone(),
        (false, false) => format!("{label} ({})", scale.unit),
    }
}

/// A round number near `value`, round to the power of ten above `span`.
fn rounded(value: f64, span: f64) -> f64 {
    let unit = 10_f64.powi(exponent(span) + 1);
    (value / unit).round() * unit
}

/// The offset as text with all of its digits.
fn exact(offset: f64, span: f64, unit: &str) -> String {
    let scale = scale_for(offset.abs(), unit);
    let number = significant(offset * scale.factor, exponent(offset) - exponent(span) + 1);
    let unit = scale.unit;
    if unit.is_empty() {
        number
    } else {
        format!("{number} {unit}")
    }
}

/// A distance of 1, 2 or 5 times a power of ten that gives about [`TICKS`] ticks.
fn nice_step(span: f64) -> f64 {
    let rough = span / TICKS;
    let power = exponent(rough);
    let unit = 10_f64.powi(power);
    // the borders are the geometric means of the neighbours
    let times = match rough / unit {
        r if r < 1.41 => 1.0,
        r if r < 3.16 => 2.0,
        r if r < 7.07 => 5.0,
        _ => 10.0,
    };
    let step = times * unit;
    if step.is_normal() { step } else { 1.0 }
}

/// The tick that `end` misses by a hair, such as 4 for 3.9999, else `end`.
fn snapped(end: f64, step: f64) -> f64 {
    let tick = (end / step).round() * step;
    if (tick - end).abs() <= 0.01 * step {
        tick
    } else {
        end
    }
}

fn decimals_of(step: f64) -> usize {
    usize::try_from(-exponent(step)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_values_get_a_prefix() {
        let axis = AxisScale::new("deflection", "m", (-1e-6, 2e-6), 0.05);
        assert_eq!(axis.label, "deflection (µm)");
        assert!((axis.show(2e-6) - 2.0).abs() < 1e-12);
        assert!((axis.step - 0.5).abs() < 1e-12 && axis.decimals == 1);
    }

    #[test]
    fn constants_get_room_and_noise_is_not_blown_up() {
        let zero = AxisScale::new("force", "N", (0.0, 0.0), 0.05);
        assert!(zero.low < 0.0 && zero.high > 0.0 && zero.label == "force (N)");
        let flat = AxisScale::new("height", "m", (0.05, 0.05 + 1e-17), 0.05);
        assert!((flat.low - 45.0).abs() < 1e-9 && (flat.high - 55.0).abs() < 1e-9);
    }

    #[test]
    fn a_small_range_on_a_large_value_is_shown_as_a_difference() {
        let axis = AxisScale::new("height", "m", (0.049_998_1, 0.049_998_4), 0.0);
        assert_eq!(axis.label, "height − 49.998 mm (nm)");
        assert!((axis.show(0.049_998_4) - 400.0).abs() < 1e-3);
        assert!((axis.step - 50.0).abs() < 1e-9);
    }

    #[test]
    fn extreme_ranges_have_finite_ticks() {
        for range in [
            (0.0, 5e-324),
            (-1e300, 1e300),
            (0.0, f64::MIN_POSITIVE),
            (1e-200, 2e-200),
        ] {
            let axis = AxisScale::new("x", "m", range, 0.05);
            assert!(
                axis.step > 0.0 && axis.low < axis.high,
                "{range:?}: {axis:?}"
            );
            assert!(
                (axis.high - axis.low) / axis.step < 20.0,
                "{range:?}: {axis:?}"
            );
        }
    }
}
