//! Laws without branches: what blocks of lanes evaluate.
//!
//! The same equations as in the files of the laws, with selections in place of branches. A test
//! holds both against each other.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use super::passes::{At, OnLanes, States};
use crate::curve::Shape;
use crate::relaxation::falling_relaxation;
use crate::scalar::Real;
use crate::vendor;

/// A Stribeck curve whose kind is known outside of the loop.
pub(super) trait Level: Copy {
    /// g(|v|).
    fn level<T: Real>(self, speed: T) -> T;
}

/// The exponential curve with α = 2.
#[derive(Clone, Copy)]
pub(crate) struct Square {
    inverse_v_s: f64,
    mu_k: f64,
    excess: f64,
}

impl Level for Square {
    #[inline(always)]
    fn level<T: Real>(self, speed: T) -> T {
        let x = speed * self.inverse_v_s;
        (x * x).decay() * self.excess + self.mu_k
    }
}

/// The exponential curve with any other α.
#[derive(Clone, Copy)]
pub(crate) struct Power {
    square: Square,
    alpha: f64,
}

impl Level for Power {
    #[inline(always)]
    fn level<T: Real>(self, speed: T) -> T {
        let Self { square, alpha } = self;
        let x = speed * square.inverse_v_s;
        // the least number stands in for 0 in the logarithm
        let power = x.max(T::from_f64(f64::MIN_POSITIVE)).powf(alpha);
        let power = T::select(T::zero().less(x), power, T::zero());
        power.decay() * square.excess + square.mu_k
    }
}

/// The curves that have a text on lanes.
#[derive(Clone, Copy)]
pub(crate) enum Curves {
    Square(Square),
    Power(Power),
}

impl Curves {
    /// The curve of a law with these parameters, if it is one of those.
    pub(crate) fn of(shape: &Shape, alpha: f64, v_s: f64, [mu_s, mu_k]: [f64; 2]) -> Option<Self> {
        let square = Square {
            inverse_v_s: 1.0 / v_s,
            mu_k,
            excess: mu_s - mu_k,
        };
        let two = (alpha - 2.0).abs() < f64::EPSILON;
        let curve = match shape {
            Shape::Gaussian => Self::Square(square),
            Shape::Exponential if two => Self::Square(square),
            Shape::Exponential => Self::Power(Power { square, alpha }),
            _ => return None,
        };
        square.inverse_v_s.is_finite().then_some(curve)
    }
}

/// A law without state, F = N s(|v|) v.
pub(super) trait Slope: Copy {
    /// s, s/m.
    fn slope<T: Real>(self, speed: T) -> T;
}

/// Any law without state.
#[derive(Clone, Copy)]
pub(super) struct Static<X>(pub(super) X);

impl<X: Slope> OnLanes<0> for Static<X> {
    #[inline(always)]
    fn level<T: Real>(self, speed: T) -> T {
        self.0.slope(speed)
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

/// `coulomb_linear`: μk and v_r.
#[derive(Clone, Copy)]
pub(super) struct Linear(pub(super) f64, pub(super) f64);

impl Slope for Linear {
    #[inline(always)]
    fn slope<T: Real>(self, speed: T) -> T {
        T::from_f64(self.0) / speed.max(T::from_f64(self.1))
    }
}

/// `coulomb_tanh`: μk and v_r.
#[derive(Clone, Copy)]
pub(super) struct Tanh(pub(super) f64, pub(super) f64);

impl Slope for Tanh {
    #[inline(always)]
    fn slope<T: Real>(self, speed: T) -> T {
        let least = T::from_f64(1e-4);
        let x = speed / self.1;
        // 1 − x²/3 below, where the next term is under a rounding
        let above = x.min(T::from_f64(25.0)).tanh() / x.max(least);
        let near = -(x * x) / 3.0 + 1.0;
        T::select(x.less(least), near, above) * (self.0 / self.1)
    }
}

/// `gkf`.
#[derive(Clone, Copy)]
pub(super) struct Kinetic<C> {
    pub(super) curve: C,
    pub(super) mu_s: f64,
    pub(super) eps: f64,
    pub(super) sigma_2: f64,
}

impl<C: Level> Slope for Kinetic<C> {
    #[inline(always)]
    fn slope<T: Real>(self, speed: T) -> T {
        let eps = T::from_f64(self.eps);
        let fast = speed.max(eps);
        let above = self.curve.level(fast - self.eps) / fast;
        T::select(speed.less(eps), T::from_f64(self.mu_s / self.eps), above) + self.sigma_2
    }
}

/// `karnopp` without applied force.
#[derive(Clone, Copy)]
pub(super) struct DeadZone<C> {
    pub(super) curve: C,
    pub(super) width: f64,
    pub(super) sigma_2: f64,
}

impl<C: Level> Slope for DeadZone<C> {
    #[inline(always)]
    fn slope<T: Real>(self, speed: T) -> T {
        let width = T::from_f64(self.width);
        let above = self.curve.level(speed) / speed.max(width) + self.sigma_2;
        T::select(width.less(speed), above, T::zero())
    }
}

/// The regularised laws of the codes, with the quintic.
#[derive(Clone, Copy)]
pub(super) struct Quintic(pub(super) vendor::Curve);

impl Slope for Quintic {
    #[inline(always)]
    fn slope<T: Real>(self, speed: T) -> T {
        self.0.quintic_over_speed(speed)
    }
}

/// The regularised law of Simpack, with the sine.
#[derive(Clone, Copy)]
pub(super) struct Sine(pub(super) vendor::Curve);

impl Slope for Sine {
    #[inline(always)]
    fn slope<T: Real>(self, speed: T) -> T {
        self.0.sine_over_speed(speed)
    }
}

/// States that relax along the path towards the direction of motion: `dahl` with n = 1 and
/// `bliman_sorine`, F = N Σ x.
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
