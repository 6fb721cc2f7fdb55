//! A law at a point. Nothing here allocates unless it fails.

use std::cell::RefCell;
use std::ffi::c_int;
use std::mem::MaybeUninit;

use bristle_laws::{HistoryTangent, MAX_STATES, Slip, Step, Tangent};

use super::call::{
    call, dimension, finite, in_dimension, load, shared, slice, slice_mut, unique, wanted,
};
use crate::derivatives::{RateDerivatives, fill};
use crate::law::CLaw;
use crate::status::CallError;

/// Conditions at a point.
#[derive(Clone, Copy)]
struct PointInput {
    v: *const f64,
    normal_force: f64,
    applied: *const f64,
}

impl PointInput {
    fn new(v: *const f64, normal_force: f64) -> Self {
        Self {
            v,
            normal_force,
            applied: std::ptr::null(),
        }
    }

    #[inline(always)]
    unsafe fn slip<const D: usize>(&self) -> Result<Slip<f64, D>, CallError> {
        let v = unsafe { slice(self.v, D, "v") }?;
        finite(v, "v")?;
        load(self.normal_force)?;
        let mut slip = Slip::new(std::array::from_fn(|i| v[i]), self.normal_force);
        if !self.applied.is_null() {
            let applied = unsafe { slice(self.applied, D, "applied") }?;
            finite(applied, "the applied force")?;
            slip.applied = std::array::from_fn(|i| applied[i]);
        }
        Ok(slip)
    }
}

/// The states of a law to be read.
#[inline(always)]
unsafe fn states<'a>(law: &CLaw, dim: usize, z: *const f64) -> Result<&'a [f64], CallError> {
    let z = unsafe { slice(z, law.states(dim), "z") }?;
    finite(z, "z")?;
    Ok(z)
}

/// Arguments at the ends of the range of numbers may lead beyond it.
#[inline(always)]
pub(super) fn results(force: &[f64], states: &[f64]) -> Result<(), CallError> {
    finite(force, "the friction force")?;
    finite(states, "a state, or its rate,")
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_start(
    law: *const CLaw,
    dim: c_int,
    v: *const f64,
    normal_force: f64,
    z: *mut f64,
) -> c_int {
    unsafe fn start<const D: usize>(
        law: &CLaw,
        input: PointInput,
        z: *mut f64,
    ) -> Result<(), CallError> {
        let slip = unsafe { input.slip::<D>() }?;
        let z = unsafe { slice_mut(z, law.states(D), "z") }?;
        law.law.start(&slip, z);
        Ok(())
    }
    call(|| unsafe {
        let law = shared(law, "law")?;
        in_dimension!(
            dimension(dim)?,
            start,
            law,
            PointInput::new(v, normal_force),
            z
        )
    })
}

/// Results of the continuous view.
struct RateOutput<'a> {
    force: *mut f64,
    zdot: *mut f64,
    derivatives: RateDerivatives<'a>,
}

unsafe fn rates_at<const D: usize>(
    law: &CLaw,
    input: PointInput,
    z: *const f64,
    mut out: RateOutput<'_>,
) -> Result<(), CallError> {
    let slip = unsafe { input.slip::<D>() }?;
    let z = unsafe { states(law, D, z) }?;
    let to = unsafe { slice_mut(out.force, D, "force") }?;
    let mut unused = [0.0; MAX_STATES];
    let zdot = unsafe { wanted(out.zdot, z.len()) };
    let zdot = zdot.unwrap_or(&mut unused[..z.len()]);
    to.copy_from_slice(&law.law.rates(&slip, z, zdot));
    if out.derivatives.is_wanted() {
        fill(&law.law, &slip, z, &mut out.derivatives);
    }
    results(to, zdot)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_rates(
    law: *const CLaw,
    dim: c_int,
    v: *const f64,
    normal_force: f64,
    z: *const f64,
    force: *mut f64,
    zdot: *mut f64,
    dF_dv: *mut f64,
    dF_dN: *mut f64,
    dF_dz: *mut f64,
    dz_dv: *mut f64,
    dz_dN: *mut f64,
    dz_dz: *mut f64,
) -> c_int {
    call(|| unsafe {
        let law = shared(law, "law")?;
        let d = dimension(dim)?;
        let n = law.states(d);
        let derivatives = RateDerivatives {
            force_velocity: wanted(dF_dv, d * d),
            force_normal: wanted(dF_dN, d),
            force_state: wanted(dF_dz, d * n),
            rate_velocity: wanted(dz_dv, n * d),
            rate_normal: wanted(dz_dN, n),
            rate_state: wanted(dz_dz, n * n),
        };
        let out = RateOutput {
            force,
            zdot,
            derivatives,
        };
        in_dimension!(d, rates_at, law, PointInput::new(v, normal_force), z, out)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_rates_applied(
    law: *const CLaw,
    dim: c_int,
    v: *const f64,
    normal_force: f64,
    applied: *const f64,
    z: *const f64,
    force: *mut f64,
    zdot: *mut f64,
) -> c_int {
    call(|| unsafe {
        let law = shared(law, "law")?;
        let input = PointInput {
            applied,
            ..PointInput::new(v, normal_force)
        };
        let out = RateOutput {
            force,
            zdot,
            derivatives: RateDerivatives::default(),
        };
        in_dimension!(dimension(dim)?, rates_at, law, input, z, out)
    })
}

/// A step of a law, and where its results go.
struct StepCall {
    dt: f64,
    mean: PointInput,
    end: PointInput,
    z_old: *const f64,
    z_new: *mut f64,
    force: *mut f64,
}

impl StepCall {
    #[inline(always)]
    unsafe fn step<const D: usize>(&self) -> Result<Step<f64, D>, CallError> {
        finite(&[self.dt], "dt")?;
        if self.dt <= 0.0 {
            let text = format!("dt = {} s: expected (0, ∞) s", self.dt);
            return Err(CallError::argument(text));
        }
        Ok(Step {
            mean: unsafe { self.mean.slip::<D>() }?,
            end: unsafe { self.end.slip::<D>() }?,
            duration: self.dt,
        })
    }

    /// The old states, copied to a place of their own: the new ones may take theirs.
    #[inline(always)]
    unsafe fn old<'a>(
        &self,
        law: &CLaw,
        dim: usize,
        room: &'a mut StateRoom,
    ) -> Result<&'a [f64], CallError> {
        let z = unsafe { states(law, dim, self.z_old) }?;
        let count = z.len().min(room.len());
        for (to, from) in room.iter_mut().zip(z) {
            to.write(*from);
        }
        // SAFETY: so many entries were written just now.
        Ok(unsafe { std::slice::from_raw_parts(room.as_ptr().cast(), count) })
    }
}

/// Room for states on the stack, not written before it is used: writing all of it would take a fifth of an update.
type StateRoom = [MaybeUninit<f64>; MAX_STATES];
const ROOM: StateRoom = [const { MaybeUninit::uninit() }; MAX_STATES];

/// Where the tangent of an update goes; each may be NULL.
struct TangentOutput {
    mean_velocity: *mut f64,
    velocity: *mut f64,
    mean_normal: *mut f64,
    normal: *mut f64,
}

impl TangentOutput {
    fn is_wanted(&self) -> bool {
        let all = [
            self.mean_velocity,
            self.velocity,
            self.mean_normal,
            self.normal,
        ];
        all.iter().any(|own| !own.is_null())
    }

    unsafe fn give<const D: usize>(&self, tangent: &Tangent<D>) {
        for (to, from) in [
            (self.mean_velocity, &tangent.mean_velocity),
            (self.velocity, &tangent.velocity),
        ] {
            if let Some(to) = unsafe { wanted(to, D * D) } {
                to.copy_from_slice(from.as_flattened());
            }
        }
        for (to, from) in [
            (self.mean_normal, &tangent.mean_normal_force),
            (self.normal, &tangent.normal_force),
        ] {
            if let Some(to) = unsafe { wanted(to, D) } {
                to.copy_from_slice(from);
            }
        }
    }
}

unsafe fn update_at<const D: usize>(
    law: &CLaw,
    given: &StepCall,
    out: &TangentOutput,
    in_mode: bool,
) -> Result<(), CallError> {
    let step = unsafe { given.step::<D>() }?;
    let mut room = ROOM;
    let old = unsafe { given.old(law, D, &mut room) }?;
    let force = unsafe { slice_mut(given.force, D, "force") }?;
    let new = unsafe { slice_mut(given.z_new, old.len(), "z_new") }?;
    let law = &law.law;
    if out.is_wanted() {
        let (f, tangent) = if in_mode {
            law.update_in_mode_with_tangent(&step, old, new)
        } else {
            law.update_with_tangent(&step, old, new)
        };
        force.copy_from_slice(&f);
        unsafe { out.give(&tangent) };
    } else if in_mode {
        force.copy_from_slice(&law.update_in_mode(&step, old, new));
    } else {
        force.copy_from_slice(&law.update(&step, old, new));
    }
    results(force, new)
}

/// Both updates take the same arguments.
macro_rules! updates {
    ($($name:ident: $in_mode:literal;)*) => {
        $(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                law: *const CLaw,
                dim: c_int,
                dt: f64,
                v_mean: *const f64,
                N_mean: f64,
                v_end: *const f64,
                N_end: f64,
                z_old: *const f64,
                z_new: *mut f64,
                force: *mut f64,
                dF_dvm: *mut f64,
                dF_dv: *mut f64,
                dF_dNm: *mut f64,
                dF_dN: *mut f64,
            ) -> c_int {
                call(|| unsafe {
                    let law = shared(law, "law")?;
                    let given = StepCall {
                        dt,
                        mean: PointInput::new(v_mean, N_mean),
                        end: PointInput::new(v_end, N_end),
                        z_old,
                        z_new,
                        force,
                    };
                    let out = TangentOutput {
                        mean_velocity: dF_dvm,
                        velocity: dF_dv,
                        mean_normal: dF_dNm,
                        normal: dF_dN,
                    };
                    in_dimension!(dimension(dim)?, update_at, law, &given, &out, $in_mode)
                })
            }
        )*
    };
}

updates! {
    bristle_update: false;
    bristle_update_in_mode: true;
}

thread_local! {
    /// Room for the derivatives of a step, kept from one call to the next.
    static HISTORY: RefCell<HistoryTangent> = RefCell::default();
}

unsafe fn jacobian_at<const D: usize>(
    law: &CLaw,
    given: &StepCall,
    jacobian: *mut f64,
) -> Result<(), CallError> {
    let step = unsafe { given.step::<D>() }?;
    let mut room = ROOM;
    let old = unsafe { given.old(law, D, &mut room) }?;
    let count = old.len();
    let (rows, columns) = (D + count, 2 * D + 2 + count);
    let force = unsafe { slice_mut(given.force, D, "force") }?;
    let new = unsafe { slice_mut(given.z_new, count, "z_new") }?;
    let out = unsafe { slice_mut(jacobian, rows * columns, "jacobian") }?;
    HISTORY.with(|tangent| {
        let mut tangent = tangent.borrow_mut();
        let f = law.history.update(&step, old, new, &mut tangent);
        force.copy_from_slice(&f);
        for (row, to) in out.chunks_exact_mut(columns).enumerate() {
            to.copy_from_slice(tangent.row(row));
        }
    });
    results(force, new)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_update_jacobian(
    law: *const CLaw,
    dim: c_int,
    dt: f64,
    v_mean: *const f64,
    N_mean: f64,
    v_end: *const f64,
    N_end: f64,
    z_old: *const f64,
    z_new: *mut f64,
    force: *mut f64,
    jacobian: *mut f64,
) -> c_int {
    call(|| unsafe {
        let law = shared(law, "law")?;
        let given = StepCall {
            dt,
            mean: PointInput::new(v_mean, N_mean),
            end: PointInput::new(v_end, N_end),
            z_old,
            z_new,
            force,
        };
        in_dimension!(dimension(dim)?, jacobian_at, law, &given, jacobian)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_stored_energy(
    law: *const CLaw,
    dim: c_int,
    normal_force: f64,
    z: *const f64,
    energy: *mut f64,
) -> c_int {
    unsafe fn stored<const D: usize>(
        law: &CLaw,
        normal_force: f64,
        z: *const f64,
    ) -> Result<f64, CallError> {
        let z = unsafe { states(law, D, z) }?;
        Ok(law.law.stored_energy::<D>(normal_force, z))
    }
    call(|| unsafe {
        load(normal_force)?;
        let law = shared(law, "law")?;
        let stored = in_dimension!(dimension(dim)?, stored, law, normal_force, z)?;
        *unique(energy, "energy")? = stored;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_margin(
    law: *const CLaw,
    dim: c_int,
    v: *const f64,
    normal_force: f64,
    z: *const f64,
    margin: *mut f64,
) -> c_int {
    unsafe fn at<const D: usize>(
        law: &CLaw,
        input: PointInput,
        z: *const f64,
    ) -> Result<f64, CallError> {
        let slip = unsafe { input.slip::<D>() }?;
        let z = unsafe { states(law, D, z) }?;
        Ok(law.law.mode_margin(&slip, z).min(1.0))
    }
    call(|| unsafe {
        let law = shared(law, "law")?;
        let input = PointInput::new(v, normal_force);
        *unique(margin, "margin")? = in_dimension!(dimension(dim)?, at, law, input, z)?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_switch(
    law: *const CLaw,
    dim: c_int,
    v: *const f64,
    normal_force: f64,
    z: *mut f64,
) -> c_int {
    unsafe fn change<const D: usize>(
        law: &CLaw,
        input: PointInput,
        z: *mut f64,
    ) -> Result<(), CallError> {
        let slip = unsafe { input.slip::<D>() }?;
        let z = unsafe { slice_mut(z, law.states(D), "z") }?;
        finite(z, "z")?;
        law.law.change_mode(&slip, z);
        Ok(())
    }
    call(|| unsafe {
        let law = shared(law, "law")?;
        in_dimension!(
            dimension(dim)?,
            change,
            law,
            PointInput::new(v, normal_force),
            z
        )
    })
}
