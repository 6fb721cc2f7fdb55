//! Laws fitted to records.

use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};

use bristle_identify::{
    Error, Estimate, Fit, FitControl, FitExecutor, FitModel, Loss, MachineTerms, Options,
    Prediction, Progress, Record, StopFlag, compute_part, identify_watched,
};
use bristle_laws::Declaration;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::laws::PyLaw;
use crate::record::PyRecord;
use crate::refusal;
use crate::watch::{PERIOD, Watcher};

/// What is fitted, and how.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct FitOptions {
    /// A name of the catalogue, or `none`.
    law: Option<String>,
    terms: Vec<String>,
    elements: usize,
    fix: Vec<(String, f64)>,
    free: Vec<String>,
    start: Vec<(String, f64)>,
    bounds: Vec<(String, f64, f64)>,
    loss: String,
    draws: u32,
    starts: usize,
    iterations: u64,
    global_search: bool,
    profile: bool,
    jobs: Option<usize>,
}

fn failed(py: Python<'_>, error: &Error) -> PyErr {
    let help = error.help();
    let help = help.map_or_else(String::new, |help| format!("\nhelp: {help}"));
    refusal::plain(py, "IdentifyError", &format!("{error}{help}"))
}

impl FitOptions {
    fn terms(&self, records: &[PyRef<'_, PyRecord>]) -> MachineTerms {
        let has = |name: &str| self.terms.iter().any(|term| term == name);
        MachineTerms {
            mass: has("mass"),
            offset: has("offset"),
            gravity: has("gravity"),
            drag: has("drag"),
            asymmetric: has("asymmetric"),
            preload: has("preload"),
            backlash: has("backlash"),
            transmitted: has("transmitted"),
            motor: records.iter().any(|r| r.prepared.record.servo.is_some()),
            starts: if has("start") { records.len() } else { 0 },
            elements: self.elements,
        }
    }

    fn model(
        &self,
        law: Option<&PyLaw>,
        records: &[PyRef<'_, PyRecord>],
    ) -> Result<FitModel, Error> {
        let terms = self.terms(records);
        let mut model = match (law, &self.law) {
            (Some(law), _) => {
                let law = &law.law;
                let mut model = FitModel::of_declared(Some(law.declaration()), &terms);
                for (name, value) in law.to_values() {
                    if let bristle_laws::Value::Number(x) = value
                        && model.index(&name).is_some()
                    {
                        model.start_at(&name, x)?;
                    }
                }
                model
            }
            (None, Some(name)) if name == "none" || Declaration::named(name).is_some() => {
                FitModel::of(name, &terms)?
            }
            (None, Some(name)) => FitModel::of(&name.replace('-', "_"), &terms)?,
            (None, None) => FitModel::of("none", &terms)?,
        };
        for name in &self.free {
            model.free_up(name)?;
        }
        for (name, value) in &self.fix {
            model.fix(name, *value)?;
        }
        for (name, value) in &self.start {
            model.start_at(name, *value)?;
        }
        for (name, low, high) in &self.bounds {
            model.bound(name, *low, *high)?;
        }
        Ok(model)
    }

    fn options(&self) -> Options {
        Options {
            loss: match self.loss.as_str() {
                "huber" => Loss::Huber,
                "cauchy" => Loss::Cauchy,
                _ => Loss::Squares,
            },
            draws: self.draws,
            starts: self.starts,
            iterations: self.iterations,
            global: self.global_search,
            profile: self.profile,
        }
    }
}

/// Has the parts of a fit computed by an object of the package.
struct PartsInPython {
    /// Its method `compute` takes the parts as a list of bytes, and gives their outcomes.
    parts: Py<PyAny>,
    /// What it raised.
    raised: Mutex<Option<PyErr>>,
}

impl FitExecutor for PartsInPython {
    fn compute(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Error> {
        let computed = Python::attach(|py| {
            let parts: Vec<_> = parts.iter().map(|part| PyBytes::new(py, part)).collect();
            let outcomes = self.parts.call_method1(py, "compute", (parts,))?;
            outcomes.extract::<Vec<Vec<u8>>>(py)
        });
        computed.map_err(|raised| {
            if let Ok(mut first) = self.raised.lock() {
                first.get_or_insert(raised);
            }
            Error::Stopped
        })
    }
}

/// A fit, or a part of one, on threads of its own while this one looks at signals.
fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    jobs: Option<usize>,
    executor: Option<&PartsInPython>,
    fit: impl FnOnce(&FitControl<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut watcher = Watcher::new(progress);
    let ended = py.detach(|| {
        let stop = StopFlag::default();
        let (reports, reported) = channel::<Progress>();
        std::thread::scope(|scope| {
            let fitting = scope.spawn(|| {
                let reports = Mutex::new(reports);
                let watch = |progress: Progress| {
                    if let Ok(reports) = reports.lock() {
                        // nobody may be listening any more
                        let _ = reports.send(progress);
                    }
                };
                fit(&FitControl {
                    watch: &watch,
                    stop: &stop,
                    jobs,
                    executor: executor.map(|executor| executor as &dyn FitExecutor),
                })
            });
            let mut stages = 0.0;
            loop {
                match reported.recv_timeout(PERIOD) {
                    Ok(_) => stages += 1.0,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                // of how many stages there are only the end is known
                if !watcher.goes_on(stages, f64::NAN) {
                    stop.stop();
                    break;
                }
            }
            fitting.join()
        })
    });
    if let Some(raised) = watcher.raised {
        return Err(raised);
    }
    let raised = executor.and_then(|executor| executor.raised.lock().ok()?.take());
    if let Some(raised) = raised {
        return Err(raised);
    }
    match ended {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(failed(py, &error)),
        Err(_) => Err(refusal::plain(py, "IdentifyError", "the fit broke off")),
    }
}

fn records_of(all: &[PyRef<'_, PyRecord>]) -> Vec<Record> {
    all.iter().map(|r| r.prepared.record.clone()).collect()
}

/// Fits a law to records; Ctrl-C ends it. `parts` computes the parts of the fit, if it is given.
#[pyfunction]
#[pyo3(signature = (law, records, test, options, progress, parts))]
fn identify<'py>(
    py: Python<'py>,
    law: Option<PyRef<'py, PyLaw>>,
    records: Vec<PyRef<'py, PyRecord>>,
    test: Vec<PyRef<'py, PyRecord>>,
    options: FitOptions,
    progress: Option<Py<PyAny>>,
    parts: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let model = options.model(law.as_deref(), &records);
    let model = model.map_err(|error| failed(py, &error))?;
    let (train, tests) = (records_of(&records), records_of(&test));
    let settings = options.options();
    let executor = parts.map(|parts| PartsInPython {
        parts,
        raised: Mutex::new(None),
    });
    let fit = watched(py, progress, options.jobs, executor.as_ref(), |control| {
        identify_watched(&model, &train, &tests, &settings, control)
    })?;
    as_dict(py, &fit)
}

/// Computes a part of a fit that another process has given out.
#[pyfunction]
fn fit_part<'py>(
    py: Python<'py>,
    law: Option<PyRef<'py, PyLaw>>,
    records: Vec<PyRef<'py, PyRecord>>,
    options: FitOptions,
    part: Vec<u8>,
) -> PyResult<Bound<'py, PyBytes>> {
    let model = options.model(law.as_deref(), &records);
    let model = model.map_err(|error| failed(py, &error))?;
    let (train, settings) = (records_of(&records), options.options());
    let outcome = watched(py, None, options.jobs, None, |control| {
        compute_part(&model, &train, &settings, &part, control)
    })?;
    Ok(PyBytes::new(py, &outcome))
}

fn as_dict<'py>(py: Python<'py>, fit: &Fit) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("law", &fit.law)?;
    let parameters = PyList::empty(py);
    for estimate in &fit.parameters {
        parameters.append(of_estimate(py, estimate)?)?;
    }
    out.set_item("parameters", parameters)?;
    out.set_item("fitted", fit.fitted.clone())?;
    out.set_item("correlations", fit.correlations.clone())?;
    out.set_item("rms", fit.rms())?;
    out.set_item("sigma", fit.sigma)?;
    out.set_item("aicc", fit.aicc)?;
    out.set_item("samples", fit.samples)?;
    out.set_item("effective_samples", fit.effective_samples)?;
    out.set_item("iterations", fit.iterations)?;
    out.set_item("starts", fit.starts)?;
    out.set_item("agreeing_starts", fit.agreeing_starts)?;
    out.set_item("load_known", fit.load_known)?;
    out.set_item("unit", fit.target_unit())?;
    let warnings = fit.warnings.iter();
    let warnings = warnings.map(|w| (w.topic.key(), w.text.clone()));
    out.set_item("warnings", warnings.collect::<Vec<_>>())?;
    let values = PyDict::new(py);
    for (name, value) in &fit.values {
        match value {
            bristle_laws::Value::Number(x) => values.set_item(name, x)?,
            bristle_laws::Value::List(list) => values.set_item(name, list.clone())?,
            bristle_laws::Value::Flag(flag) => values.set_item(name, flag)?,
            bristle_laws::Value::Curve(shape) => values.set_item(name, shape.name())?,
        }
    }
    out.set_item("values", values)?;
    for (name, predictions) in [("train", &fit.train), ("test", &fit.test)] {
        let list = PyList::empty(py);
        for prediction in predictions {
            list.append(of_prediction(py, prediction)?)?;
        }
        out.set_item(name, list)?;
    }
    let profiles = PyList::empty(py);
    for profile in &fit.profiles {
        let own = PyDict::new(py);
        own.set_item("name", &profile.name)?;
        own.set_item("values", profile.values.clone())?;
        own.set_item("deviance", profile.deviance.clone())?;
        own.set_item("threshold", profile.threshold)?;
        own.set_item("interval", (profile.low, profile.high))?;
        profiles.append(own)?;
    }
    out.set_item("profiles", profiles)?;
    if let Some(steady) = &fit.steady {
        let own = PyDict::new(py);
        own.set_item("velocity", PyArray1::from_slice(py, &steady.velocity))?;
        own.set_item("force", PyArray1::from_slice(py, &steady.force))?;
        let band = steady.band.iter().map(|band| band.unwrap_or(f64::NAN));
        own.set_item("band", PyArray1::from_iter(py, band))?;
        own.set_item("load", steady.load)?;
        out.set_item("steady", own)?;
    }
    Ok(out)
}

fn of_estimate<'py>(py: Python<'py>, estimate: &Estimate) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("name", &estimate.name)?;
    out.set_item("symbol", &estimate.symbol)?;
    out.set_item("unit", &estimate.unit)?;
    out.set_item("value", estimate.value)?;
    out.set_item("standard_error", estimate.standard_error)?;
    out.set_item("interval", estimate.interval)?;
    out.set_item("verdict", estimate.verdict.words())?;
    out.set_item("reason", &estimate.reason)?;
    out.set_item("experiment", &estimate.experiment)?;
    Ok(out)
}

fn of_prediction<'py>(py: Python<'py>, of: &Prediction) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("record", &of.record.name)?;
    out.set_item("time", PyArray1::from_slice(py, &of.record.t))?;
    out.set_item("velocity", PyArray1::from_slice(py, &of.record.velocity))?;
    out.set_item("measured", PyArray1::from_slice(py, of.record.target()))?;
    out.set_item("fitted", PyArray1::from_slice(py, &of.force))?;
    out.set_item("residual", PyArray1::from_slice(py, &of.residual))?;
    out.set_item("rms", of.errors.rms)?;
    out.set_item("relative", of.errors.relative)?;
    out.set_item("explained", of.errors.explained)?;
    Ok(out)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(identify, module)?)?;
    module.add_function(wrap_pyfunction!(fit_part, module)?)
}
