//! `gms`: the generalised Maxwell-slip law.

mod advance;
mod border;
mod card;
mod event;
mod mode;

use self::advance::ElementDrive;
use self::mode::ElementMode;
use crate::card::{Default, Range, Relation, Typical};
use crate::curve::Curve;
use crate::kind::General;
use crate::kind::elements::{Elements, check_fractions};
use crate::law::Law;
use crate::law::slip::{REST, Slip, Step, direction, dot, norm, old_vector_at, travel, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the generalised Maxwell-slip law; forces are per unit of normal force.
    pub struct GmsParameters<P> for "gms" with stribeck {
        /// Stiffness of every element per unit of normal force, at most ten.
        element_stiffnesses: Vec<P> = {
            symbol: "k_i", unit: "1/m", role: Stiffness, range: Range::Positive,
            typical: Typical::List(&[4e3, 3e3, 2e3, 1e3]),
        },
        /// Share of every element in the Stribeck curve; the sum is 1.
        element_fractions: Vec<P> = {
            symbol: "alpha_i", unit: "1", role: Share, range: Range::Positive,
            typical: Typical::List(&[0.1, 0.2, 0.3, 0.4]),
                    relation: Relation::SumIsOne,
        },
        /// Rate at which a sliding element follows the Stribeck curve.
        attraction: P = {
            symbol: "C", unit: "1/s", role: Time, range: Range::Positive, typical: Typical::Number(5.0),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
    }
}

/// The generalised Maxwell-slip law.
///
/// $$ \text{stuck: } \dot{\mathbf f}_i = k_i\mathbf v; \qquad
///    \text{sliding: } \dot{\mathbf f}_i = C\Bigl(\alpha_i\mathbf u - \frac{\mathbf f_i}{g(|\mathbf v|)}\Bigr); \qquad
///    \mathbf F = N\Bigl(\sum\mathbf f_i + \sigma_2\mathbf v\Bigr) $$
///
/// An element slides from |fᵢ| > αᵢ g(|v|) with fᵢ·v > 0, until v = 0 or fᵢ·v < 0.
///
/// **States.** Per element a vector fᵢ (1), and a mode (0 stuck, 1 sliding, 2 and 3 on the border),
/// initially 0.
/// **Reproduces** hysteresis with non-local memory, lag (time constant g/C), stick–slip, no drift.
/// **Border.** As the motion turns away from a sliding element with |fᵢ| > αᵢ g, it may reach fᵢ·v = 0
/// where sliding drives it on (C αᵢ |v| + fᵢ·dv/dt < 0) and sticking drives it back
/// (kᵢ |v|² + fᵢ·dv/dt > 0). It then does both by turns without end; in the limit (Filippov) it is
/// held on fᵢ·v = 0 (mode 2), stuck for the share of the time that keeps it there, and |fᵢ| falls. At
/// αᵢ g it sticks, or, while g falls too, follows αᵢ g (mode 3).
/// **Numerics.** Exact at constant v, with every start of sliding located, so that the result does
/// not depend on how such a motion is cut; of second order along the border.
/// **Source.** Al-Bender, Lampaert, Swevers 2005. The vector form is ours (elements in the plane,
/// each with its own direction).
#[derive(Clone, Debug, PartialEq)]
pub struct Gms<P = f64> {
    parameters: GmsParameters<P>,
    curve: Curve<P>,
    elements: Elements<P>,
}

impl<P: Scalar> Gms<P> {
    /// The law.
    ///
    /// # Errors
    /// If the lists are too long or of different length, if the fractions do not add to 1, or if
    /// `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: GmsParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        let (k, fractions) = (
            &parameters.element_stiffnesses,
            &parameters.element_fractions,
        );
        let elements = Elements::new("gms", k, "element_fractions", fractions)?;
        check_fractions("gms", fractions)?;
        Ok(Self {
            parameters,
            curve,
            elements,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &GmsParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> Law<P> for Gms<P> {
    type Kind = General;

    /// With the mode that holds at these conditions: a stored sliding mode ends at v = 0 and at
    /// f·v < 0, a stuck one beyond its limit.
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let v = &slip.velocity;
        let speed = norm(v);
        let (u, g) = (direction(v, speed), self.curve.value(speed));
        let moves = speed.value() > REST;
        // C/g once: a quotient for every component would cost more than the rest
        let pace = T::of(self.parameters.attraction) / g;
        let mut sum = v.map(|v| v * self.parameters.viscous_coefficient);
        for element in 0..self.elements.count {
            let f = vector_at::<T, D>(state, element);
            let power = dot(&f, &u).value();
            let level = g * self.elements.level[element];
            let stored =
                ElementMode::of(state[self.elements.count * D + element]) != ElementMode::Stuck;
            let beyond = dot(&f, &f).value() > (level * level).value();
            let slides = moves && (stored && power >= 0.0 || beyond && power > 0.0);
            for i in 0..D {
                rates[element * D + i] = if slides {
                    (level * u[i] - f[i]) * pace
                } else {
                    v[i] * self.elements.stiffness[element]
                };
                sum[i] = sum[i] + f[i];
            }
            rates[self.elements.count * D + element] = T::zero();
        }
        sum.map(|f| slip.normal_force * f)
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (displacement, path) = travel(step);
        let speed = norm(&step.mean.velocity);
        let g = self.curve.value(speed);
        let drive = ElementDrive {
            displacement,
            path,
            u: direction(&step.mean.velocity, speed),
            duration: step.duration,
            g,
            decay: self.decay(T::from_f64(step.duration), g),
            first: std::array::from_fn(|i| step.mean.velocity[i] * 2.0 - step.end.velocity[i]),
            last: step.end.velocity,
        };
        let v = &step.end.velocity;
        let mut sum = v.map(|v| v * self.parameters.viscous_coefficient);
        for element in 0..self.elements.count {
            let mode = self.elements.count * D + element;
            let (f, ends) = self.advance(
                element,
                &old_vector_at(old, element),
                ElementMode::of(old[mode]),
                &drive,
            );
            for i in 0..D {
                new[element * D + i] = f[i];
                sum[i] = sum[i] + f[i];
            }
            new[mode] = T::from_f64(ends.number());
        }
        sum.map(|f| step.end.normal_force * f)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let total = self
            .elements
            .level
            .iter()
            .fold(P::zero(), |sum, x| sum + *x);
        let viscous = self.parameters.viscous_coefficient * speed;
        (speed.value() > 0.0).then(|| (self.curve.value(speed) * total + viscous) * normal_force)
    }
}
