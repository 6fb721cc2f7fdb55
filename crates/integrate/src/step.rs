//! One accepted step: its length, its trials, and the change of a mode inside it.

use crate::control::{ErrorEstimate, StagedTrial, TriedStep};
use crate::driver::RunDriver;
use crate::method::{GeneralisedAlpha, Method};
use crate::newton::{StepFailure, TrialStep};
use crate::observer::Forced;
use crate::plan::Control;
use crate::root::{BracketPoint, RootSearch};
use crate::rules;
use crate::stages::StageTrial;
use crate::state::State;
use crate::system::{RunError, SlipState, System};
use crate::tableau::{LATER, WITHIN};

/// A change of mode counts as reached where the margin is between minus this and 0.
const REACHED: f64 = 1e-9;
/// Trials to find a change of mode.
const SEARCHES: usize = 50;
/// A search goes on until its interval is this short, in smallest steps.
const SHORTEST: f64 = 1e-3;
/// A step that is cut where a motion reverses keeps this part at least and at most.
const REVERSAL: (f64, f64) = (0.02, 0.95);
/// A step this much longer than the smallest one is as short.
const SAME_STEP: f64 = 1.0 + 1e-9;
/// So many steps in a row may have too large an error.
const MAX_FORCED: usize = 6000;
/// After so many of them the smallest step doubles: bounces that follow each other ever faster come to
/// rest at a time that smaller steps would not reach.
const PATIENCE: usize = 200;
/// A step that does not converge may be shorter than the smallest one by this factor: what asks for it lasts no longer (a
/// falling friction curve in the impact of a light body).
const TO_CONVERGE: f64 = 1e-2;
/// Largest number of doublings of the shortest step between changes of mode.
const MAX_DOUBLINGS: i32 = 40;

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Landing {
    /// At the target time.
    pub(crate) on_target: bool,
    /// At a change of mode.
    pub(crate) changes_mode: bool,
}

/// A step up to the first change of a mode, if there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ModeSearch {
    /// Length of the step, s.
    length: f64,
    changes_mode: bool,
}

/// The judgement of the error control on a step.
struct StepJudgement {
    /// Error in units of the tolerance.
    error: f64,
    /// Degree of freedom with the largest share.
    worst: usize,
    /// Factor on the length of the step.
    factor: f64,
    min_step: f64,
    max_step: f64,
}

impl<S: System> RunDriver<'_, S> {
    /// One accepted step towards `target`, left in `self.run.trial`.
    pub(crate) fn step(&mut self, state: &mut State, target: f64) -> Result<Landing, RunError> {
        let left = target - state.t;
        let mut proposed = self.first_length(state);
        loop {
            let h = self.length(proposed, left);
            if let Err(failure) = self.attempt(state, h, h >= left) {
                self.run.statistics.rejected += 1;
                self.look_for_jam(state)?;
                self.run.trial.forget();
                proposed = 0.25 * h;
                if proposed < self.shortest_trial() {
                    return Err(self.failed(state, h, failure));
                }
                continue;
            }
            if let Some(shorter) = self.judge(state, h, proposed)? {
                self.run.statistics.rejected += 1;
                proposed = shorter;
                continue;
            }
            if let Some(shorter) = self.reversal(state, h) {
                self.run.statistics.rejected += 1;
                proposed = shorter;
                continue;
            }
            if !self.run.has_modes {
                return Ok(Landing {
                    on_target: h >= left,
                    changes_mode: false,
                });
            }
            match self.find_mode_change(state, h) {
                Ok(found) => {
                    return Ok(Landing {
                        on_target: found.length >= left,
                        changes_mode: found.changes_mode,
                    });
                }
                Err(failure) => {
                    self.run.statistics.rejected += 1;
                    self.run.trial.forget();
                    proposed = 0.25 * h;
                    if proposed < self.shortest_trial() {
                        return Err(self.failed(state, h, failure));
                    }
                }
            }
        }
    }

    /// The step to try first.
    fn first_length(&mut self, state: &State) -> f64 {
        if let Some(ends) = &self.run.ends {
            let close = self.plan.close();
            let next = ends.partition_point(|end| *end <= state.t + close);
            let last = self.plan.end_time - state.t;
            return ends.get(next).map_or(last, |end| end - state.t);
        }
        let Control::Slip {
            rule,
            min_step,
            max_step,
        } = self.plan.control
        else {
            let is_free = matches!(self.plan.control, Control::Adaptive { .. });
            return if is_free && self.plan.method == Method::Esdirk4 {
                let longest = self.run.errors.longest_turn(state);
                self.run.proposed_step.min(longest)
            } else {
                self.run.proposed_step
            };
        };
        let bounds = rules::Bounds { min_step, max_step };
        let mut proposed = max_step;
        let mut each = |slip: SlipState| proposed = proposed.min(rule.step(slip, bounds));
        self.system
            .slip_states(&mut self.run.scratch, state, &mut each);
        proposed
    }

    /// Stretches or halves the last steps before a target so that no sliver is left over.
    fn length(&self, proposed: f64, left: f64) -> f64 {
        if self.run.ends.is_some() {
            return proposed.min(left);
        }
        if proposed * 1.01 > left {
            left
        } else if proposed * 2.0 > left && matches!(self.plan.control, Control::Adaptive { .. }) {
            0.5 * left
        } else if proposed * 1.4 > left && matches!(self.plan.control, Control::Halving { .. }) {
            left
        } else {
            proposed
        }
    }

    /// Tries a step of `h` s; one that ends where loads may jump looks at nothing beyond.
    fn attempt(&mut self, state: &mut State, h: f64, lands: bool) -> Result<(), StepFailure> {
        let run = &mut *self.run;
        run.errors.set_tolerances(state, h);
        let before = run.errors.last();
        match self.plan.method {
            Method::GeneralisedAlpha(method) => {
                if let Some(last) = run.algorithmic_step.replace(h) {
                    shift_algorithmic(&method, state, h / last);
                }
                let step = TrialStep {
                    from: state,
                    h,
                    method,
                    allowed: &run.errors.allowed,
                    before,
                };
                run.trial.attempt(self.system, &mut run.scratch, &step)?;
            }
            Method::Esdirk4 => {
                let step = StageTrial {
                    from: state,
                    h,
                    tableau: if lands { &WITHIN } else { &LATER },
                    allowed: &run.errors.allowed,
                    before,
                };
                run.stages
                    .attempt(self.system, &mut run.scratch, &mut run.trial, &step)?;
            }
        }
        run.projection
            .apply(self.system, &mut run.scratch, state, &mut run.trial);
        Ok(())
    }

    /// Judges a converged trial: keeps the length proposed for the next step, or asks for a shorter one.
    fn judge(&mut self, state: &State, h: f64, proposed: f64) -> Result<Option<f64>, RunError> {
        if self.run.ends.is_some() {
            return Ok(None);
        }
        let judgement = match self.plan.control {
            Control::Fixed { .. } | Control::Slip { .. } => return Ok(None),
            Control::Adaptive {
                min_step, max_step, ..
            } => {
                let estimate = self.estimate(state);
                let method = self.plan.method;
                StepJudgement {
                    error: estimate.error,
                    worst: estimate.worst,
                    factor: self.run.errors.factor(estimate.error, method),
                    min_step,
                    max_step,
                }
            }
            Control::Halving {
                min_step, max_step, ..
            } => {
                let travelled = &self.run.errors.travelled;
                let error =
                    rules::halving_error(state, &self.run.trial, travelled, self.plan.tolerance);
                StepJudgement {
                    error,
                    worst: 0,
                    factor: rules::halving_factor(error),
                    min_step,
                    max_step,
                }
            }
        };
        let StepJudgement { error, factor, .. } = judgement;
        if error <= 1.0 {
            // a step cut short to land somewhere does not shorten the next one
            let grown = (h * factor).min(judgement.max_step);
            self.run.proposed_step = if h < self.run.proposed_step {
                grown.max(proposed.min(self.run.proposed_step))
            } else {
                grown
            };
            self.run.successive_forced = 0;
            return Ok(None);
        }
        let doublings = (self.run.successive_forced / PATIENCE) as f64;
        let min_step = (judgement.min_step * doublings.exp2()).min(judgement.max_step);
        let shorter = (h * factor.min(0.9)).max(min_step);
        self.run.proposed_step = shorter;
        if h > SAME_STEP * min_step {
            return Ok(Some(shorter));
        }
        self.force(state, &judgement)?;
        Ok(None)
    }

    /// The error of a converged trial.
    fn estimate(&mut self, state: &State) -> ErrorEstimate {
        let run = &mut *self.run;
        let trial = &run.trial;
        let estimate = match self.plan.method {
            Method::GeneralisedAlpha(method) => {
                let step = TriedStep {
                    from: state,
                    trial,
                    method,
                };
                run.errors.estimate(self.system, &mut run.scratch, &step)
            }
            Method::Esdirk4 => {
                let step = StagedTrial { from: state, trial };
                run.errors
                    .embedded(self.system, &mut run.scratch, &run.stages, &step)
            }
        };
        estimate.with(run.projection.size(&run.errors.allowed))
    }

    /// Accepts a smallest step whose error is too large: a force jumps in it. Where that does not
    /// pass, the run ends.
    fn force(&mut self, state: &State, judgement: &StepJudgement) -> Result<(), RunError> {
        let StepJudgement {
            error,
            worst,
            min_step,
            ..
        } = *judgement;
        self.look_for_jam(state)?;
        self.run.successive_forced += 1;
        if error.is_nan() || self.run.successive_forced > MAX_FORCED {
            return Err(self.too_small(state, min_step, worst));
        }
        let t = state.t;
        let before = self.run.statistics.forced.take();
        let (count, first) = before.as_ref().map_or((0, t), |f| (f.count, f.first));
        let forced = before.filter(|f| f.error >= error);
        let mut forced = forced.unwrap_or_else(|| {
            Box::new(Forced {
                count,
                first,
                last: t,
                error,
                element: self.blame(state, worst),
            })
        });
        (forced.count, forced.last) = (count + 1, t);
        self.run.statistics.forced = Some(forced);
        Ok(())
    }

    /// A shorter step that ends where a motion reverses, under error control.
    fn reversal(&self, state: &State, h: f64) -> Option<f64> {
        let Control::Adaptive { min_step, .. } = self.plan.control else {
            return None;
        };
        let tolerated = self.plan.tolerance;
        let fraction = self
            .system
            .reversal(tolerated, state, &self.run.trial.state)?;
        let shorter = h * fraction.clamp(REVERSAL.0, REVERSAL.1);
        (shorter > min_step).then_some(shorter)
    }

    /// Shortens a converged step of length `h` to the first change of a mode, if there is one.
    ///
    /// Within a step modes do not change, so the margin is a smooth function of the step's
    /// length; its zero is found by false position (Illinois rule). The step ends just behind it.
    /// Changes that follow each other at once may not hold the run up: the shortest step between
    /// them doubles every time.
    fn find_mode_change(&mut self, state: &mut State, h: f64) -> Result<ModeSearch, StepFailure> {
        let end = self
            .system
            .mode_margin(&mut self.run.scratch, &self.run.trial.state);
        if end >= 0.0 {
            self.run.successive_changes = 0;
            return Ok(ModeSearch {
                length: h,
                changes_mode: false,
            });
        }
        let start = self.system.mode_margin(&mut self.run.scratch, state);
        let shortest = (self.smallest() * f64::from(self.run.successive_changes).exp2()).min(h);
        // the zero is sought in the middle of what counts as reached
        let shift = 0.5 * REACHED;
        let low = BracketPoint {
            x: 0.0,
            f: start + shift,
        };
        let high = BracketPoint {
            x: h,
            f: end + shift,
        };
        let mut search = RootSearch::new(low, high);
        let mut reached = end >= -REACHED;
        let mut tried = h;
        for _ in 0..SEARCHES {
            if reached || search.length() <= SHORTEST * self.smallest() || search.high.x <= shortest
            {
                break;
            }
            tried = search.next().max(shortest.min(search.middle()));
            self.attempt(state, tried, false)?;
            let margin = self
                .system
                .mode_margin(&mut self.run.scratch, &self.run.trial.state);
            reached = (-REACHED..=0.0).contains(&margin);
            search.note(tried, if reached { -0.0 } else { margin + shift });
        }
        let high = search.high.x;
        if (tried - high).abs() > 0.0 {
            self.attempt(state, high, false)?;
        }
        self.run.successive_changes = if high <= 4.0 * shortest {
            (self.run.successive_changes + 1).min(MAX_DOUBLINGS)
        } else {
            0
        };
        Ok(ModeSearch {
            length: high,
            changes_mode: true,
        })
    }

    /// The shortest step that is tried where longer ones do not converge.
    fn shortest_trial(&self) -> f64 {
        match self.plan.control {
            Control::Adaptive { .. } | Control::Halving { .. } => TO_CONVERGE * self.smallest(),
            Control::Fixed { .. } | Control::Slip { .. } => self.smallest(),
        }
    }

    fn smallest(&self) -> f64 {
        match self.plan.control {
            Control::Fixed { step } => step * 1e-6,
            Control::Adaptive { min_step, .. } | Control::Halving { min_step, .. } => min_step,
            // the rule's own bound is no limit for a step that does not converge
            Control::Slip { min_step, .. } => min_step * 1e-6,
        }
    }
}

/// Moves the method's acceleration to its place for a step of another length, `ratio` times the last.
///
/// a_n belongs to the time t_n + (α_m − α_f) h, so its distance from q̈_n scales with h.
fn shift_algorithmic(method: &GeneralisedAlpha, state: &mut State, ratio: f64) {
    if (method.alpha_m - method.alpha_f).abs() > f64::EPSILON {
        for (algorithmic, a) in state.algorithmic.iter_mut().zip(&state.a) {
            *algorithmic = a + ratio * (*algorithmic - a);
        }
    }
}
