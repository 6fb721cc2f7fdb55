//! `lugre_anisotropic`: LuGre whose friction is another one along and across a direction.

mod card;
#[cfg(test)]
mod tests;

use crate::card::{Default, Range, Typical};
use crate::curve::Curve;
use crate::kind::General;
use crate::law::Law;
use crate::law::slip::{Slip, Step, norm, old_vector_at, vector_at};
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
