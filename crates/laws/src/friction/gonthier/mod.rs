//! `gonthier`: a bristle law with dwell-time dependent break-away.

mod card;
mod motion;

use self::motion::SlipSpeed;
use crate::card::{Default, Range, Relation, Typical};
use crate::kind::General;
use crate::law::Law;
use crate::law::slip::{Slip, Step, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::{ParameterError, static_not_below_kinetic};

parameters! {
    /// Parameters of the law of Gonthier et al.; σ's are per unit of normal force.
    pub struct GonthierParameters<P> for "gonthier" {
        /// Bristle stiffness per unit of normal force.
        bristle_stiffness: P = {
            symbol: "sigma_0", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Bristle damping per unit of normal force.
        bristle_damping: P = {
            symbol: "sigma_1", unit: "s/m", role: Damping, range: Range::Positive, typical: Typical::Number(31.6228),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
        /// Stribeck velocity.
        stribeck_velocity: P = {
            symbol: "v_s", unit: "m/s", role: StribeckSpeed, range: Range::Positive, typical: Typical::Number(1e-3),
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
        /// Static friction coefficient, reached after a long dwell.
        static_coefficient: P = {
            symbol: "mu_s", unit: "1", role: StaticLevel, range: Range::Positive, typical: Typical::Number(0.15),
            default: Default::Scaled("kinetic_coefficient", 1.0),
                    relation: Relation::NotBelow("kinetic_coefficient"),
        },
        /// Speed below which the direction of sliding is smoothed.
        regularisation_velocity: P = {
            symbol: "v_r", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-4),
        },
        /// Time in which the static level builds up at rest.
        dwell_time: P = {
            symbol: "tau_dw", unit: "s", role: Time, range: Range::Positive, typical: Typical::Number(0.5),
        },
    }
}

/// The law of Gonthier et al.
///
/// $$ s = e^{-(|\mathbf v|/v_s)^2}, \quad \dot s_{dw} = \frac{s - s_{dw}}{\tau}, \quad
///    \dot{\mathbf z} = s\,\mathbf v + (1-s)\Bigl(\frac{\mu_k}{\sigma_1}\operatorname{dir}\mathbf v
///      - \frac{\sigma_0}{\sigma_1}\mathbf z\Bigr), \quad
///    \mathbf F = N\bigl(\operatorname{sat}(\sigma_0\mathbf z+\sigma_1\dot{\mathbf z}, f_{max}) + \sigma_2\mathbf v\bigr) $$
///
/// with f_max = μk + (μs − μk) s_dw, τ = τ_dw while s_dw grows and σ₁/σ₀ while it falls,
/// dir v = v/|v| above v_r and (v/v_r)(3/2 − |v|²/(2 v_r²)) below.
///
/// **States.** The vector z (m), initially 0; the scalar s_dw, initially s of the start.
/// **Reproduces** a break-away force that rises with the dwell time.
/// **Numerics.** Both states are linear at constant v: the update is exact there.
/// **Source.** Gonthier, McPhee, Lange, Piedboeuf 2004. Vector form as printed there; the steady
/// force follows from the equations and is not the Stribeck curve of LuGre.
#[derive(Clone, Debug, PartialEq)]
pub struct Gonthier<P = f64> {
    parameters: GonthierParameters<P>,
    /// 1/v_s and 1/v_r, s/m.
    per_velocities: (P, P),
    /// μk/σ₁, m/s, and σ₀/σ₁, 1/s.
    over_damping: (P, P),
}

impl<P: Scalar> Gonthier<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: GonthierParameters<P>) -> Result<Self, ParameterError> {
        let (mu_s, mu_k) = (
            parameters.static_coefficient,
            parameters.kinetic_coefficient,
        );
        static_not_below_kinetic("gonthier", mu_s, mu_k)?;
        let p = &parameters;
        let sigma_1 = p.bristle_damping;
        // finite for every velocity
        let per = |v: P| (P::from_f64(1.0) / v).min(P::from_f64(1e300));
        Ok(Self {
            per_velocities: (per(p.stribeck_velocity), per(p.regularisation_velocity)),
            over_damping: (
                p.kinetic_coefficient / sigma_1,
                p.bristle_stiffness / sigma_1,
            ),
            parameters,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &GonthierParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> Law<P> for Gonthier<P> {
    type Kind = General;

    fn start<const D: usize>(&self, slip: &Slip<P, D>, state: &mut [P]) {
        state.fill(P::zero());
        let [motion] = self.motions([&slip.velocity]);
        state[D] = motion.s;
    }

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let (z, dwell) = (vector_at::<T, D>(state, 0), state[D]);
        let [motion] = self.motions([&slip.velocity]);
        let (b, c) = self.linear(&slip.velocity, motion);
        let dz = std::array::from_fn(|i| b[i] - c * z[i]);
        rates[..D].copy_from_slice(&dz);
        let s = motion.s;
        rates[D] = (s - dwell) * self.dwell_rate(s.value(), dwell.value());
        self.force(slip, &z, &dz, dwell)
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (w, v, h) = (&step.mean.velocity, &step.end.velocity, step.duration);
        let [middle, end] = self.motions([w, v]);
        let (b, c) = self.linear(w, middle);
        // s taken as linear through the middle and the end: exact at constant v, and right for
        // steps much longer than the time constant
        let (s, trend) = (middle.s, end.s - middle.s);
        let rate = T::of(self.dwell_rate(s.value(), old[D].value()));
        let [(decay, phi), (fade, mean)] = T::relaxations([c * h, rate * h]);
        let z = std::array::from_fn(|i| decay * old[i] + phi * (b[i] * h));
        let dwell = s + (-s + old[D]) * fade + trend * (fade + 1.0 - mean * 2.0);
        let dwell = dwell.max(T::zero()).min(T::from_f64(1.0));
        new[..D].copy_from_slice(&z);
        new[D] = dwell;
        let (b, c) = self.linear(v, end);
        let dz = std::array::from_fn(|i| b[i] - c * z[i]);
        self.force(&step.end, &z, &dz, dwell)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        if speed.value() <= 0.0 {
            return None;
        }
        let p = &self.parameters;
        let [SlipSpeed { s, moving, slope }] = self.motions([&[speed]]);
        let limit = p.kinetic_coefficient + (p.static_coefficient - p.kinetic_coefficient) * s;
        let wound = p.kinetic_coefficient * slope * speed + p.bristle_damping * speed * s / moving;
        Some((wound.min(limit) + p.viscous_coefficient * speed) * normal_force)
    }
}
