//! Rows of numbers, streamed as CSV.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::channel::Channel;
use crate::error::{Error, Result};
use bristle_units::push_number;

/// Text is handed to the operating system when this much has gathered (bytes) …
const BUFFER: usize = 64 * 1024;
/// … or after this time, so that a killed process loses about a second at most.
pub(crate) const INTERVAL: Duration = Duration::from_secs(1);

/// What rows must be.
#[derive(Debug)]
pub(crate) struct RowCheck {
    names: Vec<String>,
    last_time: f64,
}

impl RowCheck {
    /// Rows of these channels; the first one is the time.
    pub(crate) fn new(channels: &[Channel]) -> Self {
        Self {
            names: channels.iter().map(|c| c.name.clone()).collect(),
            last_time: 0.0,
        }
    }

    /// Takes note of a row that was accepted.
    pub(crate) fn accepted(&mut self, row: &[f64]) {
        self.last_time = row.first().copied().unwrap_or(self.last_time);
    }

    /// Checks that `row` has one finite value for each channel.
    pub(crate) fn check(&self, row: &[f64]) -> Result<()> {
        if row.len() != self.names.len() || row.is_empty() {
            return Err(Error::RowLength {
                found: row.len(),
                expected: self.names.len(),
            });
        }
        let Some(bad) = row.iter().position(|value| !value.is_finite()) else {
            return Ok(());
        };
        let time = if row[0].is_finite() {
            row[0]
        } else {
            self.last_time
        };
        Err(Error::NotFinite {
            channel: self.names[bad].clone(),
            time,
            value: row[bad],
        })
    }
}

/// Writes rows of finite numbers as CSV, with a header of channel names.
#[derive(Debug)]
pub(crate) struct RowWriter<W: Write> {
    sink: W,
    check: RowCheck,
    text: String,
    flushed: Instant,
    accepted: u64,
}

impl<W: Write> RowWriter<W> {
    /// A writer to `sink`; the header is written with the first rows.
    pub(crate) fn new(sink: W, channels: &[Channel]) -> Self {
        let check = RowCheck::new(channels);
        let mut header = csv::Writer::from_writer(Vec::new());
        // writing to memory cannot fail
        let _ = header.write_record(&check.names);
        let text = header
            .into_inner()
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok());
        Self {
            sink,
            check,
            text: text.unwrap_or_default(),
            flushed: Instant::now(),
            accepted: 0,
        }
    }

    /// Checks that `row` has one finite value for each channel.
    pub(crate) fn check(&self, row: &[f64]) -> Result<()> {
        self.check.check(row)
    }

    /// Appends a checked row, and hands rows on at least about once a second.
    pub(crate) fn push(&mut self, row: &[f64]) -> io::Result<()> {
        for (i, &value) in row.iter().enumerate() {
            if i > 0 {
                self.text.push(',');
            }
            push_number(&mut self.text, value);
        }
        self.text.push('\n');
        self.check.accepted(row);
        if self.text.len() >= BUFFER || self.flushed.elapsed() >= INTERVAL {
            return self.flush();
        }
        Ok(())
    }

    /// Hands all rows to the sink; after an error [`Self::accepted`] says how many bytes were safe.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        let text = std::mem::take(&mut self.text);
        self.sink.write_all(text.as_bytes())?;
        self.sink.flush()?;
        self.accepted += text.len() as u64;
        self.text = text;
        self.text.clear();
        Ok(())
    }

    /// Bytes of complete rows that the sink has accepted.
    pub(crate) fn accepted(&self) -> u64 {
        self.accepted
    }

    /// The sink.
    pub(crate) fn sink(&self) -> &W {
        &self.sink
    }
}

impl<W: Write> Drop for RowWriter<W> {
    fn drop(&mut self) {
        // a run that ends without finishing keeps its last rows; nobody is left to report an error to
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels() -> Vec<Channel> {
        vec![
            Channel::time(),
            Channel::new("a,b", "N", "a name that needs quotes"),
        ]
    }

    #[test]
    fn the_header_quotes_what_needs_quotes() {
        let mut bytes = Vec::new();
        let mut rows = RowWriter::new(&mut bytes, &channels());
        rows.push(&[0.0, 1.5]).unwrap();
        drop(rows);
        assert_eq!(String::from_utf8(bytes).unwrap(), "t,\"a,b\"\n0,1.5\n");
    }

    #[test]
    fn values_that_are_not_finite_are_refused_by_name_and_time() {
        let mut rows = RowWriter::new(Vec::new(), &channels());
        rows.push(&[0.25, 1.0]).unwrap();
        let error = rows.check(&[0.5, f64::NAN]).unwrap_err().to_string();
        assert!(error.starts_with("a,b is NaN at t = 0.5 s"), "{error}");
        let error = rows.check(&[f64::INFINITY, 1.0]).unwrap_err().to_string();
        assert!(error.starts_with("t is inf at t = 0.25 s"), "{error}");
        assert!(matches!(
            rows.check(&[1.0]),
            Err(Error::RowLength {
                found: 1,
                expected: 2
            })
        ));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_and_not_retried() {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut rows = RowWriter::new(full, &channels());
        rows.push(&[0.0, 1.0]).unwrap();
        assert_eq!(rows.flush().unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(rows.accepted(), 0);
        assert!(rows.flush().is_ok(), "the refused text is gone");
    }
}
