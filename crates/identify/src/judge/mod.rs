//! How well each parameter is known, and why not.
//!
//! Covariance s²(JᵀJ)⁻¹ of the numbers of the optimiser, with s² widened by the correlation time
//! of the residuals, carried over to the parameters by the derivative of the map between them.

mod cause;
mod collinear;
mod covariance;
mod estimate;
mod evidence;
pub(crate) mod general;
mod linear;
mod steps;

pub(crate) use collinear::warn_collinear;
pub(crate) use covariance::{ErrorAxis, inverse};
pub(crate) use evidence::Evidence;

use self::estimate::{LEAST_ERROR, Seen, estimate, held};
use self::linear::LinearisedFit;
use crate::estimate::Estimate;
use crate::fit::Objective;
use crate::model::{FitRole, Slot};
use crate::statistics::student95;

/// The estimates of all parameters, and the correlations of those that were fitted.
pub(crate) struct Judgement {
    pub(crate) estimates: Vec<Estimate>,
    /// Names of the fitted parameters.
    pub(crate) fitted: Vec<String>,
    pub(crate) correlations: Vec<Vec<f64>>,
    /// The axes of the ellipsoid of their errors.
    pub(crate) axes: Vec<ErrorAxis>,
}

/// Judges every parameter at the optimum.
pub(crate) fn judge(evidence: &Evidence<'_>) -> Judgement {
    let objective = evidence.objective;
    let model = objective.model;
    let p = objective.unpack(evidence.theta);
    let linear = LinearisedFit::at(evidence, &p);
    let quantile = student95(linear.freedom);
    let mut estimates = Vec::new();
    for (i, parameter) in model.parameters.iter().enumerate() {
        let Some(unit_variance) = linear.unit_variance(i) else {
            if p[i].is_finite() {
                estimates.push(held(parameter, p[i]));
            }
            continue;
        };
        let number = linear.number(i);
        let seen = Seen {
            value: p[i],
            error: (linear.variance * unit_variance).sqrt(),
            cautious: (linear.variance.max(LEAST_ERROR.powi(2)) * unit_variance).sqrt(),
            effect: number.map(|k| linear.effect(k)),
            base: match parameter.slot {
                Slot::Above { base } => p[base],
                _ => 0.0,
            },
            theta: number.map_or(0.0, |k| evidence.theta[k]),
            size: objective.sizes[i],
        };
        let unseen = seen.unseen();
        let mut one = estimate(parameter, &seen, quantile, evidence);
        if let Some(k) = number.filter(|_| unseen && model.jumps()) {
            steps::judge(&mut one, k, quantile, evidence);
        }
        estimates.push(one);
    }
    let name = |&i: &usize| model.parameters[i].name.clone();
    let fitted: Vec<String> = linear.free.iter().map(name).collect();
    let correlations = linear.correlations();
    let deviation = linear.variance.sqrt();
    let mut axes = linear.axes;
    for axis in axes.iter_mut().filter(|axis| !axis.is_blind) {
        axis.change.iter_mut().for_each(|x| *x *= deviation);
    }
    warn_collinear(&mut estimates, &fitted, &correlations, |e| {
        e.standard_error.is_some()
    });
    units(&mut estimates, objective);
    Judgement {
        estimates,
        fitted,
        correlations,
        axes,
    }
}

/// Without a measured load, coefficients are forces; about an axis, forces are moments.
fn units(estimates: &mut [Estimate], objective: &Objective<'_>) {
    let units = objective
        .records
        .first()
        .map(|r| r.units)
        .unwrap_or_default();
    let load_known = objective.records.iter().all(|r| r.load_known);
    for e in estimates.iter_mut().filter(|_| !load_known) {
        let Some(p) = objective.model.parameters.iter().find(|p| p.name == e.name) else {
            continue;
        };
        if p.field.is_none() {
            continue;
        }
        let per_load = matches!(
            p.role,
            FitRole::Level
                | FitRole::StaticLevel
                | FitRole::LevelDifference
                | FitRole::Stiffness
                | FitRole::Damping
                | FitRole::Viscous
        ) || matches!(p.slot, Slot::Limit { .. });
        e.unit = match e.unit.as_str() {
            "1" if per_load => "N".to_owned(),
            "1/m" if per_load => "N/m".to_owned(),
            "s/m" if per_load => "N s/m".to_owned(),
            other => other.to_owned(),
        };
    }
    for e in estimates {
        e.unit = units.of(&e.unit).to_owned();
    }
}
