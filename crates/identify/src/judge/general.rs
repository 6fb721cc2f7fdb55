//! Verdicts on numbers of which nothing is known but how the outputs depend on them.

use super::estimate::{IDENTIFIED, LEAST_ERROR, WEAK, percent};
use crate::estimate::{Estimate, Verdict};
use crate::model::FitRole;

/// The estimate of a number from its standard error; `t` is the quantile of the interval.
pub(crate) fn estimate(
    name: &str,
    unit: &str,
    value: f64,
    error: f64,
    t: f64,
    seen: bool,
) -> Estimate {
    let relative = if value == 0.0 {
        f64::INFINITY
    } else {
        (error / value.abs()).max(0.1 * LEAST_ERROR)
    };
    let (verdict, reason) = if !seen {
        (
            Verdict::NotIdentifiable,
            "the outputs do not depend on it".to_owned(),
        )
    } else if relative <= IDENTIFIED {
        (
            Verdict::Identified,
            format!("known within {}", percent(relative)),
        )
    } else if relative <= WEAK {
        (
            Verdict::Weak,
            format!("known within {} only", percent(relative)),
        )
    } else {
        (
            Verdict::NotIdentifiable,
            "its error is as large as itself, or another unknown does the same".to_owned(),
        )
    };
    let told = seen && relative <= 3.0;
    Estimate {
        name: name.to_owned(),
        symbol: String::new(),
        unit: unit.to_owned(),
        role: FitRole::Shape,
        value,
        standard_error: told.then_some(error),
        interval: told.then_some((value - t * error, value + t * error)),
        verdict,
        reason,
        experiment: (verdict != Verdict::Identified).then(|| {
            "measure an output, or drive the machine in a way, that depends on it".to_owned()
        }),
    }
}
