//! A friction law as an FMU: states for the solver of the importer.

mod evaluate;
mod machine;
mod refusal;
mod states;
mod variables;

pub use machine::LawMachine;
