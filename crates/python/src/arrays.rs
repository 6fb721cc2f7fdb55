//! The functions over arrays of `bristle._core`. The package gives them contiguous arrays of float64.
//!
//! Velocities, forces and states come with a row for each component and a column for each point.

use std::borrow::Cow;

use bristle_laws::pool::{BatchDerivatives, InputOrder, PoolError};
use bristle_laws::{Friction, Slip};
use numpy::ndarray::ArrayView2;
use numpy::{
    PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::{self, Conditions, Differentiated, PullBack, StepOf};
use crate::columns::{
    ArgumentColumn, ArgumentMeaning, Numbers, NumbersOf, check_all, columns_mut, rows,
};
use crate::laws::PyLaw;

const VELOCITY: ArgumentMeaning = ArgumentMeaning::finite("velocity", "m/s");
const MEAN_VELOCITY: ArgumentMeaning = ArgumentMeaning::finite("mean_velocity", "m/s");
const LOAD: ArgumentMeaning = ArgumentMeaning::not_negative("normal_force", "N");
const MEAN_LOAD: ArgumentMeaning = ArgumentMeaning::not_negative("mean_normal_force", "N");
const DURATION: ArgumentMeaning = ArgumentMeaning::positive("dt", "s");
const STATE: ArgumentMeaning = ArgumentMeaning::states("state");
const WEIGHT: ArgumentMeaning = ArgumentMeaning::finite("weights", "");

type RowsToRead<'py> = PyReadonlyArray2<'py, f64>;
type RowsToFill<'py> = PyReadwriteArray2<'py, f64>;

fn refuse(error: &PoolError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// `D` slices of columns that are known to be so many.
fn slices<'a, const D: usize>(columns: &'a [Cow<'_, [f64]>]) -> [&'a [f64]; D] {
    std::array::from_fn(|k| columns.get(k).map_or(&[][..], |column| column))
}

fn all<'a>(columns: &'a [Cow<'_, [f64]>]) -> Vec<&'a [f64]> {
    columns.iter().map(|column| &**column).collect()
}

/// The conditions at all points, as they come: velocity and normal force at the end of a step, the
/// mean of both over it where that is another one, and the duration; none for rates.
#[derive(FromPyObject)]
struct StepArrays<'py>(
    RowsToRead<'py>,
    Bound<'py, PyAny>,
    Option<RowsToRead<'py>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
);

/// The columns of [`StepArrays`].
struct StepColumns<'a, 'py> {
    velocity: Vec<Cow<'a, [f64]>>,
    normal_force: NumbersOf<'py>,
    mean: Option<(Vec<Cow<'a, [f64]>>, NumbersOf<'py>)>,
    duration: Option<NumbersOf<'py>>,
}

/// The views that columns are taken from.
struct StepViews<'a, 'py> {
    arrays: &'a StepArrays<'py>,
    velocity: ArrayView2<'a, f64>,
    mean: Option<ArrayView2<'a, f64>>,
}

impl<'py> StepArrays<'py> {
    /// Number of components, and of points.
    fn shape(&self) -> [usize; 2] {
        [self.0.shape()[0], self.0.shape()[1]]
    }

    fn views(&self) -> StepViews<'_, 'py> {
        StepViews {
            arrays: self,
            velocity: self.0.as_array(),
            mean: self.2.as_ref().map(PyReadonlyArray2::as_array),
        }
    }
}

impl<'py> StepViews<'_, 'py> {
    fn columns(&self) -> PyResult<StepColumns<'_, 'py>> {
        let [dimension, n] = self.arrays.shape();
        let mut mean = None;
        if self.mean.is_some() || self.arrays.3.is_some() {
            let view = self.mean.as_ref().unwrap_or(&self.velocity);
            fits("mean_velocity", view.shape(), [dimension, n])?;
            let load = match &self.arrays.3 {
                Some(load) => NumbersOf::read(load, MEAN_LOAD, n)?,
                None => NumbersOf::read(&self.arrays.1, LOAD, n)?,
            };
            mean = Some((rows(view), load));
        }
        let duration = self.arrays.4.as_ref();
        Ok(StepColumns {
            velocity: rows(&self.velocity),
            normal_force: NumbersOf::read(&self.arrays.1, LOAD, n)?,
            mean,
            duration: duration
                .map(|dt| NumbersOf::read(dt, DURATION, n))
                .transpose()?,
        })
    }
}

impl StepColumns<'_, '_> {
    /// Refuses what is no condition of a step, and no state.
    fn check<'a>(&'a self, states: impl Iterator<Item = ArgumentColumn<'a>>) -> PyResult<()> {
        let mut all: Vec<_> = ArgumentColumn::of_rows(VELOCITY, &self.velocity).collect();
        all.extend(self.normal_force.column()?);
        if let Some((velocity, load)) = &self.mean {
            all.extend(ArgumentColumn::of_rows(MEAN_VELOCITY, velocity));
            all.extend(load.column()?);
        }
        if let Some(duration) = &self.duration {
            all.extend(duration.column()?);
        }
        all.extend(states);
        check_all(all)
    }

    fn end<const D: usize>(&self) -> PyResult<Conditions<'_, D>> {
        Ok(Conditions {
            velocity: slices(&self.velocity),
            normal_force: self.normal_force.numbers()?,
        })
    }

    /// The step; refused where there is no duration.
    fn step<const D: usize>(&self) -> PyResult<StepOf<'_, D>> {
        let Some(duration) = &self.duration else {
            return Err(PyValueError::new_err("dt is missing"));
        };
        let mean = self.mean.as_ref().map(|(velocity, load)| {
            let velocity = slices(velocity);
            let normal_force = load.numbers()?;
            PyResult::Ok(Conditions {
                velocity,
                normal_force,
            })
        });
        Ok(StepOf {
            end: self.end()?,
            mean: mean.transpose()?,
            duration: duration.numbers()?,
        })
    }

    /// Of what derivatives are taken: of an update where there is a duration.
    fn differentiated<const D: usize>(&self) -> PyResult<Differentiated<'_, D>> {
        Ok(match self.duration {
            Some(_) => Differentiated::Update(self.step()?),
            None => Differentiated::Rates(self.end()?),
        })
    }
}

/// Refuses an array of another shape than that of the law and the points.
fn fits<const K: usize>(name: &str, found: &[usize], expected: [usize; K]) -> PyResult<()> {
    if found == expected {
        return Ok(());
    }
    let message = format!("{name} has the shape {found:?} inside, must have {expected:?}");
    Err(PyValueError::new_err(message))
}

/// Calls a function for the number of components that the velocity has.
macro_rules! by_dimension {
    ($dimension:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $dimension {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            other => Err(PyValueError::new_err(format!(
                "velocity has {other} components, must have 1, 2 or 3"
            ))),
        }
    };
}

/// Fills force and rates at every point.
#[pyfunction]
fn rates(
    law: &Bound<'_, PyLaw>,
    states: RowsToRead<'_>,
    step: StepArrays<'_>,
    mut force: RowsToFill<'_>,
    mut rates: RowsToFill<'_>,
    jobs: usize,
) -> PyResult<()> {
    fn run<const D: usize>(
        law: &Bound<'_, PyLaw>,
        states: &RowsToRead<'_>,
        step: &StepArrays<'_>,
        out: [&mut [f64]; 2],
        jobs: usize,
    ) -> PyResult<()> {
        let views = step.views();
        let (columns, view) = (views.columns()?, states.as_array());
        let states = rows(&view);
        columns.check(ArgumentColumn::of_rows(STATE, &states))?;
        let (at, states) = (columns.end::<D>()?, all(&states));
        let out = out
            .map(|flat| columns_mut(flat, at.len()))
            .into_iter()
            .flatten()
            .collect();
        let friction = &law.get().law;
        let done = law
            .py()
            .detach(|| batch::rates(friction, &at, &states, out, jobs));
        done.map_err(|error| refuse(&error))
    }
    let [dimension, n] = step.shape();
    let count = law.get().law.layout().len(dimension);
    fits("state", states.shape(), [count, n])?;
    fits("force", force.shape(), [dimension, n])?;
    fits("rates", rates.shape(), [count, n])?;
    let out = [force.as_slice_mut()?, rates.as_slice_mut()?];
    by_dimension!(dimension, run(law, &states, &step, out, jobs))
}

/// Moves the states at every point by a step and fills the force at its end.
#[pyfunction]
fn update(
    law: &Bound<'_, PyLaw>,
    mut states: RowsToFill<'_>,
    step: StepArrays<'_>,
    mut force: RowsToFill<'_>,
    jobs: usize,
) -> PyResult<()> {
    fn run<const D: usize>(
        law: &Bound<'_, PyLaw>,
        step: &StepArrays<'_>,
        out: [&mut [f64]; 2],
        jobs: usize,
    ) -> PyResult<()> {
        let views = step.views();
        let columns = views.columns()?;
        let (step, n) = (columns.step::<D>()?, columns.end::<D>()?.len());
        let states = out[1].chunks_exact(n.max(1)).enumerate();
        columns.check(states.map(|(k, numbers)| ArgumentColumn {
            meaning: STATE,
            numbers,
            component: Some(k),
        }))?;
        let out = out
            .map(|flat| columns_mut(flat, n))
            .into_iter()
            .flatten()
            .collect();
        let friction = &law.get().law;
        let done = law
            .py()
            .detach(|| batch::update(friction, &step, out, jobs));
        done.map_err(|error| refuse(&error))
    }
    let [dimension, n] = step.shape();
    fits(
        "state",
        states.shape(),
        [law.get().law.layout().len(dimension), n],
    )?;
    fits("force", force.shape(), [dimension, n])?;
    let out = [force.as_slice_mut()?, states.as_slice_mut()?];
    by_dimension!(dimension, run(law, &step, out, jobs))
}

/// Fills the Jacobian of an update, or of the rates where the step has no duration: for every point
/// and output the derivatives by all inputs.
#[pyfunction]
fn jacobian(
    law: &Bound<'_, PyLaw>,
    states: RowsToRead<'_>,
    step: StepArrays<'_>,
    mut out: PyReadwriteArray1<'_, f64>,
    jobs: usize,
) -> PyResult<()> {
    fn run<const D: usize>(
        law: &Bound<'_, PyLaw>,
        states: &RowsToRead<'_>,
        step: &StepArrays<'_>,
        out: &mut [f64],
        jobs: usize,
    ) -> PyResult<()> {
        let views = step.views();
        let (columns, view) = (views.columns()?, states.as_array());
        let states = rows(&view);
        columns.check(ArgumentColumn::of_rows(STATE, &states))?;
        let (of, states) = (columns.differentiated::<D>()?, all(&states));
        let derivatives = BatchDerivatives::new(&law.get().law, of.has_mean());
        let order = derivatives.order();
        fits(
            "out",
            &[out.len()],
            [of.len() * order.outputs() * order.len()],
        )?;
        let done = law
            .py()
            .detach(|| batch::jacobian(&derivatives, &of, &states, out, jobs));
        done.map_err(|error| refuse(&error))
    }
    let [dimension, n] = step.shape();
    fits(
        "state",
        states.shape(),
        [law.get().law.layout().len(dimension), n],
    )?;
    let out = out.as_slice_mut()?;
    by_dimension!(dimension, run(law, &states, &step, out, jobs))
}

/// Fills what a weighted sum of the outputs of an update, or of rates, changes with the inputs of
/// every point, and with the parameters.
#[pyfunction]
fn pull_back(
    law: &Bound<'_, PyLaw>,
    states: RowsToRead<'_>,
    step: StepArrays<'_>,
    weights: PyReadonlyArray1<'_, f64>,
    mut points: PyReadwriteArray1<'_, f64>,
    mut parameters: PyReadwriteArray1<'_, f64>,
    jobs: usize,
) -> PyResult<()> {
    fn run<const D: usize>(
        law: &Bound<'_, PyLaw>,
        states: &RowsToRead<'_>,
        step: &StepArrays<'_>,
        product: PullBack<'_>,
        jobs: usize,
    ) -> PyResult<()> {
        let views = step.views();
        let (columns, view) = (views.columns()?, states.as_array());
        let states = rows(&view);
        columns.check(ArgumentColumn::of_rows(STATE, &states))?;
        let (of, states) = (columns.differentiated::<D>()?, all(&states));
        let derivatives = BatchDerivatives::new(&law.get().law, of.has_mean());
        let (order, n) = (derivatives.order(), of.len());
        fits("weights", &[product.weights.len()], [n * order.outputs()])?;
        fits("points", &[product.points.len()], [n * order.of_point()])?;
        fits(
            "parameters",
            &[product.parameters.len()],
            [order.parameters().len()],
        )?;
        let done = law
            .py()
            .detach(|| batch::pull_back(&derivatives, &of, &states, product, jobs));
        done.map_err(|error| refuse(&error))
    }
    let [dimension, n] = step.shape();
    fits(
        "state",
        states.shape(),
        [law.get().law.layout().len(dimension), n],
    )?;
    let weights = weights.as_slice()?;
    check_all(vec![ArgumentColumn::alone(WEIGHT, weights)])?;
    let product = PullBack {
        weights,
        points: points.as_slice_mut()?,
        parameters: parameters.as_slice_mut()?,
    };
    by_dimension!(dimension, run(law, &states, &step, product, jobs))
}

/// The parameters by which derivatives are taken: field, and index in a list.
#[pyfunction]
fn differentiated_parameters(law: &Bound<'_, PyLaw>) -> Vec<(String, usize)> {
    InputOrder::new(&law.get().law, 1, false)
        .parameters()
        .to_vec()
}

/// Puts the states at the start of a motion with these conditions.
#[pyfunction]
fn start(
    law: &Bound<'_, PyLaw>,
    velocity: RowsToRead<'_>,
    normal_force: &Bound<'_, PyAny>,
    mut states: RowsToFill<'_>,
) -> PyResult<()> {
    fn run<const D: usize>(
        law: &Friction,
        velocity: &[Cow<'_, [f64]>],
        load: Numbers<'_>,
        states: &mut [&mut [f64]],
    ) {
        let velocity = slices::<D>(velocity);
        let mut state = vec![0.0; states.len()];
        for i in 0..velocity[0].len() {
            law.start(&Slip::new(velocity.map(|v| v[i]), load.at(i)), &mut state);
            for (column, z) in states.iter_mut().zip(&state) {
                column[i] = *z;
            }
        }
    }
    let law = &law.get().law;
    let [dimension, n] = [velocity.shape()[0], velocity.shape()[1]];
    let load = NumbersOf::read(normal_force, LOAD, n)?;
    fits(
        "state",
        states.shape(),
        [law.layout().len(dimension.min(3)), n],
    )?;
    let view = velocity.as_array();
    let velocity = rows(&view);
    let all = ArgumentColumn::of_rows(VELOCITY, &velocity).chain(load.column()?);
    check_all(all.collect())?;
    let load = load.numbers()?;
    let mut columns = columns_mut(states.as_slice_mut()?, n);
    match dimension {
        1 => run::<1>(law, &velocity, load, &mut columns),
        2 => run::<2>(law, &velocity, load, &mut columns),
        _ => run::<3>(law, &velocity, load, &mut columns),
    }
    Ok(())
}

/// The magnitude of the steady force at each speed.
#[pyfunction]
fn steady<'py>(
    law: &Bound<'py, PyLaw>,
    speed: PyReadonlyArray1<'py, f64>,
    normal_force: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let friction = &law.get().law;
    let (speed, load) = (speed.as_slice()?, normal_force.as_slice()?);
    check_all(vec![
        ArgumentColumn::alone(VELOCITY, speed),
        ArgumentColumn::alone(LOAD, load),
    ])?;
    let points = speed.iter().zip(load);
    let force: Option<Vec<f64>> = points.map(|(v, n)| friction.steady(*v, *n)).collect();
    match force {
        Some(force) => Ok(PyArray1::from_vec(law.py(), force)),
        None => Err(PyValueError::new_err(format!(
            "{} has no steady force",
            friction.card().name
        ))),
    }
}

/// The elastic energy at each point.
#[pyfunction]
fn stored_energy<'py>(
    law: &Bound<'py, PyLaw>,
    states: RowsToRead<'py>,
    dimension: usize,
    normal_force: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let friction = &law.get().law;
    let n = states.shape()[1];
    fits(
        "state",
        states.shape(),
        [friction.layout().len(dimension.min(3)), n],
    )?;
    let load = NumbersOf::read(normal_force, LOAD, n)?;
    check_all(load.column()?.into_iter().collect())?;
    let (view, load) = (states.as_array(), load.numbers()?);
    let energy = (0..n).map(|i| {
        let state = view.column(i).to_vec();
        match dimension {
            1 => friction.stored_energy::<1>(load.at(i), &state),
            2 => friction.stored_energy::<2>(load.at(i), &state),
            _ => friction.stored_energy::<3>(load.at(i), &state),
        }
    });
    Ok(PyArray1::from_vec(law.py(), energy.collect()))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(start, module)?)?;
    module.add_function(wrap_pyfunction!(steady, module)?)?;
    module.add_function(wrap_pyfunction!(stored_energy, module)?)?;
    module.add_function(wrap_pyfunction!(rates, module)?)?;
    module.add_function(wrap_pyfunction!(update, module)?)?;
    module.add_function(wrap_pyfunction!(jacobian, module)?)?;
    module.add_function(wrap_pyfunction!(pull_back, module)?)?;
    module.add_function(wrap_pyfunction!(differentiated_parameters, module)?)
}
