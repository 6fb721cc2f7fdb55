//! Parts of a fit that know nothing of each other: each is computed here, or wherever an executor has
//! it computed, and all are put together by the same code.

mod bytes;
mod desk;
mod task;

pub(crate) use desk::PartDesk;
pub(crate) use task::{FitPart, FitTask, NoiseDraw, PartOutcome};
