//! The search for the optimum: from records to the numbers of the optimiser.

mod bench;
mod descent;
mod exact;
pub(crate) mod flat;
mod free;
mod global;
mod many_starts;
mod objective;
mod screen;
mod search;
mod start;

pub(crate) use bench::{FitBench, thinned};
pub(crate) use descent::{SearchOptimum, descend};
pub(crate) use free::without_motor;
pub(crate) use objective::Objective;
pub(crate) use search::{mask, search, transients};
