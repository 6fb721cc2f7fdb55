//! What a friction law will do under the loads of a model, before it runs: creep and drift.
//!
//! The loads are those at the positions of the start. They are known where one contact, or the
//! friction of its joint, alone holds a body that no other moving body touches; nothing is said
//! about anything else.

mod creep;
mod drift;
mod load;

pub use creep::{Creep, creep};
pub use drift::{Drift, drift};
pub use load::{ContactLoad, LoadHistory, joint_loads, loads};
