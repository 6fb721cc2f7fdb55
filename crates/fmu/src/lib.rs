//! Friction laws and scenarios as Functional Mock-up Units (FMI 2.0 and 3.0).
//!
//! One shared library serves every FMU: it reads what it computes from the folder `resources` of the
//! FMU ([`FmuContents`]), so that making an FMU needs no compiler. A law is for *model exchange*: its
//! states, scaled to 1, are integrated by the solver of the importer ([`LawMachine`]). A scenario is
//! for *co-simulation* with the integrator of Bristle ([`ScenarioMachine`]). [`FmuInstance`] is what
//! both versions of FMI ask, without pointers; the functions of their C interfaces are in one module.
//! [`fmu_file`] packs an FMU with its description.

mod contents;
mod describe;
mod diagnosed;
mod error;
mod exchange;
mod ffi;
mod instance;
mod law;
mod machine;
mod package;
mod phase;
mod scenario;
mod variable;

pub use contents::{CHOICES, FmuChoices, FmuContents, FmuKind, FmuName, FmuRequest};
pub use describe::{FmiVersion, describe};
pub use error::{FmiStatus, FmuError};
pub use ffi::{LIBRARY_MARK, bristle_fmu_version, fmi2, fmi3};
pub use instance::FmuInstance;
pub use law::LawMachine;
pub use machine::FmuMachine;
pub use package::{FmuBinary, FmuPlatform, PLATFORMS, fmu_file};
pub use phase::FmuPhase;
pub use scenario::{ScenarioMachine, StepEnd};
pub use variable::{Causality, FmuVariable, Variability, VariableRole};
