//! The `bristle` command of the wheel.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command with these arguments, its own name first, and gives its exit status.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| bristle_command::run(arguments))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(command, module)?)
}
