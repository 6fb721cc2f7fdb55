//! Stribeck curves: the friction coefficient of steady sliding against speed.

mod exponential;
mod step5;

pub use exponential::Exponential;
pub use step5::{odd_step5_over_argument, step5};
