//! Stability of a periodic motion: multipliers of the variational equation.
//!
//! A small disturbance of motion and friction states is carried over one period by the trapezoidal
//! rule, with the updates of the laws as they are marched in the balance, linearised. The
//! eigenvalues of that map are the Floquet multipliers: the motion is stable if none leaves the
//! unit circle. A slider that never slips has the multiplier 1: its place is free.

use crate::balance::HarmonicBalance;
use crate::follow::FollowedPoint;
use crate::pair::{Pair, PairTrace};
use crate::site::{Site, SiteWork};
use nalgebra::{Complex, DMatrix};
use std::f64::consts::TAU;

/// Modes above this multiple of the highest harmonic follow at once.
const FAST: f64 = 3.0;
/// Modes that are kept at least.
const LEAST_MODES: usize = 6;
/// A multiplier counts as outside of the unit circle beyond this.
pub(crate) const OUTSIDE: f64 = 1e-6;
/// A multiplier so close to 1 belongs to an element that never slips.
pub(crate) const NEUTRAL: f64 = 1e-7;

/// The multipliers of a periodic motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Multipliers {
    /// By size, largest first; those below 1e-6 are left out.
    pub values: Vec<Complex<f64>>,
}

impl Multipliers {
    /// Those that decide: without the neutral ones.
    fn deciding(&self) -> impl Iterator<Item = &Complex<f64>> {
        self.values
            .iter()
            .filter(|m| (**m - Complex::ONE).norm() > NEUTRAL)
    }

    /// Whether a disturbance dies out.
    pub fn is_stable(&self) -> bool {
        self.deciding().all(|m| m.norm() <= 1.0 + OUTSIDE)
    }

    /// Multipliers outside of the unit circle.
    pub fn unstable(&self) -> usize {
        self.deciding().filter(|m| m.norm() > 1.0 + OUTSIDE).count()
    }

    /// The largest one that decides.
    pub fn largest(&self) -> Option<Complex<f64>> {
        self.deciding().copied().next()
    }
}

/// The linear machine in a few modes, ready for steps of one length.
#[derive(Clone, Debug)]
pub(crate) struct StabilityBasis {
    squares: DMatrix<f64>,
    damping: DMatrix<f64>,
    /// Q times the modes.
    at_pairs: DMatrix<f64>,
    /// What the modes that are left out yield, m/N.
    residual: DMatrix<f64>,
}

impl StabilityBasis {
    /// The modes that matter up to an angular frequency.
    pub(crate) fn of(balance: &HarmonicBalance, highest: f64) -> Option<Self> {
        let system = &balance.linear.matrices;
        let factor = ((&system.mass + system.mass.transpose()) * 0.5)
            .cholesky()?
            .l();
        let reduce = |a: &DMatrix<f64>| -> Option<DMatrix<f64>> {
            let left = factor.solve_lower_triangular(a)?;
            Some(
                factor
                    .solve_lower_triangular(&left.transpose())?
                    .transpose(),
            )
        };
        let (stiffness, damping) = (reduce(&system.stiffness)?, reduce(&system.damping)?);
        let eigen = ((&stiffness + stiffness.transpose()) * 0.5).symmetric_eigen();
        let mut order: Vec<usize> = (0..stiffness.nrows()).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
        let slow = order
            .iter()
            .filter(|&&i| eigen.eigenvalues[i] < (FAST * highest).powi(2))
            .count();
        let kept = slow.max(LEAST_MODES).min(order.len());
        let basis = eigen.eigenvectors.select_columns(&order[..kept]);
        let shapes = factor.transpose().solve_upper_triangular(&basis)?;
        let at_pairs = &balance.linear.pairs * &shapes;
        let rest = eigen.eigenvectors.select_columns(&order[kept..]);
        let mut residual = DMatrix::zeros(at_pairs.nrows(), at_pairs.nrows());
        if kept < order.len() {
            let fast = &balance.linear.pairs * factor.transpose().solve_upper_triangular(&rest)?;
            for (k, &i) in order[kept..].iter().enumerate() {
                let column = fast.column(k);
                residual += column * column.transpose() / eigen.eigenvalues[i];
            }
        }
        Some(Self {
            squares: basis.transpose() * stiffness * &basis,
            damping: basis.transpose() * damping * &basis,
            at_pairs,
            residual,
        })
    }
}

/// Disturbances, one per column.
struct Perturbation {
    x: DMatrix<f64>,
    v: DMatrix<f64>,
    /// Force on w.
    f: DMatrix<f64>,
    w: DMatrix<f64>,
    w_rate: DMatrix<f64>,
    /// States, site by site.
    z: Vec<DMatrix<f64>>,
}

/// How the force of the sites at the end of a step depends on the step.
struct StepSlopes {
    by_w: DMatrix<f64>,
    by_rate: DMatrix<f64>,
    /// The rest: from the start of the step, one column per disturbance.
    from_start: DMatrix<f64>,
}

/// The multipliers at a point of a curve, whose traces are in `sites`.
pub(crate) fn multipliers(
    balance: &HarmonicBalance,
    basis: &StabilityBasis,
    point: &FollowedPoint,
    sites: &[SiteWork],
) -> Option<Multipliers> {
    let (m, r) = (basis.at_pairs.ncols(), basis.at_pairs.nrows());
    let states: Vec<usize> = sites.iter().map(|s| s.trace().states).collect();
    let size = 2 * m + r + states.iter().sum::<usize>();
    let unit = |first: usize, count: usize| {
        DMatrix::from_fn(count, size, |i, j| f64::from(u8::from(j == first + i)))
    };
    let mut at = Perturbation {
        x: unit(0, m),
        v: unit(m, m),
        f: unit(2 * m, r),
        w: DMatrix::zeros(r, size),
        w_rate: DMatrix::zeros(r, size),
        z: Vec::new(),
    };
    let mut first = 2 * m + r;
    for count in &states {
        at.z.push(unit(first, *count));
        first += count;
    }
    let n = point.grid.samples();
    let step = TAU / (point.omega() * n as f64);
    let march = Variation::new(balance, basis, step, sites)?;
    at.w = &basis.at_pairs * &at.x - &basis.residual * &at.f;
    at.w_rate = &basis.at_pairs * &at.v;
    for k in 1..=n {
        march.step(k % n, (k + n - 1) % n, &mut at)?;
    }
    let mut map = DMatrix::zeros(size, size);
    let mut row = 0;
    for part in [&at.x, &at.v, &at.f].into_iter().chain(&at.z) {
        map.rows_mut(row, part.nrows()).copy_from(part);
        row += part.nrows();
    }
    if map.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let schur = nalgebra::Schur::try_new(map, f64::EPSILON, 200 * size)?;
    let mut values: Vec<Complex<f64>> = schur.complex_eigenvalues().iter().copied().collect();
    values.retain(|x| x.norm() > 1e-6);
    values.sort_by(|a, b| b.norm().total_cmp(&a.norm()).then(b.im.total_cmp(&a.im)));
    Some(Multipliers { values })
}

/// Steps of the variational equation.
struct Variation<'a> {
    balance: &'a HarmonicBalance,
    basis: &'a StabilityBasis,
    sites: &'a [SiteWork],
    step: f64,
    /// (I + h/2 C + h²/4 K)⁻¹, and that times h/2 Qᵀ.
    inverse: DMatrix<f64>,
    by_force: DMatrix<f64>,
    /// How w and its rate at the end follow the force there.
    w_by_force: DMatrix<f64>,
    rate_by_force: DMatrix<f64>,
}

impl<'a> Variation<'a> {
    fn new(
        balance: &'a HarmonicBalance,
        basis: &'a StabilityBasis,
        step: f64,
        sites: &'a [SiteWork],
    ) -> Option<Self> {
        let m = basis.at_pairs.ncols();
        let held = DMatrix::identity(m, m)
            + &basis.damping * (0.5 * step)
            + &basis.squares * (0.25 * step * step);
        let inverse = held.try_inverse()?;
        let by_force = &inverse * basis.at_pairs.transpose() * (0.5 * step);
        let rate_by_force = &basis.at_pairs * &by_force;
        let w_by_force = &rate_by_force * (0.5 * step) + &basis.residual;
        Some(Self {
            balance,
            basis,
            sites,
            step,
            inverse,
            by_force,
            w_by_force,
            rate_by_force,
        })
    }

    fn step(&self, now: usize, last: usize, at: &mut Perturbation) -> Option<()> {
        let (h, basis) = (self.step, self.basis);
        let a =
            -(&basis.damping * &at.v + &basis.squares * &at.x + basis.at_pairs.transpose() * &at.f);
        let drift = &basis.squares * (&at.x + &at.v * (0.5 * h));
        let free = &self.inverse * (&at.v + (a - drift) * (0.5 * h));
        let slopes = self.slopes(now, last, at);
        let w_free = &basis.at_pairs * (&at.x + (&at.v + &free) * (0.5 * h));
        let rate_free = &basis.at_pairs * &free;
        let r = w_free.nrows();
        let left = DMatrix::identity(r, r)
            + &slopes.by_w * &self.w_by_force
            + &slopes.by_rate * &self.rate_by_force;
        let right = &slopes.by_w * &w_free + &slopes.by_rate * &rate_free + slopes.from_start;
        let f = left.lu().solve(&right)?;
        let v = free - &self.by_force * &f;
        let x = &at.x + (&at.v + &v) * (0.5 * h);
        let w = w_free - &self.w_by_force * &f;
        let w_rate = rate_free - &self.rate_by_force * &f;
        for i in 0..self.sites.len() {
            if let Site::Pair(pair) = &self.balance.sites[i] {
                let map = self.balance.map(i);
                let local = LocalStep {
                    pair,
                    trace: self.sites[i].trace(),
                    now,
                    last,
                    step: h,
                };
                let ends = [(map * &at.w, map * &at.w_rate), (map * &w, map * &w_rate)];
                at.z[i] = local.new_states(&ends, &at.z[i]);
            }
        }
        (at.x, at.v, at.f, at.w, at.w_rate) = (x, v, f, w, w_rate);
        Some(())
    }

    fn slopes(&self, now: usize, last: usize, at: &Perturbation) -> StepSlopes {
        let r = at.w.nrows();
        let mut out = StepSlopes {
            by_w: DMatrix::zeros(r, r),
            by_rate: DMatrix::zeros(r, r),
            from_start: DMatrix::zeros(r, at.w.ncols()),
        };
        for (i, site) in self.balance.sites.iter().enumerate() {
            let map = self.balance.map(i);
            match site {
                Site::Cubic(spring) => {
                    let u = self.sites[i].cubic_motion(now);
                    out.by_w += map.transpose() * map * spring.slope(u);
                }
                Site::Pair(pair) => {
                    let local = LocalStep {
                        pair,
                        trace: self.sites[i].trace(),
                        now,
                        last,
                        step: self.step,
                    };
                    let [by_u, by_rate] = local.force_by_end();
                    out.by_w += map.transpose() * by_u * map;
                    out.by_rate += map.transpose() * by_rate * map;
                    let (u, rate) = (map * &at.w, map * &at.w_rate);
                    out.from_start += map.transpose() * local.force_from_start(&u, &rate, &at.z[i]);
                }
            }
        }
        out
    }
}

/// A step of one pair, linearised.
struct LocalStep<'a> {
    pair: &'a Pair,
    trace: &'a PairTrace,
    now: usize,
    last: usize,
    step: f64,
}

impl LocalStep<'_> {
    /// The derivatives of outputs of the law by displacement and velocity at the end of the step
    /// (`end`) or at its start.
    fn by_motion(&self, row: usize, end: bool) -> [Vec<f64>; 2] {
        let (d, c) = (self.pair.slips, self.pair.coordinates());
        let by = self.trace.tangents[self.now].row(row);
        let (mut by_u, mut by_rate) = (vec![0.0; c], vec![0.0; c]);
        for i in 0..d {
            by_u[i] = if end { by[i] } else { -by[i] } / self.step;
            if end {
                by_rate[i] = by[d + i];
            }
        }
        if self.pair.has_gap() {
            let sample = if end { self.now } else { self.last };
            let [by_gap, by_gap_rate] = self.trace.load_slopes[sample];
            let factor = 0.5 * by[2 * d] + if end { by[2 * d + 1] } else { 0.0 };
            by_u[d] = factor * by_gap;
            by_rate[d] = factor * by_gap_rate;
        }
        [by_u, by_rate]
    }

    fn force_by_end(&self) -> [DMatrix<f64>; 2] {
        let (d, c) = (self.pair.slips, self.pair.coordinates());
        let (mut by_u, mut by_rate) = (DMatrix::zeros(c, c), DMatrix::zeros(c, c));
        for i in 0..d {
            let [u, rate] = self.by_motion(i, true);
            for j in 0..c {
                (by_u[(i, j)], by_rate[(i, j)]) = (u[j], rate[j]);
            }
        }
        if self.pair.has_gap() {
            let [by_gap, by_gap_rate] = self.trace.load_slopes[self.now];
            (by_u[(d, d)], by_rate[(d, d)]) = (-by_gap, -by_gap_rate);
        }
        [by_u, by_rate]
    }

    fn force_from_start(
        &self,
        u: &DMatrix<f64>,
        rate: &DMatrix<f64>,
        states: &DMatrix<f64>,
    ) -> DMatrix<f64> {
        let d = self.pair.slips;
        let mut out = DMatrix::zeros(self.pair.coordinates(), u.ncols());
        for i in 0..d {
            self.add_start(i, u, rate, states, i, &mut out);
        }
        out
    }

    /// Adds what output `row` of the law has from the start of the step to row `to`.
    fn add_start(
        &self,
        row: usize,
        u: &DMatrix<f64>,
        rate: &DMatrix<f64>,
        states: &DMatrix<f64>,
        to: usize,
        out: &mut DMatrix<f64>,
    ) {
        let d = self.pair.slips;
        let [by_u, by_rate] = self.by_motion(row, false);
        let by_states = &self.trace.tangents[self.now].row(row)[2 * d + 2..];
        for column in 0..u.ncols() {
            let mut sum = 0.0;
            for (j, (by_u, by_rate)) in by_u.iter().zip(&by_rate).enumerate() {
                sum += by_u * u[(j, column)] + by_rate * rate[(j, column)];
            }
            for (s, by) in by_states.iter().enumerate() {
                sum += by * states[(s, column)];
            }
            out[(to, column)] += sum;
        }
    }

    fn new_states(
        &self,
        [start, end]: &[(DMatrix<f64>, DMatrix<f64>); 2],
        states: &DMatrix<f64>,
    ) -> DMatrix<f64> {
        let d = self.pair.slips;
        let mut out = DMatrix::zeros(states.nrows(), states.ncols());
        for s in 0..states.nrows() {
            self.add_start(d + s, &start.0, &start.1, states, s, &mut out);
            let [by_u, by_rate] = self.by_motion(d + s, true);
            for column in 0..states.ncols() {
                let mut sum = 0.0;
                for (j, (by_u, by_rate)) in by_u.iter().zip(&by_rate).enumerate() {
                    sum += by_u * end.0[(j, column)] + by_rate * end.1[(j, column)];
                }
                out[(s, column)] += sum;
            }
        }
        out
    }
}
