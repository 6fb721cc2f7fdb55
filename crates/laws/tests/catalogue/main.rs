//! The catalogue against closed forms and published numbers, law by law.

#![allow(clippy::expect_used, reason = "a test says what fails by panicking")]

mod codes;
mod features;
mod gear;
mod normal;
mod path;
mod rig;
mod steps;
