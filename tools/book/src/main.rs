//! Builds the documentation site from `docs`: mdBook, with equations set at build time.
//!
//! ```text
//! cargo run --manifest-path tools/book/Cargo.toml --locked -- SITE SOURCES
//! ```
//!
//! SITE is made from the pages; SOURCES becomes a copy of the workspace with equations that rustdoc
//! can show. `tools/site` does all of it.
//!
//! The site needs no network: fonts, search and equations are in it. A link that leads nowhere, an
//! equation that cannot be set and a reference to an equation that does not exist fail the build.

mod equations;
mod links;
mod prose;
mod setting;
mod sources;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mdbook_driver::MDBook;
use mdbook_driver::errors::{Error, Result};

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
    let mut folders = std::env::args_os().skip(1).map(std::path::absolute);
    let (Some(output), Some(sources)) = (folders.next(), folders.next()) else {
        return Err(Error::msg(
            "give two folders: of the site, and of the sources for rustdoc",
        ));
    };
    let (output, sources) = (output?, sources?);
    sources::copy(&root, &sources)?;
    let mut book = MDBook::load(root.join("docs"))?;
    book.config.build.build_dir.clone_from(&output);
    book.with_preprocessor(equations::Equations);
    book.with_preprocessor(links::Repository);
    book.build()?;
    links::check(&output, &root.join("docs"))?;
    Ok(output)
}
