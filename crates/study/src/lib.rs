//! Studies over scenarios: a single run, a sweep over parameters, laws side by side.
//!
//! Nothing here prints. [`engine`] simulates one scenario and sums it up; everything else calls it
//! many times. [`Session`] takes a scenario step by step, with loads from outside.

mod accuracy;
mod adapt;
mod candidate;
pub mod compare;
pub mod engine;
mod execution;
pub mod expect;
mod law_place;
mod loads;
mod outcome_summary;
pub mod replay;
mod row_book;
mod run_observer;
mod session;
pub mod sweep;

pub use engine::{RunObserver, advice, channels_of, execute};
pub use session::{Held, Session, SessionError, SessionInput};
