//! Laws of your own: states with their rates, and the force, written as equations.
//!
//! ```text
//! dz/dt = v - sigma_0*|v|/g*z
//! F     = N*(sigma_0*z + sigma_1*dz/dt + sigma_2*v)
//! ```
//!
//! `v` is the slip velocity, a vector in the tangent plane, `N` the normal force, `g` the Stribeck
//! curve at |v|. Vectors are added, multiplied by numbers, and measured, so that a law has no
//! direction of its own and holds in one, two and three dimensions. Formulas are checked for numbers
//! and vectors, and for units, when they are read; every error has its place.
//!
//! The equations become a graph in which every value stands once (`graph`), and from it programs
//! over registers (`program`) that run on numbers and on dual numbers alike.

mod affine;
mod build;
mod code;
mod declaration;
mod dimension;
mod equations;
mod error;
mod functions;
mod graph;
mod implicit;
mod law;
mod level;
mod lines;
mod probe;
mod program;
mod sort;
mod source;

pub use dimension::OwnDimension;
pub use equations::OwnEquations;
pub use error::{EquationError, Place};
pub use law::OwnLaw;
pub use level::StribeckParameters;
pub use lines::is_name;
pub use source::{OwnParameter, OwnSource};
