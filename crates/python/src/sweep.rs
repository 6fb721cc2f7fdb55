//! Sweeps: on threads of this process, or case by case for others that compute.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use bristle_results::Foreign;
use bristle_study::sweep::{
    Axis, CaseMeasure, Design, Event, FolderError, ParameterRange, Sampling, Study, StudyError,
    SweepError, SweepOptions, SweepOutcome, SweepRequest, fail_case, missing_cases, run, run_cases,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::raise;
use crate::refusal;
use crate::scenario::PyScenario;
use crate::watch::{PERIOD, Watcher};

/// A sweep that is ready to run; never changes.
#[pyclass(frozen, name = "Study", module = "bristle._core")]
pub(crate) struct PyStudy {
    study: Study,
}

/// Which runs a sweep makes: one of three ways.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct DesignOptions {
    /// Texts `path=a,b,c`.
    vary: Vec<String>,
    /// A table whose columns are paths.
    cases: Option<PathBuf>,
    /// As `lhs:1000`.
    sample: Option<String>,
    /// Texts `path=low:high`.
    ranges: Vec<String>,
    seed: u64,
}

/// How a sweep is run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct FolderOptions {
    out: PathBuf,
    force: bool,
    resume: bool,
    jobs: usize,
    arrays: bool,
}

impl DesignOptions {
    fn design(&self) -> Result<Design, String> {
        let with = |message: &dyn std::fmt::Display, help: Option<&str>| {
            let help = help.map_or_else(String::new, |help| format!("\nhelp: {help}"));
            format!("{message}{help}")
        };
        let of = |error: bristle_study::sweep::DesignError| with(&error, error.help.as_deref());
        if let Some(cases) = &self.cases {
            return Design::table(cases).map_err(of);
        }
        if let Some(sample) = &self.sample {
            let sampling = Sampling::parse(sample).map_err(of)?;
            let ranges = self.ranges.iter().map(|text| ParameterRange::parse(text));
            let ranges: Vec<ParameterRange> = ranges.collect::<Result<_, _>>().map_err(of)?;
            return Design::sample(sampling, &ranges, self.seed).map_err(of);
        }
        let axes = self.vary.iter().map(|text| {
            let axis = Axis::parse(text);
            axis.map_err(|error| with(&error, Some(error.help())))
        });
        Design::grid(axes.collect::<Result<_, _>>()?).map_err(of)
    }
}

impl FolderOptions {
    fn of<'s>(&self, stop: &'s AtomicBool) -> SweepOptions<'s> {
        SweepOptions {
            out: self.out.clone(),
            foreign: Foreign::from(self.force),
            jobs: self.jobs,
            resume: self.resume,
            arrays: self.arrays,
            shard: None,
            stop,
        }
    }
}

fn refused(py: Python<'_>, error: &StudyError) -> PyErr {
    match error {
        StudyError::Scenario {
            diagnostics,
            sources,
        } => raise::diagnosed(py, "ScenarioError", diagnostics, sources),
        error => refusal::plain(py, "SweepError", &error.to_string()),
    }
}

fn broken(py: Python<'_>, error: &SweepError) -> PyErr {
    let help = match error {
        SweepError::Folder(FolderError::Unfinished { .. }) => {
            "\nhelp: resume=True continues it; or choose another folder with out"
        }
        _ => "",
    };
    refusal::plain(py, "SweepError", &format!("{error}{help}"))
}

#[pymethods]
impl PyStudy {
    /// A sweep of a scenario.
    #[new]
    fn new(
        py: Python<'_>,
        scenario: &PyScenario,
        design: DesignOptions,
        measures: Vec<String>,
        channels: Vec<String>,
    ) -> PyResult<Self> {
        let bad = |text: String| refusal::plain(py, "SweepError", &text);
        let design = design.design().map_err(bad)?;
        let measures = measures.iter().map(|text| CaseMeasure::parse(text));
        let measures = measures.collect::<Result<_, _>>();
        let request = SweepRequest {
            scenario: scenario.source.clone(),
            overrides: scenario.changes.clone(),
            design,
            measures: measures.map_err(|error| bad(error.to_string()))?,
            channels,
        };
        let study = py.detach(|| Study::read(request));
        let study = study.map_err(|error| refused(py, &error))?;
        Ok(Self { study })
    }

    /// Number of cases.
    #[getter]
    fn count(&self) -> usize {
        self.study.count()
    }

    /// Paths, units and texts of the axes.
    fn axes(&self) -> Vec<(String, String, Vec<String>)> {
        let axes = self.study.axes().iter();
        axes.map(|axis| {
            let values = axis.values.iter().map(|value| value.text.clone());
            (
                axis.path.clone(),
                axis.unit().to_owned(),
                values.collect::<Vec<_>>(),
            )
        })
        .collect()
    }

    /// Whether it has all combinations of the values.
    #[getter]
    fn is_grid(&self) -> bool {
        self.study.design().is_grid()
    }

    /// The values of a case as texts.
    fn words(&self, case: usize) -> String {
        self.study.words(case)
    }

    /// Warnings of the first case that is sound.
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let (warnings, sources) = self.study.warnings();
        for warning in warnings {
            list.append(raise::to_python(py, warning, sources)?)?;
        }
        Ok(list)
    }

    /// Opens the folder, and gives the cases that are not in it yet.
    fn missing(&self, py: Python<'_>, options: FolderOptions) -> PyResult<Vec<usize>> {
        let missing = py.detach(|| {
            let stop = AtomicBool::new(false);
            missing_cases(&self.study, &options.of(&stop))
        });
        missing.map_err(|error| broken(py, &error))
    }

    /// Runs cases and keeps them in a folder of their own; Ctrl-C ends it.
    fn run_cases(&self, py: Python<'_>, cases: Vec<usize>, folder: PathBuf) -> PyResult<usize> {
        let mut watcher = Watcher::new(None);
        let done = py.detach(|| {
            let stop = AtomicBool::new(false);
            watched(&mut watcher, &stop, || {
                run_cases(&self.study, &cases, &folder, &stop)
            })
        });
        if let Some(raised) = watcher.raised {
            return Err(raised);
        }
        match done {
            Some(done) => done.map_err(|error| broken(py, &error)),
            None => Err(refusal::plain(py, "SweepError", "the runs broke off")),
        }
    }

    /// Keeps in the folder of the sweep that a case failed, for a reason outside of the run.
    fn fail_case(
        &self,
        py: Python<'_>,
        case: usize,
        reason: &str,
        folder: PathBuf,
    ) -> PyResult<()> {
        let kept = py.detach(|| fail_case(&self.study, case, reason, &folder));
        kept.map_err(|error| broken(py, &error))
    }

    /// Runs what is missing and gathers all; gives the table and what was raised on the way, if
    /// anything was.
    fn run<'py>(
        &self,
        py: Python<'py>,
        options: FolderOptions,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<PyErr>)> {
        let mut watcher = Watcher::new(progress);
        let total = self.study.count() as f64;
        let swept = py.detach(|| {
            let stop = AtomicBool::new(false);
            let mut done = 0.0;
            let swept = run(&self.study, &options.of(&stop), &mut |event| {
                if let Event::Done { .. } = event {
                    done += 1.0;
                }
                if !watcher.goes_on(done, total) {
                    stop.store(true, Ordering::Relaxed);
                }
            });
            if watcher.raised.is_none() {
                watcher.look(done, total);
            }
            swept
        });
        let outcome = swept.map_err(|error| broken(py, &error))?;
        Ok((self.table(py, &outcome)?, watcher.raised))
    }
}

/// Does work on another thread, and looks at signals on this one.
fn watched<T: Send>(
    watcher: &mut Watcher,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> Option<T> {
    std::thread::scope(|scope| {
        let working = scope.spawn(work);
        while !working.is_finished() {
            std::thread::sleep(PERIOD / 25);
            if !watcher.goes_on(0.0, f64::NAN) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        working.join().ok()
    })
}

impl PyStudy {
    fn table<'py>(&self, py: Python<'py>, outcome: &SweepOutcome) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        out.set_item("computed", outcome.computed)?;
        out.set_item("found", outcome.found)?;
        out.set_item("interrupted", outcome.interrupted)?;
        let table = &outcome.table;
        let count = self.study.count();
        let parameters = PyList::empty(py);
        for (k, axis) in self.study.axes().iter().enumerate() {
            let texts: Vec<String> = (0..count)
                .map(|case| self.study.values(case)[k].text.clone())
                .collect();
            let numbers = (0..count).map(|case| self.study.values(case)[k].si);
            let numbers: Option<Vec<f64>> = numbers.collect();
            let numbers = numbers.map(|numbers| PyArray1::from_vec(py, numbers));
            parameters.append((axis.path.clone(), axis.unit().to_owned(), texts, numbers))?;
        }
        out.set_item("parameters", parameters)?;
        let (mut ends, mut reasons) = (Vec::new(), Vec::new());
        let mut walls = Vec::new();
        for case in 0..count {
            let row = table.row(case);
            ends.push(row.map(|row| row.end.word()));
            reasons.push(row.and_then(|row| row.reason.clone()));
            walls.push(row.map_or(f64::NAN, |row| row.wall_s));
        }
        out.set_item("status", ends)?;
        out.set_item("reason", reasons)?;
        out.set_item("wall", PyArray1::from_vec(py, walls))?;
        let columns = PyDict::new(py);
        let names = table.columns();
        for ((name, unit), values) in names.iter().zip(table.numbers()) {
            columns.set_item(name, (unit.clone(), PyArray1::from_vec(py, values)))?;
        }
        out.set_item("columns", columns)?;
        out.set_item(
            "file",
            outcome.file.as_ref().map(|file| file.display().to_string()),
        )?;
        Ok(out)
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyStudy>()
}
