//! The search for the optimum: from records to the numbers of the optimiser.

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

pub(crate) use descent::{SearchOptimum, descend};
pub(crate) use objective::Objective;
pub(crate) use search::{mask_start, search};
