//! Builds the documentation site from `docs`: mdBook, with equations set at build time.
//!
//! ```text
//! cargo run --manifest-path tools/book/Cargo.toml --locked -- [OUTPUT]   # target/site
//! ```
//!
//! The site needs no network: fonts, search and equations are in it. A link that leads nowhere, an
//! equation that cannot be set and a reference to an equation that does not exist fail the build.

mod equations;
mod links;
mod prose;
mod setting;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mdbook_driver::MDBook;
use mdbook_driver::errors::Result;

fn main() -> ExitCode {
    match site() {
        Ok(place) => {
            println!("{}", place.join("index.html").display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn site() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()?;
    let output = std::env::args_os()
        .nth(1)
        .map_or_else(|| root.join("target/site"), PathBuf::from);
    let output = std::path::absolute(output)?;
    let mut book = MDBook::load(root.join("docs"))?;
    book.config.build.build_dir.clone_from(&output);
    book.with_preprocessor(equations::Equations);
    book.with_preprocessor(links::Repository);
    book.build()?;
    links::check(&output)?;
    Ok(output)
}
