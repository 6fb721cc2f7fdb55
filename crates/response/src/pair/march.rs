//! One march of a pair over a period.

use super::load::SampleLoad;
use super::{Pair, PairLaw};
use crate::grid::PeriodGrid;
use bristle_laws::{HistoryTangent, MAX_STATES, Slip, Step};
use std::f64::consts::TAU;

/// Motion and load of a pair at every sample.
#[derive(Clone, Debug, Default)]
pub(super) struct PairMotionSamples {
    /// Displacements from rest, m, sample by sample.
    pub(super) displacement: Vec<f64>,
    /// Velocities, m/s.
    pub(super) velocity: Vec<f64>,
    pub(super) loads: Vec<SampleLoad>,
}

impl PairMotionSamples {
    /// Samples of a motion whose coefficients stand coordinate by coordinate.
    pub(super) fn fill(&mut self, pair: &Pair, motion: &[f64], grid: &PeriodGrid, omega: f64) {
        let (count, width) = (pair.coordinates(), grid.width());
        self.displacement.clear();
        self.velocity.clear();
        for k in 0..grid.samples() {
            for c in 0..count {
                let own = &motion[c * width..(c + 1) * width];
                self.displacement.push(grid.value(own, k));
                self.velocity.push(omega * grid.rate(own, k));
            }
        }
        self.loads.clear();
        self.loads.resize(grid.samples(), SampleLoad::default());
        // twice round: the closing speed at touch-down may come from the period before
        let mut before = SampleLoad {
            gap: f64::INFINITY,
            ..SampleLoad::default()
        };
        for k in (0..grid.samples()).chain(0..grid.samples()) {
            let (mut moved, mut rate) = (0.0, 0.0);
            if pair.has_gap() {
                let place = k * count + pair.slips;
                (moved, rate) = (self.displacement[place], self.velocity[place]);
            }
            let theta = TAU * k as f64 / grid.samples() as f64;
            before = pair.load.at(theta, moved, rate, &before);
            self.loads[k] = before;
        }
    }
}

/// Force, motion and states of a pair at every sample of a periodic motion.
#[derive(Clone, Debug, Default)]
pub struct PairTrace {
    /// Coordinates of the pair.
    pub coordinates: usize,
    /// States of the law.
    pub states: usize,
    /// Sample by sample.
    pub samples: Vec<PairSample>,
    /// Derivatives of the updates, if they were wanted.
    pub(crate) tangents: Vec<HistoryTangent>,
    /// Derivatives of the loads by the gap and by its rate.
    pub(crate) load_slopes: Vec<[f64; 2]>,
}

/// A pair at a sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairSample {
    /// Slip displacement from rest, m.
    pub displacement: [f64; 2],
    /// Slip velocity, m/s.
    pub velocity: [f64; 2],
    /// Friction along the slip, N.
    pub friction: [f64; 2],
    /// Normal force, N.
    pub normal_force: f64,
    /// Closing speed at touch-down, m/s.
    pub impact_rate: f64,
    /// States of the law.
    pub states: Vec<f64>,
}

impl PairSample {
    /// Slip speed, m/s.
    pub fn slip_speed(&self) -> f64 {
        self.velocity[0].hypot(self.velocity[1])
    }
}

/// What goes from one sample to the next: states and their derivatives.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    pub(super) states: [f64; MAX_STATES],
    /// Derivatives of each state by the coefficients of the motion, then by the states at the start
    /// of the period.
    pub(super) slopes: Vec<f64>,
    next: Vec<f64>,
}

impl Carried {
    /// The states at rest.
    pub(super) fn at_rest(pair: &Pair, columns: usize) -> Self {
        let mut states = [0.0; MAX_STATES];
        states[..pair.place.states.len()].copy_from_slice(&pair.place.states);
        let count = pair.place.states.len() * columns;
        Self {
            states,
            slopes: vec![0.0; count],
            next: vec![0.0; count],
        }
    }
}

/// A march over samples of a period.
pub(super) struct March<'a> {
    pub(super) pair: &'a Pair,
    pub(super) law: &'a PairLaw,
    pub(super) motion: &'a PairMotionSamples,
    pub(super) grid: &'a PeriodGrid,
    pub(super) omega: f64,
    /// Columns of the derivatives: coefficients of the motion and states at the start.
    pub(super) columns: usize,
}

/// The force of a step with its derivatives.
pub(super) struct StepForce {
    pub(super) force: [f64; 2],
}

impl March<'_> {
    fn duration(&self) -> f64 {
        TAU / (self.omega * self.grid.samples() as f64)
    }

    /// The step to the sample `to` from the one before it, or from rest.
    pub(super) fn step(
        &self,
        to: usize,
        from_rest: bool,
        carried: &mut Carried,
        tangent: &mut HistoryTangent,
        rows: [&mut [f64]; 2],
    ) -> StepForce {
        if self.pair.slips == 1 {
            self.step_in::<1>(to, from_rest, carried, tangent, rows)
        } else {
            self.step_in::<2>(to, from_rest, carried, tangent, rows)
        }
    }

    fn conditions<const D: usize>(&self, to: usize, from_rest: bool) -> Step<f64, D> {
        let (n, count) = (self.grid.samples(), self.pair.coordinates());
        let (now, last) = (to % n, (to + n - 1) % n);
        let duration = self.duration();
        let at = |k: usize, i: usize| self.motion.displacement[k * count + i];
        let moved = |i: usize| at(now, i) - if from_rest { 0.0 } else { at(last, i) };
        let load = self.motion.loads[now].force;
        let load_before = if from_rest {
            self.pair.load.at_rest()
        } else {
            self.motion.loads[last].force
        };
        let velocity = std::array::from_fn(|i| self.motion.velocity[now * count + i]);
        Step {
            mean: Slip::new(
                std::array::from_fn(|i| moved(i) / duration),
                0.5 * (load_before + load),
            ),
            end: Slip::new(velocity, load),
            duration,
        }
    }

    fn step_in<const D: usize>(
        &self,
        to: usize,
        from_rest: bool,
        carried: &mut Carried,
        tangent: &mut HistoryTangent,
        rows: [&mut [f64]; 2],
    ) -> StepForce {
        let states = self.pair.place.states.len();
        let step = self.conditions::<D>(to, from_rest);
        let mut new = [0.0; MAX_STATES];
        let force: [f64; D] = self.law.with_history.update(
            &step,
            &carried.states[..states],
            &mut new[..states],
            tangent,
        );
        for (i, row) in rows.into_iter().enumerate().take(D) {
            self.derive::<D>(to, from_rest, tangent.row(i), &carried.slopes, row);
        }
        for s in 0..states {
            let row = &mut carried.next[s * self.columns..(s + 1) * self.columns];
            self.derive::<D>(to, from_rest, tangent.row(D + s), &carried.slopes, row);
        }
        std::mem::swap(&mut carried.slopes, &mut carried.next);
        carried.states = new;
        let mut out = [0.0; 2];
        out[..D].copy_from_slice(&force);
        StepForce { force: out }
    }

    /// The derivatives of an output of the law by all columns, from those by its inputs.
    fn derive<const D: usize>(
        &self,
        to: usize,
        from_rest: bool,
        by: &[f64],
        slopes: &[f64],
        out: &mut [f64],
    ) {
        let (n, width) = (self.grid.samples(), self.grid.width());
        let (now, last) = (to % n, (to + n - 1) % n);
        let (basis, slope) = (self.grid.basis(now), self.grid.slope(now));
        let before = self.grid.basis(last);
        let per_step = 1.0 / self.duration();
        out.fill(0.0);
        let derives = self.columns > self.pair.place.states.len();
        for i in 0..if derives { D } else { 0 } {
            let own = &mut out[i * width..(i + 1) * width];
            let (by_mean, by_end) = (by[i] * per_step, by[D + i] * self.omega);
            let old = if from_rest { 0.0 } else { by_mean };
            for j in 0..width {
                own[j] = by_mean * basis[j] - old * before[j] + by_end * slope[j];
            }
        }
        if derives && self.pair.has_gap() {
            let (half, end) = (0.5 * by[2 * D], by[2 * D + 1]);
            let own = &mut out[D * width..(D + 1) * width];
            let mut add = |factor: f64, sample: usize| {
                let load = &self.motion.loads[sample];
                let (basis, slope) = (self.grid.basis(sample), self.grid.slope(sample));
                let by_rate = load.by_gap_rate * self.omega;
                for j in 0..width {
                    own[j] += factor * (load.by_gap * basis[j] + by_rate * slope[j]);
                }
            };
            add(half + end, now);
            if !from_rest {
                add(half, last);
            }
        }
        let by_states = &by[2 * D + 2..];
        for (s, factor) in by_states.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            let old = &slopes[s * self.columns..(s + 1) * self.columns];
            for (x, old) in out.iter_mut().zip(old) {
                *x += factor * old;
            }
        }
    }
}
