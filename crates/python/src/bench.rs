//! The test bench: a law along a motion, and what it can and cannot do.

use bristle_laws::Friction;
use bristle_rig::characterise::{
    BenchOptions, Characterisation, FeatureVerdict, characterise as measure,
};
use bristle_rig::{Driver, Sample, state_names};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::columns::columns_mut;
use crate::laws::PyLaw;
use crate::raise::heed_signals;

/// Samples between two looks at signals.
const SAMPLES_BETWEEN: usize = 1000;

/// A motion, with a row for each component.
#[derive(FromPyObject)]
struct MotionArrays<'py>(
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray2<'py, f64>,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray2<'py, f64>,
);

/// Follows a motion; fills force and states at its samples.
#[pyfunction]
fn drive(
    law: &Bound<'_, PyLaw>,
    motion: MotionArrays<'_>,
    rtol: f64,
    mut force: PyReadwriteArray2<'_, f64>,
    mut states: PyReadwriteArray2<'_, f64>,
) -> PyResult<()> {
    let MotionArrays(t, velocity, load, applied) = &motion;
    let (t, load) = (t.as_slice()?, load.as_slice()?);
    let (dimension, n) = (velocity.shape()[0], t.len());
    let count = law.get().law.layout().len(dimension);
    let fit = load.len() == n
        && [velocity.shape(), applied.shape(), force.shape()]
            .iter()
            .all(|shape| **shape == [dimension, n])
        && states.shape() == [count, n];
    if !fit {
        return Err(PyValueError::new_err(
            "the columns of the motion do not fit together",
        ));
    }
    let (velocity, applied) = (velocity.as_array(), applied.as_array());
    let number = |i: usize, k: usize| [velocity[[k, i]], applied[[k, i]]];
    let out = [force.as_slice_mut()?, states.as_slice_mut()?].map(|flat| columns_mut(flat, n));
    let motion = DrivenMotion {
        n,
        t,
        load,
        vectors: (0..n * dimension)
            .map(|k| number(k / dimension, k % dimension))
            .collect(),
    };
    match dimension {
        1 => follow::<1>(law, &motion, rtol, out),
        2 => follow::<2>(law, &motion, rtol, out),
        _ => follow::<3>(law, &motion, rtol, out),
    }
}

/// A motion, sample by sample.
struct DrivenMotion<'a> {
    n: usize,
    t: &'a [f64],
    load: &'a [f64],
    /// Velocity and applied force, component by component.
    vectors: Vec<[f64; 2]>,
}

impl DrivenMotion<'_> {
    fn sample<const D: usize>(&self, i: usize) -> Sample<D> {
        let component = |k: usize| self.vectors[i * D + k];
        Sample {
            t: self.t[i],
            velocity: std::array::from_fn(|k| component(k)[0]),
            normal_force: self.load[i],
            applied: std::array::from_fn(|k| component(k)[1]),
        }
    }
}

fn follow<const D: usize>(
    law: &Bound<'_, PyLaw>,
    motion: &DrivenMotion<'_>,
    rtol: f64,
    mut out: [Vec<&mut [f64]>; 2],
) -> PyResult<()> {
    let friction: &Friction = &law.get().law;
    law.py().detach(|| {
        let mut driver = Driver::new(friction, &motion.sample::<D>(0), rtol);
        let mut keep = |i: usize, force: [f64; D], state: &[f64]| {
            for (row, values) in out.iter_mut().zip([&force[..], state]) {
                for (column, x) in row.iter_mut().zip(values) {
                    column[i] = *x;
                }
            }
        };
        keep(0, driver.force(), driver.state());
        for i in 1..motion.n {
            let force = driver.advance(&motion.sample(i));
            let force = force.map_err(|error| {
                PyValueError::new_err(format!("sample {i} of the motion: {error}"))
            })?;
            keep(i, force, driver.state());
            if i.is_multiple_of(SAMPLES_BETWEEN) {
                heed_signals()?;
            }
        }
        Ok(())
    })
}

/// Names of the states in some dimensions.
#[pyfunction]
fn names_of_states(law: &Bound<'_, PyLaw>, dimension: usize) -> Vec<String> {
    let law = &law.get().law;
    match dimension {
        1 => state_names::<1>(law),
        2 => state_names::<2>(law),
        _ => state_names::<3>(law),
    }
}

/// Measures what a law can and cannot do.
#[pyfunction]
fn characterise<'py>(
    law: &Bound<'py, PyLaw>,
    normal_force: f64,
    mass: f64,
    stiffness: f64,
    drawing_speed: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let options = BenchOptions {
        normal_force,
        mass,
        stiffness,
        drawing_speed,
    };
    let named = [
        ("normal_force", normal_force),
        ("mass", mass),
        ("stiffness", stiffness),
        ("drawing_speed", drawing_speed),
    ];
    for (name, x) in named {
        if !(x.is_finite() && x > 0.0) {
            let message = format!("{name} = {x}, must be a finite number above 0");
            return Err(PyValueError::new_err(message));
        }
    }
    let friction = &law.get().law;
    let measured = law.py().detach(|| measure(friction, &options));
    to_python(law.py(), measured)
}

fn to_python(py: Python<'_>, measured: Characterisation) -> PyResult<Bound<'_, PyDict>> {
    let features = PyList::empty(py);
    for feature in measured.features {
        let dict = PyDict::new(py);
        dict.set_item("key", feature.key)?;
        dict.set_item("title", feature.title)?;
        let verdict = match feature.verdict {
            FeatureVerdict::Yes => Some(true),
            FeatureVerdict::No => Some(false),
            FeatureVerdict::NotApplicable => None,
        };
        dict.set_item("verdict", verdict)?;
        dict.set_item("value", feature.value)?;
        dict.set_item("quantity", feature.quantity)?;
        dict.set_item("unit", feature.unit)?;
        dict.set_item("criterion", feature.criterion)?;
        dict.set_item("note", feature.note)?;
        dict.set_item("printed", feature.printed)?;
        let numbers = PyDict::new(py);
        for number in feature.numbers {
            numbers.set_item(number.name, (number.value, number.unit))?;
        }
        dict.set_item("numbers", numbers)?;
        features.append(dict)?;
    }
    let curves = PyList::empty(py);
    for curve in measured.curves {
        let dict = PyDict::new(py);
        dict.set_item("picture", curve.picture.key)?;
        dict.set_item("label", curve.label)?;
        let axes = [&curve.picture.x, &curve.picture.y].map(|axis| (axis.label, axis.unit));
        dict.set_item("axes", axes)?;
        dict.set_item("x", numpy::PyArray1::from_vec(py, curve.x))?;
        dict.set_item("y", numpy::PyArray1::from_vec(py, curve.y))?;
        curves.append(dict)?;
    }
    let dict = PyDict::new(py);
    dict.set_item("features", features)?;
    dict.set_item("curves", curves)?;
    Ok(dict)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(drive, module)?)?;
    module.add_function(wrap_pyfunction!(names_of_states, module)?)?;
    module.add_function(wrap_pyfunction!(characterise, module)?)
}
