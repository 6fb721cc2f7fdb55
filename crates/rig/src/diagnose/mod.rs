//! What a friction law will do under the loads of a model, before it runs: creep and drift.
//!
//! The loads are those at the positions of the start. They are known where one body alone moves
//! and one contact alone holds it; nothing is said about anything else.

mod creep;
mod drift;
mod load;

pub use creep::{Creep, creep};
pub use drift::{Drift, drift};
pub use load::{Load, loads};
