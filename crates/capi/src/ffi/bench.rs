//! A law on the test bench: prescribed motions, and a block that is drawn.

use std::ffi::c_int;

use bristle_laws::Friction;
use bristle_rig::characterise::{DrawnBlock, draw};
use bristle_rig::{Driver, Sample};

use super::call::{call, dimension, finite, in_dimension, load, shared, slice, slice_mut};
use crate::law::CLaw;
use crate::status::{CallError, CallStatus};

/// A prescribed motion of the caller, row by row.
struct PrescribedMotion<'a> {
    rtol: f64,
    t: &'a [f64],
    v: &'a [f64],
    normal_force: &'a [f64],
    /// Empty where there is none.
    applied: &'a [f64],
}

impl PrescribedMotion<'_> {
    fn sample<const D: usize>(&self, row: usize) -> Sample<D> {
        let vector = |all: &[f64]| {
            std::array::from_fn(|i| all.get(row * D + i).copied().unwrap_or_default())
        };
        Sample {
            t: self.t[row],
            velocity: vector(self.v),
            normal_force: self.normal_force[row],
            applied: vector(self.applied),
        }
    }
}

fn drive<const D: usize>(
    law: &Friction,
    motion: &PrescribedMotion<'_>,
    force: &mut [f64],
) -> Result<(), CallError> {
    if motion.t.is_empty() {
        return Ok(());
    }
    let mut driver = Driver::new(law, &motion.sample::<D>(0), motion.rtol);
    force[..D].copy_from_slice(&driver.force());
    for row in 1..motion.t.len() {
        let reached = driver.advance(&motion.sample(row));
        let reached = reached.map_err(|error| match error {
            bristle_rig::DriveError::Order { .. } => CallError::argument(error.to_string()),
            _ => CallError::new(CallStatus::Failed, error.to_string()),
        })?;
        force[row * D..][..D].copy_from_slice(&reached);
    }
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_drive(
    law: *const CLaw,
    dim: c_int,
    rtol: f64,
    n: usize,
    t: *const f64,
    v: *const f64,
    normal_force: *const f64,
    applied: *const f64,
    force: *mut f64,
) -> c_int {
    call(|| unsafe {
        let law = shared(law, "law")?;
        let dim = dimension(law, dim)?;
        let entries = n
            .checked_mul(dim)
            .ok_or_else(|| CallError::argument(format!("n = {n}: too many")))?;
        let applied = if applied.is_null() {
            &[]
        } else {
            slice(applied, entries, "the applied force")?
        };
        let motion = PrescribedMotion {
            rtol,
            t: slice(t, n, "t")?,
            v: slice(v, entries, "v")?,
            normal_force: slice(normal_force, n, "the normal force")?,
            applied,
        };
        finite(&[rtol], "rtol")?;
        finite(motion.t, "t")?;
        finite(motion.v, "v")?;
        finite(motion.applied, "the applied force")?;
        motion.normal_force.iter().try_for_each(|n| load(*n))?;
        let force = slice_mut(force, entries, "force")?;
        in_dimension!(dim, drive, &law.law, &motion, force)
    })
}

/// Refuses what is no machine.
fn check(block: &DrawnBlock, times: &[f64]) -> Result<(), CallError> {
    let numbers = [
        (block.mass, "the mass"),
        (block.load_rate, "the rate of the load"),
        (block.stiffness, "the stiffness"),
        (block.speed, "the speed"),
    ];
    for (value, what) in numbers {
        finite(&[value], what)?;
    }
    load(block.normal_force)?;
    finite(times, "t")?;
    if block.mass <= 0.0 {
        let text = format!("the mass = {} kg: expected (0, ∞) kg", block.mass);
        return Err(CallError::argument(text));
    }
    if block.stiffness < 0.0 {
        let text = format!(
            "the stiffness = {} N/m: expected [0, ∞) N/m",
            block.stiffness
        );
        return Err(CallError::argument(text));
    }
    let ascend = times.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascend || times.first().is_some_and(|first| *first < 0.0) {
        return Err(CallError::argument(
            "t: expected times that ascend from 0 s",
        ));
    }
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_draw(
    law: *const CLaw,
    mass: f64,
    normal_force: f64,
    load_rate: f64,
    stiffness: f64,
    speed: f64,
    n: usize,
    t: *const f64,
    x: *mut f64,
    v: *mut f64,
    force: *mut f64,
) -> c_int {
    call(|| unsafe {
        let law = shared(law, "law")?;
        let block = DrawnBlock {
            mass,
            normal_force,
            load_rate,
            stiffness,
            speed,
        };
        let times = slice(t, n, "t")?;
        check(&block, times)?;
        let (x, v) = (slice_mut(x, n, "x")?, slice_mut(v, n, "v")?);
        let force = slice_mut(force, n, "force")?;
        let motion = draw(&law.law, &block, times)
            .map_err(|error| CallError::new(CallStatus::Failed, error.to_string()))?;
        for (to, from) in [(x, &motion.x), (v, &motion.v), (force, &motion.force)] {
            to.copy_from_slice(from);
        }
        Ok(())
    })
}
