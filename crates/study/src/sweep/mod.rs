//! Parameter sweeps: a scenario over all combinations of values, the rows of a table, or a sample.

mod arrays;
mod axis;
mod case;
mod cases;
mod channels;
mod collect;
mod design;
mod error;
mod folder;
mod indices;
mod interval;
mod journal;
mod laws;
mod manifest;
mod measure;
mod options;
mod paths;
mod record;
mod run_file;
mod sample;
mod sensitivity;
mod sobol;
mod sound;
mod study;
mod table;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use bristle_results::Error;

pub use axis::{Axis, AxisError, AxisValue, MOST_VALUES};
pub use design::Design;
pub use error::{DesignError, StudyError};
pub use folder::FolderError;
pub use indices::{IndexEstimate, main_effect};
pub(crate) use measure::CHANNELS;
pub use measure::{CaseMeasure, MeasureError};
pub use options::{Shard, SweepOptions};
pub use record::CaseEnd;
pub use sample::{ParameterRange, SampleMethod, Sampling};
pub use sensitivity::{Sensitivities, Sensitivity};
pub use study::{Study, SweepRequest};
pub use table::{SweepRow, SweepTable};

use crate::schedule::on_threads;
use case::{Case, Unsound};
use folder::Folder;
use journal::Journal;
use record::CaseRecord;
use table::Schemas;

/// What a sweep reports while it runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// A case is done.
    Done {
        /// The case, from 0.
        case: usize,
        /// What came of it.
        row: &'a SweepRow,
        /// Whether it was run now, and not before.
        computed: bool,
    },
    /// Time has passed.
    Tick,
}

/// What came of a sweep.
#[derive(Debug)]
pub struct SweepOutcome {
    /// The rows that are there: all, or with a shard perhaps only its own.
    pub table: SweepTable,
    /// Cases that were asked for: all, or those of the shard.
    pub asked: usize,
    /// Runs that were made now.
    pub computed: usize,
    /// Runs that were there already.
    pub found: usize,
    /// Whether it was stopped.
    pub interrupted: bool,
    /// The table's file, if it could be written: `sweep.csv` of a complete sweep, else
    /// `sweep.partial.csv`.
    pub file: Option<PathBuf>,
    /// How much the numbers depend on the parameters, of a complete sweep that is no grid.
    pub sensitivities: Option<Sensitivities>,
    /// Positions of axes that change no number of any run.
    pub idle: Vec<usize>,
    /// Cases in which axes mean nothing, because the law of the case has no such field: the axis,
    /// and the number of cases.
    pub ignored: Vec<(usize, usize)>,
}

/// Why a sweep could not be run, or not to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file could not be written; the runs that are done are kept.
    #[error(transparent)]
    Results(#[from] Error),
}

/// Runs the cases of a study that are not done yet, and gathers all of them.
///
/// # Errors
/// [`SweepError`].
pub fn run(
    study: &Study,
    options: &SweepOptions<'_>,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<SweepOutcome, SweepError> {
    let folder = Folder::open(study, options)?;
    let cases: Vec<usize> = match options.shard {
        Some(Shard { index, count }) => (index - 1..study.count()).step_by(count).collect(),
        None => (0..study.count()).collect(),
    };
    let mut sweep = SweepRun {
        study,
        folder: &folder,
        rows: (0..study.count()).map(|_| None).collect(),
        schemas: Schemas::default(),
        ignored: vec![0; study.axes().len()],
        computed: 0,
        found: 0,
    };
    sweep.compute(&cases, options, watch)?;
    folder.sync();
    if options.shard.is_some() {
        sweep.gather(options)?;
    }
    sweep.finish(cases.len(), options)
}

/// Opens the folder of a sweep as [`run`] does, and gives the cases whose runs are not in it yet, each
/// run once: what others may compute by [`run_cases`] before [`run`] gathers them.
///
/// # Errors
/// [`SweepError`].
pub fn missing_cases(study: &Study, options: &SweepOptions<'_>) -> Result<Vec<usize>, SweepError> {
    let folder = Folder::open(study, options)?;
    let mut seen = HashSet::new();
    let is_missing = |case: &usize| {
        let key = study.key_of(*case);
        folder.journal().read(&key).is_none() && seen.insert(key)
    };
    Ok((0..study.count()).filter(is_missing).collect())
}

/// Runs cases, and keeps them in files as those in `runs/` of a sweep's folder, within `folder`: put
/// there, they count as runs of that sweep. Gives the number of cases that are done, which are all
/// unless it was stopped.
///
/// # Errors
/// [`SweepError`].
pub fn run_cases(
    study: &Study,
    cases: &[usize],
    folder: &Path,
    stop: &AtomicBool,
) -> Result<usize, SweepError> {
    let journal = Journal::open(folder)?;
    let mut done = 0;
    for &index in cases {
        let (case, key) = keyed(study, index);
        let Some(record) = computed(study, index, case, key, stop) else {
            break;
        };
        journal.write(&record)?;
        done += 1;
    }
    Ok(done)
}

/// Keeps in the folder of a sweep that a case failed, for a reason outside of its run: the process
/// that ran it died.
///
/// # Errors
/// [`SweepError`].
pub fn fail_case(
    study: &Study,
    case: usize,
    reason: &str,
    folder: &Path,
) -> Result<(), SweepError> {
    let (_, key) = keyed(study, case);
    let record = study.lost(case, key, reason);
    Journal::open(folder)?.write(&record)?;
    Ok(())
}

struct SweepRun<'s> {
    study: &'s Study,
    folder: &'s Folder,
    rows: Vec<Option<SweepRow>>,
    schemas: Schemas,
    /// By axis: cases in which it means nothing.
    ignored: Vec<usize>,
    computed: usize,
    found: usize,
}

/// What a thread made of a case.
enum Made {
    /// Its record, whether it was computed now, and the axes that mean nothing in it.
    Record(Box<CaseRecord>, bool, Vec<usize>),
    /// Another thread has the same run at work.
    Elsewhere,
    /// It was stopped.
    Stopped,
    /// Its file could not be written.
    Unwritten(Error),
}

impl SweepRun<'_> {
    fn compute(
        &mut self,
        cases: &[usize],
        options: &SweepOptions<'_>,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), SweepError> {
        let mut todo = cases.to_vec();
        let mut first_round = true;
        // a second round takes the cases that shared a run with another one
        while !todo.is_empty() && !options.stop.load(Ordering::Relaxed) {
            let at_work = Mutex::new(HashSet::new());
            let broken = AtomicBool::new(false);
            let (study, folder) = (self.study, self.folder);
            let work = |job: usize| {
                let made = if broken.load(Ordering::Relaxed) {
                    Made::Stopped
                } else {
                    make(study, folder, todo[job], &at_work, options.stop)
                };
                if matches!(made, Made::Unwritten(_)) {
                    broken.store(true, Ordering::Relaxed);
                }
                (todo[job], made)
            };
            let (mut again, mut failure) = (Vec::new(), None);
            on_threads(options.jobs, todo.len(), options.stop, work, |received| {
                loop {
                    match received.recv_timeout(std::time::Duration::from_millis(50)) {
                        Ok((case, Made::Record(record, computed, ignored))) => {
                            self.found += usize::from(!computed && first_round);
                            self.keep(case, *record, computed, &ignored, watch);
                        }
                        Ok((case, Made::Elsewhere)) => again.push(case),
                        Ok((_, Made::Stopped)) => {}
                        Ok((_, Made::Unwritten(error))) => failure = failure.take().or(Some(error)),
                        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => watch(Event::Tick),
                        Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                    }
                }
            });
            if let Some(error) = failure {
                return Err(error.into());
            }
            again.sort_unstable();
            todo = again;
            first_round = false;
        }
        Ok(())
    }

    fn keep(
        &mut self,
        case: usize,
        record: CaseRecord,
        computed: bool,
        ignored: &[usize],
        watch: &mut dyn FnMut(Event<'_>),
    ) {
        for &axis in ignored {
            self.ignored[axis] += 1;
        }
        let schema = self.schemas.of(&record);
        let row = SweepRow::new(record, schema);
        self.computed += usize::from(computed);
        watch(Event::Done {
            case,
            row: &row,
            computed,
        });
        self.rows[case] = Some(row);
    }

    /// Takes what other shards have done.
    fn gather(&mut self, options: &SweepOptions<'_>) -> Result<(), SweepError> {
        let missing: Vec<usize> = (0..self.rows.len())
            .filter(|&case| self.rows[case].is_none())
            .collect();
        let (study, folder) = (self.study, self.folder);
        folder.journal().look()?;
        let read = |job: usize| {
            let case = missing[job];
            (case, folder.journal().read(&study.key_of(case)))
        };
        on_threads(
            options.jobs,
            missing.len(),
            options.stop,
            read,
            |received| {
                for (case, record) in received {
                    if let Some(record) = record {
                        let schema = self.schemas.of(&record);
                        self.rows[case] = Some(SweepRow::new(record, schema));
                    }
                }
            },
        );
        Ok(())
    }

    fn finish(self, asked: usize, options: &SweepOptions<'_>) -> Result<SweepOutcome, SweepError> {
        let interrupted = options.stop.load(Ordering::Relaxed);
        let table = SweepTable::new(self.rows);
        let complete = table.missing() == 0;
        if complete && !self.study.kept().is_empty() {
            self.folder.write_channels(self.study)?;
        }
        let sensitivities = if complete {
            Sensitivities::of(self.study, &table)
        } else {
            None
        };
        if let Some(sensitivities) = &sensitivities {
            self.folder.write_sensitivities(sensitivities)?;
        }
        // a shard that is not the last one leaves the table to the last one
        let file = if complete || options.shard.is_none() {
            Some(
                self.folder
                    .write_table(self.study, &table, options.arrays)?,
            )
        } else {
            None
        };
        let idle = if complete {
            table.without_effect(self.study)
        } else {
            Vec::new()
        };
        let ignored = self.ignored.into_iter().enumerate();
        Ok(SweepOutcome {
            asked,
            computed: self.computed,
            found: self.found,
            interrupted,
            file,
            sensitivities,
            idle,
            ignored: ignored.filter(|(_, cases)| *cases > 0).collect(),
            table,
        })
    }
}

fn make(
    study: &Study,
    folder: &Folder,
    index: usize,
    at_work: &Mutex<HashSet<String>>,
    stop: &AtomicBool,
) -> Made {
    let journal = folder.journal();
    let (case, key) = keyed(study, index);
    let ignored = case
        .as_ref()
        .map_or_else(|_| Vec::new(), |case| case.ignored.clone());
    {
        let mut at_work = at_work.lock().unwrap_or_else(PoisonError::into_inner);
        if !at_work.insert(key.clone()) {
            return Made::Elsewhere;
        }
    }
    if let Some(record) = journal.read(&key) {
        return Made::Record(Box::new(record), false, ignored);
    }
    let Some(record) = computed(study, index, case, key, stop) else {
        return Made::Stopped;
    };
    match journal.write(&record) {
        Ok(()) => Made::Record(Box::new(record), true, ignored),
        Err(error) => Made::Unwritten(error),
    }
}

/// A case and its key.
fn keyed(study: &Study, index: usize) -> (Result<Case, Unsound>, String) {
    match study.case(index) {
        Ok(case) => {
            let key = study.key(&case);
            (Ok(case), key)
        }
        Err(unsound) => (Err(unsound), study.key_of_unsound(index)),
    }
}

/// The record of a case; nothing if it was stopped.
fn computed(
    study: &Study,
    index: usize,
    case: Result<Case, Unsound>,
    key: String,
    stop: &AtomicBool,
) -> Option<CaseRecord> {
    match case {
        Ok(case) => study.run(index, &case, key, stop),
        Err(unsound) => Some(study.refused(index, key, &unsound)),
    }
}
