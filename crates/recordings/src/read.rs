//! A table from a file of any format.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::{DataTable, Problem, arrays};

impl DataTable {
    /// Reads a file: text, or arrays of NumPy (`.npz`) or MATLAB (`.mat`).
    ///
    /// # Errors
    /// If the file cannot be read or is none of these, with the place of what is wrong.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        Self::parse(&read_bytes(path)?, path)
    }

    /// Reads a text file whose columns have these names, in order: one without a header.
    ///
    /// # Errors
    /// As [`Self::read`], or if the file has another number of columns.
    pub fn read_named(path: &Path, names: &[String]) -> Result<Self, Problem> {
        Self::parse_named(&read_bytes(path)?, path, names)
    }

    /// Reads the content of a file; the path is for messages.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Self, Problem> {
        match arrays::read(bytes, path) {
            Some(table) => table,
            None => Self::parse_text(bytes, path, None),
        }
    }

    /// Reads the content of a text file whose columns have these names, in order.
    ///
    /// # Errors
    /// As [`Self::read_named`].
    pub fn parse_named(bytes: &[u8], path: &Path, names: &[String]) -> Result<Self, Problem> {
        match arrays::read(bytes, path) {
            Some(Err(problem)) => Err(problem),
            Some(Ok(_)) => Err(Problem::with(
                format!("{}: the arrays have names of their own", path.display()),
                "leave out --columns; --column QUANTITY=NAME says what an array is",
            )),
            None => Self::parse_text(bytes, path, Some(names)),
        }
    }
}

/// What comes through a pipe or from a device ends before this, bytes.
const LONGEST_STREAM: u64 = 1 << 30;

/// The bytes of a file. What is none, a pipe or a device, may have 1 GiB at most: a device may have no end.
///
/// # Errors
/// If it cannot be read, with its path.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    let refused = |why: &dyn std::fmt::Display| {
        Problem::new(format!("cannot read {}: {why}", path.display()))
    };
    if path.is_dir() {
        return Err(refused(&"it is a folder"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| refused(&error))?;
    let is_plain = file.metadata().is_ok_and(|found| found.is_file());
    // a device may have no end; what comes through a pipe is read
    let limit = if is_plain { u64::MAX } else { LONGEST_STREAM };
    let read = file.take(limit).read_to_end(&mut bytes);
    let count = read.map_err(|error| refused(&error))?;
    if !is_plain && count as u64 == limit {
        return Err(refused(&format_args!(
            "it is no regular file, and has more than {} MiB",
            limit >> 20
        )));
    }
    Ok(bytes)
}
