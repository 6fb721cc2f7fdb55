//! Kinds of law: formulas from which both views follow, their derivatives, and those on lanes.
//!
//! A law of a kind writes down only what is its own: a law of the speed alone one function of it
//! ([`SpeedLaw`]), a law of bristles how they move and the factors of its force ([`BristleLaw`]), a law of sliders the stiffness and the limit of each ([`SliderLaw`]). Any other law writes down both views itself and is [`General`].

#![allow(
    clippy::inline_always,
    reason = "small laws go into the loop that calls them, as in the catalogue"
)]

mod bristle;
pub(crate) mod elements;
pub mod makers;
pub(crate) mod remembered_direction;
mod sliders;
mod speed;
pub(crate) mod spring_slip;
pub(crate) mod stick_zone;

pub use bristle::{Bristle, BristleForce, BristleLaw, Bristles, Damping, Sliding};
pub(crate) use bristle::{ForceFactors, NO_LOAD};
pub use sliders::{Slider, SliderLaw, Sliders};
pub use speed::{Speed, SpeedLaw};

use crate::law::branches::Branches;
use crate::law::slip::{Slip, StageStep, Step};
use crate::law::{Law, Sides, StateLayout, Tangent, tangent_by_dual};
use crate::numbers::scalar::{MixesWith, Scalar};
use std::fmt::Debug;

/// A law that is written down as one of a kind; [`Law`] follows.
pub trait OfKind: Clone + Debug {
    /// The type of the parameters.
    type Number: Scalar;
    /// The kind.
    type Kind: Formulas<Self::Number, Self>;
}

/// Both views of a law `L` of a kind.
pub trait Formulas<P: Scalar, L> {
    /// See [`Law::rates`].
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        law: &L,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D];

    /// See [`Law::update`].
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        law: &L,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D];

    /// See [`Law::steady`].
    fn steady(law: &L, speed: P, normal_force: P) -> Option<P>;
}

impl<P: Scalar, L: OfKind<Number = P>> Law<P> for L {
    type Kind = L::Kind;

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        L::Kind::rates(self, slip, state, rates)
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        L::Kind::update(self, step, old, new)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        L::Kind::steady(self, speed, normal_force)
    }
}

/// What a kind knows about its laws beyond both views.
pub trait Kind<L: Law> {
    /// How the directions of motion may differ in the laws of this kind.
    const SIDES: Sides = Sides::Same;

    /// The states; none unless the kind says otherwise.
    #[inline]
    fn layout(_law: &L) -> StateLayout {
        StateLayout::NONE
    }

    /// See [`FrictionLaw::branches`](crate::FrictionLaw::branches).
    fn branches<const D: usize>(
        _law: &L,
        _slip: &Slip<f64, D>,
        _change: &Slip<f64, D>,
        _state: &[f64],
    ) -> Branches {
        Branches::NONE
    }

    /// See [`FrictionLaw::stored_energy`](crate::FrictionLaw::stored_energy).
    fn stored_energy<const D: usize>(_law: &L, _normal_force: f64, _state: &[f64]) -> f64 {
        0.0
    }

    /// The update with its consistent tangent.
    #[inline]
    fn update_with_tangent<const D: usize>(
        law: &L,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        tangent_by_dual(law, step, old, new)
    }

    /// Whether [`Kind::stage`] answers for the laws of this kind.
    const HAS_STAGE: bool = false;

    /// Force and states at a stage, with the derivatives by the conditions there if they are wanted;
    /// `None` for laws whose states follow a path and have no smooth rates.
    #[inline]
    fn stage<const D: usize>(
        _law: &L,
        _stage: &StageStep<D>,
        _base: &[f64],
        _new: &mut [f64],
        _wants_tangent: bool,
    ) -> Option<([f64; D], Tangent<D>)> {
        None
    }

    /// Calls the visitor with the formulas of the law.
    fn visit<V: KindVisitor>(law: &L, visitor: V) -> V::Output;
}

/// Something to do with the formulas of a law, by its kind.
pub trait KindVisitor: Sized {
    /// What it gives.
    type Output;

    /// A law of the speed alone.
    fn speed<L: SpeedLaw<f64>>(self, law: &L) -> Self::Output;

    /// A law of bristles.
    fn bristles<L: BristleLaw<f64, S>, const S: usize>(self, law: &L) -> Self::Output;

    /// A law without formulas of a kind.
    fn general(self) -> Self::Output;
}

/// A law that writes down both views itself.
#[derive(Clone, Copy, Debug)]
pub struct General;

impl<L: Law> Kind<L> for General {
    fn visit<V: KindVisitor>(_: &L, visitor: V) -> V::Output {
        visitor.general()
    }
}
