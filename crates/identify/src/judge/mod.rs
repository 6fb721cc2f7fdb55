//! How well each parameter is known, and why not.
//!
//! Covariance s²(JᵀJ)⁻¹ of the numbers of the optimiser, with s² widened by the correlation time
//! of the residuals, carried over to the parameters by the derivative of the map between them.

mod cause;
mod covariance;
mod estimate;
pub(crate) mod general;
mod steps;

use self::covariance::derivative_of_map;
pub(crate) use self::covariance::inverse;
use self::estimate::{LEAST_ERROR, Seen, estimate, held};
use crate::baseline::Baseline;
use crate::coverage::Coverage;
use crate::fit::{Estimate, Objective};
use crate::model::{Role, Slot};
use crate::optimise::Problem;
use crate::statistics::student95;

/// What the data say about a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Known within a tenth, or known to be nothing.
    Identified,
    /// Known within a half.
    Weak,
    /// Not identifiable from these data.
    NotIdentifiable,
    /// Not fitted.
    Fixed,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Identified => "identified",
            Self::Weak => "weakly identified",
            Self::NotIdentifiable => "not identifiable",
            Self::Fixed => "fixed",
        }
    }
}

/// Everything that verdicts rest on.
pub(crate) struct Evidence<'a> {
    pub(crate) objective: &'a Objective<'a>,
    pub(crate) theta: &'a [f64],
    /// Standard deviation of the residuals, N.
    pub(crate) sigma: f64,
    pub(crate) correlation_time: f64,
    pub(crate) coverage: &'a Coverage,
    pub(crate) line: Option<Baseline>,
    pub(crate) explained: f64,
}

pub(crate) struct Judged {
    pub(crate) estimates: Vec<Estimate>,
    pub(crate) fitted: Vec<String>,
    pub(crate) correlations: Vec<Vec<f64>>,
}

#[allow(
    clippy::too_many_lines,
    reason = "one list of cases, read from top to bottom"
)]
pub(crate) fn judge(evidence: &Evidence<'_>) -> Judged {
    let objective = evidence.objective;
    let model = objective.model;
    let p = objective.unpack(evidence.theta);
    let (lower, upper) = model.limits(&p, &objective.sizes);
    let residual = |theta: &[f64]| objective.residual(theta);
    let problem = Problem {
        residual: &residual,
        exact: &|theta| objective.exact_columns(theta),
        lower,
        upper,
        precision: crate::optimise::Precision::LAW,
    };
    let columns = problem.columns(evidence.theta);
    let free: Vec<usize> = model.free().map(|(i, _)| i).collect();
    let map = derivative_of_map(objective, evidence.theta, &free);
    let unscaled = inverse(&columns);
    let variance = (evidence.sigma / objective.unit).powi(2) * evidence.correlation_time;
    let covariance = &map * &unscaled * map.transpose();
    let samples = columns.first().map_or(0, Vec::len) as f64;
    let freedom = (samples / evidence.correlation_time - columns.len() as f64).max(1.0);
    let numbers: Vec<usize> = model.numbers().collect();
    let effect = |i: usize| {
        // root mean square change of the force, as a share of it, per unit of the number
        let k = numbers.iter().position(|&n| n == i)?;
        let sum: f64 = columns[k].iter().map(|x| x * x).sum();
        Some((sum / samples.max(1.0)).sqrt())
    };
    let mut estimates = Vec::new();
    for (i, parameter) in model.parameters.iter().enumerate() {
        let Some(place) = free.iter().position(|&f| f == i) else {
            if p[i].is_finite() {
                estimates.push(held(parameter, p[i]));
            }
            continue;
        };
        let unit_variance = covariance[(place, place)].max(0.0);
        let seen = Seen {
            value: p[i],
            error: (variance * unit_variance).sqrt(),
            cautious: (variance.max(LEAST_ERROR.powi(2)) * unit_variance).sqrt(),
            effect: effect(i),
            base: match parameter.slot {
                Slot::Above { base } => p[base],
                _ => 0.0,
            },
            theta: numbers
                .iter()
                .position(|&n| n == i)
                .map_or(0.0, |k| evidence.theta[k]),
            size: objective.sizes[i],
        };
        let unseen = seen.unseen();
        let mut one = estimate(parameter, &seen, student95(freedom), evidence);
        if let Some(k) = numbers.iter().position(|&n| n == i)
            && unseen
            && model.jumps()
        {
            steps::judge(&mut one, k, student95(freedom), evidence);
        }
        estimates.push(one);
    }
    let correlation = |a: usize, b: usize| {
        let size = (covariance[(a, a)] * covariance[(b, b)]).sqrt();
        if size > 0.0 {
            (covariance[(a, b)] / size).clamp(-1.0, 1.0)
        } else {
            0.0
        }
    };
    let count = free.len();
    let mut judged = Judged {
        estimates,
        fitted: free
            .iter()
            .map(|&i| model.parameters[i].name.clone())
            .collect(),
        correlations: (0..count)
            .map(|a| (0..count).map(|b| correlation(a, b)).collect())
            .collect(),
    };
    tell_of_twins(&mut judged);
    units(&mut judged, objective);
    judged
}

/// Names the parameter that does the same as one that is not known.
fn tell_of_twins(judged: &mut Judged) {
    for (a, name) in judged.fitted.iter().enumerate() {
        let Some(e) = judged.estimates.iter_mut().find(|e| &e.name == name) else {
            continue;
        };
        if matches!(e.verdict, Verdict::Identified | Verdict::Fixed) {
            continue;
        }
        let twin = (0..judged.fitted.len())
            .filter(|&b| b != a)
            .max_by(|&b, &c| {
                judged.correlations[a][b]
                    .abs()
                    .total_cmp(&judged.correlations[a][c].abs())
            });
        if let Some(b) = twin
            && judged.correlations[a][b].abs() > 0.95
            && e.standard_error.is_some()
        {
            let (twin, r) = (&judged.fitted[b], judged.correlations[a][b]);
            e.reason = format!("{}; correlated with {twin} ({r:.3})", e.reason);
        }
    }
}

/// Without a measured load, coefficients are forces.
fn units(judged: &mut Judged, objective: &Objective<'_>) {
    if objective.records.iter().all(|r| r.load_known) {
        return;
    }
    for e in &mut judged.estimates {
        let Some(p) = objective.model.parameters.iter().find(|p| p.name == e.name) else {
            continue;
        };
        if p.field.is_none() {
            continue;
        }
        let per_load = matches!(
            p.role,
            Role::Level
                | Role::StaticLevel
                | Role::LevelDifference
                | Role::Stiffness
                | Role::Damping
                | Role::Viscous
        ) || matches!(p.slot, Slot::Limit { .. });
        e.unit = match e.unit.as_str() {
            "1" if per_load => "N".to_owned(),
            "1/m" if per_load => "N/m".to_owned(),
            "s/m" if per_load => "N s/m".to_owned(),
            other => other.to_owned(),
        };
    }
}
