//! Columns of numbers as NumPy's `.npz`, which `numpy.load` gives back by their names.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use npyz::WriterBuilder as _;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::atomic::AtomicFile;
use crate::channel::{CHANNELS, Channel, descriptions};
use crate::error::{Error, Operation, Result};
use crate::table::ChannelTable;

/// Bytes that are handed on at once.
const BUFFER: usize = 1 << 18;

/// An `.npz` file that gets its name when it is finished.
pub struct NpzFile {
    archive: ZipWriter<BufWriter<AtomicFile>>,
    path: PathBuf,
}

impl std::fmt::Debug for NpzFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("NpzFile");
        shown.field("path", &self.path).finish_non_exhaustive()
    }
}

impl NpzFile {
    /// Opens the file.
    ///
    /// # Errors
    /// Those of [`AtomicFile`].
    pub fn create(path: &Path) -> Result<Self> {
        let file = BufWriter::with_capacity(BUFFER, AtomicFile::create(path)?);
        Ok(Self {
            archive: ZipWriter::new(file),
            path: path.to_path_buf(),
        })
    }

    /// Adds a vector of numbers.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn column(&mut self, name: &str, values: &[f64]) -> Result<()> {
        let bytes = values.iter().map(|value| value.to_le_bytes());
        self.array::<f64>(name, values.len(), bytes)
    }

    /// Adds a vector of counts.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn counts(&mut self, name: &str, values: &[i64]) -> Result<()> {
        let bytes = values.iter().map(|value| value.to_le_bytes());
        self.array::<i64>(name, values.len(), bytes)
    }

    /// Adds a text, which `numpy.load` gives back as bytes under its whole name.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn text(&mut self, name: &str, text: &[u8]) -> Result<()> {
        let written = self
            .archive
            .start_file(name, member(text.len()))
            .map_err(io::Error::from)
            .and_then(|()| self.archive.write_all(text));
        self.named(written)
    }

    /// Adds what the channels are: the text of a run's `channels.json`, under this name.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn describe(&mut self, channels: &[Channel]) -> Result<()> {
        let text = serde_json::to_string_pretty(&descriptions(channels));
        let mut text = text.map_err(|source| Error::Json {
            path: self.path.clone(),
            source,
        })?;
        text.push('\n');
        self.text(CHANNELS, text.as_bytes())
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn finish(self) -> Result<()> {
        let Self { archive, path } = self;
        let failed = |e: io::Error| Error::file(Operation::Write, &path, e);
        let file = archive.finish().map_err(|e| failed(e.into()))?;
        file.into_inner()
            .map_err(|e| failed(e.into_error()))?
            .finish()
    }

    fn array<T: npyz::AutoSerialize>(
        &mut self,
        name: &str,
        count: usize,
        bytes: impl Iterator<Item = [u8; 8]>,
    ) -> Result<()> {
        let write = || {
            let name = format!("{name}.npy");
            self.archive.start_file(name, member(8 * count))?;
            npyz::WriteOptions::new_header_only()
                .dtype(T::default_dtype())
                .shape(&[count as u64])
                .writer(&mut self.archive)
                .write_header_only()?;
            // one call for each number would cost more than the numbers
            let mut block = Vec::with_capacity(BUFFER);
            for value in bytes {
                block.extend_from_slice(&value);
                if block.len() >= BUFFER {
                    self.archive.write_all(&block)?;
                    block.clear();
                }
            }
            self.archive.write_all(&block)
        };
        let written = write();
        self.named(written)
    }

    fn named(&self, written: io::Result<()>) -> Result<()> {
        written.map_err(|e| Error::file(Operation::Write, &self.path, e))
    }
}

/// Members are stored as they are, as `numpy.savez` does, and without the time of day.
fn member(bytes: usize) -> SimpleFileOptions {
    const HEADER: usize = 4096;
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::default())
        .large_file(bytes + HEADER >= u32::MAX as usize)
}

/// Writes the rows of a run: one vector for each channel, and what the channels are.
///
/// A table that had to be condensed is read from the rows in `csv`, some columns at a time, so that
/// never more than `values` numbers are held.
pub(crate) fn write_run(
    path: &Path,
    table: &ChannelTable,
    csv: &Path,
    rows: u64,
    values: usize,
) -> Result<()> {
    let mut file = NpzFile::create(path)?;
    let channels = table.channels();
    if table.is_complete() {
        for channel in channels {
            file.column(&channel.name, table.column(&channel.name).unwrap_or(&[]))?;
        }
    } else {
        let at_once = values / usize::try_from(rows.max(1)).unwrap_or(usize::MAX);
        let mut first = 0;
        for group in channels.chunks(at_once.max(1)) {
            let columns = columns_of(csv, first, group.len())
                .map_err(|e| Error::file(Operation::Read, csv, e))?;
            for (channel, column) in group.iter().zip(&columns) {
                file.column(&channel.name, column)?;
            }
            first += group.len();
        }
    }
    file.describe(channels)?;
    file.finish()
}

/// Some columns of a table that was written as CSV; its numbers read back to the same bits.
fn columns_of(csv: &Path, first: usize, count: usize) -> io::Result<Vec<Vec<f64>>> {
    let mut columns = vec![Vec::new(); count];
    let file = BufReader::with_capacity(BUFFER, File::open(csv)?);
    for line in file.lines().skip(1) {
        let line = line?;
        for (column, cell) in columns.iter_mut().zip(line.split(',').skip(first)) {
            column.push(cell.parse::<f64>().map_err(io::Error::other)?);
        }
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(row: u32, column: u32) -> f64 {
        f64::from(row) / 7.0 + f64::from(column) * 1e-9
    }

    /// Condensed or not, with room for all columns or for one: the members are the same bytes.
    #[test]
    fn a_condensed_table_gives_every_row() {
        let place = tempfile::tempdir().unwrap();
        let channels = || {
            let further = (1..5).map(|i| Channel::new(format!("c{i}"), "N", "a force"));
            std::iter::once(Channel::time()).chain(further).collect()
        };
        let mut whole = ChannelTable::new(channels());
        let mut condensed = ChannelTable::bounded(channels(), 16);
        for row in 0..100 {
            let values: Vec<f64> = (0..5).map(|column| value(row, column)).collect();
            whole.push_row(&values).unwrap();
            condensed.push_row(&values).unwrap();
        }
        assert!(whole.is_complete() && !condensed.is_complete());
        let [csv, a, b, c] = ["t.csv", "a.npz", "b.npz", "c.npz"].map(|n| place.path().join(n));
        whole.write_csv(&csv).unwrap();
        for (path, table, values) in [(&a, &whole, 0), (&b, &condensed, 250), (&c, &condensed, 1)] {
            write_run(path, table, &csv, 100, values).unwrap();
        }
        let bytes = |path| std::fs::read(path).unwrap();
        assert!(bytes(&a) == bytes(&b) && bytes(&a) == bytes(&c));
    }
}
