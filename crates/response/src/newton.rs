//! Newton's method at a fixed drive, and along a curve.

use crate::balance::{BalanceWork, Evaluated, HarmonicBalance};
use crate::error::{ResponseError, Result};
use crate::excitation::Excitation;
use crate::factor::Factors;
use crate::grid::PeriodGrid;
use nalgebra::{DMatrix, DVector};

/// Iterations at a fixed drive, and along a curve.
const MAX_ITERATIONS: usize = 40;
const MAX_CORRECTIONS: usize = 12;
/// Solved when the next correction is below this part of the motion.
const SOLVED: f64 = 1e-9;
/// The residual of a solution, as part of the motion: that of a law with corners may stay above the
/// rounding.
const LEFT: f64 = 1e-7;
/// A residual below this part of the motion is rounding.
const ROUNDING: f64 = 1e-14;
/// Shortest part of a correction that is tried.
const SHORTEST: f64 = 1.0 / 64.0;
/// Part of the frequency over which residuals are differenced.
const DIFFERENCE: f64 = 1e-6;

/// What a curve is followed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveParameter {
    /// Ω.
    Frequency,
    /// The level of the excitation.
    Level,
}

impl CurveParameter {
    pub(crate) fn of(self, drive: Excitation) -> f64 {
        match self {
            Self::Frequency => drive.omega,
            Self::Level => drive.level,
        }
    }

    pub(crate) fn with(self, drive: Excitation, value: f64) -> Excitation {
        match self {
            Self::Frequency => Excitation {
                omega: value,
                ..drive
            },
            Self::Level => Excitation {
                level: value,
                ..drive
            },
        }
    }
}

/// A solution of the balance.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Coefficients of w.
    pub w: DVector<f64>,
    /// Where.
    pub drive: Excitation,
    /// The equations there.
    pub equations: Evaluated,
    /// Iterations.
    pub iterations: usize,
}

/// A point and a direction in scaled coordinates, for corrections across a curve.
#[derive(Clone, Debug)]
pub(crate) struct CorrectionPlane<'a> {
    /// The predicted point.
    pub(crate) w: &'a DVector<f64>,
    pub(crate) value: f64,
    /// Normal: by w and by the parameter, in scaled coordinates.
    pub(crate) normal: &'a DVector<f64>,
    pub(crate) scales: CurveScales,
}

/// Units of w and of the parameter along a curve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurveScales {
    pub(crate) w: f64,
    pub(crate) parameter: f64,
}

/// Solves at a fixed drive.
pub(crate) fn solve(
    balance: &HarmonicBalance,
    grid: &PeriodGrid,
    drive: Excitation,
    guess: DVector<f64>,
    work: &mut BalanceWork,
) -> Result<Solution> {
    let mut w = guess;
    let mut now = balance.evaluate(&w, grid, drive, work)?;
    for iteration in 1..=MAX_ITERATIONS {
        let size = w.amax().max(now.residual.amax());
        let step = Factors::of(now.jacobian.clone()).solve(&now.residual);
        let Some(step) = step else {
            return Err(singular(drive));
        };
        let before = now.residual.norm();
        let mut part = 1.0;
        loop {
            let trial = &w - &step * part;
            let next = balance.evaluate(&trial, grid, drive, work)?;
            let better = next.residual.norm() <= (1.0 - 0.1 * part) * before;
            if better || part <= SHORTEST || before <= LEFT * size {
                (w, now) = (trial, next);
                break;
            }
            part *= 0.5;
        }
        let is_whole = part >= 1.0;
        let solved = is_whole && step.amax() <= SOLVED * w.amax()
            || now.residual.amax() <= ROUNDING * w.amax();
        let is_last = iteration == MAX_ITERATIONS && now.residual.amax() <= LEFT * w.amax();
        if solved || is_last {
            return Ok(Solution {
                w,
                drive,
                equations: now,
                iterations: iteration,
            });
        }
    }
    Err(unsolved(balance, grid, drive, &now, &w))
}

/// Solves across a curve: the balance, and a place on the plane.
pub(crate) fn correct(
    balance: &HarmonicBalance,
    grid: &PeriodGrid,
    parameter: CurveParameter,
    drive: Excitation,
    plane: &CorrectionPlane<'_>,
    work: &mut BalanceWork,
) -> Result<(Solution, DVector<f64>)> {
    let scales = plane.scales;
    let (mut w, mut value) = (plane.w.clone(), plane.value);
    let n = w.len();
    let mut at = parameter.with(drive, value);
    let mut now = balance.evaluate(&w, grid, at, work)?;
    let by_value = by_parameter(balance, grid, parameter, at, &w, &now, work)?;
    let factors = |now: &Evaluated| {
        let matrix = bordered(&now.jacobian, &by_value, plane.normal, scales);
        Factors::of(matrix)
    };
    let mut last = f64::INFINITY;
    let mut lu = factors(&now);
    for iteration in 1..=MAX_CORRECTIONS {
        let mut right = DVector::zeros(n + 1);
        right.rows_mut(0, n).copy_from(&(&now.residual / scales.w));
        right[n] = (&w - plane.w).dot(&plane.normal.rows(0, n)) / scales.w
            + (value - plane.value) * plane.normal[n] / scales.parameter;
        let step = lu.solve(&right).ok_or_else(|| singular(at))?;
        let size = step.norm();
        if !size.is_finite() || (size > 4.0 * last && size > LEFT) {
            break;
        }
        last = size;
        w -= step.rows(0, n) * scales.w;
        value -= step[n] * scales.parameter;
        let enough = if iteration < MAX_CORRECTIONS {
            SOLVED * (1.0 + w.amax() / scales.w)
        } else {
            LEFT
        };
        at = parameter.with(drive, value);
        if size <= enough {
            let mut unit = DVector::zeros(n + 1);
            unit[n] = 1.0;
            let mut tangent = lu.solve(&unit).ok_or_else(|| singular(at))?;
            tangent /= tangent.norm();
            let solution = Solution {
                w,
                drive: at,
                // of the iterate before: the last correction is below the tolerance
                equations: now,
                iterations: iteration,
            };
            return Ok((solution, tangent));
        }
        now = balance.evaluate(&w, grid, at, work)?;
        lu = factors(&now);
    }
    Err(unsolved(balance, grid, at, &now, &w))
}

/// The tangent of the curve at a solution, in scaled coordinates, with a growing parameter.
pub(crate) fn tangent(
    balance: &HarmonicBalance,
    grid: &PeriodGrid,
    parameter: CurveParameter,
    solution: &Solution,
    scales: CurveScales,
    work: &mut BalanceWork,
) -> Result<DVector<f64>> {
    let (w, now) = (&solution.w, &solution.equations);
    let n = w.len();
    let by_value = by_parameter(balance, grid, parameter, solution.drive, w, now, work)?;
    let step = Factors::of(now.jacobian.clone()).solve(&by_value);
    let step = step.ok_or_else(|| singular(solution.drive))?;
    let mut out = DVector::zeros(n + 1);
    out.rows_mut(0, n)
        .copy_from(&(step * (-scales.parameter / scales.w)));
    out[n] = 1.0;
    let norm = out.norm();
    Ok(out / norm)
}

/// ∂R/∂(parameter).
fn by_parameter(
    balance: &HarmonicBalance,
    grid: &PeriodGrid,
    parameter: CurveParameter,
    drive: Excitation,
    w: &DVector<f64>,
    now: &Evaluated,
    work: &mut BalanceWork,
) -> Result<DVector<f64>> {
    let value = parameter.of(drive);
    let by = DIFFERENCE * value.abs().max(1e-12);
    let there = parameter.with(drive, value + by);
    let moved = balance.residual(w, grid, there, work)?;
    Ok((moved - &now.residual) / by)
}

/// [J, R_λ; normal], scaled.
fn bordered(
    jacobian: &DMatrix<f64>,
    by_value: &DVector<f64>,
    normal: &DVector<f64>,
    scales: CurveScales,
) -> DMatrix<f64> {
    let n = by_value.len();
    let mut matrix = DMatrix::zeros(n + 1, n + 1);
    matrix.view_mut((0, 0), (n, n)).copy_from(jacobian);
    matrix
        .view_mut((0, n), (n, 1))
        .copy_from(&(by_value * (scales.parameter / scales.w)));
    matrix.row_mut(n).copy_from(&normal.transpose());
    matrix
}

fn singular(drive: Excitation) -> ResponseError {
    ResponseError::Singular {
        frequency: drive.omega / std::f64::consts::TAU,
    }
}

fn unsolved(
    balance: &HarmonicBalance,
    grid: &PeriodGrid,
    drive: Excitation,
    now: &Evaluated,
    w: &DVector<f64>,
) -> ResponseError {
    let site = balance.worst_site(&now.residual, grid);
    ResponseError::NoSolution {
        frequency: drive.omega / std::f64::consts::TAU,
        place: site,
        residual: now.residual.amax() / w.amax().max(f64::MIN_POSITIVE),
    }
}
