//! The driver: attempt, accept or reject, observe.

use crate::advice::{FINITE_ADVICE, JAM_ADVICE, SINGULAR_ADVICE};
use crate::integration::{Arrival, Course, Integration};
use crate::method::Method;
use crate::observer::{Flow, Observer, PathOrder, Segment};
use crate::plan::{Control, Plan};
use crate::state::State;
use crate::system::{Instant, RunError, System, TangentRequest};

/// What drives a run: the equations, the plan, and what the run remembers.
pub(crate) struct RunDriver<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) plan: &'a Plan,
    pub(crate) run: &'a mut Integration<S>,
}

/// How far to integrate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    /// The time to land on, s.
    until: f64,
    /// A time that is enough, s: no further step begins there or later.
    enough: f64,
}

/// A jam is looked for after so many steps.
const JAM_PERIOD: usize = 256;

impl<S: System> Integration<S> {
    /// Consistent accelerations at the start; the observer sees it.
    ///
    /// # Errors
    /// If the equations have no finite solution there.
    pub fn begin<O: Observer<S>>(
        &mut self,
        on: &Course<'_, S>,
        state: &mut State,
        observer: &mut O,
    ) -> Result<Flow, RunError> {
        self.find_breakpoints(on, state);
        self.drive(on).begin(state, observer)
    }

    /// Integrates to `until` (s), at most to the end of the plan; `state` is left at the last accepted
    /// step. That lands on `until`, or on a breakpoint that differs from it by rounding only.
    ///
    /// # Errors
    /// [`RunError`]; everything accepted was observed.
    pub fn advance<O: Observer<S>>(
        &mut self,
        on: &Course<'_, S>,
        state: &mut State,
        observer: &mut O,
        until: f64,
    ) -> Result<Flow, RunError> {
        let until = until.min(on.plan.end_time);
        let leg = Leg {
            until,
            enough: f64::INFINITY,
        };
        self.drive(on).advance(state, observer, leg)
    }

    /// Integrates towards the end of the plan with the steps that one [`Integration::advance`] to that
    /// end would take, and stops after the first one that reaches the time `enough` (s).
    ///
    /// # Errors
    /// As [`Integration::advance`].
    pub fn advance_past<O: Observer<S>>(
        &mut self,
        on: &Course<'_, S>,
        state: &mut State,
        observer: &mut O,
        enough: f64,
    ) -> Result<Flow, RunError> {
        let until = on.plan.end_time;
        self.drive(on)
            .advance(state, observer, Leg { until, enough })
    }

    /// Takes over loads and prescribed motions that the caller has changed at the present time, as
    /// at a breakpoint.
    ///
    /// # Errors
    /// If the equations have no finite solution with them.
    pub fn loads_changed<O: Observer<S>>(
        &mut self,
        on: &Course<'_, S>,
        state: &mut State,
        observer: &mut O,
    ) -> Result<(), RunError> {
        self.find_breakpoints(on, state);
        let mut arrival = self.arrival.take().unwrap_or_default();
        if !arrival.at_breakpoint {
            arrival.at_breakpoint = true;
            arrival.before = state.t - 0.5 * on.plan.close();
        }
        self.drive(on).leave(arrival, state, observer)
    }

    fn drive<'a>(&'a mut self, on: &Course<'a, S>) -> RunDriver<'a, S> {
        RunDriver {
            system: on.system,
            plan: on.plan,
            run: self,
        }
    }
}

impl<S: System> RunDriver<'_, S> {
    pub(crate) fn begin<O: Observer<S>>(
        &mut self,
        state: &mut State,
        observer: &mut O,
    ) -> Result<Flow, RunError> {
        self.restart(state)?;
        self.look_for_jam(state)?;
        let flow = observer.start(self.system, state);
        self.run.statistics.stopped = flow == Flow::Stop;
        Ok(flow)
    }

    pub(crate) fn advance<O: Observer<S>>(
        &mut self,
        state: &mut State,
        observer: &mut O,
        leg: Leg,
    ) -> Result<Flow, RunError> {
        let Leg { until, enough } = leg;
        let mut before = state.clone();
        let end = self.plan.end_time;
        let close = self.plan.close();
        self.run.statistics.stopped = false;
        if let Some(arrival) = self.run.arrival.take() {
            self.leave(arrival, state, observer)?;
        }
        while until - state.t > close && state.t < enough {
            self.pass_close_breakpoint(state, observer)?;
            let breakpoint = self.next_breakpoint().filter(|b| *b <= until + close);
            let target = breakpoint.unwrap_or(until);
            // just before a breakpoint: a jump of the loads belongs to the next step
            let ahead = breakpoint.map_or(0.0, |_| 0.5 * close);
            let landing = self.step(state, target - ahead)?;
            std::mem::swap(&mut before, state);
            state.copy_from(&self.run.trial.state);
            if landing.on_target {
                state.t = target;
            }
            self.run
                .errors
                .accept(&before, state, &self.run.trial.displacement);
            self.run.statistics.steps += 1;
            let arrival = Arrival {
                before: self.run.trial.state.t,
                at_breakpoint: landing.on_target && breakpoint.is_some() && target < end,
                changes_mode: landing.changes_mode,
            };
            let is_staged = self.plan.method == Method::Esdirk4;
            let segment = Segment {
                system: self.system,
                before: &before,
                after: state,
                displacement: &self.run.trial.displacement,
                closing_time: self.run.trial.state.t,
                quadrature: is_staged.then(|| self.run.stages.quadrature()),
                path: if is_staged {
                    PathOrder::Quintic
                } else {
                    PathOrder::Cubic
                },
            };
            if observer.accepted(&segment) == Flow::Stop {
                self.run.statistics.stopped = end - state.t > close;
                self.run.arrival = Some(arrival);
                return Ok(Flow::Stop);
            }
            self.leave(arrival, state, observer)?;
        }
        Ok(Flow::Continue)
    }

    /// Goes on from the end of a step.
    fn leave<O: Observer<S>>(
        &mut self,
        arrival: Arrival,
        state: &mut State,
        observer: &mut O,
    ) -> Result<(), RunError> {
        let close = self.plan.close();
        while arrival.at_breakpoint && self.next_breakpoint().is_some_and(|b| b - state.t <= close)
        {
            self.run.next += 1;
        }
        if arrival.changes_mode {
            self.run.statistics.mode_changes += 1;
            self.system.change_mode(&mut self.run.scratch, state);
        }
        if arrival.at_breakpoint {
            self.jump(state, arrival.before, observer)
        } else if arrival.changes_mode {
            self.go_on(state, observer)
        } else if self.run.statistics.steps.is_multiple_of(JAM_PERIOD) {
            self.look_for_jam(state)
        } else {
            Ok(())
        }
    }

    /// Goes over a breakpoint that is just behind the start: no step is that short.
    fn pass_close_breakpoint<O: Observer<S>>(
        &mut self,
        state: &mut State,
        observer: &mut O,
    ) -> Result<(), RunError> {
        let close = self.plan.close();
        let Some(at) = self.next_breakpoint().filter(|b| *b - state.t <= close) else {
            return Ok(());
        };
        let arrival = Arrival {
            before: state.t,
            at_breakpoint: true,
            changes_mode: false,
        };
        state.t = at;
        self.leave(arrival, state, observer)
    }

    fn next_breakpoint(&self) -> Option<f64> {
        self.run.breakpoints.get(self.run.next).copied()
    }

    /// What a breakpoint does: velocities jump with the prescribed motions since the time `before`
    /// (s), just ahead of it, and the integration starts again.
    pub(crate) fn jump<O: Observer<S>>(
        &mut self,
        state: &mut State,
        before: f64,
        observer: &mut O,
    ) -> Result<(), RunError> {
        if let Some(work) = self.system.jump(&mut self.run.scratch, before, state) {
            observer.jumped(self.system, work);
        }
        self.go_on(state, observer)
    }

    /// Starts again after a jump of loads, velocities or modes.
    fn go_on<O: Observer<S>>(
        &mut self,
        state: &mut State,
        observer: &mut O,
    ) -> Result<(), RunError> {
        self.restart(state)?;
        self.start_small();
        observer.restarted(self.system, state);
        self.look_for_jam(state)
    }

    /// Ends a run in which friction has no finite force.
    pub(crate) fn look_for_jam(&mut self, state: &State) -> Result<(), RunError> {
        let Some(jam) = self.system.jam(&mut self.run.scratch, state) else {
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
            self.run.proposed_step = (0.1 * self.run.proposed_step).max(first_step);
        }
    }

    /// Consistent accelerations at the committed state; forgets the past.
    fn restart(&mut self, state: &mut State) -> Result<(), RunError> {
        self.run.trial.forget();
        self.run.errors.forget();
        let n = state.a.len();
        let (rest, mut history) = (vec![0.0; n], state.history.clone());
        let at = Instant {
            t: state.t,
            q: &state.q,
            v: &state.v,
            a: &rest,
            history: &state.history,
            step: 0.0,
            stage: None,
        };
        let mut a = vec![0.0; n];
        self.run.statistics.iterations += 1;
        let factorised = self.system.factorise(
            &mut self.run.scratch,
            &at,
            TangentRequest::MASS,
            &mut a,
            &mut history,
        );
        if let Err(dof) = factorised {
            let element = self.system.blame(&mut self.run.scratch, &at, dof);
            return Err(RunError::Singular {
                t: state.t,
                element,
                advice: SINGULAR_ADVICE,
            });
        }
        self.system.solve(&mut self.run.scratch, &mut a);
        if let Some(dof) = a.iter().position(|x| !x.is_finite()) {
            let element = self.system.blame(&mut self.run.scratch, &at, dof);
            return Err(RunError::NotFinite {
                t: state.t,
                element,
                advice: FINITE_ADVICE,
            });
        }
        for ((x, y), a) in state.a.iter_mut().zip(&mut state.algorithmic).zip(&a) {
            (*x, *y) = (-a, -a);
        }
        let mut rates = std::mem::take(&mut state.history_rates);
        self.system
            .history_rates(&mut self.run.scratch, state, &mut rates);
        state.history_rates = rates;
        Ok(())
    }
}
