//! The C interface: the only module with unsafe code. `bristle.h` says what every function does.

#![allow(
    unsafe_code,
    missing_docs,
    clippy::missing_safety_doc,
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::similar_names,
    non_snake_case,
    reason = "names and arguments are those of bristle.h, which documents them; checks beside the law cost as \
              much as the law where they are calls"
)]

#[cfg(feature = "points")]
mod batch;
mod bench;
mod call;
mod law;
#[cfg(feature = "points")]
mod points;
#[cfg(feature = "scenarios")]
mod scenario;
#[cfg(feature = "scenarios")]
mod session;

#[cfg(feature = "points")]
pub use batch::*;
pub use bench::*;
pub use call::{bristle_abi_version, bristle_last_error, bristle_version};
pub use law::*;
#[cfg(feature = "points")]
pub use points::*;
#[cfg(feature = "scenarios")]
pub use scenario::*;
#[cfg(feature = "scenarios")]
pub use session::*;
