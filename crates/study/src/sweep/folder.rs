//! The folder of a sweep.
//!
//! `study.json` says what the sweep is of, `runs/` holds the runs that are done, and
//! `sweep.csv` is written when all are. While a process works it holds a lock: alone, or, if it
//! computes a shard, together with other shards.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use bristle_results::{Error, Operation, Result, claim, remove_listed, write_atomically};
use serde_json::json;

use super::arrays;
use super::channels;
use super::journal::{Journal, file_error};
use super::manifest::Manifest;
use super::options::SweepOptions;
use super::sensitivity::Sensitivities;
use super::study::Study;
use super::table::SweepTable;

/// The table of a complete sweep.
const TABLE: &str = "sweep.csv";
/// The table of a sweep that was stopped.
const PARTIAL: &str = "sweep.partial.csv";
/// The same as arrays.
const ARRAYS: &str = "sweep.npz";
/// How much the numbers depend on the parameters.
const SENSITIVITIES: &str = "sensitivities.csv";
const LOCK: &str = "study.lock";
const SUMMARY: &str = "sweep.json";

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It holds a sweep that is not complete, and `--resume` was not asked for.
    #[error("{} holds a sweep that is not complete", path.display())]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },
    /// It holds a sweep of something else.
    #[error("cannot go on with the sweep in {}: {}", path.display(), changes.join("; "))]
    Changed {
        /// The folder.
        path: PathBuf,
        /// What is different.
        changes: Vec<String>,
    },
    /// Something else writes there now.
    #[error("{} is being written by another sweep", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Results(#[from] Error),
}

/// The folder of a sweep that is being computed.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    journal: Journal,
    /// Held as long as the sweep works.
    _lock: Option<File>,
}

impl Folder {
    /// Opens or creates the folder for a study.
    pub(super) fn open(
        study: &Study,
        options: &SweepOptions<'_>,
    ) -> std::result::Result<Self, FolderError> {
        let path = options.out.clone();
        let there = Manifest::read(&path);
        let now = study.manifest();
        claim(&path, "sweep", options.foreign)?;
        let journal = Journal::open(&path)?;
        let lock = lock(&path, options.shard.is_some())?;
        if let Some(there) = &there {
            let changes = there.changes(&now);
            if options.resume || options.shard.is_some() {
                if !changes.is_empty() {
                    return Err(FolderError::Changed { path, changes });
                }
            } else if path.join(TABLE).exists() {
                // what a complete sweep left is replaced, as a run replaces a run
                journal.clear()?;
            } else if !journal.is_empty() {
                return Err(FolderError::Unfinished { path });
            }
        }
        if there.as_ref() != Some(&now) {
            now.write(&path)?;
        }
        let folder = Self {
            path,
            journal,
            _lock: lock,
        };
        // until all runs are done there is no complete table
        for name in [TABLE, ARRAYS, SENSITIVITIES, SUMMARY] {
            folder.remove(name)?;
        }
        remove_listed(&folder.path)?;
        channels::clear(&folder.path)?;
        Ok(folder)
    }

    /// The runs.
    pub(super) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Makes the runs last.
    pub(super) fn sync(&self) {
        self.journal.sync();
    }

    /// Writes the rows of channels that were kept of the runs, all of which are there.
    pub(super) fn write_channels(&self, study: &Study) -> Result<()> {
        let rows_of = |case: usize| {
            let record = self.journal.read(&study.key_of(case));
            record.map_or_else(Vec::new, |record| record.kept)
        };
        channels::write(&self.path, study, &rows_of)
    }

    /// Writes how much the numbers depend on the parameters.
    pub(super) fn write_sensitivities(&self, sensitivities: &Sensitivities) -> Result<()> {
        let path = self.path.join(SENSITIVITIES);
        let bytes = sensitivities.csv().map_err(|error| {
            file_error(
                Operation::Write,
                &path,
                std::io::Error::other(error.to_string()),
            )
        })?;
        write_atomically(&path, &bytes)
    }

    fn remove(&self, name: &str) -> Result<()> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(file_error(Operation::Remove, &path, error))
            }
            _ => Ok(()),
        }
    }

    /// Writes the table, and a summary of the sweep behind it.
    pub(super) fn write_table(
        &self,
        study: &Study,
        table: &SweepTable,
        as_arrays: bool,
    ) -> Result<PathBuf> {
        if table.missing() > 0 {
            let path = self.path.join(PARTIAL);
            table.write(study, &path)?;
            return Ok(path);
        }
        let path = self.path.join(TABLE);
        table.write(study, &path)?;
        if as_arrays {
            arrays::write(study, table, &self.path.join(ARRAYS))?;
        }
        self.remove(PARTIAL)?;
        let wall_s: f64 = table.rows().map(|(_, row)| row.wall_s).sum();
        let axes = study.axes().iter();
        let summary = json!({
            "scenario": study.scenario().display().to_string(),
            "title": study.title(),
            "version": env!("CARGO_PKG_VERSION"),
            "runs": study.count(),
            "failed": table.failed(),
            "run_wall_s": wall_s,
            "design": study.design().json(),
            "axes": axes.enumerate().map(|(i, axis)| json!({
                "path": axis.path,
                "unit": axis.unit(),
                "span": study.design().span(i),
                // of other designs the table has them
                "values": study.design().is_grid().then(|| {
                    axis.values.iter().map(|value| &value.text).collect::<Vec<_>>()
                }),
            })).collect::<Vec<_>>(),
        });
        write_atomically(
            &self.path.join(SUMMARY),
            format!("{summary:#}\n").as_bytes(),
        )?;
        Ok(path)
    }
}

fn lock(folder: &Path, shared: bool) -> std::result::Result<Option<File>, FolderError> {
    let path = folder.join(LOCK);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .read(true)
        .open(&path)
        .map_err(|e| file_error(Operation::Create, &path, e))?;
    let locked = if shared {
        file.try_lock_shared()
    } else {
        file.try_lock()
    };
    match locked {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(FolderError::InUse {
            path: folder.to_owned(),
        }),
        // a file system without locks is no reason not to run
        Err(TryLockError::Error(_)) => Ok(None),
    }
}
