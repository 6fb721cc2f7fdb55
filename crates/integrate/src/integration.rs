//! An integration that may be stopped at any time and goes on from there.

use crate::archive::StateArchive;
use crate::control::ErrorControl;
use crate::newton::NewtonTrial;
use crate::observer::{Forced, Statistics};
use crate::plan::{Control, Plan};
use crate::projection::Projection;
use crate::stages::Stages;
use crate::state::State;
use crate::system::System;
use crate::tableau::WITHIN;

/// What an integration keeps from one step to the next, apart from the state itself.
///
/// [`Integration::begin`] once, then [`Integration::advance`] to later and later times. It belongs to
/// one system, one plan and one state: the same ones are given every time.
pub struct Integration<S: System> {
    pub(crate) scratch: S::Scratch,
    pub(crate) trial: NewtonTrial,
    pub(crate) stages: Stages,
    pub(crate) projection: Projection,
    pub(crate) errors: ErrorControl,
    pub(crate) statistics: Statistics,
    pub(crate) breakpoints: Vec<f64>,
    /// The next breakpoint.
    pub(crate) next: usize,
    /// Length that the error control proposes for the next step, s.
    pub(crate) proposed_step: f64,
    /// Length of step that belongs to the committed algorithmic acceleration, s; `None` before the
    /// first.
    pub(crate) algorithmic_step: Option<f64>,
    /// Whether the system has modes whose changes are located.
    pub(crate) has_modes: bool,
    /// Changes of mode that followed each other at once.
    pub(crate) successive_changes: i32,
    /// Steps in a row with too large an error.
    pub(crate) successive_forced: usize,
    /// The ends of the steps of another run, s, which are taken whatever their error.
    pub(crate) ends: Option<Vec<f64>>,
    /// Where an observer stopped it, and what was not done there yet.
    pub(crate) arrival: Option<Arrival>,
}

/// What the end of a step asks for before the next one begins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arrival {
    /// Time to which the step was closed, s: just before the breakpoint, if it is at one.
    pub(crate) before: f64,
    /// Whether loads or prescribed motions jump there.
    pub(crate) at_breakpoint: bool,
    /// Whether the system changes its mode there.
    pub(crate) changes_mode: bool,
}

impl<S: System> std::fmt::Debug for Integration<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Integration")
            .field("statistics", &self.statistics)
            .field("proposed_step", &self.proposed_step)
            .finish_non_exhaustive()
    }
}

impl<S: System> Integration<S> {
    /// An integration of `system` that has not begun.
    pub fn new(system: &S, plan: &Plan) -> Self {
        let proposed_step = match plan.control {
            Control::Fixed { step } => step,
            Control::Adaptive { first_step, .. } | Control::Halving { first_step, .. } => {
                first_step
            }
            Control::Slip { min_step, .. } => min_step,
        };
        Self {
            scratch: system.scratch(),
            trial: NewtonTrial::new(system),
            stages: Stages::new(system, &WITHIN),
            projection: Projection::new(system),
            errors: ErrorControl::new(system, plan),
            statistics: Statistics::default(),
            breakpoints: Vec::new(),
            next: 0,
            proposed_step,
            algorithmic_step: None,
            has_modes: system.has_modes(),
            successive_changes: 0,
            successive_forced: 0,
            ends: None,
            arrival: None,
        }
    }

    /// Takes the steps of another run, which end at `ends` (s), with Newton's method nearly to
    /// rounding: the results are then smooth functions of the parameters of the system, and their
    /// differences those of the same method (internal numerical differentiation; Bock 1981).
    pub fn follow(&mut self, ends: Vec<f64>) {
        self.trial.solve_closely();
        self.ends = Some(ends);
    }

    /// Forgets what only makes the next step cheaper, so that a course that is taken up again from
    /// an archive has the same bits as one that was not interrupted.
    pub fn rest(&mut self, system: &S) {
        self.trial.forget();
        system.forget(&mut self.scratch);
    }

    /// What it cost so far.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics.clone();
        statistics.iterations += self.trial.iterations;
        statistics
    }

    /// Puts all that it needs to go on into an archive, or takes it from there; after
    /// [`Integration::rest`] only. The state is the caller's.
    pub fn archive(&mut self, on: &Course<'_, S>, state: &State, archive: &mut StateArchive) {
        self.errors.archive(archive);
        archive.number(&mut self.proposed_step);
        let mut last = self.algorithmic_step.unwrap_or(0.0);
        archive.number(&mut last);
        self.algorithmic_step = Some(last).filter(|last| *last > 0.0);
        let mut changes = usize::try_from(self.successive_changes).unwrap_or(0);
        archive.count(&mut changes);
        self.successive_changes = i32::try_from(changes).unwrap_or(0);
        archive.count(&mut self.successive_forced);
        archive.count(&mut self.trial.iterations);
        self.statistics.archive(archive);
        let mut has_arrival = self.arrival.is_some();
        archive.flag(&mut has_arrival);
        let mut arrival = self.arrival.unwrap_or_default();
        archive.number(&mut arrival.before);
        archive.flag(&mut arrival.at_breakpoint);
        archive.flag(&mut arrival.changes_mode);
        self.arrival = has_arrival.then_some(arrival);
        self.find_breakpoints(on, state);
    }

    pub(crate) fn find_breakpoints(&mut self, on: &Course<'_, S>, state: &State) {
        // those at the end itself too: loads there are those of the last step
        self.breakpoints = on.system.breakpoints(on.plan.end_time.next_up());
        let close = on.plan.close();
        let passed = |b: &f64| *b <= state.t || *b - state.t <= close && state.t > 0.0;
        self.next = self.breakpoints.partition_point(passed);
    }
}

/// What is integrated, and how.
#[derive(Debug)]
pub struct Course<'a, S> {
    /// The system.
    pub system: &'a S,
    /// The plan.
    pub plan: &'a Plan,
}

impl Statistics {
    fn archive(&mut self, archive: &mut StateArchive) {
        for count in [
            &mut self.steps,
            &mut self.rejected,
            &mut self.iterations,
            &mut self.mode_changes,
        ] {
            archive.count(count);
        }
        let mut is_forced = self.forced.is_some();
        archive.flag(&mut is_forced);
        if !is_forced {
            self.forced = None;
            return;
        }
        let mut forced = self.forced.take().unwrap_or_else(|| {
            Box::new(Forced {
                count: 0,
                first: 0.0,
                last: 0.0,
                error: 0.0,
                element: String::new(),
            })
        });
        archive.count(&mut forced.count);
        archive.number(&mut forced.first);
        archive.number(&mut forced.last);
        archive.number(&mut forced.error);
        archive.text(&mut forced.element);
        self.forced = Some(forced);
    }
}
