//! The tangent of bristles in closed form: the chain rule over the factors that all components share.

use super::{Bristle, BristleLaw, Factors, NO_LOAD, Sliding};
use crate::law::Tangent;
use crate::law::slip::{Step, direction, dot, norm, speeds_and_squares};
use crate::numbers::partials::Partials;
use crate::numbers::relaxation::falling_relaxation;
use crate::numbers::scalar::Real;

/// Variables of the factors: |w| or |v|, and, for a law of the contact, the mean load and the last.
const SPEED: usize = 0;
const MEAN_LOAD: usize = 1;
const LAST_LOAD: usize = 2;

/// The update with its consistent tangent.
#[inline(always)]
pub(super) fn update_with_tangent<L: BristleLaw<f64, S>, const D: usize, const S: usize>(
    law: &L,
    step: &Step<f64, D>,
    old: &[f64],
    new: &mut [f64],
) -> ([f64; D], Tangent<D>) {
    if !L::OF_CONTACT {
        return by_partials::<L, D, S, 1>(law, step, old, new);
    }
    if step.mean.normal_force.min(step.end.normal_force) < NO_LOAD {
        new[..S * D].fill(0.0);
        return ([0.0; D], Tangent::ZERO);
    }
    by_partials::<L, D, S, 3>(law, step, old, new)
}

#[inline(always)]
fn by_partials<L: BristleLaw<f64, S>, const D: usize, const S: usize, const K: usize>(
    law: &L,
    step: &Step<f64, D>,
    old: &[f64],
    new: &mut [f64],
) -> ([f64; D], Tangent<D>) {
    let (w, v) = (&step.mean.velocity, &step.end.velocity);
    let (speeds, squares) = speeds_and_squares([w, v]);
    let inverses = speeds.map(|x| if x < f64::MIN_POSITIVE { 0.0 } else { 1.0 / x });
    let (u, e) = (w.map(|w| w * inverses[0]), v.map(|v| v * inverses[1]));
    let [mean, mut end]: [Sliding<Partials<K>>; 2] = along(law, speeds, squares);
    let moves = moves(law, step, &mean);
    let z: [[f64; D]; S] = std::array::from_fn(|s| {
        let Move { decay, share } = moves[s];
        std::array::from_fn(|i| decay.value * old[s * D + i] + share.value * w[i])
    });
    for (new, z) in new.iter_mut().zip(z.as_flattened()) {
        *new = *z;
    }
    // dz by the variable k, without the part of the share by which w itself enters
    let moved = |s: usize, k: usize| -> [f64; D] {
        let (decay, share) = (moves[s].decay.by[k], moves[s].share.by[k]);
        std::array::from_fn(|i| decay * old[s * D + i] + share * w[i])
    };

    let n = step.end.normal_force;
    let factor = if L::OF_CONTACT { 1.0 } else { n };
    if L::OF_CONTACT {
        end.level = end.level * Partials::variable(n, LAST_LOAD);
    }
    let force = law.force();
    let damping = force.damping.map(|damping| damping.at(end.speed));
    let factors = Factors::new(&law.bristles(&end), &force, damping);
    // F over its factor, by the variable k of the factors alone
    let by = |k: usize| -> [f64; D] {
        std::array::from_fn(|i| {
            let states = (0..S).map(|s| factors.by_state[s].by[k] * z[s][i]);
            let viscous = factors.by_velocity.map_or(0.0, |f| f.by[k] * v[i]);
            states.fold(viscous, |sum, x| sum + x)
        })
    };
    let weights = factors.by_state.map(|f| f.value);
    let viscous = factors.by_velocity.map_or(0.0, |f| f.value);
    let mut f: [f64; D] = std::array::from_fn(|i| {
        let states = (0..S).map(|s| weights[s] * z[s][i]);
        states.fold(viscous * v[i], |sum, x| sum + x)
    });
    let mut tangent = Tangent::ZERO;
    let (column, bend) = (weighted(&weights, |s| moved(s, SPEED)), by(SPEED));
    let shares = (0..S).map(|s| weights[s] * moves[s].share.value);
    let direct = shares.fold(0.0, |sum, x| sum + x) * factor;
    for i in 0..D {
        for j in 0..D {
            tangent.mean_velocity[i][j] = factor * column[i] * u[j];
            tangent.velocity[i][j] = factor * bend[i] * e[j];
        }
        tangent.mean_velocity[i][i] += direct;
        tangent.velocity[i][i] += factor * viscous;
    }
    if let Some(mu) = force.along_load {
        let e = direction(&step.end.applied, norm(&step.end.applied));
        let (share, turned) = (moves[0].share.value, dot(&z[0], &moved(0, SPEED)));
        // z² by w, half of it
        let slope: [f64; D] = std::array::from_fn(|j| share * z[0][j] + turned * u[j]);
        let pull = e.map(|e| mu * e);
        f = std::array::from_fn(|i| f[i] + pull[i] * dot(&z[0], &z[0]));
        for (row, pull) in tangent.mean_velocity.iter_mut().zip(pull) {
            *row = std::array::from_fn(|j| row[j] + factor * pull * 2.0 * slope[j]);
        }
    }
    if K == 1 {
        tangent.normal_force = f;
    } else {
        let (states, direct) = (weighted(&weights, |s| moved(s, LAST_LOAD)), by(LAST_LOAD));
        tangent.mean_normal_force = weighted(&weights, |s| moved(s, MEAN_LOAD));
        tangent.normal_force = std::array::from_fn(|i| states[i] + direct[i]);
    }
    (f.map(|f| factor * f), tangent)
}

/// Σ weight x.
#[inline(always)]
fn weighted<const D: usize, const S: usize>(
    weights: &[f64; S],
    x: impl Fn(usize) -> [f64; D],
) -> [f64; D] {
    let first = x(0).map(|x| weights[0] * x);
    (1..S).fold(first, |sum, s| {
        let x = x(s);
        std::array::from_fn(|i| sum[i] + weights[s] * x[i])
    })
}

/// The speeds of the mean and of the end, and their levels.
#[inline(always)]
fn along<L: BristleLaw<f64, S>, const S: usize, const K: usize>(
    law: &L,
    speeds: [f64; 2],
    squares: Option<[f64; 2]>,
) -> [Sliding<Partials<K>>; 2] {
    let squares = squares.map(|squares| {
        std::array::from_fn(|i| Partials {
            value: squares[i],
            by: std::array::from_fn(|k| if k == SPEED { 2.0 * speeds[i] } else { 0.0 }),
        })
    });
    let speeds = speeds.map(|speed| Partials::variable(speed, SPEED));
    let levels = match law.curve() {
        Some(curve) => curve.levels(speeds, squares),
        None => [Partials::zero(); 2],
    };
    std::array::from_fn(|i| Sliding {
        speed: speeds[i],
        level: levels[i],
    })
}

/// z := decay z + share w.
#[derive(Clone, Copy)]
struct Move<const K: usize> {
    decay: Partials<K>,
    share: Partials<K>,
}

/// How each bristle moves in a step.
#[inline(always)]
fn moves<L: BristleLaw<f64, S>, const D: usize, const S: usize, const K: usize>(
    law: &L,
    step: &Step<f64, D>,
    mean: &Sliding<Partials<K>>,
) -> [Move<K>; S] {
    let h = step.duration;
    law.bristles(mean).map(|bristle: Bristle<Partials<K>>| {
        let travel = bristle.rate * h;
        let (decay, share) = if L::OF_CONTACT {
            let load = Partials::variable(step.mean.normal_force, MEAN_LOAD);
            let last = Partials::variable(step.end.normal_force, LAST_LOAD);
            falling_relaxation(travel, load, last)
        } else {
            travel.relaxation()
        };
        let share = bristle.driven_by(share * h);
        Move { decay, share }
    })
}
