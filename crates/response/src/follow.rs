//! Following a curve of solutions by its arc length.

use crate::balance::{BalanceWork, HarmonicBalance};
use crate::error::{ResponseError, Result};
use crate::excitation::Excitation;
use crate::factor::Factors;
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
pub(crate) const MAX_SAMPLES: usize = 8192;
/// Samples below which a grid does not become coarser.
const LEAST_SAMPLES: usize = 64;
/// Harmonics that are left out count with what they change of the others, but for parts of the allowed error below
/// this; beyond the larger one they are added without a look.
const QUIET: f64 = 0.25;
const LOUD: f64 = 20.0;
/// Parts of the allowed error that a coarser grid may have: it is left alone near the limit.
const SPARE: f64 = 0.25;
/// A step is hard where it is below this part of the longest one.
const HARD: f64 = 1e-3;
/// Points that follow on a grid that a hard step has made finer.
const KEPT: usize = 16;

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
        let Some(fit) = self.fit(solution, grid)? else {
            return Ok(None);
        };
        let (h, n) = (grid.harmonics(), grid.samples());
        let harmonics = fit.harmonics.max(h);
        let samples = fit.samples.max(n).max(least_samples(harmonics));
        let differs = harmonics != h || samples != n;
        Ok(differs.then(|| PeriodGrid::new(harmonics, samples)))
    }

    /// What a solution needs; `None` if all is fixed.
    ///
    /// The residual on a wider grid has three parts: what finer samples change of the harmonics that are kept,
    /// those that are left out, and what these would change of the kept ones. Each may be as large as the error
    /// that is allowed.
    fn fit(&mut self, solution: &Solution, grid: &PeriodGrid) -> Result<Option<GridFit>> {
        let GridChoice {
            harmonics: fixed_harmonics,
            samples: fixed_samples,
            tolerance,
        } = self.choice;
        if fixed_harmonics.is_some() && fixed_samples.is_some() {
            return Ok(None);
        }
        let (h, n, own) = (grid.harmonics(), grid.samples(), solution.w.len());
        let wide = PeriodGrid::new(
            fixed_harmonics.map_or(2 * h + 1, |_| h),
            fixed_samples.map_or(2 * n, |_| n),
        );
        let mut w = resized(&solution.w, self.balance.unknowns(&wide));
        let (balance, drive, work) = (self.balance, solution.drive, &mut self.work);
        let left = balance.residual(&w, &wide, drive, work)?;
        let r = balance.linear.size();
        let allowed = tolerance * solution.w.rows(r, own - r).norm();
        let factors = Factors::of(solution.equations.jacobian.clone());
        // near a resonance a small residual is a large motion
        let moved = |missed: DVector<f64>| factors.solve(&missed).unwrap_or(missed).norm();
        let by_samples = moved(left.rows(0, own).into());
        let mut fit = GridFit {
            harmonics: h,
            samples: n,
        };
        if fixed_samples.is_none() {
            fit.samples = fit_samples(n, by_samples / allowed);
        }
        if fixed_harmonics.is_some() {
            return Ok(Some(fit));
        }
        let tail = left.rows(own, left.len() - own).norm();
        let mut needed = allowed;
        if tail > QUIET * allowed && tail <= LOUD * allowed {
            let beyond = -left.rows(own, left.len() - own);
            w.rows_mut(own, left.len() - own).copy_from(&beyond);
            let answer = balance.residual(&w, &wide, drive, work)?;
            let change = moved((&answer - &left).rows(0, own).into());
            needed = allowed * (tail / change.max(f64::MIN_POSITIVE)).min(1.0);
        } else if tail > allowed {
            needed = QUIET * allowed;
        }
        fit.harmonics = if tail > needed {
            last_above(&left, r, h, 0.9 * needed).min(MAX_HARMONICS)
        } else {
            // fewer, if those beyond hardly count
            let least = self
                .choice
                .first(balance.linear.highest_order())
                .harmonics();
            let fewer = last_above(&w, r, 0, SPARE * allowed).max(least);
            if fewer + 2 <= h { fewer } else { h }
        };
        Ok(Some(fit))
    }

    /// A point in a grid that fits it, finer or coarser.
    fn refitted(&mut self, point: FollowedPoint, may_shrink: bool) -> Result<FollowedPoint> {
        let Some(fit) = self.fit(&point.solution, &point.grid)? else {
            return Ok(self.rescaled(point));
        };
        let (h, n) = (point.grid.harmonics(), point.grid.samples());
        let grows = fit.harmonics > h || fit.samples > n;
        let harmonics = if may_shrink && !grows {
            fit.harmonics
        } else {
            fit.harmonics.max(h)
        };
        let samples = if may_shrink {
            fit.samples
        } else {
            fit.samples.max(n)
        };
        let samples = samples.max(least_samples(harmonics));
        if harmonics == h && samples == n {
            return Ok(self.rescaled(point));
        }
        let point = self.moved_to(point, PeriodGrid::new(harmonics, samples))?;
        if grows {
            return self.refitted(point, false);
        }
        Ok(self.rescaled(point))
    }

    /// A point on another grid.
    fn moved_to(&mut self, point: FollowedPoint, grid: PeriodGrid) -> Result<FollowedPoint> {
        let unknowns = self.balance.unknowns(&grid);
        let width = point.tangent.len() - 1;
        let mut normal = resized(&point.tangent.rows(0, width).into(), unknowns + 1);
        normal[unknowns] = point.parameter_slope();
        let start = FollowedPoint {
            solution: Solution {
                w: resized(&point.solution.w, unknowns),
                ..point.solution
            },
            grid,
            tangent: &normal / normal.norm(),
            scales: point.scales,
        };
        self.step(&start, 0.0)
    }

    /// The same point with twice the samples, where a step from it does not come off: the sampled force has
    /// corners where the force has none. `None` with samples that are fixed, or the most.
    fn sharpened(&mut self, point: &FollowedPoint) -> Option<FollowedPoint> {
        let samples = 2 * point.grid.samples();
        if self.choice.samples.is_some() || samples > MAX_SAMPLES {
            return None;
        }
        let grid = PeriodGrid::new(point.grid.harmonics(), samples);
        let finer = self.moved_to(point.clone(), grid).ok()?;
        Some(self.rescaled(finer))
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
        // points that keep the samples which a step needed
        let mut kept = 0_usize;
        points.push(last.clone());
        loop {
            match self.straight_step(&last, step) {
                Ok(point) => {
                    let ease = WANTED / point.solution.iterations.max(1) as f64;
                    kept = kept.saturating_sub(1);
                    // the grid that is enough changes slowly along a curve
                    let point = if points.len().is_multiple_of(CHECKED) {
                        self.refitted(point, kept == 0)?
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
                    if step < HARD * longest
                        && let Some(finer) = self.sharpened(&last)
                    {
                        (last, step, kept) = (finer, 0.25 * longest, KEPT);
                    } else if step < SHORTEST {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// A step whose end has nearly the direction of its start.
    fn straight_step(&mut self, last: &FollowedPoint, step: f64) -> Result<FollowedPoint> {
        let point = self.step(last, step)?;
        let straight = point.tangent.dot(&last.tangent) > STRAIGHT;
        if straight || step <= 64.0 * SHORTEST {
            Ok(point)
        } else {
            Err(ResponseError::Singular {
                frequency: point.omega() / std::f64::consts::TAU,
            })
        }
    }
}

/// Harmonics and samples that a solution needs.
struct GridFit {
    harmonics: usize,
    samples: usize,
}

fn least_samples(harmonics: usize) -> usize {
    4 * harmonics + 4
}

/// Samples for an error of `share` times the one that is allowed: it falls with the square of their number.
fn fit_samples(n: usize, share: f64) -> usize {
    let mut samples = n;
    if share > 1.0 {
        // at most fourfold: then it is looked at again
        samples *= if share > 8.0 { 4 } else { 2 };
    } else if share < SPARE / 4.0 {
        samples /= 2;
    }
    samples.clamp(LEAST_SAMPLES.min(n), MAX_SAMPLES.max(n))
}

/// The last harmonic above `first` from which on the coefficients are more than `size`.
fn last_above(w: &DVector<f64>, r: usize, first: usize, size: f64) -> usize {
    let mut tail = 0.0;
    for k in (first + 1..=(w.len() / r.max(1)) / 2).rev() {
        tail += w.rows((2 * k - 1) * r, 2 * r).norm_squared();
        if tail.sqrt() > size {
            return k;
        }
    }
    first
}

/// Coefficients with more or fewer harmonics.
pub(crate) fn resized(w: &DVector<f64>, len: usize) -> DVector<f64> {
    DVector::from_fn(len, |i, _| w.get(i).copied().unwrap_or(0.0))
}
