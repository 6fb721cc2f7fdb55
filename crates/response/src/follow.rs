//! Following a curve of solutions by its arc length.

use crate::balance::{BalanceWork, HarmonicBalance};
use crate::error::{ResponseError, Result};
use crate::excitation::Excitation;
use crate::grid::PeriodGrid;
use crate::newton::{self, CorrectionPlane, CurveParameter, CurveScales, Solution};
use nalgebra::DVector;

/// Iterations of a step of the right length.
const WANTED: f64 = 4.0;
/// Bounds of the change of the step from one to the next.
const CHANGES: (f64, f64) = (0.5, 1.6);
/// Shortest step, in units of the range.
const SHORTEST: f64 = 1e-9;
/// Directions of two points next to each other differ by less: cos of the angle.
const STRAIGHT: f64 = 0.9;
/// The motion counts in units of its own size, but not below this part of the largest one.
const SMALLEST: f64 = 1e-2;

/// A point of a curve.
#[derive(Clone, Debug)]
pub struct FollowedPoint {
    /// The solution.
    pub solution: Solution,
    /// Harmonics and samples that it was found with.
    pub grid: PeriodGrid,
    /// The direction of the curve: of the coefficients and of the parameter.
    pub(crate) tangent: DVector<f64>,
    pub(crate) scales: CurveScales,
}

impl FollowedPoint {
    /// How fast the parameter grows along the curve; it changes its sign at a fold.
    pub fn parameter_slope(&self) -> f64 {
        self.tangent[self.tangent.len() - 1]
    }

    /// Angular frequency, rad/s.
    pub fn omega(&self) -> f64 {
        self.solution.drive.omega
    }
}

/// One point in so many is held against a finer grid.
const CHECKED: usize = 4;

/// How a grid is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridChoice {
    /// Highest harmonic; found if `None`.
    pub harmonics: Option<usize>,
    /// Samples of a period; found if `None`.
    pub samples: Option<usize>,
    /// Error of the motion that is allowed, as part of its size.
    pub tolerance: f64,
}

/// Largest grids that are tried.
pub(crate) const MAX_HARMONICS: usize = 41;
/// Harmonics that are left out act on those that are kept: of the tolerance they get this part.
const TAIL: f64 = 0.25;
pub(crate) const MAX_SAMPLES: usize = 8192;

impl GridChoice {
    /// Where the search begins.
    pub(crate) fn first(&self, highest_order: usize) -> PeriodGrid {
        let harmonics = self.harmonics.unwrap_or(5).max(highest_order).max(1);
        let samples = self.samples.unwrap_or(256).max(4 * harmonics + 4);
        PeriodGrid::new(harmonics, samples)
    }
}

/// Follows curves of one balance.
pub(crate) struct Follower<'a> {
    pub(crate) balance: &'a HarmonicBalance,
    pub(crate) parameter: CurveParameter,
    pub(crate) choice: GridChoice,
    pub(crate) work: BalanceWork,
    /// Unit of the parameter.
    pub(crate) range: f64,
    /// Size of the largest motion up to now, m.
    largest: f64,
}

impl<'a> Follower<'a> {
    pub(crate) fn new(
        balance: &'a HarmonicBalance,
        parameter: CurveParameter,
        choice: GridChoice,
        range: f64,
    ) -> Self {
        Self {
            balance,
            parameter,
            choice,
            work: balance.work(),
            range,
            largest: 0.0,
        }
    }

    fn scales(&mut self, w: &DVector<f64>) -> CurveScales {
        let size = w.norm();
        self.largest = self.largest.max(size);
        CurveScales {
            w: size.max(SMALLEST * self.largest).max(1e-300),
            parameter: self.range,
        }
    }

    /// A solution at a fixed drive, on a grid that is fine enough.
    pub(crate) fn solve(
        &mut self,
        drive: Excitation,
        guess: &DVector<f64>,
        grid: &PeriodGrid,
    ) -> Result<FollowedPoint> {
        let mut grid = grid.clone();
        let mut w = resized(guess, self.balance.unknowns(&grid));
        loop {
            let solution = newton::solve(self.balance, &grid, drive, w, &mut self.work)?;
            if let Some(finer) = self.finer(&solution, &grid)? {
                w = resized(&solution.w, self.balance.unknowns(&finer));
                grid = finer;
                continue;
            }
            let scales = self.scales(&solution.w);
            let (parameter, work) = (self.parameter, &mut self.work);
            let tangent = newton::tangent(self.balance, &grid, parameter, &solution, scales, work)?;
            return Ok(FollowedPoint {
                solution,
                grid,
                tangent,
                scales,
            });
        }
    }

    /// The point at the arc length `step` behind a point, on the grid of that point.
    pub(crate) fn step(&mut self, from: &FollowedPoint, step: f64) -> Result<FollowedPoint> {
        let n = from.solution.w.len();
        let scales = from.scales;
        let normal = &from.tangent;
        let w = &from.solution.w + normal.rows(0, n) * (step * scales.w);
        let start = self.parameter.of(from.solution.drive);
        let plane = CorrectionPlane {
            w: &w,
            value: start + normal[n] * step * scales.parameter,
            normal,
            scales,
        };
        let (parameter, drive, work) = (self.parameter, from.solution.drive, &mut self.work);
        let (solution, mut tangent) =
            newton::correct(self.balance, &from.grid, parameter, drive, &plane, work)?;
        if tangent.dot(normal) < 0.0 {
            tangent = -tangent;
        }
        Ok(FollowedPoint {
            solution,
            grid: from.grid.clone(),
            tangent,
            scales,
        })
    }

    /// The same point on a finer grid, if it needs one, and in its own scales.
    fn settled(&mut self, point: FollowedPoint) -> Result<FollowedPoint> {
        let slope = point.parameter_slope();
        let mut point = point;
        if let Some(finer) = self.finer(&point.solution, &point.grid)? {
            let unknowns = self.balance.unknowns(&finer);
            let width = point.tangent.len() - 1;
            let mut normal = DVector::zeros(unknowns + 1);
            normal
                .rows_mut(0, width)
                .copy_from(&point.tangent.rows(0, width));
            normal[unknowns] = slope;
            let w = resized(&point.solution.w, unknowns);
            let start = FollowedPoint {
                solution: Solution {
                    w,
                    ..point.solution
                },
                grid: finer,
                tangent: normal,
                scales: point.scales,
            };
            point = self.step(&start, 0.0)?;
            return self.settled(point);
        }
        Ok(self.rescaled(point))
    }

    /// A point in scales of its own.
    fn rescaled(&mut self, mut point: FollowedPoint) -> FollowedPoint {
        let n = point.tangent.len() - 1;
        let scales = self.scales(&point.solution.w);
        let factor = point.scales.w / scales.w;
        point.tangent.rows_mut(0, n).scale_mut(factor);
        let norm = point.tangent.norm();
        point.tangent /= norm;
        point.scales = scales;
        point
    }

    /// A grid for what this solution misses: harmonics beyond its own, or finer samples.
    pub(crate) fn finer(
        &mut self,
        solution: &Solution,
        grid: &PeriodGrid,
    ) -> Result<Option<PeriodGrid>> {
        let (fixed_harmonics, fixed_samples) = (
            self.choice.harmonics.is_some(),
            self.choice.samples.is_some(),
        );
        if fixed_harmonics && fixed_samples {
            return Ok(None);
        }
        let (h, n) = (grid.harmonics(), grid.samples());
        let wide = PeriodGrid::new(
            if fixed_harmonics { h } else { 2 * h + 1 },
            if fixed_samples { n } else { 2 * n },
        );
        let w = resized(&solution.w, self.balance.unknowns(&wide));
        let residual = self
            .balance
            .residual(&w, &wide, solution.drive, &mut self.work)?;
        let r = self.balance.linear.size();
        let size = solution.w.rows(r, solution.w.len() - r).norm();
        let allowed = self.choice.tolerance * size;
        let own = solution.w.len();
        let (mut harmonics, mut samples) = (h, n);
        // near a resonance a small residual is a large motion
        let missed: DVector<f64> = residual.rows(0, own).into();
        let moved = solution.equations.jacobian.clone().lu().solve(&missed);
        let moved = moved.unwrap_or(missed).norm();
        if !fixed_samples && moved > allowed && n < MAX_SAMPLES {
            samples = 2 * n;
        }
        if !fixed_harmonics && h < MAX_HARMONICS {
            // as many as leave a tail that is small enough
            let mut tail = 0.0;
            let mut needed = h;
            for k in (h + 1..=wide.harmonics()).rev() {
                tail += residual.rows((2 * k - 1) * r, 2 * r).norm_squared();
                if tail.sqrt() > TAIL * allowed {
                    needed = k;
                    break;
                }
            }
            harmonics = needed.min(MAX_HARMONICS);
        }
        let samples = samples.max(4 * harmonics + 4);
        if harmonics == h && samples == n {
            return Ok(None);
        }
        Ok(Some(PeriodGrid::new(harmonics, samples)))
    }

    /// Follows the curve from `start` until `go_on` ends it; steps are at most `longest`.
    ///
    /// What was found stays in `points` when a step fails.
    pub(crate) fn follow(
        &mut self,
        start: FollowedPoint,
        longest: f64,
        points: &mut Vec<FollowedPoint>,
        go_on: &mut dyn FnMut(&FollowedPoint) -> bool,
    ) -> Result<()> {
        let mut step = 0.25 * longest;
        let mut last = start;
        points.push(last.clone());
        loop {
            let tried = self.step(&last, step).and_then(|point| {
                let straight = point.tangent.dot(&last.tangent) > STRAIGHT;
                if straight || step <= 64.0 * SHORTEST {
                    Ok(point)
                } else {
                    Err(ResponseError::Singular {
                        frequency: point.omega() / std::f64::consts::TAU,
                    })
                }
            });
            match tried {
                Ok(point) => {
                    let ease = WANTED / point.solution.iterations.max(1) as f64;
                    // the grid that is enough changes slowly along a curve
                    let point = if points.len().is_multiple_of(CHECKED) {
                        self.settled(point)?
                    } else {
                        self.rescaled(point)
                    };
                    step = (step * ease.clamp(CHANGES.0, CHANGES.1)).min(longest);
                    points.push(point.clone());
                    if !go_on(&point) {
                        return Ok(());
                    }
                    last = point;
                }
                Err(error) => {
                    step *= 0.5;
                    if step < SHORTEST {
                        return Err(error);
                    }
                }
            }
        }
    }
}

/// Coefficients with more or fewer harmonics.
pub(crate) fn resized(w: &DVector<f64>, len: usize) -> DVector<f64> {
    DVector::from_fn(len, |i, _| w.get(i).copied().unwrap_or(0.0))
}
