//! The numbers along one axis: unit prefix, offset, range and ticks.

use std::sync::Arc;

use bristle_units::{Scale, exponent, scale_for, significant, superscript};
use kuva::TickFormat;

use super::curve::AxisScale;

/// Ticks that an axis aims at.
const TICKS: f64 = 6.0;

/// Decades that an axis can label one by one.
const DECADES: f64 = 8.0;

/// Where the values of an axis lie along it, before prefixes and ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Spread {
    Linear,
    /// log₁₀ of the value.
    Decades,
    /// ±log₁₀(|value|/10^`smallest`), for values of both signs.
    SignedDecades {
        smallest: i32,
    },
}

impl Spread {
    /// The spread of an axis that shows `values`.
    pub(crate) fn of(scale: AxisScale, values: impl Iterator<Item = f64>) -> Self {
        match scale {
            AxisScale::Linear => Self::Linear,
            AxisScale::Logarithmic => Self::Decades,
            AxisScale::SignedLogarithmic => {
                let sizes = values.map(f64::abs).filter(|x| x.is_normal());
                let smallest = exponent(sizes.fold(f64::INFINITY, f64::min).min(1e300));
                Self::SignedDecades { smallest }
            }
        }
    }

    /// Values along the axis; not a number where the axis has no place for one.
    pub(crate) fn along(self, values: &[f64]) -> Vec<f64> {
        let place = |x: &f64| match self {
            Self::Linear => *x,
            Self::Decades if *x > 0.0 => x.log10(),
            Self::Decades => f64::NAN,
            Self::SignedDecades { smallest } => {
                let decades = x.abs().log10() - f64::from(smallest);
                if *x == 0.0 {
                    0.0
                } else {
                    x.signum() * decades.max(0.0)
                }
            }
        };
        values.iter().map(place).collect()
    }

    /// The axis of values from `range.0` to `range.1` along it.
    pub(crate) fn shown(
        self,
        label: &str,
        unit: &str,
        range: (f64, f64),
        margin: f64,
    ) -> AxisRange {
        match self {
            Self::Linear => AxisRange::new(label, unit, range, margin),
            Self::Decades | Self::SignedDecades { .. } => {
                AxisRange::decades(label, unit, range, self)
            }
        }
    }

    /// What stands at a place along an axis of decades.
    fn power(self, place: f64) -> String {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "decades of a float lie within ±700"
        )]
        let decade = place.round() as i32;
        match self {
            Self::SignedDecades { smallest } if decade == 0 => format!("±{}", ten_to(smallest)),
            Self::SignedDecades { smallest } => {
                let sign = if decade < 0 { "−" } else { "" };
                format!("{sign}{}", ten_to(smallest + decade.abs()))
            }
            Self::Linear | Self::Decades => ten_to(decade),
        }
    }
}

/// 10⁻³ for −3; 1 and 10 as they are.
fn ten_to(power: i32) -> String {
    match power {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", superscript(power)),
    }
}

/// How the values of one axis are shown: (place − offset) · factor, from `low` to `high`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AxisRange {
    pub(crate) label: String,
    offset: f64,
    factor: f64,
    /// Ends of the axis and distance of its ticks, in shown numbers.
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) step: f64,
    decimals: usize,
    spread: Spread,
}

impl AxisRange {
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
            spread: Spread::Linear,
        }
    }

    /// An axis of whole decades around `range`.
    fn decades(label: &str, unit: &str, range: (f64, f64), spread: Spread) -> Self {
        let (low, high) = (range.0.floor(), range.1.ceil());
        let high = if high > low { high } else { low + 1.0 };
        let unit = if unit == "1" { "" } else { unit };
        let plain = scale_for(1.0, unit);
        Self {
            label: with_unit(label, &plain),
            offset: 0.0,
            factor: 1.0,
            low,
            high,
            step: ((high - low) / DECADES).ceil(),
            decimals: 0,
            spread,
        }
    }

    /// The same axis with ticks at whole numbers alone.
    pub(crate) fn whole(mut self) -> Self {
        // an axis with a prefix or an offset shows other numbers than those that were counted
        let plain = (self.factor - 1.0).abs() < f64::EPSILON && self.offset.abs() < f64::EPSILON;
        if plain && self.spread == Spread::Linear {
            if self.step < 1.0 {
                (self.low, self.high) = (self.low.floor(), self.high.ceil());
            }
            self.step = self.step.max(1.0);
            self.decimals = 0;
        }
        self
    }

    /// How its ticks are written.
    pub(crate) fn ticks(&self) -> TickFormat {
        let (spread, decimals) = (self.spread, self.decimals);
        match spread {
            Spread::Linear if decimals > 6 => TickFormat::Sci,
            Spread::Linear => TickFormat::Custom(Arc::new(move |value| fixed(value, decimals))),
            _ => TickFormat::Custom(Arc::new(move |place| spread.power(place))),
        }
    }

    /// Whether zero of its values lies at zero along it, with both signs beside it.
    pub(crate) fn has_zero(&self) -> bool {
        self.spread != Spread::Decades
    }

    /// The shown number of a value.
    pub(crate) fn show(&self, value: f64) -> f64 {
        (value - self.offset) * self.factor
    }
}

fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    // a tick at zero may have come out as a tiny negative number
    let zero = text.starts_with('-') && text.chars().all(|c| "-0.".contains(c));
    if zero {
        text[1..].to_owned()
    } else {
        text.replace('-', "−")
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
    #[allow(clippy::float_cmp, reason = "whole numbers are exact")]
    fn counts_have_ticks_at_whole_numbers() {
        let axis = AxisRange::new("mode", "1", (1.0, 3.0), 0.05).whole();
        assert_eq!([axis.low, axis.high, axis.step], [0.0, 4.0, 1.0]);
        assert_eq!(axis.decimals, 0);
        // one value alone has whole numbers beside it
        let axis = AxisRange::new("sticks", "1", (4.0, 4.0), 0.05).whole();
        assert_eq!([axis.low, axis.high, axis.step], [3.0, 5.0, 1.0]);
        // many counts keep their round steps
        let axis = AxisRange::new("steps", "1", (0.0, 600.0), 0.0).whole();
        assert_eq!(axis.step, 100.0);
    }

    #[test]
    fn small_values_get_a_prefix() {
        let axis = AxisRange::new("deflection", "m", (-1e-6, 2e-6), 0.05);
        assert_eq!(axis.label, "deflection (µm)");
        assert!((axis.show(2e-6) - 2.0).abs() < 1e-12);
        assert!((axis.step - 0.5).abs() < 1e-12 && axis.decimals == 1);
    }

    #[test]
    fn constants_get_room_and_noise_is_not_blown_up() {
        let zero = AxisRange::new("force", "N", (0.0, 0.0), 0.05);
        assert!(zero.low < 0.0 && zero.high > 0.0 && zero.label == "force (N)");
        let flat = AxisRange::new("height", "m", (0.05, 0.05 + 1e-17), 0.05);
        assert!((flat.low - 45.0).abs() < 1e-9 && (flat.high - 55.0).abs() < 1e-9);
    }

    #[test]
    fn a_small_range_on_a_large_value_is_shown_as_a_difference() {
        let axis = AxisRange::new("height", "m", (0.049_998_1, 0.049_998_4), 0.0);
        assert_eq!(axis.label, "height − 49.998 mm (nm)");
        assert!((axis.show(0.049_998_4) - 400.0).abs() < 1e-3);
        assert!((axis.step - 50.0).abs() < 1e-9);
    }

    #[test]
    fn decades_are_whole_and_written_as_powers() {
        let values = [-0.05, -1e-4, 2e-4, 0.1];
        let spread = Spread::of(AxisScale::SignedLogarithmic, values.into_iter());
        let along = spread.along(&values);
        // log₁₀ of 0.05 and 1e-4 over 1e-4, with the sign of the value
        for (x, expected) in along
            .iter()
            .zip([-500.0_f64.log10(), 0.0, 2.0_f64.log10(), 3.0])
        {
            assert!((x - expected).abs() < 1e-12, "{along:?}");
        }
        let axis = spread.shown("speed", "m/s", (along[0], along[3]), 0.0);
        assert_eq!((axis.low, axis.high, axis.step), (-3.0, 3.0, 1.0));
        assert_eq!(axis.label, "speed (m/s)");
        assert_eq!(spread.power(-3.0), "−10⁻¹");
        assert_eq!(spread.power(0.0), "±10⁻⁴");
        let positive = Spread::of(AxisScale::Logarithmic, values.into_iter());
        assert!(positive.along(&values)[0].is_nan());
        assert_eq!(positive.power(-12.0), "10⁻¹²");
        assert_eq!(positive.power(0.0), "1");
    }

    #[test]
    fn extreme_ranges_have_finite_ticks() {
        for range in [
            (0.0, 5e-324),
            (-1e300, 1e300),
            (0.0, f64::MIN_POSITIVE),
            (1e-200, 2e-200),
        ] {
            let axis = AxisRange::new("x", "m", range, 0.05);
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
