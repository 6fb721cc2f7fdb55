//! Step rules of other codes, beside the error control of this one.

use crate::newton::NewtonTrial;
use crate::state::State;
use crate::system::SlipState;

/// Rules that set the step from the slip speed V_r before it.
///
/// With ν = (V_r/v_s)/ν_min. Source: Dymore user's manual, the Coulomb and LuGre friction
/// models, eqs. 4, 5, 8 and 9. The parameter T_s listed there is not explained and not used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlipRule {
    /// Δt = Δt_min + (Δt_max − Δt_min) tanh⁴ ν (eq. 4).
    Tanh {
        /// ν_min; the manual has 5.
        reference: f64,
    },
    /// Ω Δt = Δτ_min max(1, ν^α) with the law's rate Ω = σ₀ v_s/μ_k (eq. 8).
    Power {
        /// Δτ_min; the manual has 0.02.
        reduced_step: f64,
        /// ν_min; the manual has 5.
        reference: f64,
        /// α; the manual has 1.2.
        exponent: f64,
    },
}

/// Bounds of a step, s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) min_step: f64,
    pub(crate) max_step: f64,
}

impl SlipRule {
    /// The step for one sliding pair.
    pub(crate) fn step(&self, slip: SlipState, bounds: Bounds) -> f64 {
        let Bounds { min_step, max_step } = bounds;
        match *self {
            Self::Tanh { reference } => {
                let share = (slip.ratio / reference).tanh().powi(4);
                min_step + (max_step - min_step) * share
            }
            Self::Power {
                reduced_step,
                reference,
                exponent,
            } => {
                let nu = slip.ratio / reference;
                let step = reduced_step / slip.rate * nu.powf(exponent).max(1.0);
                // a law without state (rate 0) sets no limit
                if step.is_nan() {
                    max_step
                } else {
                    step.clamp(min_step, max_step)
                }
            }
        }
    }
}

/// EasyDyn's error of a step in units of the tolerance: root mean square of h² |Δq̈|/12, each
/// coordinate in units of max(1, |q|, h|q̇|, h²|q̈|): equal absolute and relative tolerance.
///
/// `travelled` are the displacements since the start of the run, up to `from`.
pub(crate) fn halving_error(
    from: &State,
    trial: &NewtonTrial,
    travelled: &[f64],
    tolerance: f64,
) -> f64 {
    let to = &trial.state;
    let h = to.t - from.t;
    let n = from.a.len();
    let sum: f64 = (0..n)
        .map(|i| {
            let error = h * h * (to.a[i] - from.a[i]).abs() / 12.0;
            let size = (travelled[i] + trial.displacement[i])
                .abs()
                .max(h * to.v[i].abs())
                .max(h * h * to.a[i].abs());
            let error = error / size.max(1.0);
            error * error
        })
        .sum();
    (sum / n.max(1) as f64).sqrt() / tolerance
}

/// The factor on the step after an error: a power of two, 1 between a quarter and 1.
pub(crate) fn halving_factor(error: f64) -> f64 {
    if error.is_nan() {
        return 0.25;
    }
    let halvings = error.max(1e-30).sqrt().log2();
    if error > 1.0 {
        (-halvings.ceil()).exp2()
    } else if error < 0.25 {
        (-halvings).floor().exp2()
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_have_the_values_of_the_manual() {
        let slip = |ratio| SlipState { ratio, rate: 1e3 };
        let bounds = Bounds {
            min_step: 1e-4,
            max_step: 1e-3,
        };
        let tanh = SlipRule::Tanh { reference: 5.0 };
        // at rest the smallest step, far above v_s the largest; tanh(1)^4 = 0.336430 between
        assert!((tanh.step(slip(0.0), bounds) - 1e-4).abs() < 1e-18);
        assert!((tanh.step(slip(1e3), bounds) - 1e-3).abs() < 1e-15);
        assert!((tanh.step(slip(5.0), bounds) - (1e-4 + 9e-4 * 0.336_429_8)).abs() < 1e-10);
        let power = SlipRule::Power {
            reduced_step: 0.02,
            reference: 5.0,
            exponent: 1.2,
        };
        let wide = Bounds {
            min_step: 1e-9,
            max_step: 1.0,
        };
        // 0.02/1000 s up to nu = 1, then 2^1.2 = 2.297397 times that at nu = 2
        assert!((power.step(slip(0.0), wide) - 2e-5).abs() < 1e-18);
        assert!((power.step(slip(5.0), wide) - 2e-5).abs() < 1e-18);
        assert!((power.step(slip(10.0), wide) - 2e-5 * 2.297_396_7).abs() < 1e-11);
    }

    #[test]
    fn steps_change_in_powers_of_two() {
        // 1.5 asks for half, 16 for a quarter, 17 for an eighth; 0.3 keeps; 1/16 allows four times
        for (error, factor) in [
            (1.5, 0.5),
            (16.0, 0.25),
            (17.0, 0.125),
            (0.3, 1.0),
            (0.2, 2.0),
            (0.0625, 4.0),
        ] {
            assert!(
                (halving_factor(error) - factor).abs() < 1e-15,
                "{error}: {}",
                halving_factor(error)
            );
        }
    }
}
