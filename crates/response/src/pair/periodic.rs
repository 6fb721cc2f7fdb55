//! The periodic force of a pair.
//!
//! The law is marched from rest until its state repeats. Two periods are not enough: a bristle in
//! micro-slip forgets only exp(−∮σ₀|v|/g dt) of its state in a period. So the period map z₀ ↦ z_N is
//! solved with its own derivative Φ, z₀ ← z₀ + (I − Φ)⁺ (z_N − z₀): of a bristle law the map is
//! affine, and one correction is exact. Where Φ has the eigenvalue 1 (an element that never slips)
//! the state stays as the march from rest leaves it, and the mean of the force is not unique.

use super::Pair;
use super::march::{Carried, March, PairMotionSamples, PairSample, PairTrace};
use crate::error::{ResponseError, Result};
use crate::grid::PeriodGrid;
use bristle_laws::{HistoryTangent, MAX_STATES};
use nalgebra::{DMatrix, DVector};

/// Periods marched at most; the first ones are corrected by the derivative of the map.
const PASSES: usize = 200;
const CORRECTED: usize = 30;
/// The state is periodic when it misses less than this part of its largest value: what a linear
/// correction leaves of that is its square.
const LINEAR: f64 = 1e-6;
/// A direction of the state whose memory fades by less than this in a period does not fade.
const NO_FADING: f64 = 1e-7;

/// The periodic force of a pair: coefficients, coordinate by coordinate, and their derivatives.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocalForce {
    /// Deviations from the force at rest, N.
    pub(crate) force: Vec<f64>,
    /// Row major, by the coefficients of the motion.
    pub(crate) jacobian: Vec<f64>,
    /// Whether the mean of the force follows from the motion alone.
    pub(crate) is_unique: bool,
}

/// Working storage and result.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairWork {
    pub(crate) result: LocalForce,
    /// Kept if [`Self::keeps_trace`].
    pub(crate) trace: PairTrace,
    pub(crate) keeps_trace: bool,
    /// Whether derivatives by the motion are not wanted.
    pub(crate) leaves_slopes: bool,
    motion: PairMotionSamples,
    /// Derivatives of the force by the coefficients of the motion and the states at the start.
    slopes: Vec<f64>,
    rows: [Vec<f64>; 2],
    tangent: HistoryTangent,
    /// The periodic state that was found last, of a pair that forgets where it came from.
    last: Option<[f64; MAX_STATES]>,
}

impl PairWork {
    fn start(&mut self, pair: &Pair, grid: &PeriodGrid, columns: usize) {
        let size = pair.coordinates() * grid.width();
        let reset = |all: &mut Vec<f64>, len: usize| {
            all.clear();
            all.resize(len, 0.0);
        };
        reset(&mut self.result.force, size);
        let wanted = if self.leaves_slopes { 0 } else { size };
        reset(&mut self.result.jacobian, size * wanted);
        reset(&mut self.slopes, size * columns);
        for row in &mut self.rows {
            reset(row, columns);
        }
        self.result.is_unique = true;
        self.trace = PairTrace {
            coordinates: pair.coordinates(),
            states: pair.place.states.len(),
            ..PairTrace::default()
        };
    }

    /// Keeps the loads of a march for those who look at it.
    fn keep_loads(&mut self, pair: &Pair, grid: &PeriodGrid) {
        let count = pair.coordinates();
        self.trace
            .samples
            .resize_with(grid.samples(), PairSample::default);
        self.trace.load_slopes.clear();
        for (k, (sample, load)) in self
            .trace
            .samples
            .iter_mut()
            .zip(&self.motion.loads)
            .enumerate()
        {
            for i in 0..pair.slips {
                sample.displacement[i] = self.motion.displacement[k * count + i];
                sample.velocity[i] = self.motion.velocity[k * count + i];
            }
            sample.normal_force = load.force;
            sample.impact_rate = load.impact_rate;
            self.trace.load_slopes.push([load.by_gap, load.by_gap_rate]);
        }
    }
}

/// Computes the periodic force of a motion into `work`.
pub(super) fn solve(
    pair: &Pair,
    motion: &[f64],
    grid: &PeriodGrid,
    omega: f64,
    work: &mut PairWork,
) -> Result<()> {
    let mut columns = pair.place.states.len();
    if !work.leaves_slopes {
        columns += pair.coordinates() * grid.width();
    }
    work.start(pair, grid, columns);
    work.motion.fill(pair, motion, grid, omega);
    if work.keeps_trace {
        work.keep_loads(pair, grid);
    }
    if let Some(law) = &pair.law {
        let samples = std::mem::take(&mut work.motion);
        let march = March {
            pair,
            law,
            motion: &samples,
            grid,
            omega,
            columns,
        };
        let found = friction(&march, work);
        work.motion = samples;
        found?;
    }
    if pair.has_gap() {
        add_normal_force(pair, grid, omega, work);
    }
    for i in 0..pair.slips {
        work.result.force[i * grid.width()] -= pair.force_at_rest[i];
    }
    Ok(())
}

/// Marches the law to its periodic state.
///
/// A pair that forgets where it came from starts where it was periodic last: near there, one period
/// and a linear correction do.
fn friction(march: &March<'_>, work: &mut PairWork) -> Result<()> {
    if let Some(last) = work.last.take() {
        let mut carried = Carried::at_rest(march.pair, march.columns);
        carried.states = last;
        if march_until_periodic(march, carried, work).is_ok() && work.result.is_unique {
            return Ok(());
        }
    }
    let mut carried = Carried::at_rest(march.pair, march.columns);
    march.step(0, true, &mut carried, &mut work.tangent, &mut work.rows);
    march_until_periodic(march, carried, work)
}

fn march_until_periodic(
    march: &March<'_>,
    mut carried: Carried,
    work: &mut PairWork,
) -> Result<()> {
    let states = march.pair.place.states.len();
    for pass in 0..PASSES {
        seed(&mut carried, states, march.columns);
        let start = carried.clone();
        let largest = period(march, &mut carried, work);
        let map = PeriodMap::of(&start, &carried, states, march.columns);
        let is_near = map.largest_miss() <= LINEAR * largest;
        if is_near || pass < CORRECTED {
            map.correct(&start, &mut carried);
        }
        if is_near {
            work.result.is_unique = map.is_unique();
            work.last = map.is_unique().then_some(carried.states);
            finish(march, &map, work);
            return Ok(());
        }
    }
    Err(ResponseError::NotPeriodic {
        pair: march.pair.name.clone(),
        passes: PASSES,
    })
}

/// Derivatives by the states at the start of the period begin as a unit matrix.
fn seed(carried: &mut Carried, states: usize, columns: usize) {
    for s in 0..states {
        let row = &mut carried.slopes[s * columns..(s + 1) * columns];
        let own = &mut row[columns - states..];
        own.fill(0.0);
        own[s] = 1.0;
    }
}

/// One period from the states in `carried`: sums up the coefficients of the force. Returns the
/// largest state.
fn period(march: &March<'_>, carried: &mut Carried, work: &mut PairWork) -> f64 {
    let (grid, slips) = (march.grid, march.pair.slips);
    let (width, states) = (grid.width(), march.pair.place.states.len());
    work.result.force[..slips * width].fill(0.0);
    work.slopes[..slips * width * march.columns].fill(0.0);
    if work.keeps_trace {
        work.trace.tangents.clear();
        work.trace
            .tangents
            .resize(grid.samples(), HistoryTangent::default());
    }
    let mut largest = 0.0_f64;
    for k in 1..=grid.samples() {
        let step = march.step(k, false, carried, &mut work.tangent, &mut work.rows);
        let basis = grid.basis(k);
        for i in 0..slips {
            for (j, basis) in basis.iter().enumerate() {
                let weighted = basis * grid.weight(j);
                let place = i * width + j;
                work.result.force[place] += weighted * step.force[i];
                let own = &mut work.slopes[place * march.columns..(place + 1) * march.columns];
                for (sum, slope) in own.iter_mut().zip(&work.rows[i]) {
                    *sum += weighted * slope;
                }
            }
        }
        for state in &carried.states[..states] {
            largest = largest.max(state.abs());
        }
        if work.keeps_trace {
            let k = k % grid.samples();
            let sample = &mut work.trace.samples[k];
            sample.friction = step.force;
            sample.states.clear();
            sample.states.extend_from_slice(&carried.states[..states]);
            work.trace.tangents[k].clone_from(&work.tangent);
        }
    }
    largest
}

/// Force and derivatives of a period with what the states at its start miss.
fn finish(march: &March<'_>, map: &PeriodMap, work: &mut PairWork) {
    let width = march.grid.width();
    let (rows, columns) = (march.pair.slips * width, march.columns);
    let parameters = columns - map.missed.len();
    for row in 0..rows {
        let own = &work.slopes[row * columns..(row + 1) * columns];
        for (by_state, missed) in own[parameters..].iter().zip(map.missed.iter()) {
            work.result.force[row] += by_state * missed;
        }
        if work.leaves_slopes {
            continue;
        }
        let out = &mut work.result.jacobian[row * parameters..(row + 1) * parameters];
        out.copy_from_slice(&own[..parameters]);
        for (by_state, moved) in own[parameters..].iter().zip(map.missed_slopes.row_iter()) {
            for (x, moved) in out.iter_mut().zip(moved.iter()) {
                *x += by_state * moved;
            }
        }
    }
}

/// The map of the state over a period, linearised.
struct PeriodMap {
    /// Projection on the directions that do not fade.
    kept: Option<DMatrix<f64>>,
    /// (I − Φ)⁺ (S_N − S₀): what the derivatives of the state at the start miss.
    missed_slopes: DMatrix<f64>,
    /// What the state at the start misses.
    missed: DVector<f64>,
}

impl PeriodMap {
    fn of(start: &Carried, end: &Carried, states: usize, columns: usize) -> Self {
        let parameters = columns - states;
        let entry = |carried: &Carried, s: usize, j: usize| carried.slopes[s * columns + j];
        let left = DMatrix::from_fn(states, states, |i, j| {
            f64::from(u8::from(i == j)) - entry(end, i, parameters + j)
        });
        let (inverse, kept) = pseudo_inverse(left);
        let missed = DMatrix::from_fn(states, parameters, |s, j| {
            entry(end, s, j) - entry(start, s, j)
        });
        let gap = DVector::from_fn(states, |s, _| end.states[s] - start.states[s]);
        let mut moved = &inverse * &gap;
        if let Some(kept) = &kept {
            moved += kept * gap;
        }
        Self {
            missed_slopes: inverse * missed,
            missed: moved,
            kept,
        }
    }

    fn largest_miss(&self) -> f64 {
        self.missed.iter().fold(0.0, |m, x| m.max(x.abs()))
    }

    fn is_unique(&self) -> bool {
        self.kept.is_none()
    }

    /// The state at the start of the next period, in `end`, from both ends of this one.
    fn correct(&self, start: &Carried, end: &mut Carried) {
        let (states, parameters) = self.missed_slopes.shape();
        let columns = parameters + states;
        for s in 0..states {
            end.states[s] = start.states[s] + self.missed[s];
            for j in 0..parameters {
                let place = s * columns + j;
                end.slopes[place] = start.slopes[place] + self.missed_slopes[(s, j)];
            }
        }
    }
}

/// A⁺ of I − Φ, and the projection on the directions in which Φ is 1.
fn pseudo_inverse(a: DMatrix<f64>) -> (DMatrix<f64>, Option<DMatrix<f64>>) {
    let n = a.nrows();
    if n == 0 {
        return (a, None);
    }
    if n == 1 {
        let x = a[(0, 0)];
        let one = DMatrix::from_element(1, 1, 1.0);
        return if x.abs() > NO_FADING {
            (one / x, None)
        } else {
            (DMatrix::zeros(1, 1), Some(one))
        };
    }
    let svd = a.svd(true, true);
    let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else {
        return (DMatrix::identity(n, n), None);
    };
    let mut kept = None;
    let mut inverse = DMatrix::zeros(n, n);
    for (i, sigma) in svd.singular_values.iter().enumerate() {
        let right = v_t.row(i).transpose();
        if *sigma > NO_FADING {
            inverse += right * u.column(i).transpose() / *sigma;
        } else {
            let kept: &mut DMatrix<f64> = kept.get_or_insert_with(|| DMatrix::zeros(n, n));
            *kept += &right * right.transpose();
        }
    }
    (inverse, kept)
}

/// The normal force of a law: −N on the gap.
fn add_normal_force(pair: &Pair, grid: &PeriodGrid, omega: f64, work: &mut PairWork) {
    let (width, slips) = (grid.width(), pair.slips);
    let size = pair.coordinates() * width;
    let at_rest = pair.load.at_rest();
    for (k, load) in work.motion.loads.iter().enumerate() {
        let (basis, slope) = (grid.basis(k), grid.slope(k));
        for (j, own) in basis.iter().enumerate() {
            let weighted = own * grid.weight(j);
            let place = slips * width + j;
            work.result.force[place] -= weighted * (load.force - at_rest);
            if work.leaves_slopes {
                continue;
            }
            let row = &mut work.result.jacobian[place * size + slips * width..(place + 1) * size];
            for ((x, basis), slope) in row.iter_mut().zip(basis).zip(slope) {
                *x -= weighted * (load.by_gap * basis + omega * load.by_gap_rate * slope);
            }
        }
    }
}
