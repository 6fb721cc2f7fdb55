//! Loops and couplings that were read, for the sections that name them.

use bristle_mechanics::{BodyId, Coupling, CouplingId, Joint, LoopId};

/// A loop that was read.
#[derive(Clone, Debug)]
pub(super) struct DeclaredLoop {
    pub(super) name: String,
    pub(super) id: LoopId,
    pub(super) from: BodyId,
    pub(super) to: BodyId,
    pub(super) joint: Joint,
}

/// A coupling that was read.
#[derive(Clone, Debug)]
pub(super) struct DeclaredCoupling {
    pub(super) id: CouplingId,
    pub(super) coupling: Coupling,
}
