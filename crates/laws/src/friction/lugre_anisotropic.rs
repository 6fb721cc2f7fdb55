//! `lugre_anisotropic`: LuGre whose friction is another one along and across a direction.

use crate::card::{Behaviour, Default, Equation, LawCard, Range, StateCard, Typical};
use crate::curve::Curve;
use crate::kind::General;
use crate::law::slip::{Slip, Step, dot, norm, old_vector_at, vector_at};
use crate::law::{FrictionLaw, Law, StateLayout};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the anisotropic LuGre law, those along the first axis; per unit of normal force.
    pub struct LuGreAnisotropicParameters<P> for "lugre_anisotropic" with stribeck {
        /// Bristle stiffness per unit of normal force.
        bristle_stiffness: P = {
            symbol: "sigma_0", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Bristle damping per unit of normal force.
        bristle_damping: P = {
            symbol: "sigma_1", unit: "s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(31.6228),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
        /// Friction across the first axis over that along it.
        transverse_ratio: P = {
            symbol: "rho", unit: "1", role: Shape, range: Range::Positive, typical: Typical::Number(0.8),
            default: Default::Number(1.0),
        },
    }
}

/// The LuGre law with an ellipse of friction in the place of the circle.
///
/// $$ \dot z_i = v_i - \sigma_0\frac{|\mathbf M\mathbf v|}{g(|\mathbf v|)\,m_i^2}\,z_i, \qquad
///    F_i = N(\sigma_0 z_i + \sigma_1\dot z_i + \sigma_2 v_i), \qquad \mathbf M = \operatorname{diag}(1,\rho) $$
///
/// In steady sliding F_i = N g m_i² v_i/|**Mv**| + N σ₂ v_i: the force is on the ellipse of friction, where
/// it takes the most power. Levels and g are those along the first axis of the contact plane.
/// **State.** One vector z (m), initially 0. With ρ = 1 it is `lugre`.
/// **Numerics.** The update is exact for a constant slip velocity, component by component.
/// **Source.** Velenis, Tsiotras, Canudas de Wit 2002, 2005, with M_s and M_k in proportion.
#[derive(Clone, Debug, PartialEq)]
pub struct LuGreAnisotropic<P = f64> {
    parameters: LuGreAnisotropicParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> LuGreAnisotropic<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: LuGreAnisotropicParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &LuGreAnisotropicParameters<P> {
        &self.parameters
    }

    /// m of component `i`.
    fn axis(&self, i: usize) -> P {
        if i == 0 {
            P::from_f64(1.0)
        } else {
            self.parameters.transverse_ratio
        }
    }

    /// The rate C_i of every component, 1/s.
    fn decay_rates<T: Scalar + MixesWith<P>, const D: usize>(&self, v: &[T; D]) -> [T; D] {
        let ellipse: [T; D] = std::array::from_fn(|i| v[i] * self.axis(i));
        let level = self.curve.value(norm(v));
        let rate = norm(&ellipse) * self.parameters.bristle_stiffness / level;
        std::array::from_fn(|i| rate / (self.axis(i) * self.axis(i)))
    }

    fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        z: &[T; D],
        dz: &[T; D],
    ) -> [T; D] {
        let LuGreAnisotropicParameters {
            bristle_stiffness: sigma_0,
            bristle_damping: sigma_1,
            viscous_coefficient: sigma_2,
            ..
        } = self.parameters;
        let (v, n) = (&slip.velocity, slip.normal_force);
        std::array::from_fn(|i| n * (z[i] * sigma_0 + dz[i] * sigma_1 + v[i] * sigma_2))
    }
}

impl<P: Scalar> Law<P> for LuGreAnisotropic<P> {
    type Kind = General;

    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let (v, z) = (&slip.velocity, vector_at(state, 0));
        let c = self.decay_rates(v);
        let dz = std::array::from_fn(|i| v[i] - c[i] * z[i]);
        rates[..D].copy_from_slice(&dz);
        self.force(slip, &z, &dz)
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (w, v, h) = (&step.mean.velocity, &step.end.velocity, step.duration);
        let (before, c) = (old_vector_at::<P, T, D>(old, 0), self.decay_rates(w));
        let z = std::array::from_fn(|i| {
            let (decay, [drawn]) = T::relaxed(c[i] * h, [w[i] * h]);
            decay * before[i] + drawn
        });
        new[..D].copy_from_slice(&z);
        let c = self.decay_rates(v);
        self.force(&step.end, &z, &std::array::from_fn(|i| v[i] - c[i] * z[i]))
    }

    /// Along the first axis.
    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let viscous = self.parameters.viscous_coefficient * speed;
        Some((self.curve.value(speed) + viscous) * normal_force)
    }
}

impl FrictionLaw for LuGreAnisotropic {
    const CARD: LawCard<'static> = LawCard {
        name: "lugre_anisotropic",
        title: "LuGre, anisotropic (Velenis et al.)",
        summary: "LuGre with an ellipse of friction: tyres, textured and fibrous surfaces.",
        equations: &[
            Equation {
                text: "dz_i/dt = v_i - sigma_0 |M v|/(g(|v|) m_i^2) z_i,  M = diag(1, rho)",
                tex: r"\dot z_i = v_i - \sigma_0\frac{|\mathbf M\mathbf v|}{g(|\mathbf v|)\,m_i^2}\,z_i,\quad \mathbf M=\operatorname{diag}(1,\rho)",
                source: "Velenis et al. 2005, with M_s and M_k in proportion",
            },
            Equation {
                text: "F_i = N (sigma_0 z_i + sigma_1 dz_i/dt + sigma_2 v_i),  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"F_i = N(\sigma_0 z_i+\sigma_1\dot z_i+\sigma_2 v_i)",
                source: "Velenis et al. 2005",
            },
        ],
        parameters: LuGreAnisotropicParameters::CARDS,
        states: &[StateCard::new(
            "z",
            "m",
            "mean bristle deflection in the tangent plane (vector)",
        )],
        behaviour: &[Behaviour::Holds, Behaviour::Drifts, Behaviour::Anisotropic],
        printed: None,
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
            "an ellipse of friction",
        ],
        cannot: &[
            "another stiffness, damping or Stribeck velocity across than along",
            "hold without drift under a vibrating load below break-away",
            "hysteresis with non-local memory",
        ],
        source: "Velenis, Tsiotras, Canudas de Wit 2002, 2005",
        remarks: "The first axis is that of the contact plane. rho = 1 is lugre. Levels along the first axis; across it they are rho times as high. In space the other two axes are alike.",
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 0,
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Shape;

    #[test]
    fn sliding_ends_on_the_ellipse() {
        let law = LuGreAnisotropic::new(LuGreAnisotropicParameters {
            bristle_stiffness: 1e4,
            bristle_damping: 10.0,
            viscous_coefficient: 0.0,
            transverse_ratio: 0.5,
            stribeck_velocity: 1e-3,
            stribeck_exponent: 2.0,
            stribeck: Shape::Exponential,
            kinetic_coefficient: 0.1,
            static_coefficient: 0.15,
        })
        .expect("admissible");
        // v = (0.4, 0.6) m/s, far beyond v_s: |Mv| = 0.5, F = N mu_k (0.4, 0.25 0.6)/0.5 = (0.8, 0.3) N
        let step = Step::constant(Slip::new([0.4, 0.6], 10.0), 1.0);
        let mut z = [0.0; 2];
        let f = law.update(&step, &[0.0; 2], &mut z);
        // rounding
        assert!((f[0] - 0.8).abs() < 1e-13 && (f[1] - 0.3).abs() < 1e-13);
        // on the ellipse (F_x/1 N)^2 + (F_y/0.5 N)^2 = 1
        let on = f[0] * f[0] + 4.0 * f[1] * f[1];
        assert!((on - 1.0).abs() < 1e-12);
    }
}
