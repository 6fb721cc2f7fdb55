//! `lugre_classical`: the LuGre law of 1995, with forces instead of coefficients.

use crate::card::{Behaviour, Default, Equation, LawCard, Printed, Range, StateCard, Typical};
use crate::curve::Curve;
use crate::kind::{Bristle, BristleForce, BristleLaw, Bristles, Damping, OfKind, Sliding};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::notice::passivity::Passivity;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the classical LuGre law; σ's are per contact.
    pub struct LuGreClassicalParameters<P> for "lugre_classical" with stribeck {
        /// Bristle stiffness.
        bristle_stiffness: P = {
            symbol: "sigma_0", unit: "N/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e5),
        },
        /// Bristle damping.
        bristle_damping: P = {
            symbol: "sigma_1", unit: "N s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(316.228),
        },
        /// Speed over which the bristle damping falls, sigma_1 exp(-(|v|/v_d)^2); constant if not given.
        damping_velocity: Option<P> = {
            symbol: "v_d", unit: "m/s", role: Speed, range: Range::Positive, typical: Typical::Number(0.01),
            default: Default::Absent,
        },
        /// Viscous coefficient.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "N s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.4),
            default: Default::Number(0.0),
        },
    }
}

/// The classical LuGre law.
///
/// $$ \dot{\mathbf z} = \mathbf v - \sigma_0\frac{|\mathbf v|}{G}\,\mathbf z, \quad
///    \mathbf F = \sigma_0\mathbf z + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v, \quad
///    G = N\,g(|\mathbf v|) $$
///
/// **State.** One vector z (m). In stick F ignores N. As N → 0, z → G u/σ₀ → 0; at N = 0 the
/// bristles are let go: z = 0, F = 0.
/// **Numerics.** The update is exact for constant N, and of second order for one that changes: the
/// level G/σ₀ drags z along, so that a contact that opens or closes has no kick σ₁v.
/// **Source.** Canudas de Wit et al. 1995; Colantonio et al. 2022, eqs. 1–5. The form in two and
/// three dimensions (components along v, speed by magnitude) is the projection of eqs. 21–24.
#[derive(Clone, Debug, PartialEq)]
pub struct LuGreClassical<P = f64> {
    parameters: LuGreClassicalParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> LuGreClassical<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: LuGreClassicalParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &LuGreClassicalParameters<P> {
        &self.parameters
    }

    /// σ₁, which may fall with the speed.
    fn damping(&self) -> Damping<P> {
        Damping {
            at_rest: self.parameters.bristle_damping,
            velocity: self.parameters.damping_velocity,
        }
    }
}

impl<P: Scalar> OfKind for LuGreClassical<P> {
    type Number = P;
    type Kind = Bristles<1>;
}

impl<P: Scalar> BristleLaw<P, 1> for LuGreClassical<P> {
    const OF_CONTACT: bool = true;

    fn curve(&self) -> Option<&Curve<P>> {
        Some(&self.curve)
    }

    #[inline(always)]
    fn bristles<T: MixesWith<P>>(&self, at: &Sliding<T>) -> [Bristle<T>; 1] {
        let sigma_0 = self.parameters.bristle_stiffness;
        [Bristle::deflection(at.speed * sigma_0 / at.level)] // (2)
    }

    #[inline(always)]
    fn force(&self) -> BristleForce<P, 1> {
        BristleForce {
            damping: Some(self.damping()),
            viscous: Some(self.parameters.viscous_coefficient),
            ..BristleForce::elastic([self.parameters.bristle_stiffness]) // (1)
        }
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        Some(self.curve.value(speed) * normal_force + self.parameters.viscous_coefficient * speed) // (8)
    }
}

impl FrictionLaw for LuGreClassical {
    const CARD: LawCard<'static> = LawCard {
        name: "lugre_classical",
        title: "LuGre, classical (1995)",
        summary: "Bristles with a stiffness in N/m, for one normal force.",
        equations: &[
            Equation {
                text: "dz/dt = v - sigma_0 |v|/(N g(|v|)) z",
                tex: r"\dot{\mathbf z} = \mathbf v - \sigma_0\frac{|\mathbf v|}{N g(|\mathbf v|)}\,\mathbf z",
                source: "Colantonio et al. 2022, eqs. 2-5",
            },
            Equation {
                text: "g(|v|) = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"g(|\mathbf v|) = \mu_k + (\mu_s-\mu_k)\,e^{-(|\mathbf v|/v_s)^\alpha}",
                source: "Colantonio et al. 2022, eq. 3 (|V| before the power)",
            },
            Equation {
                text: "F = sigma_0 z + sigma_1 dz/dt + sigma_2 v",
                tex: r"\mathbf F = \sigma_0\mathbf z + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v",
                source: "Colantonio et al. 2022, eq. 1",
            },
            Equation {
                text: "sigma_1 constant, or sigma_1(v) = sigma_1 exp(-(|v|/v_d)^2) where damping_velocity v_d is given",
                tex: r"\sigma_1(\mathbf v) = \sigma_1\,e^{-(|\mathbf v|/v_d)^2}\quad\text{where } v_d \text{ is given}",
                source: "Olsson 1996; Canudas de Wit et al. 1995",
            },
        ],
        parameters: LuGreClassicalParameters::CARDS,
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
        ],
        cannot: &[
            "a normal force that changes in stick: F stays what it was",
            "hold without drift under a vibrating load below break-away",
            "hysteresis with non-local memory",
            "a contact that opens while it slides slowly: see the remarks",
        ],
        source: "Canudas de Wit, Olsson, Astrom, Lischinsky 1995; Colantonio et al. 2022, eqs. 1-5",
        remarks: "At constant N the same as lugre with sigma/N (eq. 14). One-dimensional as printed; the vector form is the projection of eqs. 21-24. Where N falls to 0 faster than |dN/dt| = sigma_0 |v|/g, z falls as N^p with p = sigma_0 |v|/(g |dN/dt|) < 1, and sigma_1 dz/dt grows without bound: a run under error control stops there (steps below min_step), as of a cube that tips over; lugre, or sigma_1 = 0, goes on.",
    };

    fn stored_energy<const D: usize>(&self, _normal_force: f64, state: &[f64]) -> f64 {
        0.5 * self.parameters.bristle_stiffness * state[..D].iter().map(|z| z * z).sum::<f64>()
    }

    fn slip_speed(&self) -> f64 {
        self.parameters.stribeck_velocity
    }

    fn breakaway_deflection(&self, normal_force: f64) -> Option<f64> {
        Some(self.parameters.static_coefficient * normal_force / self.parameters.bristle_stiffness)
    }

    fn notices(&self) -> Vec<Notice> {
        let p = &self.parameters;
        let notice = Passivity {
            law: "lugre_classical",
            damping: self.damping(),
            may_fall: true,
            sigma_2: p.viscous_coefficient,
            mu_s: p.static_coefficient,
            mu_k: p.kinetic_coefficient,
            unit: "N s/m",
        };
        notice.notice().into_iter().collect()
    }
}
