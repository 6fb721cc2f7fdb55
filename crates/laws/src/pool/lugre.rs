//! `lugre` in blocks of lanes.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use super::{Points, Steps};
use crate::curve::Shape;
use crate::friction::LuGre;
use crate::lanes::Lanes;
use crate::law::FrictionLaw;
use crate::relaxation::relaxation_on_lanes;
use crate::scalar::Real;
use crate::slip::{Slip, Step, dot};

/// Number of points of a block: enough for loops that fill the widest registers, few
/// enough for the first cache.
pub(super) const BLOCK: usize = 64;

/// A component at the points of a block.
type Block = [f64; BLOCK];

/// The last block of a column, filled up with zeros.
fn padded(rest: &[f64]) -> Block {
    let mut block = [0.0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// The vector at one point of a block.
#[inline(always)]
fn point<const D: usize>(vector: &[&Block; D], i: usize) -> [f64; D] {
    vector.map(|block| block[i])
}

/// One point as a lane: the text without branches that the loop over a block repeats.
#[inline(always)]
fn lane<const D: usize>(vector: &[&Block; D], i: usize) -> [Lanes<1>; D] {
    vector.map(|block| Lanes([block[i]]))
}

#[inline(always)]
fn set_point<const D: usize>(vector: &mut [Block; D], i: usize, values: [f64; D]) {
    for (block, x) in vector.iter_mut().zip(values) {
        block[i] = x;
    }
}

/// Squares outside this range lose digits: such points are evaluated one by one.
const SAFE_SQUARE: std::ops::Range<f64> = 1e-280..1e280;

/// |v|, and whether its square leaves the safe range (0 or 1); exact rest is safe.
#[inline(always)]
#[allow(
    clippy::needless_bitwise_bool,
    clippy::manual_range_contains,
    reason = "lazy operators are branches, and branches keep the loop from vectors"
)]
fn speed<const D: usize>(v: &[Lanes<1>; D]) -> (Lanes<1>, u64) {
    let square = dot(v, v);
    let mut sum = Real::abs(v[0]);
    for component in &v[1..] {
        sum = sum + Real::abs(*component);
    }
    let Lanes([s]) = square;
    // NaN is outside
    let inside = (s >= SAFE_SQUARE.start) & (s < SAFE_SQUARE.end) | (sum.0[0] == 0.0);
    (square.sqrt(), u64::from(!inside))
}

/// The exponential curve with α = 2: without calls, so that the loop over a block can be
/// turned into vectors.
#[derive(Clone, Copy)]
pub(super) struct Square {
    inverse_v_s: f64,
    mu_k: f64,
    excess: f64,
    sigma_1: f64,
}

impl Square {
    /// The curve of the law, if its exponent is 2.
    pub(super) fn of(law: &LuGre) -> Option<Self> {
        let p = law.parameters();
        let square = match p.stribeck {
            Shape::Exponential => (p.stribeck_exponent - 2.0).abs() < f64::EPSILON,
            Shape::Gaussian => true,
            _ => false,
        };
        let curve = Self {
            inverse_v_s: 1.0 / p.stribeck_velocity,
            mu_k: p.kinetic_coefficient,
            excess: p.static_coefficient - p.kinetic_coefficient,
            sigma_1: p.bristle_damping,
        };
        // blocks have a constant σ₁
        let square = square && p.damping_velocity.is_none();
        (square && curve.inverse_v_s.is_finite()).then_some(curve)
    }

    /// σ₁.
    #[inline(always)]
    fn damping(self) -> Lanes<1> {
        Lanes([self.sigma_1])
    }

    /// g(|v|).
    #[inline(always)]
    fn level(self, speed: Lanes<1>) -> Lanes<1> {
        let x = speed * self.inverse_v_s;
        (-(x * x)).exp() * self.excess + self.mu_k
    }
}

/// The continuous view.
pub(super) struct Continuous<'a, 'b, 'c, const D: usize> {
    pub(super) curve: Square,
    pub(super) law: &'a LuGre,
    pub(super) points: &'a Points<'a, D>,
    pub(super) states: &'a [&'a [f64]],
    pub(super) rates: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

impl<const D: usize> Continuous<'_, '_, '_, D> {
    /// Fills the rates and the force of a block. The results go to arrays of their own:
    /// they cannot overlap the columns, which loops in vectors need to know.
    #[inline(always)]
    fn block(
        &self,
        v: &[&Block; D],
        n: &Block,
        z: &[&Block; D],
        (dz, f): (&mut [Block; D], &mut [Block; D]),
    ) {
        let mut outside = [0; BLOCK];
        for i in 0..BLOCK {
            let v = lane(v, i);
            let (speed, beyond) = speed(&v);
            let level = (speed, self.curve.level(speed), self.curve.damping());
            let (rate, force) = self.law.evaluate(&v, level, Lanes([n[i]]), &lane(z, i));
            set_point(dz, i, rate.map(|x| x.0[0]));
            set_point(f, i, force.map(|x| x.0[0]));
            outside[i] = beyond;
        }
        if any(&outside) {
            rates_one_by_one(self.law, &outside, (v, n, z), (dz, f));
        }
    }
}

impl<const D: usize> pulp::WithSimd for Continuous<'_, '_, '_, D> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let (mut dz, mut f) = ([[0.0; BLOCK]; D], [[0.0; BLOCK]; D]);
        let (n, last) = self.points.normal_force.as_chunks::<BLOCK>();
        let velocity = self.points.velocity.map(|column| column.as_chunks().0);
        let states: [_; D] = std::array::from_fn(|i| self.states[i].as_chunks().0);
        for (k, n) in n.iter().enumerate() {
            let (v, z) = (velocity.map(|c| &c[k]), states.map(|c| &c[k]));
            self.block(&v, n, &z, (&mut dz, &mut f));
            for i in 0..D {
                self.rates[i].as_chunks_mut().0[k] = dz[i];
                self.force[i].as_chunks_mut().0[k] = f[i];
            }
        }
        let at = BLOCK * n.len();
        if !last.is_empty() {
            let v = self.points.velocity.map(|column| padded(&column[at..]));
            let z: [Block; D] = std::array::from_fn(|i| padded(&self.states[i][at..]));
            let n = padded(last);
            self.block(&v.each_ref(), &n, &z.each_ref(), (&mut dz, &mut f));
            for i in 0..D {
                self.rates[i][at..].copy_from_slice(&dz[i][..last.len()]);
                self.force[i][at..].copy_from_slice(&f[i][..last.len()]);
            }
        }
    }
}

#[inline(always)]
fn any(mask: &[u64; BLOCK]) -> bool {
    mask.iter().fold(0, |all, m| all | m) != 0
}

#[cold]
#[inline(never)]
fn rates_one_by_one<const D: usize>(
    law: &LuGre,
    outside: &[u64; BLOCK],
    (v, n, z): (&[&Block; D], &Block, &[&Block; D]),
    (dz, f): (&mut [Block; D], &mut [Block; D]),
) {
    for i in (0..BLOCK).filter(|i| outside[*i] != 0) {
        let mut rates = [0.0; D];
        let force = law.rates(&Slip::new(point(v, i), n[i]), &point(z, i), &mut rates);
        set_point(dz, i, rates);
        set_point(f, i, force);
    }
}

/// The constitutive update, in place.
pub(super) struct Constitutive<'a, 'b, 'c, const D: usize> {
    pub(super) curve: Square,
    pub(super) law: &'a LuGre,
    pub(super) steps: &'a Steps<'a, D>,
    pub(super) states: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

impl<const D: usize> Constitutive<'_, '_, '_, D> {
    /// Fills the new states and the force of a block.
    #[inline(always)]
    fn block(
        (law, curve, duration): (&LuGre, Square, f64),
        (w, v, n): (&[&Block; D], &[&Block; D], &Block),
        old: &[&Block; D],
        (z, f): (&mut [Block; D], &mut [Block; D]),
    ) {
        let mut outside = [0; BLOCK];
        for i in 0..BLOCK {
            let (w, v) = (lane(w, i), lane(v, i));
            let ((mean, a), (end, b)) = (speed(&w), speed(&v));
            let (mean, end) = ((mean, curve.level(mean)), (end, curve.level(end)));
            let (decay, phi) = relaxation_on_lanes(law.exponent(mean, duration));
            let old = lane(old, i);
            let new = std::array::from_fn(|k| decay * old[k] + phi * (w[k] * duration));
            let end = (end.0, end.1, curve.damping());
            let (_, force) = law.evaluate(&v, end, Lanes([n[i]]), &new);
            set_point(z, i, new.map(|x| x.0[0]));
            set_point(f, i, force.map(|x| x.0[0]));
            outside[i] = a | b;
        }
        if any(&outside) {
            update_one_by_one((law, duration), &outside, (w, v, n), old, (z, f));
        }
    }
}

impl<const D: usize> pulp::WithSimd for Constitutive<'_, '_, '_, D> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Steps {
            mean,
            end,
            duration,
        } = *self.steps;
        let law = (self.law, self.curve, duration);
        let (mut z, mut f) = ([[0.0; BLOCK]; D], [[0.0; BLOCK]; D]);
        let (n, last) = end.normal_force.as_chunks::<BLOCK>();
        let mean_chunks = mean.velocity.map(|column| column.as_chunks().0);
        let end_chunks = end.velocity.map(|column| column.as_chunks().0);
        for (k, n) in n.iter().enumerate() {
            let (w, v) = (mean_chunks.map(|c| &c[k]), end_chunks.map(|c| &c[k]));
            let old = std::array::from_fn(|i| &self.states[i].as_chunks().0[k]);
            Self::block(law, (&w, &v, n), &old, (&mut z, &mut f));
            for i in 0..D {
                self.states[i].as_chunks_mut().0[k] = z[i];
                self.force[i].as_chunks_mut().0[k] = f[i];
            }
        }
        let at = BLOCK * n.len();
        if !last.is_empty() {
            let w = mean.velocity.map(|column| padded(&column[at..]));
            let v = end.velocity.map(|column| padded(&column[at..]));
            let old: [Block; D] = std::array::from_fn(|i| padded(&self.states[i][at..]));
            let conditions = (&w.each_ref(), &v.each_ref(), &padded(last));
            Self::block(law, conditions, &old.each_ref(), (&mut z, &mut f));
            for i in 0..D {
                self.states[i][at..].copy_from_slice(&z[i][..last.len()]);
                self.force[i][at..].copy_from_slice(&f[i][..last.len()]);
            }
        }
    }
}

#[cold]
#[inline(never)]
fn update_one_by_one<const D: usize>(
    (law, duration): (&LuGre, f64),
    outside: &[u64; BLOCK],
    (w, v, n): (&[&Block; D], &[&Block; D], &Block),
    old: &[&Block; D],
    (z, f): (&mut [Block; D], &mut [Block; D]),
) {
    for i in (0..BLOCK).filter(|i| outside[*i] != 0) {
        // lugre does not read the mean normal force
        let mean = Slip::new(point(w, i), n[i]);
        let end = Slip::new(point(v, i), n[i]);
        let mut new = [0.0; D];
        let step = Step {
            mean,
            end,
            duration,
        };
        let force = law.update(&step, &point(old, i), &mut new);
        set_point(z, i, new);
        set_point(f, i, force);
    }
}
