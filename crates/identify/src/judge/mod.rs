//! How well each parameter is known, and why not.
//!
//! Covariance s²(JᵀJ)⁻¹ of the numbers of the optimiser, with s² widened by the correlation time
//! of the residuals, carried over to the parameters by the derivative of the map between them.

mod cause;

use nalgebra::DMatrix;

use self::cause::cause;

use crate::baseline::Baseline;
use crate::coverage::Coverage;
use crate::fit::{Estimate, Objective};
use crate::model::{Parameter, Role, Slot};
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

/// Relative standard errors up to which a parameter counts as identified, and weakly identified.
const IDENTIFIED: f64 = 0.1;
const WEAK: f64 = 0.5;

/// Verdicts assume a measurement error of this share of the force at least: no record is better,
/// and what would need a better one is not known from it.
const LEAST_ERROR: f64 = 1e-3;

/// Below this share of its variance explained, a law is not what made the force.
const LEAST_EXPLAINED: f64 = 0.4;

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
        estimates.push(estimate(parameter, &seen, student95(freedom), evidence));
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

/// What is known of one parameter.
struct Seen {
    value: f64,
    error: f64,
    cautious: f64,
    effect: Option<f64>,
    base: f64,
    theta: f64,
    size: f64,
}

/// (JᵀJ)⁻¹ with columns brought to equal size first; a direction that cannot be seen gets a huge
/// variance instead of none.
fn inverse(columns: &[Vec<f64>]) -> DMatrix<f64> {
    let n = columns.len();
    let size = |c: &Vec<f64>| c.iter().map(|x| x * x).sum::<f64>().sqrt();
    let sizes: Vec<f64> = columns.iter().map(|c| size(c).max(1e-12)).collect();
    let gram = DMatrix::from_fn(n, n, |i, j| {
        let product: f64 = columns[i].iter().zip(&columns[j]).map(|(a, b)| a * b).sum();
        product / (sizes[i] * sizes[j])
    });
    if n == 0 || !gram.iter().all(|x| x.is_finite()) {
        return DMatrix::from_diagonal_element(n, n, 1e30);
    }
    let eigen = gram.symmetric_eigen();
    let mut result = DMatrix::zeros(n, n);
    for (k, value) in eigen.eigenvalues.iter().enumerate() {
        let axis = eigen.eigenvectors.column(k);
        // rounding leaves eigenvalues of 1e-16 where there is nothing
        result += axis * axis.transpose() / value.max(1e-15);
    }
    DMatrix::from_fn(n, n, |i, j| result[(i, j)] / (sizes[i] * sizes[j]))
}

/// ∂p/∂θ of the fitted parameters.
fn derivative_of_map(objective: &Objective<'_>, theta: &[f64], free: &[usize]) -> DMatrix<f64> {
    let step = 1e-6;
    let mut map = DMatrix::zeros(free.len(), theta.len());
    for k in 0..theta.len() {
        let at = |x: f64| {
            let mut moved = theta.to_vec();
            moved[k] = x;
            objective.unpack(&moved)
        };
        // forward, so that it holds on a bound too
        let (here, there) = (at(theta[k]), at(theta[k] + step));
        for (row, &i) in free.iter().enumerate() {
            map[(row, k)] = (there[i] - here[i]) / step;
        }
    }
    map
}

fn held(parameter: &Parameter, value: f64) -> Estimate {
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

#[allow(
    clippy::too_many_lines,
    reason = "one list of cases, read from top to bottom"
)]
fn estimate(parameter: &Parameter, seen: &Seen, t: f64, evidence: &Evidence<'_>) -> Estimate {
    let size = seen.value.abs();
    let relative = if size > 0.0 {
        seen.cautious / size
    } else {
        f64::INFINITY
    };
    let zero_is_possible = matches!(parameter.slot, Slot::Linear { .. });
    // what a change by its uncertainty would do to the force
    let harmless = seen
        .effect
        .is_some_and(|e| zero_is_possible && e * 2.0 * seen.cautious / seen.size < 5e-3);
    let unseen = seen.effect.is_some_and(|e| e < 1e-9);
    let is_law = parameter.field.is_some();
    let (verdict, reason) = if is_law && evidence.explained < LEAST_EXPLAINED
        || is_law && evidence.coverage.unresolved() && evidence.explained < 0.7
    {
        (Verdict::NotIdentifiable, unexplained(evidence))
    } else if unseen {
        (
            Verdict::NotIdentifiable,
            "the force does not depend on it in these data".to_owned(),
        )
    } else if relative <= IDENTIFIED {
        (
            Verdict::Identified,
            format!("known within {}", percent(relative)),
        )
    } else if size <= 2.0 * seen.cautious && harmless {
        let most = size + 2.0 * seen.cautious;
        let reason = format!(
            "nothing within its error; at most {most:.2e} {}",
            parameter.unit
        );
        (Verdict::Identified, reason)
    } else if relative <= WEAK {
        (
            Verdict::Weak,
            format!("known within {} only", percent(relative)),
        )
    } else if relative <= 20.0 {
        let reason = format!("uncertain by {} of its value", percent(relative));
        (Verdict::NotIdentifiable, reason)
    } else {
        (
            Verdict::NotIdentifiable,
            "the force hardly depends on it in these data, or another parameter does the same"
                .to_owned(),
        )
    };
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
    let told = verdict != Verdict::NotIdentifiable || relative <= 3.0 && !unseen;
    Estimate {
        name: parameter.name.clone(),
        symbol: parameter.symbol.clone(),
        unit: parameter.unit.clone(),
        role: parameter.role,
        value: seen.value,
        standard_error: told.then_some(seen.error),
        interval: told.then(|| interval(parameter, seen, t)),
        verdict,
        reason,
        experiment: why.map(|(_, experiment)| experiment),
    }
}

/// A static level that stands on the kinetic one, or that only the fit's extrapolation to speeds
/// below the slowest gives, is not known.
fn curve_verdict(
    parameter: &Parameter,
    seen: &Seen,
    verdict: Verdict,
    reason: String,
) -> (Verdict, String) {
    let is_excess =
        parameter.role == Role::StaticLevel && matches!(parameter.slot, Slot::Above { .. });
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

fn percent(x: f64) -> String {
    let x = 100.0 * x;
    if x < 0.1 {
        "0.1 %".to_owned()
    } else if x < 10.0 {
        format!("{x:.1} %")
    } else {
        format!("{x:.0} %")
    }
}

fn interval(parameter: &Parameter, seen: &Seen, t: f64) -> (f64, f64) {
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
            Role::Level | Role::StaticLevel | Role::Stiffness | Role::Damping | Role::Viscous
        ) || matches!(p.slot, Slot::Limit { .. });
        e.unit = match e.unit.as_str() {
            "1" if per_load => "N".to_owned(),
            "1/m" => "N/m".to_owned(),
            "s/m" => "N s/m".to_owned(),
            other => other.to_owned(),
        };
    }
}
