//! A scenario step by step.

use std::sync::{Mutex, MutexGuard, TryLockError};

use bristle_command::library;
use bristle_results::ChannelTable;
use bristle_scenario::SourceMap;
use bristle_study::{Held, RunObserver, Session, SessionError};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::refusal;
use crate::run::{PyRun, RunTable};
use crate::scenario::{Built, PyScenario};
use crate::watch::Watcher;

const BUSY: &str = "this session is at work in another thread; give every thread its own";

/// A run that its owner takes from time to time.
#[pyclass(frozen, name = "Session", module = "bristle._core")]
pub(crate) struct PySession {
    inner: Mutex<Inner>,
}

struct Inner {
    session: Session,
    sources: SourceMap,
    /// All rows so far, where they are kept.
    table: Option<ChannelTable>,
}

impl PySession {
    /// The session, unless another thread is at it: waiting for that one while holding the
    /// interpreter could last for ever.
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        self.free()
            .ok_or_else(|| refusal::plain(py, "SessionError", BUSY))
    }

    fn free(&self) -> Option<MutexGuard<'_, Inner>> {
        match self.inner.try_lock() {
            Ok(inner) => Some(inner),
            Err(TryLockError::Poisoned(inner)) => Some(inner.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// The exception of a session error.
fn refused(py: Python<'_>, error: &SessionError) -> PyErr {
    let class = match error {
        SessionError::Failed(_) => "RunFailed",
        SessionError::Unknown { .. } => "UnknownName",
        _ => "SessionError",
    };
    refusal::plain(py, class, &error.to_string())
}

#[pymethods]
impl PySession {
    /// At the start of a scenario; `record` keeps the rows of the run.
    #[new]
    fn new(py: Python<'_>, scenario: &PyScenario, record: bool) -> PyResult<Self> {
        let Built { scenario, sources } = scenario.build(py)?;
        let session = py.detach(|| Session::start(scenario));
        let session = session.map_err(|error| refused(py, &error))?;
        let table = record.then(|| ChannelTable::new(session.channels().to_vec()));
        let inner = Inner {
            session,
            sources,
            table,
        };
        let inner = Mutex::new(inner);
        Ok(Self { inner })
    }

    /// The present time, s.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.session.time())
    }

    /// The end of the scenario, s.
    #[getter]
    fn end_time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.session.end_time())
    }

    /// Whether the end is reached.
    #[getter]
    fn is_at_end(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.lock(py)?.session.is_at_end())
    }

    /// Name, unit and meaning of every channel.
    fn channels(&self, py: Python<'_>) -> PyResult<Vec<(String, String, String)>> {
        let inner = self.lock(py)?;
        let channels = inner.session.channels().iter();
        let named = channels.map(|c| (c.name.clone(), c.unit.clone(), c.meaning.clone()));
        Ok(named.collect())
    }

    /// Name, unit and meaning of every input.
    fn inputs(&self, py: Python<'_>) -> PyResult<Vec<(String, &'static str, String)>> {
        let inner = self.lock(py)?;
        let inputs = inner.session.inputs().iter().map(|input| &input.model);
        let named = inputs.map(|i| (i.name.clone(), i.unit, i.meaning.clone()));
        Ok(named.collect())
    }

    /// Steps to a time; Ctrl-C stops it on the way.
    fn step_to(&self, py: Python<'_>, t: f64) -> PyResult<()> {
        let ended = py.detach(|| {
            let mut inner = self.free()?;
            let Inner { session, table, .. } = &mut *inner;
            let channels = Vec::new();
            let mut recording = RunTable {
                table: table.take().unwrap_or_else(|| ChannelTable::new(channels)),
                end: session.end_time(),
                watcher: Watcher::new(None),
            };
            let keeps = !recording.table.channels().is_empty();
            let stepped = if keeps {
                session.step_to_with(t, &mut recording)
            } else {
                let mut quiet = Quiet(&mut recording);
                session.step_to_with(t, &mut quiet)
            };
            *table = keeps.then_some(recording.table);
            Some((stepped, recording.watcher.raised))
        });
        let (stepped, raised) = ended.ok_or_else(|| refusal::plain(py, "SessionError", BUSY))?;
        match (stepped, raised) {
            (_, Some(raised)) => Err(raised),
            (Err(error), None) => Err(refused(py, &error)),
            (Ok(()), None) => Ok(()),
        }
    }

    /// The value of a channel.
    fn value(&self, py: Python<'_>, name: &str) -> PyResult<f64> {
        let value = self.lock(py)?.session.value(name);
        value.map_err(|error| refused(py, &error))
    }

    /// The values of all channels.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut inner = self.lock(py)?;
        let values = inner.session.values();
        let values = values.map_err(|error| refused(py, &error))?;
        Ok(PyArray1::from_slice(py, values))
    }

    /// Holds an input from now on.
    fn hold(&self, py: Python<'_>, name: &str, value: f64, slope: f64) -> PyResult<()> {
        let held = self.lock(py)?.session.hold(name, Held { value, slope });
        held.map_err(|error| refused(py, &error))
    }

    /// The present value of an input.
    fn input(&self, py: Python<'_>, name: &str) -> PyResult<f64> {
        let value = self.lock(py)?.session.input_value(name);
        value.map_err(|error| refused(py, &error))
    }

    /// The state as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.lock(py)?.session.save();
        let saved = saved.map_err(|error| refused(py, &error))?;
        Ok(PyBytes::new(py, &saved))
    }

    /// Goes to a saved state. Rows that are kept and lie behind it are dropped.
    fn restore(&self, py: Python<'_>, state: &[u8]) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let restored = inner.session.restore(state);
        restored.map_err(|error| refused(py, &error))?;
        let rows = inner.session.rows();
        if let Some(table) = inner.table.take() {
            inner.table = Some(first_rows(&table, rows));
        }
        Ok(())
    }

    /// The run so far, with the rows that were kept.
    fn result(&self, py: Python<'_>, scenario: &PyScenario) -> PyResult<PyRun> {
        let built = scenario.build(py)?;
        let mut inner = self.lock(py)?;
        let mut summary = inner.session.summary();
        summary.model = library::phrase(&built.scenario);
        let table = inner.table.clone();
        let channels = inner.session.channels().to_vec();
        Ok(PyRun {
            scenario: built.scenario,
            sources: inner.sources.clone(),
            table: table.unwrap_or_else(|| ChannelTable::new(channels)),
            summary,
        })
    }
}

/// Takes no rows, but looks at signals.
struct Quiet<'r>(&'r mut RunTable);

impl RunObserver for Quiet<'_> {
    fn row(&mut self, _values: &[f64]) -> bristle_results::Result<()> {
        Ok(())
    }

    fn step(&mut self, t: f64) -> bristle_integrate::Flow {
        self.0.step(t)
    }
}

/// The first rows of a table.
fn first_rows(table: &ChannelTable, count: usize) -> ChannelTable {
    let mut kept = ChannelTable::new(table.channels().to_vec());
    let columns: Vec<&[f64]> = table
        .channels()
        .iter()
        .map(|channel| table.column(&channel.name).unwrap_or_default())
        .collect();
    for i in 0..count.min(table.rows()) {
        let row: Vec<f64> = columns.iter().map(|column| column[i]).collect();
        // the channels are its own
        let _ = kept.push_row(&row);
    }
    kept
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PySession>()
}
