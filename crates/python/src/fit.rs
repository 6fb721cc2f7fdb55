//! Records, and laws fitted to them.

use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};

use bristle_identify::{
    Error, Estimate, Fit, FitControl, FitModel, Loss, MachineTerms, Options, Prediction, Progress,
    StopFlag, identify_watched,
};
use bristle_laws::Declaration;
use bristle_recordings::{
    ColumnMap, DataTable, Lowpass, PreparationPlan, Prepared, Problem, Quantity, prepare,
};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::laws::PyLaw;
use crate::refusal;
use crate::watch::{PERIOD, Watcher};

/// A record that is prepared for a fit; never changes.
#[pyclass(frozen, name = "Record", module = "bristle._core")]
pub(crate) struct PyRecord {
    prepared: Prepared,
}

/// How a record is prepared.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent options, each there or not"
)]
struct RecordOptions {
    load: Option<f64>,
    mean_load: bool,
    lowpass: Option<f64>,
    automatic_lowpass: bool,
    delay: f64,
    trim: Option<(f64, f64)>,
    rate: Option<f64>,
    accelerates: bool,
    free: bool,
    servo: Option<f64>,
}

/// A column of a record, or what is said of one of a file.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ColumnOptions {
    quantity: String,
    name: Option<String>,
    unit: Option<String>,
    gain: Option<f64>,
}

fn problem(py: Python<'_>, problem: &Problem) -> PyErr {
    let help = problem.help.as_ref();
    let help = help.map_or_else(String::new, |help| format!("\nhelp: {help}"));
    refusal::plain(py, "IdentifyError", &format!("{}{help}", problem.message))
}

fn plan(options: RecordOptions, map: ColumnMap) -> PreparationPlan {
    PreparationPlan {
        map,
        load: options.load,
        mean_load: options.mean_load,
        lowpass: match options.lowpass {
            Some(cutoff) => Lowpass::At(cutoff),
            None if options.automatic_lowpass => Lowpass::Automatic,
            None => Lowpass::Off,
        },
        delay: options.delay,
        trim: options.trim,
        rate: options.rate,
        accelerates: options.accelerates,
        free: options.free,
        servo: options.servo,
    }
}

fn map_of(columns: &[ColumnOptions]) -> Result<ColumnMap, Problem> {
    let mut map = ColumnMap::default();
    for column in columns {
        let quantity = Quantity::named(&column.quantity)?;
        if let Some(name) = &column.name {
            map.set_column(quantity, name);
        }
        if let Some(unit) = &column.unit {
            map.set_unit(quantity, unit);
        }
        if let Some(gain) = column.gain {
            map.set_gain(quantity, gain);
        }
    }
    Ok(map)
}

#[pymethods]
impl PyRecord {
    /// A record from arrays: each column has a quantity and a unit.
    #[staticmethod]
    fn of_arrays(
        py: Python<'_>,
        name: String,
        columns: Vec<ColumnOptions>,
        arrays: Vec<PyReadonlyArray1<'_, f64>>,
        options: RecordOptions,
    ) -> PyResult<Self> {
        let rows = arrays.first().map_or(0, |array| array.as_array().len());
        let table = DataTable {
            file: name,
            names: columns.iter().map(|c| c.quantity.clone()).collect(),
            units: columns
                .iter()
                .map(|c| c.unit.clone().unwrap_or_default())
                .collect(),
            columns: arrays.iter().map(|a| a.as_array().to_vec()).collect(),
            lines: (1..=rows as u64).collect(),
            notes: Vec::new(),
        };
        let prepared = py.detach(|| {
            let mut map = ColumnMap::default();
            for name in &table.names {
                map.set_column(Quantity::named(name)?, name);
            }
            prepare(&table, &plan(options, map))
        });
        let prepared = prepared.map_err(|error| problem(py, &error))?;
        Ok(Self { prepared })
    }

    /// A record from a file of measurements.
    #[staticmethod]
    fn of_file(
        py: Python<'_>,
        path: PathBuf,
        columns: Vec<ColumnOptions>,
        sampling_rate: Option<f64>,
        options: RecordOptions,
    ) -> PyResult<Self> {
        let prepared = py.detach(|| {
            let mut map = map_of(&columns)?;
            map.rate = sampling_rate;
            prepare(&DataTable::read(&path)?, &plan(options, map))
        });
        let prepared = prepared.map_err(|error| problem(py, &error))?;
        Ok(Self { prepared })
    }

    /// Name, samples, units, notes and the columns as they are fitted, in SI.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let record = &self.prepared.record;
        let facts = PyDict::new(py);
        facts.set_item("name", &record.name)?;
        facts.set_item("samples", record.len())?;
        facts.set_item("rotary", record.units.of("m/s") != "m/s")?;
        facts.set_item("notes", self.prepared.preparation.notes.clone())?;
        facts.set_item("cutoff", record.cutoff)?;
        let columns = PyDict::new(py);
        let put = |name, values: Option<&[f64]>| match values {
            Some(values) => columns.set_item(name, PyArray1::from_slice(py, values)),
            None => Ok(()),
        };
        put("time", Some(&record.t))?;
        put("position", record.position.as_deref())?;
        put("velocity", Some(&record.velocity))?;
        put("acceleration", Some(&record.acceleration))?;
        put("load", record.load_known.then_some(&record.load[..]))?;
        put("force", Some(&record.force))?;
        put("weight", Some(&record.weight))?;
        facts.set_item("columns", columns)?;
        Ok(facts)
    }
}

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

/// Fits a law to records; Ctrl-C ends it.
#[pyfunction]
#[pyo3(signature = (law, records, test, options, progress))]
fn identify<'py>(
    py: Python<'py>,
    law: Option<PyRef<'py, PyLaw>>,
    records: Vec<PyRef<'py, PyRecord>>,
    test: Vec<PyRef<'py, PyRecord>>,
    options: FitOptions,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let model = options.model(law.as_deref(), &records);
    let model = model.map_err(|error| failed(py, &error))?;
    let own = |all: &[PyRef<'_, PyRecord>]| -> Vec<_> {
        all.iter().map(|r| r.prepared.record.clone()).collect()
    };
    let (train, tests) = (own(&records), own(&test));
    let settings = options.options();
    let jobs = options.jobs;
    let mut watcher = Watcher::new(progress);
    // the fit has threads of its own; this one looks at signals
    let ended = py.detach(|| {
        let stop = StopFlag::default();
        let (reports, reported) = channel::<Progress>();
        std::thread::scope(|scope| {
            let fitting = scope.spawn(|| {
                let reports = std::sync::Mutex::new(reports);
                let watch = |progress: Progress| {
                    if let Ok(reports) = reports.lock() {
                        // nobody may be listening any more
                        let _ = reports.send(progress);
                    }
                };
                let control = FitControl {
                    watch: &watch,
                    stop: &stop,
                    jobs,
                };
                identify_watched(&model, &train, &tests, &settings, &control)
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
    match ended {
        Ok(Ok(fit)) => as_dict(py, &fit),
        Ok(Err(error)) => Err(failed(py, &error)),
        Err(_) => Err(refusal::plain(py, "IdentifyError", "the fit broke off")),
    }
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

/// Name, unit and values of a column.
type NamedColumn<'py> = (String, String, Bound<'py, PyArray1<f64>>);

/// The columns of a file of measurements.
#[pyfunction]
fn read_table(py: Python<'_>, path: PathBuf) -> PyResult<Vec<NamedColumn<'_>>> {
    let table = py.detach(|| DataTable::read(&path));
    let table = table.map_err(|error| problem(py, &error))?;
    let named = table.names.into_iter().zip(table.units).zip(table.columns);
    let columns = named.map(|((name, unit), values)| (name, unit, PyArray1::from_vec(py, values)));
    Ok(columns.collect())
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(identify, module)?)?;
    module.add_function(wrap_pyfunction!(read_table, module)?)?;
    module.add_class::<PyRecord>()
}
