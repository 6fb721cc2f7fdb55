//! The runs that are done, as lines of a few files.
//!
//! Each process appends to files of its own: a line of JSON for a run, and, where channels are kept,
//! their numbers to a second file before it. A line counts when it is whole, so a process that is
//! killed at any moment loses the run it was at and nothing else. What a power cut may tear is not
//! taken for a result, and the run is done again.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bristle_results::{Error, Operation, Result, token};

use super::record::CaseRecord;
use super::run_file::{LINES, LinePlace, NUMBERS, RunFile, RunLog};

/// Folder of the files within that of the sweep.
const RUNS: &str = "runs";

/// Reads and writes what is kept of runs.
#[derive(Debug)]
pub(super) struct Journal {
    folder: PathBuf,
    state: Mutex<RunIndex>,
}

#[derive(Debug, Default)]
struct RunIndex {
    /// Where each run stands, by its key: the number of the file, and the place in it.
    places: HashMap<String, (usize, LinePlace)>,
    /// The files that were found, by number.
    files: Vec<RunFile>,
    /// What this process writes and the number of its file, once it has written.
    own: Option<(usize, RunLog)>,
}

impl Journal {
    /// The journal in the folder of a sweep, which is created with its parents; reads where runs
    /// stand.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let folder = folder.join(RUNS);
        fs::create_dir_all(&folder).map_err(|source| {
            // the system's "File exists" hides the reason
            let taken = folder.ancestors().any(Path::is_file);
            let source = if taken {
                io::ErrorKind::NotADirectory.into()
            } else {
                source
            };
            file_error(Operation::CreateFolder, &folder, source)
        })?;
        let journal = Self {
            folder,
            state: Mutex::default(),
        };
        journal.look()?;
        Ok(journal)
    }

    /// Looks which runs are there, those of other processes too.
    pub(super) fn look(&self) -> Result<()> {
        let mut state = self.state();
        let RunIndex { places, files, .. } = &mut *state;
        places.clear();
        for path in self.files(LINES) {
            let known = files.iter().position(|file| file.path() == path);
            let number = known.unwrap_or(files.len());
            if known.is_none() {
                files.push(RunFile::new(path.clone()));
            }
            let runs = files[number].find();
            for (key, place) in runs.map_err(|e| file_error(Operation::Read, &path, e))? {
                places.entry(key).or_insert((number, place));
            }
        }
        Ok(())
    }

    /// Whether no run is kept.
    pub(super) fn is_empty(&self) -> bool {
        self.state().places.is_empty()
    }

    /// What was kept of a run; nothing if it was not done.
    pub(super) fn read(&self, key: &str) -> Option<CaseRecord> {
        let (file, place) = {
            let state = self.state();
            let (number, place) = *state.places.get(key)?;
            (state.files.get(number)?.clone(), place)
        };
        let record = file.read(place).ok()?;
        (record.key == key).then_some(record)
    }

    /// Keeps a run.
    pub(super) fn write(&self, record: &CaseRecord) -> Result<()> {
        let mut state = self.state();
        let RunIndex { places, files, own } = &mut *state;
        let (number, log) = if let Some(own) = own {
            own
        } else {
            let path = self.folder.join(format!("{}.{LINES}", token()));
            let log = RunLog::begin(&path);
            let log = log.map_err(|e| file_error(Operation::Create, &path, e))?;
            files.push(RunFile::new(path));
            own.insert((files.len() - 1, log))
        };
        let file = &mut files[*number];
        let place = log.append(file, record);
        let place = place.map_err(|e| file_error(Operation::Write, file.path(), e))?;
        places.insert(record.key.clone(), (*number, place));
        Ok(())
    }

    /// Makes what was written last through a power cut, where the system can do so.
    pub(super) fn sync(&self) {
        if let Some((_, log)) = &self.state().own {
            log.sync();
        }
        if let Ok(folder) = File::open(&self.folder) {
            let _ = folder.sync_all();
        }
    }

    /// Removes all runs.
    pub(super) fn clear(&self) -> Result<()> {
        for path in self.files(LINES).chain(self.files(NUMBERS)) {
            fs::remove_file(&path).map_err(|e| file_error(Operation::Remove, &path, e))?;
        }
        *self.state() = RunIndex::default();
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, RunIndex> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// In the order of their names, so that of a run that two processes made always the same counts.
    fn files(&self, extension: &'static str) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .collect();
        paths.sort();
        paths.into_iter()
    }
}

/// Writes a file whole, also where several processes write the same one at the same time.
pub(super) fn write_shared(path: &Path, content: &[u8]) -> Result<()> {
    let partial = path.with_extension(format!("{}.partial", token()));
    let written = fs::write(&partial, content).and_then(|()| fs::rename(&partial, path));
    written.map_err(|source| {
        let _ = fs::remove_file(&partial);
        file_error(Operation::Write, path, source)
    })
}

pub(super) fn file_error(operation: Operation, path: &Path, source: io::Error) -> Error {
    Error::File {
        operation,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{CaseEnd, CaseNumber};
    use super::*;

    fn record(key: &str, texts: &[&str], kept: &[f64]) -> CaseRecord {
        let number = |(i, text): (usize, &&str)| CaseNumber {
            name: format!("n{i}"),
            unit: "m".to_owned(),
            text: (!text.is_empty()).then(|| (*text).to_owned()),
        };
        CaseRecord {
            key: key.to_owned(),
            parameters: vec!["1 mm".to_owned()],
            end: CaseEnd::Complete,
            reason: None,
            help: None,
            wall_s: 0.5,
            numbers: texts.iter().enumerate().map(number).collect(),
            kept: kept.to_vec(),
        }
    }

    #[test]
    fn runs_are_found_again_in_files_of_several_processes() {
        let place = tempfile::tempdir().unwrap();
        let all = [
            record("a", &["0.1", ""], &[]),
            record("b", &["1", "2", "3"], &[0.5, -0.25]),
            record("c", &["0.2", "1e-9"], &[1.0]),
            record("d", &[], &[]),
        ];
        for part in all.chunks(3) {
            let journal = Journal::open(place.path()).unwrap();
            for record in part {
                journal.write(record).unwrap();
                assert_eq!(journal.read(&record.key).as_ref(), Some(record));
            }
        }
        let journal = Journal::open(place.path()).unwrap();
        for record in &all {
            assert_eq!(journal.read(&record.key).as_ref(), Some(record));
        }
        assert!(journal.read("e").is_none() && !journal.is_empty());
        assert_eq!(journal.files(LINES).count(), 2);
        // what another process adds is found by a second look
        Journal::open(place.path())
            .unwrap()
            .write(&record("e", &[], &[]))
            .unwrap();
        journal.look().unwrap();
        assert!(journal.read("e").is_some());
        journal.clear().unwrap();
        assert!(journal.is_empty() && journal.files(NUMBERS).count() == 0);
    }

    #[test]
    fn a_torn_line_is_no_run_and_the_others_are() {
        let place = tempfile::tempdir().unwrap();
        let journal = Journal::open(place.path()).unwrap();
        for key in ["a", "b"] {
            journal.write(&record(key, &["1"], &[7.0])).unwrap();
        }
        let path = journal.files(LINES).next().unwrap();
        let whole = fs::read(&path).unwrap();
        let second = whole
            .iter()
            .take(whole.len() - 1)
            .rposition(|b| *b == b'\n')
            .unwrap()
            + 1;
        for cut in [second, second + 1, whole.len() - 1] {
            fs::write(&path, &whole[..cut]).unwrap();
            let journal = Journal::open(place.path()).unwrap();
            assert!(
                journal.read("a").is_some() && journal.read("b").is_none(),
                "{cut}"
            );
        }
        // zeros, as a power cut may leave them, and numbers that are not there
        let mut zeros = whole.clone();
        zeros[second..].fill(0);
        fs::write(&path, zeros).unwrap();
        assert!(Journal::open(place.path()).unwrap().read("b").is_none());
        fs::write(&path, &whole).unwrap();
        fs::write(path.with_extension(NUMBERS), 7.0_f64.to_le_bytes()).unwrap();
        let journal = Journal::open(place.path()).unwrap();
        assert!(journal.read("a").is_some() && journal.read("b").is_none());
    }
}
