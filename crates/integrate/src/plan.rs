//! What to integrate, and how.

use crate::method::Method;
use crate::rules::SlipRule;

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

impl Plan {
    /// Times closer than this are the same, s: rounding of a sum of steps.
    pub fn close(&self) -> f64 {
        1e-12 * self.end_time.abs().max(f64::MIN_POSITIVE)
    }
}
