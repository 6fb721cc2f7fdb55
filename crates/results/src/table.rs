//! Results in memory, by columns.

use std::fs;
use std::path::Path;

use crate::atomic::write_atomically;
use crate::channel::Channel;
use crate::error::{Error, Result};
use crate::rows::RowWriter;
use crate::statistics::Samples;

/// Rows that one bucket is condensed to: its first, its two extremes, its last.
const KEPT: usize = 4;

/// A table of numbers by columns; the first column is the time `t`.
///
/// A *bounded* table condenses itself when it grows beyond its limit: neighbouring rows form
/// buckets, and of each bucket remain the first row, the last row and, for every channel, the
/// smallest and the largest value in the order in which they occurred. Peaks and the ends survive;
/// the time of a peak is then known to within its bucket.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    channels: Vec<Channel>,
    columns: Vec<Vec<f64>>,
    limit: usize,
    /// Raw rows that make a bucket; `KEPT` while nothing was condensed.
    bucket: usize,
    /// Leading rows that are condensed already.
    condensed: usize,
}

impl Table {
    /// An empty table that keeps every row.
    pub fn new(channels: Vec<Channel>) -> Self {
        Self::bounded(channels, usize::MAX)
    }

    /// An empty table that holds about `limit` rows at most (and never fewer than 16).
    pub fn bounded(channels: Vec<Channel>, limit: usize) -> Self {
        let columns = vec![Vec::new(); channels.len()];
        Self {
            channels,
            columns,
            limit: limit.max(16),
            bucket: KEPT,
            condensed: 0,
        }
    }

    /// Appends one value per channel.
    ///
    /// # Errors
    /// [`Error::RowLength`] if the number of values is not that of the channels.
    pub fn push_row(&mut self, row: &[f64]) -> Result<()> {
        if row.len() != self.columns.len() {
            return Err(Error::RowLength {
                found: row.len(),
                expected: self.columns.len(),
            });
        }
        for (column, &value) in self.columns.iter_mut().zip(row) {
            column.push(value);
        }
        if self.bucket > KEPT && self.rows() - self.condensed >= self.bucket {
            self.condense(self.condensed, self.bucket);
        }
        if self.rows() > self.limit {
            self.bucket *= 2;
            self.condense(0, 2 * KEPT);
        }
        Ok(())
    }

    /// Condenses the rows from `start` on, in whole groups of `size` rows, to `KEPT` rows each.
    fn condense(&mut self, start: usize, size: usize) {
        let groups = (self.rows() - start) / size;
        let end = start + groups * size;
        for (index, column) in self.columns.iter_mut().enumerate() {
            let tail = column.split_off(end);
            let full = column.split_off(start);
            for group in full.chunks_exact(size) {
                column.extend(if index == 0 {
                    spread(group)
                } else {
                    peaks(group)
                });
            }
            column.extend(tail);
        }
        self.condensed = start + groups * KEPT;
    }

    /// The channels in the order of the columns.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The channel called `name`.
    pub fn channel(&self, name: &str) -> Option<&Channel> {
        self.channels.iter().find(|c| c.name == name)
    }

    /// The values of the channel called `name`.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let index = self.channels.iter().position(|c| c.name == name)?;
        self.columns.get(index).map(Vec::as_slice)
    }

    /// The times in s: the first column.
    pub fn time(&self) -> &[f64] {
        self.columns.first().map_or(&[], Vec::as_slice)
    }

    /// One channel with its times, ready for statistics.
    ///
    /// # Errors
    /// [`Error::UnknownChannel`].
    pub fn samples(&self, name: &str) -> Result<Samples<'_>> {
        let values = self.column(name).ok_or_else(|| Error::UnknownChannel {
            name: name.to_owned(),
        })?;
        Ok(Samples::new(self.time(), values))
    }

    /// Number of rows held.
    pub fn rows(&self) -> usize {
        self.time().len()
    }

    /// Whether the table still holds every row that was pushed.
    pub fn is_complete(&self) -> bool {
        self.bucket == KEPT
    }

    /// Writes the table to one CSV file, atomically.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for the first value that is not a finite number, and [`Error::File`].
    pub fn write_csv(&self, path: &Path) -> Result<()> {
        let mut bytes = Vec::new();
        let mut rows = RowWriter::new(&mut bytes, &self.channels);
        for i in 0..self.rows() {
            let row: Vec<f64> = self.columns.iter().map(|column| column[i]).collect();
            rows.check(&row)?;
            // a vector takes every byte
            let _ = rows.push(&row);
        }
        drop(rows);
        if let Some(parent) = path.parent() {
            // if this fails, creating the file says so with its own name
            let _ = fs::create_dir_all(parent);
        }
        write_atomically(path, &bytes)
    }
}

/// First, two inner and last of the times of a group.
fn spread(group: &[f64]) -> [f64; KEPT] {
    let n = group.len();
    [group[0], group[n / 3], group[2 * n / 3], group[n - 1]]
}

/// First value, the extremes in the order of their occurrence, last value of a group.
fn peaks(group: &[f64]) -> [f64; KEPT] {
    let (mut low, mut high) = (0, 0);
    for (i, &value) in group.iter().enumerate() {
        if value < group[low] {
            low = i;
        }
        if value > group[high] {
            high = i;
        }
    }
    [
        group[0],
        group[low.min(high)],
        group[low.max(high)],
        group[group.len() - 1],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels() -> Vec<Channel> {
        vec![
            Channel::time(),
            Channel::new("f", "N", "force"),
            Channel::new("g", "N", "force"),
        ]
    }

    #[test]
    fn a_bounded_table_keeps_peaks_and_ends() {
        let mut table = Table::bounded(channels(), 1000);
        for i in 0..50_000_u32 {
            let t = f64::from(i) * 1e-3;
            // one spike up and one down in different channels
            let f = if i == 31_417 { 7.0 } else { t.sin() };
            let g = if i == 12_345 { -9.0 } else { 1.0 };
            table.push_row(&[t, f, g]).unwrap();
            assert!(table.rows() <= 1000);
        }
        assert!(!table.is_complete() && table.rows() > 200);
        let max = |name: &str| {
            table
                .column(name)
                .unwrap()
                .iter()
                .fold(f64::MIN, |a, &b| a.max(b))
        };
        let min = |name: &str| {
            table
                .column(name)
                .unwrap()
                .iter()
                .fold(f64::MAX, |a, &b| a.min(b))
        };
        assert!((max("f") - 7.0).abs() < f64::EPSILON);
        assert!((min("g") + 9.0).abs() < f64::EPSILON);
        assert!(table.time().windows(2).all(|w| w[0] < w[1]));
        assert_eq!(table.time().first(), Some(&0.0));
        assert_eq!(table.time().last(), Some(&(49_999.0 * 1e-3)));
        assert_eq!(
            table.column("f").unwrap().last(),
            Some(&(49_999.0_f64 * 1e-3).sin())
        );
    }

    #[test]
    fn an_unbounded_table_keeps_every_row() {
        let mut table = Table::new(channels());
        for i in 0..10_000_u32 {
            table.push_row(&[f64::from(i), 0.0, 1.0]).unwrap();
        }
        assert!(table.is_complete() && table.rows() == 10_000);
        assert!(table.push_row(&[0.0]).is_err());
        assert!(table.column("h").is_none());
    }
}
