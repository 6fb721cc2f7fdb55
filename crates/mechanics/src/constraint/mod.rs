//! Constraints: joints that close loops, and couplings between joint coordinates.
//!
//! The tree has minimal coordinates; what closes a loop in it is a constraint Φ(q, t) = 0 with
//! multipliers λ. They are unknowns of every step beside the accelerations,
//!
//! $$ \mathbf r(t,\mathbf q,\dot{\mathbf q},\ddot{\mathbf q})-\mathbf G^\mathsf T\boldsymbol\lambda=\mathbf 0,
//!    \qquad \ddot{\boldsymbol\Phi}(t,\mathbf q,\dot{\mathbf q},\ddot{\mathbf q})=\mathbf 0,
//!    \qquad \mathbf G=\partial\boldsymbol\Phi/\partial\mathbf q $$
//!
//! so that reactions have the order of the method, also without its numerical damping. After every
//! accepted step positions and velocities are projected on Φ = 0 and Φ̇ = 0.
//!
//! In the vectors of a state the multipliers stand behind the degrees of freedom: λ in the place of
//! an acceleration.

mod assembly;
mod channels;
mod constraints;
mod coordinates;
mod coupling;
mod coupling_elements;
mod element_rows;
mod forces;
mod independent;
mod level;
mod loop_elements;
mod loop_joint;
mod rows;
mod settle;

pub use assembly::{AssemblyError, AssemblyReport, MovedCoordinate, Redundancy};
pub use coupling::{Coupling, CouplingId, CouplingSlip, CouplingTerm};
pub use loop_joint::{JointOwner, LoopEnd, LoopId, LoopJoint};

pub(crate) use constraints::Constraints;
pub(crate) use level::ConstraintLevel;
pub(crate) use rows::RowOwner;
