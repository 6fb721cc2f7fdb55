//! The driver: attempt, accept or reject, observe.

use crate::control::Control as Estimator;
use crate::failure::{FINITE_ADVICE, SINGULAR_ADVICE};
use crate::method::Method;
use crate::newton::Trial;
use crate::rules::SlipRule;
use crate::state::State;
use crate::system::{Instant, Renew, RunError, System, Weights};

/// How the step is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Steps of this length, s; the tolerance bounds the Newton iteration only.
    Fixed {
        /// Step, s.
        step: f64,
    },
    /// Error control.
    Adaptive {
        /// Smallest step, s.
        min_step: f64,
        /// Largest step, s.
        max_step: f64,
        /// First step, s.
        first_step: f64,
    },
    /// Error control in powers of two, as EasyDyn has it: the mean error of all coordinates.
    Halving {
        /// Smallest step, s.
        min_step: f64,
        /// Largest step, s.
        max_step: f64,
        /// First step, s.
        first_step: f64,
    },
    /// The slip speed at the start of a step sets its length; the error is not looked at.
    Slip {
        /// The rule.
        rule: SlipRule,
        /// Smallest step, s.
        min_step: f64,
        /// Largest step, s.
        max_step: f64,
    },
}

/// What to integrate, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// End, s.
    pub end_time: f64,
    /// Relative tolerance of the error of a step.
    pub tolerance: f64,
    /// Choice of the step.
    pub control: Control,
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End here; what was computed is kept.
    Stop,
}

/// An accepted step, seen by the observer.
#[derive(Debug)]
pub struct Segment<'a, S: System> {
    /// The system.
    pub system: &'a S,
    /// The state before.
    pub before: &'a State,
    /// The state after.
    pub after: &'a State,
    /// The displacement of the step.
    pub displacement: &'a [f64],
    /// Whether the loads may jump at the end of the step.
    pub ends_at_breakpoint: bool,
    /// The time of the last evaluation of the step: just before a jump of the loads.
    pub closing_time: f64,
}

impl<S: System> Segment<'_, S> {
    /// The state at time `t` of the step: cubic in the displacement, linear in q̈.
    pub fn interpolate(&self, scratch: &mut S::Scratch, t: f64, work: &mut [f64], out: &mut State) {
        let h = self.after.t - self.before.t;
        let s = ((t - self.before.t) / h).clamp(0.0, 1.0);
        out.t = t;
        for (i, displacement) in work.iter_mut().enumerate() {
            let (d, v0, v1) = (self.displacement[i], self.before.v[i], self.after.v[i]);
            let (c2, c3) = (3.0 * d - h * (2.0 * v0 + v1), h * (v0 + v1) - 2.0 * d);
            *displacement = s * (h * v0 + s * (c2 + s * c3));
            out.v[i] = v0 + s * (2.0 * c2 + s * 3.0 * c3) / h;
            out.a[i] = self.before.a[i] + s * (self.after.a[i] - self.before.a[i]);
        }
        self.system.displace(&self.before.q, work, &mut out.q);
        self.system
            .memory_between(scratch, (self.before, self.after), s, &mut out.memory);
    }
}

/// Sees every accepted step.
pub trait Observer<S: System> {
    /// The state at the start.
    fn start(&mut self, system: &S, state: &State) -> Flow;
    /// An accepted step.
    fn accepted(&mut self, segment: &Segment<'_, S>) -> Flow;
    /// The state after a change of modes at the end of the last step.
    fn switched(&mut self, _system: &S, _state: &State) {}
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Rejected steps.
    pub rejected: usize,
    /// Newton iterations: evaluations of the equations of motion.
    pub iterations: usize,
    /// Changes of mode that were located.
    pub switches: usize,
    /// Whether the observer ended the run.
    pub stopped: bool,
}

/// Integrates from `state` to the end time; `state` is left at the last accepted step.
///
/// # Errors
/// [`RunError`], with the statistics so far; everything accepted was observed.
pub fn run<S: System, O: Observer<S>>(
    system: &S,
    plan: &Plan,
    state: &mut State,
    observer: &mut O,
) -> Result<Statistics, (RunError, Statistics)> {
    let mut driver = Driver::new(system, plan);
    let outcome = driver.run(state, observer);
    driver.statistics.iterations += driver.trial.iterations;
    match outcome {
        Ok(()) => Ok(driver.statistics),
        Err(error) => Err((error, driver.statistics)),
    }
}

/// What drives a run.
pub(crate) struct Driver<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) plan: &'a Plan,
    pub(crate) scratch: S::Scratch,
    pub(crate) trial: Trial,
    pub(crate) estimator: Estimator,
    pub(crate) statistics: Statistics,
    breakpoints: Vec<f64>,
    /// Step wished by the error control.
    pub(crate) wish: f64,
    /// Step that the committed algorithmic acceleration is placed for.
    pub(crate) placed_for: f64,
    /// Whether the system has modes whose changes are located.
    pub(crate) switches: bool,
    /// Changes of mode that followed each other at once.
    pub(crate) hurry: i32,
}

impl<'a, S: System> Driver<'a, S> {
    fn new(system: &'a S, plan: &'a Plan) -> Self {
        let wish = match plan.control {
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
            trial: Trial::new(system),
            estimator: Estimator::new(system, plan.tolerance),
            statistics: Statistics::default(),
            breakpoints: system.breakpoints(plan.end_time),
            wish,
            placed_for: 0.0,
            switches: system.switches(),
            hurry: 0,
        }
    }

    fn run<O: Observer<S>>(&mut self, state: &mut State, observer: &mut O) -> Result<(), RunError> {
        self.restart(state)?;
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
            let target = self.breakpoints.get(next).copied().unwrap_or(end).min(end);
            let landing = self.step(state, target, close)?;
            std::mem::swap(&mut before, state);
            state.copy_from(&self.trial.state);
            if landing.on_target {
                state.t = target;
            }
            self.estimator.accept(&before, &self.trial.displacement);
            self.statistics.steps += 1;
            let at_breakpoint = landing.on_target && target < end;
            let segment = Segment {
                system: self.system,
                before: &before,
                after: state,
                displacement: &self.trial.displacement,
                ends_at_breakpoint: at_breakpoint,
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
            if landing.switches {
                self.statistics.switches += 1;
                self.system.switch(&mut self.scratch, state);
            }
            if landing.switches || at_breakpoint {
                self.restart(state)?;
                self.start_small();
            }
            if landing.switches {
                observer.switched(self.system, state);
            }
        }
        Ok(())
    }

    /// After a jump the first step is short.
    fn start_small(&mut self) {
        if let Control::Adaptive { first_step, .. } | Control::Halving { first_step, .. } =
            self.plan.control
        {
            self.wish = (0.1 * self.wish).max(first_step);
        }
    }

    /// Consistent accelerations at the committed state; forgets the past.
    fn restart(&mut self, state: &mut State) -> Result<(), RunError> {
        self.trial.forget();
        self.estimator.forget();
        let n = state.a.len();
        let (rest, mut memory) = (vec![0.0; n], state.memory.clone());
        let at = Instant {
            t: state.t,
            q: &state.q,
            v: &state.v,
            a: &rest,
            memory: &state.memory,
            step: 0.0,
        };
        let weights = Weights {
            mass: 1.0,
            damping: 0.0,
            stiffness: 0.0,
        };
        let mut a = vec![0.0; n];
        self.statistics.iterations += 1;
        let factorised = self.system.factorise(
            &mut self.scratch,
            &at,
            (weights, Renew::All),
            &mut a,
            &mut memory,
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
