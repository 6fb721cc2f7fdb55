//! A file of lines, each of them a run, and a file of numbers beside it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::record::{CaseNumber, CaseRecord, Schema};

/// Extension of the files of lines.
pub(super) const LINES: &str = "jsonl";
/// Extension of the files of numbers.
pub(super) const NUMBERS: &str = "f64";

/// A file as it is read.
#[derive(Clone, Debug)]
pub(super) struct RunFile {
    path: PathBuf,
    /// Names and units of numbers by the number of their line.
    columns: BTreeMap<usize, Arc<Schema>>,
}

/// Where a line stands in its file, bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePlace {
    start: u64,
    length: usize,
}

/// The file that a process writes.
#[derive(Debug)]
pub(super) struct RunLog {
    lines: File,
    /// Bytes of whole lines.
    length: u64,
    /// Numbers of channels, once there are any, and how many.
    numbers: Option<(File, u64)>,
}

/// A line with names and units of numbers, which later lines have in common.
#[derive(Serialize, Deserialize)]
struct ColumnsLine<S> {
    columns: S,
    /// By which later lines name it.
    number: usize,
}

/// How a line with columns begins.
const COLUMNS: &[u8] = b"{\"columns\"";

/// A line with a run.
#[derive(Serialize, Deserialize)]
struct RunLine<R, T> {
    #[serde(flatten)]
    record: R,
    /// Number of its columns.
    of: usize,
    /// The texts of its numbers.
    texts: Vec<Option<T>>,
    /// First of its numbers in the file of numbers, and how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept: Option<(u64, usize)>,
}

impl RunFile {
    /// A file that was not looked at yet.
    pub(super) fn new(path: PathBuf) -> Self {
        let columns = BTreeMap::new();
        Self { path, columns }
    }

    /// The file of lines.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Finds the runs; a line that is not whole, or none of ours, is no run.
    pub(super) fn find(&mut self) -> io::Result<Vec<(String, LinePlace)>> {
        let mut reader = BufReader::new(File::open(&self.path)?);
        let (mut line, mut start, mut runs) = (Vec::new(), 0, Vec::new());
        while reader.read_until(b'\n', &mut line)? > 0 {
            let length = line.len();
            let whole = line.last() == Some(&b'\n');
            if whole && line.starts_with(COLUMNS) {
                if let Ok(line) = serde_json::from_slice::<ColumnsLine<Schema>>(&line) {
                    self.columns.insert(line.number, Arc::new(line.columns));
                }
            } else if whole
                && let Ok(run) = serde_json::from_slice::<RunLine<CaseRecord, IgnoredAny>>(&line)
                && self.columns.contains_key(&run.of)
            {
                runs.push((run.record.key, LinePlace { start, length }));
            }
            start += length as u64;
            line.clear();
        }
        Ok(runs)
    }

    /// The run at a place.
    pub(super) fn read(&self, place: LinePlace) -> io::Result<CaseRecord> {
        let mut bytes = vec![0; place.length];
        let mut lines = File::open(&self.path)?;
        lines.seek(SeekFrom::Start(place.start))?;
        lines.read_exact(&mut bytes)?;
        let line: RunLine<CaseRecord, String> = serde_json::from_slice(&bytes)?;
        let mut record = line.record;
        let names = self
            .columns
            .get(&line.of)
            .ok_or(io::ErrorKind::InvalidData)?;
        let numbers = names.iter().cloned().zip(line.texts);
        record.numbers = numbers
            .map(|((name, unit), text)| CaseNumber { name, unit, text })
            .collect();
        if let Some((first, count)) = line.kept {
            record.kept = read_numbers(&self.path.with_extension(NUMBERS), first, count)?;
        }
        Ok(record)
    }
}

fn read_numbers(path: &Path, first: u64, count: usize) -> io::Result<Vec<f64>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(8 * first))?;
    let mut bytes = vec![0; 8 * count];
    file.read_exact(&mut bytes)?;
    let numbers = bytes.chunks_exact(8).map(|chunk| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(chunk);
        f64::from_le_bytes(bytes)
    });
    Ok(numbers.collect())
}

impl RunLog {
    /// Begins a file.
    pub(super) fn begin(path: &Path) -> io::Result<Self> {
        let mut new = File::options();
        Ok(Self {
            lines: new.write(true).create_new(true).open(path)?,
            length: 0,
            numbers: None,
        })
    }

    /// Makes what was written last through a power cut, where the system can do so.
    pub(super) fn sync(&self) {
        let _ = self.lines.sync_all();
        let _ = self.numbers.as_ref().map(|(file, _)| file.sync_all());
    }

    /// Appends a run, whole or not at all.
    pub(super) fn append(
        &mut self,
        file: &mut RunFile,
        record: &CaseRecord,
    ) -> io::Result<LinePlace> {
        let known = file.columns.len();
        let written = self.append_lines(file, record);
        if written.is_err() {
            // what other lines would name is not in the file
            file.columns.retain(|number, _| *number < known);
            self.lines.set_len(self.length)?;
            self.lines.seek(SeekFrom::Start(self.length))?;
        }
        written
    }

    fn append_lines(&mut self, file: &mut RunFile, record: &CaseRecord) -> io::Result<LinePlace> {
        let mut text = Vec::new();
        let numbers = &record.numbers;
        let same = |known: &Arc<Schema>| {
            known.len() == numbers.len()
                && known
                    .iter()
                    .zip(numbers)
                    .all(|((name, unit), b)| b.is(name, unit))
        };
        let known = file.columns.iter().find(|(_, columns)| same(columns));
        let of = known.map_or(file.columns.len(), |(number, _)| *number);
        if of == file.columns.len() {
            let columns: Schema = numbers
                .iter()
                .map(|n| (n.name.clone(), n.unit.clone()))
                .collect();
            let line = ColumnsLine {
                columns: &columns,
                number: of,
            };
            push_line(&mut text, &line)?;
            file.columns.insert(of, Arc::new(columns));
        }
        let start = text.len();
        let line = RunLine {
            record,
            of,
            texts: numbers
                .iter()
                .map(|number| number.text.as_deref())
                .collect(),
            kept: self.append_numbers(&file.path, &record.kept)?,
        };
        push_line(&mut text, &line)?;
        // one call, without a sync of every run: a thousand short runs would wait for the disk most of
        // their time
        self.lines.write_all(&text)?;
        let place = LinePlace {
            start: self.length + start as u64,
            length: text.len() - start,
        };
        self.length += text.len() as u64;
        Ok(place)
    }

    /// Appends numbers, if there are any, before the line that speaks of them.
    fn append_numbers(
        &mut self,
        lines: &Path,
        numbers: &[f64],
    ) -> io::Result<Option<(u64, usize)>> {
        if numbers.is_empty() {
            return Ok(None);
        }
        let (file, count) = if let Some(numbers) = &mut self.numbers {
            numbers
        } else {
            let file = File::create(lines.with_extension(NUMBERS))?;
            self.numbers.insert((file, 0))
        };
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let first = *count;
        if let Err(error) = file.write_all(&bytes) {
            file.set_len(8 * first)?;
            file.seek(SeekFrom::Start(8 * first))?;
            return Err(error);
        }
        *count += numbers.len() as u64;
        Ok(Some((first, numbers.len())))
    }
}

fn push_line(text: &mut Vec<u8>, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *text, line)?;
    text.push(b'\n');
    Ok(())
}
