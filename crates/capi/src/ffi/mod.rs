//! The C interface: the only module with unsafe code. `bristle.h` says what every function does.

#![allow(
    unsafe_code,
    missing_docs,
    clippy::missing_safety_doc,
    clippy::too_many_arguments,
    clippy::similar_names,
    non_snake_case,
    reason = "names and arguments are those of bristle.h, which documents them"
)]

mod batch;
mod call;
mod law;
mod points;
mod scenario;
mod session;

pub use batch::*;
pub use call::{bristle_abi_version, bristle_last_error, bristle_version};
pub use law::*;
pub use points::*;
pub use scenario::*;
pub use session::*;
