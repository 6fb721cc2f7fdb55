//! Where the tasks of a search are computed.

use super::descent::{FIRST_ITERATIONS, descend, refine};
use super::screen::candidates;
use super::{Objective, flat, global};
use crate::Record;
use crate::loss::Loss;
use crate::options::Options;
use crate::part::{FitTask, PartOutcome};

/// Samples of the records on which starts are compared.
const SEARCH_SAMPLES: usize = 30_000;

/// The records on which starts are compared.
pub(crate) fn thinned(records: &[Record]) -> Vec<Record> {
    let total: usize = records.iter().map(Record::len).sum();
    let thin = total.div_ceil(SEARCH_SAMPLES);
    if thin > 1 {
        records.iter().map(|r| r.thinned(thin)).collect()
    } else {
        records.to_vec()
    }
}

/// A model beside its records.
pub(crate) struct FitBench<'a> {
    /// With coarse steps on the records on which starts are compared.
    pub(crate) rough: Objective<'a>,
    pub(crate) records: &'a [Record],
    pub(crate) options: &'a Options,
}

impl FitBench<'_> {
    /// What comes of a task; nothing of a draw of noise, which is none of the search.
    pub(crate) fn outcome(&self, task: &FitTask) -> PartOutcome {
        let (model, records, options) = (self.rough.model, self.records, self.options);
        let first = |objective: &Objective<'_>, start: &[f64]| {
            descend(objective, start, Loss::Squares, FIRST_ITERATIONS)
        };
        match task {
            FitTask::Starts => PartOutcome {
                points: candidates(&self.rough, options),
                ..PartOutcome::default()
            },
            FitTask::Descent(start) => PartOutcome::of(first(&self.rough, start), Vec::new()),
            FitTask::Populations => global::evolve(&self.rough)
                .map(|optimum| PartOutcome::of(optimum, Vec::new()))
                .unwrap_or_default(),
            FitTask::Refinement(from) => {
                let (optimum, meshes) = refine(model, records, from, options);
                PartOutcome::of(optimum, meshes)
            }
            FitTask::Motion(start) => {
                let objective = Objective::coarse(model, records);
                PartOutcome::of(first(&objective, start), Vec::new())
            }
            FitTask::Polish(from, meshes) => {
                let objective = Objective::with_meshes(model, records, meshes.clone());
                let mut optimum = global::polish(&objective, from, options.loss);
                flat::centre(&objective, &mut optimum.theta);
                PartOutcome::of(optimum, Vec::new())
            }
            FitTask::Draw(_) => PartOutcome::default(),
        }
    }
}
