//! The columns that drive a scenario, and those with which its channels are compared.

use bristle_scenario::parse_any_quantity;
use bristle_study::replay::Input;

use super::super::columns::{Quantity, found, named, split, with_unit};
use super::super::table::Table;
use super::super::{options, read_table};
use crate::args::IdentifyArguments;
use crate::motion::Problem;

/// A column in SI.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    /// What it belongs to: a channel.
    pub(super) name: String,
    /// Its name in the file.
    pub(super) source: String,
    pub(super) values: Vec<f64>,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Data {
    pub(super) file: String,
    /// s.
    pub(super) times: Vec<f64>,
    pub(super) inputs: Vec<Input>,
    pub(super) outputs: Vec<Column>,
    pub(super) notes: Vec<String>,
}

pub(super) fn read(arguments: &IdentifyArguments) -> Result<Data, Problem> {
    let table = read_table(&arguments.data[0])?;
    let wishes = options::plan(arguments)?.wishes;
    let wished = wishes.columns.iter().find(|(q, _)| *q == Quantity::Time);
    let index = match wished {
        Some((_, name)) => Some(named(&table, Quantity::Time, name)?),
        None => found(&table, Quantity::Time, &wishes)?,
    };
    let Some(index) = index else {
        return Err(Problem::with(
            format!("{}: no column is the time", table.file),
            "--column time=NAME says which one is",
        ));
    };
    let time = with_unit(&table, Quantity::Time, index, &wishes)?;
    let times = complete(&table, index, time.factor)?;
    for (i, pair) in times.windows(2).enumerate() {
        if pair[1] <= pair[0] {
            return Err(Problem::new(format!(
                "{}:{}: t = {} s comes after t = {} s",
                table.file,
                table.lines[i + 1],
                pair[1],
                pair[0]
            )));
        }
    }
    let mut inputs = Vec::new();
    for text in &arguments.input {
        let column = column("input", text, &table)?;
        inputs.push(Input {
            path: column.name,
            values: column.values,
        });
    }
    let outputs = arguments
        .output
        .iter()
        .map(|text| column("output", text, &table));
    Ok(Data {
        file: table.file.clone(),
        times,
        inputs,
        outputs: outputs.collect::<Result<_, _>>()?,
        notes: table.notes.clone(),
    })
}

/// The column of `PATH=COLUMN`.
fn column(option: &str, text: &str, table: &Table) -> Result<Column, Problem> {
    let (name, wanted) = super::split(option, text)?;
    let index = table.names.iter().position(|n| n == wanted);
    let index = index.or_else(|| {
        table
            .names
            .iter()
            .position(|n| split(n).0.eq_ignore_ascii_case(wanted))
    });
    let Some(index) = index else {
        let names: Vec<String> = table.names.iter().map(|n| format!("\"{n}\"")).collect();
        return Err(Problem::with(
            format!(
                "--{option} {text}: {} has no column \"{wanted}\"",
                table.file
            ),
            format!("the columns are {}", names.join(", ")),
        ));
    };
    let unit = match (&*table.units[index], split(&table.names[index]).1) {
        ("", from_name) => from_name,
        (row, _) => row.to_owned(),
    };
    let factor = if unit.is_empty() {
        1.0
    } else {
        let one = format!("1 {unit}");
        let one = parse_any_quantity(&one);
        one.map(|q| q.si()).ok_or_else(|| {
            Problem::new(format!(
                "{}: column \"{}\": there is no unit \"{unit}\"",
                table.file, table.names[index]
            ))
        })?
    };
    Ok(Column {
        name: name.to_owned(),
        source: table.names[index].clone(),
        values: complete(table, index, factor)?,
    })
}

/// All values of a column, in SI. A simulation needs every one of them.
fn complete(table: &Table, index: usize, factor: f64) -> Result<Vec<f64>, Problem> {
    let values = &table.columns[index];
    if let Some(row) = values.iter().position(|x| !x.is_finite()) {
        return Err(Problem::new(format!(
            "{}:{}: column \"{}\" has no number",
            table.file, table.lines[row], table.names[index]
        )));
    }
    Ok(values.iter().map(|x| x * factor).collect())
}
