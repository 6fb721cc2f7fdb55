//! One accepted step: its length, its trials, and the change of a mode inside it.

use crate::control;
use crate::newton::Failure;
use crate::rules;
use crate::run::{Control, Driver};
use crate::state::State;
use crate::system::{RunError, SlipState, System};

/// A change of mode counts as reached where the margin is between minus this and 0.
const REACHED: f64 = 1e-9;
/// Trials to find a change of mode.
const SEARCHES: usize = 50;
/// A search goes on until its interval is this short, in smallest steps.
const SHORTEST: f64 = 1e-3;
/// A step that is cut where a motion turns keeps this part at least and at most.
const TURN: (f64, f64) = (0.02, 0.95);
/// Largest number of doublings of the shortest step between changes of mode.
const MAX_HURRY: i32 = 40;

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Landing {
    /// At the target time.
    pub(crate) on_target: bool,
    /// At a change of mode.
    pub(crate) switches: bool,
}

impl<S: System> Driver<'_, S> {
    /// One accepted step towards `target`, left in `self.trial`.
    pub(crate) fn step(
        &mut self,
        state: &mut State,
        target: f64,
        close: f64,
    ) -> Result<Landing, RunError> {
        self.estimator.allow(state);
        // land just before a breakpoint: a jump of the loads belongs to the next step
        let left = if target < self.plan.end_time {
            target - state.t - 0.5 * close
        } else {
            target - state.t
        };
        let mut wish = self.wish_from(state);
        loop {
            let h = self.length(wish, left);
            if let Err(failure) = self.attempt(state, h) {
                self.statistics.rejected += 1;
                self.trial.forget();
                wish = 0.25 * h;
                if wish < self.smallest() {
                    return Err(self.failed(state, h, failure));
                }
                continue;
            }
            if let Some(shorter) = self.judge(state, h, wish)? {
                self.statistics.rejected += 1;
                wish = shorter;
                continue;
            }
            if let Some(shorter) = self.turns(state, h) {
                self.statistics.rejected += 1;
                wish = shorter;
                continue;
            }
            if !self.switches {
                return Ok(Landing {
                    on_target: h >= left,
                    switches: false,
                });
            }
            match self.find_switch(state, h) {
                Ok((length, switches)) => {
                    return Ok(Landing {
                        on_target: length >= left,
                        switches,
                    });
                }
                Err(failure) => {
                    self.statistics.rejected += 1;
                    self.trial.forget();
                    wish = 0.25 * h;
                    if wish < self.smallest() {
                        return Err(self.failed(state, h, failure));
                    }
                }
            }
        }
    }

    /// The step to try first.
    fn wish_from(&mut self, state: &State) -> f64 {
        let Control::Slip {
            rule,
            min_step,
            max_step,
        } = self.plan.control
        else {
            return self.wish;
        };
        let mut wish = max_step;
        let mut each = |slip: SlipState| wish = wish.min(rule.step(slip, (min_step, max_step)));
        self.system.slips(&mut self.scratch, state, &mut each);
        wish
    }

    /// Stretches or halves the last steps before a target so that no sliver is left over.
    fn length(&self, wish: f64, left: f64) -> f64 {
        if wish * 1.01 > left {
            left
        } else if wish * 2.0 > left && matches!(self.plan.control, Control::Adaptive { .. }) {
            0.5 * left
        } else if wish * 1.4 > left && matches!(self.plan.control, Control::Halving { .. }) {
            left
        } else {
            wish
        }
    }

    fn attempt(&mut self, state: &mut State, h: f64) -> Result<(), Failure> {
        self.shift_algorithmic(state, h);
        let arguments = (&*state, h, self.plan.method);
        self.trial.attempt(
            self.system,
            &mut self.scratch,
            arguments,
            (&self.estimator.allowed, self.estimator.last()),
        )
    }

    /// Judges a converged trial: the next wish is kept, or a shorter step is asked for.
    fn judge(&mut self, state: &State, h: f64, wish: f64) -> Result<Option<f64>, RunError> {
        let (error, worst, factor, min_step, max_step) = match self.plan.control {
            Control::Fixed { .. } | Control::Slip { .. } => return Ok(None),
            Control::Adaptive {
                min_step, max_step, ..
            } => {
                let arguments = (state, &self.trial, self.plan.method);
                let estimate = self
                    .estimator
                    .estimate(self.system, &mut self.scratch, arguments);
                let factor = control::factor(estimate.error);
                (estimate.error, estimate.worst, factor, min_step, max_step)
            }
            Control::Halving {
                min_step, max_step, ..
            } => {
                let travelled = &self.estimator.travelled;
                let error =
                    rules::halving_error(state, &self.trial, travelled, self.plan.tolerance);
                (error, 0, rules::halving_factor(error), min_step, max_step)
            }
        };
        if error <= 1.0 {
            // a step cut short to land somewhere does not shorten the next one
            let grown = (h * factor).min(max_step);
            self.wish = if h < self.wish {
                grown.max(wish.min(self.wish))
            } else {
                grown
            };
            return Ok(None);
        }
        let shorter = h * factor.min(0.9);
        self.wish = shorter;
        if shorter < min_step {
            return Err(self.too_small(state, min_step, worst));
        }
        Ok(Some(shorter))
    }

    /// A shorter step that ends where a motion turns, under error control.
    fn turns(&self, state: &State, h: f64) -> Option<f64> {
        let Control::Adaptive { min_step, .. } = self.plan.control else {
            return None;
        };
        let fraction = self.system.turn(state, &self.trial.state)?;
        let shorter = h * fraction.clamp(TURN.0, TURN.1);
        (shorter > min_step).then_some(shorter)
    }

    /// Shortens a converged step of length `h` to the first change of a mode, if there is one.
    ///
    /// Within a step modes do not change, so the margin is a smooth function of the step's
    /// length; its zero is found by false position (Illinois rule). The step ends just behind it.
    /// Changes that follow each other at once may not hold the run up: the shortest step between
    /// them doubles every time.
    fn find_switch(&mut self, state: &mut State, h: f64) -> Result<(f64, bool), Failure> {
        let end = self.system.margin(&mut self.scratch, &self.trial.state);
        if end >= 0.0 {
            self.hurry = 0;
            return Ok((h, false));
        }
        let start = self.system.margin(&mut self.scratch, state);
        let shortest = (self.smallest() * f64::from(self.hurry).exp2()).min(h);
        // the zero is sought in the middle of what counts as reached
        let shift = 0.5 * REACHED;
        let mut search = Search::new((0.0, start + shift), (h, end + shift));
        let mut reached = end >= -REACHED;
        let mut tried = h;
        for _ in 0..SEARCHES {
            if reached || search.length() <= SHORTEST * self.smallest() || search.high <= shortest {
                break;
            }
            tried = search.next().max(shortest.min(search.middle()));
            self.attempt(state, tried)?;
            let margin = self.system.margin(&mut self.scratch, &self.trial.state);
            reached = (-REACHED..=0.0).contains(&margin);
            search.note(tried, if reached { -0.0 } else { margin + shift });
        }
        let high = search.high;
        if (tried - high).abs() > 0.0 {
            self.attempt(state, high)?;
        }
        self.hurry = if high <= 4.0 * shortest {
            (self.hurry + 1).min(MAX_HURRY)
        } else {
            0
        };
        Ok((high, true))
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
            Control::Adaptive { min_step, .. } | Control::Halving { min_step, .. } => min_step,
            // the rule's own bound is no limit for a step that does not converge
            Control::Slip { min_step, .. } => min_step * 1e-6,
        }
    }
}

/// False position with the Illinois rule: an end that stays twice counts half.
#[derive(Clone, Copy, Debug)]
struct Search {
    low: f64,
    high: f64,
    at_low: f64,
    at_high: f64,
    /// The end that moved last.
    moved: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Low,
    High,
}

impl Search {
    /// Between two points (x, f) with f < 0 at the second one.
    fn new((low, at_low): (f64, f64), (high, at_high): (f64, f64)) -> Self {
        Self {
            low,
            high,
            at_low,
            at_high,
            moved: None,
        }
    }

    fn length(&self) -> f64 {
        self.high - self.low
    }

    fn middle(&self) -> f64 {
        0.5 * (self.low + self.high)
    }

    fn next(&self) -> f64 {
        let secant =
            (self.low * self.at_high - self.high * self.at_low) / (self.at_high - self.at_low);
        if self.at_low > 0.0 && secant > self.low && secant < self.high {
            secant
        } else {
            self.middle()
        }
    }

    fn note(&mut self, x: f64, value: f64) {
        if value.is_sign_negative() {
            (self.high, self.at_high) = (x, value);
            if self.moved == Some(End::High) {
                self.at_low *= 0.5;
            }
            self.moved = Some(End::High);
        } else {
            (self.low, self.at_low) = (x, value);
            if self.moved == Some(End::Low) {
                self.at_high *= 0.5;
            }
            self.moved = Some(End::Low);
        }
    }
}
