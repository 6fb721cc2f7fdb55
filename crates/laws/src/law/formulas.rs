//! The formulas of a law.

use super::slip::{Slip, Step};
use crate::numbers::scalar::{MixesWith, Scalar};
use std::fmt::Debug;

/// The formulas of a law with parameters of the type `P`; the state is an argument.
///
/// Over numbers they are those of a simulation. Over dual parameters they give the derivatives by
/// the parameters, for a fit.
pub trait Law<P: Scalar = f64>: Clone + Debug {
    /// The kind of law: what follows from its formulas. [`General`](crate::kind::General) for a law
    /// that writes down both views itself.
    type Kind;

    /// Sets the state at the start of a motion; zero unless the law says otherwise.
    fn start<const D: usize>(&self, _slip: &Slip<P, D>, state: &mut [P]) {
        state.fill(P::zero());
    }

    /// The continuous view: force along v (N), and the rates of the states.
    ///
    /// Modes have rate 0: they change in [`Self::update`] only.
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D];

    /// The constitutive update: the state after the step, and the force at its end.
    ///
    /// Unconditionally stable: bounded for any duration. A law without state may keep the default.
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        _old: &[P],
        _new: &mut [T],
    ) -> [T; D] {
        self.rates(&step.end, &[], &mut [])
    }

    /// The update with the mode that `old` has, whatever the conditions at the end of the step.
    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        self.update(step, old, new)
    }

    /// Magnitude of the steady sliding force at a speed, N, if the law has one.
    fn steady(&self, speed: P, normal_force: P) -> Option<P>;
}
