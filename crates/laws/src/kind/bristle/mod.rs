//! Bristles: states that relax along the path of the slip.

#![allow(
    clippy::inline_always,
    reason = "small laws go into the loop that calls them, as in the catalogue"
)]

mod stage;
mod tangent;
mod update;

use super::{Formulas, Kind, KindVisitor};
use crate::curve::Curve;
use crate::law::slip::{Slip, StageStep, Step, direction, dot, norm, norms, vector_at};
use crate::law::{Law, Sides, StateLayout, Tangent};
use crate::numbers::scalar::{MixesWith, Real, Scalar};
use std::fmt::Debug;

/// A law with `S` bristles, vectors that relax along the path towards the direction of motion:
///
/// $$ \dot{\mathbf z} = b\,\mathbf v - a\,\mathbf z, \qquad
///    \mathbf F = N\Bigl(\sum(\sigma_0\mathbf z + \sigma_1\dot{\mathbf z}) + \sigma_2\mathbf v\Bigr) $$
///
/// with factors a, b that depend on |v| alone. The formulas have no branches, so that they serve
/// numbers, dual numbers and lanes alike. Both views follow: the update is exact where v and N are
/// constant, with the mean slip velocity w of the step z := e^(−ah) z + (1 − e^(−ah)) (b/a) w.
pub trait BristleLaw<P: Scalar, const S: usize>: Clone + Debug {
    /// Whether the factors of the force are those of the contact (N/m, N s/m): then F has no factor N,
    /// and the level of [`Sliding`] is N g.
    const OF_CONTACT: bool = false;

    /// The Stribeck curve g, if the law has one.
    fn curve(&self) -> Option<&Curve<P>> {
        None
    }

    /// How each bristle moves.
    fn bristles<T: MixesWith<P>>(&self, at: &Sliding<T>) -> [Bristle<T>; S];

    /// The factors of the force.
    fn force(&self) -> BristleForce<P, S>;

    /// See [`Law::steady`].
    fn steady(&self, speed: P, normal_force: P) -> Option<P>;
}

/// What the factors of a bristle depend on.
#[derive(Clone, Copy, Debug)]
pub struct Sliding<T> {
    /// |v|, m/s.
    pub speed: T,
    /// g(|v|), 1; N g for a law [of the contact](BristleLaw::OF_CONTACT), N.
    pub level: T,
}

/// ż = b v − a z.
#[derive(Clone, Copy, Debug)]
pub struct Bristle<T> {
    /// b, 1 if none is given.
    drive: Option<T>,
    /// a, 1/s.
    rate: T,
}

impl<T> Bristle<T> {
    /// A deflection, ż = v − a z.
    #[inline(always)]
    pub fn deflection(rate: T) -> Self {
        Self { drive: None, rate }
    }

    /// ż = b v − a z.
    #[inline(always)]
    pub fn driven(drive: T, rate: T) -> Self {
        let drive = Some(drive);
        Self { drive, rate }
    }
}

impl<T: Real> Bristle<T> {
    /// b x.
    #[inline(always)]
    pub(crate) fn driven_by(&self, x: T) -> T {
        self.drive.map_or(x, |drive| drive * x)
    }

    /// a.
    #[inline(always)]
    pub(crate) fn rate(&self) -> T {
        self.rate
    }
}

/// The factors of the force: σ₀ of each bristle, and what else there is.
#[derive(Clone, Copy, Debug)]
pub struct BristleForce<P, const S: usize> {
    /// σ₀ of each bristle.
    pub stiffness: [P; S],
    /// σ₁ of every bristle.
    pub damping: Option<Damping<P>>,
    /// σ₂.
    pub viscous: Option<P>,
    /// μ of a part N μ |z|² **e** along the direction **e** of the applied force.
    pub along_load: Option<P>,
}

impl<P, const S: usize> BristleForce<P, S> {
    /// F = N Σ σ₀ z.
    #[inline(always)]
    pub fn elastic(stiffness: [P; S]) -> Self {
        Self {
            stiffness,
            damping: None,
            viscous: None,
            along_load: None,
        }
    }
}

/// Bristle damping: σ₁, or σ₁(v) = σ₁ exp(−(|v|/v_d)²).
#[derive(Clone, Copy, Debug)]
pub struct Damping<P = f64> {
    /// σ₁ at rest.
    pub at_rest: P,
    /// v_d, m/s; none for a constant σ₁.
    pub velocity: Option<P>,
}

/// |v|/v_d beyond which e^(−x²) is zero: keeps squares finite.
const LARGEST: f64 = 800.0;

impl<P: Scalar> Damping<P> {
    /// The same at every speed.
    pub fn constant(at_rest: P) -> Self {
        let velocity = None;
        Self { at_rest, velocity }
    }

    /// σ₁ at a speed |v|.
    #[inline(always)]
    fn at<T: MixesWith<P>>(self, speed: T) -> T {
        match self.velocity {
            None => T::of(self.at_rest),
            Some(v_d) => self.falling(speed, v_d),
        }
    }

    /// σ₁ exp(−(|v|/v_d)²).
    #[cold]
    #[inline(never)]
    fn falling<T: MixesWith<P>>(self, speed: T, v_d: P) -> T {
        let x = (speed / v_d).min(T::from_f64(LARGEST));
        (x * x).decay() * self.at_rest
    }
}

/// A normal force below this (N) counts as none where stiffness is that of the contact: far below
/// any machine's, and far enough above zero that |v| σ₀/(N g) stays finite.
pub(crate) const NO_LOAD: f64 = 1e-90;

/// What each bristle and the slip velocity add to the force: F = N (Σ `by_state` z + `by_velocity` v).
pub(crate) struct ForceFactors<T, const S: usize> {
    pub(crate) by_state: [T; S],
    pub(crate) by_velocity: Option<T>,
}

impl<T: Real, const S: usize> ForceFactors<T, S> {
    /// With ż = b v − a z in the force; σ₁ is that of the speed.
    #[inline(always)]
    pub(crate) fn new<P: Copy>(
        bristles: &[Bristle<T>; S],
        force: &BristleForce<P, S>,
        damping: Option<T>,
    ) -> Self
    where
        T: MixesWith<P>,
    {
        let by_state = std::array::from_fn(|s| match damping {
            Some(sigma_1) => -(sigma_1 * bristles[s].rate) + force.stiffness[s],
            None => T::of(force.stiffness[s]),
        });
        let damped = damping.map(|sigma_1| {
            let mut sum = bristles[0].driven_by(sigma_1);
            for bristle in &bristles[1..] {
                sum = sum + bristle.driven_by(sigma_1);
            }
            sum
        });
        let by_velocity = match (damped, force.viscous) {
            (Some(damped), Some(sigma_2)) => Some(damped + sigma_2),
            (None, Some(sigma_2)) => Some(T::of(sigma_2)),
            (damped, None) => damped,
        };
        Self {
            by_state,
            by_velocity,
        }
    }

    /// F over N.
    #[inline(always)]
    pub(crate) fn force<const D: usize>(&self, z: &[[T; D]; S], v: &[T; D]) -> [T; D] {
        std::array::from_fn(|i| {
            let mut sum = z[0][i] * self.by_state[0];
            for (z, factor) in z.iter().zip(&self.by_state).skip(1) {
                sum = sum + z[i] * *factor;
            }
            match self.by_velocity {
                Some(factor) => sum + v[i] * factor,
                None => sum,
            }
        })
    }
}

/// The kind of a [`BristleLaw`] with `S` bristles.
#[derive(Clone, Copy, Debug)]
pub struct Bristles<const S: usize>;

impl<const S: usize> Bristles<S> {
    /// |v| and g of several velocities; no g without a curve.
    #[inline(always)]
    fn along<P: Scalar, L: BristleLaw<P, S>, T, const D: usize, const N: usize>(
        law: &L,
        velocities: [&[T; D]; N],
    ) -> [Sliding<T>; N]
    where
        T: Scalar + MixesWith<P>,
    {
        let sliding = |(speed, level)| Sliding { speed, level };
        match law.curve() {
            Some(curve) => curve.along(velocities).map(sliding),
            None => norms(velocities).map(|speed| sliding((speed, T::zero()))),
        }
    }

    /// The force at an instant.
    #[inline(always)]
    fn force_at<P: Scalar, L: BristleLaw<P, S>, T, const D: usize>(
        law: &L,
        slip: &Slip<T, D>,
        at: &Sliding<T>,
        bristles: &[Bristle<T>; S],
        z: &[[T; D]; S],
    ) -> [T; D]
    where
        T: Scalar + MixesWith<P>,
    {
        let (force, n) = (law.force(), slip.normal_force);
        let damping = force.damping.map(|damping| damping.at(at.speed));
        let per_load = ForceFactors::new(bristles, &force, damping).force(z, &slip.velocity);
        let along_load = force.along_load.map(|mu| {
            let e = direction(&slip.applied, norm(&slip.applied));
            let square = dot(&z[0], &z[0]);
            e.map(|e| square * e * mu)
        });
        let per_load = match along_load {
            Some(part) => std::array::from_fn(|i| per_load[i] + part[i]),
            None => per_load,
        };
        if L::OF_CONTACT {
            per_load
        } else {
            per_load.map(|f| n * f)
        }
    }
}

impl<P: Scalar, L: BristleLaw<P, S>, const S: usize> Formulas<P, L> for Bristles<S> {
    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        law: &L,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let (v, n) = (&slip.velocity, slip.normal_force);
        let [mut at] = Self::along(law, [v]);
        if L::OF_CONTACT {
            if n.value() < NO_LOAD {
                rates[..S * D].fill(T::zero());
                return [T::zero(); D];
            }
            at.level = at.level * n;
        }
        let bristles = law.bristles(&at);
        let z = std::array::from_fn(|s| vector_at(state, s));
        for (s, bristle) in bristles.iter().enumerate() {
            for i in 0..D {
                rates[s * D + i] = bristle.driven_by(v[i]) - bristle.rate * z[s][i];
            }
        }
        Self::force_at(law, slip, &at, &bristles, &z)
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        law: &L,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        update::update(law, step, old, new)
    }

    fn steady(law: &L, speed: P, normal_force: P) -> Option<P> {
        law.steady(speed, normal_force)
    }
}

impl<L: BristleLaw<f64, S> + Law, const S: usize> Kind<L> for Bristles<S> {
    const SIDES: Sides = Sides::OfVelocity;

    #[inline]
    fn layout(_law: &L) -> StateLayout {
        let (vectors, scalars) = (S, 0);
        StateLayout { vectors, scalars }
    }

    #[inline]
    fn update_with_tangent<const D: usize>(
        law: &L,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        tangent::update_with_tangent(law, step, old, new)
    }

    const HAS_STAGE: bool = true;

    #[inline]
    fn stage<const D: usize>(
        law: &L,
        stage: &StageStep<D>,
        base: &[f64],
        new: &mut [f64],
        wants_tangent: bool,
    ) -> Option<([f64; D], Tangent<D>)> {
        Some(stage::at_stage(law, stage, base, new, wants_tangent))
    }

    fn visit<V: KindVisitor>(law: &L, visitor: V) -> V::Output {
        visitor.bristles(law)
    }
}
