//! Where tasks are given out, and their outcomes come in.

use super::task::{FitPart, FitTask, PartOutcome};
use crate::Error;
use crate::options::{FitControl, Progress};

/// Gives out the tasks of a fit to certain records.
#[derive(Clone, Copy)]
pub(crate) struct PartDesk<'a> {
    pub(crate) control: &'a FitControl<'a>,
    /// Samples at the start of each record that do not count.
    pub(crate) masked: &'a [usize],
    /// Whether free motions are taken as driven ones.
    pub(crate) driven: bool,
}

impl<'a> PartDesk<'a> {
    /// For records as they are, but for the samples that are left out.
    pub(crate) fn new(control: &'a FitControl<'a>, masked: &'a [usize]) -> Self {
        Self {
            control,
            masked,
            driven: false,
        }
    }

    /// The outcomes of tasks in their order, up to the first that is the last one needed. Without an
    /// executor they are computed one after the other by `here`.
    pub(crate) fn each(
        &self,
        stage: &'static str,
        tasks: Vec<FitTask>,
        here: &dyn Fn(&FitTask) -> PartOutcome,
        is_last: &dyn Fn(&PartOutcome) -> bool,
    ) -> Result<Vec<PartOutcome>, Error> {
        let FitControl { watch, stop, .. } = *self.control;
        let of = tasks.len();
        let mut outcomes = Vec::with_capacity(of);
        let report = |done| watch(Progress { stage, done, of });
        let Some(executor) = self.control.executor else {
            for (done, task) in tasks.iter().enumerate() {
                report(done);
                stop.check()?;
                outcomes.push(here(task));
                if outcomes.last().is_some_and(is_last) {
                    break;
                }
            }
            return Ok(outcomes);
        };
        report(0);
        let parts = tasks.into_iter().map(|task| self.part(task).to_bytes());
        let found = executor.compute(parts.collect())?;
        stop.check()?;
        if found.len() != of {
            let reason = format!("there are {} outcomes of {of} parts", found.len());
            return Err(Error::Part { reason });
        }
        for bytes in found {
            outcomes.push(PartOutcome::of_bytes(&bytes)?);
            if outcomes.last().is_some_and(is_last) {
                break;
            }
        }
        Ok(outcomes)
    }

    /// The outcome of a task alone.
    pub(crate) fn one(
        &self,
        stage: &'static str,
        task: FitTask,
        here: &dyn Fn(&FitTask) -> PartOutcome,
    ) -> Result<PartOutcome, Error> {
        let outcomes = self.each(stage, vec![task], here, &|_| false)?;
        Ok(outcomes.into_iter().next().unwrap_or_default())
    }

    fn part(&self, task: FitTask) -> FitPart {
        FitPart {
            masked: self.masked.to_vec(),
            driven: self.driven,
            task,
        }
    }
}
