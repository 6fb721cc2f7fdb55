//! `reset_integrator`: a bristle that stops growing, and loses its stiction, at a deflection.

mod card;
#[cfg(test)]
mod tests;

use crate::card::{Default, Range, Relation, Typical};
use crate::kind::General;
use crate::kind::elements::AT_LIMIT;
use crate::kind::spring_slip::{SpringSlip, memory};
use crate::law::Law;
use crate::law::slip::{Slip, Step, dot, norm, travel};
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
/// At the limit the pair slides with z = z₀ u, F = μk N u, until the motion reverses.
///
/// **States.** The vectors z (m; 0 in slip, where it is z₀ u) and e, the direction of the latest
/// slip; the mode, 0 stick, 1 slip. It starts stuck, z = 0. In slip e follows u over ℓ = z₀/10 of
/// travel, ė = (v − |v| e)/ℓ; on a straight path it is u.
/// **Cannot** stay low: the force drops by (μs − μk) N as it breaks away, and rises again at once
/// where the motion reverses.
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

    /// How far z is below its limit, over the limit.
    fn reserve<T: Scalar + MixesWith<P>, const D: usize>(&self, pair: &SpringSlip<T, D>) -> T {
        -(norm(&pair.x) / self.z_0) + 1.0
    }

    /// F of the pair, in slip along u.
    fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        pair: &SpringSlip<T, D>,
        u: &[T; D],
    ) -> [T; D] {
        let (p, v, n) = (&self.parameters, &slip.velocity, slip.normal_force);
        if pair.slips {
            return u.map(|u| n * (u * p.kinetic_coefficient));
        }
        // (1 + a) σ₀
        let stiffness = p.static_coefficient / self.z_0;
        std::array::from_fn(|i| n * (pair.x[i] * stiffness + v[i] * p.bristle_damping))
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
        let pair = SpringSlip::<T, D>::at(state);
        pair.rates(&slip.velocity, memory(self.z_0), rates);
        self.force(slip, &pair, &pair.heading(&slip.velocity))
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (v, z_0) = (&step.end.velocity, T::of(self.z_0));
        let mut pair = SpringSlip::<T, D>::of(old);
        if pair.slips && pair.turns_back(step) {
            pair = pair.stuck(z_0);
        }
        if pair.slips {
            pair = pair.slid(step, memory(self.z_0));
            if dot(v, &pair.last).value() < 0.0 {
                pair = pair.stuck(z_0);
            }
        } else {
            let held = pair.held(step);
            // back in stick z is at its limit, but for rounding
            pair = if self.reserve(&held).value() >= -AT_LIMIT {
                held
            } else {
                held.released(&travel(step).0)
            };
        }
        pair.store(new);
        self.force(&step.end, &pair, &pair.heading(v))
    }

    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let pair = SpringSlip::<T, D>::of(old);
        if pair.slips {
            let (slid, u) = pair.slid_in_mode(step, memory(self.z_0));
            slid.store(new);
            return self.force(&step.end, &slid, &u);
        }
        let held = pair.held(step);
        held.store(new);
        self.force(&step.end, &held, &step.end.velocity)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        (speed.value() > 0.0).then_some(self.parameters.kinetic_coefficient * normal_force)
    }
}
