//! The columns that drive a scenario, and those with which its channels are compared.

use std::path::Path;

use bristle_recordings::{DataTable, Problem, Series};
use bristle_study::replay::ReplayInput;

use crate::args::CalibrateArguments;
use crate::commands::fits::pair;

/// A channel and the column that belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeasuredChannel {
    /// The channel.
    pub(super) name: String,
    /// What was measured.
    pub(super) series: Series,
}

/// What was measured in one run of the machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeasuredRun {
    pub(super) file: String,
    /// s.
    pub(super) times: Vec<f64>,
    pub(super) inputs: Vec<ReplayInput>,
    pub(super) outputs: Vec<MeasuredChannel>,
    pub(super) notes: Vec<String>,
}

impl MeasuredRun {
    pub(super) fn read(path: &Path, arguments: &CalibrateArguments) -> Result<Self, Problem> {
        let table = arguments.columns.read(path)?;
        let map = arguments.columns.map()?;
        let input = |text: &String| {
            let MeasuredChannel { name, series } = channel("input", text, &table)?;
            Ok(ReplayInput {
                path: name,
                values: series.values,
            })
        };
        let output = |text: &String| channel("output", text, &table);
        let inputs = arguments.input.iter().map(input);
        let outputs = arguments.output.iter().map(output);
        Ok(Self {
            file: table.file.clone(),
            times: table.times(&map)?,
            inputs: inputs.collect::<Result<_, Problem>>()?,
            outputs: outputs.collect::<Result<_, _>>()?,
            notes: table.notes.clone(),
        })
    }
}

/// The column of `PATH=COLUMN`.
fn channel(option: &str, text: &str, table: &DataTable) -> Result<MeasuredChannel, Problem> {
    let (name, wanted) = pair(option, text, "body.cart.position.x=x")?;
    let known = table.find(wanted).is_some();
    let series = table.series(wanted).map_err(|problem| Problem {
        message: if known {
            problem.message
        } else {
            format!("--{option} {text}: {}", problem.message)
        },
        ..problem
    })?;
    Ok(MeasuredChannel {
        name: name.to_owned(),
        series,
    })
}
