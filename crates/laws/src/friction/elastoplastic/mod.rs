//! `elastoplastic`: LuGre with a truly elastic zone, which does not drift.

mod card;
mod zone;

use crate::card::{Default, Range, Relation, Typical};
use crate::curve::Curve;
use crate::kind::General;
use crate::law::Law;
use crate::law::slip::{Slip, Step, dot, norm, old_vector_at, travel_at, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the elasto-plastic law; σ's are per unit of normal force.
    pub struct ElastoPlasticParameters<P> for "elastoplastic" with stribeck {
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
        /// Deflection up to which the bristles are elastic, below mu_k/sigma_0.
        breakaway_deflection: P = {
            symbol: "z_ba", unit: "m", role: Length, range: Range::Positive, typical: Typical::Number(7e-6), standard: 9e-6,
                    relation: Relation::BelowRatio { level: "kinetic_coefficient", stiffness: "bristle_stiffness" },
        },
    }
}

/// The elasto-plastic law of Dupont et al.
///
/// $$ \dot{\mathbf z} = \mathbf v - \alpha\,\frac{|\mathbf v|}{z_m}\,\mathbf z, \qquad z_m = \frac{g(|\mathbf v|)}{\sigma_0},
///    \qquad \mathbf F = N(\sigma_0\mathbf z + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v) $$
///
/// with α = 0 while z·v ≤ 0 or |z| ≤ z_ba, 1 for |z| ≥ z_m, and
/// ½ + ½ sin(π (|z| − (z_m + z_ba)/2)/(z_m − z_ba)) between.
///
/// **State.** One vector z (m), initially 0.
/// **Reproduces** what `lugre` does, and holds without drift below σ₀ z_ba N.
/// **Numerics.** The elastic part of a step is exact, with the start of yielding located; the
/// plastic part is integrated along the path by Runge–Kutta steps of a tenth of the yield zone,
/// and in closed form near the steady state. Bounded for every Δt.
/// **Source.** Dupont, Hayward, Armstrong, Altpeter 2002. The vector form is ours: α from |z| and
/// the sign of z·v. In two dimensions ż jumps where z·v changes sign above z_ba.
#[derive(Clone, Debug, PartialEq)]
pub struct ElastoPlastic<P = f64> {
    parameters: ElastoPlasticParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> ElastoPlastic<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`, or `breakaway_deflection` not below
    /// μk/σ₀: then sliding would have no smooth equilibrium.
    pub fn new(parameters: ElastoPlasticParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        let least = (parameters.kinetic_coefficient / parameters.bristle_stiffness).value();
        let breakaway = parameters.breakaway_deflection.value();
        if breakaway >= least {
            return Err(ParameterError::Inconsistent {
                law: "elastoplastic".into(),
                name: "breakaway_deflection".into(),
                value: breakaway,
                unit: "m".into(),
                reason: format!("must be below kinetic_coefficient/bristle_stiffness = {least} m"),
            });
        }
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &ElastoPlasticParameters<P> {
        &self.parameters
    }

    /// ż and F; `level` gives the speed |v| and g(|v|) where they matter.
    #[inline(always)]
    fn evaluate<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        level: impl FnOnce() -> (T, T),
        z: &[T; D],
    ) -> ([T; D], [T; D]) {
        let p = &self.parameters;
        let v = &slip.velocity;
        let loss = if dot(z, v).value() > 0.0 {
            let (speed, g) = level();
            let z_m = g / p.bristle_stiffness;
            self.zone(z_m).yielding(norm(z)) * speed / z_m
        } else {
            T::zero()
        };
        let dz: [T; D] = std::array::from_fn(|i| v[i] - loss * z[i]);
        let force = std::array::from_fn(|i| {
            let per_n = z[i] * p.bristle_stiffness + dz[i] * p.bristle_damping;
            slip.normal_force * (per_n + v[i] * p.viscous_coefficient)
        });
        (dz, force)
    }
}

impl<P: Scalar> Law<P> for ElastoPlastic<P> {
    type Kind = General;

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let level = || {
            let [level] = self.curve.along([&slip.velocity]);
            level
        };
        let (dz, force) = self.evaluate(slip, level, &vector_at(state, 0));
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
        let [(speed, g), end] = self.curve.along([&step.mean.velocity, &step.end.velocity]);
        let (d, s) = travel_at(step, speed);
        let z_m = g / self.parameters.bristle_stiffness;
        let z = self.advance(&old_vector_at(old, 0), &d, s, z_m);
        new[..D].copy_from_slice(&z);
        self.evaluate(&step.end, || end, &z).1
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let viscous = self.parameters.viscous_coefficient * speed;
        Some((self.curve.value(speed) + viscous) * normal_force)
    }
}
