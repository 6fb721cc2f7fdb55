//! Elastic–plastic (Maxwell slip) elements: a spring that slides at a limit.
//!
//! One vector element has the force x along the slip: stuck, dx = k v; at |x| = L with
//! x·v > 0 it slides, dx = k (v − e (e·v)) with e = x/|x|. On a straight path both parts
//! have closed forms: the stuck element moves on a chord of the disc |x| ≤ L, and the
//! sliding one turns towards the path as tan(θ/2) = tan(θ₀/2) e^(−k s/L). So the result does
//! not depend on how the path is cut into steps. Source: Iwan 1966 for the scalar element;
//! the vector form follows from "the friction opposes the sliding of the slider".

use crate::law::slip::{REST, dot, norm, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters::ParameterError;

/// The largest number of elements of a law.
pub(crate) const MAX_ELEMENTS: usize = 10;

/// Relative distance to the limit at which an element that is pushed on counts as sliding: a
/// spring that moves by its rounding would not get any nearer.
pub(crate) const AT_LIMIT: f64 = 1e-12;

/// Share of its rate with which an element slides or returns, below which it does neither.
const SAME_RATE: f64 = 1e-9;

/// The elements of a law: a stiffness each, and a level, in the unit of the law.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Elements<P> {
    pub(crate) count: usize,
    pub(crate) stiffness: [P; MAX_ELEMENTS],
    pub(crate) level: [P; MAX_ELEMENTS],
}

impl<P: Scalar> Elements<P> {
    /// The elements from the lists of a law; `name` is that of the levels.
    ///
    /// # Errors
    /// If the lists are too long or of different length.
    pub(crate) fn new(
        law: &'static str,
        stiffnesses: &[P],
        name: &'static str,
        levels: &[P],
    ) -> Result<Self, ParameterError> {
        let count = stiffnesses.len();
        check_length(law, "element_stiffnesses", stiffnesses, count)?;
        check_length(law, name, levels, count)?;
        Ok(Self {
            count,
            stiffness: fixed(stiffnesses),
            level: fixed(levels),
        })
    }
}

impl Elements<f64> {
    /// Σ f²/(2k) of the forces of a state.
    pub(crate) fn stored_energy<const D: usize>(&self, state: &[f64]) -> f64 {
        let energy = |i: usize| {
            let f = vector_at::<f64, D>(state, i);
            0.5 * dot(&f, &f) / self.stiffness[i]
        };
        (0..self.count).map(energy).sum()
    }
}

/// Refuses a list that is too long, or that has another length than the stiffnesses.
fn check_length<P>(
    law: &'static str,
    name: &'static str,
    list: &[P],
    wanted: usize,
) -> Result<(), ParameterError> {
    let refuse = |reason: String| {
        Err(ParameterError::Inconsistent {
            law: law.into(),
            name: name.into(),
            value: list.len() as f64,
            unit: "entries".into(),
            reason,
        })
    };
    if list.len() > MAX_ELEMENTS {
        refuse(format!("at most {MAX_ELEMENTS} elements"))
    } else if list.len() != wanted {
        refuse(format!("element_stiffnesses has {wanted}"))
    } else {
        Ok(())
    }
}

/// Refuses shares that do not add to 1.
pub(crate) fn check_fractions<P: Scalar>(
    law: &'static str,
    fractions: &[P],
) -> Result<(), ParameterError> {
    let sum = fractions.iter().map(|x| x.value()).sum::<f64>();
    // fractions typed with six digits are meant
    if (sum - 1.0).abs() <= 1e-6 {
        return Ok(());
    }
    Err(ParameterError::Inconsistent {
        law: law.into(),
        name: "element_fractions".into(),
        value: sum,
        unit: "in all".into(),
        reason: "must add to 1".to_owned(),
    })
}

/// A list in an array, the rest zero.
fn fixed<P: Scalar>(list: &[P]) -> [P; MAX_ELEMENTS] {
    std::array::from_fn(|i| list.get(i).copied().unwrap_or(P::zero()))
}

/// Whether an element slides at once when moved along v.
#[inline]
pub(crate) fn slides<T: Scalar, const D: usize>(x: &[T; D], v: &[T; D], limit: T) -> bool {
    norm(x).value() >= limit.value() * (1.0 - AT_LIMIT) && dot(x, v).value() > 0.0
}

/// Whether an element slides, moved along v while its limit changes; `None` where both rates are
/// the same but for rounding.
pub(crate) fn branch<const D: usize>(
    x: &[f64; D],
    v: &[f64; D],
    stiffness: f64,
    limit: f64,
    limit_rate: f64,
) -> Option<bool> {
    let size = norm(x);
    if size < limit * (1.0 - AT_LIMIT) {
        return Some(false);
    }
    let along = if size > 0.0 {
        dot(x, v) / size
    } else {
        norm(v)
    };
    let (pull, most) = (
        stiffness * along - limit_rate,
        stiffness * norm(v) + limit_rate.abs(),
    );
    (pull.abs() > SAME_RATE * most).then_some(pull > 0.0)
}

/// The continuous view: dx for the velocity v.
#[inline]
pub(crate) fn rate<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    x: &[T; D],
    v: &[T; D],
    stiffness: P,
    limit: T,
) -> [T; D] {
    if !slides(x, v, limit) {
        return v.map(|v| v * stiffness);
    }
    if D == 1 {
        return [T::zero(); D];
    }
    // v − e (e·v) as x × (v × x)/|x|²: exactly 0 along an axis
    let scale = dot(x, x);
    std::array::from_fn(|i| {
        let pairs = (0..D).map(|j| x[j] * (x[j] * v[i] - x[i] * v[j]));
        pairs.fold(T::zero(), |sum, p| sum + p) / scale * stiffness
    })
}

/// A sliding element, |x| = L, after a straight displacement d, also where that leads back into the
/// disc.
#[inline]
pub(crate) fn slid<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    start: &[T; D],
    d: &[T; D],
    stiffness: P,
    limit: T,
) -> [T; D] {
    // what `turn` says, without the direction of d, which may be none: with e = x/L, δ = k d/L of
    // the length a, x = L (e + (sinh a/a + e·δ (cosh a − 1)/a²) δ)/(cosh a + e·δ sinh a/a)
    let shrink = T::from_f64(1.0) / limit;
    let scale = shrink * stiffness;
    let delta = d.map(|x| x * scale);
    let along = dot(start, &delta) * shrink;
    let square = dot(&delta, &delta);
    let (part, cosh, sinh, bend) = if square.value() < 0.1 {
        // to a¹²/12! < 3e-15
        let series = |factors: [f64; 5]| {
            let add = |sum: T, factor: &f64| sum * square * *factor + 1.0;
            factors.iter().fold(T::from_f64(1.0), add)
        };
        let sinh = series([1.0 / 110.0, 1.0 / 72.0, 1.0 / 42.0, 1.0 / 20.0, 1.0 / 6.0]);
        let bend = series([1.0 / 132.0, 1.0 / 90.0, 1.0 / 56.0, 1.0 / 30.0, 1.0 / 12.0]) * 0.5;
        (T::from_f64(1.0), bend * square + 1.0, sinh, bend)
    } else {
        // all of them times 2 e^(−a)
        let (decay, mean) = square.sqrt().relaxation();
        let sinh = (decay + 1.0) * mean;
        (decay * 2.0, decay * decay + 1.0, sinh, mean * mean)
    };
    let share = T::from_f64(1.0) / (cosh + along * sinh).max(T::from_f64(REST));
    let (keep, pull) = (part * share, (sinh + along * bend) * share * limit);
    std::array::from_fn(|i| keep * start[i] + pull * delta[i])
}

/// The element after a straight displacement d; the limit has a mean and an end value.
pub(crate) fn advance<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    start: &[T; D],
    d: &[T; D],
    stiffness: P,
    mean_limit: T,
    limit: T,
) -> [T; D] {
    if limit.value() <= 0.0 {
        return [T::zero(); D];
    }
    let end = std::array::from_fn(|i| start[i] + d[i] * stiffness);
    let size = norm(&end);
    if size.value() <= limit.value() {
        return end;
    }
    let path = norm(d) * stiffness;
    if D == 1 || path.value() <= REST {
        return end.map(|x| x * (limit / size));
    }
    let u = d.map(|x| x * stiffness / path);
    let (along, from) = (dot(start, &u), norm(start));
    // it slides all the way if it is pushed on faster than the limit rises, or, backwards, drawn
    // back slower than the limit falls
    let first_limit = mean_limit * 2.0 - limit;
    let pushed = path * along / from - (limit - first_limit);
    if pushed.value() >= 0.0 && from.value() >= first_limit.value() * (1.0 - AT_LIMIT) {
        let q = std::array::from_fn(|i| (start[i] - along * u[i]) * (limit / from));
        return turn(&q, &u, along / from, path, mean_limit, limit);
    }
    let outside = from.value() >= limit.value();
    if outside && dot(&end, &u).value() <= 0.0 {
        // the limit fell faster than the element unloads
        return end.map(|x| x * (limit / size));
    }
    // stuck on a chord up to the circle; q is its nearest point to the centre
    let q: [T; D] = std::array::from_fn(|i| start[i] - along * u[i]);
    let distance = norm(&q);
    if distance.value() >= limit.value() {
        let q = q.map(|x| x * (limit / distance));
        return turn(&q, &u, T::zero(), path + along, mean_limit, limit);
    }
    // where the chord leaves the circle: (L² − q²) without cancellation
    let reach = if outside {
        ((limit - distance) * (limit + distance)).sqrt()
    } else {
        ((limit - from) * (limit + from) + along * along).sqrt()
    };
    let left = path - (reach - along);
    if left.value() <= 0.0 {
        return std::array::from_fn(|i| q[i] + (along + path) * u[i]);
    }
    turn(&q, &u, reach / limit, left, mean_limit, limit)
}

/// Sliding over `path` (in units of force): x = L (cos θ u + sin θ n) turns towards u, from q = L sin θ n.
fn turn<T: Scalar, const D: usize>(
    q: &[T; D],
    u: &[T; D],
    cosine: T,
    path: T,
    mean_limit: T,
    limit: T,
) -> [T; D] {
    let decay = if mean_limit.value() > 0.0 {
        // straight back, cos θ = −1, it stays there: not 0/0
        (-(path / logarithmic_mean(mean_limit, limit)))
            .exp()
            .max(T::from_f64(REST))
    } else {
        T::from_f64(REST)
    };
    // half-angle formulas: no division by sin θ
    let (ahead, behind) = (cosine + 1.0, (-cosine + 1.0) * decay * decay);
    let along = limit * (ahead - behind) / (ahead + behind);
    let across = decay * 2.0 / (ahead + behind);
    std::array::from_fn(|i| along * u[i] + across * q[i])
}

/// 1/mean(1/L) of a limit that is linear in time, from its mean and its end: then the angle is exact.
fn logarithmic_mean<T: Scalar>(mean: T, end: T) -> T {
    let half = (end - mean) / mean;
    if half.value().abs() < 1e-3 {
        // x/artanh x, exact to 4 x⁴/45 < 1e-13
        mean * (half * half * (-1.0 / 3.0) + 1.0)
    } else if half.value().abs() < 1.0 {
        mean * half * 2.0 / ((half + 1.0) / (-half + 1.0)).ln()
    } else {
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_a_path_changes_nothing() {
        let d = [3.0e-6, -1.0e-6, 0.5e-6];
        for start in [[0.0, 0.2, 0.1], [-0.6, -0.7, 0.3], [0.1, 0.9, 0.2]] {
            let once = advance(&start, &d, 1e6, 1.0, 1.0);
            let mut many = start;
            for _ in 0..1000 {
                many = advance(&many, &d.map(|x| x / 1000.0), 1e6, 1.0, 1.0);
            }
            for i in 0..3 {
                // exact on a straight path: rounding of a thousand steps
                assert!((once[i] - many[i]).abs() < 1e-12, "{once:?} {many:?}");
            }
            // it has slid
            assert!((norm(&once) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn turns_as_a_tractrix() {
        // from x across the path: tan(theta/2) = e^(-s), so cos(theta) = tanh(s)
        for s in [0.1, 1.0, 3.0_f64] {
            let x = advance(&[0.0, 1.0], &[s, 0.0], 1.0, 1.0, 1.0);
            // closed form: rounding only
            assert!((x[0] - s.tanh()).abs() < 1e-14 && (x[1] - 1.0 / s.cosh()).abs() < 1e-14);
        }
    }

    #[test]
    fn sliding_back_is_sliding_on_with_another_start() {
        // the tractrix from 120 degrees: tan(theta/2) = sqrt(3) e^(-s); short steps take the series
        let start = [-0.5, 0.75_f64.sqrt()];
        for s in [1e-200, 1e-3, 0.3, 0.35, 2.0, 30.0_f64] {
            let x = slid(&start, &[s, 0.0], 1.0, 1.0);
            let half = (3.0_f64.sqrt() * (-s).exp()).atan();
            // closed form: rounding only
            assert!((x[0] - (2.0 * half).cos()).abs() < 1e-14, "{s}: {x:?}");
            assert!((x[1] - (2.0 * half).sin()).abs() < 1e-14, "{s}: {x:?}");
        }
    }

    #[test]
    fn a_limit_that_is_linear_in_time_may_be_cut() {
        // sliding: pushed on, across, and drawn back more slowly than the limit falls
        let (from, d) = (1.0_f64, [0.5e-6, -0.2e-6]);
        for (start, to) in [
            ([0.8, 0.6], 1.2),
            ([0.8, 0.6], 0.4),
            ([0.0, 1.0], 0.7),
            ([-0.8, 0.6], 0.2),
        ] {
            let once = advance(&start, &d, 1e6, 0.5 * (from + to), to);
            let (mut many, cuts) = (start, 1000);
            for i in 0..cuts {
                let limit = |i: i32| from + (to - from) * f64::from(i) / f64::from(cuts);
                let mean = 0.5 * (limit(i) + limit(i + 1));
                let part = d.map(|x| x / f64::from(cuts));
                many = advance(&many, &part, 1e6, mean, limit(i + 1));
            }
            for i in 0..2 {
                // rounding of a thousand steps
                assert!((once[i] - many[i]).abs() < 1e-12, "{once:?} {many:?}");
            }
        }
    }

    #[test]
    fn follows_a_falling_limit_while_it_unloads() {
        // from 2 back by 0.9 while the limit falls to 1: the trial force 1.1 is cut to 1
        let x = advance(&[2.0], &[-0.9], 1.0, 1.5, 1.0);
        let y = advance(&[2.0, 0.0], &[-0.9, 0.0], 1.0, 1.5, 1.0);
        assert!((x[0] - 1.0).abs() < 1e-15 && (y[0] - 1.0).abs() < 1e-15);
        // by 2.5: through zero, elastic
        let y = advance(&[2.0, 0.0], &[-2.5, 0.0], 1.0, 1.5, 1.0);
        assert!((y[0] + 0.5).abs() < 1e-15);
    }
}
