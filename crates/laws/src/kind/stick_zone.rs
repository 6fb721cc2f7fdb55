//! What the laws of the multibody codes share: the regularised curves, the stick zone.

#![allow(
    clippy::inline_always,
    reason = "blocks of lanes compile these into their own instruction set"
)]

use crate::curve::odd_step5_over_argument;
use crate::kind::elements;
use crate::kind::remembered_direction::Nearest;
use crate::law::branches::Branches;
use crate::law::slip::{Slip, Step, length, norm, old_vector_at, travel, vector_at};
use crate::numbers::scalar::{MixesWith, Real, Scalar};
use crate::parameters::{ParameterError, static_not_below_kinetic};
use std::f64::consts::FRAC_PI_2;

/// How the coefficient goes up to the static level and down to the kinetic one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepShape {
    /// STEP5 from −v_s to v_s, STEP5 from v_s to v_d.
    Quintic,
    /// A quarter of a sine up, half a cosine down.
    Sine,
}

/// μ(|v|): from rest to μs at v_s, to μk at v_d, constant beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StickZoneCurve<P = f64> {
    pub(crate) shape: StepShape,
    pub(crate) mu_s: P,
    pub(crate) mu_k: P,
    pub(crate) v_s: P,
    pub(crate) v_d: P,
}

impl<P: Scalar> StickZoneCurve<P> {
    /// Refuses levels and speeds in the wrong order.
    pub(crate) fn check(&self, law: &'static str) -> Result<(), ParameterError> {
        static_not_below_kinetic(law, self.mu_s, self.mu_k)?;
        let (v_s, v_d) = (self.v_s.value(), self.v_d.value());
        if v_d > v_s {
            return Ok(());
        }
        Err(ParameterError::Inconsistent {
            law: law.into(),
            name: "dynamic_velocity".into(),
            value: v_d,
            unit: "m/s".into(),
            reason: format!("must be above stiction_velocity = {v_s} m/s"),
        })
    }

    /// μ/|v|, finite at rest.
    #[inline]
    pub(crate) fn over_speed<T: MixesWith<P>>(&self, speed: T) -> T {
        match self.shape {
            StepShape::Quintic => self.quintic_over_speed(speed),
            StepShape::Sine => self.sine_over_speed(speed),
        }
    }

    /// μ/|v| with the quintic.
    #[inline(always)]
    pub(crate) fn quintic_over_speed<T: MixesWith<P>>(&self, speed: T) -> T {
        let r = speed / self.v_s;
        let ramp = || odd_step5_over_argument(r * r) * (self.mu_s / self.v_s);
        let remaining = |r: T| -(r * r * r * ((r * 6.0 - 15.0) * r + 10.0)) + 1.0;
        self.ramp_or_fall(speed, ramp, remaining)
    }

    /// μ/|v| with the sine.
    #[inline(always)]
    pub(crate) fn sine_over_speed<T: MixesWith<P>>(&self, speed: T) -> T {
        let ramp = || {
            let y = speed / self.v_s * FRAC_PI_2;
            sine_over_argument(y) * (self.mu_s * FRAC_PI_2 / self.v_s)
        };
        let remaining = |r: T| {
            // (1 + cos 2y)/2 = 1 − sin² y
            let y = r * FRAC_PI_2;
            let sine = sine_over_argument(y) * y;
            -(sine * sine) + 1.0
        };
        self.ramp_or_fall(speed, ramp, remaining)
    }

    /// The ramp up to v_s; from there to v_d, what remains of the drop, r on the way.
    #[inline(always)]
    fn ramp_or_fall<T: MixesWith<P>>(
        &self,
        speed: T,
        ramp: impl FnOnce() -> T,
        remaining: impl FnOnce(T) -> T,
    ) -> T {
        let fall = || {
            let r = (speed - self.v_s) / (self.v_d - self.v_s);
            let zone = || remaining(r) * (self.mu_s - self.mu_k) + self.mu_k;
            let level = T::either(r.less(T::from_f64(1.0)), zone, || T::of(self.mu_k));
            level / speed
        };
        T::either(T::of(self.v_s).less(speed), fall, ramp)
    }

    /// F = N μ u.
    #[inline]
    pub(crate) fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
    ) -> [T; D] {
        let slope = self.over_speed(norm(&slip.velocity)) * slip.normal_force;
        slip.velocity.map(|v| slope * v)
    }

    /// μ N at a speed.
    pub(crate) fn level(&self, speed: P, normal_force: P) -> P {
        self.over_speed(speed) * speed * normal_force
    }
}

impl StickZoneCurve {
    /// The speed at which half the static level is reached.
    pub(crate) fn half_level_speed(&self) -> f64 {
        // roots of r (15 − 10 r² + 3 r⁴) = 4 and of sin(π r/2) = 1/2
        self.v_s
            * match self.shape {
                StepShape::Quintic => 0.281_127_67,
                StepShape::Sine => 1.0 / 3.0,
            }
    }
}

/// 1/(2k (2k + 1)), k = 1, 2, …: ratios of terms of the series of sin(y)/y.
const RATIOS: [f64; 10] = [
    1.0 / 6.0,
    1.0 / 20.0,
    1.0 / 42.0,
    1.0 / 72.0,
    1.0 / 110.0,
    1.0 / 156.0,
    1.0 / 210.0,
    1.0 / 272.0,
    1.0 / 342.0,
    1.0 / 420.0,
];

/// sin(y)/y for 0 ≤ y ≤ π/2: the next term of the series is below 2e-18.
#[inline(always)]
fn sine_over_argument<T: Real>(y: T) -> T {
    let square = y * y;
    let mut sum = T::from_f64(1.0);
    for ratio in RATIOS.iter().rev() {
        sum = -(square * sum) * *ratio + 1.0;
    }
    sum
}

/// Modes of the stick zone.
const INSIDE: f64 = 0.0;
const BEYOND: f64 = 1.0;

/// The zone is left this much (relative to v_s) above the speed at which it is entered, so that
/// one passage is one change of mode; the force hardly depends on x there.
const BAND: f64 = 1e-6;

/// x (m) beyond the zone after a step that passed it: gives the margin, and has no energy.
const PASSED: f64 = 1e-200;

fn is_beyond<P: Scalar, const D: usize>(state: &[P]) -> bool {
    state[D].value() > 0.5
}

/// The stick zone of the Adams and RecurDyn stick–slip laws, |v| ≤ v_s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StickZone<P = f64> {
    pub(crate) curve: StickZoneCurve<P>,
    /// Displacement at which the static level is reached, m.
    pub(crate) x_s: P,
}

impl<P: Scalar> StickZone<P> {
    /// F in and out of the zone.
    #[inline]
    fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        x: &[T; D],
    ) -> [T; D] {
        let StickZoneCurve { mu_s, v_s, .. } = self.curve;
        let (v, n) = (&slip.velocity, slip.normal_force);
        let r = norm(v) / v_s;
        if r.value() > 1.0 {
            return self.curve.force(slip);
        }
        let ramp = odd_step5_over_argument(r * r);
        let still = -(ramp * r) + 1.0;
        let q = (norm(x) / self.x_s).min(T::from_f64(1.0));
        let spring = odd_step5_over_argument(q * q) / self.x_s * still;
        std::array::from_fn(|i| n * (spring * x[i] + ramp * v[i] / v_s) * mu_s)
    }

    /// The continuous view.
    #[inline(always)]
    pub(crate) fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let x = vector_at::<T, D>(state, 0);
        let dx = if length(&slip.velocity) > self.curve.v_s.value() {
            [T::zero(); D]
        } else {
            elements::rate(&x, &slip.velocity, P::from_f64(1.0), T::of(self.x_s))
        };
        let force = self.force(slip, &x);
        rates[..D].copy_from_slice(&dx);
        rates[D] = T::zero();
        force
    }

    /// The state at the start: x = 0, in or beyond the zone.
    pub(crate) fn start<const D: usize>(&self, slip: &Slip<P, D>, state: &mut [P]) {
        state.fill(P::zero());
        if length(&slip.velocity) > self.curve.v_s.value() {
            state[D] = P::from_f64(BEYOND);
        }
    }

    /// The update: x follows the path in the zone, up to x_s; beyond v_s it is forgotten.
    #[inline(always)]
    pub(crate) fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let beyond = length(&step.mean.velocity) > self.curve.v_s.value();
        self.update_in(beyond, step, old, new)
    }

    /// The update that stays in the zone, or beyond it, as the old state says.
    #[inline]
    pub(crate) fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let force = self.update_in(is_beyond::<_, D>(old), step, old, new);
        if is_beyond::<_, D>(old) && self.is_passed(step) {
            new[0] = T::from_f64(PASSED);
        }
        force
    }

    /// Whether a step passes the zone, and ends beyond it again.
    #[inline]
    fn is_passed<T: Scalar, const D: usize>(&self, step: &Step<T, D>) -> bool {
        let v_s = self.curve.v_s.value();
        length(&step.end.velocity) > v_s
            && Nearest::of(step).is_some_and(|nearest| length(&nearest.velocity) < v_s)
    }

    #[inline(always)]
    fn update_in<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        beyond: bool,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let x = if beyond {
            [T::zero(); D]
        } else {
            let limit = T::of(self.x_s);
            let one = P::from_f64(1.0);
            elements::advance(&old_vector_at(old, 0), &travel(step).0, one, limit, limit)
        };
        let force = self.force(&step.end, &x);
        new[..D].copy_from_slice(&x);
        new[D] = T::from_f64(if beyond { BEYOND } else { INSIDE });
        force
    }

    /// In the zone x winds up to x_s, and the whole static level is reached at every speed.
    pub(crate) fn steady(&self, speed: P, normal_force: P) -> P {
        if speed.value() > 0.0 && speed.value() <= self.curve.v_s.value() {
            self.curve.mu_s * normal_force
        } else {
            self.curve.level(speed, normal_force)
        }
    }
}

impl StickZone {
    /// Distance of the speed from v_s, relative to it.
    pub(crate) fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
        let speed = norm(&slip.velocity) / self.curve.v_s;
        if !is_beyond::<_, D>(state) {
            1.0 + BAND - speed
        } else if state[0] == PASSED {
            -1.0 - speed
        } else {
            speed - 1.0
        }
    }

    /// Whether x is at its bound; in one dimension the update is exact there.
    pub(crate) fn branches<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> Branches {
        if D == 1 || is_beyond::<_, D>(state) {
            return Branches::NONE;
        }
        let bound = elements::branch(&vector_at(state, 0), &slip.velocity, 1.0, self.x_s, 0.0);
        Branches::NONE.with(0, bound)
    }

    /// In or out of the zone; x starts from 0.
    pub(crate) fn change_mode<const D: usize>(state: &mut [f64]) {
        state[D] = if is_beyond::<_, D>(state) {
            INSIDE
        } else {
            BEYOND
        };
        state[..D].fill(0.0);
    }

    /// Work of the spring at rest, N μs ∫ STEP5 dx.
    pub(crate) fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let q = norm(&vector_at::<f64, D>(state, 0)) / self.x_s;
        let square = q * q;
        let work = square * (7.5 - square * (2.5 - 0.5 * square)) / 8.0;
        normal_force * self.curve.mu_s * self.x_s * work
    }
}
