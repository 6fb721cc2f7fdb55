//! What the command line says of the columns of measurements.

use std::path::Path;

use bristle_recordings::{ColumnMap, DataTable, Problem, Quantity, read_bytes};

use super::fits::{number, pair};
use crate::args::ColumnArguments;

impl ColumnArguments {
    /// What is known of the columns: that of a file of --columns, and the options over it.
    pub(super) fn map(&self) -> Result<ColumnMap, Problem> {
        let mut map = ColumnMap {
            rate: rate(self.rate.as_deref())?,
            ..ColumnMap::default()
        };
        if let Some(path) = self.columns.as_deref().filter(|text| is_file(text)) {
            map_file(Path::new(path), &mut map)?;
        }
        for text in &self.column {
            let (name, column) = pair("column", text, "force=Torque")?;
            map.set_column(Quantity::named(name)?, column);
        }
        for text in &self.unit {
            let (name, unit) = pair("unit", text, "velocity=mm/s")?;
            map.set_unit(Quantity::named(name)?, unit);
        }
        for text in &self.gain {
            let (name, gain) = pair("gain", text, "force=35.15")?;
            map.set_gain(Quantity::named(name)?, number("gain", gain)?);
        }
        Ok(map)
    }

    /// The table of a file, with the names of --columns if there are any.
    pub(super) fn read(&self, path: &Path) -> Result<DataTable, Problem> {
        match self.columns.as_deref().filter(|text| !is_file(text)) {
            Some(text) => DataTable::read_named(path, &names_in_order(text)),
            None => DataTable::read(path),
        }
    }
}

/// The names of all columns, in order.
pub(super) fn names_in_order(text: &str) -> Vec<String> {
    let each = text.split(',').enumerate();
    each.map(|(i, name)| match name.trim() {
        "" | "-" => format!("column_{}", i + 1),
        name => name.to_owned(),
    })
    .collect()
}

/// The sampling rate, Hz.
pub(super) fn rate(text: Option<&str>) -> Result<Option<f64>, Problem> {
    let Some(text) = text else {
        return Ok(None);
    };
    let rate = number("rate", text)?;
    if rate > 0.0 && rate.is_finite() {
        Ok(Some(rate))
    } else {
        Err(Problem::with(
            format!("--rate = {rate} Hz, must be above 0"),
            "as in --rate 1kHz",
        ))
    }
}

fn is_file(text: &str) -> bool {
    let ending = Path::new(text).extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
}

/// A map of columns: tables such as `[force]` with `column`, `unit`, `gain`.
fn map_file(path: &Path, map: &mut ColumnMap) -> Result<(), Problem> {
    let place = path.display();
    let text = String::from_utf8(read_bytes(path)?)
        .map_err(|error| Problem::new(format!("{place}: {error}")))?;
    let tables: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| Problem::new(format!("{place}: {error}")))?;
    for (name, entry) in tables {
        let of = |problem: Problem| Problem {
            message: format!("{place}: {}", problem.message),
            help: problem.help,
        };
        let quantity = Quantity::named(&name).map_err(of)?;
        let entries = match entry {
            toml::Value::String(column) => {
                map.set_column(quantity, &column);
                continue;
            }
            toml::Value::Table(entries) => entries,
            _ => {
                let message = format!("{place}: {name} must be the name of a column or a table");
                return Err(Problem::with(
                    message,
                    "as in [force] with column = \"Torque\"",
                ));
            }
        };
        for (key, value) in entries {
            let as_number = value.as_float().or(value.as_integer().map(|i| i as f64));
            match (key.as_str(), value.as_str(), as_number) {
                ("column", Some(column), _) => map.set_column(quantity, column),
                ("unit", Some(unit), _) => map.set_unit(quantity, unit),
                ("gain", _, Some(gain)) => map.set_gain(quantity, gain),
                _ => {
                    let message = format!("{place}: {name}.{key} is not understood");
                    let help = "a column has column = \"NAME\", unit = \"UNIT\", gain = NUMBER";
                    return Err(Problem::with(message, help));
                }
            }
        }
    }
    Ok(())
}
