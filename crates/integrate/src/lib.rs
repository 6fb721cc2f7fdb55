//! Time integration with error control: ESDIRK of fourth order, and generalised-α with Newmark and
//! HHT as its named special cases.
//!
//! The integrator knows a [`System`] of second-order equations on a Lie group with history,
//! `r(t, q, q̇, q̈; history) = 0`, and nothing of mechanics. One step is pure: it reads the
//! committed state and writes a trial; only an accepted trial replaces the committed state,
//! so a rejected step leaves no trace in any friction law. Where a mode changes and a force jumps
//! with it, the step ends at the change, which is located in time.

mod advice;
mod archive;
mod control;
mod driver;
mod equilibrium;
mod failure;
mod group;
mod halves;
mod integration;
mod method;
mod newton;
mod observer;
mod path;
mod plan;
mod projection;
mod reach;
mod renewal;
mod root;
mod rules;
mod run;
mod stages;
mod state;
mod step;
mod system;
mod tableau;

pub use archive::StateArchive;
pub use equilibrium::{Unbalanced, equilibrium, unbalanced};
pub use group::{DofGroup, FastModes};
pub use integration::{Course, Integration};
pub use method::{GeneralisedAlpha, Method};
pub use observer::{
    Flow, Forced, Observer, PathOrder, PathWork, Quadrature, Segment, StagePoint, Statistics,
};
pub use plan::{Control, Plan};
pub use rules::SlipRule;
pub use run::run;
pub use state::State;
pub use system::{Instant, Jam, Renew, RunError, SlipState, System, TangentRequest, Weights};
