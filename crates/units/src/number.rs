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
    use std::fmt::Write;
    let start = text.len();
    // writing to a string cannot fail
    let _ = write!(text, "{value:e}");
    let positional = text[start..]
        .split_once('e')
        .and_then(|(mantissa, exponent)| {
            let exponent: i64 = exponent.parse().ok()?;
            let digits: i64 = mantissa.bytes().filter(u8::is_ascii_digit).map(|_| 1).sum();
            let sign = i64::from(mantissa.starts_with('-'));
            let length = if exponent < 0 {
                1 - exponent + digits
            } else if digits > exponent + 1 {
                digits + 1
            } else {
                exponent + 1
            };
            let scientific = i64::try_from(text.len() - start).ok()?;
            Some(sign + length <= scientific)
        });
    if positional == Some(true) {
        text.truncate(start);
        let _ = write!(text, "{value}");
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
        ] {
            assert_eq!(format_number(value), text);
        }
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
