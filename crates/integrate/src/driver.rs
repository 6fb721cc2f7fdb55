//! The driver: attempt, accept or reject, observe.

use crate::advice::{FINITE_ADVICE, JAM_ADVICE, SINGULAR_ADVICE};
use crate::control::ErrorControl;
use crate::newton::NewtonTrial;
use crate::observer::{Flow, Observer, Segment, Statistics};
use crate::plan::{Control, Plan};
use crate::state::State;
use crate::system::{Instant, RunError, System, TangentRequest};

/// What drives a run.
pub(crate) struct RunDriver<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) plan: &'a Plan,
    pub(crate) scratch: S::Scratch,
    pub(crate) trial: NewtonTrial,
    pub(crate) errors: ErrorControl,
    pub(crate) statistics: Statistics,
    breakpoints: Vec<f64>,
    /// Length that the error control proposes for the next step, s.
    pub(crate) proposed_step: f64,
    /// Length of step that belongs to the committed algorithmic acceleration, s.
    pub(crate) algorithmic_step: f64,
    /// Whether the system has modes whose changes are located.
    pub(crate) has_modes: bool,
    /// Changes of mode that followed each other at once.
    pub(crate) successive_changes: i32,
    /// Steps in a row with too large an error.
    pub(crate) successive_forced: usize,
}

/// A jam is looked for after so many steps.
const JAM_PERIOD: usize = 256;

impl<'a, S: System> RunDriver<'a, S> {
    pub(crate) fn new(system: &'a S, plan: &'a Plan) -> Self {
        let proposed_step = match plan.control {
            Control::Fixed { step } => step,
            Control::Adaptive { first_step, .. } | Control::Halving { first_step, .. } => {
                first_step
            }
            Control::Slip { min_step, .. } => min_step,
        };
        Self {
            system,
            plan,
            scratch: system.scratch(),
            trial: NewtonTrial::new(system),
            errors: ErrorControl::new(system, plan.tolerance),
            statistics: Statistics::default(),
            // those at the end itself too: loads there are those of the last step
            breakpoints: system.breakpoints(plan.end_time.next_up()),
            proposed_step,
            algorithmic_step: 0.0,
            has_modes: system.has_modes(),
            successive_changes: 0,
            successive_forced: 0,
        }
    }

    pub(crate) fn run<O: Observer<S>>(
        &mut self,
        state: &mut State,
        observer: &mut O,
    ) -> Result<(), RunError> {
        self.restart(state)?;
        self.look_for_jam(state)?;
        if observer.start(self.system, state) == Flow::Stop {
            self.statistics.stopped = true;
            return Ok(());
        }
        let mut before = state.clone();
        let mut next = self.breakpoints.partition_point(|&b| b <= state.t);
        let end = self.plan.end_time;
        // times closer than this are the same: rounding of a sum of steps
        let close = 1e-12 * end.abs().max(f64::MIN_POSITIVE);
        while end - state.t > close {
            let breakpoint = self.breakpoints.get(next).copied().filter(|b| *b <= end);
            let target = breakpoint.unwrap_or(end);
            // just before a breakpoint: a jump of the loads belongs to the next step
            let ahead = breakpoint.map_or(0.0, |_| 0.5 * close);
            let landing = self.step(state, target - ahead)?;
            std::mem::swap(&mut before, state);
            state.copy_from(&self.trial.state);
            if landing.on_target {
                state.t = target;
            }
            self.errors.accept(&before, &self.trial.displacement);
            self.statistics.steps += 1;
            let at_breakpoint = landing.on_target && target < end;
            let segment = Segment {
                system: self.system,
                before: &before,
                after: state,
                displacement: &self.trial.displacement,
                closing_time: self.trial.state.t,
            };
            if observer.accepted(&segment) == Flow::Stop {
                self.statistics.stopped = end - state.t > close;
                return Ok(());
            }
            while at_breakpoint
                && self
                    .breakpoints
                    .get(next)
                    .is_some_and(|b| *b - state.t <= close)
            {
                next += 1;
            }
            if landing.changes_mode {
                self.statistics.mode_changes += 1;
                self.system.change_mode(&mut self.scratch, state);
            }
            if at_breakpoint {
                let before = self.trial.state.t;
                if let Some(work) = self.system.jump(&mut self.scratch, before, state) {
                    observer.jumped(self.system, work);
                }
            }
            if landing.changes_mode || at_breakpoint {
                self.restart(state)?;
                self.start_small();
                observer.restarted(self.system, state);
            }
            if landing.changes_mode
                || at_breakpoint
                || self.statistics.steps.is_multiple_of(JAM_PERIOD)
            {
                self.look_for_jam(state)?;
            }
        }
        Ok(())
    }

    /// Ends a run in which friction has no finite force.
    pub(crate) fn look_for_jam(&mut self, state: &State) -> Result<(), RunError> {
        let Some(jam) = self.system.jam(&mut self.scratch, state) else {
            return Ok(());
        };
        Err(RunError::Jams {
            t: state.t,
            element: jam.element,
            gain: jam.gain,
            advice: JAM_ADVICE,
        })
    }

    /// After a jump the first step is short.
    fn start_small(&mut self) {
        if let Control::Adaptive { first_step, .. } | Control::Halving { first_step, .. } =
            self.plan.control
        {
            self.proposed_step = (0.1 * self.proposed_step).max(first_step);
        }
    }

    /// Consistent accelerations at the committed state; forgets the past.
    fn restart(&mut self, state: &mut State) -> Result<(), RunError> {
        self.trial.forget();
        self.errors.forget();
        let n = state.a.len();
        let (rest, mut history) = (vec![0.0; n], state.history.clone());
        let at = Instant {
            t: state.t,
            q: &state.q,
            v: &state.v,
            a: &rest,
            history: &state.history,
            step: 0.0,
        };
        let mut a = vec![0.0; n];
        self.statistics.iterations += 1;
        let factorised = self.system.factorise(
            &mut self.scratch,
            &at,
            TangentRequest::MASS,
            &mut a,
            &mut history,
        );
        if let Err(dof) = factorised {
            let element = self.system.blame(&mut self.scratch, &at, dof);
            return Err(RunError::Singular {
                t: state.t,
                element,
                advice: SINGULAR_ADVICE,
            });
        }
        self.system.solve(&mut self.scratch, &mut a);
        if let Some(dof) = a.iter().position(|x| !x.is_finite()) {
            let element = self.system.blame(&mut self.scratch, &at, dof);
            return Err(RunError::NotFinite {
                t: state.t,
                element,
                advice: FINITE_ADVICE,
            });
        }
        for ((x, y), a) in state.a.iter_mut().zip(&mut state.algorithmic).zip(&a) {
            (*x, *y) = (-a, -a);
        }
        Ok(())
    }
}
