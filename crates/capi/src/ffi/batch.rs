//! A law at many points, in columns.

use std::ffi::c_int;

use bristle_laws::pool::{Points, Steps, update_batch};
use bristle_laws::{HistoryTangent, MAX_STATES, Slip, Step};

use super::call::{
    call, dimension, duration, finite, in_dimension, load, shared, slice, slice_mut,
};
use super::points::results;
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

/// Columns that are read and written, checked.
struct BatchColumns<'a, const D: usize> {
    steps: Steps<'a, D>,
    z: [&'a mut [f64]; MAX_STATES],
    force: [&'a mut [f64]; D],
}

unsafe fn columns<'a, const D: usize>(
    law: &CLaw,
    given: &BatchCall,
) -> Result<BatchColumns<'a, D>, CallError> {
    duration(given.dt)?;
    let steps = Steps {
        mean: unsafe { points::<D>(given.v_mean, given.normal_mean, given.n) }?,
        end: unsafe { points::<D>(given.v_end, given.normal_end, given.n) }?,
        duration: given.dt,
    };
    let mut z: [&mut [f64]; MAX_STATES] = std::array::from_fn(|_| Default::default());
    let pointers = unsafe { slice(given.z, law.states(D), "the columns of z") }?;
    for (column, pointer) in z.iter_mut().zip(pointers) {
        *column = unsafe { slice_mut(*pointer, given.n, "a column of z") }?;
        finite(column, "z")?;
    }
    let mut force: [&mut [f64]; D] = std::array::from_fn(|_| Default::default());
    let pointers = unsafe { slice(given.force, D, "the columns of the force") }?;
    for (column, pointer) in force.iter_mut().zip(pointers) {
        *column = unsafe { slice_mut(*pointer, given.n, "a column of the force") }?;
    }
    Ok(BatchColumns { steps, z, force })
}

unsafe fn update<const D: usize>(law: &CLaw, given: &BatchCall) -> Result<(), CallError> {
    let mut own = unsafe { columns::<D>(law, given) }?;
    let count = law.states(D);
    update_batch(&law.law, &own.steps, &mut own.z[..count], &mut own.force)
        .map_err(|error| CallError::argument(error.to_string()))?;
    let force = own.force.iter();
    force
        .chain(&own.z[..count])
        .try_for_each(|column| finite(column, "a force or a state"))
}

unsafe fn update_with_jacobian<const D: usize>(
    law: &CLaw,
    given: &BatchCall,
    jacobian: *mut f64,
) -> Result<(), CallError> {
    let mut own = unsafe { columns::<D>(law, given) }?;
    let count = law.states(D);
    let width = 2 * D + 2 + count;
    let size = given.n.checked_mul((D + count) * width);
    let size = size.ok_or_else(|| CallError::argument("n: too many points"))?;
    let jacobian = unsafe { slice_mut(jacobian, size, "jacobian") }?;
    let slip = |points: &Points<'_, D>, i: usize| {
        Slip::new(points.velocity.map(|own| own[i]), points.normal_force[i])
    };
    let (mut old, mut new) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
    let mut tangent = HistoryTangent::default();
    for (i, block) in jacobian.chunks_exact_mut((D + count) * width).enumerate() {
        let step = Step {
            mean: slip(&own.steps.mean, i),
            end: slip(&own.steps.end, i),
            duration: given.dt,
        };
        for (to, column) in old.iter_mut().zip(&own.z[..count]) {
            *to = column[i];
        }
        let old = &old[..count];
        let force = law
            .history
            .update(&step, old, &mut new[..count], &mut tangent);
        for (row, to) in block.chunks_exact_mut(width).enumerate() {
            to.copy_from_slice(tangent.row(row));
        }
        for (column, value) in own.z.iter_mut().zip(&new[..count]) {
            column[i] = *value;
        }
        for (column, value) in own.force.iter_mut().zip(force) {
            column[i] = value;
        }
        results(&force, &new[..count])?;
    }
    Ok(())
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
        in_dimension!(dimension(law, dim)?, update, law, &given)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_update_batch_jacobian(
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
    jacobian: *mut f64,
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
        in_dimension!(
            dimension(law, dim)?,
            update_with_jacobian,
            law,
            &given,
            jacobian
        )
    })
}
