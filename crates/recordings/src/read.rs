//! A table from a file of any format.

use std::path::Path;

use crate::{Problem, Table, arrays};

impl Table {
    /// Reads a file: text, or arrays of NumPy (`.npz`) or MATLAB (`.mat`).
    ///
    /// # Errors
    /// If the file cannot be read or is none of these, with the place of what is wrong.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let refused = |why: &dyn std::fmt::Display| {
            Problem::new(format!("cannot read {}: {why}", path.display()))
        };
        if path.is_dir() {
            return Err(refused(&"it is a folder"));
        }
        Self::parse(&std::fs::read(path).map_err(|error| refused(&error))?, path)
    }

    /// Reads the content of a file; the path is for messages.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Self, Problem> {
        match arrays::read(bytes, path) {
            Some(table) => table,
            None => Self::parse_text(bytes, path),
        }
    }
}
