//! What blocks of lanes evaluate: the formulas of a law of a kind, with its Stribeck curve.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use super::passes::{At, OnLanes, States};
use crate::curve::{Curve, Exponential};
use crate::kind::{Bristle, BristleLaw, ForceFactors, NO_LOAD, Sliding, SpeedLaw};
use crate::numbers::relaxation::falling_relaxation;
use crate::numbers::scalar::Real;

/// A Stribeck curve whose kind is known outside of the loop.
pub(super) trait Level: Copy {
    /// g(|v|).
    fn level<T: Real>(self, speed: T) -> T;
}

/// The exponential curve with α = 2.
#[derive(Clone, Copy)]
pub(super) struct Square(Exponential);

impl Level for Square {
    #[inline(always)]
    fn level<T: Real>(self, speed: T) -> T {
        self.0.of_square(speed)
    }
}

/// The exponential curve with any other α.
#[derive(Clone, Copy)]
pub(super) struct Power(Exponential, f64);

impl Level for Power {
    #[inline(always)]
    fn level<T: Real>(self, speed: T) -> T {
        self.0.of_power(speed, self.1)
    }
}

/// The curve of a law without one.
#[derive(Clone, Copy)]
pub(super) struct NoCurve;

impl Level for NoCurve {
    #[inline(always)]
    fn level<T: Real>(self, _: T) -> T {
        T::zero()
    }
}

/// The curves that lanes evaluate.
#[derive(Clone, Copy)]
pub(super) enum Curves {
    Square(Square),
    Power(Power),
}

impl Curves {
    /// The curve of a law, if it is one of those.
    pub(super) fn of(curve: &Curve) -> Option<Self> {
        match curve {
            Curve::Exponential(curve) if curve.is_square() => Some(Self::Square(Square(*curve))),
            Curve::Exponential(curve) => Some(Self::Power(Power(*curve, curve.alpha()))),
            _ => None,
        }
    }
}

/// A law of the speed alone, with its curve.
pub(super) struct Static<'a, L, C>(pub(super) &'a L, pub(super) C);

impl<L, C: Copy> Clone for Static<'_, L, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, C: Copy> Copy for Static<'_, L, C> {}

impl<L: SpeedLaw<f64>, C: Level> OnLanes<0> for Static<'_, L, C> {
    #[inline(always)]
    fn level<T: Real>(self, speed: T) -> T {
        self.0.over_speed(speed, |speed| self.1.level(speed))
    }

    #[inline(always)]
    fn rates<T: Real, const D: usize>(
        self,
        at: &At<T, D>,
        _: &States<T, D, 0>,
    ) -> (States<T, D, 0>, [T; D]) {
        let slope = at.level * at.normal_force;
        ([], at.velocity.map(|v| slope * v))
    }

    #[inline(always)]
    fn relaxation<T: Real, const D: usize>(
        self,
        _: usize,
        _: &At<T, D>,
        _: &At<T, D>,
        _: f64,
    ) -> (T, T) {
        (T::zero(), T::zero())
    }

    #[inline(always)]
    fn update<T: Real, const D: usize>(
        self,
        _: &At<T, D>,
        end: &At<T, D>,
        _: f64,
        _: [(T, T); 0],
        z: &States<T, D, 0>,
    ) -> (States<T, D, 0>, [T; D]) {
        self.rates(end, z)
    }
}

/// A law of bristles whose damping is constant, with its curve.
pub(super) struct Relaxing<'a, L, C>(pub(super) &'a L, pub(super) C);

impl<L, C: Copy> Clone for Relaxing<'_, L, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, C: Copy> Copy for Relaxing<'_, L, C> {}

impl<L, C> Relaxing<'_, L, C> {
    /// The bristles at a point; a law of the contact has let go below [`NO_LOAD`].
    #[inline(always)]
    fn bristles<T: Real, const D: usize, const S: usize>(self, at: &At<T, D>) -> [Bristle<T>; S]
    where
        L: BristleLaw<f64, S>,
    {
        let level = if L::OF_CONTACT {
            at.level * at.normal_force.max(T::from_f64(NO_LOAD))
        } else {
            at.level
        };
        let speed = at.speed;
        self.0.bristles(&Sliding { speed, level })
    }

    #[inline(always)]
    fn force<T: Real, const D: usize, const S: usize>(
        self,
        at: &At<T, D>,
        bristles: &[Bristle<T>; S],
        z: &States<T, D, S>,
    ) -> [T; D]
    where
        L: BristleLaw<f64, S>,
    {
        let force = self.0.force();
        let damping = force.damping.map(|damping| T::from_f64(damping.at_rest));
        let per_load = ForceFactors::new(bristles, &force, damping).force(z, &at.velocity);
        if L::OF_CONTACT {
            held(at.normal_force, per_load)
        } else {
            per_load.map(|f| f * at.normal_force)
        }
    }
}

/// 0 where a law of the contact has let go.
#[inline(always)]
fn held<T: Real, const D: usize>(n: T, vector: [T; D]) -> [T; D] {
    let free = n.less(T::from_f64(NO_LOAD));
    vector.map(|x| T::select(free, T::zero(), x))
}

impl<L: BristleLaw<f64, S>, C: Level, const S: usize> OnLanes<S> for Relaxing<'_, L, C> {
    #[inline(always)]
    fn level<T: Real>(self, speed: T) -> T {
        self.1.level(speed)
    }

    #[inline(always)]
    fn rates<T: Real, const D: usize>(
        self,
        at: &At<T, D>,
        z: &States<T, D, S>,
    ) -> (States<T, D, S>, [T; D]) {
        let bristles = self.bristles(at);
        let rates = std::array::from_fn(|s| {
            let bristle: &Bristle<T> = &bristles[s];
            let rate = std::array::from_fn(|i| {
                bristle.driven_by(at.velocity[i]) - bristle.rate() * z[s][i]
            });
            if L::OF_CONTACT {
                held(at.normal_force, rate)
            } else {
                rate
            }
        });
        (rates, self.force(at, &bristles, z))
    }

    #[inline(always)]
    fn relaxation<T: Real, const D: usize>(
        self,
        s: usize,
        mean: &At<T, D>,
        end: &At<T, D>,
        h: f64,
    ) -> (T, T) {
        if L::OF_CONTACT {
            let (speed, level) = (mean.speed, mean.level);
            let travel = self.0.bristles(&Sliding { speed, level })[s].rate() * h;
            let floor = T::from_f64(NO_LOAD);
            let (load, last_load) = (mean.normal_force.max(floor), end.normal_force.max(floor));
            falling_relaxation(travel, load, last_load)
        } else {
            (self.bristles(mean)[s].rate() * h).relaxation()
        }
    }

    #[inline(always)]
    fn update<T: Real, const D: usize>(
        self,
        mean: &At<T, D>,
        end: &At<T, D>,
        h: f64,
        relaxed: [(T, T); S],
        old: &States<T, D, S>,
    ) -> (States<T, D, S>, [T; D]) {
        let least = mean.normal_force.min(end.normal_force);
        let driven = self.bristles(mean);
        let new = std::array::from_fn(|s| {
            let (decay, phi) = relaxed[s];
            let share = driven[s].driven_by(phi * h);
            let z = std::array::from_fn(|i| decay * old[s][i] + share * mean.velocity[i]);
            if L::OF_CONTACT { held(least, z) } else { z }
        });
        let force = self.force(end, &self.bristles(end), &new);
        let force = if L::OF_CONTACT {
            held(least, force)
        } else {
            force
        };
        (new, force)
    }
}
