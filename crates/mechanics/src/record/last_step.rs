//! The last accepted step of a run, kept so that it can be looked into after the run has gone on.

use super::ledger::Ledger;
use crate::model::Model;
use bristle_integrate::{PathOrder, Segment, State, StateArchive};

/// An accepted step, with what was booked before it.
#[derive(Clone, Debug)]
pub(super) struct LastStep {
    before: State,
    after: State,
    displacement: Vec<f64>,
    closing_time: f64,
    path: PathOrder,
    /// The ledger at the start of the step.
    pub(super) ledger: Ledger,
}

impl LastStep {
    /// Room for a step of a model.
    pub(super) fn new(model: &Model, state: &State, ledger: &Ledger) -> Self {
        Self {
            before: state.clone(),
            after: state.clone(),
            displacement: vec![0.0; model.dofs],
            closing_time: state.t,
            path: PathOrder::Cubic,
            ledger: ledger.clone(),
        }
    }

    /// Keeps a step that is not booked yet.
    pub(super) fn keep(&mut self, segment: &Segment<'_, Model>, ledger: &Ledger) {
        self.before.copy_from(segment.before);
        self.after.copy_from(segment.after);
        self.displacement.copy_from_slice(segment.displacement);
        self.closing_time = segment.closing_time;
        self.path = segment.path;
        self.ledger.clone_from(ledger);
    }

    /// The step as an observer sees it.
    pub(super) fn segment<'a>(&'a self, model: &'a Model) -> Segment<'a, Model> {
        Segment {
            system: model,
            before: &self.before,
            after: &self.after,
            displacement: &self.displacement,
            closing_time: self.closing_time,
            quadrature: None,
            path: self.path,
        }
    }

    /// The time of its end, s.
    pub(super) fn end(&self) -> f64 {
        self.after.t
    }

    /// Puts it into an archive, or takes it from there.
    pub(super) fn archive(&mut self, archive: &mut StateArchive) {
        self.before.archive(archive);
        self.after.archive(archive);
        archive.numbers(&mut self.displacement);
        archive.number(&mut self.closing_time);
        let mut is_quintic = self.path == PathOrder::Quintic;
        archive.flag(&mut is_quintic);
        self.path = if is_quintic {
            PathOrder::Quintic
        } else {
            PathOrder::Cubic
        };
        self.ledger.archive(archive);
    }
}
