//! A part of a fit that another process has given out.

use crate::fit::{FitBench, Objective, mask, thinned, without_motor};
use crate::model::FitModel;
use crate::noise::refitted;
use crate::options::{FitControl, Options};
use crate::part::{FitPart, FitTask, PartOutcome};
use crate::pipeline::numbered;
use crate::{Error, Record};

/// Computes a part of a fit for a [`FitExecutor`](crate::FitExecutor). Model, records and options are
/// those of the fit.
///
/// # Errors
/// [`Error::Part`] if the bytes are no part of a fit to so many records, and [`Error::Stopped`].
pub fn compute_part(
    model: &FitModel,
    train: &[Record],
    options: &Options,
    part: &[u8],
    control: &FitControl<'_>,
) -> Result<Vec<u8>, Error> {
    let part = FitPart::of_bytes(part)?;
    let model = FitModel {
        stop: control.stop.clone(),
        ..model.clone()
    };
    let outcome = control.on_threads(|| computed(&model, train, options, &part));
    control.stop.check()?;
    Ok(outcome?.to_bytes())
}

fn computed(
    model: &FitModel,
    train: &[Record],
    options: &Options,
    part: &FitPart,
) -> Result<PartOutcome, Error> {
    let mut train = numbered(model, train);
    mask(&mut train, &part.masked);
    if !part.driven {
        return Ok(outcome(model, &train, options, &part.task));
    }
    let (driven, motor) = without_motor(model, &train)?;
    let train: Vec<Record> = train.iter().map(|r| r.as_driven(motor)).collect();
    Ok(outcome(&driven, &train, options, &part.task))
}

fn outcome(model: &FitModel, train: &[Record], options: &Options, task: &FitTask) -> PartOutcome {
    if let FitTask::Draw(draw) = task {
        return refitted(model, train, options, draw);
    }
    let thinned = thinned(train);
    let bench = FitBench {
        rough: Objective::coarse(model, &thinned),
        records: train,
        options,
    };
    bench.outcome(task)
}
