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
/// the time of a peak is then known to within its bucket. Beside them it keeps evenly spaced whole
/// rows, whose values belong together: see [`ChannelTable::whole_rows`].
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelTable {
    channels: Vec<Channel>,
    columns: Vec<Vec<f64>>,
    limit: usize,
    /// Raw rows that make a bucket; `KEPT` while nothing was condensed.
    bucket: usize,
    /// Leading rows that are condensed already.
    condensed: usize,
    /// Evenly spaced whole rows, once rows are condensed.
    whole: Option<Whole>,
}

/// Every n-th row of a table, as it was.
#[derive(Clone, Debug, PartialEq)]
struct Whole {
    columns: Vec<Vec<f64>>,
    /// Of so many rows one is kept.
    stride: usize,
    /// Rows that were offered.
    seen: usize,
}

impl Whole {
    fn push(&mut self, row: &[f64], limit: usize) {
        if self.seen.is_multiple_of(self.stride) {
            for (column, &value) in self.columns.iter_mut().zip(row) {
                column.push(value);
            }
        }
        self.seen += 1;
        if self.columns.first().map_or(0, Vec::len) > limit {
            self.stride *= 2;
            for column in &mut self.columns {
                *column = column.iter().copied().step_by(2).collect();
            }
        }
    }
}

impl ChannelTable {
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
            whole: None,
        }
    }

    /// An empty table of the same channels with the same limit.
    #[must_use]
    pub fn like(&self) -> Self {
        Self::bounded(self.channels.clone(), self.limit)
    }

    /// Makes room for about so many rows, as far as it may hold them.
    pub fn reserve(&mut self, rows: usize) {
        for column in &mut self.columns {
            column.reserve(rows.min(self.limit));
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
        if let Some(whole) = &mut self.whole {
            whole.push(row, self.limit);
        }
        if self.bucket > KEPT && self.rows() - self.condensed >= self.bucket {
            self.condense(self.condensed, self.bucket);
        }
        if self.rows() > self.limit {
            self.condense_all();
        }
        Ok(())
    }

    fn condense_all(&mut self) {
        if self.is_complete() {
            self.whole = Some(Whole {
                columns: self.columns.clone(),
                stride: 1,
                seen: self.rows(),
            });
        }
        self.bucket *= 2;
        self.condense(0, 2 * KEPT);
    }

    /// The same table with about `limit` rows at most (and never fewer than 16), condensed as a
    /// bounded table condenses itself.
    #[must_use]
    pub fn condensed(&self, limit: usize) -> Self {
        let mut table = self.clone();
        table.limit = limit.max(16);
        while table.rows() > table.limit {
            let before = table.rows();
            table.condense_all();
            if table.rows() == before {
                break;
            }
        }
        table
    }

    /// Up to `limit` evenly spaced rows, each as it was: a table whose values belong together in
    /// every row. Values between these rows, peaks among them, are not in it.
    #[must_use]
    pub fn whole_rows(&self, limit: usize) -> Self {
        let columns = self.whole.as_ref().map_or(&self.columns, |w| &w.columns);
        let rows = columns.first().map_or(0, Vec::len);
        let stride = rows.div_ceil(limit.max(1)).max(1);
        let mut table = Self::new(self.channels.clone());
        table.columns = columns
            .iter()
            .map(|column| column.iter().copied().step_by(stride).collect())
            .collect();
        // the last row is where a run ended; condensing keeps it whole
        if table.time().last() != self.time().last() {
            for (column, from) in table.columns.iter_mut().zip(&self.columns) {
                column.extend(from.last());
            }
        }
        table
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

    /// The table as CSV.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for the first value that is not a finite number.
    pub fn csv(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut rows = RowWriter::new(&mut bytes, &self.channels);
        for i in 0..self.rows() {
            let row: Vec<f64> = self.columns.iter().map(|column| column[i]).collect();
            rows.check(&row)?;
            // a vector takes every byte
            let _ = rows.push(&row);
        }
        drop(rows);
        Ok(bytes)
    }

    /// Writes the table to one CSV file, atomically.
    ///
    /// # Errors
    /// As [`ChannelTable::csv`], and [`Error::File`].
    pub fn write_csv(&self, path: &Path) -> Result<()> {
        let bytes = self.csv()?;
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
        let mut table = ChannelTable::bounded(channels(), 1000);
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
    fn whole_rows_stay_together() {
        let mut table = ChannelTable::bounded(channels(), 1000);
        for i in 0..50_000_u32 {
            let t = f64::from(i);
            table.push_row(&[t, t * t, -t]).unwrap();
        }
        for limit in [1000, 100, 7] {
            let whole = table.whole_rows(limit);
            assert!(whole.rows() <= limit + 1 && whole.rows() > limit / 4);
            let columns = ["t", "f", "g"].map(|name| whole.column(name).unwrap());
            for (i, &t) in columns[0].iter().enumerate() {
                assert!(columns[1][i].to_bits() == (t * t).to_bits());
                assert!(columns[2][i].to_bits() == (-t).to_bits());
            }
            let steps: Vec<f64> = columns[0].windows(2).map(|w| w[1] - w[0]).collect();
            let even = &steps[..steps.len() - 1];
            assert!(even.iter().all(|s| s.to_bits() == even[0].to_bits()));
        }
        assert!(table.condensed(100).rows() <= 100);
        assert!(table.condensed(100).whole_rows(1000) == table.whole_rows(1000));
    }

    #[test]
    fn an_unbounded_table_keeps_every_row() {
        let mut table = ChannelTable::new(channels());
        for i in 0..10_000_u32 {
            table.push_row(&[f64::from(i), 0.0, 1.0]).unwrap();
        }
        assert!(table.is_complete() && table.rows() == 10_000);
        assert!(table.push_row(&[0.0]).is_err());
        assert!(table.column("h").is_none());
    }
}
