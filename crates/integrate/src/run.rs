//! The driver: attempt, accept or reject, observe.

use crate::control::{self, Control as Estimator};
use crate::method::Method;
use crate::newton::{Failure, Trial};
use crate::state::State;
use crate::system::{Instant, RunError, System, Weights};

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
    /// Whether the observer ended the run.
    pub stopped: bool,
}

const NEWTON_ADVICE: &str =
    "Allow smaller steps (min_step), check the stiffness and the units of this element";
const STEP_ADVICE: &str =
    "Relax the tolerance, lower min_step, or look for a jump in the loads or in a law";
const SINGULAR_ADVICE: &str = "Give the body a mass and an inertia, or fix the free direction";
const FINITE_ADVICE: &str = "Check the loads and parameters of this element";

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

struct Driver<'a, S: System> {
    system: &'a S,
    plan: &'a Plan,
    scratch: S::Scratch,
    trial: Trial,
    estimator: Estimator,
    statistics: Statistics,
    breakpoints: Vec<f64>,
    /// Step wished by the error control.
    wish: f64,
    /// Step that the committed algorithmic acceleration is placed for.
    placed_for: f64,
}

impl<'a, S: System> Driver<'a, S> {
    fn new(system: &'a S, plan: &'a Plan) -> Self {
        let wish = match plan.control {
            Control::Fixed { step } => step,
            Control::Adaptive { first_step, .. } => first_step,
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
            let lands = self.step(state, target, close)?;
            std::mem::swap(&mut before, state);
            state.copy_from(&self.trial.state);
            if lands {
                state.t = target;
            }
            self.estimator.accept(&before, &self.trial.displacement);
            self.statistics.steps += 1;
            let segment = Segment {
                system: self.system,
                before: &before,
                after: state,
                displacement: &self.trial.displacement,
                ends_at_breakpoint: lands && target < end,
                closing_time: self.trial.state.t,
            };
            if observer.accepted(&segment) == Flow::Stop {
                self.statistics.stopped = end - state.t > close;
                return Ok(());
            }
            if lands && target < end {
                while self
                    .breakpoints
                    .get(next)
                    .is_some_and(|b| *b - state.t <= close)
                {
                    next += 1;
                }
                self.restart(state)?;
                if let Control::Adaptive { first_step, .. } = self.plan.control {
                    self.wish = (0.1 * self.wish).max(first_step);
                }
            }
        }
        Ok(())
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
        let factorised =
            self.system
                .factorise(&mut self.scratch, &at, weights, &mut a, &mut memory);
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

    /// One accepted step towards `target`, left in `self.trial`; true if it lands there.
    fn step(&mut self, state: &mut State, target: f64, close: f64) -> Result<bool, RunError> {
        self.estimator.allow(state);
        let mut wish = self.wish;
        loop {
            // land just before a breakpoint: a jump of the loads belongs to the next step
            let left = if target < self.plan.end_time {
                target - state.t - 0.5 * close
            } else {
                target - state.t
            };
            // stretch or halve the last steps so that no sliver is left over
            let h = if wish > left - close || wish * 1.01 > left {
                left
            } else if wish * 2.0 > left && matches!(self.plan.control, Control::Adaptive { .. }) {
                0.5 * left
            } else {
                wish
            };
            let lands = h >= left;
            self.shift_algorithmic(state, h);
            let arguments = (&*state, h, self.plan.method);
            let tried = self.trial.attempt(
                self.system,
                &mut self.scratch,
                arguments,
                &self.estimator.allowed,
            );
            match tried {
                Err(failure) => {
                    self.statistics.rejected += 1;
                    self.trial.forget();
                    wish = 0.25 * h;
                    if wish < self.smallest() {
                        return Err(self.failed(state, h, failure));
                    }
                }
                Ok(()) => match self.plan.control {
                    Control::Fixed { .. } => return Ok(lands),
                    Control::Adaptive {
                        min_step, max_step, ..
                    } => {
                        let arguments = (&*state, &self.trial, self.plan.method);
                        let estimate =
                            self.estimator
                                .estimate(self.system, &mut self.scratch, arguments);
                        let factor = control::factor(estimate.error);
                        if estimate.error <= 1.0 {
                            // a step cut short to land somewhere does not shorten the next one
                            let grown = (h * factor).min(max_step);
                            self.wish = if h < self.wish {
                                grown.max(wish.min(self.wish))
                            } else {
                                grown
                            };
                            return Ok(lands);
                        }
                        self.statistics.rejected += 1;
                        wish = h * factor.min(0.9);
                        self.wish = wish;
                        if wish < min_step {
                            return Err(self.too_small(state, min_step, estimate.worst));
                        }
                    }
                },
            }
        }
    }

    /// Moves the method's acceleration to its place for a step of another length.
    ///
    /// a_n belongs to the time t_n + (α_m − α_f) h, so its distance from q̈_n scales with h.
    fn shift_algorithmic(&mut self, state: &mut State, h: f64) {
        let method = self.plan.method;
        let shifted = (method.alpha_m - method.alpha_f).abs() > f64::EPSILON;
        if shifted && self.placed_for > 0.0 {
            let ratio = h / self.placed_for;
            for (algorithmic, a) in state.algorithmic.iter_mut().zip(&state.a) {
                *algorithmic = a + ratio * (*algorithmic - a);
            }
        }
        self.placed_for = h;
    }

    fn smallest(&self) -> f64 {
        match self.plan.control {
            Control::Fixed { step } => step * 1e-6,
            Control::Adaptive { min_step, .. } => min_step,
        }
    }

    fn failed(&mut self, state: &State, step: f64, failure: Failure) -> RunError {
        let at = Instant {
            t: state.t,
            q: &state.q,
            v: &state.v,
            a: &state.a,
            memory: &state.memory,
            step: 0.0,
        };
        let t = state.t;
        match failure {
            Failure::Diverged(dof) => {
                let element = self.system.blame(&mut self.scratch, &at, dof);
                RunError::NotConverged {
                    t,
                    step,
                    element,
                    advice: NEWTON_ADVICE,
                }
            }
            Failure::Singular(dof) => {
                let element = self.system.blame(&mut self.scratch, &at, dof);
                RunError::Singular {
                    t,
                    element,
                    advice: SINGULAR_ADVICE,
                }
            }
            Failure::NotFinite(dof) => {
                let element = self.system.blame(&mut self.scratch, &at, dof);
                RunError::NotFinite {
                    t,
                    element,
                    advice: FINITE_ADVICE,
                }
            }
        }
    }

    fn too_small(&mut self, state: &State, step: f64, worst: usize) -> RunError {
        let at = Instant {
            t: state.t,
            q: &state.q,
            v: &state.v,
            a: &state.a,
            memory: &state.memory,
            step: 0.0,
        };
        let element = self.system.blame(&mut self.scratch, &at, worst);
        RunError::StepTooSmall {
            t: state.t,
            step,
            element,
            advice: STEP_ADVICE,
        }
    }
}
