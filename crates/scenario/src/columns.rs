//! Columns of numbers in text files.

use std::path::{Path, PathBuf};

/// Why columns could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file has no header line.
    #[error("{} is empty; its first line must name the columns", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// There is no column of that name.
    #[error("{}:1: there is no column \"{column}\"; the columns are {}", path.display(),
        quoted(available))]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The name asked for.
        column: String,
        /// The names in the header.
        available: Vec<String>,
    },
    /// A cell is not a finite number.
    #[error("{}:{line}:{column}: \"{cell}\" in column \"{name}\" is not a finite number",
        path.display())]
    NotANumber {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column of characters within the line, from 1.
        column: usize,
        /// Name of the column.
        name: String,
        /// The text of the cell.
        cell: String,
    },
    /// A line has too few cells.
    #[error("{}:{line}: found {found} cells, expected {expected} as in the header",
        path.display())]
    ShortLine {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Cells in the line.
        found: usize,
        /// Cells in the header.
        expected: usize,
    },
}

fn quoted(names: &[String]) -> String {
    names
        .iter()
        .map(|name| format!("\"{name}\""))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Reads the named columns of a text file with a header line.
///
/// Cells are separated by commas, or by semicolons or tabs if the header is. Blank lines and lines
/// that start with `#` are skipped. Also returns the line number of every row.
///
/// # Errors
/// [`ColumnError`] with file, line and column.
pub fn read_columns(
    path: &Path,
    names: &[&str],
) -> Result<(Vec<Vec<f64>>, Vec<usize>), ColumnError> {
    let unreadable = |source| ColumnError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let (_, header) = lines.next().ok_or_else(|| ColumnError::Empty {
        path: path.to_owned(),
    })?;
    let separator = [',', ';', '\t']
        .into_iter()
        .find(|&c| header.contains(c))
        .unwrap_or(',');
    let available: Vec<String> = header
        .split(separator)
        .map(|cell| bare(cell).to_owned())
        .collect();
    let mut indices = Vec::new();
    for name in names {
        let index = available
            .iter()
            .position(|column| column == name)
            .ok_or_else(|| ColumnError::NoColumn {
                path: path.to_owned(),
                column: (*name).to_owned(),
                available: available.clone(),
            })?;
        indices.push(index);
    }
    let mut columns = vec![Vec::new(); names.len()];
    let mut numbers = Vec::new();
    for (line, text) in lines {
        let cells: Vec<&str> = text.split(separator).collect();
        for ((&index, name), column) in indices.iter().zip(names).zip(&mut columns) {
            let cell = cells
                .get(index)
                .copied()
                .ok_or_else(|| ColumnError::ShortLine {
                    path: path.to_owned(),
                    line,
                    found: cells.len(),
                    expected: available.len(),
                })?;
            let number = bare(cell)
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite());
            column.push(number.ok_or_else(|| {
                ColumnError::NotANumber {
                    path: path.to_owned(),
                    line,
                    column: 1 + cells[..index]
                        .iter()
                        .map(|c| c.chars().count() + 1)
                        .sum::<usize>(),
                    name: (*name).to_owned(),
                    cell: cell.trim().to_owned(),
                }
            })?);
        }
        numbers.push(line);
    }
    Ok((columns, numbers))
}

/// A cell without blanks and quotes.
fn bare(cell: &str) -> &str {
    cell.trim().trim_matches('"').trim()
}
