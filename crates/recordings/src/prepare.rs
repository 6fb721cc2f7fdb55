//! From a table to a record: preparation that a test engineer expects, and a note on each step.

use std::path::Path;

use bristle_units::format_quantity;

use crate::doubts::{consistent, doubts};
use crate::signals::{Signals, required};
use crate::{
    DataColumn, Lowpass, Preparation, PreparationPlan, Prepared, Problem, Quantity, Record,
    RecordError, RecordKind, Servo, Stage, Table, UsedColumn, delay, derivative, distorted,
    lowpass, outliers, recognise, resample, suggested_cutoff,
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
pub fn prepare(table: &Table, plan: &PreparationPlan) -> Result<Prepared, Problem> {
    let columns = recognise(table, &plan.map)?;
    required(table, &columns, plan)?;
    let mut notes = table.notes.clone();
    let mut signals = Signals::of(table, &columns, &mut notes)?;
    let raw = signals.raw();
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
    let record = loaded(record, &mut signals, plan, &mut notes)?;
    let record = freed(record, &mut signals, plan)?;
    let (record, spikes) = without_spikes(record);
    if spikes > 0 {
        notes.push(format!("{spikes} spikes of the force are left out"));
    }
    let mut preparation = Preparation::of(&record);
    preparation.outliers = spikes;
    preparation.delay = delay(&record);
    note_quality(&preparation, &mut notes);
    let rotary = columns.iter().any(|c| c.rotary);
    notes.extend(doubts(&record, rotary));
    preparation.notes = notes;
    let derived =
        record.kind != RecordKind::Steady && raw.velocity.is_none() && raw.position.is_some();
    stages.extend(filter_stages(&record, &preparation, plan, derived));
    let used = |c: &DataColumn| UsedColumn {
        quantity: c.quantity,
        name: table.names[c.index].clone(),
        unit: c.unit.clone(),
    };
    Ok(Prepared {
        record,
        preparation,
        columns: columns.iter().map(used).collect(),
        rotary,
        rows: table.lines.len(),
        raw,
        stages,
    })
}

/// The name of the file without its folder.
fn name_of(table: &Table) -> String {
    let name = Path::new(&table.file).file_name();
    name.map_or_else(|| table.file.clone(), |n| n.to_string_lossy().into_owned())
}

/// Notes on gaps and a delay.
fn note_quality(preparation: &Preparation, notes: &mut Vec<String>) {
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

/// An error of a record, with its file.
fn refused(file: &str) -> impl Fn(RecordError) -> Problem + '_ {
    move |error| Problem {
        message: format!("{file}: {error}"),
        help: error.help().map(str::to_owned),
    }
}

/// The low-pass of a motion: its cut-off, and the even rate without which it cannot be used.
struct MotionFilter {
    cutoff: Option<f64>,
    rate: f64,
    even: bool,
}

impl MotionFilter {
    /// The filter that the plan asks for, or that the noise of a `position` does which is to be
    /// differentiated.
    fn of(plan: &PreparationPlan, t: &[f64], position: Option<&[f64]>) -> Self {
        let rate = (t.len() - 1) as f64 / (t[t.len() - 1] - t[0]);
        let even = t
            .windows(2)
            .all(|p| ((p[1] - p[0]) * rate - 1.0).abs() < 0.5);
        let cutoff = match (plan.lowpass, position) {
            (Lowpass::At(f), _) => Some(f),
            (Lowpass::Automatic, Some(x)) => suggested_cutoff(t, x),
            _ => None,
        };
        Self { cutoff, rate, even }
    }

    /// The cut-off, if the filter can be used.
    fn used(&self) -> Option<f64> {
        self.cutoff.filter(|_| self.even)
    }

    fn filter(&self, x: &[f64]) -> Vec<f64> {
        match self.used() {
            Some(cutoff) => lowpass(x, self.rate, cutoff),
            None => x.to_vec(),
        }
    }

    fn note(&self, plan: &PreparationPlan, notes: &mut Vec<String>) {
        let Some(cutoff) = self.cutoff else {
            return;
        };
        notes.push(if self.even {
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

    /// Leaves out what the filter distorts.
    fn without_ends(&self, record: &mut Record, notes: &mut Vec<String>) {
        let Some(cutoff) = self.used() else {
            return;
        };
        let n = record.len();
        let ends = distorted(self.rate, cutoff).min(n / 10);
        record.weight[..ends].fill(0.0);
        record.weight[n - ends..].fill(0.0);
        notes.push(format!(
            "{ends} samples at either end, which the low-pass distorts, are left out"
        ));
    }
}

/// A record of a motion in time.
fn moving(
    name: &str,
    t: Vec<f64>,
    signals: &mut Signals,
    plan: &PreparationPlan,
    notes: &mut Vec<String>,
) -> Result<Record, Problem> {
    signals.in_order(&t)?;
    let file = signals.file().to_owned();
    if t.len() < 4 {
        let message = format!("{file}: {} rows are too few for a motion", t.len());
        return Err(Problem::new(message));
    }
    let position = signals.take(Quantity::Position);
    // a computed motion is compared with positions, and only begins with a velocity
    let derive = plan.free && position.is_some() && !plan.map.names(Quantity::Velocity);
    let measured = signals.take(Quantity::Velocity).filter(|_| !derive);
    // a controller makes the force that was not measured
    let force = signals.take(Quantity::Force);
    let force = force.unwrap_or_else(|| vec![0.0; t.len()]);
    let differentiated = position.as_deref().filter(|_| measured.is_none());
    let filter = MotionFilter::of(plan, &t, differentiated);
    filter.note(plan, notes);
    let velocity = match (&measured, &position) {
        (Some(v), _) => filter.filter(v),
        (None, Some(x)) => {
            notes.push("the velocity is the derivative of the position".to_owned());
            derivative(&t, &filter.filter(x))
        }
        (None, None) => Vec::new(),
    };
    if let (Some(v), Some(x)) = (&measured, &position) {
        consistent(&file, &derivative(&t, x), v, notes)?;
    }
    let force = delayed(&t, force, plan.delay, notes);
    let refused = refused(&file);
    let mut record = Record::motion(name, t, velocity, force).map_err(&refused)?;
    record.cutoff = filter.used();
    if let Some(x) = position {
        record = record.with_position(filter.filter(&x)).map_err(&refused)?;
    }
    if let Some(a) = signals.take(Quantity::Acceleration) {
        let a = filter.filter(&a);
        record = record.with_acceleration(a).map_err(&refused)?;
    }
    if let Some(fe) = signals.take(Quantity::Applied) {
        record = record.with_applied(fe).map_err(&refused)?;
    }
    filter.without_ends(&mut record, notes);
    record.temperature = signals.take(Quantity::Temperature);
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
    let later: Vec<f64> = t.iter().map(|time| time + delay).collect();
    resample(t, &force, &later)
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
