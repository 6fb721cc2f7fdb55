//! `--cases`: a table whose columns are paths of the scenario and whose rows are runs.

use std::borrow::Cow;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use bristle_recordings::{Problem, TextReader, Wanted};

use super::axis::{Axis, AxisValue, MOST_VALUES};
use super::error::DesignError;

/// The axis of a column that is headed by a path; else what is wrong with it, and the remedy.
fn axis(name: &str, column: usize) -> Result<Axis, (String, &'static str)> {
    if name.is_empty() {
        let help = "name a field of the scenario, such as body.cube.mass";
        return Err((format!("{} has no name", column + 1), help));
    }
    // spaces may divide the columns, and a unit behind a path is then one of its own
    if name.starts_with('[') || name.contains(" [") {
        let message = format!("\"{name}\" has a unit, and the first line is paths alone");
        return Err((message, "write the unit into the cells, as in 250 g"));
    }
    Ok(Axis {
        path: name.to_owned(),
        values: Vec::new(),
        repeated: Vec::new(),
    })
}

/// The axes of a table, with one value for each row, and the line of each row.
pub(super) fn read(path: &Path) -> Result<(Vec<Axis>, Vec<u64>), DesignError> {
    let refused = |problem: Problem| DesignError {
        message: problem.message,
        help: problem.help,
    };
    let unreadable = |error: std::io::Error| DesignError {
        message: format!("cannot read {}: {error}", path.display()),
        help: None,
    };
    let file = BufReader::new(File::open(path).map_err(unreadable)?);
    let wanted = Wanted {
        example: "body.cube.mass,force.pull.magnitude",
        names: "put a line with the paths of the columns above them, such as body.cube.mass",
    };
    let mut reader = TextReader::open(file, path, wanted).map_err(refused)?;
    let mut axes = Vec::new();
    for (column, name) in reader.names().iter().enumerate() {
        axes.push(axis(name, column).map_err(|(message, help)| DesignError {
            message: format!("{}: column {message}", reader.place()),
            help: Some(help.to_owned()),
        })?);
    }
    // of a table that commas divide they are no decimal signs
    let decimal_commas = reader.separator() != ',';
    let mut lines = Vec::new();
    while let Some(row) = reader.next_row().map_err(refused)? {
        let cells = (0..row.len()).map(|i| row.text(i));
        for (axis, cell) in axes.iter_mut().zip(cells) {
            if cell.is_empty() {
                return Err(DesignError {
                    message: format!("{}: column {} is empty", row.place(), axis.path),
                    help: Some(
                        "every case has a value for every column: a number in SI, a quantity with \
                         a unit, or a name"
                            .to_owned(),
                    ),
                });
            }
            let cell = if decimal_commas {
                with_point(&cell).into_owned()
            } else {
                cell.into_owned()
            };
            axis.values.push(AxisValue::new(cell));
        }
        lines.push(row.line);
        if lines.len() > MOST_VALUES {
            return Err(DesignError {
                message: format!("{}: more than {MOST_VALUES} cases", path.display()),
                help: Some("divide the table".to_owned()),
            });
        }
    }
    if lines.is_empty() {
        return Err(DesignError {
            message: format!("{} has no cases below its header", path.display()),
            help: None,
        });
    }
    Ok((axes, lines))
}

/// A cell that begins with a number, with a decimal point where it has a decimal comma: `0,3 kN`.
fn with_point(cell: &str) -> Cow<'_, str> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(cell.starts_with(['+', '-']));
    let comma = sign + digits(&cell[sign..]);
    let fraction = cell[comma..].strip_prefix(',').map_or(0, digits);
    // lists and lists of values have more than one
    let alone = fraction > 0 && !cell[comma + 1 + fraction..].contains(',');
    if comma > sign && alone {
        Cow::Owned(format!("{}.{}", &cell[..comma], &cell[comma + 1..]))
    } else {
        Cow::Borrowed(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::with_point;

    #[test]
    fn a_decimal_comma_is_that_of_a_number_alone() {
        for (cell, read) in [
            ("0,3 kN", "0.3 kN"),
            ("-1,25e3", "-1.25e3"),
            ("0.3 kN", "0.3 kN"),
            ("[0, 0, 1]", "[0, 0, 1]"),
            ("1,2,3", "1,2,3"),
            ("lugre", "lugre"),
            ("3,", "3,"),
            (",3", ",3"),
            ("", ""),
        ] {
            assert_eq!(with_point(cell), read);
        }
    }
}
