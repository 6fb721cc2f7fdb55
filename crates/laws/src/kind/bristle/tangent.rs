//! The tangent of bristles in closed form: the chain rule over the factors that all components share.

use super::{Bristle, BristleForce, BristleLaw, ForceFactors, NO_LOAD, Sliding};
use crate::law::Tangent;
use crate::law::slip::{Step, direction, dot, norm, speeds_and_squares, vector_at};
use crate::numbers::partials::Partials;
use crate::numbers::relaxation::{falling_relaxation_slopes, relaxation_under_load};
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
    if L::OF_CONTACT {
        let (mean, last) = (step.mean.normal_force, step.end.normal_force);
        if mean.to_bits() != last.to_bits() {
            return under_change(law, step, old, new);
        }
        if last < NO_LOAD {
            new[..S * D].fill(0.0);
            return ([0.0; D], Tangent::ZERO);
        }
    }
    stepped::<L, D, S, false>(law, step, old, new)
}

/// A step in which the load changes: apart, so that its registers are not spilt where it does not.
#[inline(never)]
fn under_change<L: BristleLaw<f64, S>, const D: usize, const S: usize>(
    law: &L,
    step: &Step<f64, D>,
    old: &[f64],
    new: &mut [f64],
) -> ([f64; D], Tangent<D>) {
    if step.mean.normal_force.min(step.end.normal_force) < NO_LOAD {
        new[..S * D].fill(0.0);
        return ([0.0; D], Tangent::ZERO);
    }
    stepped::<L, D, S, true>(law, step, old, new)
}

/// A step under load; `CHANGES` if the load of a law of the contact does.
#[inline(always)]
fn stepped<L: BristleLaw<f64, S>, const D: usize, const S: usize, const CHANGES: bool>(
    law: &L,
    step: &Step<f64, D>,
    old: &[f64],
    new: &mut [f64],
) -> ([f64; D], Tangent<D>) {
    let (w, v) = (&step.mean.velocity, &step.end.velocity);
    let (speeds, squares) = speeds_and_squares([w, v]);
    let inverses = speeds.map(|x| if x < f64::MIN_POSITIVE { 0.0 } else { 1.0 / x });
    let (u, e) = (w.map(|w| w * inverses[0]), v.map(|v| v * inverses[1]));
    let [mean, end] = along(law, speeds, squares);
    let moves = moves::<L, D, S, CHANGES>(law, step, &mean, old);
    let z = moves.each_ref().map(|moved| moved.z);
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
    let column = weighted(&weights, |s| moves[s].by_speed);
    let shares = (0..S).map(|s| weights[s] * moves[s].share);
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
        let (share, turned) = (moves[0].share, dot(&z[0], &moves[0].by_speed));
        // z² by w, half of it
        let slope: [f64; D] = std::array::from_fn(|j| share * z[0][j] + turned * u[j]);
        let pull = e.map(|e| mu * e);
        f = std::array::from_fn(|i| f[i] + pull[i] * dot(&z[0], &z[0]));
        for (row, pull) in tangent.mean_velocity.iter_mut().zip(pull) {
            *row = std::array::from_fn(|j| row[j] + factor * pull * 2.0 * slope[j]);
        }
    }
    if L::OF_CONTACT {
        let [mean, last] = [0, 1].map(|k| weighted(&weights, |s| moves[s].by_loads[k]));
        // a level N g makes the rate fall as 1/N
        let relaxing = weighted(&relaxing, |s| z[s]);
        let by_last = 1.0 / n;
        let by_mean = if CHANGES {
            1.0 / step.mean.normal_force
        } else {
            by_last
        };
        tangent.mean_normal_force = mean.map(|x| by_mean * x);
        tangent.normal_force = std::array::from_fn(|i| by_last * (last[i] + relaxing[i]));
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

/// A bristle after a step, and what its derivatives need.
#[derive(Clone, Copy)]
struct MovedBristle<const D: usize> {
    z: [f64; D],
    /// ∂z/∂w = `share` I + `by_speed` uᵀ.
    share: f64,
    by_speed: [f64; D],
    /// By the logarithms of the mean load and of the last, of a law of the contact.
    by_loads: [[f64; D]; 2],
}

/// How each bristle moves in a step.
#[inline(always)]
fn moves<L: BristleLaw<f64, S>, const D: usize, const S: usize, const CHANGES: bool>(
    law: &L,
    step: &Step<f64, D>,
    mean: &Sliding<Partials<1>>,
    old: &[f64],
) -> [MovedBristle<D>; S] {
    let bristles = law.bristles(mean);
    std::array::from_fn(|s| {
        let old = vector_at(old, s);
        if L::OF_CONTACT {
            of_contact::<D, CHANGES>(&bristles[s], step, &old)
        } else {
            per_load(&bristles[s], step, &old)
        }
    })
}

/// a x + b y.
#[inline(always)]
fn combined<const D: usize>(a: f64, x: &[f64; D], b: f64, y: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|i| a * x[i] + b * y[i])
}

/// How a bristle per unit of load moves.
#[inline(always)]
fn per_load<const D: usize>(
    bristle: &Bristle<Partials<1>>,
    step: &Step<f64, D>,
    old: &[f64; D],
) -> MovedBristle<D> {
    let (w, h) = (&step.mean.velocity, step.duration);
    let (decay, share) = (bristle.rate * h).relaxation();
    let share = bristle.driven_by(share * h);
    MovedBristle {
        z: combined(decay.value, old, share.value, w),
        share: share.value,
        by_speed: combined(decay.by[SPEED], old, share.by[SPEED], w),
        by_loads: [[0.0; D]; 2],
    }
}

/// How a bristle of a law of the contact moves.
#[inline(always)]
fn of_contact<const D: usize, const CHANGES: bool>(
    bristle: &Bristle<Partials<1>>,
    step: &Step<f64, D>,
    old: &[f64; D],
) -> MovedBristle<D> {
    let (w, h) = (&step.mean.velocity, step.duration);
    let (mean_load, load) = (step.mean.normal_force, step.end.normal_force);
    let travel = bristle.rate * h;
    let drive = bristle.driven_by(Partials::from_f64(h));
    let reach = w.map(|w| drive.value * w);
    let (decay, share, by_travel, by_loads) = if CHANGES {
        let [decay, share] = falling_relaxation_slopes(travel.value, mean_load, load);
        let by = |k: usize, x: f64| combined(x * decay.by[k], old, x * share.by[k], &reach);
        let loads = [by(1, mean_load), by(2, load)];
        (decay.value, share.value, by(0, 1.0), loads)
    } else {
        let inverse = 1.0 / load;
        let a = travel.value * inverse;
        let (decay, share, slope, lean) = relaxation_under_load(a);
        let by_travel = combined(-decay * inverse, old, slope * inverse, &reach);
        let by_last = reach.map(|x| lean * x);
        // z depends on ratios of travel and loads alone: what it changes with their logarithms adds to 0
        let by_mean = std::array::from_fn(|i| -(travel.value * by_travel[i] + by_last[i]));
        (decay, share, by_travel, [by_mean, by_last])
    };
    let mut by_speed = by_travel.map(|x| travel.by[SPEED] * x);
    if bristle.drive.is_some() {
        by_speed = std::array::from_fn(|i| by_speed[i] + share * drive.by[SPEED] * w[i]);
    }
    MovedBristle {
        z: combined(decay, old, share, &reach),
        share: share * drive.value,
        by_speed,
        by_loads,
    }
}
