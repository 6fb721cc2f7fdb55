//! Bristle as a C library: `libbristle` and `bristle.h`.
//!
//! The header says what the functions do. They are thin: what they compute is in the crates of the laws
//! and of the studies. Opaque handles are boxes; a status and a text of the calling thread say what
//! went wrong; a panic ends in a status and never reaches the host.

mod card;
#[cfg(feature = "points")]
mod derivatives;
mod ffi;
mod law;
mod status;

pub use ffi::*;
pub use law::CLaw;
pub use status::{CallError, CallStatus};
