//! A scenario as an FMU: its own integrator, from one communication point to the next.

mod machine;
mod variables;

pub use machine::{ScenarioMachine, StepEnd};
