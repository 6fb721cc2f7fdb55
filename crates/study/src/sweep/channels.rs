//! Rows of channels of all runs, about a thousand runs in a file.

use std::fs;
use std::path::Path;

use bristle_results::{Channel, NpzFile, Operation, Result};

use super::journal::file_error;
use super::study::Study;

/// Folder of the files within that of the sweep.
pub(super) const CHANNELS: &str = "channels";
/// Runs in a file …
const RUNS: usize = 1000;
/// … or fewer, so that it has about so many numbers at most (160 MB).
const NUMBERS: usize = 20_000_000;

/// Rows of some runs, by columns.
struct CaseBlock {
    first: usize,
    cases: Vec<i64>,
    columns: Vec<Vec<f64>>,
}

impl CaseBlock {
    fn new(first: usize, channels: &[Channel]) -> Self {
        Self {
            first,
            cases: Vec::new(),
            columns: vec![Vec::new(); channels.len()],
        }
    }

    fn push(&mut self, case: usize, rows: &[f64]) {
        let case = i64::try_from(case + 1).unwrap_or(i64::MAX);
        for row in rows.chunks_exact(self.columns.len()) {
            self.cases.push(case);
            for (column, value) in self.columns.iter_mut().zip(row) {
                column.push(*value);
            }
        }
    }

    fn is_full(&self, next: usize) -> bool {
        next - self.first >= RUNS || self.cases.len() * self.columns.len() >= NUMBERS
    }

    fn write(&self, folder: &Path, channels: &[Channel], next: usize) -> Result<()> {
        let name = format!("cases-{:07}-{next:07}.npz", self.first + 1);
        let mut file = NpzFile::create(&folder.join(name))?;
        file.counts("case", &self.cases)?;
        for (channel, column) in channels.iter().zip(&self.columns) {
            file.column(&channel.name, column)?;
        }
        file.describe(channels)?;
        file.finish()
    }
}

/// Writes the rows that were kept of all runs; `rows_of` gives those of a case, one behind the other.
pub(super) fn write(
    folder: &Path,
    study: &Study,
    rows_of: &dyn Fn(usize) -> Vec<f64>,
) -> Result<()> {
    let (folder, channels) = (folder.join(CHANNELS), study.kept());
    fs::create_dir_all(&folder).map_err(|e| file_error(Operation::CreateFolder, &folder, e))?;
    let mut part = CaseBlock::new(0, channels);
    for case in 0..study.count() {
        part.push(case, &rows_of(case));
        let next = case + 1;
        if part.is_full(next) || next == study.count() {
            part.write(&folder, channels, next)?;
            part = CaseBlock::new(next, channels);
        }
    }
    Ok(())
}

/// Removes what an earlier sweep left.
pub(super) fn clear(folder: &Path) -> Result<()> {
    let folder = folder.join(CHANNELS);
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "npz") {
            fs::remove_file(&path).map_err(|e| file_error(Operation::Remove, &path, e))?;
        }
    }
    Ok(())
}
