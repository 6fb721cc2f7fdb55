//! The C interfaces: the only module with unsafe code.
//!
//! Every function takes pointers as the standard says: NULL and wrong lengths are answered with a
//! status and a text in the log; a panic ends in the status *fatal* and never reaches the host.

#![allow(
    unsafe_code,
    clippy::missing_safety_doc,
    reason = "C functions take pointers; what each must point to is said by the standard"
)]

pub mod fmi2;
pub mod fmi3;
mod handle;
mod location;
mod pointers;
mod shared;

use std::ffi::{CStr, c_char};

/// What a library of this version holds, so that one of another version is recognised.
pub const LIBRARY_MARK: &str = concat!("bristle-fmu ", env!("CARGO_PKG_VERSION"));

/// [`LIBRARY_MARK`] for C.
#[unsafe(no_mangle)]
pub extern "C" fn bristle_fmu_version() -> *const c_char {
    const MARK: &str = concat!("bristle-fmu ", env!("CARGO_PKG_VERSION"), "\0");
    CStr::from_bytes_until_nul(MARK.as_bytes()).map_or(std::ptr::null(), CStr::as_ptr)
}
