//! Friction laws, Stribeck curves and normal-force laws.
//!
//! A law is one file and one registration line. It is declared once, by a
//! [`card::LawCard`] and a parameter struct, and everything else follows from that
//! declaration: validation, the catalogue, the scenario schema, the documentation
//! page, the conformance suite.
//!
//! Every law has two views that a conformance suite holds against each other:
//! the *continuous* view `(v, N, z) → (F, ż)` ([`Law::rates`]) and the
//! *constitutive update* `(z_old, v, N, Δt) → (z_new, F)` with its consistent tangent
//! ([`Law::update`], [`FrictionLaw::update_with_tangent`]).
//!
//! Conventions, everywhere in this crate: SI units; `v` is the slip velocity of the
//! moving body relative to the other one, in the tangent plane; `F` is the force
//! *along* `v` that the moving body exerts (it feels `−F`); `N ≥ 0`.

pub mod card;
pub mod curve;
mod declaration;
mod dispatch;
pub mod friction;
pub mod kind;
pub mod law;
pub mod normal;
mod notice;
pub mod numbers;
pub mod own;
pub mod parameters;
pub mod pool;
mod two_sided;

pub use card::meaning::{HOLD_ANY_LOAD, REFERENCE};
pub use card::{LawCard, ParameterCard, Shortest, StateCard};
pub use declaration::Declaration;
pub use friction::Friction;
pub use law::branches::Branches;
pub use law::slip::{Slip, StageStep, Step};
pub use law::{
    FrictionLaw, HistoryLaw, HistoryTangent, Jacobian, Law, MAX_STATES, Sides, StateLayout,
    StictionLimit, Tangent, jacobian_by_dual, tangent_by_dual,
};
pub use normal::{Indentation, Normal, NormalLaw};
pub use notice::{Notice, NoticeValue, Topic};
pub use numbers::scalar::{MixesWith, Real, Scalar};
pub use parameters::{ParameterError, ParameterSet, Value, Values};
pub use two_sided::TwoSided;

/// The example of the page of the crate is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
