//! What a friction law is: its formulas ([`Law`]), and what a machine asks of it ([`FrictionLaw`]).

pub(crate) mod branches;
mod derivatives;
mod formulas;
mod friction_law;
mod history_tangent;
mod sides;
pub mod slip;
mod staged;
mod states;

pub use derivatives::{Jacobian, Tangent, jacobian_by_dual, tangent_by_dual};
pub use formulas::Law;
pub use friction_law::{FrictionLaw, LawVisitor};
pub use history_tangent::{HistoryLaw, HistoryTangent};
pub use sides::Sides;
pub use states::{MAX_STATES, StateLayout, StictionLimit};
