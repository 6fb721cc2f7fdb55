//! The formulas of a law, whatever its parameters are made of.
//!
//! A law has one text. Over numbers it is the [`FrictionLaw`](crate::FrictionLaw) of a simulation;
//! over dual numbers the same text gives the derivatives by the parameters, for a fit.

#![allow(
    clippy::inline_always,
    reason = "small laws go into the loop that calls them, as in the catalogue"
)]

use crate::curve::Curve;
use crate::parameters::ParameterError;
use crate::scalar::{Over, Scalar};
use crate::slip::{Slip, Step, norm};
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

/// A law of the speed alone, without state: **F** = N s **v** with s = μ(|**v**|)/|**v**|.
///
/// The text of s has no branches, so that it serves numbers, dual numbers and lanes alike; the
/// rest of [`LawOver`] follows from it. The vector form is radial: friction is along **v**, of the
/// size that the speed gives.
pub trait SpeedLaw: Clone + Debug {
    /// The type of the parameters.
    type Number: Scalar;

    /// s = μ/|v|, s/m, finite at rest; `g` is the [curve](Self::curve) of the law.
    fn over_speed<T: Over<Self::Number>>(&self, speed: T, g: impl Fn(T) -> T) -> T;

    /// The Stribeck curve, if the law has one.
    fn curve(&self) -> Option<&Curve<Self::Number>> {
        None
    }
}

impl<P: Scalar, L: SpeedLaw<Number = P>> LawOver<P> for L {
    #[inline(always)]
    fn rates<T: Scalar + Over<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        _state: &[T],
        _rates: &mut [T],
    ) -> [T; D] {
        let g = |speed: T| match self.curve() {
            Some(curve) => curve.value(speed),
            None => T::zero(),
        };
        let slope = slip.normal_force * self.over_speed(norm(&slip.velocity), g);
        slip.velocity.map(|v| slope * v)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        Some(self.rates(&Slip::new([speed], normal_force), &[], &mut [])[0])
    }
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

/// The methods of [`FrictionLaw`](crate::FrictionLaw) that are the text of the law; with those of
/// the values, of a law that is made of its `Parameters`, or that is them `itself`.
macro_rules! by_text {
    (of $Parameters:ident) => {
        fn from_values(values: &crate::Values) -> Result<Self, crate::ParameterError> {
            Self::new($Parameters::from_values(values)?)
        }

        fn to_values(&self) -> crate::Values {
            self.parameters.to_values()
        }

        crate::over::by_text!();
    };
    (itself) => {
        fn from_values(values: &crate::Values) -> Result<Self, crate::ParameterError> {
            Self::from_values(values)
        }

        fn to_values(&self) -> crate::Values {
            self.to_values()
        }

        crate::over::by_text!();
    };
    () => {
        #[inline]
        fn start<const D: usize>(&self, slip: &crate::Slip<f64, D>, state: &mut [f64]) {
            crate::over::LawOver::<f64>::start(self, slip, state);
        }

        #[inline(always)]
        fn rates<T: crate::Scalar, const D: usize>(
            &self,
            slip: &crate::Slip<T, D>,
            state: &[T],
            rates: &mut [T],
        ) -> [T; D] {
            crate::over::LawOver::<f64>::rates(self, slip, state, rates)
        }

        #[inline(always)]
        fn update<T: crate::Scalar, const D: usize>(
            &self,
            step: &crate::Step<T, D>,
            old: &[f64],
            new: &mut [T],
        ) -> [T; D] {
            crate::over::LawOver::<f64>::update(self, step, old, new)
        }

        #[inline]
        fn update_in_mode<T: crate::Scalar, const D: usize>(
            &self,
            step: &crate::Step<T, D>,
            old: &[f64],
            new: &mut [T],
        ) -> [T; D] {
            crate::over::LawOver::<f64>::update_in_mode(self, step, old, new)
        }

        fn steady(&self, speed: f64, normal_force: f64) -> Option<f64> {
            crate::over::LawOver::<f64>::steady(self, speed, normal_force)
        }
    };
}
pub(crate) use by_text;
