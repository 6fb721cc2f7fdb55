//! The periodic force of a pair.
//!
//! The law is marched from rest until its state repeats. Two periods are not enough: a bristle in
//! micro-slip forgets only exp(−∮σ₀|v|/g dt) of its state in a period. So the period map z₀ ↦ z_N is
//! solved with its own derivative Φ, z₀ ← z₀ + (I − Φ)⁺ (z_N − z₀): of a bristle law the map is
//! affine, and one correction is exact. Where Φ has the eigenvalue 1 (an element that never slips)
//! the state stays as the march from rest leaves it, and the mean of the force is not unique.

use super::Pair;
use super::march::{Carried, March, PairMotionSamples, PairSample, PairTrace};
use super::period_map::PeriodMap;
use crate::error::{ResponseError, Result};
use crate::grid::PeriodGrid;
use bristle_laws::{HistoryTangent, MAX_STATES};
use nalgebra::{DMatrix, DMatrixView, DMatrixViewMut, DVector, DVectorView, DVectorViewMut};

/// Periods marched at most; the first ones are corrected by the derivative of the map.
const PASSES: usize = 200;
const CORRECTED: usize = 30;
/// The state is periodic when it misses less than this part of its largest value: what a linear
/// correction leaves of that is its square.
const LINEAR: f64 = 1e-6;
/// Samples whose derivatives are summed up at once.
const STRETCH: usize = 64;

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
    /// Derivatives of the force at the samples of a stretch of the period, sample by sample.
    rows: [Vec<f64>; 2],
    /// The force at these samples.
    forces: [Vec<f64>; 2],
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
        for rows in &mut self.rows {
            reset(rows, columns * STRETCH);
        }
        for forces in &mut self.forces {
            reset(forces, STRETCH);
        }
        self.result.is_unique = true;
        self.trace = PairTrace {
            coordinates: pair.coordinates(),
            states: pair.place.states.len(),
            ..PairTrace::default()
        };
    }

    fn keep_sample(&mut self, k: usize, friction: [f64; 2], states: &[f64]) {
        let sample = &mut self.trace.samples[k];
        sample.friction = friction;
        sample.states.clear();
        sample.states.extend_from_slice(states);
        self.trace.tangents[k].clone_from(&self.tangent);
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
        if march_until_periodic(march, &mut carried, work).is_ok() && work.result.is_unique {
            work.last = Some(carried.states);
            return Ok(());
        }
    }
    let mut carried = Carried::at_rest(march.pair, march.columns);
    let [first, second] = &mut work.rows;
    let rows = [first, second].map(|rows| &mut rows[..march.columns]);
    march.step(0, true, &mut carried, &mut work.tangent, rows);
    march_until_periodic(march, &mut carried, work)?;
    if work.result.is_unique {
        work.last = Some(carried.states);
    }
    Ok(())
}

fn march_until_periodic(
    march: &March<'_>,
    carried: &mut Carried,
    work: &mut PairWork,
) -> Result<()> {
    let states = march.pair.place.states.len();
    for pass in 0..PASSES {
        seed(carried, states, march.columns);
        let start = carried.clone();
        let largest = period(march, carried, work);
        let map = PeriodMap::of(&start, carried, states, march.columns);
        let is_near = map.largest_miss() <= LINEAR * largest;
        if is_near || pass < CORRECTED {
            map.correct(&start, carried);
        }
        if is_near {
            work.result.is_unique = map.is_unique();
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
    let mut first = 0;
    while first < grid.samples() {
        let count = STRETCH.min(grid.samples() - first);
        for place in 0..count {
            let k = first + place + 1;
            let [one, two] = &mut work.rows;
            let own = place * march.columns..(place + 1) * march.columns;
            let rows = [one, two].map(|rows| &mut rows[own.clone()]);
            let step = march.step(k, false, carried, &mut work.tangent, rows);
            for i in 0..slips {
                work.forces[i][place] = step.force[i];
            }
            for state in &carried.states[..states] {
                largest = largest.max(state.abs());
            }
            if work.keeps_trace {
                work.keep_sample(k % grid.samples(), step.force, &carried.states[..states]);
            }
        }
        sum_up(march, first, count, work);
        first += count;
    }
    largest
}

/// Adds what a stretch of samples has of the coefficients of the force.
fn sum_up_forces(march: &March<'_>, first: usize, count: usize, work: &mut PairWork) {
    let width = march.grid.width();
    let weights = march.grid.marched(first, count);
    for i in 0..march.pair.slips {
        let forces = DVectorView::from_slice(&work.forces[i][..count], count);
        let own = &mut work.result.force[i * width..(i + 1) * width];
        DVectorViewMut::from_slice(own, width).gemv_tr(1.0, &weights, &forces, 1.0);
    }
}

/// Adds what a stretch of samples has of the coefficients of the force, and of their derivatives.
fn sum_up(march: &March<'_>, first: usize, count: usize, work: &mut PairWork) {
    sum_up_forces(march, first, count, work);
    let (columns, width) = (march.columns, march.grid.width());
    let weights = march.grid.marched(first, count);
    for i in 0..march.pair.slips {
        let rows = DMatrixView::from_slice(&work.rows[i][..count * columns], columns, count);
        let own = &mut work.slopes[i * width * columns..(i + 1) * width * columns];
        DMatrixViewMut::from_slice(own, columns, width).gemm(1.0, &rows, &weights, 1.0);
    }
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

/// The normal force of a law: −N on the gap.
fn add_normal_force(pair: &Pair, grid: &PeriodGrid, omega: f64, work: &mut PairWork) {
    let (n, width, slips) = (grid.samples(), grid.width(), pair.slips);
    let (own, size) = (slips * width, pair.coordinates() * width);
    let at_rest = pair.load.at_rest();
    let weights = grid.marched(0, n);
    let loads = |row: usize| &work.motion.loads[(row + 1) % n];
    let force = DVector::from_fn(n, |row, _| loads(row).force - at_rest);
    let sums = weights.tr_mul(&force);
    for (x, sum) in work.result.force[own..].iter_mut().zip(&sums) {
        *x -= sum;
    }
    if work.leaves_slopes {
        return;
    }
    let by_motion = DMatrix::from_fn(width, n, |j, row| {
        let (load, sample) = (loads(row), row + 1);
        load.by_gap * grid.basis(sample)[j] + omega * load.by_gap_rate * grid.slope(sample)[j]
    });
    let slopes = by_motion * weights;
    for (place, column) in slopes.column_iter().enumerate() {
        let row = (own + place) * size + own;
        for (x, slope) in work.result.jacobian[row..].iter_mut().zip(&column) {
            *x -= slope;
        }
    }
}
