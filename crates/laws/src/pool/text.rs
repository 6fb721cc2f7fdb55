//! Laws without branches: what blocks of lanes evaluate.
//!
//! A law of the speed alone brings its text. The others have the equations of their files here,
//! with selections in place of branches; a test holds both against each other.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use super::passes::{At, OnLanes, States};
use crate::curve::{Curve, Exponential};
use crate::kind::SpeedLaw;
use crate::relaxation::falling_relaxation;
use crate::scalar::Real;

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

/// The curves that have a text on lanes.
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
        (_, end): (&At<T, D>, &At<T, D>),
        _: f64,
        _: [(T, T); 0],
        z: &States<T, D, 0>,
    ) -> (States<T, D, 0>, [T; D]) {
        self.rates(end, z)
    }
}

/// `karnopp` without applied force.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeadZone {
    pub(super) width: f64,
    pub(super) sigma_2: f64,
}

impl SpeedLaw<f64> for DeadZone {
    #[inline(always)]
    fn over_speed<T: Real>(&self, speed: T, g: impl Fn(T) -> T) -> T {
        let slides = T::from_f64(self.width).less(speed);
        T::either(slides, || g(speed) / speed + self.sigma_2, T::zero)
    }
}

/// States that relax along the path towards the direction of motion: `dahl` with n = 1,
/// `gear` and `bliman_sorine`, F = N Σ x.
#[derive(Clone, Copy)]
pub(super) struct Relaxing<const S: usize> {
    /// Inverse length of each, 1/m.
    pub(super) per_length: [f64; S],
    /// What each reaches, in units of the state.
    pub(super) reach: [f64; S],
    /// Force over N per state.
    pub(super) stiffness: f64,
}

impl<const S: usize> Relaxing<S> {
    #[inline(always)]
    fn force<T: Real, const D: usize>(self, n: T, x: &States<T, D, S>) -> [T; D] {
        std::array::from_fn(|i| {
            let mut sum = x[0][i];
            for x in &x[1..] {
                sum = sum + x[i];
            }
            sum * self.stiffness * n
        })
    }
}

impl<const S: usize> OnLanes<S> for Relaxing<S> {
    #[inline(always)]
    fn level<T: Real>(self, speed: T) -> T {
        speed
    }

    #[inline(always)]
    fn rates<T: Real, const D: usize>(
        self,
        at: &At<T, D>,
        x: &States<T, D, S>,
    ) -> (States<T, D, S>, [T; D]) {
        let rates = std::array::from_fn(|s| {
            std::array::from_fn(|i| {
                (at.velocity[i] * self.reach[s] - at.speed * x[s][i]) * self.per_length[s]
            })
        });
        (rates, self.force(at.normal_force, x))
    }

    #[inline(always)]
    fn relaxation<T: Real, const D: usize>(
        self,
        s: usize,
        mean: &At<T, D>,
        _: &At<T, D>,
        h: f64,
    ) -> (T, T) {
        (mean.speed * (h * self.per_length[s])).relaxation()
    }

    #[inline(always)]
    fn update<T: Real, const D: usize>(
        self,
        (mean, end): (&At<T, D>, &At<T, D>),
        h: f64,
        relaxed: [(T, T); S],
        old: &States<T, D, S>,
    ) -> (States<T, D, S>, [T; D]) {
        let mut new = *old;
        for s in 0..S {
            let (decay, phi) = relaxed[s];
            let drawn = phi * (h * self.per_length[s] * self.reach[s]);
            for i in 0..D {
                new[s][i] = decay * old[s][i] + drawn * mean.velocity[i];
            }
        }
        (new, self.force(end.normal_force, &new))
    }
}

/// With constant σ₁, `lugre`, or `lugre_classical` if the coefficients are `FORCES`.
#[derive(Clone, Copy)]
pub(super) struct Bristles<C, const FORCES: bool> {
    pub(super) curve: C,
    pub(super) sigma_0: f64,
    pub(super) sigma_1: f64,
    pub(super) sigma_2: f64,
    /// Below this normal force the classical law lets go; 0 for the modified one.
    pub(super) no_load: f64,
}

impl<C: Level, const FORCES: bool> Bristles<C, FORCES> {
    /// |v| σ₀/g, or |v| σ₀/(N g).
    #[inline(always)]
    fn rate<T: Real, const D: usize>(self, at: &At<T, D>) -> T {
        let level = if FORCES {
            at.level * at.normal_force.max(T::from_f64(self.no_load))
        } else {
            at.level
        };
        at.speed * self.sigma_0 / level
    }

    /// 0 where the classical law has let go.
    #[inline(always)]
    fn held<T: Real, const D: usize>(self, n: T, vector: [T; D]) -> [T; D] {
        if !FORCES {
            return vector;
        }
        let free = n.less(T::from_f64(self.no_load));
        vector.map(|x| T::select(free, T::zero(), x))
    }

    #[inline(always)]
    fn evaluate<T: Real, const D: usize>(self, at: &At<T, D>, z: &[T; D]) -> ([T; D], [T; D]) {
        let rate = self.rate(at);
        let dz: [T; D] = std::array::from_fn(|i| at.velocity[i] - rate * z[i]);
        let force = std::array::from_fn(|i| {
            let f = z[i] * self.sigma_0 + dz[i] * self.sigma_1 + at.velocity[i] * self.sigma_2;
            if FORCES { f } else { f * at.normal_force }
        });
        (
            self.held(at.normal_force, dz),
            self.held(at.normal_force, force),
        )
    }
}

impl<C: Level, const FORCES: bool> OnLanes<1> for Bristles<C, FORCES> {
    #[inline(always)]
    fn level<T: Real>(self, speed: T) -> T {
        self.curve.level(speed)
    }

    #[inline(always)]
    fn rates<T: Real, const D: usize>(
        self,
        at: &At<T, D>,
        [z]: &States<T, D, 1>,
    ) -> (States<T, D, 1>, [T; D]) {
        let (dz, force) = self.evaluate(at, z);
        ([dz], force)
    }

    #[inline(always)]
    fn relaxation<T: Real, const D: usize>(
        self,
        _: usize,
        mean: &At<T, D>,
        end: &At<T, D>,
        h: f64,
    ) -> (T, T) {
        if FORCES {
            let travel = mean.speed * (self.sigma_0 * h) / mean.level;
            let floor = T::from_f64(self.no_load);
            let loads = (mean.normal_force.max(floor), end.normal_force.max(floor));
            falling_relaxation(travel, loads)
        } else {
            (self.rate(mean) * h).relaxation()
        }
    }

    #[inline(always)]
    fn update<T: Real, const D: usize>(
        self,
        (mean, end): (&At<T, D>, &At<T, D>),
        h: f64,
        [(decay, phi)]: [(T, T); 1],
        [old]: &States<T, D, 1>,
    ) -> (States<T, D, 1>, [T; D]) {
        let least = mean.normal_force.min(end.normal_force);
        let new = std::array::from_fn(|i| decay * old[i] + phi * (mean.velocity[i] * h));
        let new = self.held(least, new);
        let force = self.evaluate(end, &new).1;
        ([new], self.held(least, force))
    }
}
