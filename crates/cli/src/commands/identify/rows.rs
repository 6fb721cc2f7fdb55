//! Which rows of a table are used, and at which times.

use bristle_identify::resample;
use bristle_results::format_quantity;

use super::columns::{Chosen, Quantity};
use super::data::Plan;
use super::table::Table;
use crate::motion::Problem;

/// At most this share of the rows may lack a value.
const MOST_MISSING: f64 = 0.05;

/// Columns in SI by quantity.
pub(super) struct Values<'a> {
    pub(super) table: &'a Table,
    pub(super) chosen: &'a [Chosen],
    pub(super) rows: Vec<usize>,
    /// The times of the rows and the even ones to which they are resampled.
    pub(super) grid: Option<(Vec<f64>, Vec<f64>)>,
}

impl Values<'_> {
    pub(super) fn get(&self, quantity: Quantity) -> Option<Vec<f64>> {
        let chosen = self.chosen.iter().find(|c| c.quantity == quantity)?;
        let column = &self.table.columns[chosen.index];
        let rows = self.rows.iter();
        let values: Vec<f64> = rows.map(|&i| column[i] * chosen.factor).collect();
        match &self.grid {
            Some((_, even)) if quantity == Quantity::Time => Some(even.clone()),
            Some((t, even)) => Some(resample(t, &values, even)),
            None => Some(values),
        }
    }

    pub(super) fn line(&self, row: usize) -> u64 {
        let row = match &self.grid {
            Some((t, even)) => t.partition_point(|t| *t < even[row]),
            None => row,
        };
        self.table.lines[self.rows[row.min(self.rows.len() - 1)]]
    }
}

pub(super) fn required(table: &Table, chosen: &[Chosen], plan: &Plan) -> Result<(), Problem> {
    let has = |q: Quantity| chosen.iter().any(|c| c.quantity == q);
    let names: Vec<String> = table.names.iter().map(|n| format!("\"{n}\"")).collect();
    let columns = format!("the columns are {}", names.join(", "));
    if !plan.servo.is_empty() {
        for quantity in [Quantity::Goal, Quantity::Supply, Quantity::Position] {
            if !has(quantity) {
                let name = quantity.name();
                let message = format!("{}: no column is the {name}", table.file);
                let help = format!("--servo needs it: --column {name}=NAME; {columns}");
                return Err(Problem::with(message, help));
            }
        }
    } else if !has(Quantity::Force) {
        let message = format!("{}: no column is the force", table.file);
        let help = format!(
            "say which: --column force=NAME (a current or voltage with --gain force=NUMBER); {columns}"
        );
        return Err(Problem::with(message, help));
    }
    if !has(Quantity::Velocity) && !has(Quantity::Position) {
        let message = format!("{}: no column is the velocity or the position", table.file);
        return Err(Problem::with(
            message,
            format!("say which: --column velocity=NAME; {columns}"),
        ));
    }
    if !has(Quantity::Time) && !has(Quantity::Velocity) {
        let message = format!("{}: no column is the time", table.file);
        let help = format!("a position needs the time: --column time=NAME; {columns}");
        return Err(Problem::with(message, help));
    }
    Ok(())
}

/// Rows in which all columns that are used have a value.
pub(super) fn complete_rows(
    table: &Table,
    chosen: &[Chosen],
    notes: &mut Vec<String>,
) -> Result<Vec<usize>, Problem> {
    let count = table.lines.len();
    let missing = |i: usize| {
        chosen
            .iter()
            .find(|c| !table.columns[c.index][i].is_finite())
    };
    let (mut rows, mut first, mut lost) = (Vec::with_capacity(count), None, 0_usize);
    for i in 0..count {
        match missing(i) {
            None => rows.push(i),
            Some(c) => {
                lost += 1;
                first.get_or_insert((table.lines[i], table.names[c.index].clone()));
            }
        }
    }
    let Some((line, name)) = first else {
        return Ok(rows);
    };
    if lost as f64 > MOST_MISSING * count as f64 {
        let message = format!(
            "{}:{line}: column \"{name}\" has no number; {lost} of {count} rows lack one",
            table.file
        );
        return Err(Problem::with(
            message,
            "use another column, or cut the file to rows that are complete",
        ));
    }
    notes.push(format!(
        "{lost} of {count} rows lack a number and are left out, the first in line {line} (column \"{name}\")"
    ));
    Ok(rows)
}

pub(super) fn trim(
    values: &mut Values<'_>,
    plan: &Plan,
    notes: &mut Vec<String>,
) -> Result<(), Problem> {
    let (Some((from, to)), Some(t)) = (plan.trim, values.get(Quantity::Time)) else {
        return Ok(());
    };
    let before = values.rows.len();
    let kept = values
        .rows
        .iter()
        .zip(&t)
        .filter(|(_, t)| (from..=to).contains(*t));
    values.rows = kept.map(|(i, _)| *i).collect();
    if values.rows.is_empty() {
        let message = format!(
            "{}: no row lies between {from} s and {to} s",
            values.table.file
        );
        return Err(Problem::new(message));
    }
    notes.push(format!(
        "trimmed to {from} … {to} s: {} of {before} rows",
        values.rows.len()
    ));
    Ok(())
}

/// Times must increase.
pub(super) fn in_order(values: &Values<'_>, t: &[f64]) -> Result<(), Problem> {
    let Some(i) = (1..t.len()).find(|&i| t[i] <= t[i - 1]) else {
        return Ok(());
    };
    let message = format!(
        "{}:{}: t = {} s comes after t = {} s in line {}",
        values.table.file,
        values.line(i),
        t[i],
        t[i - 1],
        values.line(i - 1)
    );
    let help = if t[i] < t[i - 1] {
        "sort the rows by time"
    } else {
        "keep one row for each time"
    };
    Err(Problem::with(message, help))
}

/// More samples than this are no resampling of a record.
const MOST_SAMPLES: f64 = 2e7;

/// Resamples to an even rate, if that is asked for.
pub(super) fn even_out(
    values: &mut Values<'_>,
    plan: &Plan,
    notes: &mut Vec<String>,
) -> Result<(), Problem> {
    let (Some(rate), Some(t)) = (plan.rate, values.get(Quantity::Time)) else {
        return Ok(());
    };
    in_order(values, &t)?;
    let (first, last) = (t[0], t[t.len() - 1]);
    let count = ((last - first) * rate).floor();
    if !(4.0..=MOST_SAMPLES).contains(&count) {
        let message = format!(
            "{}: {rate} Hz make {count} samples of {} s, must be 4 to {MOST_SAMPLES:.0}",
            values.table.file,
            last - first
        );
        return Err(Problem::new(message));
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bounded above"
    )]
    let count = count as usize;
    let even: Vec<f64> = (0..=count).map(|i| first + i as f64 / rate).collect();
    notes.push(format!(
        "resampled from {} rows to {} at {}, linear in between",
        t.len(),
        even.len(),
        format_quantity(rate, "Hz")
    ));
    values.grid = Some((t, even));
    Ok(())
}
