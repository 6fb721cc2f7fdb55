//! Laws: built, described, compared.

use bristle_laws::{Friction, Value};
use bristle_scenario::SourceMap;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::raise;

/// A friction law of the catalogue or of one's own; never changes.
#[pyclass(frozen, name = "Law", module = "bristle._core")]
pub(crate) struct PyLaw {
    pub(crate) law: Friction,
    warnings: Vec<String>,
}

#[pymethods]
impl PyLaw {
    /// Reads a law from a text in the terms of a law file, with `name=value` for parameters; errors
    /// call the text `place`.
    #[new]
    fn new(py: Python<'_>, place: &str, text: &str, changes: Vec<String>) -> PyResult<Self> {
        let mut sources = SourceMap::new();
        match bristle_scenario::load_law_text(place, text, &changes, &mut sources) {
            Ok((law, warnings)) => {
                let warnings = warnings.into_iter().map(|warning| warning.message);
                let warnings = warnings.collect();
                Ok(Self { law, warnings })
            }
            Err(all) => Err(raise::diagnosed(py, "ParameterError", &all, &sources)),
        }
    }

    /// The name of the catalogue, or that of a law of one's own.
    #[getter]
    fn name(&self) -> String {
        self.law.card().name.to_owned()
    }

    /// What deserves a second look.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// The values in SI by field name, defaults filled in.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for (name, value) in self.law.to_values() {
            match value {
                Value::Number(x) => values.set_item(name, x)?,
                Value::List(list) => values.set_item(name, list)?,
                Value::Flag(flag) => values.set_item(name, flag)?,
                Value::Curve(shape) => values.set_item(name, shape.name())?,
            }
        }
        Ok(values)
    }

    /// Whether both are the same law with the same values.
    fn same(&self, other: &Self) -> bool {
        let (a, b) = (self.law.declaration(), other.law.declaration());
        a.card().name == b.card().name
            && a.equations() == b.equations()
            && self.law.to_values() == other.law.to_values()
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyLaw>()
}
