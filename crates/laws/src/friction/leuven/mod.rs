//! `leuven`: LuGre whose bristle drives Maxwell-slip elements.

mod card;
mod flow;
mod path;
mod piece;
mod substep;

use self::piece::StraightPath;
use crate::card::{Default, Range, Relation, Typical};
use crate::curve::Curve;
use crate::kind::General;
use crate::kind::elements::{self, Elements, MAX_ELEMENTS};
use crate::law::Law;
use crate::law::slip::{Slip, Step, norm, old_vector_at, travel, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the Leuven law; forces are per unit of normal force.
    pub struct LeuvenParameters<P> for "leuven" with stribeck {
        /// Stiffness of every element per unit of normal force, at most ten.
        element_stiffnesses: Vec<P> = {
            symbol: "k_i", unit: "1/m", role: Stiffness, range: Range::Positive,
            typical: Typical::List(&[4e3, 3e3, 2e3, 1e3]),
        },
        /// Limit of every element per unit of normal force; the sum is mu_s or more.
        element_limits: Vec<P> = {
            symbol: "w_i", unit: "1", role: Share, range: Range::Positive,
            typical: Typical::List(&[0.02, 0.04, 0.05, 0.07]),
                    relation: Relation::SumNotBelow("static_coefficient"),
        },
        /// Exponent of the transition to sliding.
        leuven_exponent: P = {
            symbol: "n", unit: "1", role: Shape, range: Range::Closed(1.0, 20.0), typical: Typical::Number(2.0),
            default: Default::Number(1.0),
            fitted: true,
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
    }
}

/// The Leuven law in the form of Lampaert et al.
///
/// $$ \dot{\mathbf z} = \mathbf v - |\mathbf v|\Bigl(\frac{|\mathbf F_h|}{g(|\mathbf v|)}\Bigr)^n \frac{\mathbf F_h}{|\mathbf F_h|}, \qquad
///    \mathbf F_h = \sum\mathbf f_i, \qquad \mathbf F = N(\mathbf F_h + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v) $$
///
/// The elements fᵢ are driven by z: ḟᵢ = kᵢ ż up to |fᵢ| = wᵢ, where they slide until fᵢ·ż < 0.
///
/// **States.** Per element a vector fᵢ (1), initially 0; z itself is not needed.
/// **Reproduces** what `lugre` does, and inner loops that close the better the larger n.
/// **Numerics.** Along the path z advances by exponential steps of fourth order, which end where an
/// element comes to its limit or turns back from it; exact for n = 1 while no element turns. One
/// step and its parts agree within some 1e-6 of μs, 1e-5 where stiff elements turn. Bounded for
/// every Δt, as |fᵢ| ≤ wᵢ.
/// **Source.** Lampaert, Swevers, Al-Bender 2002. The vector form is ours. One element that never
/// slides, with n = 1, is `lugre`.
#[derive(Clone, Debug, PartialEq)]
pub struct Leuven<P = f64> {
    parameters: LeuvenParameters<P>,
    curve: Curve<P>,
    elements: Elements<P>,
}

/// Forces of the elements, the first `count` in use.
type Forces<T, const D: usize> = [[T; D]; MAX_ELEMENTS];

impl<P: Scalar> Leuven<P> {
    /// The law.
    ///
    /// # Errors
    /// If the lists are too long or of different length, if the limits add to less than
    /// `static_coefficient` (sliding would never be steady), or if `static_coefficient` is below
    /// `kinetic_coefficient`.
    pub fn new(parameters: LeuvenParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        let (k, w) = (&parameters.element_stiffnesses, &parameters.element_limits);
        let elements = Elements::new("leuven", k, "element_limits", w)?;
        let sum = w.iter().map(|w| w.value()).sum::<f64>();
        let highest = curve.highest().value();
        // limits typed as shares of mu_s may miss it by rounding
        if sum < highest * (1.0 - 1e-12) {
            return Err(ParameterError::Inconsistent {
                law: "leuven".into(),
                name: "element_limits".into(),
                value: sum,
                unit: "in all".into(),
                reason: format!("must add to static_coefficient = {highest} or more"),
            });
        }
        Ok(Self {
            parameters,
            curve,
            elements,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &LeuvenParameters<P> {
        &self.parameters
    }

    fn sum<T: Scalar + MixesWith<P>, const D: usize>(&self, f: &Forces<T, D>) -> [T; D] {
        let mut sum = [T::zero(); D];
        for f in &f[..self.elements.count] {
            for i in 0..D {
                sum[i] = sum[i] + f[i];
            }
        }
        sum
    }

    /// |Fh|^(n−1)/gⁿ: what Fh is multiplied with in dz/ds.
    fn loss<T: Scalar + MixesWith<P>>(&self, size: T, g: T) -> T {
        let n = self.parameters.leuven_exponent;
        let is = |x: f64| (n.value() - x).abs() < f64::EPSILON && n.is_constant();
        if is(1.0) {
            T::from_f64(1.0) / g
        } else if is(2.0) {
            size / g / g
        } else if size.value() > 0.0 {
            (size / g).power(n - 1.0) / g
        } else {
            T::zero()
        }
    }
}

impl<P: Scalar> Law<P> for Leuven<P> {
    type Kind = General;

    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let p = &self.parameters;
        let v = &slip.velocity;
        let mut f = [[T::zero(); D]; MAX_ELEMENTS];
        for (i, f) in f[..self.elements.count].iter_mut().enumerate() {
            *f = vector_at(state, i);
        }
        let sum = self.sum(&f);
        let speed = norm(v);
        let loss = self.loss(norm(&sum), self.curve.value(speed)) * speed;
        let dz: [T; D] = std::array::from_fn(|i| v[i] - loss * sum[i]);
        for i in 0..self.elements.count {
            let limit = T::of(self.elements.level[i]);
            let df = elements::rate(&f[i], &dz, self.elements.stiffness[i], limit);
            rates[i * D..(i + 1) * D].copy_from_slice(&df);
        }
        std::array::from_fn(|i| {
            let per_n = sum[i] + dz[i] * p.bristle_damping + v[i] * p.viscous_coefficient;
            slip.normal_force * per_n
        })
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let mut f = [[T::zero(); D]; MAX_ELEMENTS];
        for (i, f) in f[..self.elements.count].iter_mut().enumerate() {
            *f = old_vector_at(old, i);
        }
        let (d, s) = travel(step);
        let g = self.curve.value(norm(&step.mean.velocity));
        let f = self.advance(f, &StraightPath { d, s, g });
        for i in 0..self.elements.count {
            new[i * D..(i + 1) * D].copy_from_slice(&f[i]);
        }
        let mut unused = [T::zero(); MAX_ELEMENTS * 3];
        self.rates(&step.end, &new[..self.elements.count * D], &mut unused)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let viscous = self.parameters.viscous_coefficient * speed;
        Some((self.curve.value(speed) + viscous) * normal_force)
    }
}
