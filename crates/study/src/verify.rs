//! How many digits of a run hold: the same run once more at a hundredth of its tolerance.

use std::collections::BTreeMap;

use bristle_integrate::{Control, Flow};
use bristle_results::{ChannelTable, Result, Status, Summary};
use bristle_scenario::Scenario;
use serde::Serialize;

use crate::engine::{RunObserver, execute_with};
use crate::numbers::numbers_of;

/// The second run has this part of the tolerance, or of a fixed step.
const FINER_TOLERANCE: f64 = 1e-2;
const FINER_STEP: f64 = 0.1;
/// Below this tolerance rounding decides.
const LEAST_TOLERANCE: f64 = 1e-13;
/// More digits than these are those of rounding.
const MOST_DIGITS: f64 = 15.0;

/// A number of a run, and what the finer run changes of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldNumber {
    /// As in `energy.dissipated`, or a channel.
    pub name: String,
    /// The number, or the largest size of the channel.
    pub value: f64,
    /// The largest change.
    pub change: f64,
    /// Digits that hold: the logarithm of value over change.
    pub digits: f64,
}

/// The digits of a run that hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verification {
    /// Tolerance of the finer run.
    pub tolerance: f64,
    /// Its fixed step, s, where the steps are fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Steps of the finer run.
    pub steps: u64,
    /// Why the finer run ended early, if it did: then nothing else is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Numbers of the summary, the least certain first.
    pub numbers: Vec<HeldNumber>,
    /// Channels, the least certain first.
    pub channels: Vec<HeldNumber>,
}

/// What follows the finer run.
struct FinerRows<'f> {
    table: ChannelTable,
    on_step: &'f mut dyn FnMut(f64) -> Flow,
}

impl RunObserver for FinerRows<'_> {
    fn row(&mut self, values: &[f64]) -> Result<()> {
        self.table.push_row(values)
    }

    fn step(&mut self, t: f64) -> Flow {
        (self.on_step)(t)
    }
}

/// Runs `scenario` once more, finer, and compares. `table` are its rows; `on_step` hears the model
/// time (s) of every step, and may end it.
pub fn verify(
    scenario: &Scenario,
    summary: &Summary,
    table: &ChannelTable,
    on_step: &mut dyn FnMut(f64) -> Flow,
) -> Verification {
    let mut plan = scenario.plan;
    plan.tolerance = (FINER_TOLERANCE * plan.tolerance).max(LEAST_TOLERANCE);
    let step = if let Control::Fixed { step } = &mut plan.control {
        *step *= FINER_STEP;
        Some(*step)
    } else {
        None
    };
    let tolerance = plan.tolerance;
    let mut rows = FinerRows {
        table: table.like(),
        on_step,
    };
    let second = execute_with(scenario, &plan, &mut rows);
    let failure = match (second.status, &second.error) {
        (Status::Complete, _) => None,
        (_, Some(error)) => Some(error.message.clone()),
        _ => Some("it was interrupted".to_owned()),
    };
    let (mut numbers, mut channels) = (Vec::new(), Vec::new());
    if failure.is_none() {
        numbers = held_numbers(summary, &second);
        channels = held_channels(table, &rows.table);
    }
    for held in [&mut numbers, &mut channels] {
        held.sort_by(|a, b| a.digits.total_cmp(&b.digits));
    }
    Verification {
        tolerance,
        step,
        steps: second.steps,
        failure,
        numbers,
        channels,
    }
}

fn held(name: String, value: f64, change: f64) -> HeldNumber {
    let digits = if change == 0.0 {
        MOST_DIGITS
    } else {
        (value.abs() / change).log10().clamp(0.0, MOST_DIGITS)
    };
    HeldNumber {
        name,
        value,
        change,
        digits,
    }
}

/// The largest size of every channel against its largest change.
fn held_channels(first: &ChannelTable, second: &ChannelTable) -> Vec<HeldNumber> {
    let names = first.channels().iter().skip(1).map(|channel| &channel.name);
    // the imbalance is an error itself
    let names = names.filter(|name| !name.ends_with("imbalance"));
    let columns = names.filter_map(|name| Some((name, first.column(name)?, second.column(name)?)));
    // a component that is rounding has the digits of its vector
    let mut sizes: BTreeMap<&str, f64> = BTreeMap::new();
    for channel in first.channels() {
        let column = first.column(&channel.name).unwrap_or_default();
        let size = sizes.entry(vector_of(&channel.name)).or_default();
        *size = column.iter().fold(*size, |m, x| m.max(x.abs()));
    }
    let one = |(name, a, b): (&String, &[f64], &[f64])| {
        let largest = sizes.get(vector_of(name)).copied().unwrap_or(0.0);
        let pairs = a.iter().zip(b);
        let change = pairs.fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
        // a channel that stays at 0 has no digits to lose
        (largest > 0.0).then(|| held(name.clone(), largest, change))
    };
    columns.filter_map(one).collect()
}

/// The name of the vector that a channel is a component of; other channels have their own.
pub(crate) fn vector_of(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((vector, "x" | "y" | "z" | "w" | "magnitude")) => vector,
        _ => name,
    }
}

/// The numbers of both summaries.
fn held_numbers(first: &Summary, second: &Summary) -> Vec<HeldNumber> {
    let others: BTreeMap<String, f64> = numbers_of(second).into_iter().collect();
    numbers_of(first)
        .into_iter()
        .filter_map(|(name, value)| {
            let other = others.get(&name)?;
            (value != 0.0 || *other != 0.0).then(|| {
                let size = value.abs().max(other.abs());
                let mut held = held(name, size, (value - other).abs());
                held.value = value;
                held
            })
        })
        .collect()
}
