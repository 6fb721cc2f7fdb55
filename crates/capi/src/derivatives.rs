//! Derivatives of the continuous view without allocation.

use bristle_laws::{Friction, MAX_STATES, Real, Slip};
use nalgebra::Const;
use num_dual::{Derivative, DualSVec64};

/// Inputs of one pass.
const AT_ONCE: usize = 8;

type PassDual = DualSVec64<AT_ONCE>;

/// Where derivatives of the continuous view go; each may be missing. Row major.
#[derive(Debug, Default)]
pub(crate) struct RateDerivatives<'a> {
    pub(crate) force_velocity: Option<&'a mut [f64]>,
    pub(crate) force_normal: Option<&'a mut [f64]>,
    pub(crate) force_state: Option<&'a mut [f64]>,
    pub(crate) rate_velocity: Option<&'a mut [f64]>,
    pub(crate) rate_normal: Option<&'a mut [f64]>,
    pub(crate) rate_state: Option<&'a mut [f64]>,
}

impl RateDerivatives<'_> {
    pub(crate) fn is_wanted(&self) -> bool {
        let all = [
            &self.force_velocity,
            &self.force_normal,
            &self.force_state,
            &self.rate_velocity,
            &self.rate_normal,
            &self.rate_state,
        ];
        all.iter().any(|own| own.is_some())
    }

    /// Puts ∂(force or rate `row`)/∂(input) where it is wanted; inputs are v, N, z in this order.
    fn put(&mut self, is_force: bool, row: usize, input: usize, sizes: (usize, usize), x: f64) {
        let (dim, states) = sizes;
        let (by_velocity, by_normal, by_state) = if is_force {
            (
                &mut self.force_velocity,
                &mut self.force_normal,
                &mut self.force_state,
            )
        } else {
            (
                &mut self.rate_velocity,
                &mut self.rate_normal,
                &mut self.rate_state,
            )
        };
        let (to, place) = match input.checked_sub(dim) {
            None => (by_velocity, row * dim + input),
            Some(0) => (by_normal, row),
            Some(state) => (by_state, row * states + state - 1),
        };
        if let Some(entry) = to.as_deref_mut().and_then(|to| to.get_mut(place)) {
            *entry = x;
        }
    }
}

fn seeded(x: f64, input: usize, first: usize) -> PassDual {
    let eps = match input.checked_sub(first) {
        Some(k) if k < AT_ONCE => Derivative::derivative_generic(Const, Const, k),
        _ => Derivative::none(),
    };
    PassDual::new(x, eps)
}

/// Fills the derivatives that are wanted, by dual numbers: exact.
pub(crate) fn fill<const D: usize>(
    law: &Friction,
    slip: &Slip<f64, D>,
    state: &[f64],
    out: &mut RateDerivatives<'_>,
) {
    let (states, inputs) = (state.len(), D + 1 + state.len());
    for first in (0..inputs).step_by(AT_ONCE) {
        let dual_slip = Slip {
            velocity: std::array::from_fn(|i| seeded(slip.velocity[i], i, first)),
            normal_force: seeded(slip.normal_force, D, first),
            applied: slip.applied.map(PassDual::from_f64),
        };
        let zero = PassDual::from_f64(0.0);
        let (mut z, mut rates) = ([zero; MAX_STATES], [zero; MAX_STATES]);
        for (i, (dual, x)) in z.iter_mut().zip(state).enumerate() {
            *dual = seeded(*x, D + 1 + i, first);
        }
        let force = law.rates(&dual_slip, &z[..states], &mut rates[..states]);
        for input in first..inputs.min(first + AT_ONCE) {
            let along = |x: &PassDual| x.eps.0.map_or(0.0, |eps| eps[input - first]);
            for (row, x) in force.iter().enumerate() {
                out.put(true, row, input, (D, states), along(x));
            }
            for (row, x) in rates[..states].iter().enumerate() {
                out.put(false, row, input, (D, states), along(x));
            }
        }
    }
}
