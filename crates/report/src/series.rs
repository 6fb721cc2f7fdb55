//! Columns of numbers on their way into the page: compact, and exact enough to read off.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

/// How the values of a column are written down: value = offset + scale × number.
#[derive(Clone, Copy, Debug)]
struct Coding {
    count: usize,
    bits: u8,
    offset: f64,
    scale: f64,
}

/// A column as the page reads it: value = offset + scale × number.
///
/// Numbers are 32-bit floats. A column that varies little about a large value (a height of 50 mm
/// that changes by nanometres) is stored about its middle, so that what remains is precise to
/// 6·10⁻⁸ of its range; others are precise to 6·10⁻⁸ of each value.
#[derive(Debug, Serialize)]
pub(crate) struct SeriesColumn {
    name: String,
    unit: String,
    meaning: String,
    count: usize,
    /// Bits of a number: 32, 64 where the values must be exact, or 0 for a constant.
    bits: u8,
    offset: f64,
    scale: f64,
    /// The numbers, little-endian, in base64; empty for a constant.
    data: String,
}

/// All columns of a page, each once.
#[derive(Debug, Default)]
pub(crate) struct Store {
    columns: Vec<SeriesColumn>,
}

/// What a column is called and measured in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ColumnLabel<'a> {
    pub(crate) name: &'a str,
    pub(crate) unit: &'a str,
    pub(crate) meaning: &'a str,
}

impl Store {
    /// Adds a column of 32-bit numbers; its index.
    pub(crate) fn add(&mut self, label: ColumnLabel<'_>, values: &[f64]) -> usize {
        let (offset, scale) = frame(values);
        let constant = scale == 0.0 && values.iter().all(|value| value.is_finite());
        let bytes: Vec<u8> = if constant {
            Vec::new()
        } else {
            #[allow(
                clippy::cast_possible_truncation,
                reason = "rounded to 32 bits on purpose"
            )]
            let short =
                |value: f64| ((value - offset) / if scale == 0.0 { 1.0 } else { scale }) as f32;
            values
                .iter()
                .flat_map(|&value| short(value).to_le_bytes())
                .collect()
        };
        let bits = if constant { 0 } else { 32 };
        let coding = Coding {
            count: values.len(),
            bits,
            offset,
            scale,
        };
        self.push(label, coding, &bytes)
    }

    /// Adds a column of exact numbers, such as the time; its index.
    pub(crate) fn add_exact(&mut self, label: ColumnLabel<'_>, values: &[f64]) -> usize {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let coding = Coding {
            count: values.len(),
            bits: 64,
            offset: 0.0,
            scale: 1.0,
        };
        self.push(label, coding, &bytes)
    }

    fn push(&mut self, label: ColumnLabel<'_>, coding: Coding, bytes: &[u8]) -> usize {
        self.columns.push(SeriesColumn {
            name: label.name.to_owned(),
            unit: label.unit.to_owned(),
            meaning: label.meaning.to_owned(),
            count: coding.count,
            bits: coding.bits,
            offset: coding.offset,
            scale: coding.scale,
            data: STANDARD.encode(bytes),
        });
        self.columns.len() - 1
    }

    pub(crate) fn columns(&self) -> &[SeriesColumn] {
        &self.columns
    }
}

/// Offset and scale of a column; a scale of 0 says that all finite values are equal.
fn frame(values: &[f64]) -> (f64, f64) {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min);
    let high = finite().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return (0.0, 0.0);
    }
    if low.to_bits() == high.to_bits() || high - low == 0.0 {
        return (low, 0.0);
    }
    let half = 0.5 * high - 0.5 * low;
    let largest = low.abs().max(high.abs());
    let offset = if half < 0.1 * largest {
        low + half
    } else {
        0.0
    };
    let size = if offset == 0.0 { largest } else { half };
    // 32-bit floats reach from 1e-38 to 3e38
    let scale = if (1e-25..1e30).contains(&size) {
        1.0
    } else {
        size
    };
    (offset, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a column back as the page does.
    fn read(column: &SeriesColumn) -> Vec<f64> {
        if column.bits == 0 {
            return vec![column.offset; column.count];
        }
        let bytes = STANDARD.decode(&column.data).unwrap();
        let number = |chunk: &[u8]| match column.bits {
            64 => f64::from_le_bytes(chunk.try_into().unwrap()),
            _ => f64::from(f32::from_le_bytes(chunk.try_into().unwrap())),
        };
        bytes
            .chunks_exact(usize::from(column.bits) / 8)
            .map(|chunk| column.offset + column.scale * number(chunk))
            .collect()
    }

    fn through(values: &[f64]) -> Vec<f64> {
        let mut store = Store::default();
        let index = store.add(ColumnLabel::default(), values);
        read(&store.columns()[index])
    }

    #[test]
    fn values_are_precise_to_single_precision() {
        // half a unit in the last place of a 24-bit mantissa
        let precision = 0.5_f64.powi(24);
        for values in [
            vec![1.0_f64, -0.3, 1e-9, 0.1],
            vec![1e300, -3e299, 2.0],
            vec![1e-60, 3e-61, 0.0],
        ] {
            let largest = values.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            for (back, value) in through(&values).iter().zip(&values) {
                assert!((back - value).abs() <= precision * value.abs().max(1e-37 * largest));
            }
        }
    }

    #[test]
    fn small_changes_of_a_large_value_survive() {
        let values: Vec<f64> = (0..100).map(|i| 0.05 + 1e-11 * f64::from(i)).collect();
        for (back, value) in through(&values).iter().zip(&values) {
            // 6e-8 of half the range, and the rounding of the sum
            assert!((back - value).abs() <= 6e-8 * 5e-10 + 1e-17);
        }
    }

    #[test]
    fn constants_cost_nothing_and_gaps_stay_gaps() {
        let mut store = Store::default();
        let index = store.add(ColumnLabel::default(), &[2.5; 1000]);
        assert!(store.columns()[index].data.is_empty());
        assert_eq!(read(&store.columns()[index]), vec![2.5; 1000]);
        let back = through(&[1.0, f64::NAN, 3.0]);
        assert!(back[1].is_nan() && (back[2] - 3.0).abs() < 1e-6);
        assert!(through(&[f64::NAN]).iter().all(|v| v.is_nan()));
        assert!(through(&[]).is_empty());
    }

    #[test]
    fn exact_columns_are_exact() {
        let mut store = Store::default();
        let values = [0.1, 1.0 / 3.0, 1e300];
        let index = store.add_exact(ColumnLabel::default(), &values);
        assert_eq!(read(&store.columns()[index]), values);
    }
}
