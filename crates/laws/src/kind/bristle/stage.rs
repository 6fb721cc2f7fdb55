//! Bristles at a stage of an implicit Runge–Kutta step: z = z̄ + β ż has a closed form.
//!
//! $$ \mathbf z = \frac{\bar{\mathbf z} + \beta b\,\mathbf v}{1 + \beta a},\qquad
//!    \frac{\partial\mathbf z}{\partial\mathbf v} = \frac{\beta}{1+\beta a}
//!    \bigl[b\,\mathbf I + (b'\mathbf v - a'\mathbf z)\,\mathbf e^\mathsf T\bigr] $$
//!
//! with the factors a, b of the speed, their slopes a', b' and **e** = **v**/|**v**|, 0 at rest.

use super::tangent::{along, factors_of, weighted};
use super::{BristleLaw, NO_LOAD};
use crate::law::Tangent;
use crate::law::slip::{StageStep, direction, dot, norm, speeds_and_squares};
use crate::numbers::partials::Partials;

/// The variable of the factors: |v|.
const SPEED: usize = 0;

/// A bristle at the stage, and what its derivatives need.
#[derive(Clone, Copy)]
struct StagedBristle<const D: usize> {
    z: [f64; D],
    /// ∂z/∂v = `share` I + `by_speed` eᵀ.
    share: f64,
    by_speed: [f64; D],
    /// ∂z/∂N, of a law of the contact.
    by_load: [f64; D],
}

/// Force and bristles at a stage.
#[inline(always)]
pub(super) fn at_stage<L: BristleLaw<f64, S>, const D: usize, const S: usize>(
    law: &L,
    stage: &StageStep<D>,
    base: &[f64],
    new: &mut [f64],
    wants_tangent: bool,
) -> ([f64; D], Tangent<D>) {
    let (v, n) = (&stage.end.velocity, stage.end.normal_force);
    if L::OF_CONTACT && n < NO_LOAD {
        new[..S * D].fill(0.0);
        return ([0.0; D], Tangent::ZERO);
    }
    let (speeds, squares) = speeds_and_squares([v, v]);
    let speed = speeds[0];
    let inverse = if speed < f64::MIN_POSITIVE {
        0.0
    } else {
        1.0 / speed
    };
    let e = v.map(|v| v * inverse);
    let [end, _] = along(law, speeds, squares);
    let reached = reached::<L, D, S>(law, stage, base, end);
    for (new, reached) in new.chunks_exact_mut(D).zip(&reached) {
        new.copy_from_slice(&reached.z);
    }
    let factor = if L::OF_CONTACT { 1.0 } else { n };
    let force = law.force();
    let (factors, relaxing) = factors_of::<L, S>(law, &force, &end, n);
    let weights = factors.by_state.map(|f| f.value);
    let viscous = factors.by_velocity.map_or(0.0, |f| f.value);
    let elastic = weighted(&weights, |s| reached[s].z);
    let mut f: [f64; D] = std::array::from_fn(|i| elastic[i] + viscous * v[i]);
    let pull = force.along_load.map(|mu| {
        let e = direction(&stage.end.applied, norm(&stage.end.applied));
        e.map(|e| mu * e)
    });
    let z = &reached[0].z;
    if let Some(pull) = pull {
        f = std::array::from_fn(|i| f[i] + pull[i] * dot(z, z));
    }
    let mut tangent = Tangent::ZERO;
    if wants_tangent {
        let bend = weighted(&factors.by_state.map(|f| f.by[SPEED]), |s| reached[s].z);
        let by_speed = weighted(&weights, |s| reached[s].by_speed);
        let faster = factors.by_velocity.map_or(0.0, |f| f.by[SPEED]);
        let shares = (0..S).map(|s| weights[s] * reached[s].share);
        let direct = shares.fold(viscous, |sum, x| sum + x);
        for i in 0..D {
            let own = by_speed[i] + bend[i] + faster * v[i];
            tangent.velocity[i] = e.map(|e| factor * own * e);
            tangent.velocity[i][i] += factor * direct;
        }
        if let Some(pull) = pull {
            // z² by v, half of it
            let (share, turned) = (reached[0].share, dot(z, &reached[0].by_speed));
            for (row, pull) in tangent.velocity.iter_mut().zip(pull) {
                for (j, entry) in row.iter_mut().enumerate() {
                    *entry += factor * pull * 2.0 * (share * z[j] + turned * e[j]);
                }
            }
        }
        tangent.normal_force = if L::OF_CONTACT {
            // a level N g makes the rate fall as 1/N
            let moved = weighted(&weights, |s| reached[s].by_load);
            let direct = weighted(&relaxing, |s| reached[s].z.map(|z| z / n));
            std::array::from_fn(|i| moved[i] + direct[i])
        } else {
            f
        };
    }
    (f.map(|f| factor * f), tangent)
}

#[inline(always)]
fn reached<L: BristleLaw<f64, S>, const D: usize, const S: usize>(
    law: &L,
    stage: &StageStep<D>,
    base: &[f64],
    mut end: super::Sliding<Partials<1>>,
) -> [StagedBristle<D>; S] {
    let (v, n) = (&stage.end.velocity, stage.end.normal_force);
    let beta = stage.weight;
    if L::OF_CONTACT {
        end.level = end.level * n;
    }
    let bristles = law.bristles(&end);
    std::array::from_fn(|s| {
        let rate = bristles[s].rate();
        let drive = bristles[s].driven_by(Partials {
            value: 1.0,
            by: [0.0],
        });
        let left = 1.0 / (1.0 + beta * rate.value);
        let z: [f64; D] =
            std::array::from_fn(|i| left * (base[s * D + i] + beta * drive.value * v[i]));
        StagedBristle {
            z,
            share: beta * left * drive.value,
            by_speed: std::array::from_fn(|i| {
                beta * left * (drive.by[SPEED] * v[i] - rate.by[SPEED] * z[i])
            }),
            by_load: if L::OF_CONTACT {
                z.map(|z| beta * left * rate.value * z / n)
            } else {
                [0.0; D]
            },
        }
    })
}
