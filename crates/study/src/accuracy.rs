//! Warnings about a run whose numbers are poorer than they look.

use bristle_laws::Shortest;
use bristle_mechanics::record::Outcome;

/// An imbalance of the energies beyond this part of the energy exchanged is one to warn of.
const IMBALANCE: f64 = 1e-3;

/// What the user should know about the accuracy of a run.
pub(crate) fn warnings(outcome: &Outcome) -> Vec<String> {
    let forced = outcome.statistics.forced.as_ref().map(|forced| {
        let (steps, when) = if forced.count == 1 {
            ("step", format!("at t = {:.6} s", forced.first))
        } else {
            let span = (forced.first, forced.last);
            ("steps", format!("from t = {:.6} s to {:.6} s", span.0, span.1))
        };
        format!(
            "{} smallest {steps} exceeded the tolerance {when}, at most by a factor of {:.1e} in {}: a \
             force jumps there, as in an impact; lower min_step, or soften or damp the contact",
            forced.count, forced.error, forced.element
        )
    });
    let share = outcome.balance.relative();
    let imbalance = (share > IMBALANCE).then(|| {
        format!(
            "the energies do not add up: {} J of {} J exchanged are missing at t = {:.6} s \
             ({share:.1e}, expected below {IMBALANCE:e}); lower the tolerance or the longest step, and \
             compare the results",
            Shortest(rounded(outcome.balance.imbalance)),
            Shortest(rounded(outcome.balance.turnover)),
            outcome.balance.time
        )
    });
    imbalance.into_iter().chain(forced).collect()
}

/// To three digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}
