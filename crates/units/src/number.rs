//! Numbers as text: the shortest form that reads back to the same bits.

/// The shortest decimal text that reads back to exactly `value`.
///
/// Positional where that is as short as the exponent form (`0.05`), with an exponent where it is
/// shorter (`1.5e-7`). Every reader that rounds correctly gets the same bits.
///
/// ```
/// assert_eq!(bristle_units::format_number(0.1), "0.1");
/// assert_eq!(bristle_units::format_number(1.5e-7), "1.5e-7");
/// ```
pub fn format_number(value: f64) -> String {
    let mut text = String::new();
    push_number(&mut text, value);
    text
}

/// Appends [`format_number`] of `value` to `text`.
pub fn push_number(text: &mut String, value: f64) {
    if value == 0.0 {
        text.push_str(if value.is_sign_negative() { "-0" } else { "0" });
        return;
    }
    let mut buffer = zmij::Buffer::new();
    let shortest = buffer.format(value);
    let digits = shortest.strip_prefix('-').unwrap_or(shortest).as_bytes();
    // most numbers of a table stand as they are (12.345, -0.75, 1.5e-9), and the look is kept short
    let other_form_may_be_shorter =
        digits.starts_with(b"0.00") || digits.ends_with(b".0") || value.abs() >= LARGE;
    let decimal = other_form_may_be_shorter
        .then(|| Decimal::of(shortest))
        .flatten();
    match decimal {
        Some(decimal) => decimal.push(text),
        None => text.push_str(shortest),
    }
}

/// From here on a number may be shorter with an exponent, or be written with one and shorter without.
const LARGE: f64 = 1e15;

/// Significant digits of a number whose shortest text may be shorter in the other form.
struct Decimal<'t> {
    negative: bool,
    /// Digits without zeros at either end, in two parts.
    digits: (&'t str, &'t str),
    /// Exponent of ten of the first digit.
    exponent: i32,
}

/// Both sides of a sign; for a few letters a plain look is faster than a search.
fn divided(text: &str, sign: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == sign)?;
    Some((&text[..at], &text[at + 1..]))
}

impl<'t> Decimal<'t> {
    /// Nothing where the text is the shorter form already, or no number.
    fn of(shortest: &'t str) -> Option<Self> {
        let positive = shortest.strip_prefix('-');
        let (negative, text) = (positive.is_some(), positive.unwrap_or(shortest));
        let (mantissa, exponent) = match divided(text, b'e') {
            Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = match divided(mantissa, b'.') {
            Some((whole, fraction)) => (whole, fraction.trim_end_matches('0')),
            None if exponent == 0 => return None,
            None => (mantissa, ""),
        };
        let places = |count: usize| i32::try_from(count).ok();
        let (digits, exponent) = match (whole, fraction) {
            ("0", _) => {
                let digits = fraction.trim_start_matches('0');
                (("", digits), -places(fraction.len() - digits.len())? - 1)
            }
            (_, "") => {
                let digits = whole.trim_end_matches('0');
                ((digits, ""), exponent + places(whole.len())? - 1)
            }
            _ if exponent == 0 => return None,
            _ => ((whole, fraction), exponent),
        };
        Some(Self {
            negative,
            digits,
            exponent,
        })
    }

    /// Appends the shorter form, the positional one where both are as long.
    fn push(&self, text: &mut String) {
        if self.negative {
            text.push('-');
        }
        let (head, tail) = self.digits;
        let count = head.len() + tail.len();
        let (small, size) = (self.exponent < 0, self.exponent.unsigned_abs() as usize);
        let width = 1 + usize::from(size >= 10) + usize::from(size >= 100);
        let scientific = count + usize::from(count > 1) + 1 + usize::from(small) + width;
        // digits before the point
        let whole = if small { 1 } else { size + 1 };
        let positional = if small {
            count + 1 + size
        } else {
            whole.max(count) + usize::from(count > whole)
        };
        let is_positional = positional <= scientific;
        let zeros = |count: usize| std::iter::repeat_n('0', count);
        if is_positional && small {
            text.push_str("0.");
            text.extend(zeros(size - 1));
        }
        let start = text.len();
        text.push_str(head);
        text.push_str(tail);
        if !is_positional {
            if count > 1 {
                text.insert(start + 1, '.');
            }
            text.push_str(if small { "e-" } else { "e" });
            // three digits at most
            for power in [100, 10, 1] {
                if size >= power || power == 1 {
                    let digit = u8::try_from(size / power % 10).unwrap_or_default();
                    text.push(char::from(b'0' + digit));
                }
            }
        } else if !small && count > whole {
            text.insert(start + whole, '.');
        } else if !small {
            text.extend(zeros(whole - count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::format_number;

    #[test]
    fn the_shorter_of_both_forms_is_taken() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-12.5, "-12.5"),
            (100.0, "100"),
            (1000.0, "1e3"),
            (1234.0, "1234"),
            (0.001, "1e-3"),
            (0.05, "0.05"),
            (1.5e-7, "1.5e-7"),
            (1e300, "1e300"),
            (-0.75, "-0.75"),
            (2e-5, "2e-5"),
            (1.5e-4, "1.5e-4"),
            (0.0125, "0.0125"),
            (0.001_25, "0.00125"),
            (0.001_234_5, "0.0012345"),
            (1e15, "1e15"),
            (12_345_678_901_234_568.0, "12345678901234568"),
            (1.25e17, "1.25e17"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e308"),
            (5e-324, "5e-324"),
        ] {
            assert_eq!(format_number(value), text);
        }
    }

    /// The two forms of the standard library, the shorter one of them.
    fn by_the_standard_library(value: f64) -> String {
        let (positional, scientific) = (format!("{value}"), format!("{value:e}"));
        if positional.len() <= scientific.len() {
            positional
        } else {
            scientific
        }
    }

    /// Where two shortest texts are equally near the value the last digit may be another one: such
    /// exact halves are rare, and most of them large, where few digits are left behind the point.
    #[test]
    fn texts_are_those_of_the_standard_library() {
        let mut bits: u64 = 1;
        let mut other = 0;
        for i in 0..60_000_u32 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let fraction = (bits >> 12) as f64 / 2_f64.powi(52);
            // every size a channel may have, with many and with few digits
            let scale = 10_f64.powi((bits % 41) as i32 - 20);
            let value = match i % 3 {
                0 => (fraction - 0.5) * scale,
                1 => (fraction * 1000.0).round() * scale,
                _ => f64::from_bits(bits),
            };
            if !value.is_finite() {
                continue;
            }
            let (text, expected) = (format_number(value), by_the_standard_library(value));
            assert_eq!(text.len(), expected.len(), "{text} {expected}");
            if text != expected {
                let back: f64 = text.parse().unwrap();
                assert_eq!(back.to_bits(), value.to_bits(), "{text} {expected}");
                other += 1;
            }
        }
        assert!(other < 100, "{other} last digits differ");
    }

    #[test]
    fn every_text_reads_back_to_the_same_bits() {
        let mut bits: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut tried = 0;
        while tried < 20_000 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963);
            let value = f64::from_bits(bits);
            if value.is_finite() {
                let back: f64 = format_number(value).parse().unwrap();
                assert_eq!(back.to_bits(), value.to_bits());
                tried += 1;
            }
        }
        for value in [f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::EPSILON, 0.1 + 0.2] {
            let back: f64 = format_number(value).parse().unwrap();
            assert_eq!(back.to_bits(), value.to_bits());
        }
    }
}
