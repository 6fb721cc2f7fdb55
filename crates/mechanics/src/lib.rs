//! Bodies, joints, force elements and contacts in minimal coordinates.
//!
//! A [`Model`] is a tree of bodies, each joined to its parent, with force elements between
//! frames of bodies. It is immutable; coordinates and history are arguments. It implements
//! [`bristle_integrate::System`], so that the integrators see a residual `r(t, q, q̇, q̈)` and
//! its tangent and nothing else. Friction states are condensed at the contact: the linear
//! system has the size of the degrees of freedom, whatever the number of contact points.
//!
//! Frames in monogram notation: `p`, `R` of a body in the world; velocities, forces and
//! moments in world axes, moments about the body's origin.

mod admissible;
mod ball_elements;
mod beam_run;
mod body;
mod channel;
mod configuration_tangent;
mod constraint;
pub mod continuous;
mod coupling;
mod driven_apart;
mod dynamics;
pub mod element;
mod fast_modes;
mod frame;
mod friction_pair;
mod impulse;
mod jam;
mod joint;
mod kinematics;
mod matrix;
mod model;
mod model_builder;
mod model_error;
mod model_input;
pub mod modes;
mod natural_sizes;
pub mod record;
mod scratch;
mod separation;
mod signals;
mod slip_error;
pub mod small_motion;
mod system;
mod tangent;

pub use beam_run::{Beam, BeamSupport};
pub use body::{Body, BodyId, GivenStart, Inertia, Joint, Prescribed};
pub use channel::ChannelInfo;
pub use constraint::{
    AssemblyError, AssemblyReport, Coupling, CouplingId, CouplingSlip, CouplingTerm, JointOwner,
    LoopEnd, LoopId, LoopJoint, MovedCoordinate, Redundancy,
};
pub use frame::{Frame, Vec3};
pub use friction_pair::{
    FrictionPair, HistoryEnd, PairForce, PairHistory, PairMotion, PairStep, StateChannel,
    StepFraction,
};
pub use joint::tangents;
pub use model::Model;
pub use model_builder::ModelBuilder;
pub use model_error::ModelError;
pub use model_input::ModelInput;
pub use natural_sizes::NaturalSizes;
pub use scratch::Scratch;
pub use signals::DrivenCoordinate;
