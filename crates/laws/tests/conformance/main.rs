//! Is it a lawful law? Every registered law is held against the invariants of friction.
//!
//! Nothing here names a law, save where a published number is at stake: a law that is
//! registered is tested.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what fails by panicking"
)]

mod cards;
mod catalogue;
mod derivatives;
mod extremes;
mod motion;
mod over;
mod parameters;
mod passivity;
mod sliding;
mod symmetry;
mod views;
