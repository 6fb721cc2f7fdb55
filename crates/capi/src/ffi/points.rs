//! A law at a point. Nothing here allocates unless it fails.

use std::cell::RefCell;
use std::ffi::c_int;
use std::mem::MaybeUninit;

use bristle_laws::friction::LawVisitor;
use bristle_laws::{FrictionLaw, HistoryTangent, MAX_STATES, Slip, Step, Tangent};

use super::call::{
    are_finite, array, call, dimension, duration, finite, in_dimension, is_duration, is_load, load,
    shared, slice, slice_mut, unique, wanted,
};
use crate::derivatives::{RateDerivatives, fill};
use crate::law::CLaw;
use crate::status::CallError;

/// Conditions at a point.
#[derive(Clone, Copy)]
struct PointInput {
    v: *const f64,
    normal_force: f64,
}

impl PointInput {
    #[inline(always)]
    unsafe fn slip<const D: usize>(&self) -> Result<Slip<f64, D>, CallError> {
        let v = unsafe { array::<D>(self.v, "v") }?;
        finite(v, "v")?;
        load(self.normal_force)?;
        Ok(Slip::new(*v, self.normal_force))
    }
}

/// The states of a law to be read.
#[inline(always)]
unsafe fn states<'a>(count: usize, z: *const f64) -> Result<&'a [f64], CallError> {
    let z = unsafe { slice(z, count, "z") }?;
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
            dimension(law, dim)?,
            start,
            law,
            PointInput { v, normal_force },
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
    applied: *const f64,
    z: *const f64,
    mut out: RateOutput<'_>,
) -> Result<(), CallError> {
    let mut slip = unsafe { input.slip::<D>() }?;
    if !applied.is_null() {
        slip.applied = *unsafe { array::<D>(applied, "applied") }?;
        finite(&slip.applied, "the applied force")?;
    }
    let z = unsafe { states(law.states(D), z) }?;
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
        let d = dimension(law, dim)?;
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
        let input = PointInput { v, normal_force };
        in_dimension!(d, rates_at, law, input, std::ptr::null(), z, out)
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
        let input = PointInput { v, normal_force };
        let out = RateOutput {
            force,
            zdot,
            derivatives: RateDerivatives::default(),
        };
        in_dimension!(dimension(law, dim)?, rates_at, law, input, applied, z, out)
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
    /// Whether no pointer is NULL that is needed with `count` states.
    #[inline(always)]
    fn has_all(&self, count: usize) -> bool {
        let has_states = count == 0 || !(self.z_old.is_null() || self.z_new.is_null());
        has_states && !(self.mean.v.is_null() || self.end.v.is_null() || self.force.is_null())
    }

    #[inline(always)]
    unsafe fn step<const D: usize>(&self) -> Result<Step<f64, D>, CallError> {
        duration(self.dt)?;
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
        count: usize,
        room: &'a mut StateRoom,
    ) -> Result<&'a [f64], CallError> {
        let z = unsafe { states(count, self.z_old) }?;
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

/// `D` numbers, each with a load of its own. They were stored one by one just before: a program's
/// velocities, the arguments of the call. A load of two at once would have to wait until both are in
/// the cache.
#[inline(always)]
unsafe fn one_by_one<const D: usize>(from: *const f64) -> [f64; D] {
    // SAFETY: the caller vouches for so many.
    std::array::from_fn(|i| unsafe { from.add(i).read_volatile() })
}

/// The states of a law that has none may be NULL, which no slice may be.
#[inline(always)]
fn or_dangling(states: *const f64, count: usize) -> *const f64 {
    if count == 0 {
        std::ptr::dangling()
    } else {
        states
    }
}

/// An update without its tangent, of arguments that are in order; else `None`, and nothing is done.
///
/// With the law's own type its numbers stay in registers from the checks to the results, and the
/// number of states is known to the compiler.
struct PlainUpdate<'a, const D: usize>(&'a StepCall);

impl<const D: usize> LawVisitor for PlainUpdate<'_, D> {
    type Output = Option<Result<(), CallError>>;

    // one function for each law: in a common one the compiler shares code between laws, and no
    // longer knows how many states there are
    #[inline(never)]
    fn visit<L: FrictionLaw>(self, law: &L) -> Self::Output {
        let Self(given) = self;
        let count = law.layout().len(D);
        if !given.has_all(count) || count > MAX_STATES {
            return None;
        }
        // SAFETY: no pointer is NULL, and the caller vouches for the lengths.
        let (mean, end, [mean_load], [end_load], [dt]) = unsafe {
            (
                one_by_one(given.mean.v),
                one_by_one(given.end.v),
                one_by_one(&raw const given.mean.normal_force),
                one_by_one(&raw const given.end.normal_force),
                one_by_one(&raw const given.dt),
            )
        };
        let mut room = ROOM;
        // SAFETY: as above.
        let z = unsafe { std::slice::from_raw_parts(or_dangling(given.z_old, count), count) };
        for (to, from) in room.iter_mut().zip(z) {
            to.write(*from);
        }
        // SAFETY: so many entries were written just now.
        let old = unsafe { std::slice::from_raw_parts(room.as_ptr().cast(), count) };
        let is_in_order = is_duration(dt)
            & is_load(mean_load)
            & is_load(end_load)
            & are_finite(&mean)
            & are_finite(&end)
            & are_finite(old);
        if !is_in_order {
            return None;
        }
        // SAFETY: as above; nothing else refers to what is written, the old states are a copy.
        let (new, force) = unsafe {
            (
                std::slice::from_raw_parts_mut(or_dangling(given.z_new, count).cast_mut(), count),
                &mut *given.force.cast::<[f64; D]>(),
            )
        };
        let step = Step {
            mean: Slip::new(mean, mean_load),
            end: Slip::new(end, end_load),
            duration: dt,
        };
        *force = law.update(&step, old, new);
        Some(results(force, new))
    }
}

/// Without its tangent, if all is in order.
#[inline(always)]
fn plain_update_at<const D: usize>(law: &CLaw, given: &StepCall) -> Option<Result<(), CallError>> {
    law.law.visit(PlainUpdate::<D>(given))
}

/// Of any arguments.
#[inline(never)]
unsafe fn update_at<const D: usize>(
    law: &CLaw,
    given: &StepCall,
    out: Option<&TangentOutput>,
    in_mode: bool,
) -> Result<(), CallError> {
    let step = unsafe { given.step::<D>() }?;
    let mut room = ROOM;
    let old = unsafe { given.old(law.states(D), &mut room) }?;
    let force = unsafe { slice_mut(given.force, D, "force") }?;
    let new = unsafe { slice_mut(given.z_new, old.len(), "z_new") }?;
    let law = &law.law;
    if let Some(out) = out {
        let (f, tangent) = if in_mode {
            law.update_in_mode_with_tangent(&step, old, new)
        } else {
            law.update_with_tangent(&step, old, new)
        };
        force.copy_from_slice(&f);
        unsafe { out.give(&tangent) };
    } else {
        force.copy_from_slice(&law.update_in_mode(&step, old, new));
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
                        mean: PointInput { v: v_mean, normal_force: N_mean },
                        end: PointInput { v: v_end, normal_force: N_end },
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
                    let is_wanted =
                        !(dF_dvm.is_null() && dF_dv.is_null() && dF_dNm.is_null() && dF_dN.is_null());
                    let d = dimension(law, dim)?;
                    if !$in_mode && !is_wanted {
                        let done = in_dimension!(d, plain_update_at, law, &given);
                        if let Some(done) = done {
                            return done;
                        }
                    }
                    let out = is_wanted.then_some(&out);
                    in_dimension!(d, update_at, law, &given, out, $in_mode)
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
    let old = unsafe { given.old(law.states(D), &mut room) }?;
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
            mean: PointInput {
                v: v_mean,
                normal_force: N_mean,
            },
            end: PointInput {
                v: v_end,
                normal_force: N_end,
            },
            z_old,
            z_new,
            force,
        };
        in_dimension!(dimension(law, dim)?, jacobian_at, law, &given, jacobian)
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
        let z = unsafe { states(law.states(D), z) }?;
        Ok(law.law.stored_energy::<D>(normal_force, z))
    }
    call(|| unsafe {
        load(normal_force)?;
        let law = shared(law, "law")?;
        let stored = in_dimension!(dimension(law, dim)?, stored, law, normal_force, z)?;
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
        let z = unsafe { states(law.states(D), z) }?;
        Ok(law.law.mode_margin(&slip, z).min(1.0))
    }
    call(|| unsafe {
        let law = shared(law, "law")?;
        let input = PointInput { v, normal_force };
        *unique(margin, "margin")? = in_dimension!(dimension(law, dim)?, at, law, input, z)?;
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
            dimension(law, dim)?,
            change,
            law,
            PointInput { v, normal_force },
            z
        )
    })
}
