//! A virtual test bench: one friction law, moved as a test machine would move it.
//!
//! [`drive`] gives the friction force for a prescribed motion; [`characterise`] measures what a
//! law can and cannot do; [`diagnose`] says what it will do under the loads of a model.

pub mod characterise;
pub mod diagnose;
pub mod drive;

pub use drive::{DriveError, Driver, Sample, state_names};

/// The snippets of the guide to the laws are tests; here, so that `bristle-laws` can be packed alone.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/rust.md")]
mod guide {}
