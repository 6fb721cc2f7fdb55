//! The formulas of a law, whatever its parameters are made of.
//!
//! A law has one text. Over numbers it is the [`FrictionLaw`](crate::FrictionLaw) of a simulation;
//! over dual numbers the same text gives the derivatives by the parameters, for a fit.

use crate::parameters::ParameterError;
use crate::scalar::{Over, Scalar};
use crate::slip::{Slip, Step};
use std::fmt::Debug;

/// The formulas of a law with parameters of the type `P`. What each means is said in
/// [`FrictionLaw`](crate::FrictionLaw).
pub trait LawOver<P: Scalar>: Clone + Debug {
    /// Sets the state at the start of a motion; zero unless the law says otherwise.
    fn start<const D: usize>(&self, _slip: &Slip<P, D>, state: &mut [P]) {
        state.fill(P::zero());
    }

    /// The continuous view: force along v (N), and the rates of the states.
    fn rates<T: Scalar + Over<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D];

    /// The constitutive update: the state after the step, and the force at its end.
    fn update<T: Scalar + Over<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        _old: &[P],
        _new: &mut [T],
    ) -> [T; D] {
        self.rates(&step.end, &[], &mut [])
    }

    /// The update with the mode that `old` has, whatever the conditions at the end of the step.
    fn update_in_mode<T: Scalar + Over<P>, const D: usize>(
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

/// A law whose parameters may be replaced by others, of another type.
pub(crate) trait Exchange {
    /// The law with parameters of the type `P`.
    type With<P: Scalar>: LawOver<P>;

    /// Replaces every number: `number` is told the field, the element in a list, and the value.
    ///
    /// # Errors
    /// If the new values contradict each other.
    fn exchange<P: Scalar>(
        &self,
        number: &mut dyn FnMut(&'static str, usize, f64) -> P,
    ) -> Result<Self::With<P>, ParameterError>;
}

/// [`Exchange`] for a law that is made of its parameters by `new`, or that is its `parameters`.
macro_rules! exchange {
    (@made new, $Law:ident, $self:ident, $number:ident) => {
        $Law::new($self.parameters.over($number))
    };
    (@made parameters, $Law:ident, $self:ident, $number:ident) => {
        Ok($self.over($number))
    };
    ($Law:ident by $how:ident) => {
        impl crate::over::Exchange for $Law {
            type With<P: crate::Scalar> = $Law<P>;

            fn exchange<P: crate::Scalar>(
                &self,
                number: &mut dyn FnMut(&'static str, usize, f64) -> P,
            ) -> Result<$Law<P>, crate::ParameterError> {
                crate::over::exchange!(@made $how, $Law, self, number)
            }
        }
    };
}
pub(crate) use exchange;

/// The methods of [`FrictionLaw`](crate::FrictionLaw) that are the text of the law.
macro_rules! by_text {
    () => {
        #[inline]
        fn start<const D: usize>(&self, slip: &crate::Slip<f64, D>, state: &mut [f64]) {
            crate::over::LawOver::start(self, slip, state);
        }

        #[inline(always)]
        fn rates<T: crate::Scalar, const D: usize>(
            &self,
            slip: &crate::Slip<T, D>,
            state: &[T],
            rates: &mut [T],
        ) -> [T; D] {
            crate::over::LawOver::rates(self, slip, state, rates)
        }

        #[inline(always)]
        fn update<T: crate::Scalar, const D: usize>(
            &self,
            step: &crate::Step<T, D>,
            old: &[f64],
            new: &mut [T],
        ) -> [T; D] {
            crate::over::LawOver::update(self, step, old, new)
        }

        #[inline]
        fn update_in_mode<T: crate::Scalar, const D: usize>(
            &self,
            step: &crate::Step<T, D>,
            old: &[f64],
            new: &mut [T],
        ) -> [T; D] {
            crate::over::LawOver::update_in_mode(self, step, old, new)
        }

        fn steady(&self, speed: f64, normal_force: f64) -> Option<f64> {
            crate::over::LawOver::steady(self, speed, normal_force)
        }
    };
}
pub(crate) use by_text;
