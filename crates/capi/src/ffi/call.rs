//! What all functions share: statuses, pointers, texts.

use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::law::CLaw;
use crate::status::{self, CallError, CallStatus};

/// Changes when a function changes.
const ABI: c_int = 1;

#[unsafe(no_mangle)]
pub extern "C" fn bristle_abi_version() -> c_int {
    ABI
}

#[unsafe(no_mangle)]
pub extern "C" fn bristle_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    CStr::from_bytes_until_nul(VERSION.as_bytes()).map_or(c"".as_ptr(), CStr::as_ptr)
}

#[unsafe(no_mangle)]
pub extern "C" fn bristle_last_error() -> *const c_char {
    status::last()
}

/// Makes a call; keeps the reason if it fails.
pub(super) fn call(function: impl FnOnce() -> Result<(), CallError>) -> c_int {
    let outcome = catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|_| {
        let text = "internal error: please report it";
        Err(CallError::new(CallStatus::Internal, text))
    });
    match outcome {
        Ok(()) => 0,
        Err(error) => status::keep(&error),
    }
}

#[cold]
fn null(what: &str) -> CallError {
    CallError::argument(format!("{what} is NULL"))
}

/// What a pointer points to.
pub(super) unsafe fn shared<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, CallError> {
    // SAFETY: the caller vouches for what is not NULL.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(what))
}

/// A place that is written, or a handle that changes.
pub(super) unsafe fn unique<'a, T>(pointer: *mut T, what: &str) -> Result<&'a mut T, CallError> {
    // SAFETY: the caller vouches for what is not NULL.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(what))
}

/// No memory holds more bytes than a pointer can go.
fn fits<T>(count: usize, what: &str) -> Result<(), CallError> {
    let bytes = count.checked_mul(size_of::<T>());
    if bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok()) {
        return Ok(());
    }
    Err(CallError::argument(format!(
        "{what}: no memory has {count} of them"
    )))
}

/// `count` values to read.
#[inline(always)]
pub(super) unsafe fn slice<'a, T>(
    pointer: *const T,
    count: usize,
    what: &str,
) -> Result<&'a [T], CallError> {
    match (count, pointer.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(null(what)),
        _ => {
            fits::<T>(count, what)?;
            // SAFETY: not NULL, no longer than memory, and the caller vouches for the length.
            Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
        }
    }
}

/// `count` values to write.
#[inline(always)]
pub(super) unsafe fn slice_mut<'a, T>(
    pointer: *mut T,
    count: usize,
    what: &str,
) -> Result<&'a mut [T], CallError> {
    match (count, pointer.is_null()) {
        (0, _) => Ok(&mut []),
        (_, true) => Err(null(what)),
        _ => {
            fits::<T>(count, what)?;
            // SAFETY: not NULL, no longer than memory, and the caller vouches for the length.
            Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
        }
    }
}

/// `count` values to write, unless they are not wanted.
#[cfg(feature = "points")]
pub(super) unsafe fn wanted<'a>(pointer: *mut f64, count: usize) -> Option<&'a mut [f64]> {
    // SAFETY: not NULL, and the caller vouches for the length.
    (!pointer.is_null()).then(|| unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// A text of C.
pub(super) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, CallError> {
    if pointer.is_null() {
        return Err(null(what));
    }
    // SAFETY: not NULL, and texts of C end in 0.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str()
        .map_err(|_| CallError::argument(format!("{what} is no UTF-8 text")))
}

/// Text of a length.
pub(super) unsafe fn text_of<'a>(
    pointer: *const c_char,
    length: usize,
    what: &str,
) -> Result<&'a str, CallError> {
    let bytes = unsafe { slice(pointer.cast::<u8>(), length, what) }?;
    std::str::from_utf8(bytes).map_err(|_| CallError::argument(format!("{what} is no UTF-8 text")))
}

/// Writes bytes into a buffer of the caller, and how many there are.
pub(super) unsafe fn give_bytes(
    bytes: &[u8],
    buffer: *mut u8,
    capacity: usize,
    needed: *mut usize,
) -> Result<(), CallError> {
    // SAFETY: the caller vouches for what is not NULL.
    if let Some(needed) = unsafe { needed.as_mut() } {
        *needed = bytes.len();
        if capacity == 0 {
            return Ok(());
        }
    }
    if capacity < bytes.len() {
        let needed = bytes.len();
        let text = format!("the buffer has {capacity} bytes, {needed} are needed");
        return Err(CallError::new(CallStatus::Room, text));
    }
    let to = unsafe { slice_mut(buffer, bytes.len(), "buffer") }?;
    to.copy_from_slice(bytes);
    Ok(())
}

/// Writes a text with a 0 at its end.
pub(super) unsafe fn give_text(
    text: &str,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Result<(), CallError> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    unsafe { give_bytes(&bytes, buffer.cast(), capacity, needed) }
}

/// `D` values to read.
#[cfg(feature = "points")]
#[inline(always)]
pub(super) unsafe fn array<'a, const D: usize>(
    pointer: *const f64,
    what: &str,
) -> Result<&'a [f64; D], CallError> {
    // SAFETY: the caller vouches for what is not NULL.
    unsafe { pointer.cast::<[f64; D]>().as_ref() }.ok_or_else(|| null(what))
}

/// Refuses numbers that are not finite.
#[inline(always)]
pub(super) fn finite(values: &[f64], what: &str) -> Result<(), CallError> {
    if are_finite(values) {
        return Ok(());
    }
    Err(not_finite(values, what))
}

/// Whether all numbers are finite; with one branch for all of them: the bits of sizes are in their order.
#[inline(always)]
pub(super) fn are_finite(values: &[f64]) -> bool {
    let sizes = values.iter().map(|x| x.abs().to_bits());
    sizes.fold(0, u64::max) < f64::INFINITY.to_bits()
}

#[cold]
fn not_finite(values: &[f64], what: &str) -> CallError {
    let bad = values.iter().find(|value| !value.is_finite());
    let bad = bad.copied().unwrap_or(f64::NAN);
    let text = format!("{what} = {bad}: expected a finite number");
    CallError::new(CallStatus::NotFinite, text)
}

/// Refuses a normal force that is not finite or below 0.
#[inline(always)]
pub(super) fn load(normal_force: f64) -> Result<(), CallError> {
    if is_load(normal_force) || normal_force == 0.0 {
        return Ok(());
    }
    Err(no_load(normal_force))
}

/// Whether a normal force is finite and 0 or more, with −0 left out: the bits of such numbers are in
/// their order, which is one comparison.
#[inline(always)]
pub(super) fn is_load(normal_force: f64) -> bool {
    normal_force.to_bits() < f64::INFINITY.to_bits()
}

#[cold]
fn no_load(normal_force: f64) -> CallError {
    if !normal_force.is_finite() {
        return not_finite(&[normal_force], "the normal force");
    }
    CallError::argument(format!(
        "the normal force = {normal_force} N: expected [0, ∞) N"
    ))
}

/// Refuses a step that is not finite or not above 0.
#[inline(always)]
pub(super) fn duration(dt: f64) -> Result<(), CallError> {
    if is_duration(dt) {
        return Ok(());
    }
    Err(no_duration(dt))
}

/// Whether a step is finite and above 0; as [`is_load`], and 0 becomes the largest.
#[inline(always)]
pub(super) fn is_duration(dt: f64) -> bool {
    dt.to_bits().wrapping_sub(1) < f64::INFINITY.to_bits() - 1
}

#[cold]
fn no_duration(dt: f64) -> CallError {
    if !dt.is_finite() {
        return not_finite(&[dt], "dt");
    }
    CallError::argument(format!("dt = {dt} s: expected (0, ∞) s"))
}

/// The dimension, 1 to 3, or 1 alone for a law with numbers of its own for negative velocities.
pub(super) fn dimension(law: &CLaw, dim: c_int) -> Result<usize, CallError> {
    match dim {
        1 => Ok(1),
        2 if !law.law.is_two_sided() => Ok(2),
        3 if !law.law.is_two_sided() => Ok(3),
        _ => Err(no_dimension(law, dim)),
    }
}

#[cold]
fn no_dimension(law: &CLaw, dim: c_int) -> CallError {
    CallError::argument(if law.law.is_two_sided() {
        let law = law.law.card().name;
        format!("dim = {dim}: {law} with numbers for negative velocities has 1 dimension of slip")
    } else {
        format!("dim = {dim}: expected 1, 2 or 3")
    })
}

/// Calls a function with the dimension as a constant.
macro_rules! in_dimension {
    ($dim:expr, $function:ident, $($argument:expr),*) => {
        match $dim {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            _ => $function::<3>($($argument),*),
        }
    };
}
pub(super) use in_dimension;
