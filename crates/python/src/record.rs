//! Records of measurements.

use std::path::PathBuf;

use bristle_recordings::{
    ColumnMap, DataTable, Lowpass, PreparationPlan, Prepared, Problem, Quantity, prepare,
};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::refusal;

/// A record that is prepared for a fit; never changes.
#[pyclass(frozen, name = "Record", module = "bristle._core")]
pub(crate) struct PyRecord {
    pub(crate) prepared: Prepared,
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
    module.add_function(wrap_pyfunction!(read_table, module)?)?;
    module.add_class::<PyRecord>()
}
