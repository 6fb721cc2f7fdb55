//! Nonlinear modes: frequency and damping over amplitude.
//!
//! A free vibration with friction decays. A force γ M ẋ with γ = 2ωζ feeds it just as much as
//! friction takes, so that it is periodic (Krack, *Nonlinear modal analysis of nonconservative
//! systems: extension of the periodic motion concept*, Computers & Structures 154, 2015):
//!
//! $$ \mathbf M\ddot{\mathbf x} + (\mathbf C - 2\omega\zeta\mathbf M)\dot{\mathbf x}
//!    + \mathbf K\mathbf x + \mathbf B^{\mathsf T}\mathbf f = \mathbf 0 $$
//!
//! The curve is followed over the size of the motion at the pairs; the modal amplitude is
//! a = (Σ_h X_hᴴ M X_h)^½, in kg^½ m.

use crate::balance::{BalanceWork, HarmonicBalance, harmonic, harmonic_places};
use crate::error::{ResponseError, Result};
use crate::excitation::Excitation;
use crate::follow::{FollowedPoint, Follower, GridChoice, resized};
use crate::grid::PeriodGrid;
use crate::newton::{CurveParameter, CurveScales, Solution};
use bristle_mechanics::modes::Mode;
use nalgebra::{Complex, DMatrix, DVector};
use std::f64::consts::TAU;

/// Iterations of a point.
const MAX_ITERATIONS: usize = 30;
/// Solved when the next correction is below this part of the unknowns.
const SOLVED: f64 = 1e-10;
/// Part of frequency and feeding over which residuals are differenced.
const DIFFERENCE: f64 = 1e-6;
/// The step in amplitude is halved so often before the curve ends.
const HALVINGS: usize = 8;
/// Damping is a difference of small things: the motion gets this part of the tolerance.
const STRICTER: f64 = 0.1;
/// Steps to an amplitude that is asked for.
const LANDINGS: usize = 12;

/// What is asked of a nonlinear mode.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeRequest {
    /// Modal amplitudes: from, to, kg^½ m.
    pub range: [f64; 2],
    /// Points of the curve, evenly over the logarithm of the amplitude.
    pub points: usize,
    /// Amplitudes that are solved for exactly, kg^½ m.
    pub at: Vec<f64>,
    /// Harmonics and samples.
    pub grid: GridChoice,
}

/// A point of a nonlinear mode.
#[derive(Clone, Debug)]
pub struct ModePoint {
    /// Modal amplitude a, kg^½ m.
    pub amplitude: f64,
    /// ω, rad/s.
    pub omega: f64,
    /// ζ.
    pub damping_ratio: f64,
    /// The motion.
    pub point: FollowedPoint,
}

/// A nonlinear mode.
#[derive(Clone, Debug, Default)]
pub struct ModeCurve {
    /// By amplitude.
    pub points: Vec<ModePoint>,
    /// Why it ended before the range did.
    pub error: Option<ResponseError>,
}

/// Follows the mode that begins as a linear one, with the pairs as they stand at rest.
///
/// # Errors
/// If the first point is not found. A curve that ends early is kept, with its error.
pub fn nonlinear_mode(
    balance: &HarmonicBalance,
    linear: &Mode,
    request: &ModeRequest,
    go_on: &mut dyn FnMut(&ModePoint) -> bool,
) -> Result<ModeCurve> {
    let mut search = Search::new(balance, linear, request)?;
    let [from, to] = request.range;
    let ratio = (to / from).powf(1.0 / (request.points.max(2) - 1) as f64);
    let mut targets: Vec<f64> = request
        .at
        .iter()
        .copied()
        .filter(|a| *a > from && *a < to)
        .collect();
    targets.extend(
        (0..request.points.max(2)).map(|k| from * ratio.powi(i32::try_from(k).unwrap_or(0))),
    );
    targets.sort_by(f64::total_cmp);
    targets.dedup();
    let mut curve = ModeCurve::default();
    for target in targets {
        match search.land(target) {
            Ok(point) => {
                curve.points.push(point);
                if curve.points.last().is_some_and(|point| !go_on(point)) {
                    return Ok(curve);
                }
            }
            Err(error) if curve.points.is_empty() => return Err(error),
            Err(error) => {
                curve.error = Some(error);
                return Ok(curve);
            }
        }
    }
    Ok(curve)
}

/// Unknowns of a point: coefficients, ω and γ.
#[derive(Clone)]
struct Unknowns {
    w: DVector<f64>,
    omega: f64,
    feeding: f64,
}

impl Unknowns {
    fn drive(&self) -> Excitation {
        Excitation {
            omega: self.omega,
            level: 0.0,
            feeding: self.feeding,
        }
    }
}

struct Search<'a> {
    balance: &'a HarmonicBalance,
    follower: Follower<'a>,
    work: BalanceWork,
    grid: PeriodGrid,
    /// The coordinate w whose first harmonic is held.
    held: usize,
    at: Unknowns,
    /// Modal amplitude there.
    amplitude: f64,
}

impl<'a> Search<'a> {
    /// A small motion in the linear mode.
    fn new(balance: &'a HarmonicBalance, linear: &Mode, request: &ModeRequest) -> Result<Self> {
        let machine = &balance.linear;
        let shape = DVector::from_vec(linear.shape.clone());
        let mass = machine.matrices.mass.map(|x| Complex::new(x, 0.0));
        let norm = shape.dotc(&(mass * &shape)).re.sqrt();
        let amplitude = request.range[0];
        let q = machine.pairs.map(|x| Complex::new(x, 0.0));
        let moved = q * shape * Complex::new(amplitude / norm, 0.0);
        let held = moved
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.norm().total_cmp(&b.1.norm()));
        let held = held.map_or(0, |(i, _)| i);
        let r = machine.size();
        if r == 0 || moved[held].norm() == 0.0 {
            return Err(ResponseError::Unsupported {
                element: "the mode".to_owned(),
                what: "a mode that moves no pair: it is linear, and",
            });
        }
        // the phase in which the held coordinate is a cosine
        let turn = moved[held].conj() / Complex::new(moved[held].norm(), 0.0);
        let choice = GridChoice {
            tolerance: STRICTER * request.grid.tolerance,
            ..request.grid
        };
        let grid = choice.first(1);
        let mut w = DVector::zeros(balance.unknowns(&grid));
        if let [cosine, sine] = harmonic_places(1, r)[..] {
            for i in 0..r {
                let x = moved[i] * turn;
                (w[cosine + i], w[sine + i]) = (x.re, -x.im);
            }
        }
        let omega = TAU * linear.frequency();
        Ok(Self {
            balance,
            follower: Follower::new(balance, CurveParameter::Level, choice, 1.0),
            work: balance.work(),
            grid,
            held,
            at: Unknowns {
                w,
                omega,
                feeding: 2.0 * omega * linear.damping_ratio(),
            },
            amplitude,
        })
    }

    fn held_value(&self, at: &Unknowns) -> f64 {
        at.w[self.balance.linear.size() + self.held]
    }

    /// The point at a modal amplitude.
    fn land(&mut self, target: f64) -> Result<ModePoint> {
        // a few steps of the amplitude, each with the motion in proportion
        let mut parts = 1.0;
        for _ in 0..HALVINGS {
            match self.try_to(target, parts) {
                Ok(point) => return Ok(point),
                Err(error) if parts >= 64.0 => return Err(error),
                Err(_) => parts *= 2.0,
            }
        }
        self.try_to(target, parts)
    }

    fn try_to(&mut self, target: f64, parts: f64) -> Result<ModePoint> {
        let saved = (self.at.clone(), self.amplitude, self.grid.clone());
        let ratio = (target / self.amplitude).powf(1.0 / parts);
        let mut found = Ok(());
        let mut left = parts;
        while left >= 1.0 && found.is_ok() {
            let value = self.held_value(&self.at) * ratio;
            found = self.settle(value);
            left -= 1.0;
        }
        for _ in 0..LANDINGS {
            if found.is_err() || (self.amplitude / target - 1.0).abs() < 1e-9 {
                break;
            }
            let value = self.held_value(&self.at) * target / self.amplitude;
            found = self.settle(value);
        }
        match found.and_then(|()| self.point()) {
            Ok(point) => Ok(point),
            Err(error) => {
                (self.at, self.amplitude, self.grid) = saved;
                Err(error)
            }
        }
    }

    /// Solves for a size of the held coordinate, on a grid that is fine enough.
    fn settle(&mut self, value: f64) -> Result<()> {
        let factor = value / self.held_value(&self.at);
        let mut at = self.at.clone();
        at.w *= factor;
        loop {
            let solved = self.newton(at, value)?;
            let solution = self.solution(&solved)?;
            let Some(finer) = self.follower.finer(&solution, &self.grid)? else {
                self.amplitude = self.modal_amplitude(&solved, &solution)?;
                self.at = solved;
                return Ok(());
            };
            at = solved;
            at.w = resized(&at.w, self.balance.unknowns(&finer));
            self.grid = finer;
        }
    }

    fn solution(&mut self, at: &Unknowns) -> Result<Solution> {
        let mut equations = self
            .balance
            .evaluate(&at.w, &self.grid, at.drive(), &mut self.work)?;
        // on a free vibration it is singular: the residual itself is the measure
        equations.jacobian = DMatrix::identity(at.w.len(), at.w.len());
        Ok(Solution {
            w: at.w.clone(),
            drive: at.drive(),
            equations,
            iterations: 1,
        })
    }

    /// Newton's method for w, ω and γ.
    fn newton(&mut self, mut at: Unknowns, value: f64) -> Result<Unknowns> {
        let n = at.w.len();
        let r = self.balance.linear.size();
        let (cosine, sine) = (r + self.held, 2 * r + self.held);
        let scale = value.abs();
        for _ in 0..MAX_ITERATIONS {
            let now = self
                .balance
                .evaluate(&at.w, &self.grid, at.drive(), &mut self.work)?;
            let by_omega = self.slope(&at, &now.residual, |at, by| at.omega += by)?;
            let by_feeding = self.slope(&at, &now.residual, |at, by| at.feeding += by)?;
            let mut matrix = DMatrix::zeros(n + 2, n + 2);
            matrix.view_mut((0, 0), (n, n)).copy_from(&now.jacobian);
            matrix
                .view_mut((0, n), (n, 1))
                .copy_from(&(by_omega * at.omega));
            matrix
                .view_mut((0, n + 1), (n, 1))
                .copy_from(&(by_feeding * at.omega));
            matrix[(n, cosine)] = 1.0;
            matrix[(n + 1, sine)] = 1.0;
            let mut right = DVector::zeros(n + 2);
            right.rows_mut(0, n).copy_from(&now.residual);
            right[n] = at.w[cosine] - value;
            right[n + 1] = at.w[sine];
            let step = matrix
                .lu()
                .solve(&right)
                .filter(|x| x.iter().all(|x| x.is_finite()));
            let Some(step) = step else {
                return Err(ResponseError::Singular {
                    frequency: at.omega / TAU,
                });
            };
            // frequencies move by a tenth at most
            let part = (0.1 / step[n].abs().max(step[n + 1].abs())).min(1.0);
            at.w -= step.rows(0, n) * part;
            at.omega *= 1.0 - step[n] * part;
            at.feeding -= step[n + 1] * at.omega * part;
            let size = (step.rows(0, n).amax() / scale)
                .max(step[n].abs())
                .max(step[n + 1].abs());
            if size <= SOLVED {
                return Ok(at);
            }
        }
        Err(ResponseError::NoSolution {
            frequency: at.omega / TAU,
            place: self.balance.worst_site(&at.w, &self.grid),
            residual: 1.0,
        })
    }

    fn slope(
        &mut self,
        at: &Unknowns,
        residual: &DVector<f64>,
        change: impl Fn(&mut Unknowns, f64),
    ) -> Result<DVector<f64>> {
        let by = DIFFERENCE * at.omega;
        let mut moved = at.clone();
        change(&mut moved, by);
        let there = self
            .balance
            .residual(&moved.w, &self.grid, moved.drive(), &mut self.work)?;
        Ok((there - residual) / by)
    }

    /// (Σ X_hᴴ M X_h)^½.
    fn modal_amplitude(&self, at: &Unknowns, solution: &Solution) -> Result<f64> {
        let machine = &self.balance.linear;
        let mass = machine.matrices.mass.map(|x| Complex::new(x, 0.0));
        let mut sum = 0.0;
        for h in 1..=self.grid.harmonics() {
            let force = harmonic(&solution.equations.force, h, machine.size());
            let w = harmonic(&at.w, h, machine.size());
            let x = machine
                .motion(h, at.drive(), &force, &w)
                .ok_or(ResponseError::Singular {
                    frequency: at.omega / TAU,
                })?;
            sum += x.dotc(&(&mass * &x)).re;
        }
        Ok(sum.sqrt())
    }

    fn point(&mut self) -> Result<ModePoint> {
        let at = self.at.clone();
        let equations = self
            .balance
            .evaluate(&at.w, &self.grid, at.drive(), &mut self.work)?;
        let n = at.w.len();
        Ok(ModePoint {
            amplitude: self.amplitude,
            omega: at.omega,
            damping_ratio: at.feeding / (2.0 * at.omega),
            point: FollowedPoint {
                solution: Solution {
                    drive: at.drive(),
                    w: at.w,
                    equations,
                    iterations: 1,
                },
                grid: self.grid.clone(),
                tangent: DVector::zeros(n + 1),
                scales: CurveScales {
                    w: 1.0,
                    parameter: 1.0,
                },
            },
        })
    }
}
