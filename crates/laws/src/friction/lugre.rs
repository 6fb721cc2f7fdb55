//! `lugre`: the modified LuGre law for varying normal force, projected in 3D.

use crate::card::{Behaviour, Default, Equation, LawCard, Printed, Range, StateCard, Typical};
use crate::curve::Curve;
use crate::kind::{Bristle, BristleForce, BristleLaw, Bristles, Damping, OfKind, Sliding};
use crate::law::FrictionLaw;
use crate::law::slip::{dot, vector_at};
use crate::notice::Notice;
use crate::notice::passivity::Passivity;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the modified LuGre law; σ's are per unit of normal force.
    pub struct LuGreParameters<P> for "lugre" with stribeck {
        /// Bristle stiffness per unit of normal force.
        bristle_stiffness: P = {
            symbol: "sigma_0", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Bristle damping per unit of normal force.
        bristle_damping: P = {
            symbol: "sigma_1", unit: "s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(31.6228),
        },
        /// Speed over which the bristle damping falls, sigma_1 exp(-(|v|/v_d)^2); constant if not given.
        damping_velocity: Option<P> = {
            symbol: "v_d", unit: "m/s", role: Speed, range: Range::Positive, typical: Typical::Number(0.01),
            default: Default::Absent,
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
    }
}

/// The modified LuGre law for varying normal force, projected in 3D.
///
/// $$ \dot{\mathbf z} = \mathbf v - \sigma_0\frac{|\mathbf v|}{g(|\mathbf v|)}\,\mathbf z, \qquad
///    \mathbf F = N\,(\sigma_0\mathbf z + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v), \qquad
///    g = \mu_k + (\mu_s-\mu_k)\,e^{-(|\mathbf v|/v_s)^\alpha} $$
///
/// σ₁ is constant, or σ₁ exp(−(|v|/v_d)²) where `damping_velocity` v_d is given: the remedy for a
/// set that is not passive.
///
/// **State.** One vector z (m), the mean bristle deflection in the tangent plane, initially 0.
/// **Reproduces** stick–slip, presliding, frictional lag, varying break-away force, Stribeck and
/// viscous friction, in every direction and at varying N.
/// **Cannot** stay put under a load that vibrates below break-away (it drifts), nor under a
/// pulsating normal force.
/// **Numerics.** Time constant g/(σ₀|v|). The update freezes the mean slip velocity w of the step:
/// z_new = e^(−a) z_old + (1−e^(−a)) (g/σ₀) w/|w| with a = σ₀|w|Δt/g, exact for constant w and
/// bounded by max(|z_old|, g/σ₀) for every Δt.
/// **Source.** Colantonio et al. 2022, eqs. 21–25 (sign of F: along v); Canudas de Wit et al. 1995.
#[derive(Clone, Debug, PartialEq)]
pub struct LuGre<P = f64> {
    parameters: LuGreParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> LuGre<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: LuGreParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &LuGreParameters<P> {
        &self.parameters
    }

    /// σ₁, which may fall with the speed.
    #[inline(always)]
    fn damping(&self) -> Damping<P> {
        Damping {
            at_rest: self.parameters.bristle_damping,
            velocity: self.parameters.damping_velocity,
        }
    }
}

impl<P: Scalar> OfKind for LuGre<P> {
    type Number = P;
    type Kind = Bristles<1>;
}

impl<P: Scalar> BristleLaw<P, 1> for LuGre<P> {
    fn curve(&self) -> Option<&Curve<P>> {
        Some(&self.curve) // (22), (23)
    }

    #[inline(always)]
    fn bristles<T: MixesWith<P>>(&self, at: &Sliding<T>) -> [Bristle<T>; 1] {
        let sigma_0 = self.parameters.bristle_stiffness;
        [Bristle::deflection(at.speed * sigma_0 / at.level)] // (21)
    }

    #[inline(always)]
    fn force(&self) -> BristleForce<P, 1> {
        BristleForce {
            damping: Some(self.damping()),
            viscous: Some(self.parameters.viscous_coefficient),
            ..BristleForce::elastic([self.parameters.bristle_stiffness]) // (24)
        }
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let viscous = self.parameters.viscous_coefficient * speed;
        Some((self.curve.value(speed) + viscous) * normal_force) // (30), brackets corrected
    }
}

impl FrictionLaw for LuGre {
    const CARD: LawCard<'static> = LawCard {
        name: "lugre",
        title: "LuGre, modified for varying normal force and projected in 3D",
        summary: "Bristles per unit of normal force: presliding, lag, break-away and Stribeck friction in every direction.",
        equations: &[
            Equation {
                text: "dz/dt = v - sigma_0 |v|/g(|v|) z",
                tex: r"\dot{\mathbf z} = \mathbf v - \sigma_0\frac{|\mathbf v|}{g(|\mathbf v|)}\,\mathbf z",
                source: "Colantonio et al. 2022, eq. 21, |V| by eq. 22",
            },
            Equation {
                text: "g(|v|) = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"g(|\mathbf v|) = \mu_k + (\mu_s-\mu_k)\,e^{-(|\mathbf v|/v_s)^\alpha}",
                source: "Colantonio et al. 2022, eq. 23 (|V| before the power)",
            },
            Equation {
                text: "F = N (sigma_0 z + sigma_1 dz/dt + sigma_2 v)",
                tex: r"\mathbf F = N\,(\sigma_0\mathbf z + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v)",
                source: "Colantonio et al. 2022, eqs. 24-25",
            },
            Equation {
                text: "sigma_1 constant, or sigma_1(v) = sigma_1 exp(-(|v|/v_d)^2) where damping_velocity v_d is given",
                tex: r"\sigma_1(\mathbf v) = \sigma_1\,e^{-(|\mathbf v|/v_d)^2}\quad\text{where } v_d \text{ is given}",
                source: "Olsson 1996; Canudas de Wit et al. 1995",
            },
        ],
        parameters: LuGreParameters::CARDS,
        states: &[StateCard::vector(
            "z",
            "m",
            "mean bristle deflection in the tangent plane",
        )],
        behaviour: &[Behaviour::Holds, Behaviour::Drifts],
        printed: Some(Printed {
            has: &[
                "steady_state",
                "stick_slip",
                "presliding_displacement",
                "frictional_lag",
                "varying_break_away",
                "computational_cost",
            ],
            differs: &[],
        }),
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
        ],
        cannot: &[
            "hold without drift under a vibrating load below break-away (use elastoplastic or gms)",
            "hold without drift under a pulsating normal force: F follows N in stick",
            "hysteresis with non-local memory",
        ],
        source: "Colantonio, Dehombreux, Hajzman, Verlinden 2022, eqs. 21-25; Canudas de Wit et al. 1995",
        remarks: "Isotropic. On a curved path z lags v by about g/sigma_0 of travel. Passive from velocity to force if sigma_2 >= sigma_1 (mu_s - mu_k)/mu_k, or, with damping_velocity, if 0.4289 sigma_1 v_d <= mu_k s^2/(s - 1) with s = min(mu_s/mu_k, 2).",
    };

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
        let notice = Passivity {
            law: "lugre",
            damping: self.damping(),
            may_fall: true,
            sigma_2: p.viscous_coefficient,
            mu_s: p.static_coefficient,
            mu_k: p.kinetic_coefficient,
            unit: "s/m",
        };
        notice.notice().into_iter().collect()
    }
}
