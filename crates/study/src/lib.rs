//! Studies over scenarios: a single run, a sweep over parameters, laws side by side.
//!
//! Nothing here prints. [`engine`] simulates one scenario and sums it up; everything else calls it
//! many times. [`Session`] takes a scenario step by step, with loads from outside;
//! [`FreeRun`] without them, with the bits of one run.

mod accuracy;
mod adapt;
mod candidate;
pub mod compare;
mod differences;
pub mod engine;
mod execution;
pub mod expect;
mod free_run;
pub mod gradient;
mod law_place;
mod loads;
mod numbers;
mod outcome_summary;
pub mod replay;
mod row_book;
mod run_observer;
mod saved_state;
mod schedule;
mod session;
mod session_error;
mod stribeck_peak;
pub mod sweep;
pub mod verify;

pub use engine::{RunObserver, advice, channels_of, execute};
pub use free_run::FreeRun;
pub use session::{Held, Session, SessionInput};
pub use session_error::SessionError;
