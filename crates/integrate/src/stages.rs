//! A step of ESDIRK4(3)6L\[2\]SA in second-order form on the group.
//!
//! With Θ the displacement since the start of the step and z the friction states that have rates,
//!
//! $$ \mathbf v_i = \mathbf v_n + h\sum_j a_{ij}\mathbf a_j,\qquad
//!    \Theta_i = h\sum_j a_{ij}\dot\Theta_j,\qquad
//!    \mathbf z_i = \mathbf z_n + h\sum_j a_{ij}\dot{\mathbf z}_j $$
//!
//! where each stage solves r(q_n ⊞ Θ_i, v_i, a_i; z_i) = 0 for a_i. Every implicit stage has the
//! matrix M + hγ C + h²γ² K; friction states are condensed by the laws. States that follow a path
//! (of sliders, for instance) go from the start of the step to the stage at once.

use crate::newton::{ErrorScales, NewtonTrial, PastAccelerations, StepFailure, TrialPoint};
use crate::observer::{Quadrature, StagePoint};
use crate::reach::Turning;
use crate::state::State;
use crate::system::System;
use crate::tableau::{DIAGONAL, STAGES, Tableau};
use std::ops::Range;

/// The stages of the last trial.
#[derive(Debug)]
pub(crate) struct Stages {
    tableau: &'static Tableau,
    h: f64,
    accelerations: [Vec<f64>; STAGES],
    displacement_rates: [Vec<f64>; STAGES],
    history_rates: [Vec<f64>; STAGES],
    /// Histories with the sums of the stages before.
    base: Vec<f64>,
    staged: Vec<Range<usize>>,
    /// The stages but for the first, for those who integrate over the step.
    points: Vec<StagePoint>,
}

/// A step to try.
#[derive(Clone, Copy)]
pub(crate) struct StageTrial<'a> {
    pub(crate) from: &'a State,
    /// Length of the step, s.
    pub(crate) h: f64,
    pub(crate) tableau: &'static Tableau,
    pub(crate) allowed: &'a ErrorScales,
    pub(crate) before: Option<PastAccelerations<'a>>,
}

/// Local errors of a step.
pub(crate) struct StageErrors<'a> {
    pub(crate) displacement: &'a mut [f64],
    pub(crate) velocity: &'a mut [f64],
    pub(crate) history: &'a mut [f64],
}

impl Stages {
    pub(crate) fn new<S: System>(system: &S, tableau: &'static Tableau) -> Self {
        let zeros = |n: usize| std::array::from_fn(|_| vec![0.0; n]);
        let point = || StagePoint {
            state: State::zeros(system),
            weight: 0.0,
        };
        Self {
            tableau,
            h: 0.0,
            accelerations: zeros(system.dofs()),
            displacement_rates: zeros(system.dofs()),
            history_rates: zeros(system.history_len()),
            base: vec![0.0; system.history_len()],
            staged: system.staged(),
            points: (1..STAGES).map(|_| point()).collect(),
        }
    }

    /// Tries a step; its end is then the state of `trial`.
    pub(crate) fn attempt<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        trial: &mut NewtonTrial,
        step: &StageTrial<'_>,
    ) -> Result<(), StepFailure> {
        let StageTrial {
            from, h, tableau, ..
        } = *step;
        (self.tableau, self.h) = (tableau, h);
        self.accelerations[0].copy_from_slice(&from.a);
        self.displacement_rates[0].copy_from_slice(&from.v);
        self.history_rates[0].copy_from_slice(&from.history_rates);
        let weights = tableau.weights();
        for (i, weight) in weights.into_iter().enumerate().skip(1) {
            self.sum_up(i, from, trial);
            self.predict(i, step, &mut trial.state);
            let point = TrialPoint {
                from,
                history: &self.base,
                allowed: step.allowed,
            };
            trial.solve(system, scratch, &point)?;
            self.keep(i, trial);
            self.points[i - 1].state.copy_from(&trial.state);
            self.points[i - 1].weight = h * weight;
        }
        let end = &mut trial.state;
        end.algorithmic.copy_from_slice(&end.a);
        end.history_rates
            .copy_from_slice(&self.history_rates[STAGES - 1]);
        Ok(())
    }

    /// Sets up what the stages before stage `i` give to it.
    fn sum_up(&mut self, i: usize, from: &State, trial: &mut NewtonTrial) {
        let (h, row) = (self.h, &self.tableau.rows[i]);
        let reach = &mut trial.reach;
        let weight = h * DIAGONAL;
        reach.path = self.tableau.nodes[i] * h;
        reach.t = from.t + reach.path;
        reach.stage = Some(weight);
        reach.velocity_gain = weight;
        reach.displacement_gain = weight * weight;
        reach.turning = Turning::Rate(weight);
        reach.velocity.copy_from_slice(&from.v);
        add_all(&mut reach.velocity, &self.accelerations[..i], row, h);
        reach.displacement.fill(0.0);
        add_all(
            &mut reach.displacement,
            &self.displacement_rates[..i],
            row,
            h,
        );
        self.base.copy_from_slice(&from.history);
        for range in &self.staged {
            for (rates, a) in self.history_rates[..i].iter().zip(row) {
                let entries = self.base[range.clone()].iter_mut();
                for (z, rate) in entries.zip(&rates[range.clone()]) {
                    *z += h * a * rate;
                }
            }
        }
    }

    /// Accelerations to start stage `i` from: by a polynomial through earlier ones, of no higher
    /// degree than multiplies what Newton's method has left in them by a few.
    fn predict(&self, i: usize, step: &StageTrial<'_>, state: &mut State) {
        let c = &self.tableau.nodes;
        state.a.copy_from_slice(&self.accelerations[0]);
        if i == 1 {
            let Some(before) = step.before else {
                return;
            };
            let ratio = c[1] * step.h / (step.from.t - before.t);
            for (a, old) in state.a.iter_mut().zip(before.a) {
                *a += ratio * (*a - old);
            }
            return;
        }
        let last = &self.accelerations[i - 1];
        if i == 3 || i == STAGES - 1 {
            let (x, y, z) = (c[i - 1], c[i - 2], c[i]);
            let first = z * (z - y) / (x * (x - y));
            let second = z * (z - x) / (y * (y - x));
            let others = last.iter().zip(&self.accelerations[i - 2]);
            for (a, (one, two)) in state.a.iter_mut().zip(others) {
                *a += first * (one - *a) + second * (two - *a);
            }
            return;
        }
        let ratio = c[i] / c[i - 1];
        for (a, next) in state.a.iter_mut().zip(last) {
            *a += ratio * (next - *a);
        }
    }

    /// Keeps what a solved stage adds to later ones.
    fn keep(&mut self, i: usize, trial: &NewtonTrial) {
        let state = &trial.state;
        self.accelerations[i].copy_from_slice(&state.a);
        trial.reach.displacement_rates(
            &trial.displacement,
            &state.v,
            &mut self.displacement_rates[i],
        );
        // never from the law again: at a stiff stage that would multiply Newton's error
        let weight = self.h * DIAGONAL;
        for range in &self.staged {
            for k in range.clone() {
                self.history_rates[i][k] = (state.history[k] - self.base[k]) / weight;
            }
        }
    }

    /// The difference between the step and the embedded one of third order.
    pub(crate) fn errors(&self, out: &mut StageErrors<'_>) {
        let weights = self.tableau.error_weights();
        let difference = |out: &mut [f64], rates: &[Vec<f64>; STAGES]| {
            out.fill(0.0);
            add_all(out, rates, &weights, self.h);
        };
        difference(out.displacement, &self.displacement_rates);
        difference(out.velocity, &self.accelerations);
        difference(out.history, &self.history_rates);
    }

    /// The state half-way through the step.
    pub(crate) fn middle(&self) -> &State {
        // the second stage of either tableau
        &self.points[0].state
    }

    /// Entries of the history that are summed.
    pub(crate) fn staged(&self) -> &[Range<usize>] {
        &self.staged
    }

    /// What integrates over the step.
    pub(crate) fn quadrature(&self) -> Quadrature<'_> {
        Quadrature {
            start_weight: self.h * self.tableau.weights()[0],
            points: &self.points,
        }
    }
}

/// out += h Σ a x.
fn add_all(out: &mut [f64], all: &[Vec<f64>], row: &[f64; STAGES], h: f64) {
    for (x, a) in all.iter().zip(row) {
        let factor = h * a;
        for (out, x) in out.iter_mut().zip(x) {
            *out += factor * x;
        }
    }
}
