//! The tangent of bristles in closed form: the chain rule over the factors that all components share.

use super::{Bristle, BristleForce, BristleLaw, ForceFactors, NO_LOAD, Sliding};
use crate::law::Tangent;
use crate::law::slip::{Step, direction, dot, norm, speeds_and_squares};
use crate::numbers::partials::Partials;
use crate::numbers::relaxation::falling_relaxation_slopes;
use crate::numbers::scalar::Real;

/// The variable of the factors: |w| or |v|.
const SPEED: usize = 0;

/// The update with its consistent tangent.
#[inline(always)]
pub(super) fn update_with_tangent<L: BristleLaw<f64, S>, const D: usize, const S: usize>(
    law: &L,
    step: &Step<f64, D>,
    old: &[f64],
    new: &mut [f64],
) -> ([f64; D], Tangent<D>) {
    if L::OF_CONTACT && step.mean.normal_force.min(step.end.normal_force) < NO_LOAD {
        new[..S * D].fill(0.0);
        return ([0.0; D], Tangent::ZERO);
    }
    let (w, v) = (&step.mean.velocity, &step.end.velocity);
    let (speeds, squares) = speeds_and_squares([w, v]);
    let inverses = speeds.map(|x| if x < f64::MIN_POSITIVE { 0.0 } else { 1.0 / x });
    let (u, e) = (w.map(|w| w * inverses[0]), v.map(|v| v * inverses[1]));
    let [mean, end] = along(law, speeds, squares);
    let moves = moves(law, step, &mean);
    let z: [[f64; D]; S] = std::array::from_fn(|s| moves[s].value.applied(s, old, w));
    for (new, z) in new.iter_mut().zip(z.as_flattened()) {
        *new = *z;
    }

    let n = step.end.normal_force;
    let factor = if L::OF_CONTACT { 1.0 } else { n };
    let force = law.force();
    let (factors, relaxing) = factors_of::<L, S>(law, &force, &end, n);
    // F over its factor, by the speed in the factors alone
    let bend: [f64; D] = std::array::from_fn(|i| {
        let states = (0..S).map(|s| factors.by_state[s].by[SPEED] * z[s][i]);
        let viscous = factors.by_velocity.map_or(0.0, |f| f.by[SPEED] * v[i]);
        states.fold(viscous, |sum, x| sum + x)
    });
    let weights = factors.by_state.map(|f| f.value);
    let viscous = factors.by_velocity.map_or(0.0, |f| f.value);
    let mut f: [f64; D] = std::array::from_fn(|i| {
        let states = (0..S).map(|s| weights[s] * z[s][i]);
        states.fold(viscous * v[i], |sum, x| sum + x)
    });
    let mut tangent = Tangent::ZERO;
    // dz by |w|, without the part of the share by which w itself enters
    let moved = |s: usize| moves[s].by_speed.applied(s, old, w);
    let column = weighted(&weights, moved);
    let shares = (0..S).map(|s| weights[s] * moves[s].value.share);
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
        let (share, turned) = (moves[0].value.share, dot(&z[0], &moved(0)));
        // z² by w, half of it
        let slope: [f64; D] = std::array::from_fn(|j| share * z[0][j] + turned * u[j]);
        let pull = e.map(|e| mu * e);
        f = std::array::from_fn(|i| f[i] + pull[i] * dot(&z[0], &z[0]));
        for (row, pull) in tangent.mean_velocity.iter_mut().zip(pull) {
            *row = std::array::from_fn(|j| row[j] + factor * pull * 2.0 * slope[j]);
        }
    }
    if L::OF_CONTACT {
        let [mean, last] =
            [0, 1].map(|k| weighted(&weights, |s| moves[s].by_loads[k].applied(s, old, w)));
        // a level N g makes the rate fall as 1/N
        let direct = weighted(&relaxing, |s| z[s].map(|z| z / n));
        tangent.mean_normal_force = mean;
        tangent.normal_force = std::array::from_fn(|i| last[i] + direct[i]);
    } else {
        tangent.normal_force = f;
    }
    (f.map(|f| factor * f), tangent)
}

/// The factors of the force at the end of a step under the load `n`, and σ₁ a of each bristle, by
/// which it takes from the force.
#[inline(always)]
pub(super) fn factors_of<L: BristleLaw<f64, S>, const S: usize>(
    law: &L,
    force: &BristleForce<f64, S>,
    end: &Sliding<Partials<1>>,
    n: f64,
) -> (ForceFactors<Partials<1>, S>, [f64; S]) {
    let mut end = *end;
    if L::OF_CONTACT {
        end.level = end.level * n;
    }
    let damping = force.damping.map(|damping| damping.at(end.speed));
    let bristles = law.bristles(&end);
    let relaxing = bristles.each_ref().map(|bristle| {
        let sigma_1 = damping.map_or(0.0, |sigma_1| sigma_1.value);
        sigma_1 * bristle.rate.value
    });
    (ForceFactors::new(&bristles, force, damping), relaxing)
}

/// Σ weight x.
#[inline(always)]
pub(super) fn weighted<const D: usize, const S: usize>(
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
pub(super) fn along<L: BristleLaw<f64, S>, const S: usize>(
    law: &L,
    speeds: [f64; 2],
    squares: Option<[f64; 2]>,
) -> [Sliding<Partials<1>>; 2] {
    let squares = squares.map(|squares| {
        std::array::from_fn(|i| Partials {
            value: squares[i],
            by: [2.0 * speeds[i]],
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
struct Move {
    decay: f64,
    share: f64,
}

impl Move {
    #[inline(always)]
    fn applied<const D: usize>(&self, s: usize, old: &[f64], w: &[f64; D]) -> [f64; D] {
        std::array::from_fn(|i| self.decay * old[s * D + i] + self.share * w[i])
    }
}

/// A move with its derivatives.
#[derive(Clone, Copy)]
struct MoveTangent {
    value: Move,
    by_speed: Move,
    /// By the mean load and by the last, of a law of the contact.
    by_loads: [Move; 2],
}

/// How each bristle moves in a step.
#[inline(always)]
fn moves<L: BristleLaw<f64, S>, const D: usize, const S: usize>(
    law: &L,
    step: &Step<f64, D>,
    mean: &Sliding<Partials<1>>,
) -> [MoveTangent; S] {
    let h = step.duration;
    law.bristles(mean).map(|bristle: Bristle<Partials<1>>| {
        let travel = bristle.rate * h;
        if L::OF_CONTACT {
            let load = (step.mean.normal_force, step.end.normal_force);
            return of_contact(&bristle, travel, load.0, load.1, h);
        }
        let (decay, share) = travel.relaxation();
        let share = bristle.driven_by(share * h);
        let nothing = Move {
            decay: 0.0,
            share: 0.0,
        };
        MoveTangent {
            value: Move {
                decay: decay.value,
                share: share.value,
            },
            by_speed: Move {
                decay: decay.by[SPEED],
                share: share.by[SPEED],
            },
            by_loads: [nothing; 2],
        }
    })
}

/// How a bristle of a law of the contact moves.
#[inline(always)]
fn of_contact(
    bristle: &Bristle<Partials<1>>,
    travel: Partials<1>,
    mean_load: f64,
    last_load: f64,
    h: f64,
) -> MoveTangent {
    // variables: the travel, the mean load, the last
    let [decay, share] = falling_relaxation_slopes(travel.value, mean_load, last_load);
    let slope = travel.by[SPEED];
    let share_of = Partials {
        value: share.value,
        by: [share.by[0] * slope],
    };
    let share_by_speed = bristle.driven_by(share_of * h);
    let load = |k: usize| Move {
        decay: decay.by[k],
        share: bristle
            .driven_by(Partials::<1>::from_f64(share.by[k] * h))
            .value,
    };
    MoveTangent {
        value: Move {
            decay: decay.value,
            share: share_by_speed.value,
        },
        by_speed: Move {
            decay: decay.by[0] * slope,
            share: share_by_speed.by[SPEED],
        },
        by_loads: [load(1), load(2)],
    }
}
