//! From a table to a record: preparation that a test engineer expects, and a word on each step.

use std::path::Path;

use bristle_identify::{
    Preparation, Record, Servo, delay, derivative, distorted, lowpass, suggested_cutoff,
};
use bristle_results::format_quantity;

use super::columns::{Chosen, Quantity, Wishes, choose};
use super::doubts::{consistent, doubts};
use super::rows::{Values, complete_rows, even_out, in_order, required, trim};
use super::stages::{Counts, Raw, stages};
use super::table::Table;
use crate::motion::Problem;

/// How records are prepared.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Plan {
    pub(super) wishes: Wishes,
    /// Constant normal force, N.
    pub(super) load: Option<f64>,
    /// Whether each file has the mean of its normal force throughout.
    pub(super) mean_load: bool,
    /// The low-pass.
    pub(super) lowpass: Lowpass,
    /// Delay of the force to be taken out, s.
    pub(super) delay: f64,
    /// First and last time to keep, s.
    pub(super) trim: Option<(f64, f64)>,
    /// Rate to which records are resampled, Hz.
    pub(super) rate: Option<f64>,
    /// Whether the position is compared, of a mass that the force drives.
    pub(super) free: bool,
    /// Gains of a position controller that makes the force: one, or one for each file.
    pub(super) servo: Vec<f64>,
}

/// The low-pass of motion and residual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Lowpass {
    /// As the noise asks for, where positions are differentiated.
    #[default]
    Automatic,
    /// None.
    Off,
    /// At this cut-off, Hz.
    At(f64),
}

/// A record and what was done to it.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub(super) record: Record,
    pub(super) preparation: Preparation,
    pub(super) columns: Vec<(Quantity, String, String)>,
    pub(super) rotary: bool,
    pub(super) rows: usize,
    /// Signals before preparation.
    pub(super) raw: Raw,
    pub(super) counts: Counts,
    /// What each stage of the preparation did.
    pub(super) stages: Vec<serde_json::Value>,
}

/// Makes a record of a table.
pub(super) fn prepare(
    table: &Table,
    path: &Path,
    plan: &Plan,
    number: usize,
) -> Result<Prepared, Problem> {
    let chosen = choose(table, &plan.wishes)?;
    required(table, &chosen, plan)?;
    let mut notes = table.notes.clone();
    let rows = complete_rows(table, &chosen, &mut notes)?;
    let mut values = Values {
        table,
        chosen: &chosen,
        rows,
        grid: None,
    };
    let raw = Raw::of(&values);
    let mut counts = Counts {
        read: table.lines.len(),
        complete: values.rows.len(),
        ..Counts::default()
    };
    trim(&mut values, plan, &mut notes)?;
    counts.trimmed = values.rows.len();
    even_out(&mut values, plan, &mut notes)?;
    let name = path
        .file_name()
        .map_or_else(|| table.file.clone(), |n| n.to_string_lossy().into_owned());
    let record = match values.get(Quantity::Time) {
        Some(t) => moving(&name, t, &values, plan, &mut notes)?,
        None => steady(&name, &values, plan, &mut notes)?,
    };
    let record = loaded(record, &values, plan, &mut notes)?;
    let record = freed(record, &values, plan, number)?;
    let (record, outliers) = without_spikes(record);
    if outliers > 0 {
        notes.push(format!("{outliers} spikes of the force are left out"));
    }
    let mut preparation = Preparation::of(&record);
    preparation.outliers = outliers;
    if let Some(gap) = preparation.gap {
        notes.push(format!(
            "the record has a gap of {}: the law starts again behind it",
            format_quantity(gap, "s")
        ));
    }
    preparation.delay = delay(&record);
    if let Some(delay) = preparation.delay {
        notes.push(format!(
            "the force may be {} {} the motion (or it pre-slides, which looks alike); --delay {delay:.4e} \
             takes it out",
            format_quantity(delay.abs(), "s"),
            if delay > 0.0 { "behind" } else { "ahead of" }
        ));
    }
    let rotary = chosen.iter().any(|c| c.rotary);
    notes.extend(doubts(&record, rotary));
    preparation.notes = notes;
    counts.resampled = record.len();
    let used = |c: &Chosen| (c.quantity, table.names[c.index].clone(), c.unit.clone());
    let mut prepared = Prepared {
        record,
        preparation,
        columns: chosen.iter().map(used).collect(),
        rotary,
        rows: table.lines.len(),
        raw,
        counts,
        stages: Vec::new(),
    };
    prepared.stages = stages(&prepared, plan);
    Ok(prepared)
}

fn problem(file: &str, error: &bristle_identify::Error) -> Problem {
    Problem {
        message: format!("{file}: {error}"),
        help: error.help().map(str::to_owned),
    }
}

#[allow(
    clippy::too_many_lines,
    reason = "one step of the preparation after the other"
)]
fn moving(
    name: &str,
    t: Vec<f64>,
    values: &Values<'_>,
    plan: &Plan,
    notes: &mut Vec<String>,
) -> Result<Record, Problem> {
    let file = &values.table.file;
    in_order(values, &t)?;
    if t.len() < 4 {
        let message = format!("{file}: {} rows are too few for a motion", t.len());
        return Err(Problem::new(message));
    }
    let position = values.get(Quantity::Position);
    // a computed motion is compared with positions, and only begins with a velocity
    let derive = plan.free && position.is_some() && !plan.wishes.names(Quantity::Velocity);
    let measured = values.get(Quantity::Velocity).filter(|_| !derive);
    let force = match values.get(Quantity::Force) {
        Some(force) => force,
        // a controller makes it
        None => vec![0.0; t.len()],
    };
    let steps: Vec<f64> = t.windows(2).map(|p| p[1] - p[0]).collect();
    let rate = (t.len() - 1) as f64 / (t[t.len() - 1] - t[0]);
    let even = steps.iter().all(|h| (h * rate - 1.0).abs() < 0.5);
    let cutoff = match (plan.lowpass, &measured, &position) {
        (Lowpass::At(f), ..) => Some(f),
        (Lowpass::Automatic, None, Some(x)) => suggested_cutoff(&t, x),
        _ => None,
    };
    let filter = |x: &[f64]| match cutoff {
        Some(cutoff) if even => lowpass(x, rate, cutoff),
        _ => x.to_vec(),
    };
    if let Some(cutoff) = cutoff {
        notes.push(if even {
            let what = if plan.free {
                "the motion is"
            } else {
                "motion and residual are"
            };
            format!(
                "{what} filtered: zero-phase low-pass, -6 dB at {}",
                format_quantity(cutoff, "Hz")
            )
        } else {
            "the samples are too uneven in time for the low-pass; nothing is filtered".to_owned()
        });
    }
    let velocity = match (&measured, &position) {
        (Some(v), _) => filter(v),
        (None, Some(x)) => {
            notes.push("the velocity is the derivative of the position".to_owned());
            derivative(&t, &filter(x))
        }
        (None, None) => Vec::new(),
    };
    if let (Some(v), Some(x)) = (&measured, &position) {
        consistent(file, &derivative(&t, x), v, notes)?;
    }
    let force = delayed(&t, force, plan.delay, notes);
    let mut record = Record::motion(name, t, velocity, force).map_err(|e| problem(file, &e))?;
    record.cutoff = cutoff.filter(|_| even);
    if let Some(x) = position {
        record = record
            .with_position(filter(&x))
            .map_err(|e| problem(file, &e))?;
    }
    if let Some(a) = values.get(Quantity::Acceleration) {
        record = record
            .with_acceleration(filter(&a))
            .map_err(|e| problem(file, &e))?;
    }
    if let Some(fe) = values.get(Quantity::Applied) {
        record = record.with_applied(fe).map_err(|e| problem(file, &e))?;
    }
    if let Some(cutoff) = record.cutoff {
        let ends = distorted(rate, cutoff).min(record.len() / 10);
        let n = record.len();
        for w in &mut record.weight[..ends] {
            *w = 0.0;
        }
        for w in &mut record.weight[n - ends..] {
            *w = 0.0;
        }
        notes.push(format!(
            "{ends} samples at either end, which the low-pass distorts, are left out"
        ));
    }
    record.temperature = values.get(Quantity::Temperature);
    Ok(record)
}

/// Takes a delay out of the force: its value at t is that measured at t + delay.
fn delayed(t: &[f64], force: Vec<f64>, delay: f64, notes: &mut Vec<String>) -> Vec<f64> {
    if delay == 0.0 {
        return force;
    }
    notes.push(format!(
        "the force is moved by {} against the motion",
        format_quantity(delay, "s")
    ));
    let last = t.len() - 1;
    t.iter()
        .map(|time| {
            let wanted = time + delay;
            let i = t.partition_point(|x| *x < wanted);
            match i {
                0 => force[0],
                i if i > last => force[last],
                i => {
                    let s = (wanted - t[i - 1]) / (t[i] - t[i - 1]);
                    force[i - 1] + s * (force[i] - force[i - 1])
                }
            }
        })
        .collect()
}

/// A record whose motion is computed, if that is asked for.
fn freed(
    record: Record,
    values: &Values<'_>,
    plan: &Plan,
    number: usize,
) -> Result<Record, Problem> {
    let file = &values.table.file;
    let refused = |e: bristle_identify::Error| problem(file, &e);
    let (goal, supply) = (values.get(Quantity::Goal), values.get(Quantity::Supply));
    match (plan.servo.len(), goal, supply) {
        (0, ..) if plan.free => record.into_free().map_err(refused),
        (0, ..) => Ok(record),
        (count, Some(goal), Some(mut supply)) => {
            if let Some(enabled) = values.get(Quantity::Enabled) {
                for (u, on) in supply.iter_mut().zip(enabled) {
                    *u *= on;
                }
            }
            let gain = match (count, plan.servo.get(number)) {
                (1, _) => plan.servo[0],
                (_, Some(gain)) => *gain,
                _ => {
                    let message = format!(
                        "{file}: --servo has {count} gains, but this is file {}",
                        number + 1
                    );
                    let help = "give one gain for all files, or one for each, data before tests";
                    return Err(Problem::with(message, help));
                }
            };
            let servo = Servo { goal, supply, gain };
            record.with_servo(servo).map_err(refused)
        }
        // the columns are required above
        _ => Ok(record),
    }
}

fn steady(
    name: &str,
    values: &Values<'_>,
    plan: &Plan,
    notes: &mut Vec<String>,
) -> Result<Record, Problem> {
    let file = &values.table.file;
    if plan.lowpass != Lowpass::Automatic && plan.lowpass != Lowpass::Off {
        return Err(Problem::new(format!(
            "{file}: --lowpass needs a column of the time"
        )));
    }
    notes.push(
        "there is no time: the rows are points of a steady curve, force over velocity".to_owned(),
    );
    let velocity = values.get(Quantity::Velocity).unwrap_or_default();
    let force = values.get(Quantity::Force).unwrap_or_default();
    Record::steady(name, velocity, force).map_err(|e| problem(file, &e))
}

fn loaded(
    record: Record,
    values: &Values<'_>,
    plan: &Plan,
    notes: &mut Vec<String>,
) -> Result<Record, Problem> {
    let file = &values.table.file;
    let load = match (values.get(Quantity::Load), plan.load) {
        (_, Some(n)) => vec![n; record.len()],
        (Some(n), None) => n,
        (None, None) if plan.mean_load => {
            let message = format!("{file}: no column is the normal force, so it has no mean");
            return Err(Problem::with(
                message,
                "--column load=NAME says which one is",
            ));
        }
        (None, None) => return Ok(record),
    };
    // a sensor at zero reads a little below it now and then
    let little = 0.05 * load.iter().fold(0.0_f64, |m, n| m.max(*n));
    if let Some(i) = load.iter().position(|n| *n < -little) {
        let message = format!(
            "{file}:{}: N = {} N, must be 0 or more",
            values.line(i),
            load[i]
        );
        let help = "N is the force that presses the bodies together; --gain load=-1 turns its sign";
        return Err(Problem::with(message, help));
    }
    let below = load.iter().filter(|n| **n < 0.0).count();
    if below > 0 {
        notes.push(format!(
            "{below} normal forces a little below 0 are taken as 0"
        ));
    }
    let mut load: Vec<f64> = load.into_iter().map(|n| n.max(0.0)).collect();
    if plan.mean_load {
        let mean = load.iter().sum::<f64>() / load.len().max(1) as f64;
        notes.push(format!(
            "the normal force is taken as its mean, {}",
            format_quantity(mean, "N")
        ));
        load.fill(mean);
    }
    record.with_load(load).map_err(|e| problem(file, &e))
}

/// Leaves out single samples of the force that stand alone, farther from their neighbours
/// than the whole force is large.
fn without_spikes(mut record: Record) -> (Record, usize) {
    if record.kind == bristle_identify::Kind::Steady || record.len() < 10 {
        return (record, 0);
    }
    let f = &record.force;
    let size = record.force_rms();
    let alone = |i: usize| {
        let (a, b) = (f[i] - f[i - 1], f[i] - f[i + 1]);
        a * b > 0.0 && a.abs().min(b.abs()) > 3.0 * size && (f[i + 1] - f[i - 1]).abs() < size
    };
    let spikes: Vec<usize> = (1..record.len() - 1).filter(|&i| alone(i)).collect();
    for &i in &spikes {
        record.weight[i] = 0.0;
    }
    (record, spikes.len())
}
