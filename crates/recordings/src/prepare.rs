//! From a table to a record: preparation that a test engineer expects, and a note on each step.

use std::path::Path;

use bristle_units::{format_quantity, number_of};

use crate::clocks::unify;
use crate::doubts::doubts;
use crate::moving::moving;
use crate::problem::refused;
use crate::signals::{Signals, required};
use crate::{
    DataColumn, DataTable, Lowpass, MotionSource, MotionUnits, Preparation, PreparationPlan,
    Prepared, Problem, Quantity, Record, RecordKind, Servo, Stage, UsedColumn, delay, outliers,
    recognise,
};

/// Makes a record of a table.
///
/// The columns are recognised and turned into SI, incomplete rows left out; then the record is
/// trimmed, resampled, filtered and freed of a delay and of spikes, as the plan asks for.
///
/// # Errors
/// If a column that is needed is missing or doubtful, more than 5 % of the rows lack a value, times
/// do not increase, the normal force is negative, or the units of two columns contradict each other.
/// The message has the file and, where there is one, the line.
pub fn prepare(table: &DataTable, plan: &PreparationPlan) -> Result<Prepared, Problem> {
    let unified = unify(table, &plan.map)?;
    let (table, map) = match &unified {
        Some((table, map)) => (table, map),
        None => (table, &plan.map),
    };
    let columns = recognise(table, map)?;
    required(table, &columns, plan)?;
    let mut notes = table.notes.clone();
    let mut signals = Signals::of(table, &columns, plan.map.rate, &mut notes)?;
    let raw = signals.raw();
    let noises = signals.noises();
    let mut stages = vec![Stage::Rows {
        read: table.lines.len(),
        left_out: table.lines.len() - signals.len(),
    }];
    if let Some((from, to)) = plan.trim {
        signals.trim(from, to, &mut notes)?;
        let samples = signals.len();
        stages.push(Stage::Trim { from, to, samples });
    }
    if let Some(rate_hz) = plan.rate {
        signals.even_out(rate_hz, &mut notes)?;
        stages.push(Stage::Resample {
            rate_hz,
            samples: signals.len(),
            between: "linear",
        });
    }
    let name = name_of(table);
    let record = match signals.take(Quantity::Time) {
        Some(t) => moving(&name, t, &mut signals, plan, &mut notes)?,
        None => steady(&name, &mut signals, plan, &mut notes)?,
    };
    let mut record = loaded(record, &mut signals, plan, &mut notes)?;
    if columns.iter().any(|c| c.rotary) {
        record.units = MotionUnits::Angular;
    }
    let record = freed(record, &mut signals, plan)?;
    let (record, spikes) = without_spikes(record);
    let mut preparation = Preparation::of(&record);
    preparation.outliers = spikes;
    preparation.delay = delay(&record);
    note_quality(&preparation, &mut notes);
    notes.extend(doubts(&record));
    preparation.notes = notes;
    let derived = record
        .noise
        .is_some_and(|n| n.source == MotionSource::Position);
    stages.extend(filter_stages(&record, &preparation, plan, derived));
    let used = |c: &DataColumn| UsedColumn {
        quantity: c.quantity,
        name: table.names[c.index].clone(),
        unit: c.unit.clone(),
        factor: c.factor,
        noise: noises
            .iter()
            .find(|(q, _)| *q == c.quantity)
            .map(|(_, n)| *n),
    };
    Ok(Prepared {
        record,
        preparation,
        columns: columns.iter().map(used).collect(),
        rows: table.lines.len(),
        raw,
        stages,
    })
}

/// The name of the file without its folder.
fn name_of(table: &DataTable) -> String {
    let name = Path::new(&table.file).file_name();
    name.map_or_else(|| table.file.clone(), |n| n.to_string_lossy().into_owned())
}

/// Notes on spikes, gaps and a delay.
fn note_quality(preparation: &Preparation, notes: &mut Vec<String>) {
    let spikes = preparation.outliers;
    if spikes > 0 {
        let spikes = number_of(spikes, "spike", "spikes");
        notes.push(format!("left out: {spikes} of the force"));
    }
    if let Some(gap) = preparation.gap {
        notes.push(format!(
            "the record has a gap of {}: the law starts again behind it",
            format_quantity(gap, "s")
        ));
    }
    if let Some(delay) = preparation.delay {
        notes.push(format!(
            "the force may be {} {} the motion (or it pre-slides, which looks alike); --delay {delay:.4e} \
             takes it out",
            format_quantity(delay.abs(), "s"),
            if delay > 0.0 { "behind" } else { "ahead of" }
        ));
    }
}

/// The stages behind trimming and resampling, with the numbers of the finished record.
fn filter_stages(
    record: &Record,
    preparation: &Preparation,
    plan: &PreparationPlan,
    derived: bool,
) -> Vec<Stage> {
    let mut stages = Vec::new();
    if let Some(cutoff_hz) = record.cutoff {
        stages.push(Stage::Lowpass {
            kind: "Butterworth, fourth order, forward and backward",
            cutoff_hz,
            attenuation_at_cutoff_db: 6.02,
            left_out_at_each_end: record.weight.iter().take_while(|w| **w == 0.0).count(),
        });
    }
    if derived {
        let (from, to) = ("position", "velocity");
        stages.push(Stage::Differentiate { from, to });
    }
    if plan.delay != 0.0 || preparation.delay.is_some() {
        stages.push(Stage::Delay {
            taken_out: plan.delay,
            estimated_rest: preparation.delay,
        });
    }
    stages.push(Stage::Outliers {
        count: preparation.outliers,
        times: outliers(record).map(|i| record.t[i]).collect(),
    });
    stages
}

/// A record of points of a steady curve.
fn steady(
    name: &str,
    signals: &mut Signals,
    plan: &PreparationPlan,
    notes: &mut Vec<String>,
) -> Result<Record, Problem> {
    let file = signals.file().to_owned();
    if matches!(plan.lowpass, Lowpass::At(_)) {
        return Err(Problem::new(format!(
            "{file}: --lowpass needs a column of the time"
        )));
    }
    notes.push(
        "there is no time: the rows are points of a steady curve, force over velocity".to_owned(),
    );
    let velocity = signals.take(Quantity::Velocity).unwrap_or_default();
    let force = signals.take(Quantity::Force).unwrap_or_default();
    Record::steady(name, velocity, force).map_err(refused(&file))
}

/// The record with its normal force, measured or given.
fn loaded(
    record: Record,
    signals: &mut Signals,
    plan: &PreparationPlan,
    notes: &mut Vec<String>,
) -> Result<Record, Problem> {
    let file = signals.file().to_owned();
    let load = match (plan.load, signals.take(Quantity::Load)) {
        (Some(n), _) => vec![n; record.len()],
        (None, Some(n)) => n,
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
        let message = format!("{}: N = {} N, must be 0 or more", signals.place(i), load[i]);
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
    record.with_load(load).map_err(refused(&file))
}

/// A record whose motion is computed, if that is asked for.
fn freed(record: Record, signals: &mut Signals, plan: &PreparationPlan) -> Result<Record, Problem> {
    let file = signals.file().to_owned();
    let goal = signals.take(Quantity::Goal);
    let supply = signals.take(Quantity::Supply);
    match (plan.servo, goal, supply) {
        (None, ..) if plan.free => record.into_free().map_err(refused(&file)),
        (Some(gain), Some(goal), Some(mut supply)) => {
            if let Some(enabled) = signals.take(Quantity::Enabled) {
                for (u, on) in supply.iter_mut().zip(enabled) {
                    *u *= on;
                }
            }
            let servo = Servo { goal, supply, gain };
            record.with_servo(servo).map_err(refused(&file))
        }
        // the columns of a controller are required above
        _ => Ok(record),
    }
}

/// Leaves out single samples of the force that stand alone, farther from their neighbours
/// than the whole force is large.
fn without_spikes(mut record: Record) -> (Record, usize) {
    if record.kind == RecordKind::Steady || record.len() < 10 {
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
