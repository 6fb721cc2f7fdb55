//! `modelDescription.xml` of an FMU.

mod facts;
mod fmi2;
mod fmi3;
mod units;
mod xml;

use crate::contents::FmuContents;
use crate::machine::FmuMachine;

use facts::ModelFacts;

/// A version of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmiVersion {
    /// FMI 2.0.
    Two,
    /// FMI 3.0.
    Three,
}

/// The description of an FMU for a version of FMI; `identifier` is the name of its library.
pub fn describe(
    contents: &FmuContents,
    machine: &FmuMachine,
    identifier: &str,
    version: FmiVersion,
) -> String {
    let facts = ModelFacts::of(contents, machine, identifier);
    match version {
        FmiVersion::Two => fmi2::description(&facts),
        FmiVersion::Three => fmi3::description(&facts),
    }
}
