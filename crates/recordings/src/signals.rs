//! The signals of a table in SI: which rows are used, and at which times.

use bristle_units::{format_quantity, number_of};

use crate::{
    ColumnNoise, DataColumn, DataTable, PreparationPlan, Problem, Quantity, Raw, resample,
};

/// At most this share of the rows may lack a value.
const MOST_MISSING: f64 = 0.05;

/// More samples than this are no resampling of a record.
const MOST_SAMPLES: f64 = 2e7;

/// Columns in SI by quantity.
pub(crate) struct Signals {
    file: String,
    values: Vec<(Quantity, Vec<f64>)>,
    /// The line of the file that each sample is from.
    lines: Vec<u64>,
}

impl Signals {
    /// The rows in which all columns that are used have a value.
    pub(crate) fn of(
        table: &DataTable,
        columns: &[DataColumn],
        rate: Option<f64>,
        notes: &mut Vec<String>,
    ) -> Result<Self, Problem> {
        let rows = complete_rows(table, columns, notes)?;
        let in_si = |c: &DataColumn| {
            let column = &table.columns[c.index];
            let values = rows.iter().map(|&i| column[i] * c.factor).collect();
            (c.quantity, values)
        };
        let mut values: Vec<(Quantity, Vec<f64>)> = columns.iter().map(in_si).collect();
        if let Some(rate) = rate {
            notes.push(format!(
                "the times are those of a rate of {}",
                format_quantity(rate, "Hz")
            ));
            let times = rows.iter().map(|&i| i as f64 / rate).collect();
            values.push((Quantity::Time, times));
        }
        from_the_start(&mut values, notes);
        measurable(table, columns, &rows, &values)?;
        Ok(Self {
            file: table.file.clone(),
            values,
            lines: rows.iter().map(|&i| table.lines[i]).collect(),
        })
    }

    /// Number of samples.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn get(&self, quantity: Quantity) -> Option<&[f64]> {
        let found = self.values.iter().find(|(q, _)| *q == quantity);
        found.map(|(_, values)| values.as_slice())
    }

    /// Moves the values of a quantity out.
    pub(crate) fn take(&mut self, quantity: Quantity) -> Option<Vec<f64>> {
        let place = self.values.iter().position(|(q, _)| *q == quantity)?;
        Some(self.values.swap_remove(place).1)
    }

    /// File and line of a sample, for messages.
    pub(crate) fn place(&self, sample: usize) -> String {
        let line = self.lines.get(sample).copied().unwrap_or_default();
        format!("{}:{line}", self.file)
    }

    /// The file, for messages.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// The signals as they are.
    pub(crate) fn raw(&self) -> Raw {
        let copy = |quantity| self.get(quantity).map(<[f64]>::to_vec);
        Raw {
            t: copy(Quantity::Time).unwrap_or_default(),
            position: copy(Quantity::Position),
            velocity: copy(Quantity::Velocity),
            force: copy(Quantity::Force),
        }
    }

    /// Noise and quantisation of every signal but the time.
    pub(crate) fn noises(&self) -> Vec<(Quantity, ColumnNoise)> {
        let all = self.values.iter().filter(|(q, _)| *q != Quantity::Time);
        all.map(|(q, values)| (*q, ColumnNoise::of(values)))
            .collect()
    }

    /// Keeps the samples between two times.
    pub(crate) fn trim(
        &mut self,
        from: f64,
        to: f64,
        notes: &mut Vec<String>,
    ) -> Result<(), Problem> {
        let Some(t) = self.get(Quantity::Time) else {
            return Ok(());
        };
        let before = self.len();
        let kept: Vec<bool> = t.iter().map(|t| (from..=to).contains(t)).collect();
        for (_, values) in &mut self.values {
            keep(values, &kept);
        }
        keep(&mut self.lines, &kept);
        if self.lines.is_empty() {
            let message = format!("{}: no row lies between {from} s and {to} s", self.file);
            return Err(Problem::new(message));
        }
        notes.push(format!(
            "trimmed to {from} … {to} s: {} of {before} rows",
            self.len()
        ));
        Ok(())
    }

    /// Resamples to an even rate.
    pub(crate) fn even_out(&mut self, rate: f64, notes: &mut Vec<String>) -> Result<(), Problem> {
        let Some(t) = self.get(Quantity::Time).map(<[f64]>::to_vec) else {
            return Ok(());
        };
        self.in_order(&t)?;
        let (first, last) = (t[0], t[t.len() - 1]);
        let count = ((last - first) * rate).floor();
        if !(4.0..=MOST_SAMPLES).contains(&count) {
            let message = format!(
                "{}: {rate} Hz make {count} samples of {} s, must be 4 to {MOST_SAMPLES:.0}",
                self.file,
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
        for (quantity, values) in &mut self.values {
            *values = match quantity {
                Quantity::Time => even.clone(),
                _ => resample(&t, values, &even),
            };
        }
        let row = |time: &f64| t.partition_point(|t| t < time).min(t.len() - 1);
        self.lines = even.iter().map(|time| self.lines[row(time)]).collect();
        Ok(())
    }

    /// Times must increase.
    pub(crate) fn in_order(&self, t: &[f64]) -> Result<(), Problem> {
        let Some(i) = (1..t.len()).find(|&i| t[i] <= t[i - 1]) else {
            return Ok(());
        };
        let message = format!(
            "{}: t = {} s comes after t = {} s in line {}",
            self.place(i),
            t[i],
            t[i - 1],
            self.lines[i - 1]
        );
        let help = if t[i] < t[i - 1] {
            "sort the rows by time"
        } else {
            "keep one row for each time"
        };
        Err(Problem::with(message, help))
    }
}

/// Times since 1970 count from the first one: what is left of their digits would be too few.
fn from_the_start(values: &mut [(Quantity, Vec<f64>)], notes: &mut Vec<String>) {
    const LONG_AGO: f64 = 1e8;
    let times = values.iter_mut().find(|(q, _)| *q == Quantity::Time);
    let Some((_, times)) = times else { return };
    let Some(first) = times.first().copied().filter(|t| *t > LONG_AGO) else {
        return;
    };
    for t in times {
        *t -= first;
    }
    notes.push(format!("times count from the first one, {first} s"));
}

/// Values beyond this, in SI, are none of a measurement, and their squares leave the numbers.
const LARGEST: f64 = 1e40;

/// Nothing is measured in shorter steps, s.
const SHORTEST: f64 = 1e-30;

/// Refuses what no sensor gives.
fn measurable(
    table: &DataTable,
    columns: &[DataColumn],
    rows: &[usize],
    values: &[(Quantity, Vec<f64>)],
) -> Result<(), Problem> {
    for (quantity, values) in values {
        let name = columns.iter().find(|c| c.quantity == *quantity);
        let name = name.map_or("--rate", |c| &table.names[c.index]);
        let place = |i: usize| format!("{}:{}: \"{name}\"", table.file, table.lines[rows[i]]);
        let large = |x: &f64| x.is_nan() || x.abs() > LARGEST;
        if let Some(i) = values.iter().position(large) {
            let message = format!(
                "{} = {:e}, in SI, is no measured value",
                place(i),
                values[i]
            );
            let help = format!("see --unit {0}=… and --gain {0}=…", quantity.name());
            return Err(Problem::with(message, help));
        }
        let short = |p: &[f64]| p[1] > p[0] && p[1] - p[0] < SHORTEST;
        if *quantity == Quantity::Time
            && let Some(i) = values.windows(2).position(short)
        {
            let message = format!("{}: a step of less than {SHORTEST:e} s", place(i + 1));
            return Err(Problem::with(message, "see --unit time=…"));
        }
    }
    Ok(())
}

/// Drops the values that are not kept.
fn keep<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut each = kept.iter();
    values.retain(|_| each.next().copied().unwrap_or(false));
}

/// The quantities that a record needs.
pub(crate) fn required(
    table: &DataTable,
    columns: &[DataColumn],
    plan: &PreparationPlan,
) -> Result<(), Problem> {
    let has = |q: Quantity| columns.iter().any(|c| c.quantity == q);
    let names: Vec<String> = table.names.iter().map(|n| format!("\"{n}\"")).collect();
    let listed = format!("the columns are {}", names.join(", "));
    if plan.servo.is_some() {
        for quantity in [Quantity::Goal, Quantity::Supply, Quantity::Position] {
            if !has(quantity) {
                let name = quantity.name();
                let message = format!("{}: no column is the {name}", table.file);
                let help = format!("--servo needs it: --column {name}=NAME; {listed}");
                return Err(Problem::with(message, help));
            }
        }
    } else if !has(Quantity::Force) {
        // both at once: who names one column names the other too
        let moves = has(Quantity::Velocity) || has(Quantity::Position);
        let (and, too) = if moves {
            ("", "")
        } else {
            (
                ", and none the velocity or the position",
                " --column velocity=NAME",
            )
        };
        let message = format!("{}: no column is the force{and}", table.file);
        let help = format!(
            "say which: --column force=NAME{too} (a current or voltage with --gain force=NUMBER); {listed}"
        );
        return Err(Problem::with(message, help));
    }
    if !has(Quantity::Velocity) && !has(Quantity::Position) {
        let message = format!("{}: no column is the velocity or the position", table.file);
        return Err(Problem::with(
            message,
            format!("say which: --column velocity=NAME; {listed}"),
        ));
    }
    if !has(Quantity::Time) && plan.map.rate.is_none() && !has(Quantity::Velocity) {
        let message = format!("{}: no column is the time", table.file);
        let help =
            format!("a position needs the time: --column time=NAME, or --rate 1kHz; {listed}");
        return Err(Problem::with(message, help));
    }
    Ok(())
}

/// Rows in which all columns that are used have a value.
fn complete_rows(
    table: &DataTable,
    columns: &[DataColumn],
    notes: &mut Vec<String>,
) -> Result<Vec<usize>, Problem> {
    let count = table.lines.len();
    let missing = |i: usize| {
        columns
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
            "{}:{line}: column \"{name}\" has no number, as {lost} of {}",
            table.file,
            number_of(count, "row", "rows")
        );
        return Err(Problem::with(
            message,
            "use another column, or cut the file to rows that are complete",
        ));
    }
    notes.push(format!(
        "left out: {lost} of {} without a number, the first in line {line} (column \"{name}\")",
        number_of(count, "row", "rows")
    ));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{DataTable, PreparationPlan, prepare};

    #[test]
    fn what_no_sensor_gives_is_refused_with_its_line() {
        for (text, part) in [
            ("v,F\n1,1\n-1e308,1\n1,1\n", "d.csv:3: \"v\" = -1e308"),
            ("v,F,N\n1,1,1\n1,1,1e154\n", "d.csv:3: \"N\" = 1e154"),
            (
                "t,v,F\n0,1,1\n5e-324,1,1\n1,1,1\n2,1,1\n",
                "d.csv:3: \"t\": a step",
            ),
        ] {
            let table = DataTable::parse(text.as_bytes(), Path::new("d.csv")).unwrap();
            let problem = prepare(&table, &PreparationPlan::default()).unwrap_err();
            assert!(problem.message.contains(part), "{problem:?}");
        }
    }
}
