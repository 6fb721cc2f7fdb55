//! Laws written as equations, against the same laws of the catalogue and against themselves.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may panic"
)]

mod common;
mod errors;
mod forces;
mod views;
