//! Exceptions of the package with a message alone.

use pyo3::prelude::*;

/// The module of the exception classes.
const ERRORS: &str = "bristle._errors";

/// The exception of that class.
pub(crate) fn plain(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = py
        .import(ERRORS)
        .and_then(|errors| errors.getattr(class)?.call1((message,)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(failure) => failure,
    }
}
