//! Sliders: springs in series with Coulomb friction, side by side.

#![allow(
    clippy::inline_always,
    reason = "small laws go into the loop that calls them, as in the catalogue"
)]

use super::{Formulas, Kind, KindVisitor};
use crate::kind::elements;
use crate::law::branches::Branches;
use crate::law::slip::{Slip, Step, clip, dot, old_vector_at, travel, vector_at};
use crate::law::{Law, Sides, StateLayout};
use crate::numbers::scalar::{MixesWith, Scalar};
use std::fmt::Debug;

/// A law of elastic, perfectly plastic elements in parallel, each with the force **f** (N):
///
/// $$ \dot{\mathbf f} = k\mathbf v\ \text{(stuck)}, \qquad
///    \dot{\mathbf f} = k\mathbf v - (k\,\mathbf e\cdot\mathbf v - \mu\dot N)\,\mathbf e\ \text{at}\ |\mathbf f| = \mu N,
///    \qquad \mathbf F = \sum\mathbf f,\ \mathbf e = \mathbf f/|\mathbf f| $$
///
/// The update is exact for a straight path and a normal force that is linear in time. The continuous
/// view does not know dN/dt: there a rising N makes a slider stick until the limit is reached again.
pub trait SliderLaw<P: Scalar>: Clone + Debug {
    /// Whether there is always one element, whose force is that of the law without a sum.
    const SINGLE: bool = false;

    /// The number of elements.
    fn count(&self) -> usize;

    /// The element number `i`.
    fn slider(&self, i: usize) -> Slider<P>;
}

/// One element.
#[derive(Clone, Copy, Debug)]
pub struct Slider<P> {
    /// k, N/m.
    pub stiffness: P,
    /// μ, 1.
    pub coefficient: P,
}

/// The kind of a [`SliderLaw`].
#[derive(Clone, Copy, Debug)]
pub struct Sliders;

impl<P: Scalar, L: SliderLaw<P>> Formulas<P, L> for Sliders {
    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        law: &L,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let (v, n) = (&slip.velocity, slip.normal_force);
        if n.value() <= 0.0 {
            rates.fill(T::zero());
            return [T::zero(); D];
        }
        total(law, |i, slider| {
            let (f, limit) = (vector_at::<T, D>(state, i), n * slider.coefficient);
            let df = elements::rate(&f, v, slider.stiffness, limit);
            let force = clip(&f, limit);
            rates[i * D..][..D].copy_from_slice(&df);
            force
        })
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        law: &L,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let displacement = travel(step).0;
        total(law, |i, slider| {
            let f = elements::advance(
                &old_vector_at(old, i),
                &displacement,
                slider.stiffness,
                step.mean.normal_force * slider.coefficient,
                step.end.normal_force * slider.coefficient,
            );
            new[i * D..][..D].copy_from_slice(&f);
            f
        })
    }

    fn steady(law: &L, speed: P, normal_force: P) -> Option<P> {
        let level = (1..law.count()).fold(law.slider(0).coefficient, |sum, i| {
            sum + law.slider(i).coefficient
        });
        (speed.value() > 0.0).then_some(level * normal_force)
    }
}

/// The sum of the forces of all elements.
#[inline(always)]
fn total<P: Scalar, L: SliderLaw<P>, T: Scalar, const D: usize>(
    law: &L,
    mut force: impl FnMut(usize, Slider<P>) -> [T; D],
) -> [T; D] {
    if L::SINGLE {
        return force(0, law.slider(0));
    }
    let mut sum = [T::zero(); D];
    for i in 0..law.count() {
        let f = force(i, law.slider(i));
        sum = std::array::from_fn(|j| sum[j] + f[j]);
    }
    sum
}

impl<L: SliderLaw<f64> + Law> Kind<L> for Sliders {
    /// Of several sliders some may be pushed one way and some the other.
    const SIDES: Sides = if L::SINGLE {
        Sides::OfState
    } else {
        Sides::Same
    };

    fn layout(law: &L) -> StateLayout {
        let (vectors, scalars) = (law.count(), 0);
        StateLayout { vectors, scalars }
    }

    /// In one dimension, at a constant normal force, the update is exact.
    fn branches<const D: usize>(
        law: &L,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        let load_rate = change.normal_force;
        if D == 1 && load_rate == 0.0 {
            return Branches::NONE;
        }
        (0..law.count()).fold(Branches::NONE, |branches, i| {
            let Slider {
                stiffness,
                coefficient,
            } = law.slider(i);
            let (f, limit) = (vector_at(state, i), coefficient * slip.normal_force);
            let limit_rate = coefficient * load_rate;
            branches.with(
                i,
                elements::branch(&f, &slip.velocity, stiffness, limit, limit_rate),
            )
        })
    }

    fn stored_energy<const D: usize>(law: &L, _normal_force: f64, state: &[f64]) -> f64 {
        let energy = |i: usize| {
            let f = vector_at::<f64, D>(state, i);
            0.5 * dot(&f, &f) / law.slider(i).stiffness
        };
        (0..law.count()).map(energy).sum()
    }

    fn visit<V: KindVisitor>(_: &L, visitor: V) -> V::Output {
        visitor.general()
    }
}
