//! The length of the next step.

use super::ErrorControl;
use crate::method::Method;

/// Safety factor of the step-size rule.
const SAFETY: f64 = 0.9;
/// Bounds on the change of the step; a method of fourth order follows a smooth motion in long steps.
const SHRINK: f64 = 0.2;
const GROW: f64 = 2.0;
const GROW_FAST: f64 = 5.0;
/// Gains of the error and of its growth since the last step, times the order of the error: integral
/// and proportional control (Gustafsson 1991).
const INTEGRAL: f64 = 0.7;
const PROPORTIONAL: f64 = 0.3;
/// Smallest error of the last step that counts.
const SMALLEST_ERROR: f64 = 1e-4;
/// Growth below this keeps the step, and with it the factors.
const KEEP: f64 = 1.15;

impl ErrorControl {
    /// The factor on the step after a step with this error.
    pub(crate) fn factor(&mut self, error: f64, method: Method) -> f64 {
        if error.is_nan() {
            self.refused = true;
            return SHRINK;
        }
        let order = method.order();
        let error = error.max(1e-12);
        if error > 1.0 {
            self.refused = true;
            return (SAFETY * error.powf(-1.0 / order)).max(SHRINK);
        }
        let most = match (self.refused, method) {
            (true, _) => 1.0,
            (false, Method::GeneralisedAlpha(_)) => GROW,
            (false, Method::Esdirk4) => GROW_FAST,
        };
        let growth = error / self.last_error;
        let factor = SAFETY * error.powf(-INTEGRAL / order) * growth.powf(-PROPORTIONAL / order);
        self.last_error = error.max(SMALLEST_ERROR);
        let factor = factor.clamp(SHRINK, most);
        // a step with stages renews its factors anyway
        if method != Method::Esdirk4 && (1.0..KEEP).contains(&factor) {
            1.0
        } else {
            factor
        }
    }
}
