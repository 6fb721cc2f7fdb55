//! Runs and their results.

use std::path::PathBuf;

use bristle_command::library::{self, FinishedRun};
use bristle_integrate::Flow;
use bristle_results::{ChannelTable, Error, Foreign, Plot, Summary, render};
use bristle_scenario::{Scenario, SourceMap};
use bristle_study::{RunObserver, channels_of, execute};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::refusal;
use crate::scenario::{Built, PyScenario, warnings};
use crate::watch::Watcher;

/// A run that is over; never changes.
#[pyclass(frozen, name = "Run", module = "bristle._core")]
pub(crate) struct PyRun {
    pub(crate) scenario: Scenario,
    pub(crate) sources: SourceMap,
    pub(crate) table: ChannelTable,
    pub(crate) summary: Summary,
}

/// Keeps all rows, and looks at signals.
pub(crate) struct RunTable {
    pub(crate) table: ChannelTable,
    pub(crate) watcher: Watcher,
    pub(crate) end: f64,
}

impl RunObserver for RunTable {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.table.push_row(values)
    }

    fn step(&mut self, t: f64) -> Flow {
        if self.watcher.goes_on(t, self.end) {
            Flow::Continue
        } else {
            Flow::Stop
        }
    }
}

/// Runs a scenario. Gives the run and what was raised on the way, if anything was: of an
/// interrupted run all that there is.
#[pyfunction]
#[pyo3(signature = (scenario, progress))]
fn run(
    py: Python<'_>,
    scenario: &PyScenario,
    progress: Option<Py<PyAny>>,
) -> PyResult<(PyRun, Option<PyErr>)> {
    let Built { scenario, sources } = scenario.build(py)?;
    let mut recording = RunTable {
        table: ChannelTable::new(channels_of(&scenario)),
        end: scenario.plan.end_time,
        watcher: Watcher::new(progress),
    };
    let summary = py.detach(|| {
        let mut summary = execute(&scenario, &mut recording);
        summary.model = library::phrase(&scenario);
        if recording.watcher.raised.is_none() {
            recording.watcher.look(summary.end_time, recording.end);
        }
        summary
    });
    let done = PyRun {
        scenario,
        sources,
        table: recording.table,
        summary,
    };
    Ok((done, recording.watcher.raised))
}

impl PyRun {
    fn finished(&self) -> FinishedRun<'_> {
        FinishedRun {
            scenario: &self.scenario,
            sources: &self.sources,
            table: &self.table,
            summary: &self.summary,
        }
    }

    fn plots(&self) -> Vec<Plot> {
        if self.table.rows() < 2 {
            return Vec::new();
        }
        library::plots_of(&self.scenario, &self.table)
    }
}

#[pymethods]
impl PyRun {
    /// A run from its columns and its summary as JSON.
    #[staticmethod]
    fn of(
        py: Python<'_>,
        scenario: &PyScenario,
        columns: Vec<PyReadonlyArray1<'_, f64>>,
        summary: &str,
    ) -> PyResult<Self> {
        let Built { scenario, sources } = scenario.build(py)?;
        let bad = |text: String| refusal::plain(py, "BristleError", &text);
        let summary = serde_json::from_str(summary).map_err(|e| bad(e.to_string()))?;
        let mut table = ChannelTable::new(channels_of(&scenario));
        let rows = columns.first().map_or(0, |column| column.as_array().len());
        let arrays: Vec<_> = columns.iter().map(|column| column.as_array()).collect();
        let mut row = Vec::with_capacity(arrays.len());
        for i in 0..rows {
            row.clear();
            row.extend(arrays.iter().filter_map(|column| column.get(i)));
            table.push_row(&row).map_err(|e| bad(e.to_string()))?;
        }
        Ok(Self {
            scenario,
            sources,
            table,
            summary,
        })
    }

    /// Name, unit and meaning of every channel.
    fn channels(&self) -> Vec<(String, String, String)> {
        let channels = self.table.channels().iter();
        channels
            .map(|c| (c.name.clone(), c.unit.clone(), c.meaning.clone()))
            .collect()
    }

    /// The values of a channel.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> Option<Bound<'py, PyArray1<f64>>> {
        let column = self.table.column(name)?;
        Some(PyArray1::from_slice(py, column))
    }

    /// The summary as JSON.
    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        serde_json::to_string(&self.summary)
            .map_err(|error| refusal::plain(py, "BristleError", &error.to_string()))
    }

    /// The summary as the terminal has it, without colours.
    fn text(&self, width: usize) -> String {
        self.summary.text(width, false)
    }

    /// The warnings of the scenario.
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        warnings(py, &self.scenario, &self.sources)
    }

    /// Names and titles of the plots.
    fn plot_titles(&self) -> Vec<(String, String)> {
        let plots = self.plots().into_iter();
        plots.map(|plot| (plot.file, plot.title)).collect()
    }

    /// A plot as SVG.
    fn plot(&self, py: Python<'_>, file: &str) -> PyResult<Option<String>> {
        let drawn = py.detach(|| {
            let plot = self.plots().into_iter().find(|plot| plot.file == file)?;
            Some(render(&plot, &self.table))
        });
        drawn.transpose().map_err(|error| refused(py, &error))
    }

    /// The page of the run.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        let page = py.detach(|| self.finished().report().render());
        page.map_err(|error| refusal::plain(py, "BristleError", &error.to_string()))
    }

    /// Writes the folder that the command writes.
    fn save(&self, py: Python<'_>, folder: PathBuf, force: bool) -> PyResult<()> {
        let foreign = Foreign::from(force);
        let saved = py.detach(|| self.finished().save(&folder, foreign));
        saved.map_err(|error| refused(py, &error))
    }
}

/// Results that cannot be written, with what to do.
pub(crate) fn refused(py: Python<'_>, error: &Error) -> PyErr {
    let help = bristle_study::advice(error);
    let help = help.map_or_else(String::new, |help| format!("\nhelp: {help}"));
    refusal::plain(py, "BristleError", &format!("{error}{help}"))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_class::<PyRun>()
}
