//! The update of bristles: exact where the slip velocity and the load are constant.

use super::{Bristle, BristleLaw, Bristles, NO_LOAD, Sliding};
use crate::law::slip::Step;
use crate::numbers::relaxation::falling_relaxation;
use crate::numbers::scalar::{MixesWith, Scalar};

/// The force at the end of a step and the bristles there.
#[inline(always)]
pub(super) fn update<P: Scalar, L: BristleLaw<P, S>, T, const D: usize, const S: usize>(
    law: &L,
    step: &Step<T, D>,
    old: &[P],
    new: &mut [T],
) -> [T; D]
where
    T: Scalar + MixesWith<P>,
{
    if L::OF_CONTACT {
        let (mean, last) = (step.mean.normal_force, step.end.normal_force);
        if !unchanged(mean, last) {
            return updated_under_change(law, step, old, new);
        }
        if last.value() < NO_LOAD {
            new[..S * D].fill(T::zero());
            return [T::zero(); D];
        }
    }
    updated::<P, L, T, D, S, false>(law, step, old, new)
}

/// The update of a step in which the load changes: apart, so that its registers are not spilt where it
/// does not.
#[inline(never)]
fn updated_under_change<P: Scalar, L: BristleLaw<P, S>, T, const D: usize, const S: usize>(
    law: &L,
    step: &Step<T, D>,
    old: &[P],
    new: &mut [T],
) -> [T; D]
where
    T: Scalar + MixesWith<P>,
{
    let (mean, last) = (step.mean.normal_force, step.end.normal_force);
    if mean.min(last).value() < NO_LOAD {
        new[..S * D].fill(T::zero());
        return [T::zero(); D];
    }
    updated::<P, L, T, D, S, true>(law, step, old, new)
}

/// The update under load; `CHANGES` if the load of a law of the contact does.
#[inline(always)]
fn updated<P: Scalar, L, T, const D: usize, const S: usize, const CHANGES: bool>(
    law: &L,
    step: &Step<T, D>,
    old: &[P],
    new: &mut [T],
) -> [T; D]
where
    L: BristleLaw<P, S>,
    T: Scalar + MixesWith<P>,
{
    let (w, v) = (&step.mean.velocity, &step.end.velocity);
    let (mean, end) = if law.force().damping.is_some() {
        let [mean, end] = Bristles::<S>::along(law, [w, v]);
        (mean, Some(end))
    } else {
        let [mean] = Bristles::<S>::along(law, [w]);
        (mean, None)
    };
    let z = moved::<P, L, T, D, S, CHANGES>(law, step, mean, old);
    for (new, z) in new.iter_mut().zip(z.as_flattened()) {
        *new = *z;
    }
    // without damping the force does not depend on how the bristles move
    let mut at = end.unwrap_or(mean);
    if L::OF_CONTACT {
        at.level = at.level * step.end.normal_force;
    }
    Bristles::<S>::force_at(law, &step.end, &at, &law.bristles(&at), &z)
}

/// The bristles after a step.
#[inline(always)]
fn moved<P: Scalar, L, T, const D: usize, const S: usize, const CHANGES: bool>(
    law: &L,
    step: &Step<T, D>,
    mut mean: Sliding<T>,
    old: &[P],
) -> [[T; D]; S]
where
    L: BristleLaw<P, S>,
    T: Scalar + MixesWith<P>,
{
    let (w, h) = (&step.mean.velocity, step.duration);
    if CHANGES {
        let bristles = law.bristles(&mean);
        let relaxed = |bristle: &Bristle<T>| {
            let loads = (step.mean.normal_force, step.end.normal_force);
            falling_relaxation(bristle.rate * h, loads.0, loads.1)
        };
        return shared(&bristles, bristles.each_ref().map(relaxed), step, old);
    }
    if L::OF_CONTACT {
        mean.level = mean.level * step.mean.normal_force;
    }
    let bristles = law.bristles(&mean);
    if S == 1 {
        let bristle = &bristles[0];
        let (decay, drawn) = T::relaxed(bristle.rate * h, w.map(|w| bristle.driven_by(w * h)));
        return [std::array::from_fn(|i| decay * old[i] + drawn[i]); S];
    }
    let travels = bristles.each_ref().map(|bristle| bristle.rate * h);
    shared(&bristles, T::relaxations(travels), step, old)
}

/// The bristles from what is left of each, and its share in the mean velocity.
#[inline(always)]
fn shared<P: Scalar, T: Scalar + MixesWith<P>, const D: usize, const S: usize>(
    bristles: &[Bristle<T>; S],
    relaxed: [(T, T); S],
    step: &Step<T, D>,
    old: &[P],
) -> [[T; D]; S] {
    std::array::from_fn(|s| {
        let (decay, share) = relaxed[s];
        let share = bristles[s].driven_by(share * step.duration);
        std::array::from_fn(|i| decay * old[s * D + i] + share * step.mean.velocity[i])
    })
}

/// Whether a load is the same through the step, and has no derivative by which it might change.
#[inline(always)]
fn unchanged<T: Scalar>(mean: T, end: T) -> bool {
    mean.value().to_bits() == end.value().to_bits() && mean.is_constant() && end.is_constant()
}
