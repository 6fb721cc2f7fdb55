//! Tables in which signals have clocks of their own: each with its column of the time, at its own rate.

use bristle_units::format_quantity;

use crate::column_units::split;
use crate::columns::with_unit;
use crate::filter::resample_smooth;
use crate::statistics::median;
use crate::{ColumnMap, DataColumn, DataTable, Problem, Quantity, recognise_one, resample};

/// Words for a time within a name, such as `force_timestamp`.
const WORDS: [&str; 8] = [
    "t",
    "time",
    "zeit",
    "timestamp",
    "temps",
    "clock",
    "stamp",
    "times",
];

/// Times this close, as a share of a step, are the same.
const SAME: f64 = 0.01;

/// Signals of the motion, the one that is differentiated first.
const MOTION: [Quantity; 3] = [
    Quantity::Position,
    Quantity::Velocity,
    Quantity::Acceleration,
];

/// Rates of the force over that of the motion at which its clock decides: a force jumps where the motion reverses,
/// and a mean of samples on both sides of a jump is neither of them, while the motion between two of its samples is
/// smooth. A force that is much slower would leave too little of the motion, one that is faster loses little.
const FORCE_RATES: std::ops::Range<f64> = 0.5..1.0;

/// A column of the time, in seconds.
struct Clock {
    index: usize,
    name: String,
    times: Vec<f64>,
}

/// A signal and the number of its clock.
struct Owned {
    column: DataColumn,
    clock: usize,
}

/// The table with all signals on one clock, and that clock as its time; none where they have one.
pub(crate) fn unify(
    table: &DataTable,
    map: &ColumnMap,
) -> Result<Option<(DataTable, ColumnMap)>, Problem> {
    if map.rate.is_some() || map.names(Quantity::Time) {
        return Ok(None);
    }
    let clocks = clocks(table, map)?;
    if clocks.len() < 2 {
        return Ok(None);
    }
    let mut signals = Vec::new();
    for quantity in Quantity::ALL.into_iter().filter(|q| *q != Quantity::Time) {
        if let Some(column) = recognise_one(table, quantity, map)? {
            let clock = owner(table, &clocks, &column);
            signals.push(Owned { column, clock });
        }
    }
    let of = |q: &Quantity| signals.iter().find(|s| s.column.quantity == *q);
    let clock_of = |quantities: &[Quantity]| quantities.iter().find_map(of).map(|s| s.clock);
    let main = match (clock_of(&MOTION), clock_of(&[Quantity::Force])) {
        (Some(motion), Some(force)) => {
            let relative = step(&clocks[motion].times) / step(&clocks[force].times);
            if FORCE_RATES.contains(&relative) {
                force
            } else {
                motion
            }
        }
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => return Ok(None),
    };
    let others: Vec<&Owned> = signals
        .iter()
        .filter(|s| !same(&clocks[main], &clocks[s.clock]))
        .collect();
    if others.is_empty() {
        return Ok(None);
    }
    let unified = onto(table, &clocks, main, &others)?;
    let mut map = map.clone();
    map.set_column(Quantity::Time, &clocks[main].name);
    Ok(Some((unified, map)))
}

/// The columns of the time.
fn clocks(table: &DataTable, map: &ColumnMap) -> Result<Vec<Clock>, Problem> {
    let mut all = Vec::new();
    for (index, name) in table.names.iter().enumerate() {
        let base = split(name).0;
        let other = Quantity::of_word(&base).is_some_and(|q| q != Quantity::Time);
        let temperature = name == "T" && table.names.iter().any(|n| n == "t");
        let given = map.columns.iter().any(|(_, column)| column == name);
        if other || temperature || given || !tokens(&base).any(|word| WORDS.contains(&word)) {
            continue;
        }
        let factor = with_unit(table, Quantity::Time, index, map)?.factor;
        all.push(Clock {
            index,
            name: name.clone(),
            times: table.columns[index].iter().map(|t| t * factor).collect(),
        });
    }
    Ok(all)
}

fn tokens(base: &str) -> impl Iterator<Item = &str> {
    base.split('_').filter(|word| !word.is_empty())
}

/// The clock of a signal: the one that shares a word with it, or the nearest one to its left.
fn owner(table: &DataTable, clocks: &[Clock], column: &DataColumn) -> usize {
    let base = split(&table.names[column.index]).0;
    let quantity = column.quantity;
    let shares = |clock: &Clock| {
        let clock_base = split(&clock.name).0;
        let mut own = tokens(&clock_base).filter(|word| !WORDS.contains(word));
        own.any(|word| {
            tokens(&base).any(|other| other == word)
                || word == quantity.name()
                || quantity.words().contains(&word)
        })
    };
    let named = clocks.iter().position(shares);
    let left = || clocks.iter().rposition(|clock| clock.index < column.index);
    named.or_else(left).unwrap_or(0)
}

/// Whether two clocks show the same times, or the same steps from starts that have nothing to do with
/// each other, as the time of day beside the time since the start.
fn same(a: &Clock, b: &Clock) -> bool {
    let step = step(&a.times);
    let ((a0, a1), (b0, b1)) = (ends(&a.times), ends(&b.times));
    let apart = a0 > b1 || b0 > a1;
    let shift = if apart { a0 - b0 } else { 0.0 };
    let off = |(a, b): (&f64, &f64)| (a - b - shift).abs() > SAME * step;
    !a.times.iter().zip(&b.times).any(off)
}

fn step(times: &[f64]) -> f64 {
    let steps: Vec<f64> = times.windows(2).map(|p| (p[1] - p[0]).abs()).collect();
    median(&steps).unwrap_or(0.0)
}

fn ends(times: &[f64]) -> (f64, f64) {
    let finite = times.iter().filter(|t| t.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), t| {
        (low.min(*t), high.max(*t))
    })
}

/// The table at the times of the main clock at which all clocks run.
fn onto(
    table: &DataTable,
    clocks: &[Clock],
    main: usize,
    others: &[&Owned],
) -> Result<DataTable, Problem> {
    let (mut from, mut to) = ends(&clocks[main].times);
    for signal in others {
        let (first, last) = ends(&clocks[signal.clock].times);
        (from, to) = (from.max(first), to.min(last));
    }
    let name = &clocks[main].name;
    if from >= to {
        let other = others.first().map_or("", |s| &clocks[s.clock].name);
        let message = format!(
            "{}: the times of \"{name}\" and \"{other}\" have no part in common",
            table.file
        );
        let help = format!("--column \"time={name}\" takes it as the time of all columns");
        return Err(Problem::with(message, help));
    }
    let times = &clocks[main].times;
    let rows: Vec<usize> = (0..times.len())
        .filter(|&i| (from..=to).contains(&times[i]))
        .collect();
    let kept: Vec<f64> = rows.iter().map(|&i| times[i]).collect();
    let mut unified = DataTable {
        lines: rows.iter().map(|&i| table.lines[i]).collect(),
        columns: table
            .columns
            .iter()
            .map(|values| rows.iter().map(|&i| values[i]).collect())
            .collect(),
        ..table.clone()
    };
    let rate = |times: &[f64]| format_quantity(1.0 / step(times), "Hz");
    let mut said = Vec::new();
    for signal in others {
        let clock = &clocks[signal.clock];
        let values = &table.columns[signal.column.index];
        let (t, x) = samples(table, clock, values)?;
        let smooth = MOTION.contains(&signal.column.quantity);
        let (resampled, how) = if smooth {
            (resample_smooth(&t, &x, &kept), "cubic")
        } else {
            (resample(&t, &x, &kept), "linear")
        };
        unified.columns[signal.column.index] = resampled;
        said.push(format!(
            "\"{}\" (clock \"{}\", {}, {how} in between)",
            table.names[signal.column.index],
            clock.name,
            rate(&t)
        ));
    }
    unified.notes.push(format!(
        "two clocks: {} is resampled onto the clock \"{name}\" ({}), where both run",
        said.join(", "),
        rate(times)
    ));
    Ok(unified)
}

/// The samples of a signal at its own times, which must increase.
fn samples(
    table: &DataTable,
    clock: &Clock,
    values: &[f64],
) -> Result<(Vec<f64>, Vec<f64>), Problem> {
    let (mut t, mut x): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for (i, (time, value)) in clock.times.iter().zip(values).enumerate() {
        if !time.is_finite() || !value.is_finite() {
            continue;
        }
        if t.last().is_some_and(|last| time <= last) {
            let (file, line, name) = (&table.file, table.lines[i], &clock.name);
            let message = format!("{file}:{line}: the times of \"{name}\" do not increase");
            return Err(Problem::with(
                message,
                "sort the rows of each clock by its time",
            ));
        }
        t.push(*time);
        x.push(*value);
    }
    Ok((t, x))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;
    use crate::{PreparationPlan, prepare};

    /// x = 0.02 sin 2 t at 100 Hz, F = 5 cos 2 t at another rate and 3 ms later, in microseconds.
    fn table(header: &str, rate: f64) -> DataTable {
        let mut text = format!("{header}\n");
        for i in 0..400 {
            let (a, b) = (f64::from(i) * 1e-2, f64::from(i) / rate + 3e-3);
            let (x, f) = (0.02 * (2.0 * a).sin(), 5.0 * (2.0 * b).cos());
            let epoch = 1.7e15;
            let _ = writeln!(
                text,
                "{:.0},{x:.9},{:.0},{f:.9}",
                epoch + 1e6 * a,
                epoch + 1e6 * b
            );
        }
        DataTable::parse(text.as_bytes(), Path::new("d.csv")).unwrap()
    }

    #[test]
    fn signals_with_clocks_of_their_own_come_onto_one() {
        for header in [
            "position_timestamp,position,force_timestamp,force",
            "t_position,position,t_force,force",
            "time,x,time_2,F",
        ] {
            // a force that is nearly as fast as the motion keeps its samples, else the motion does
            for (rate, step, first) in [
                (80.0, 12.5e-3, 3e-3),
                (200.0, 1e-2, 1e-2),
                (30.0, 1e-2, 1e-2),
            ] {
                let prepared = prepare(&table(header, rate), &PreparationPlan::default()).unwrap();
                let notes = prepared.preparation.notes.join("\n");
                assert!(notes.contains("two clocks"), "{header}: {notes}");
                let record = prepared.record;
                assert!((record.interval() - step).abs() < 1e-6, "{header} {rate}");
                // straight lines over 1/30 s at most: F'' h²/8; else the quarter of a microsecond that
                // times since 1970 have
                let near = if rate > 50.0 && rate < 100.0 {
                    5e-6
                } else {
                    3e-3
                };
                let x = record.position.as_deref().unwrap();
                let rows = record.t.iter().zip(&record.force).zip(x);
                for ((t, force), x) in rows {
                    let t = t - record.t[0] + first;
                    let exact = 5.0 * (2.0 * t).cos();
                    assert!((force - exact).abs() < near, "{header}: {t} {force}");
                    // cubics: x'''' h⁴/40, the digits of the table, and that quarter
                    let exact = 0.02 * (2.0 * t).sin();
                    assert!((x - exact).abs() < 3e-8, "{header}: {t} {x}");
                }
            }
        }
    }

    #[test]
    fn two_names_of_one_clock_are_one() {
        let text = "t,x,time_ms,F\n0,0,0,1\n0.1,1,100,1\n0.2,2,200,1\n0.3,2,300,1\n0.4,2,400,1\n";
        let table = DataTable::parse(text.as_bytes(), Path::new("d.csv")).unwrap();
        assert!(unify(&table, &ColumnMap::default()).unwrap().is_none());
    }
}
