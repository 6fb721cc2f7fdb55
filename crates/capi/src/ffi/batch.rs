//! A law at many points, in columns.

use std::ffi::c_int;

use bristle_laws::MAX_STATES;
use bristle_laws::pool::{Points, Steps, update_batch};

use super::call::{call, dimension, finite, in_dimension, load, shared, slice, slice_mut};
use crate::law::CLaw;
use crate::status::CallError;

/// Columns of the conditions of a step.
struct BatchCall {
    n: usize,
    dt: f64,
    v_mean: *const *const f64,
    normal_mean: *const f64,
    v_end: *const *const f64,
    normal_end: *const f64,
    z: *const *mut f64,
    force: *const *mut f64,
}

unsafe fn points<'a, const D: usize>(
    v: *const *const f64,
    normal_force: *const f64,
    n: usize,
) -> Result<Points<'a, D>, CallError> {
    let v = unsafe { slice(v, D, "the columns of v") }?;
    let mut velocity: [&[f64]; D] = [&[]; D];
    for (column, pointer) in velocity.iter_mut().zip(v) {
        *column = unsafe { slice(*pointer, n, "a column of v") }?;
        finite(column, "v")?;
    }
    let normal_force = unsafe { slice(normal_force, n, "the column of N") }?;
    for n in normal_force {
        load(*n)?;
    }
    Ok(Points {
        velocity,
        normal_force,
    })
}

unsafe fn update<const D: usize>(law: &CLaw, given: &BatchCall) -> Result<(), CallError> {
    finite(&[given.dt], "dt")?;
    if given.dt <= 0.0 {
        let text = format!("dt = {} s: expected (0, ∞) s", given.dt);
        return Err(CallError::argument(text));
    }
    let steps = Steps {
        mean: unsafe { points::<D>(given.v_mean, given.normal_mean, given.n) }?,
        end: unsafe { points::<D>(given.v_end, given.normal_end, given.n) }?,
        duration: given.dt,
    };
    let count = law.states(D);
    let mut z: [&mut [f64]; MAX_STATES] = std::array::from_fn(|_| Default::default());
    let pointers = unsafe { slice(given.z, count, "the columns of z") }?;
    for (column, pointer) in z.iter_mut().zip(pointers) {
        *column = unsafe { slice_mut(*pointer, given.n, "a column of z") }?;
        finite(column, "z")?;
    }
    let mut force: [&mut [f64]; D] = std::array::from_fn(|_| Default::default());
    let pointers = unsafe { slice(given.force, D, "the columns of the force") }?;
    for (column, pointer) in force.iter_mut().zip(pointers) {
        *column = unsafe { slice_mut(*pointer, given.n, "a column of the force") }?;
    }
    update_batch(&law.law, &steps, &mut z[..count], &mut force)
        .map_err(|error| CallError::argument(error.to_string()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_update_batch(
    law: *const CLaw,
    dim: c_int,
    n: usize,
    dt: f64,
    v_mean: *const *const f64,
    N_mean: *const f64,
    v_end: *const *const f64,
    N_end: *const f64,
    z: *const *mut f64,
    force: *const *mut f64,
) -> c_int {
    call(|| unsafe {
        let law = shared(law, "law")?;
        let given = BatchCall {
            n,
            dt,
            v_mean,
            normal_mean: N_mean,
            v_end,
            normal_end: N_end,
            z,
            force,
        };
        in_dimension!(dimension(dim)?, update, law, &given)
    })
}
