//! The catalogue: the cards of all laws, as dicts from which the package makes its own.

use bristle_laws::card::{Default, ParameterKind, Typical};
use bristle_laws::{Friction, LawCard, Normal, ParameterCard, StateCard};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::laws::PyLaw;

/// The cards of the friction laws, or of the normal-force laws.
#[pyfunction]
fn cards(py: Python<'_>, normal: bool) -> PyResult<Bound<'_, PyList>> {
    let cards = if normal {
        Normal::CARDS
    } else {
        Friction::CARDS
    };
    let cards: PyResult<Vec<_>> = cards.iter().map(|card| card_of(py, card)).collect();
    PyList::new(py, cards?)
}

/// The card of a law, also of one's own.
#[pyfunction]
fn card<'py>(law: &Bound<'py, PyLaw>) -> PyResult<Bound<'py, PyDict>> {
    let declared = &law.get().law;
    let dict = card_of(law.py(), &declared.card())?;
    dict.set_item("equations", declared.declaration().equations())?;
    Ok(dict)
}

fn card_of<'py>(py: Python<'py>, card: &LawCard<'_>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", card.name)?;
    dict.set_item("title", card.title)?;
    dict.set_item("summary", card.summary)?;
    let equations: Vec<_> = card
        .equations
        .iter()
        .map(|equation| equation.text)
        .collect();
    dict.set_item("equations", equations)?;
    let parameters: PyResult<Vec<_>> = card.parameters.iter().map(|p| parameter(py, p)).collect();
    dict.set_item("parameters", parameters?)?;
    let states: Vec<_> = card.states.iter().map(state).collect();
    dict.set_item("states", states)?;
    let behaviour = card.behaviour.iter().map(|does| format!("{does:?}"));
    dict.set_item("behaviour", behaviour.collect::<Vec<_>>())?;
    dict.set_item("reproduces", card.reproduces)?;
    dict.set_item("cannot", card.cannot)?;
    dict.set_item("source", card.source)?;
    dict.set_item("remarks", card.remarks)?;
    Ok(dict)
}

/// Name, unit and description of a state.
fn state(card: &StateCard) -> (String, String, String) {
    (
        card.name.to_string(),
        card.unit.to_string(),
        card.description(),
    )
}

fn parameter<'py>(py: Python<'py>, card: &ParameterCard) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", &*card.name)?;
    dict.set_item("symbol", &*card.symbol)?;
    dict.set_item("unit", &*card.unit)?;
    dict.set_item("meaning", &*card.meaning)?;
    dict.set_item("allowed", card.range.to_string())?;
    let kind = match card.kind {
        ParameterKind::Number => "number",
        ParameterKind::List => "list",
        ParameterKind::Flag => "flag",
        ParameterKind::Curve => "curve",
    };
    dict.set_item("kind", kind)?;
    let typical = match card.typical {
        Typical::Number(x) => x.into_py_any(py)?,
        Typical::List(list) => list.into_py_any(py)?,
        Typical::Flag(flag) => flag.into_py_any(py)?,
        Typical::Curve(name) => name.into_py_any(py)?,
    };
    dict.set_item("typical", typical)?;
    dict.set_item("required", card.default == Default::Required)?;
    let default = match card.default {
        Default::Required | Default::Absent => py.None(),
        Default::Number(x) => x.into_py_any(py)?,
        Default::Scaled(of, factor) => format!("{factor} {of}").into_py_any(py)?,
        Default::Flag(flag) => flag.into_py_any(py)?,
        Default::Curve(name) => name.into_py_any(py)?,
    };
    dict.set_item("default", default)?;
    dict.set_item("optional", card.default == Default::Absent)?;
    Ok(dict)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cards, module)?)?;
    module.add_function(wrap_pyfunction!(card, module)?)
}
