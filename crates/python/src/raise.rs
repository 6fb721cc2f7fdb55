//! Exceptions of the package from errors of the crates.
//!
//! The classes are in Python, `bristle._errors`, where users read their text and mypy their types.

use bristle_scenario::{Diagnostic, Severity, SourceMap};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The module of the exception classes.
const ERRORS: &str = "bristle._errors";

/// The exception of that class with diagnostics: the message is their text as the terminal has it.
pub(crate) fn diagnosed<'d>(
    py: Python<'_>,
    class: &str,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &SourceMap,
) -> PyErr {
    let made = || {
        let (mut texts, list) = (Vec::new(), PyList::empty(py));
        for diagnostic in diagnostics {
            if diagnostic.severity == Severity::Error {
                texts.push(diagnostic.render_plain(sources));
            }
            list.append(to_python(py, diagnostic, sources)?)?;
        }
        let class = py.import(ERRORS)?.getattr(class)?;
        class.call1((texts.join("\n"), list))
    };
    match made() {
        Ok(exception) => PyErr::from_value(exception),
        Err(failure) => failure,
    }
}

/// A `bristle.Diagnostic`.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    diagnostic: &Diagnostic,
    sources: &SourceMap,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("severity", diagnostic.severity.word())?;
    fields.set_item("message", &diagnostic.message)?;
    fields.set_item("help", &diagnostic.help)?;
    let label = diagnostic.labels.first();
    let remark = label
        .map(|label| &*label.text)
        .filter(|text| !text.is_empty());
    fields.set_item("remark", remark)?;
    let place = diagnostic.locate(sources);
    let place = place.as_ref();
    fields.set_item("file", place.map(|place| place.file))?;
    fields.set_item("line", place.map(|place| place.position.line))?;
    fields.set_item("column", place.map(|place| place.position.column))?;
    fields.set_item(
        "text",
        place.map(bristle_scenario::diagnostic::Location::line),
    )?;
    py.import(ERRORS)?
        .getattr("Diagnostic")?
        .call((), Some(&fields))
}

/// Lets the interpreter answer signals, such as Ctrl-C, within a long computation.
pub(crate) fn heed_signals() -> PyResult<()> {
    #[allow(
        clippy::redundant_closure_for_method_calls,
        reason = "the method alone is of one lifetime"
    )]
    Python::attach(|py| py.check_signals())
}
