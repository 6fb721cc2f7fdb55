//! Studies over scenarios: a single run, a sweep over parameters, laws side by side.
//!
//! Nothing here prints. [`engine`] simulates one scenario and sums it up; everything else calls it
//! many times.

mod accuracy;
mod adapt;
mod candidate;
pub mod compare;
pub mod engine;
pub mod expect;
mod law_place;
mod loads;
pub mod replay;
pub mod sweep;

pub use engine::{RunObserver, advice, channels_of, execute};
