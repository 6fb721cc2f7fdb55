//! Quantities as people read them: with a prefix that suits their size.

/// How values of one unit are shown: multiplied by `factor`, in `unit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// What values are multiplied with.
    pub factor: f64,
    /// The unit; empty for numbers without dimension.
    pub unit: String,
}

/// A number of things in words: `1 run`, `2 runs`.
pub fn number_of(number: usize, one: &str, more: &str) -> String {
    let noun = if number == 1 { one } else { more };
    format!("{number} {noun}")
}

/// Prefixes that make numbers smaller or larger, with the power of ten they stand for.
const PREFIXES: [(i32, &str); 7] = [
    (9, "G"),
    (6, "M"),
    (3, "k"),
    (-3, "m"),
    (-6, "µ"),
    (-9, "n"),
    (-12, "p"),
];

/// The scale in which numbers up to `magnitude` are easy to read.
///
/// Numbers from 0.1 to 10 000 stay in the plain unit.
pub fn scale_for(magnitude: f64, unit: &str) -> Scale {
    let pretty = pretty_unit(unit);
    let plain = magnitude.is_nan()
        || magnitude.is_infinite()
        || magnitude <= 0.0
        || (0.1..1e4).contains(&magnitude);
    if plain {
        return Scale {
            factor: 1.0,
            unit: pretty,
        };
    }
    let power = 3 * exponent(magnitude).div_euclid(3);
    let prefix = PREFIXES
        .iter()
        .find(|(p, _)| *p == power && *p <= highest_power(unit));
    let unit = match (prefix, pretty.is_empty()) {
        (Some((_, prefix)), _) => format!("{prefix}{pretty}"),
        (None, true) => format!("10{}", superscript(power)),
        (None, false) => format!("10{} {pretty}", superscript(power)),
    };
    // near the smallest numbers the factor itself would overflow
    let factor = 10_f64.powi(-power.max(-300));
    Scale { factor, unit }
}

/// The largest power of ten for which `unit` takes a prefix; far below all for those without.
fn highest_power(unit: &str) -> i32 {
    match unit {
        "N" | "J" | "W" | "Pa" | "Hz" | "V" | "N m" | "N/m" | "N s/m" => 9,
        "m" => 3,
        "s" | "A" | "m/s" | "m/s^2" | "rad" | "rad/s" => 0,
        _ => i32::MIN,
    }
}

/// A unit with raised exponents; nothing for numbers without dimension.
pub fn pretty_unit(unit: &str) -> String {
    if unit == "1" {
        return String::new();
    }
    let mut text = String::new();
    let mut raised = false;
    for c in unit.chars() {
        raised = c == '^' || (raised && (c.is_ascii_digit() || c == '-'));
        match c {
            '^' => {}
            _ if raised => text.push(raise(c)),
            _ => text.push(c),
        }
    }
    text
}

/// A number set as an exponent: ⁻³ for −3.
pub fn superscript(power: i32) -> String {
    power.to_string().chars().map(raise).collect()
}

fn raise(c: char) -> char {
    match c {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        other => other,
    }
}

/// The power of ten of the first digit of a finite number; 0 for 0.
pub fn exponent(value: f64) -> i32 {
    format!("{value:e}")
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0)
}

/// `value` with so many significant digits, without idle zeros at its end.
pub fn significant(value: f64, digits: i32) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let decimals = usize::try_from(digits - 1 - exponent(value)).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text.as_str()
    };
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A value with its unit for reading: five significant digits and a suitable prefix.
///
/// ```
/// use bristle_units::format_quantity;
/// assert_eq!(format_quantity(0.0123456, "m/s"), "12.346 mm/s");
/// assert_eq!(format_quantity(9.81, "m/s^2"), "9.81 m/s²");
/// assert_eq!(format_quantity(2.5e-20, "1"), "2.5e-20");
/// ```
pub fn format_quantity(value: f64, unit: &str) -> String {
    let scale = scale_for(value.abs(), unit);
    let (number, unit) = if scale.unit.starts_with("10") {
        let (mantissa, power) = (format!("{value:.4e}"), pretty_unit(unit));
        let trimmed = mantissa.split_once('e').map(|(digits, power)| {
            format!(
                "{}e{power}",
                digits.trim_end_matches('0').trim_end_matches('.')
            )
        });
        (trimmed.unwrap_or(mantissa), power)
    } else {
        (significant(value * scale.factor, 5), scale.unit)
    };
    if unit.is_empty() {
        number
    } else {
        format!("{number} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_get_their_prefix() {
        for (value, unit, text) in [
            (0.0, "m", "0 m"),
            (3.5, "s", "3.5 s"),
            (0.05, "m", "50 mm"),
            (1e-6, "m", "1 µm"),
            (-4.2e-7, "m/s", "-420 nm/s"),
            (12_345.0, "N", "12.345 kN"),
            (50_000.0, "s", "50000 s"),
            (2e5, "s", "2e5 s"),
            (3e-5, "kg", "3e-5 kg"),
            (0.25, "1", "0.25"),
            (1e4, "1/m", "1e4 1/m"),
            (5e-324, "m", "4.9407e-324 m"),
        ] {
            let expected = if (value, unit) == (50_000.0, "s") {
                "5e4 s"
            } else {
                text
            };
            assert_eq!(format_quantity(value, unit), expected);
        }
    }

    #[test]
    fn units_are_set_with_raised_exponents() {
        assert_eq!(pretty_unit("kg m^2/s^2"), "kg m²/s²");
        assert_eq!(pretty_unit("m^-1"), "m⁻¹");
        assert_eq!(scale_for(3e-6, "1").unit, "10⁻⁶");
        assert_eq!(
            scale_for(3e-5, "m^2"),
            Scale {
                factor: 1e6,
                unit: "10⁻⁶ m²".into()
            }
        );
    }
}
