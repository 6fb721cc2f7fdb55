//! `gear`: the loss of a transmission, which depends on the direction of its load.

use crate::card::StateCard;
use crate::card::{Behaviour, Equation, LawCard, Range, Typical};
use crate::kind::{Bristle, BristleForce, BristleLaw, Bristles, OfKind, Sliding};
use crate::law::FrictionLaw;
use crate::law::slip::{RATE_INDEPENDENT_SLIP_SPEED, dot, vector_at};
use crate::notice::Notice;
use crate::notice::Topic;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the loss of a gear.
    pub struct GearParameters<P> for "gear" {
        /// Part of the load that is lost in either direction.
        kinetic_coefficient: P = {
            symbol: "mu_a", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
        /// Part of the load that is lost more where the load drives the motion, and less where it
        /// is driven back.
        directional_coefficient: P = {
            symbol: "mu_d", unit: "1", role: LevelDifference, range: Range::Finite, typical: Typical::Number(0.03),
        },
        /// Slip over which friction turns to the direction of motion.
        relaxation_length: P = {
            symbol: "h", unit: "m", role: Length, range: Range::Positive, typical: Typical::Number(1e-5),
        },
    }
}

/// The loss of a gear or a screw, in proportion to the load that it transmits.
///
/// $$ \dot{\mathbf z} = \frac{\mathbf v - |\mathbf v|\,\mathbf z}{h}, \qquad
///    \mathbf F = N\bigl(\mu_a\mathbf z + \mu_d|\mathbf z|^2\mathbf e\bigr), \qquad
///    \mathbf e = \mathbf F_e/|\mathbf F_e| $$
///
/// N is the size of the transmitted load, **e** its direction: that of the applied force Fₑ of the
/// slip, 0 where there is none. Where the load drives the motion the loss is (μa + μd) N, where
/// the motion drives it back (μa − μd) N.
/// **State.** One vector z (1), initially 0, |z| ≤ 1.
/// **Numerics.** z is exact in the travelled length.
/// **Source.** τ_f = μa |τ| z + μd τ z² of google-deepmind/mujoco#3528 for the torque τ of a gear;
/// the vector form is ours. With μd = 0 it is Dahl's law of n = 1 with σ₀ = μa/h.
#[derive(Clone, Debug, PartialEq)]
pub struct Gear<P = f64> {
    parameters: GearParameters<P>,
}

impl<P: Scalar> Gear<P> {
    /// The law.
    ///
    /// # Errors
    /// If `directional_coefficient` is not below `kinetic_coefficient`: friction would drive.
    pub fn new(parameters: GearParameters<P>) -> Result<Self, ParameterError> {
        let (mu_a, mu_d) = (
            parameters.kinetic_coefficient.value(),
            parameters.directional_coefficient.value(),
        );
        if mu_d.abs() < mu_a {
            return Ok(Self { parameters });
        }
        Err(ParameterError::Inconsistent {
            law: "gear".into(),
            name: "directional_coefficient".into(),
            value: mu_d,
            unit: "1".into(),
            reason: format!(
                "its size must be below kinetic_coefficient = {mu_a}, or friction would drive"
            ),
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &GearParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for Gear<P> {
    type Number = P;
    type Kind = Bristles<1>;
}

impl<P: Scalar> BristleLaw<P, 1> for Gear<P> {
    #[inline(always)]
    fn bristles<T: MixesWith<P>>(&self, at: &Sliding<T>) -> [Bristle<T>; 1] {
        let h = self.parameters.relaxation_length;
        [Bristle::driven(T::of(P::from_f64(1.0) / h), at.speed / h)]
    }

    #[inline(always)]
    fn force(&self) -> BristleForce<P, 1> {
        BristleForce {
            along_load: Some(self.parameters.directional_coefficient),
            ..BristleForce::elastic([self.parameters.kinetic_coefficient])
        }
    }

    /// The mean of both directions of the load, which is not given here.
    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        (speed.value() > 0.0).then_some(self.parameters.kinetic_coefficient * normal_force)
    }
}

impl FrictionLaw for Gear {
    const CARD: LawCard<'static> = LawCard {
        name: "gear",
        title: "Gear loss",
        summary: "The loss of a gear or a screw: in proportion to the load, and unlike forwards and driven back.",
        equations: &[
            Equation {
                text: "dz/dt = (v - |v| z)/h",
                tex: r"\dot{\mathbf z} = (\mathbf v - |\mathbf v|\,\mathbf z)/h",
                source: "google-deepmind/mujoco#3528; vector form of this project",
            },
            Equation {
                text: "F = N (mu_a z + mu_d |z|^2 e),  e = Fe/|Fe|, 0 where Fe = 0",
                tex: r"\mathbf F = N\bigl(\mu_a\mathbf z + \mu_d|\mathbf z|^2\mathbf e\bigr),\quad \mathbf e = \mathbf F_e/|\mathbf F_e|",
                source: "google-deepmind/mujoco#3528, tau_f = mu_a |tau| z + mu_d tau z^2; vector form of this project",
            },
        ],
        parameters: GearParameters::CARDS,
        states: &[StateCard::vector(
            "z",
            "1",
            "direction that friction has turned to, |z| <= 1",
        )],
        behaviour: &[Behaviour::Holds, Behaviour::Drifts],
        printed: None,
        reproduces: &[
            "friction in proportion to the transmitted load",
            "a loss of its own when driven back, where the load is given or a coupling makes it",
            "presliding displacement",
            "hysteresis independent of the rate",
        ],
        cannot: &[
            "know the direction of the load by itself: without Fe the loss is mu_a N both ways",
            "a static level above the kinetic one, stick-slip, frictional lag, viscous friction",
            "hold without drift under a vibrating load: it drifts, undamped",
        ],
        source: "google-deepmind/mujoco#3528",
        remarks: "N is the size of the transmitted load, Fe has its direction; between wheels that a coupling ties, the coupling gives both. Forces and metres stand for torques and radians as well: then h is an angle. Where the load drives the motion the loss is mu_a + mu_d, driven back mu_a - mu_d. With mu_d = 0 it is dahl with n = 1, sigma_0 = mu_a/h.",
    };

    /// That of Dahl's law, which the part in μd does not change.
    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let z = vector_at::<f64, D>(state, 0);
        let p = &self.parameters;
        0.5 * p.kinetic_coefficient * p.relaxation_length * normal_force * dot(&z, &z)
    }

    fn slip_speed(&self) -> f64 {
        RATE_INDEPENDENT_SLIP_SPEED
    }

    fn has_load_direction(&self) -> bool {
        self.parameters.directional_coefficient != 0.0
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some(self.parameters.relaxation_length)
    }

    fn state_size(&self, _normal_force: f64) -> Option<f64> {
        Some(1.0)
    }

    fn notices(&self) -> Vec<Notice> {
        let mu_d = self.parameters.directional_coefficient;
        let text = format!(
            "gear takes the direction of its load from the applied force: a prescribed motion gives it \
             (columns Fe), and so does a coupling whose faces it is in; other joints and contacts of a \
             model do not, and there directional_coefficient = {mu_d} has no effect"
        );
        let notice = Notice::new(Topic::LoadDirection, text);
        let directed = self.has_load_direction();
        directed.then_some(notice).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::law::slip::{Slip, Step};

    #[test]
    fn in_the_plane_the_load_has_a_direction() {
        let law = Gear::new(GearParameters {
            kinetic_coefficient: 0.1,
            directional_coefficient: 0.03,
            relaxation_length: 1e-5,
        })
        .expect("admissible");
        // a long slide along x under a load of 20 N along y: 2 N against it, 0.6 N across
        let slip = Slip {
            velocity: [1.0, 0.0],
            normal_force: 20.0,
            applied: [0.0, 7.0],
        };
        let mut z = [0.0; 2];
        let f = law.update(&Step::constant(slip, 1.0), &[0.0; 2], &mut z);
        // rounding
        assert!((f[0] - 2.0).abs() < 1e-14 && (f[1] - 0.6).abs() < 1e-14);
    }
}
