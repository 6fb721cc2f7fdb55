//! `--cases`: a table whose columns are paths of the scenario and whose rows are runs.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use bristle_recordings::{Problem, TextReader, Wanted};

use super::axis::{Axis, AxisValue, MOST_VALUES};
use super::error::DesignError;

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
        if name.is_empty() {
            return Err(DesignError {
                message: format!("{}: column {} has no name", reader.place(), column + 1),
                help: Some("name a field of the scenario, such as body.cube.mass".to_owned()),
            });
        }
        axes.push(Axis {
            path: name.clone(),
            values: Vec::new(),
            repeated: Vec::new(),
        });
    }
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
            axis.values.push(AxisValue::new(cell.into_owned()));
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
