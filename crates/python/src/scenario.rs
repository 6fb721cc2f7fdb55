//! Scenarios: read, changed, checked, and what they are run from.

use std::path::PathBuf;

use bristle_command::library;
use bristle_mechanics::modes::{Contacts, Mode};
use bristle_scenario::{
    Changes, Diagnostics, ParameterValue, Scenario, ScenarioSource, Severity, SourceMap, Template,
};
use bristle_study::channels_of;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::raise;
use crate::refusal;

/// What `Scenario.set` is called in errors.
const SET: &str = "set";

/// A scenario with its changes; never changes itself.
#[pyclass(frozen, name = "Scenario", module = "bristle._core")]
pub(crate) struct PyScenario {
    pub(crate) source: ScenarioSource,
    pub(crate) changes: Vec<String>,
    template: Template,
    sources: SourceMap,
}

/// A scenario that was built, with its texts.
pub(crate) struct Built {
    pub(crate) scenario: Scenario,
    pub(crate) sources: SourceMap,
}

/// The place of a scenario: a file without `text`, else a text that errors call `name`.
pub(crate) fn source_of(name: PathBuf, text: Option<String>, folder: PathBuf) -> ScenarioSource {
    match text {
        None => ScenarioSource::File(name),
        Some(text) => ScenarioSource::Text {
            name: name.display().to_string(),
            text,
            folder,
        },
    }
}

impl PyScenario {
    /// Builds the scenario with its changes, to be simulated.
    pub(crate) fn build(&self, py: Python<'_>) -> PyResult<Built> {
        self.build_by(py, Template::build)
    }

    /// [`Self::build`], also with harmonics whose frequency a forced response gives.
    fn build_any(&self, py: Python<'_>) -> PyResult<Built> {
        self.build_by(py, Template::build_any)
    }

    fn build_by(
        &self,
        py: Python<'_>,
        build: fn(&Template, &Changes<'_>, &mut SourceMap) -> Result<Scenario, Diagnostics>,
    ) -> PyResult<Built> {
        let mut sources = self.sources.clone();
        let changes = Changes {
            option: SET,
            removed: &[],
            texts: &self.changes,
        };
        let built = py.detach(|| {
            let mut built = build(&self.template, &changes, &mut sources);
            if let Ok(scenario) = &mut built {
                library::add_notices(scenario);
            }
            built
        });
        match built {
            Ok(scenario) => Ok(Built { scenario, sources }),
            Err(all) => Err(raise::diagnosed(py, "ScenarioError", &all, &sources)),
        }
    }
}

#[pymethods]
impl PyScenario {
    /// Reads a file, or a text if there is one; `changes` are texts `path=value`.
    #[new]
    #[pyo3(signature = (name, text, folder, changes))]
    fn new(
        py: Python<'_>,
        name: PathBuf,
        text: Option<String>,
        folder: PathBuf,
        changes: Vec<String>,
    ) -> PyResult<Self> {
        let source = source_of(name, text, folder);
        let mut sources = SourceMap::new();
        match Template::of_source(&source, &[], &mut sources) {
            Ok(template) => Ok(Self {
                source,
                changes,
                template,
                sources,
            }),
            Err(all) => Err(raise::diagnosed(py, "ScenarioError", &all, &sources)),
        }
    }

    /// The same scenario with a further change.
    fn changed(&self, text: String) -> Self {
        let mut changes = self.changes.clone();
        changes.push(text);
        Self {
            source: self.source.clone(),
            changes,
            template: self.template.clone(),
            sources: self.sources.clone(),
        }
    }

    /// Builds it: a dict with title, hash, warnings, channels, inputs and the values that are used.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Built { scenario, sources } = self.build_any(py)?;
        let facts = PyDict::new(py);
        facts.set_item("title", &scenario.title)?;
        facts.set_item("hash", &scenario.hash)?;
        facts.set_item("end_time", scenario.plan.end_time)?;
        facts.set_item("output_step", scenario.output_step)?;
        facts.set_item("model", library::phrase(&scenario))?;
        facts.set_item("warnings", warnings(py, &scenario, &sources)?)?;
        let channels = channels_of(&scenario).into_iter();
        let channels = channels.map(|c| (c.name, c.unit, c.meaning));
        facts.set_item("channels", channels.collect::<Vec<_>>())?;
        let inputs = scenario.model.inputs().into_iter();
        let inputs = inputs.map(|input| (input.name, input.unit, input.meaning));
        facts.set_item("inputs", inputs.collect::<Vec<_>>())?;
        let parameters = PyDict::new(py);
        for parameter in &scenario.parameters {
            let path = &parameter.path;
            match &parameter.value {
                ParameterValue::Number(value) => parameters.set_item(path, value)?,
                ParameterValue::Numbers(values) => parameters.set_item(path, values.clone())?,
                ParameterValue::Rows(rows) => parameters.set_item(path, rows.clone())?,
                ParameterValue::Text(text) | ParameterValue::Written(text) => {
                    parameters.set_item(path, text)?;
                }
            }
        }
        facts.set_item("parameters", parameters)?;
        Ok(facts)
    }

    /// Natural frequencies, damping ratios, shapes, and the matrices they come from.
    fn modes<'py>(
        &self,
        py: Python<'py>,
        contacts: &str,
        count: usize,
        as_given: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Built { scenario, .. } = self.build_any(py)?;
        let contacts = match contacts {
            "stuck" => Contacts::Stuck,
            "free" => Contacts::Free,
            _ => Contacts::AsTheyStand,
        };
        let model = &scenario.model;
        let found = py.detach(|| {
            let mut state = model.start();
            if !as_given {
                bristle_integrate::equilibrium(model, &mut state).map_err(|e| e.to_string())?;
            }
            let modes = model.modes(&state, contacts, count);
            let modes = modes.map_err(|e| e.to_string())?;
            let linear = model.linearise(&state, contacts);
            let motions: Vec<_> = modes
                .iter()
                .map(|mode| {
                    let real: Vec<f64> = mode.shape.iter().map(|z| z.re).collect();
                    model.motions_of(&state, &real).1
                })
                .collect();
            Ok((modes, linear, motions))
        });
        let (modes, linear, motions) =
            found.map_err(|text: String| refusal::plain(py, "RunFailed", &text))?;
        let out = PyDict::new(py);
        let column = |f: &dyn Fn(&Mode) -> f64| PyArray1::from_iter(py, modes.iter().map(f));
        out.set_item("frequency", column(&Mode::frequency))?;
        out.set_item("damping_ratio", column(&Mode::damping_ratio))?;
        out.set_item("damped_frequency", column(&Mode::damped_frequency))?;
        let undamped = |mode: &Mode| mode.undamped_frequency().unwrap_or(f64::NAN);
        out.set_item("undamped_frequency", column(&undamped))?;
        out.set_item("real", column(&|m| m.eigenvalue.re))?;
        out.set_item("imaginary", column(&|m| m.eigenvalue.im))?;
        for (name, matrix) in [
            ("M", &linear.mass),
            ("C", &linear.damping),
            ("K", &linear.stiffness),
        ] {
            let rows: Vec<Vec<f64>> = matrix
                .row_iter()
                .map(|row| row.iter().copied().collect())
                .collect();
            out.set_item(name, PyArray2::from_vec2(py, &rows)?)?;
        }
        let shapes = PyList::empty(py);
        for bodies in &motions {
            let shape = PyDict::new(py);
            for (body, [displacement, rotation]) in model.bodies().iter().zip(bodies).skip(1) {
                let pair = [displacement.as_slice(), rotation.as_slice()].concat();
                shape.set_item(&body.name, PyArray1::from_vec(py, pair).reshape([2, 3])?)?;
            }
            shapes.append(shape)?;
        }
        out.set_item("shapes", shapes)?;
        Ok(out)
    }
}

/// The warnings of a scenario as a list of `bristle.Diagnostic`.
pub(crate) fn warnings<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    sources: &SourceMap,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    let all = scenario.warnings.iter();
    for warning in all.filter(|w| w.severity == Severity::Warning) {
        list.append(raise::to_python(py, warning, sources)?)?;
    }
    Ok(list)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyScenario>()
}
