//! Columns of a text table that are asked for by name.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::Problem;
use crate::text::{TextReader, Wanted};

/// Reads the named columns of a text file with a header line; cells of other columns may hold
/// anything. Also returns the line number of every row.
///
/// # Errors
/// [`Problem`] with file, line and column: if the file cannot be read or is not a regular one, has no such column, or a cell
/// of it is not a finite number.
pub fn read_columns(path: &Path, names: &[&str]) -> Result<(Vec<Vec<f64>>, Vec<usize>), Problem> {
    let unreadable =
        |error: std::io::Error| Problem::new(format!("cannot read {}: {error}", path.display()));
    // a device may have no end, a pipe no writer
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(Problem::new(format!(
            "cannot read {}: it is not a regular file",
            path.display()
        )));
    }
    let file = BufReader::new(File::open(path).map_err(unreadable)?);
    read_columns_of(file, path, names)
}

/// [`read_columns`] of a text that is read already or elsewhere; messages name it by `path`.
///
/// # Errors
/// As [`read_columns`].
pub fn read_columns_of(
    input: impl BufRead,
    path: &Path,
    names: &[&str],
) -> Result<(Vec<Vec<f64>>, Vec<usize>), Problem> {
    let wanted = Wanted {
        example: &names.join(","),
        names: &format!("put a line such as {} above them", names.join(",")),
    };
    let mut reader = TextReader::open(input, path, wanted)?;
    let index = |name: &&str| {
        let found = reader.names().iter().position(|column| column == name);
        found.ok_or_else(|| {
            let quoted: Vec<String> = reader.names().iter().map(|n| format!("\"{n}\"")).collect();
            let place = reader.place();
            Problem::new(format!(
                "{place}: there is no column \"{name}\"; the columns are {}",
                quoted.join(", ")
            ))
        })
    };
    let indices: Vec<usize> = names.iter().map(index).collect::<Result<_, _>>()?;
    let mut columns = vec![Vec::new(); names.len()];
    let mut lines = Vec::new();
    while let Some(row) = reader.next_row()? {
        for (&index, column) in indices.iter().zip(&mut columns) {
            let number = row.number(index);
            column.push(number.ok_or_else(|| {
                let place = format!("{}:{}", row.place(), row.character(index));
                row.no_number(index, &place)
            })?);
        }
        lines.push(usize::try_from(row.line).unwrap_or(usize::MAX));
    }
    Ok((columns, lines))
}
