//! The runs that are done, one file each.
//!
//! A run's file gets its name when it is complete, by a rename within one folder: a process that is
//! killed at any moment leaves whole files or none. What a power cut may tear, a file with a name
//! and without content, is not taken for a result, and the run is done again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use bristle_results::{Error, Operation, Result, token};

use super::record::CaseRecord;

/// Folder of the files within that of the sweep.
const RUNS: &str = "runs";

/// Reads and writes the files of runs.
#[derive(Debug)]
pub(super) struct Journal {
    folder: PathBuf,
    /// Tells the temporary files of this process from those of others that share the folder.
    token: String,
    counter: AtomicU64,
}

impl Journal {
    /// The journal in the folder of a sweep, which is created with its parents.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let folder = folder.join(RUNS);
        fs::create_dir_all(&folder).map_err(|source| {
            // the system's "File exists" hides the reason
            let taken = folder.ancestors().any(Path::is_file);
            let source = if taken {
                std::io::ErrorKind::NotADirectory.into()
            } else {
                source
            };
            file_error(Operation::CreateFolder, &folder, source)
        })?;
        Ok(Self {
            folder,
            token: token(),
            counter: AtomicU64::new(0),
        })
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }

    /// Whether no run is kept.
    pub(super) fn is_empty(&self) -> bool {
        self.files("json").next().is_none()
    }

    /// What was kept of a run; nothing if it was not done or its file is torn.
    pub(super) fn read(&self, key: &str) -> Option<CaseRecord> {
        let bytes = fs::read(self.path(key)).ok()?;
        let record: CaseRecord = serde_json::from_slice(&bytes).ok()?;
        (record.key == key).then_some(record)
    }

    /// Keeps a run.
    pub(super) fn write(&self, record: &CaseRecord) -> Result<()> {
        let path = self.path(&record.key);
        let bytes = serde_json::to_vec(record).map_err(|source| Error::Json {
            path: path.clone(),
            source,
        })?;
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let partial = self.folder.join(format!("{}-{number}.partial", self.token));
        // no sync of every file: a thousand short runs would wait for the disk most of their time
        if let Err(source) = fs::write(&partial, bytes) {
            let _ = fs::remove_file(&partial);
            return Err(file_error(Operation::Write, &path, source));
        }
        fs::rename(&partial, &path).map_err(|e| file_error(Operation::Rename, &path, e))
    }

    /// Makes what was written last through a power cut, where the system can do so.
    pub(super) fn sync(&self) {
        if let Ok(folder) = File::open(&self.folder) {
            let _ = folder.sync_all();
        }
    }

    /// Removes what processes that were killed left half written; only while nobody else writes.
    pub(super) fn tidy(&self) {
        for path in self.files("partial") {
            let _ = fs::remove_file(path);
        }
    }

    /// Removes all runs.
    pub(super) fn clear(&self) -> Result<()> {
        for path in self.files("json").chain(self.files("partial")) {
            fs::remove_file(&path).map_err(|e| file_error(Operation::Remove, &path, e))?;
        }
        Ok(())
    }

    fn files(&self, extension: &'static str) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .filter(move |path| path.extension().is_some_and(|found| found == extension))
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

pub(super) fn file_error(operation: Operation, path: &Path, source: std::io::Error) -> Error {
    Error::File {
        operation,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::CaseEnd;
    use super::*;

    fn record(key: &str) -> CaseRecord {
        CaseRecord {
            key: key.to_owned(),
            parameters: vec!["1 mm".to_owned()],
            end: CaseEnd::Complete,
            reason: None,
            help: None,
            wall_s: 0.5,
            numbers: Vec::new(),
        }
    }

    #[test]
    fn runs_are_found_again_and_torn_files_are_not_runs() {
        let place = tempfile::tempdir().unwrap();
        let journal = Journal::open(place.path()).unwrap();
        journal.write(&record("a")).unwrap();
        assert!(!journal.is_empty() && journal.read("b").is_none());
        assert_eq!(journal.read("a"), Some(record("a")));
        fs::write(journal.path("b"), "{\"key\": \"b\", \"par").unwrap();
        fs::write(journal.path("c"), "").unwrap();
        assert_eq!(journal.read("b"), None);
        assert_eq!(journal.read("c"), None);
        // a file under the name of another run is not taken for it
        fs::copy(journal.path("a"), journal.path("d")).unwrap();
        assert_eq!(journal.read("d"), None);
        fs::write(journal.folder.join("1-2-3.partial"), "x").unwrap();
        journal.tidy();
        assert_eq!(journal.files("partial").count(), 0);
        journal.clear().unwrap();
        assert_eq!(journal.files("json").count(), 0);
    }
}
