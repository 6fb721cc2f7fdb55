//! The error of a step by stages.

use super::{AIM, ErrorControl, ErrorEstimate};
use crate::newton::NewtonTrial;
use crate::stages::{StageErrors, Stages};
use crate::state::State;
use crate::system::System;

/// A converged trial of a step by stages.
#[derive(Clone, Copy)]
pub(crate) struct StagedTrial<'a> {
    pub(crate) from: &'a State,
    pub(crate) trial: &'a NewtonTrial,
}

impl ErrorControl {
    /// The local error of a step by stages: the difference to its embedded method, in positions,
    /// velocities and the friction states that have rates.
    pub(crate) fn embedded<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        stages: &Stages,
        step: &StagedTrial<'_>,
    ) -> ErrorEstimate {
        let StagedTrial { from, trial } = *step;
        let to = &trial.state;
        stages.errors(&mut StageErrors {
            displacement: &mut self.work,
            velocity: &mut self.filtered,
            history: &mut self.stage_errors,
        });
        let mut worst = ErrorEstimate {
            error: 0.0,
            worst: 0,
        };
        let mut note = |error: f64, i: usize| {
            if error > worst.error || error.is_nan() {
                worst = ErrorEstimate { error, worst: i };
            }
        };
        for group in &self.groups {
            let moved = self.tolerance * group.norm(&trial.displacement);
            let place = group.least(&self.allowed.displacement) + moved;
            note(group.norm(&self.work) / place, group.dofs.start);
            let faster = self.tolerance * group.norm(&to.v);
            let speed = group.least(&self.allowed.velocity).max(faster);
            note(group.norm(&self.filtered) / speed, group.dofs.start);
        }
        // friction follows from slip velocities, which the allowance for fast modes does not bound
        let slip = system.slip_error(scratch, to, &self.filtered);
        note(slip / self.tolerance, largest(&self.filtered));
        self.size_history(system, to);
        for k in stages.staged().iter().cloned().flatten() {
            let scale = self.trial_scales[k];
            if scale > 0.0 {
                let error = self.stage_errors[k].abs() / (self.tolerance * scale);
                note(error, from.a.len() + k);
            }
        }
        // what follows a path has no rates to compare: the same path in two halves decides
        let mut paths = self.paths.iter().zip(&self.trial_scales);
        if worst.error <= 1.0 && paths.any(|(path, scale)| *path && *scale > 0.0) {
            self.halves.go_on(system, scratch, stages.middle(), to);
            let paths = Some(self.paths.as_slice());
            let (mut error, mut k) = self.halves_error(&to.history, paths);
            if AIM * error > 1.0 {
                // what the iteration left in the place is no error of the path
                self.halves.go_at_once(system, scratch, from, to);
                (error, k) = self.halves_error(self.halves.whole(), paths);
            }
            // their updates are exact in stick, and in a slide the errors of old steps are forgotten:
            // they do not add up
            let error = AIM * error;
            worst = worst.with(ErrorEstimate {
                error,
                worst: from.a.len() + k,
            });
        }
        worst
    }
}

/// The place of the largest entry.
fn largest(x: &[f64]) -> usize {
    let all = x.iter().enumerate();
    let largest = all.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()));
    largest.map_or(0, |(i, _)| i)
}
