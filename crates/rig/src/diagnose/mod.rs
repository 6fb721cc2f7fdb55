//! What a model will do, before it runs: creep and drift of its friction under its loads, and
//! resonances that a sweep passes too fast.
//!
//! The loads are those at the positions of the start. They are known where one contact, or the
//! friction of its joint, alone holds a body that no other moving body touches; nothing is said
//! about anything else.

mod creep;
mod drift;
mod load;
mod sweep_rate;

pub use creep::{Creep, creep};
pub use drift::{Drift, drift};
pub use load::{ContactLoad, LoadHistory, joint_loads, loads};
pub use sweep_rate::{FastSweep, fast_sweeps};
