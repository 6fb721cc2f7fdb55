//! The implicit update: states whose rates are not linear in them.
//!
//! SDIRK4 of Hairer and Wanner (Solving Ordinary Differential Equations II, table IV.6.5): five
//! stages of fourth order with an embedded third order, L-stable and stiffly accurate. The mean
//! conditions of the step hold throughout, so the method needs no times.

use super::equations::{MAX_OWN_STATES, OwnEquations};
use super::program::ProgramInputs;
use crate::law::slip::{Slip, Step};
use crate::numbers::lu::LuFactors;
use crate::numbers::scalar::{MixesWith, Real, Scalar};
use nalgebra::SVector;
use num_dual::{Derivative, DualSVec64};

/// The diagonal of the method.
const GAMMA: f64 = 0.25;

/// The rows below the diagonal; the last one is also that of the new state.
const ROWS: [[f64; 4]; 5] = [
    [0.0; 4],
    [0.5, 0.0, 0.0, 0.0],
    [17.0 / 50.0, -1.0 / 25.0, 0.0, 0.0],
    [371.0 / 1360.0, -137.0 / 2720.0, 15.0 / 544.0, 0.0],
    [25.0 / 24.0, -49.0 / 48.0, 125.0 / 16.0, -85.0 / 12.0],
];

/// The new state less that of third order.
const ERROR: [f64; 5] = [
    25.0 / 24.0 - 59.0 / 48.0,
    -49.0 / 48.0 + 17.0 / 96.0,
    125.0 / 16.0 - 225.0 / 32.0,
    0.0,
    GAMMA,
];

/// Error of a substep over the size of the state.
const TOLERANCE: f64 = 1e-8;
/// Substeps of a step, after which their error is no longer held.
const MOST: usize = 1000;
/// The shortest substep over the step.
const SHORTEST: f64 = 1e-12;
/// Newton's corrections of a stage.
const CORRECTIONS: usize = 12;
/// Longest state slice: vectors in three dimensions.
const LONGEST: usize = 3 * MAX_OWN_STATES;

type Vector = [f64; LONGEST];

/// A scalar with the derivatives by some of the states.
type StateDual = DualSVec64<8>;

/// What the rates depend on beside the state.
#[derive(Clone, Copy)]
struct RateInputs<'a, const D: usize> {
    equations: &'a OwnEquations,
    numbers: ProgramInputs<'a, f64>,
    slip: Slip<f64, D>,
    count: usize,
}

impl<const D: usize> RateInputs<'_, D> {
    fn at(&self, state: &Vector) -> Vector {
        let mut rates = [0.0; LONGEST];
        let n = self.count;
        self.equations
            .rates_at(self.numbers, &self.slip, &state[..n], &mut rates[..n]);
        rates
    }

    /// The factors of 1 − hJ.
    fn matrix(&self, state: &Vector, h: f64) -> LuFactors<LONGEST> {
        let n = self.count;
        let constant = <StateDual as Real>::from_f64;
        let slip = Slip {
            velocity: self.slip.velocity.map(constant),
            normal_force: constant(self.slip.normal_force),
            applied: self.slip.applied.map(constant),
        };
        let mut matrix = [[0.0; LONGEST]; LONGEST];
        for first in (0..n).step_by(8) {
            let mut seeded = [constant(0.0); LONGEST];
            for (i, x) in state[..n].iter().enumerate() {
                seeded[i] = constant(*x);
                if (first..first + 8).contains(&i) {
                    let mut unit = SVector::<f64, 8>::zeros();
                    unit[i - first] = 1.0;
                    seeded[i] = StateDual::new(*x, Derivative::some(unit));
                }
            }
            let mut rates = [constant(0.0); LONGEST];
            self.equations
                .rates_at(self.numbers, &slip, &seeded[..n], &mut rates[..n]);
            for (row, rate) in matrix.iter_mut().zip(&rates[..n]) {
                for column in first..n.min(first + 8) {
                    let slope = rate.eps.0.map_or(0.0, |eps| eps[column - first]);
                    row[column] = -h * slope;
                }
            }
        }
        for (i, row) in matrix[..n].iter_mut().enumerate() {
            row[i] += 1.0;
        }
        LuFactors::of(matrix, n)
    }
}

/// Moves the states over a step: first for their values, each substep then once more with
/// derivatives. `numbers` are those without and with derivatives.
pub(super) fn follow<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    equations: &OwnEquations,
    numbers: (ProgramInputs<'_, f64>, ProgramInputs<'_, P>),
    step: &Step<T, D>,
    old: &[P],
    new: &mut [T],
) {
    let n = new.len();
    let mean = &step.mean;
    let rates = RateInputs {
        equations,
        numbers: numbers.0,
        slip: Slip {
            velocity: mean.velocity.map(Scalar::value),
            normal_force: mean.normal_force.value(),
            applied: mean.applied.map(Scalar::value),
        },
        count: n,
    };
    let mut state = [0.0; LONGEST];
    for i in 0..n {
        state[i] = old[i].value();
        new[i] = T::of(old[i]);
    }
    let exact = Exact {
        equations,
        numbers: numbers.1,
        slip: mean,
    };
    let (mut left, mut h) = (step.duration, step.duration);
    let mut count = 0;
    while left > 0.0 {
        count += 1;
        h = h.min(left);
        let forced = h <= SHORTEST * step.duration || count > MOST;
        if count > MOST {
            h = left;
        }
        let trial = attempt(&rates, &state, h);
        let error = trial.error;
        if !(error <= 1.0 || forced) {
            // a trial that failed says nothing of the length that would do
            let factor = if error.is_finite() {
                (0.9 * error.powf(-0.25)).clamp(0.1, 0.5)
            } else {
                0.25
            };
            h *= factor;
            continue;
        }
        exact.repeat(&rates, &trial, h, new);
        state = trial.state;
        left -= h;
        if left <= 1e-14 * step.duration {
            break;
        }
        h *= (0.9 * error.max(1e-12).powf(-0.25)).clamp(0.2, 10.0);
    }
}

/// A substep that was tried: its stages, the state at its end, and its error over the tolerance.
struct TrialSubstep {
    stages: [Vector; 5],
    state: Vector,
    error: f64,
}

fn attempt<const D: usize>(rates: &RateInputs<'_, D>, state: &Vector, h: f64) -> TrialSubstep {
    let n = rates.count;
    let mut trial = TrialSubstep {
        stages: [[0.0; LONGEST]; 5],
        state: *state,
        error: f64::INFINITY,
    };
    let mut guess = rates.at(state);
    let mut solved = true;
    for (s, row) in ROWS.iter().enumerate() {
        let mut base = *state;
        for (weight, stage) in row.iter().zip(&trial.stages[..s]) {
            for i in 0..n {
                base[i] += h * weight * stage[i];
            }
        }
        solved &= solve_stage(rates, &base, h, &mut guess);
        trial.stages[s] = guess;
        if s == 4 {
            for i in 0..n {
                trial.state[i] = base[i] + h * GAMMA * guess[i];
            }
        }
    }
    let size = |x: &Vector| x[..n].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let mut error: f64 = 0.0;
    for i in 0..n {
        let sum: f64 = (0..5).map(|s| ERROR[s] * trial.stages[s][i]).sum();
        error = error.max((h * sum).abs());
    }
    let scale = size(state).max(size(&trial.state)).max(f64::MIN_POSITIVE);
    if solved && trial.state[..n].iter().all(|x| x.is_finite()) {
        trial.error = error / (TOLERANCE * scale);
    }
    trial
}

/// Solves k = f(base + hγ k); whether Newton's method converged.
fn solve_stage<const D: usize>(
    rates: &RateInputs<'_, D>,
    base: &Vector,
    h: f64,
    k: &mut Vector,
) -> bool {
    let n = rates.count;
    let mut before = f64::INFINITY;
    for _ in 0..CORRECTIONS {
        let mut point = *base;
        for i in 0..n {
            point[i] += h * GAMMA * k[i];
        }
        let found = rates.at(&point);
        let mut correction = [0.0; LONGEST];
        for i in 0..n {
            correction[i] = found[i] - k[i];
        }
        rates.matrix(&point, h * GAMMA).solve(&mut correction[..n]);
        let (mut size, mut scale) = (0.0_f64, f64::MIN_POSITIVE);
        for i in 0..n {
            k[i] += correction[i];
            size = size.max(correction[i].abs());
            scale = scale.max(k[i].abs()).max(base[i].abs() / h);
        }
        if !size.is_finite() {
            return false;
        }
        // at the roundings, or as near as they allow
        if size <= 1e-13 * scale || (size <= 1e-9 * scale && size >= 0.5 * before) {
            return true;
        }
        before = size;
    }
    false
}

/// The rates with their derivatives.
struct Exact<'a, P, T, const D: usize> {
    equations: &'a OwnEquations,
    numbers: ProgramInputs<'a, P>,
    slip: &'a Slip<T, D>,
}

impl<P: Scalar, T: Scalar + MixesWith<P>, const D: usize> Exact<'_, P, T, D> {
    /// One correction of every stage in numbers with derivatives: since the stages are solved, it
    /// leaves their values and gives their derivatives, (1 − hγJ)⁻¹ ∂f.
    fn repeat(&self, rates: &RateInputs<'_, D>, trial: &TrialSubstep, h: f64, state: &mut [T]) {
        let n = state.len();
        let mut stages = [[T::zero(); LONGEST]; 5];
        for (s, row) in ROWS.iter().enumerate() {
            let mut point = [T::zero(); LONGEST];
            let mut value = [0.0; LONGEST];
            for i in 0..n {
                let mut x = state[i];
                for (weight, stage) in row.iter().zip(&stages[..s]) {
                    x = x + stage[i] * (h * weight);
                }
                point[i] = x + h * GAMMA * trial.stages[s][i];
                value[i] = point[i].value();
            }
            let mut found = [T::zero(); LONGEST];
            self.equations
                .rates_at(self.numbers, self.slip, &point[..n], &mut found[..n]);
            let mut correction = [T::zero(); LONGEST];
            for i in 0..n {
                correction[i] = found[i] - trial.stages[s][i];
            }
            rates.matrix(&value, h * GAMMA).solve(&mut correction[..n]);
            for i in 0..n {
                stages[s][i] = correction[i] + trial.stages[s][i];
            }
        }
        for i in 0..n {
            let mut x = state[i];
            for (s, stage) in stages.iter().enumerate() {
                let weight = if s == 4 { GAMMA } else { ROWS[4][s] };
                x = x + stage[i] * (h * weight);
            }
            state[i] = x;
        }
    }
}
