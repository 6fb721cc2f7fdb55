//! The passes over a block of points.
//!
//! A processor works on the points of a loop at once as far as its queue of instructions reaches.
//! A law as one loop body is too long for that: its instructions wait for each other one after the
//! other, a root and an exponential and a quotient. So a block is passed over several times, and
//! what a pass finds is kept for the next one in the first cache.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use super::block::{BLOCK, BlockColumn};
use crate::law::slip::dot;
use crate::numbers::lanes::Lanes;
use crate::numbers::scalar::Real;

/// Vector states of a point.
pub(super) type States<T, const D: usize, const S: usize> = [[T; D]; S];

/// Conditions at one point.
#[derive(Clone, Copy)]
pub(super) struct At<T, const D: usize> {
    pub(super) velocity: [T; D],
    pub(super) speed: T,
    /// [`OnLanes::level`] at that speed.
    pub(super) level: T,
    pub(super) normal_force: T,
}

/// The formulas of a law with `S` vector states, without branches; `Self` holds its numbers.
pub(super) trait OnLanes<const S: usize>: Copy {
    /// What depends on the speed alone, such as the level of a Stribeck curve.
    fn level<T: Real>(self, speed: T) -> T;

    /// The continuous view: rates and force.
    fn rates<T: Real, const D: usize>(
        self,
        at: &At<T, D>,
        z: &States<T, D, S>,
    ) -> (States<T, D, S>, [T; D]);

    /// How state `s` relaxes over a step of h: the factors of the old state and of the path.
    fn relaxation<T: Real, const D: usize>(
        self,
        s: usize,
        mean: &At<T, D>,
        end: &At<T, D>,
        h: f64,
    ) -> (T, T);

    /// The update over a step of h, from the mean to the end: new states and force.
    fn update<T: Real, const D: usize>(
        self,
        mean: &At<T, D>,
        end: &At<T, D>,
        h: f64,
        relaxed: [(T, T); S],
        z: &States<T, D, S>,
    ) -> (States<T, D, S>, [T; D]);
}

/// Squares outside this range lose digits: such points are evaluated one by one.
const SAFE_SQUARE: std::ops::Range<f64> = 1e-280..1e280;

/// Speed from which a point on a line is evaluated alone, m/s: products beyond might overflow.
const FASTEST: f64 = 1e100;

/// |v| at point `i` of a block, and whether |v|² leaves the safe range (0 or 1); exact rest is safe.
#[inline(always)]
#[allow(
    clippy::needless_bitwise_bool,
    clippy::manual_range_contains,
    reason = "lazy operators are branches, and branches keep the loop from vectors"
)]
pub(super) fn speed<const D: usize>(v: &[&BlockColumn; D], i: usize) -> (f64, u64) {
    let v = v.map(|block| block[i]);
    if D == 1 {
        // no square, no root; NaN is outside
        let speed = v[0].abs();
        let inside = speed < FASTEST;
        return (speed, u64::from(!inside));
    }
    let square = dot(&v, &v);
    let sum = v.iter().fold(0.0, |sum, x| sum + x.abs());
    // NaN is outside
    let inside = (square >= SAFE_SQUARE.start) & (square < SAFE_SQUARE.end) | (sum == 0.0);
    (square.sqrt(), u64::from(!inside))
}

/// What the first passes find at the points of a block.
#[repr(align(64))]
pub(super) struct SpeedsAndLevels {
    pub(super) speed: BlockColumn,
    pub(super) level: BlockColumn,
}

impl SpeedsAndLevels {
    pub(super) const ZERO: Self = Self {
        speed: [0.0; BLOCK],
        level: [0.0; BLOCK],
    };

    /// The speeds, and whether a point must be evaluated alone.
    #[inline(always)]
    pub(super) fn speeds<const D: usize>(&mut self, velocity: &[&BlockColumn; D]) -> bool {
        let mut any = 0;
        for (i, x) in self.speed.iter_mut().enumerate() {
            let (speed, outside) = speed(velocity, i);
            *x = speed;
            any |= outside;
        }
        any != 0
    }

    /// The levels at these speeds.
    #[inline(always)]
    pub(super) fn levels<X: OnLanes<S>, const S: usize>(&mut self, kernel: X) {
        for (level, speed) in self.level.iter_mut().zip(&self.speed) {
            let Lanes([x]) = kernel.level(Lanes([*speed]));
            *level = x;
        }
    }
}

/// How the states at the points of a block relax over a step.
#[repr(align(64))]
pub(super) struct Relaxed<const S: usize> {
    pub(super) decay: [BlockColumn; S],
    pub(super) phi: [BlockColumn; S],
}

impl<const S: usize> Relaxed<S> {
    pub(super) const ZERO: Self = Self {
        decay: [[0.0; BLOCK]; S],
        phi: [[0.0; BLOCK]; S],
    };

    #[inline(always)]
    pub(super) fn at(&self, i: usize) -> [(Lanes<1>, Lanes<1>); S] {
        std::array::from_fn(|s| (Lanes([self.decay[s][i]]), Lanes([self.phi[s][i]])))
    }
}
