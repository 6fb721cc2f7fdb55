//! `lugre_classical`: the LuGre law of 1995, with forces instead of coefficients.

use crate::card::{Behaviour, Default, Equation, LawCard, Printed, Range, StateCard, Typical};
use crate::curve::Curve;
use crate::kind::General;
use crate::law::{FrictionLaw, Law, StateLayout};
use crate::notice::Notice;
use crate::parameters;
use crate::parameters::ParameterError;
use crate::passivity::{Damping, Passivity};
use crate::relaxation::falling_relaxation;
use crate::scalar::{MixesWith, Scalar};
use crate::slip::{Slip, Step};

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

/// A normal force below this (N) counts as none: far below any machine's, and far enough
/// above zero that |v| σ₀/(N g) stays finite.
pub(crate) const NO_LOAD: f64 = 1e-90;

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

    /// ż and F for a given speed |v| and g(|v|). (1), (2)
    #[inline(always)]
    fn evaluate<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        (speed, g): (T, T),
        z: &[T],
    ) -> ([T; D], [T; D]) {
        let LuGreClassicalParameters {
            bristle_stiffness: sigma_0,
            viscous_coefficient: sigma_2,
            ..
        } = self.parameters;
        let (v, n) = (&slip.velocity, slip.normal_force);
        if n.value() < NO_LOAD {
            return ([T::zero(); D], [T::zero(); D]);
        }
        let sigma_1 = self.damping().at(speed);
        let rate = speed * sigma_0 / (n * g);
        let dz: [T; D] = std::array::from_fn(|i| v[i] - rate * z[i]); // (2)
        let force = std::array::from_fn(|i| {
            z[i] * sigma_0 + dz[i] * sigma_1 + v[i] * sigma_2 // (1)
        });
        (dz, force)
    }
}

/// Whether a load is the same through the step, and has no derivative by which it might change.
fn unchanged<T: Scalar>((mean, end): (T, T)) -> bool {
    mean.value().to_bits() == end.value().to_bits() && mean.is_constant() && end.is_constant()
}

impl LuGreClassical {
    /// The curve, for batches.
    pub(crate) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl<P: Scalar> Law<P> for LuGreClassical<P> {
    type Kind = General;

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let [level] = self.curve.along([&slip.velocity]);
        let (dz, force) = self.evaluate(slip, level, state);
        rates[..D].copy_from_slice(&dz);
        force
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (w, h) = (&step.mean.velocity, step.duration);
        let loads = (step.mean.normal_force, step.end.normal_force);
        if loads.0.min(loads.1).value() < NO_LOAD {
            new[..D].fill(T::zero());
            return [T::zero(); D];
        }
        let [(speed, g), end] = self.curve.along([w, &step.end.velocity]);
        let travel = speed * (self.parameters.bristle_stiffness * h);
        let path = w.map(|w| w * h);
        let (decay, drawn) = if unchanged(loads) {
            T::relaxed(travel / (g * loads.0), path)
        } else {
            let (decay, share) = falling_relaxation(travel / g, loads);
            (decay, path.map(|x| share * x))
        };
        for i in 0..D {
            new[i] = decay * old[i] + drawn[i];
        }
        self.evaluate(&step.end, end, new).1
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
        states: &[StateCard::new(
            "z",
            "m",
            "mean bristle deflection in the tangent plane (vector)",
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

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 0,
        }
    }

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
