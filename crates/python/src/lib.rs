//! `bristle._core`: what the Python package asks of the Rust crates.
//!
//! One file per theme. A file holds the classes and functions of its theme and adds them to the
//! module in its `register`. Nothing here computes: arguments are read and checked, the interpreter
//! is let go (`Python::detach`), a function of another crate does the work. The package in
//! `python/bristle` is what users see; it has the types, the texts and the defaults.

#![allow(
    clippy::needless_pass_by_value,
    reason = "arguments from Python come by value"
)]

mod arrays;
mod batch;
mod bench;
mod catalogue;
mod columns;
mod command;
mod fit;
mod laws;
mod raise;
mod record;
mod refusal;
mod run;
mod scenario;
mod session;
mod sweep;
mod watch;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    command::register(module)?;
    laws::register(module)?;
    catalogue::register(module)?;
    arrays::register(module)?;
    bench::register(module)?;
    scenario::register(module)?;
    run::register(module)?;
    session::register(module)?;
    record::register(module)?;
    fit::register(module)?;
    sweep::register(module)?;
    Ok(())
}
