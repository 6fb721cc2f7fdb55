//! What `gonthier` knows of a velocity, and the rates and the force from it.

use super::Gonthier;
use crate::law::slip::{Slip, clip, norms};
use crate::numbers::scalar::{MixesWith, Scalar};

/// e^(−x²) is 0 in double precision.
pub(super) const UNDERFLOW: f64 = 40.0;

/// What the law knows of a velocity.
#[derive(Clone, Copy)]
pub(super) struct SlipSpeed<T> {
    /// s.
    pub(super) s: T,
    /// 1 − s, without cancellation at low speed.
    pub(super) moving: T,
    /// dir v over v, s/m.
    pub(super) slope: T,
}

impl<P: Scalar> Gonthier<P> {
    /// What the law knows of each of several velocities.
    #[inline(always)]
    pub(super) fn motions<T: Scalar + MixesWith<P>, const D: usize, const N: usize>(
        &self,
        velocities: [&[T; D]; N],
    ) -> [SlipSpeed<T>; N] {
        let (per_v_s, per_v_r) = self.per_velocities;
        let speeds = norms(velocities);
        let shares = T::decays_and_rests(speeds.map(|speed| {
            let x = (speed * per_v_s).min(T::from_f64(UNDERFLOW));
            x * x
        }));
        std::array::from_fn(|i| {
            let speed = speeds[i];
            let (s, moving) = shares[i];
            let x = speed * per_v_r;
            let slope = if x.value() < 1.0 {
                (x * x * -0.5 + 1.5) * per_v_r
            } else {
                T::from_f64(1.0) / speed
            };
            SlipSpeed { s, moving, slope }
        })
    }

    /// ż = b − c z.
    #[inline(always)]
    pub(super) fn linear<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        v: &[T; D],
        motion: SlipSpeed<T>,
    ) -> ([T; D], T) {
        let (drag, spring) = self.over_damping;
        let factor = motion.s + motion.moving * motion.slope * drag;
        let rate = motion.moving * spring;
        (v.map(|v| factor * v), rate)
    }

    /// The inverse time constant of s_dw on its way to s.
    #[inline]
    pub(super) fn dwell_rate(&self, s: f64, dwell: f64) -> P {
        // not a branch: which of the two it is changes from step to step
        P::select(
            s >= dwell,
            P::from_f64(1.0) / self.parameters.dwell_time,
            self.over_damping.1,
        )
    }

    #[inline(always)]
    pub(super) fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        z: &[T; D],
        dz: &[T; D],
        dwell: T,
    ) -> [T; D] {
        let p = &self.parameters;
        let excess = p.static_coefficient - p.kinetic_coefficient;
        let bristle: [T; D] =
            std::array::from_fn(|i| z[i] * p.bristle_stiffness + dz[i] * p.bristle_damping);
        let limited = clip(&bristle, dwell * excess + p.kinetic_coefficient);
        std::array::from_fn(|i| {
            slip.normal_force * (limited[i] + slip.velocity[i] * p.viscous_coefficient)
        })
    }
}
