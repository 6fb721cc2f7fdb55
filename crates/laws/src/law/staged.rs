//! A stage of an implicit Runge–Kutta step for any law with smooth rates, by Newton's method.

use super::derivatives::Tangent;
use super::formulas::Law;
use super::slip::{Slip, StageStep};
use crate::numbers::lu::LuFactors;
use crate::numbers::scalar::Real;
use crate::numbers::seeded::{AT_ONCE, SeededDual, seeded};

/// Longest state slice that is solved for; longer ones follow the path.
pub(crate) const LONGEST: usize = 24;
/// Corrections at most.
const CORRECTIONS: usize = 30;
/// Shortest part of a correction that is tried.
const SHORTEST: f64 = 1.0 / 64.0;
/// A correction within this part of the states is rounding.
const ROUNDING: f64 = 1e-15;

/// Rates and force with their derivatives: by velocity, normal force, and states, in this order.
struct StageSlopes<const D: usize> {
    rates: [f64; LONGEST],
    force: [f64; D],
    rates_by: [[f64; LONGEST]; LONGEST],
    force_by: [[f64; LONGEST]; D],
    rates_by_slip: [[f64; LONGEST]; 4],
    force_by_slip: [[f64; D]; 4],
}

/// Force and states at a stage: z − z̄ = β ż(v, N, z), with the derivatives by the implicit function
///
/// $$ \frac{\partial\mathbf z}{\partial(\mathbf v,N)}
///    = \Bigl(\mathbf I-\beta\frac{\partial\dot{\mathbf z}}{\partial\mathbf z}\Bigr)^{-1}
///      \beta\,\frac{\partial\dot{\mathbf z}}{\partial(\mathbf v,N)} $$
pub(crate) fn stage_by_newton<L: Law, const D: usize>(
    law: &L,
    stage: &StageStep<D>,
    base: &[f64],
    new: &mut [f64],
    wants_tangent: bool,
) -> ([f64; D], Tangent<D>) {
    let n = base.len();
    let beta = stage.weight;
    new.copy_from_slice(base);
    let mut at = linearised(law, &stage.end, new);
    let mut correction = [0.0; LONGEST];
    for _ in 0..CORRECTIONS {
        let mut matrix = at.rates_by;
        for (i, row) in matrix[..n].iter_mut().enumerate() {
            for entry in &mut row[..n] {
                *entry *= -beta;
            }
            row[i] += 1.0;
        }
        for i in 0..n {
            correction[i] = base[i] + beta * at.rates[i] - new[i];
        }
        let size = largest(&correction[..n]);
        LuFactors::of(matrix, n).solve(&mut correction[..n]);
        let moved = largest(&correction[..n]);
        if moved <= ROUNDING * largest(new) || moved.is_nan() {
            break;
        }
        // where the rates bend, a shorter correction leaves less
        let old: [f64; LONGEST] = std::array::from_fn(|i| new.get(i).copied().unwrap_or(0.0));
        let mut part = 1.0;
        loop {
            for i in 0..n {
                new[i] = old[i] + part * correction[i];
            }
            at = linearised(law, &stage.end, new);
            let left = (0..n).fold(0.0_f64, |m, i| {
                m.max((base[i] + beta * at.rates[i] - new[i]).abs())
            });
            if left < size || part <= SHORTEST {
                break;
            }
            part *= 0.5;
        }
    }
    let tangent = if wants_tangent {
        tangent_of(&at, beta, n)
    } else {
        Tangent::ZERO
    };
    (at.force, tangent)
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| {
        if x.is_nan() || x.abs() > m {
            x.abs()
        } else {
            m
        }
    })
}

/// The derivatives of the force by the conditions at the stage.
fn tangent_of<const D: usize>(at: &StageSlopes<D>, beta: f64, n: usize) -> Tangent<D> {
    let mut matrix = at.rates_by;
    for (i, row) in matrix[..n].iter_mut().enumerate() {
        for entry in &mut row[..n] {
            *entry *= -beta;
        }
        row[i] += 1.0;
    }
    let factors = LuFactors::of(matrix, n);
    let mut tangent = Tangent::ZERO;
    for input in 0..=D {
        let mut moved = at.rates_by_slip[input].map(|rate| beta * rate);
        factors.solve(&mut moved[..n]);
        for i in 0..D {
            let through = at.force_by[i][..n].iter().zip(&moved);
            let slope = through.fold(at.force_by_slip[input][i], |sum, (f, z)| sum + f * z);
            if input < D {
                tangent.velocity[i][input] = slope;
            } else {
                tangent.normal_force[i] = slope;
            }
        }
    }
    tangent
}

/// The continuous view with its derivatives, in passes of dual numbers.
fn linearised<L: Law, const D: usize>(
    law: &L,
    slip: &Slip<f64, D>,
    state: &[f64],
) -> StageSlopes<D> {
    let n = state.len();
    let mut out = StageSlopes {
        rates: [0.0; LONGEST],
        force: [0.0; D],
        rates_by: [[0.0; LONGEST]; LONGEST],
        force_by: [[0.0; LONGEST]; D],
        rates_by_slip: [[0.0; LONGEST]; 4],
        force_by_slip: [[0.0; D]; 4],
    };
    let zero = SeededDual::from_f64(0.0);
    for first in (0..D + 1 + n).step_by(AT_ONCE) {
        let seed = |x: f64, input: usize| seeded(x, input, first);
        let dual_slip = Slip {
            velocity: std::array::from_fn(|i| seed(slip.velocity[i], i)),
            normal_force: seed(slip.normal_force, D),
            applied: slip.applied.map(SeededDual::from_f64),
        };
        let (mut dual_state, mut rates) = ([zero; LONGEST], [zero; LONGEST]);
        for (i, (dual, x)) in dual_state.iter_mut().zip(state).enumerate() {
            *dual = seed(*x, D + 1 + i);
        }
        let force = law.rates(&dual_slip, &dual_state[..n], &mut rates[..n]);
        for k in 0..AT_ONCE.min(D + 1 + n - first) {
            let slope = |x: &SeededDual| x.eps.0.as_ref().map_or(0.0, |eps| eps[k]);
            if let Some(column) = (first + k).checked_sub(D + 1) {
                for (row, rate) in out.rates_by.iter_mut().zip(&rates[..n]) {
                    row[column] = slope(rate);
                }
                for (row, force) in out.force_by.iter_mut().zip(&force) {
                    row[column] = slope(force);
                }
            } else {
                for (entry, rate) in out.rates_by_slip[first + k].iter_mut().zip(&rates[..n]) {
                    *entry = slope(rate);
                }
                out.force_by_slip[first + k] = force.each_ref().map(slope);
            }
        }
        for (value, rate) in out.rates.iter_mut().zip(&rates[..n]) {
            *value = rate.re;
        }
        out.force = std::array::from_fn(|i| force[i].re);
    }
    out
}
