//! `frbd`: bristles with rate-dependent friction at their tips.

use crate::card::{Behaviour, Equation, LawCard, Range, StateCard, Typical};
use crate::curve::Curve;
use crate::kind::{Bristle, BristleForce, BristleLaw, Bristles, Damping, OfKind, Sliding};
use crate::law::FrictionLaw;
use crate::law::slip::{dot, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the first-order law of bristles with friction at their tips.
    pub struct FrBdParameters<P> for "frbd" with stribeck {
        /// Bristle stiffness per unit of normal force.
        bristle_stiffness: P = {
            symbol: "sigma_0", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Bristle damping per unit of normal force.
        bristle_damping: P = {
            symbol: "sigma_1", unit: "s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(31.6228),
        },
    }
}

/// The first-order law of bristles with friction at their tips.
///
/// $$ \dot{\mathbf z} = \frac{g\,\mathbf v - \sigma_0|\mathbf v|\,\mathbf z}{g + \sigma_1|\mathbf v|}, \qquad
///    \mathbf F = N(\sigma_0\mathbf z + \sigma_1\dot{\mathbf z}), \qquad g = g(|\mathbf v|) $$
///
/// The tip of a bristle slides at v − ż; the force there, g (v − ż)/|v|, is that of the bristle.
/// **State.** One vector z (m), initially 0. With σ₁ = 0 it is `lugre`. However large σ₁ is, |F| ≤ g N
/// from |z| ≤ g/σ₀: no kick at speed.
/// **Source.** Regularised form of an implicit bristle law, after the idea of FrBD (arXiv 2602.09429).
#[derive(Clone, Debug, PartialEq)]
pub struct FrBd<P = f64> {
    parameters: FrBdParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> FrBd<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: FrBdParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &FrBdParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for FrBd<P> {
    type Number = P;
    type Kind = Bristles<1>;
}

impl<P: Scalar> BristleLaw<P, 1> for FrBd<P> {
    fn curve(&self) -> Option<&Curve<P>> {
        Some(&self.curve)
    }

    #[inline(always)]
    fn bristles<T: MixesWith<P>>(&self, at: &Sliding<T>) -> [Bristle<T>; 1] {
        let (sigma_0, sigma_1) = (
            self.parameters.bristle_stiffness,
            self.parameters.bristle_damping,
        );
        let share = T::of(P::from_f64(1.0)) / (at.level + at.speed * sigma_1);
        [Bristle::driven(
            at.level * share,
            at.speed * share * sigma_0,
        )]
    }

    #[inline(always)]
    fn force(&self) -> BristleForce<P, 1> {
        BristleForce {
            damping: Some(Damping::constant(self.parameters.bristle_damping)),
            ..BristleForce::elastic([self.parameters.bristle_stiffness])
        }
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        Some(self.curve.value(speed) * normal_force)
    }
}

impl FrictionLaw for FrBd {
    const CARD: LawCard<'static> = LawCard {
        name: "frbd",
        title: "Bristles with friction at their tips (FrBD), first order",
        summary: "Bristles whose tips slide: presliding, lag and Stribeck friction, bounded at every speed.",
        equations: &[
            Equation {
                text: "dz/dt = (g v - sigma_0 |v| z)/(g + sigma_1 |v|),  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"\dot{\mathbf z} = \frac{g\,\mathbf v-\sigma_0|\mathbf v|\,\mathbf z}{g+\sigma_1|\mathbf v|},\quad g=g(|\mathbf v|)",
                source: "after FrBD, arXiv 2602.09429: sigma_0 z + sigma_1 dz/dt = g (v - dz/dt)/|v|, solved for dz/dt",
            },
            Equation {
                text: "F = N (sigma_0 z + sigma_1 dz/dt)",
                tex: r"\mathbf F = N(\sigma_0\mathbf z+\sigma_1\dot{\mathbf z})",
                source: "after FrBD, arXiv 2602.09429, per unit of normal force",
            },
        ],
        parameters: FrBdParameters::CARDS,
        states: &[StateCard::vector(
            "z",
            "m",
            "mean bristle deflection in the tangent plane",
        )],
        behaviour: &[Behaviour::Holds, Behaviour::Drifts],
        printed: None,
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
        ],
        cannot: &[
            "viscous friction",
            "hold without drift under a vibrating load below break-away (use elastoplastic or gms)",
            "hysteresis with non-local memory",
        ],
        source: "after the idea of FrBD, arXiv 2602.09429; the regularised form is a reconstruction of this project",
        remarks: "sigma_1 = 0 is lugre with sigma_1 = sigma_2 = 0. Passive: the force is that of the sliding tip, which never pushes. The vector form is the isotropic one.",
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Shape;
    use crate::law::Law;
    use crate::law::slip::Slip;

    #[test]
    fn the_tip_carries_what_the_bristle_does() {
        let law = FrBd::new(FrBdParameters {
            bristle_stiffness: 1e4,
            bristle_damping: 10.0,
            stribeck_velocity: 1e-3,
            stribeck_exponent: 2.0,
            stribeck: Shape::Exponential,
            kinetic_coefficient: 0.1,
            static_coefficient: 0.1,
        })
        .expect("admissible");
        // g = 0.1, |v| = 0.01 m/s: dz/dt = (0.001 - 100 z)/0.2, F = 10 (1e4 z + 10 dz/dt)
        let mut rates = [0.0];
        let f = law.rates(&Slip::new([0.01], 10.0), &[0.0], &mut rates);
        assert!((rates[0] - 0.005).abs() < 1e-17 && (f[0] - 0.5).abs() < 1e-14);
        let f = law.rates(&Slip::new([0.01], 10.0), &[4e-6], &mut rates);
        assert!((rates[0] - 0.003).abs() < 1e-17 && (f[0] - 0.7).abs() < 1e-14);
        // a jump to 10 m/s: below 1 N, where lugre has 1000 N
        let f = law.rates(&Slip::new([10.0], 10.0), &[0.0], &mut rates);
        assert!((f[0] - 100.0 * 1.0 / 100.1).abs() < 1e-12);
    }
}
