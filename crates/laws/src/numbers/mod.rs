//! The numbers that laws compute with, and the functions of them.

pub(crate) mod functions;
pub mod lanes;
pub(crate) mod lu;
pub(crate) mod partials;
pub(crate) mod powers;
pub(crate) mod relaxation;
pub mod scalar;
pub(crate) mod seeded;
pub(crate) mod simd_pair;
pub(crate) mod smoothing;
