//! Single columns over time in SI, whatever their quantity: for channels of a simulation.

use bristle_units::parse_any_quantity;

use crate::column_units::split;
use crate::{ColumnMap, DataTable, Problem, Quantity, recognise_one};

/// A column in SI.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the file.
    pub name: String,
    /// One value for each row.
    pub values: Vec<f64>,
}

impl DataTable {
    /// The times, s. They increase.
    ///
    /// # Errors
    /// If no column is the time, a row lacks it, or times do not increase.
    pub fn times(&self, map: &ColumnMap) -> Result<Vec<f64>, Problem> {
        let time = recognise_one(self, Quantity::Time, map)?;
        if let Some(rate) = map.rate {
            return Ok((0..self.lines.len()).map(|i| i as f64 / rate).collect());
        }
        let Some(time) = time else {
            return Err(Problem::with(
                format!("{}: no column is the time", self.file),
                "--column time=NAME says which one is; --rate 1kHz gives it without a column",
            ));
        };
        let times = self.complete(time.index, time.factor)?;
        for (i, pair) in times.windows(2).enumerate() {
            if pair[1] <= pair[0] {
                return Err(Problem::new(format!(
                    "{}:{}: t = {} s comes after t = {} s",
                    self.file,
                    self.lines[i + 1],
                    pair[1],
                    pair[0]
                )));
            }
        }
        Ok(times)
    }

    /// Where the column of a name is, with or without its unit.
    pub fn find(&self, name: &str) -> Option<usize> {
        let mut names = self.names.iter();
        let alike = |n: &String| split(n).0.eq_ignore_ascii_case(name);
        let exact = names.position(|n| n == name);
        exact.or_else(|| self.names.iter().position(alike))
    }

    /// The column of a name, with or without its unit, in SI.
    ///
    /// # Errors
    /// If there is no such column, its unit is unknown, or a row lacks its value.
    pub fn series(&self, name: &str) -> Result<Series, Problem> {
        let Some(index) = self.find(name) else {
            let names: Vec<String> = self.names.iter().map(|n| format!("\"{n}\"")).collect();
            return Err(Problem::with(
                format!("{} has no column \"{name}\"", self.file),
                format!("the columns are {}", names.join(", ")),
            ));
        };
        let unit = match (&*self.units[index], split(&self.names[index]).1) {
            ("", from_name) => from_name,
            (row, _) => row.to_owned(),
        };
        let factor = if unit.is_empty() {
            1.0
        } else {
            let one = format!("1 {unit}");
            let one = parse_any_quantity(&one);
            let unknown = || {
                let (file, column) = (&self.file, &self.names[index]);
                let message = format!("{file}: column \"{column}\": there is no unit \"{unit}\"");
                Problem::new(message)
            };
            one.map(|q| q.si()).ok_or_else(unknown)?
        };
        Ok(Series {
            name: self.names[index].clone(),
            values: self.complete(index, factor)?,
        })
    }

    /// All values of a column, in SI. A simulation needs every one of them.
    fn complete(&self, index: usize, factor: f64) -> Result<Vec<f64>, Problem> {
        let values = &self.columns[index];
        if let Some(row) = values.iter().position(|x| !x.is_finite()) {
            return Err(Problem::new(format!(
                "{}:{}: column \"{}\" has no number",
                self.file, self.lines[row], self.names[index]
            )));
        }
        Ok(values.iter().map(|x| x * factor).collect())
    }
}
