//! Stribeck curves: the friction coefficient of steady sliding against speed.

mod exponential;

pub use exponential::Exponential;
