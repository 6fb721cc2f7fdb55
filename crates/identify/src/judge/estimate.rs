//! One parameter: its interval and verdict.

use super::cause::cause;
use super::evidence::Evidence;
use crate::estimate::{Estimate, Verdict};
use crate::model::{FitParameter, FitRole, Slot};

/// Relative standard errors up to which a parameter counts as identified, and weakly identified.
pub(super) const IDENTIFIED: f64 = 0.1;
pub(super) const WEAK: f64 = 0.5;

/// Verdicts assume a measurement error of this share of the force at least: no record is better,
/// and what would need a better one is not known from it.
pub(super) const LEAST_ERROR: f64 = 1e-3;

/// A pair that goes on for so many break-away deflections without a reversal slides.
const SLID: f64 = 10.0;

/// Below this share of its variance explained, a law is not what made the force.
const LEAST_EXPLAINED: f64 = 0.4;

/// What is known of one parameter.
pub(super) struct Seen {
    pub(super) value: f64,
    pub(super) error: f64,
    pub(super) cautious: f64,
    pub(super) effect: Option<f64>,
    pub(super) base: f64,
    pub(super) theta: f64,
    pub(super) size: f64,
}

impl Seen {
    /// Whether the force does not change with it at all.
    pub(super) fn unseen(&self) -> bool {
        self.effect.is_some_and(|e| e < 1e-9)
    }
}

pub(super) fn held(parameter: &FitParameter, value: f64) -> Estimate {
    Estimate {
        name: parameter.name.clone(),
        symbol: parameter.symbol.clone(),
        unit: parameter.unit.clone(),
        role: parameter.role,
        value,
        standard_error: None,
        interval: None,
        verdict: Verdict::Fixed,
        reason: "held at this value".to_owned(),
        experiment: None,
    }
}

pub(super) fn estimate(
    parameter: &FitParameter,
    seen: &Seen,
    t: f64,
    evidence: &Evidence<'_>,
) -> Estimate {
    let size = seen.value.abs();
    let relative = if size > 0.0 {
        seen.cautious / size
    } else {
        f64::INFINITY
    };
    let (verdict, reason) = first_verdict(parameter, seen, relative, evidence);
    let (verdict, reason) = curve_verdict(parameter, seen, verdict, reason);
    let why = if verdict == Verdict::Identified {
        None
    } else {
        cause(parameter, seen.value, evidence)
    };
    let reason = match &why {
        Some((cause, _)) => format!("{reason}: {cause}"),
        None => reason,
    };
    // the error that stands beside it is that of data without noise
    let reason = if verdict != Verdict::Identified && size > 0.0 && seen.error <= IDENTIFIED * size
    {
        format!(
            "{reason} (for a force measured to {} at best)",
            percent(LEAST_ERROR)
        )
    } else {
        reason
    };
    let shown = verdict != Verdict::NotIdentifiable || relative <= 3.0 && !seen.unseen();
    Estimate {
        name: parameter.name.clone(),
        symbol: parameter.symbol.clone(),
        unit: parameter.unit.clone(),
        role: parameter.role,
        value: seen.value,
        standard_error: shown.then_some(seen.error),
        interval: shown.then(|| interval(parameter, seen, t)),
        verdict,
        reason,
        experiment: why.map(|(_, experiment)| experiment),
    }
}

/// What the uncertainty alone says; `relative` is that over the value.
fn first_verdict(
    parameter: &FitParameter,
    seen: &Seen,
    relative: f64,
    evidence: &Evidence<'_>,
) -> (Verdict, String) {
    let is_law = parameter.field.is_some();
    let unexplained_by = |share: f64| is_law && evidence.explained < share;
    if unexplained_by(LEAST_EXPLAINED) || evidence.coverage.unresolved() && unexplained_by(0.7) {
        return (Verdict::NotIdentifiable, unexplained(evidence));
    }
    if seen.unseen() {
        let reason = "the force does not depend on it in these data".to_owned();
        return (Verdict::NotIdentifiable, reason);
    }
    if relative <= IDENTIFIED {
        let reason = format!("known within {}", percent(relative));
        return (Verdict::Identified, reason);
    }
    if seen.value.abs() <= 2.0 * seen.cautious && is_harmless(parameter, seen, evidence) {
        let most = seen.value.abs() + 2.0 * seen.cautious;
        let reason = format!(
            "nothing within its error; at most {most:.2e} {}",
            parameter.unit
        );
        return (Verdict::Identified, reason);
    }
    if relative <= WEAK {
        let reason = format!("known within {} only", percent(relative));
        return (Verdict::Weak, reason);
    }
    let reason = if relative <= 20.0 {
        format!("uncertain by {} of its value", percent(relative))
    } else {
        "the force hardly depends on it in these data, or another parameter does the same"
            .to_owned()
    };
    (Verdict::NotIdentifiable, reason)
}

/// Whether a change by its uncertainty does next to nothing to the force.
fn is_harmless(parameter: &FitParameter, seen: &Seen, evidence: &Evidence<'_>) -> bool {
    let zero_is_possible = matches!(parameter.slot, Slot::Linear { .. });
    let harmless = seen
        .effect
        .is_some_and(|e| zero_is_possible && e * 2.0 * seen.cautious / seen.size < 5e-3);
    // viscous friction that presliding does not show may be large once the pair slides
    let slid = parameter.role != FitRole::Viscous || evidence.coverage.longest_slide > SLID;
    harmless && slid
}

/// A static level that stands on the kinetic one, or that only the fit's extrapolation to speeds
/// below the slowest gives, is not known.
fn curve_verdict(
    parameter: &FitParameter,
    seen: &Seen,
    verdict: Verdict,
    reason: String,
) -> (Verdict, String) {
    let is_excess =
        parameter.role == FitRole::StaticLevel && matches!(parameter.slot, Slot::Above { .. });
    if is_excess && seen.theta <= 1e-6 && verdict == Verdict::Identified {
        return (
            Verdict::Weak,
            format!(
                "no break-away level above sliding ({:.4}) is seen",
                seen.base
            ),
        );
    }
    (verdict, reason)
}

fn unexplained(evidence: &Evidence<'_>) -> String {
    let mut text = format!(
        "the law explains {:.0} % of the variance of the force",
        100.0 * evidence.explained.max(0.0)
    );
    if evidence.coverage.unresolved() {
        text.push_str(", and the motion between samples is not known");
    }
    text
}

pub(super) fn percent(x: f64) -> String {
    let x = 100.0 * x;
    if x < 0.1 {
        "0.1 %".to_owned()
    } else if x < 10.0 {
        format!("{x:.1} %")
    } else {
        format!("{x:.0} %")
    }
}

fn interval(parameter: &FitParameter, seen: &Seen, t: f64) -> (f64, f64) {
    let half = t * seen.error;
    match parameter.slot {
        // symmetric in the logarithm where that matters
        Slot::Log | Slot::Below { .. } | Slot::Share { .. } | Slot::Limit { .. }
            if half > 0.1 * seen.value =>
        {
            let factor = (half / seen.value).min(300.0).exp();
            let most = match parameter.slot {
                Slot::Share { .. } => 1.0,
                _ => f64::INFINITY,
            };
            (seen.value / factor, (seen.value * factor).min(most))
        }
        Slot::Linear { positive: true } => ((seen.value - half).max(0.0), seen.value + half),
        Slot::Above { .. } => ((seen.value - half).max(0.0), seen.value + half),
        Slot::Between { low, high } => {
            ((seen.value - half).max(low), (seen.value + half).min(high))
        }
        _ => (seen.value - half, seen.value + half),
    }
}
