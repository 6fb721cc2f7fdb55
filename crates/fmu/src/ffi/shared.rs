//! What both versions of the standard have alike, under other names.

#![allow(non_snake_case, reason = "names are those of the standard")]

use std::ffi::{c_int, c_void};

use super::handle::{FmuState, call, state};
use super::pointers::{place, slice, slice_mut};
use crate::error::{FmiStatus, FmuError};
use crate::instance::FmuInstance;

/// Makes a call that gives nothing back.
pub(super) unsafe fn done(
    c: *mut c_void,
    function: impl FnOnce(&mut FmuInstance) -> Result<(), FmuError>,
) -> c_int {
    unsafe {
        call(c, |handle| {
            function(&mut handle.instance).map(|()| FmiStatus::Ok)
        })
    }
}

/// Refuses another number of states or indicators than there are.
pub(super) fn counted(what: &str, given: usize, expected: usize) -> Result<(), FmuError> {
    if given == expected {
        return Ok(());
    }
    Err(FmuError::wrong(format!(
        "{given} {what} were given or asked for, the FMU has {expected}"
    )))
}

/// Refuses variables of a type that no FMU of Bristle has.
pub(super) fn none_of(kind: &str, count: usize) -> Result<(), FmuError> {
    if count == 0 {
        return Ok(());
    }
    Err(FmuError::wrong(format!(
        "the FMU has no variables of the type {kind}"
    )))
}

pub(super) unsafe fn serialise(
    saved: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> Result<(), FmuError> {
    let saved = unsafe { state(saved) }?;
    if size < saved.len() {
        return Err(FmuError::wrong(format!(
            "the state has {} bytes, there is room for {size}",
            saved.len()
        )));
    }
    let bytes = unsafe { slice_mut(bytes, saved.len(), "serializedState") }?;
    bytes.copy_from_slice(saved);
    Ok(())
}

pub(super) unsafe fn deserialise(
    bytes: *const u8,
    size: usize,
    at: *mut *mut c_void,
) -> Result<(), FmuError> {
    let bytes = unsafe { slice(bytes, size, "serializedState") }?.to_vec();
    let at = unsafe { place(at, "FMUstate") }?;
    *at = Box::into_raw(Box::new(FmuState(bytes))).cast();
    Ok(())
}

pub(super) fn no_output_derivatives(count: usize) -> Result<(), FmuError> {
    if count == 0 {
        return Ok(());
    }
    Err(FmuError::wrong(
        "the FMU gives no derivatives of outputs: maxOutputDerivativeOrder is 0",
    ))
}

/// A call without arguments.
macro_rules! plain_calls {
    ($($(#[$meta:meta])* $name:ident => $call:expr;)*) => {
        $(
            $(#[$meta])*
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(c: *mut c_void) -> c_int {
                unsafe { done(c, $call) }
            }
        )*
    };
}

/// The functions of saved states, times and continuous states, by the names of a version; `byte` is
/// its type of a byte.
macro_rules! state_functions {
    (
        byte: $byte:ty,
        save: $save:ident, restore: $restore:ident, free: $free:ident,
        size: $size:ident, serialise: $serialise:ident, deserialise: $deserialise:ident,
        time: $time:ident, set_states: $set_states:ident, indicators: $indicators:ident,
        of_states: { $($of_states:ident => $method:ident),* $(,)? } $(,)?
    ) => {
        /// Saves the state.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $save(c: *mut c_void, at: *mut *mut c_void) -> c_int {
            unsafe { call(c, |handle| handle.save_to(place(at, "FMUState")?)) }
        }

        /// Goes to a saved state.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $restore(c: *mut c_void, saved: *mut c_void) -> c_int {
            unsafe { done(c, |fmu| fmu.restore(state(saved)?)) }
        }

        /// Gives up a saved state.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $free(c: *mut c_void, at: *mut *mut c_void) -> c_int {
            unsafe {
                done(c, |_| {
                    if let Some(at) = at.as_mut() {
                        free_state(at);
                    }
                    Ok(())
                })
            }
        }

        /// Bytes of a saved state.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $size(
            c: *mut c_void,
            saved: *mut c_void,
            size: *mut usize,
        ) -> c_int {
            unsafe {
                done(c, |_| {
                    *place(size, "size")? = state(saved)?.len();
                    Ok(())
                })
            }
        }

        /// A saved state as bytes.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $serialise(
            c: *mut c_void,
            saved: *mut c_void,
            bytes: *mut $byte,
            size: usize,
        ) -> c_int {
            unsafe { done(c, |_| serialise(saved, bytes.cast(), size)) }
        }

        /// A saved state from bytes.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $deserialise(
            c: *mut c_void,
            bytes: *const $byte,
            size: usize,
            at: *mut *mut c_void,
        ) -> c_int {
            unsafe { done(c, |_| deserialise(bytes.cast(), size, at)) }
        }

        /// Sets the time.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $time(c: *mut c_void, time: f64) -> c_int {
            unsafe { done(c, |fmu| fmu.set_time(time)) }
        }

        /// Sets the states.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $set_states(
            c: *mut c_void,
            values: *const f64,
            count: usize,
        ) -> c_int {
            unsafe {
                done(c, |fmu| {
                    counted("states", count, fmu.sizes().0)?;
                    fmu.set_states(slice(values, count, "states")?)
                })
            }
        }

        /// The event indicators.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $indicators(
            c: *mut c_void,
            out: *mut f64,
            count: usize,
        ) -> c_int {
            unsafe {
                done(c, |fmu| {
                    counted("event indicators", count, fmu.sizes().1)?;
                    fmu.event_indicators(slice_mut(out, count, "eventIndicators")?)
                })
            }
        }

        $(
            #[doc = concat!("The ", stringify!($method), " of the continuous states.")]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $of_states(
                c: *mut c_void,
                out: *mut f64,
                count: usize,
            ) -> c_int {
                unsafe {
                    done(c, |fmu| {
                        counted("states", count, fmu.sizes().0)?;
                        fmu.$method(slice_mut(out, count, "states")?)
                    })
                }
            }
        )*
    };
}

/// All variables are of the type Float64; these functions have none to read or set.
macro_rules! no_variables {
    ($($name:ident($kind:literal $(, $argument:ident: $T:ty)*);)*) => {
        $(
            #[doc = concat!("There are no variables of the type ", $kind, ".")]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                c: *mut c_void,
                _references: *const u32,
                count: usize,
                $($argument: $T,)*
            ) -> c_int {
                unsafe { done(c, |_| none_of($kind, count)) }
            }
        )*
    };
}

pub(super) use {no_variables, plain_calls, state_functions};
