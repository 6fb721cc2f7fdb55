//! Derivatives of both views: tangent and Jacobian, by dual numbers.

use super::formulas::Law;
use super::states::MAX_STATES;
use crate::law::slip::{Slip, Step};
use crate::numbers::scalar::Real;
use crate::numbers::seeded::{SeededDual, seeded};
use nalgebra::SVector;
use num_dual::{Derivative, DualSVec64};

/// Derivatives of the force of an update, row = force component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent<const D: usize> {
    /// ∂F/∂(mean slip velocity), N s/m.
    pub mean_velocity: [[f64; D]; D],
    /// ∂F/∂(end slip velocity), N s/m.
    pub velocity: [[f64; D]; D],
    /// ∂F/∂(mean normal force).
    pub mean_normal_force: [f64; D],
    /// ∂F/∂(end normal force).
    pub normal_force: [f64; D],
}

impl<const D: usize> Tangent<D> {
    /// All zero.
    pub const ZERO: Self = Self {
        mean_velocity: [[0.0; D]; D],
        velocity: [[0.0; D]; D],
        mean_normal_force: [0.0; D],
        normal_force: [0.0; D],
    };
}

/// Derivatives of the continuous view. Rows are outputs, columns inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian<const D: usize> {
    /// ∂F/∂v, N s/m.
    pub force_velocity: [[f64; D]; D],
    /// ∂F/∂N.
    pub force_normal: [f64; D],
    /// ∂F/∂z, one entry of length D per state.
    pub force_state: Vec<[f64; D]>,
    /// ∂ż/∂v, one row of length D per state.
    pub rate_velocity: Vec<[f64; D]>,
    /// ∂ż/∂N, one per state.
    pub rate_normal: Vec<f64>,
    /// ∂ż/∂z, row major.
    pub rate_state: Vec<Vec<f64>>,
}

/// The update with its tangent by forward differentiation.
pub fn tangent_by_dual<L: Law, const D: usize>(
    law: &L,
    step: &Step<f64, D>,
    old: &[f64],
    new: &mut [f64],
) -> ([f64; D], Tangent<D>) {
    dual_tangent(step, new, |step, new| law.update(step, old, new))
}

/// The tangent of any kind of update.
pub(crate) fn dual_tangent<const D: usize>(
    step: &Step<f64, D>,
    new: &mut [f64],
    update: impl FnOnce(&Step<SeededDual, D>, &mut [SeededDual]) -> [SeededDual; D],
) -> ([f64; D], Tangent<D>) {
    let seed = |x: f64, i: usize| seeded(x, i, 0);
    let vector = |v: &[f64; D], first: usize| std::array::from_fn(|i| seed(v[i], first + i));
    let constant = |v: &[f64; D]| v.map(<SeededDual as Real>::from_f64);
    let dual_step = Step {
        mean: Slip {
            velocity: vector(&step.mean.velocity, 0),
            normal_force: seed(step.mean.normal_force, 2 * D),
            applied: constant(&step.mean.applied),
        },
        end: Slip {
            velocity: vector(&step.end.velocity, D),
            normal_force: seed(step.end.normal_force, 2 * D + 1),
            applied: constant(&step.end.applied),
        },
        duration: step.duration,
    };
    let mut scratch = [<SeededDual as Real>::from_f64(0.0); MAX_STATES];
    let states = &mut scratch[..new.len()];
    let force = update(&dual_step, states);
    for (x, dual) in new.iter_mut().zip(states.iter()) {
        *x = dual.re;
    }
    let mut tangent = Tangent::ZERO;
    for (i, f) in force.iter().enumerate() {
        let Some(eps) = f.eps.0 else { continue };
        for j in 0..D {
            tangent.mean_velocity[i][j] = eps[j];
            tangent.velocity[i][j] = eps[D + j];
        }
        tangent.mean_normal_force[i] = eps[2 * D];
        tangent.normal_force[i] = eps[2 * D + 1];
    }
    (force.map(|f| f.re), tangent)
}

/// The Jacobian of the continuous view by one forward pass per input.
pub fn jacobian_by_dual<L: Law, const D: usize>(
    law: &L,
    slip: &Slip<f64, D>,
    state: &[f64],
) -> Jacobian<D> {
    type InputDual = DualSVec64<1>;
    let n = state.len();
    let seeded = |x: f64, on: bool| {
        let eps = if on {
            Derivative::some(SVector::<f64, 1>::new(1.0))
        } else {
            Derivative::none()
        };
        InputDual::new(x, eps)
    };
    let derivative = |x: &InputDual| x.eps.0.map_or(0.0, |e| e[0]);
    let pass = |input: usize| {
        let dual_slip = Slip {
            velocity: std::array::from_fn(|i| seeded(slip.velocity[i], input == i)),
            normal_force: seeded(slip.normal_force, input == D),
            applied: slip.applied.map(|x| seeded(x, false)),
        };
        let dual_state: Vec<InputDual> = state
            .iter()
            .enumerate()
            .map(|(i, x)| seeded(*x, input == D + 1 + i))
            .collect();
        let mut rates = vec![seeded(0.0, false); n];
        let force = law.rates(&dual_slip, &dual_state, &mut rates);
        (
            force.map(|f| derivative(&f)),
            rates.iter().map(derivative).collect::<Vec<_>>(),
        )
    };
    let mut jacobian = Jacobian {
        force_velocity: [[0.0; D]; D],
        force_normal: [0.0; D],
        force_state: vec![[0.0; D]; n],
        rate_velocity: vec![[0.0; D]; n],
        rate_normal: vec![0.0; n],
        rate_state: vec![vec![0.0; n]; n],
    };
    for j in 0..D {
        let (force, rates) = pass(j);
        for (row, f) in jacobian.force_velocity.iter_mut().zip(force) {
            row[j] = f;
        }
        for (row, rate) in jacobian.rate_velocity.iter_mut().zip(rates) {
            row[j] = rate;
        }
    }
    (jacobian.force_normal, jacobian.rate_normal) = pass(D);
    for j in 0..n {
        let (force, rates) = pass(D + 1 + j);
        jacobian.force_state[j] = force;
        for (row, rate) in jacobian.rate_state.iter_mut().zip(rates) {
            row[j] = rate;
        }
    }
    jacobian
}
