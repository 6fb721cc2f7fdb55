//! `reset_integrator`: a bristle that stops growing, and loses its stiction, at a deflection.

mod card;
#[cfg(test)]
mod tests;

use crate::card::{Default, Range, Relation, Typical};
use crate::kind::General;
use crate::kind::elements::{self, AT_LIMIT};
use crate::law::Law;
use crate::law::slip::{Slip, Step, dot, norm, old_vector_at, travel, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::{ParameterError, static_not_below_kinetic};

parameters! {
    /// Parameters of the reset integrator, per unit of normal force.
    pub struct ResetIntegratorParameters<P> for "reset_integrator" {
        /// Bristle stiffness per unit of normal force while the pair slides.
        bristle_stiffness: P = {
            symbol: "sigma_0", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Bristle damping per unit of normal force.
        bristle_damping: P = {
            symbol: "sigma_1", unit: "s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(31.6228),
        },
        /// Static friction coefficient.
        static_coefficient: P = {
            symbol: "mu_s", unit: "1", role: StaticLevel, range: Range::Positive, typical: Typical::Number(0.15),
            default: Default::Scaled("kinetic_coefficient", 1.0),
            relation: Relation::NotBelow("kinetic_coefficient"),
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
    }
}

/// The reset integrator of Haessig and Friedland.
///
/// $$ \dot{\mathbf z} = \mathbf v\ \text{until}\ |\mathbf z| = z_0, \qquad
///    \mathbf F = N\bigl\lbrack (1+a)\,\sigma_0\mathbf z + \sigma_1\dot{\mathbf z}\bigr\rbrack , \qquad
///    a = \mu_s/\mu_k - 1\ \text{for}\ |\mathbf z| < z_0,\ \text{else}\ 0, \qquad z_0 = \mu_k/\sigma_0 $$
///
/// **States.** One vector z (m), initially 0, and the mode, 0 stuck, 1 sliding at |z| = z₀.
/// **Cannot** stay low: the force drops by (μs − μk) N as it breaks away, and rises again at once
/// where the motion reverses.
/// **Numerics.** z moves on the exact path of an elastic–plastic element of limit z₀.
/// **Source.** Haessig and Friedland 1991; the vector form is ours.
#[derive(Clone, Debug, PartialEq)]
pub struct ResetIntegrator<P = f64> {
    parameters: ResetIntegratorParameters<P>,
    z_0: P,
}

impl<P: Scalar> ResetIntegrator<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: ResetIntegratorParameters<P>) -> Result<Self, ParameterError> {
        let (mu_s, mu_k) = (
            parameters.static_coefficient,
            parameters.kinetic_coefficient,
        );
        static_not_below_kinetic("reset_integrator", mu_s, mu_k)?;
        let z_0 = mu_k / parameters.bristle_stiffness;
        Ok(Self { parameters, z_0 })
    }

    /// The parameters.
    pub fn parameters(&self) -> &ResetIntegratorParameters<P> {
        &self.parameters
    }

    /// (1 + a) σ₀.
    fn stiffness(&self, slides: bool) -> P {
        let p = &self.parameters;
        if slides {
            p.bristle_stiffness
        } else {
            p.static_coefficient / self.z_0
        }
    }

    /// ż and F.
    fn evaluate<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        z: &[T; D],
        slides: bool,
    ) -> ([T; D], [T; D]) {
        let (v, n) = (&slip.velocity, slip.normal_force);
        let dz = if slides {
            elements::rate(z, v, P::from_f64(1.0), T::of(self.z_0))
        } else {
            *v
        };
        let stiffness = self.stiffness(slides);
        let sigma_1 = self.parameters.bristle_damping;
        let force = std::array::from_fn(|i| n * (z[i] * stiffness + dz[i] * sigma_1));
        (dz, force)
    }

    /// z after a step that may slide.
    fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
    ) -> [T; D] {
        let (start, limit) = (old_vector_at(old, 0), T::of(self.z_0));
        elements::advance(&start, &travel(step).0, P::from_f64(1.0), limit, limit)
    }

    /// The force at the end of a step, with the state there.
    fn finish<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        z: &[T; D],
        slides: bool,
        new: &mut [T],
    ) -> [T; D] {
        new[..D].copy_from_slice(z);
        new[D] = T::from_f64(if slides { 1.0 } else { 0.0 });
        self.evaluate(&step.end, z, slides).1
    }
}

impl<P: Scalar> Law<P> for ResetIntegrator<P> {
    type Kind = General;

    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let (dz, force) = self.evaluate(slip, &vector_at(state, 0), state[D].value() > 0.5);
        rates[..D].copy_from_slice(&dz);
        rates[D] = T::zero();
        force
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let z = self.advance(step, old);
        let at_limit = norm(&z).value() >= self.z_0.value() * (1.0 - AT_LIMIT);
        let slides = at_limit && dot(&z, &step.end.velocity).value() >= 0.0;
        self.finish(step, &z, slides, new)
    }

    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        if old[D].value() > 0.5 {
            return self.finish(step, &self.advance(step, old), true, new);
        }
        let d = travel(step).0;
        self.finish(step, &std::array::from_fn(|i| d[i] + old[i]), false, new)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        (speed.value() > 0.0).then_some(self.parameters.kinetic_coefficient * normal_force)
    }
}
