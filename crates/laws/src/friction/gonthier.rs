//! `gonthier`: a bristle law with dwell-time dependent break-away.

use crate::card::{Behaviour, Default, Equation, LawCard, Range, Relation, StateCard, Typical};
use crate::kind::General;
use crate::law::slip::{Slip, Step, clip, dot, norms, vector_at};
use crate::law::{FrictionLaw, Law, StateLayout};
use crate::notice::Notice;
use crate::notice::Topic;
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

/// e^(−x²) is 0 in double precision.
const UNDERFLOW: f64 = 40.0;

/// What the law knows of a velocity.
#[derive(Clone, Copy)]
struct Motion<T> {
    /// s.
    s: T,
    /// 1 − s, without cancellation at low speed.
    moving: T,
    /// dir v over v, s/m.
    slope: T,
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

    /// What the law knows of each of several velocities.
    #[inline(always)]
    fn motions<T: Scalar + MixesWith<P>, const D: usize, const N: usize>(
        &self,
        velocities: [&[T; D]; N],
    ) -> [Motion<T>; N] {
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
            Motion { s, moving, slope }
        })
    }

    /// ż = b − c z.
    #[inline(always)]
    fn linear<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        v: &[T; D],
        motion: Motion<T>,
    ) -> ([T; D], T) {
        let (drag, spring) = self.over_damping;
        let factor = motion.s + motion.moving * motion.slope * drag;
        let rate = motion.moving * spring;
        (v.map(|v| factor * v), rate)
    }

    /// The inverse time constant of s_dw on its way to s.
    #[inline]
    fn dwell_rate(&self, s: f64, dwell: f64) -> P {
        // not a branch: which of the two it is changes from step to step
        P::select(
            s >= dwell,
            P::from_f64(1.0) / self.parameters.dwell_time,
            self.over_damping.1,
        )
    }

    #[inline(always)]
    fn force<T: Scalar + MixesWith<P>, const D: usize>(
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
        let [Motion { s, moving, slope }] = self.motions([&[speed]]);
        let limit = p.kinetic_coefficient + (p.static_coefficient - p.kinetic_coefficient) * s;
        let wound = p.kinetic_coefficient * slope * speed + p.bristle_damping * speed * s / moving;
        Some((wound.min(limit) + p.viscous_coefficient * speed) * normal_force)
    }
}

impl FrictionLaw for Gonthier {
    const CARD: LawCard<'static> = LawCard {
        name: "gonthier",
        title: "Gonthier et al.",
        summary: "Bristles with a break-away level that builds up with the time at rest.",
        equations: &[
            Equation {
                text: "s = exp(-(|v|/v_s)^2);  ds_dw/dt = (s - s_dw)/tau, tau = tau_dw for s >= s_dw, else sigma_1/sigma_0",
                tex: r"s = e^{-(|\mathbf v|/v_s)^2},\quad \dot s_{dw} = (s-s_{dw})/\tau",
                source: "Gonthier et al. 2004",
            },
            Equation {
                text: "dz/dt = s v + (1 - s) (mu_k/sigma_1 dir(v) - sigma_0/sigma_1 z),  dir(v) = v/|v|, smoothed below v_r",
                tex: r"\dot{\mathbf z} = s\mathbf v + (1-s)\bigl(\tfrac{\mu_k}{\sigma_1}\operatorname{dir}\mathbf v - \tfrac{\sigma_0}{\sigma_1}\mathbf z\bigr)",
                source: "Gonthier et al. 2004",
            },
            Equation {
                text: "F = N (sat(sigma_0 z + sigma_1 dz/dt, mu_k + (mu_s - mu_k) s_dw) + sigma_2 v)",
                tex: r"\mathbf F = N\bigl(\operatorname{sat}(\sigma_0\mathbf z+\sigma_1\dot{\mathbf z},\,\mu_k+(\mu_s-\mu_k)s_{dw})+\sigma_2\mathbf v\bigr)",
                source: "Gonthier et al. 2004, per unit of normal force",
            },
        ],
        parameters: GonthierParameters::CARDS,
        states: &[
            StateCard::new("z", "m", "bristle deflection in the tangent plane (vector)"),
            StateCard::new(
                "s_dw",
                "1",
                "memory of rest, 0 sliding to 1 after a long dwell",
            ),
        ],
        behaviour: &[Behaviour::Holds],
        printed: None,
        reproduces: &[
            "stick-slip",
            "presliding displacement",
            "break-away force that grows with the dwell time",
            "frictional lag",
            "varying normal force",
        ],
        cannot: &[
            "hold without drift under a vibrating load (it does at rest)",
            "hysteresis with non-local memory",
            "follow the Stribeck curve of LuGre: its own steady force is min(f_max, mu_k + sigma_1 |v| s/(1-s)) + sigma_2 |v|",
        ],
        source: "Gonthier, McPhee, Lange, Piedboeuf 2004",
        remarks: "Vector form as in the source, for components in the tangent plane. In very slow sliding z winds up to about (mu_k + sigma_1 v_s^2/|v|)/sigma_0, and a reversal has to unwind it.",
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 1,
        }
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let z = vector_at::<f64, D>(state, 0);
        0.5 * self.parameters.bristle_stiffness * normal_force * dot(&z, &z)
    }

    fn slip_speed(&self) -> f64 {
        self.parameters.stribeck_velocity
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some(self.parameters.static_coefficient / self.parameters.bristle_stiffness)
    }

    fn notices(&self) -> Vec<Notice> {
        let p = &self.parameters;
        let level = p.kinetic_coefficient + 10.0 * p.bristle_damping * p.stribeck_velocity;
        let (deflection, times) = (level / p.bristle_stiffness, level / p.static_coefficient);
        let text = format!(
            "gonthier does not limit z: at a tenth of stribeck_velocity, long sliding winds the \
             bristle up to {deflection:.3e} m, {times:.0} times its size at break-away, before a \
             reversal acts"
        );
        vec![Notice::new(Topic::WindUp, text).value("deflection", deflection, "m")]
    }
}
