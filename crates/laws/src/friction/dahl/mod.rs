//! `dahl`: Dahl's law, with any exponent.

mod card;
#[cfg(test)]
mod tests;

use crate::card::{Default, Range, Typical};
use crate::kind::{Bristle, BristleForce, BristleLaw, Bristles, Formulas, General, Sliding};
use crate::law::Law;
use crate::law::slip::{REST, Slip, Step, direction, dot, norm, old_vector_at, travel, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;

parameters! {
    /// Dahl's law.
    ///
    /// $$ \dot{\mathbf z} = |1-r|^n \operatorname{sgn}(1-r)\,\mathbf v
    ///      - \frac{\sigma_0|\mathbf v|}{\mu_k}\bigl(\mathbf z - (\mathbf z\cdot\mathbf u)\mathbf u\bigr), \qquad
    ///    r = \frac{\sigma_0}{\mu_k}\,\mathbf z\cdot\mathbf u, \qquad \mathbf F = N\sigma_0\mathbf z $$
    ///
    /// **State.** One vector z (m), initially 0.
    /// **Reproduces** presliding hysteresis, independent of the rate.
    /// **Cannot** have a static level above the kinetic one, hold against vibration, or keep inner loops.
    /// **Numerics.** Exact in the travelled length, for every n. For n < 1 z reaches μk/σ₀ after a
    /// finite travel.
    /// **Source.** Dahl 1968, 1976. n = 1 in two and three dimensions is LuGre with σ₁ = σ₂ = 0,
    /// μs = μk; for other n the vector form is ours, and meant for one dimension when n < 1.
    pub law Dahl<P> for "dahl" {
        /// Bristle stiffness per unit of normal force.
        bristle_stiffness: P = {
            symbol: "sigma_0", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
        /// Exponent: 1 for a simple relaxation, towards 0 brittle, above 1 ductile.
        dahl_exponent: P = {
            symbol: "n", unit: "1", role: Shape, range: Range::Closed(0.0, 10.0), typical: Typical::Number(1.0),
            default: Default::Number(1.0),
        },
    }
}

/// Distances 1 − r below this are 0: the derivatives of their powers would overflow.
const NEGLIGIBLE: f64 = 1e-100;

/// −ln(1 − m w)/m as a series, smooth through m = 0; none where the series is slow.
fn falling_exponent<P: Scalar, T: Scalar + MixesWith<P>>(w: T, m: P) -> Option<T> {
    let x = w * m;
    if x.value().abs() > 0.01 {
        return None;
    }
    // the next term is below 1e-16
    let sum = [7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
        .into_iter()
        .fold(T::from_f64(0.125), |sum, k| sum * x + 1.0 / k);
    Some(w * sum)
}

impl<P: Scalar> Dahl<P> {
    fn is_linear(&self) -> bool {
        (self.dahl_exponent.value() - 1.0).abs() < 1e-9 && self.dahl_exponent.is_constant()
    }

    /// |y|ⁿ sgn y, the slope left at the distance y = 1 − r from the limit.
    fn slope<T: Scalar + MixesWith<P>>(&self, y: T) -> T {
        let size = y.abs();
        if size.value() <= NEGLIGIBLE {
            return T::zero();
        }
        let power = size.power(self.dahl_exponent);
        if y.value() < 0.0 { -power } else { power }
    }

    /// How much y falls over the travel a = σ₀ s/μk: |y|^(1−n) falls by (1 − n) a, not below 0.
    fn fall<T: Scalar + MixesWith<P>>(&self, y: T, a: T) -> T {
        let size = y.abs();
        let missing = -self.dahl_exponent + 1.0;
        if size.value() <= NEGLIGIBLE {
            return y;
        }
        let inverse = P::from_f64(1.0) / missing;
        let share = size.power(-missing) * a;
        let fall = if let Some(exponent) = falling_exponent(share, missing) {
            // a short travel, or n near 1: no difference of numbers that are nearly the same
            -(size * (-exponent).exp_m1())
        } else if missing.value() > 0.0 {
            let base = size.power(missing) - a * missing;
            if base.value() <= 0.0 {
                size
            } else {
                size - base.power(inverse)
            }
        } else {
            // the same with |y| taken out, so that nothing overflows at small |y|
            size - size * (share * -missing + 1.0).power(inverse)
        };
        if y.value() < 0.0 { -fall } else { fall }
    }

    /// z after a straight displacement d of length s.
    fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        z: &[T; D],
        d: &[T; D],
        s: T,
    ) -> [T; D] {
        let per_length = self.bristle_stiffness / self.kinetic_coefficient;
        let a = s * per_length;
        if s.value() <= REST {
            // at rest, the tangent is the mean of the two directions along z
            let r = norm(z) * per_length;
            let slope = (self.slope(-r + 1.0) + self.slope(r + 1.0)) * 0.5;
            return std::array::from_fn(|i| z[i] + slope * d[i]);
        }
        let u = direction(d, s);
        let along = dot(z, &u);
        let moved = along + self.fall(-(along * per_length) + 1.0, a) / per_length;
        let (decay, _) = a.relaxation();
        std::array::from_fn(|i| moved * u[i] + decay * (z[i] - along * u[i]))
    }
}

impl<P: Scalar> Law<P> for Dahl<P> {
    type Kind = General;

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        if self.is_linear() {
            return Bristles::rates(self, slip, state, rates);
        }
        let z = vector_at::<T, D>(state, 0);
        let v = &slip.velocity;
        let speed = norm(v);
        let per_length = self.bristle_stiffness / self.kinetic_coefficient;
        let u = direction(v, speed);
        let along = dot(&z, &u);
        let slope = self.slope(-(along * per_length) + 1.0);
        for i in 0..D {
            rates[i] = slope * v[i] - speed * per_length * (z[i] - along * u[i]);
        }
        z.map(|z| slip.normal_force * (z * self.bristle_stiffness))
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        if self.is_linear() {
            return Bristles::update(self, step, old, new);
        }
        let (d, s) = travel(step);
        let z = self.advance(&old_vector_at(old, 0), &d, s);
        new[..D].copy_from_slice(&z);
        z.map(|z| step.end.normal_force * (z * self.bristle_stiffness))
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        BristleLaw::steady(self, speed, normal_force)
    }
}

/// The law with n = 1.
impl<P: Scalar> BristleLaw<P, 1> for Dahl<P> {
    #[inline(always)]
    fn bristles<T: MixesWith<P>>(&self, at: &Sliding<T>) -> [Bristle<T>; 1] {
        let per_length = self.bristle_stiffness / self.kinetic_coefficient;
        [Bristle::deflection(at.speed * per_length)]
    }

    #[inline(always)]
    fn force(&self) -> BristleForce<P, 1> {
        BristleForce::elastic([self.bristle_stiffness])
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        (speed.value() > 0.0).then_some(self.kinetic_coefficient * normal_force)
    }
}
