//! What a law knows about a sliding pair, and the small vector algebra laws share.

use crate::numbers::scalar::{MixesWith, Real, Scalar};

/// The state of a sliding pair at one instant. SI.
#[derive(Clone, Copy, Debug)]
pub struct Slip<T, const D: usize> {
    /// Slip velocity of the moving body relative to the other one, m/s.
    pub velocity: [T; D],
    /// Normal force, N, ≥ 0.
    pub normal_force: T,
    /// Applied tangential force, N, zero if unknown: what a law may hold at rest (Karnopp), or the
    /// direction of the load that passes through (gear).
    pub applied: [T; D],
}

impl<T: Real, const D: usize> Slip<T, D> {
    /// A slip without applied force.
    #[inline]
    pub fn new(velocity: [T; D], normal_force: T) -> Self {
        Self {
            velocity,
            normal_force,
            applied: [T::zero(); D],
        }
    }
}

/// A step of a sliding pair: the state is moved by the mean conditions, the force is that at the end.
///
/// With `mean.velocity` = (slip displacement over the step)/Δt the update is second
/// order in Δt, and in stick a bristle follows the displacement of the integrator exactly.
#[derive(Clone, Copy, Debug)]
pub struct Step<T, const D: usize> {
    /// Mean conditions over the step.
    pub mean: Slip<T, D>,
    /// Conditions at the end of the step.
    pub end: Slip<T, D>,
    /// Δt, s, > 0.
    pub duration: f64,
}

impl<T: Real, const D: usize> Step<T, D> {
    /// A step under constant conditions.
    pub fn constant(slip: Slip<T, D>, duration: f64) -> Self {
        Self {
            mean: slip,
            end: slip,
            duration,
        }
    }
}

/// A stage of an implicit Runge–Kutta step: the states follow from the conditions there,
///
/// $$ \mathbf z = \bar{\mathbf z} + \beta\,\dot{\mathbf z}(\mathbf v, N, \mathbf z) $$
///
/// with z̄ from the stages before. Stiff bristles are bounded by their steady state at every β.
#[derive(Clone, Copy, Debug)]
pub struct StageStep<const D: usize> {
    /// Conditions at the stage.
    pub end: Slip<f64, D>,
    /// β, s, > 0: the diagonal of the method times the step.
    pub weight: f64,
}

/// Longest path of one step that laws look at, m: beyond any memory, and its square is finite.
const LONGEST_PATH: f64 = 1e100;

/// Slip displacement of a step and its length, m; shortened to 1e100 m.
#[inline]
pub fn travel<T: Scalar, const D: usize>(step: &Step<T, D>) -> ([T; D], T) {
    travel_at(step, norm(&step.mean.velocity))
}

/// [`travel`] of a step with this mean speed.
#[inline]
pub(crate) fn travel_at<T: Scalar, const D: usize>(step: &Step<T, D>, speed: T) -> ([T; D], T) {
    let w = &step.mean.velocity;
    let time = if speed.value() * step.duration > LONGEST_PATH {
        LONGEST_PATH / speed.value()
    } else {
        step.duration
    };
    (w.map(|x| x * time), speed * time)
}

/// The vector state number `index` of a state slice.
#[inline]
pub fn vector_at<T: Real, const D: usize>(state: &[T], index: usize) -> [T; D] {
    std::array::from_fn(|i| state[index * D + i])
}

/// The vector state number `index` of a stored state, as constants.
#[inline]
pub fn old_vector_at<P: Copy, T: MixesWith<P>, const D: usize>(
    state: &[P],
    index: usize,
) -> [T; D] {
    std::array::from_fn(|i| T::of(state[index * D + i]))
}

/// f shortened to |f| ≤ limit.
#[inline]
pub fn clip<T: Scalar, const D: usize>(f: &[T; D], limit: T) -> [T; D] {
    // no branch, which at points in no order is guessed wrong; 0/0 is not below 1 either
    let share = (limit / norm(f)).min(T::from_f64(1.0));
    f.map(|x| x * share)
}

/// The speed from which a pair with a rate-independent law counts as slipping, m/s.
pub const RATE_INDEPENDENT_SLIP_SPEED: f64 = 1e-3;

/// a·b.
#[inline]
pub fn dot<T: Real, const D: usize>(a: &[T; D], b: &[T; D]) -> T {
    let mut sum = a[0] * b[0];
    for i in 1..D {
        sum = sum + a[i] * b[i];
    }
    sum
}

/// Squared norms outside this range lose digits or overflow; norms rescale there.
const SAFE_SQUARE: std::ops::Range<f64> = 1e-280..1e280;

/// |v|, safe from underflow and overflow; at v = 0 its derivative is taken as 0.
#[inline]
pub fn norm<T: Scalar, const D: usize>(v: &[T; D]) -> T {
    let [norm] = norms([v]);
    norm
}

/// |v| as a number: a condition needs no derivatives.
#[inline]
pub(crate) fn length<T: Scalar, const D: usize>(v: &[T; D]) -> f64 {
    norm(&v.map(Scalar::value))
}

/// |v| of several vectors at once: roots of two numbers cost little more than one.
#[inline]
pub fn norms<T: Scalar, const D: usize, const N: usize>(vectors: [&[T; D]; N]) -> [T; N] {
    if D == 1 {
        return vectors.map(|v| v[0].abs());
    }
    norms_and_squares(vectors).0
}

/// |v| of several vectors; in more than one dimension |v|² too, if all keep their digits.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "every evaluation of a law with a curve calls it"
)]
pub(crate) fn speeds_and_squares<T: Scalar, const D: usize, const N: usize>(
    vectors: [&[T; D]; N],
) -> ([T; N], Option<[T; N]>) {
    if D == 1 {
        (norms(vectors), None)
    } else {
        norms_and_squares(vectors)
    }
}

/// |v| of several vectors, and |v|² if all keep their digits.
#[inline]
pub(crate) fn norms_and_squares<T: Scalar, const D: usize, const N: usize>(
    vectors: [&[T; D]; N],
) -> ([T; N], Option<[T; N]>) {
    let squares = vectors.map(|v| dot(v, v));
    if squares.iter().all(|x| SAFE_SQUARE.contains(&x.value())) {
        (squares.map(Real::sqrt), Some(squares))
    } else {
        (vectors.map(rescaled_norm), None)
    }
}

/// |v| of a vector of any length.
#[cold]
#[inline(never)]
fn rescaled_norm<T: Scalar, const D: usize>(v: &[T; D]) -> T {
    let square = dot(v, v);
    if SAFE_SQUARE.contains(&square.value()) {
        return square.sqrt();
    }
    let largest = v.iter().fold(0.0_f64, |m, x| m.max(x.value().abs()));
    if largest < REST || !largest.is_finite() {
        return T::from_f64(largest);
    }
    let scaled = v.map(|x| x / largest);
    dot(&scaled, &scaled).sqrt() * largest
}

/// Speeds and paths below this count as rest where a direction is asked for: the squares of
/// their inverses, in derivatives, would overflow.
pub const REST: f64 = 1e-150;

/// v/|v|, and 0 at v = 0.
#[inline]
pub fn direction<T: Scalar, const D: usize>(v: &[T; D], speed: T) -> [T; D] {
    if speed.value() > REST {
        v.map(|x| x / speed)
    } else {
        [T::zero(); D]
    }
}
