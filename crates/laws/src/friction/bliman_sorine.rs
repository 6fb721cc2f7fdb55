//! `bliman_sorine`: two rate-independent relaxations, with an overshoot at break-away.

use crate::card::StateCard;
use crate::card::{Behaviour, Equation, LawCard, Printed, Range, Relation, Typical};
use crate::kind::{Bristle, BristleForce, BristleLaw, Bristles, OfKind, Sliding};
use crate::law::FrictionLaw;
use crate::law::slip::RATE_INDEPENDENT_SLIP_SPEED;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the second-order law of Bliman and Sorine.
    pub struct BlimanSorineParameters<P> for "bliman_sorine" {
        /// Amplitude of the fast relaxation.
        first_amplitude: P = {
            symbol: "f_1", unit: "1", role: StaticLevel, range: Range::Positive, typical: Typical::Number(0.25),
                    relation: Relation::NotBelow("second_amplitude"),
        },
        /// Amplitude of the slow relaxation, which is subtracted.
        second_amplitude: P = {
            symbol: "f_2", unit: "1", role: Drop, range: Range::NonNegative, typical: Typical::Number(0.15),
        },
        /// Length of the fast relaxation over that of the slow one.
        length_ratio: P = {
            symbol: "eta", unit: "1", role: Shape, range: Range::Open(0.0, 1.0), typical: Typical::Number(0.2),
        },
        /// Length of the slow relaxation.
        friction_length: P = {
            symbol: "eps_f", unit: "m", role: Length, range: Range::Positive, typical: Typical::Number(4e-5),
        },
    }
}

/// The second-order law of Bliman and Sorine.
///
/// $$ \dot{\mathbf x}_1 = \frac{f_1\mathbf v - |\mathbf v|\mathbf x_1}{\eta\varepsilon_f}, \qquad
///    \dot{\mathbf x}_2 = \frac{-f_2\mathbf v - |\mathbf v|\mathbf x_2}{\varepsilon_f}, \qquad
///    \mathbf F = N(\mathbf x_1 + \mathbf x_2), \qquad \mu_k = f_1 - f_2 $$
///
/// **States.** Two vectors x₁, x₂ (1), initially 0.
/// **Reproduces** a break-away peak after the travel s_p = ηε_f/(1−η) ln(f₁/(ηf₂)), independent
/// of the rate.
/// **Numerics.** Exact in the travelled length.
/// **Source.** Bliman and Sorine 1991, 1995; Olsson et al. 1998. The vector form is the
/// isotropic one (components along v, speed by magnitude).
#[derive(Clone, Debug, PartialEq)]
pub struct BlimanSorine<P = f64> {
    parameters: BlimanSorineParameters<P>,
    /// The two relaxations: amplitude over length, and inverse length.
    parts: [(P, P); 2],
}

impl<P: Scalar> BlimanSorine<P> {
    /// The law.
    ///
    /// # Errors
    /// If `second_amplitude` is not below `first_amplitude`.
    pub fn new(parameters: BlimanSorineParameters<P>) -> Result<Self, ParameterError> {
        let first = parameters.first_amplitude.value();
        let second = parameters.second_amplitude.value();
        if second < first {
            let slow = P::from_f64(1.0) / parameters.friction_length;
            let fast = slow / parameters.length_ratio;
            return Ok(Self {
                parts: [
                    (parameters.first_amplitude * fast, fast),
                    (-parameters.second_amplitude * slow, slow),
                ],
                parameters,
            });
        }
        Err(ParameterError::Inconsistent {
            law: "bliman_sorine".into(),
            name: "second_amplitude".into(),
            value: second,
            unit: "1".into(),
            reason: format!("must be below first_amplitude = {first}"),
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &BlimanSorineParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for BlimanSorine<P> {
    type Number = P;
    type Kind = Bristles<2>;
}

impl<P: Scalar> BristleLaw<P, 2> for BlimanSorine<P> {
    #[inline(always)]
    fn bristles<T: MixesWith<P>>(&self, at: &Sliding<T>) -> [Bristle<T>; 2] {
        self.parts
            .map(|(drive, inverse)| Bristle::driven(T::of(drive), at.speed * inverse))
    }

    #[inline(always)]
    fn force(&self) -> BristleForce<P, 2> {
        BristleForce::elastic([P::from_f64(1.0); 2])
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let mu_k = self.parameters.first_amplitude - self.parameters.second_amplitude;
        (speed.value() > 0.0).then_some(mu_k * normal_force)
    }
}

impl FrictionLaw for BlimanSorine {
    const CARD: LawCard<'static> = LawCard {
        name: "bliman_sorine",
        title: "Bliman-Sorine, second order",
        summary: "A break-away peak and presliding that depend on the path alone, not on its rate.",
        equations: &[
            Equation {
                text: "dx1/dt = (f_1 v - |v| x1)/(eta eps_f)",
                tex: r"\dot{\mathbf x}_1 = (f_1\mathbf v - |\mathbf v|\mathbf x_1)/(\eta\varepsilon_f)",
                source: "Bliman and Sorine 1995",
            },
            Equation {
                text: "dx2/dt = (-f_2 v - |v| x2)/eps_f",
                tex: r"\dot{\mathbf x}_2 = (-f_2\mathbf v - |\mathbf v|\mathbf x_2)/\varepsilon_f",
                source: "Bliman and Sorine 1995",
            },
            Equation {
                text: "F = N (x1 + x2)",
                tex: r"\mathbf F = N(\mathbf x_1 + \mathbf x_2)",
                source: "Bliman and Sorine 1995, per unit of normal force",
            },
        ],
        parameters: BlimanSorineParameters::CARDS,
        states: &[
            StateCard::vector("x1", "1", "fast relaxation"),
            StateCard::vector("x2", "1", "slow relaxation, subtracted"),
        ],
        behaviour: &[Behaviour::Holds],
        printed: Some(Printed {
            has: &[
                "stick_slip",
                "presliding_displacement",
                "computational_cost",
            ],
            differs: &[(
                "stick_slip",
                "the peak over the sliding level comes with travel from rest or after a full reversal. A block that stops on a spring moves back by micrometres only, so its next peak is smaller, and the next one smaller still: it sticks at first, and ends in a motion that slows down in every period without sticking, at 0.1 m/s and at 0.02 m/s",
            )],
        }),
        reproduces: &[
            "presliding displacement",
            "break-away peak (overshoot)",
            "stick-slip",
            "hysteresis independent of the rate",
            "varying normal force",
        ],
        cannot: &[
            "Stribeck effect, frictional lag, viscous friction, a break-away force that varies with the rate",
            "hold without drift under a vibrating load",
            "hysteresis with non-local memory",
        ],
        source: "Bliman and Sorine 1991, 1995; Olsson et al. 1998",
        remarks: "mu_k = f_1 - f_2. f_2 = 0 is dahl with n = 1, sigma_0 = f_1/(eta eps_f), mu_k = f_1. The vector form is the isotropic one, ours.",
    };

    fn slip_speed(&self) -> f64 {
        RATE_INDEPENDENT_SLIP_SPEED
    }

    /// The travel to the peak from rest; without a peak, the length of the relaxation.
    fn state_size(&self, _normal_force: f64) -> Option<f64> {
        Some(self.parameters.first_amplitude)
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        let (eta, eps) = (
            self.parameters.length_ratio,
            self.parameters.friction_length,
        );
        let ratio = self.parameters.first_amplitude / (eta * self.parameters.second_amplitude);
        Some(if self.parameters.second_amplitude > 0.0 {
            eta * eps / (1.0 - eta) * ratio.ln()
        } else {
            eta * eps
        })
    }
}
