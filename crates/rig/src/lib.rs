//! A virtual test bench: one friction law, moved as a test machine would move it.
//!
//! [`drive`] gives the friction force for a prescribed motion; [`characterise`] measures what a
//! law can and cannot do.

pub mod characterise;
pub mod drive;

pub use drive::{DriveError, Driver, Sample, state_names};
