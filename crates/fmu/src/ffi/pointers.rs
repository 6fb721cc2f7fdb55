//! Pointers of C as slices, texts and places.

use std::ffi::{CStr, c_char};

use crate::error::FmuError;

fn null(what: &str) -> FmuError {
    FmuError::wrong(format!("{what} is NULL"))
}

/// `count` values to read.
pub(super) unsafe fn slice<'a, T>(
    pointer: *const T,
    count: usize,
    what: &str,
) -> Result<&'a [T], FmuError> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(null(what));
    }
    // SAFETY: not NULL, and the caller of the C function vouches for the length.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// `count` values to write.
pub(super) unsafe fn slice_mut<'a, T>(
    pointer: *mut T,
    count: usize,
    what: &str,
) -> Result<&'a mut [T], FmuError> {
    if count == 0 {
        return Ok(&mut []);
    }
    if pointer.is_null() {
        return Err(null(what));
    }
    // SAFETY: not NULL, and the caller of the C function vouches for the length.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// A place for one result.
pub(super) unsafe fn place<'a, T>(pointer: *mut T, what: &str) -> Result<&'a mut T, FmuError> {
    // SAFETY: the caller of the C function vouches for what is not NULL.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(what))
}

/// A text; bytes that are no UTF-8 are replaced.
pub(super) unsafe fn text(pointer: *const c_char, what: &str) -> Result<String, FmuError> {
    if pointer.is_null() {
        return Err(null(what));
    }
    // SAFETY: not NULL, and texts of C end in 0.
    let text = unsafe { CStr::from_ptr(pointer) };
    Ok(text.to_string_lossy().into_owned())
}
