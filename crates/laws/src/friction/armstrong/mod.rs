//! `armstrong`: the law of seven parameters, with dwell time and lag.

mod card;
mod lag;
mod modes;
#[cfg(test)]
mod tests;

use self::modes::ArmstrongState;
use crate::card::{Default, Range, Typical};
use crate::kind::General;
use crate::kind::spring_slip::SpringSlip;
use crate::law::Law;
use crate::law::slip::{REST, Slip, Step, dot, norm, travel};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;

parameters! {
    /// The law of seven parameters of Armstrong-Hélouvry, per unit of normal force.
    ///
    /// $$ \text{stick: } \mathbf F = N k_t\mathbf x,\ \dot{\mathbf x} = \mathbf v; \qquad
    ///    \text{slip: } \mathbf F = N\Bigl(\mu_k + \frac{s}{1+(y/v_s)^2}\Bigr)\mathbf u + N\sigma_2\mathbf v, \quad
    ///    \dot y = \frac{|\mathbf v| - y}{t_L} $$
    ///
    /// The pair breaks away where k_t |x| is above μk + s(t₂). In t₂ s of stick the Stribeck excess s rises from
    /// its value s_a at the end of the last slip, s = s_a + (s_∞ − s_a) t₂/(t₂ + γ); it is frozen in slip.
    ///
    /// **States.** The vectors x (m) and e, the direction of the latest slip; the mode, 0 stick, 1 slip; the
    /// dwell time t₂ (s), s, and the delayed speed y (m/s). It starts with s = s_∞.
    /// In slip e follows u over ℓ = μk/(10 k_t) of travel, ė = (v − |v| e)/ℓ; on a straight path it is u. A step
    /// takes |v| as a parabola for y.
    /// **Reproduces** break-away forces that rise with the dwell time, frictional lag, Stribeck effect.
    /// **Source.** Armstrong-Hélouvry, Dupont, Canudas de Wit 1994. In the source y is the speed of t_L ago; here
    /// a lag of first order, with the same delay in slow changes. The vector form is ours.
    pub law Armstrong<P> for "armstrong" {
        /// Stiffness in stick per unit of normal force.
        stick_stiffness: P = {
            symbol: "k_t", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
        /// Static friction coefficient after a long rest, less the kinetic one.
        stribeck_excess: P = {
            symbol: "s_inf", unit: "1", role: Drop, range: Range::Positive, typical: Typical::Number(0.05),
        },
        /// Speed at which half of the Stribeck excess is left.
        stribeck_velocity: P = {
            symbol: "v_s", unit: "m/s", role: StribeckSpeed, range: Range::Positive, typical: Typical::Number(4e-3),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
        /// Time by which the Stribeck effect follows the speed.
        memory_time: P = {
            symbol: "t_L", unit: "s", role: Time, range: Range::Positive, typical: Typical::Number(5e-3),
            default: Default::Number(5e-3),
        },
        /// Time at rest after which half of the Stribeck excess is back.
        dwell_time: P = {
            symbol: "gamma", unit: "s", role: Time, range: Range::Positive, typical: Typical::Number(0.1),
            default: Default::Number(0.1),
        },
    }
}

impl<P: Scalar> Law<P> for Armstrong<P> {
    type Kind = General;

    fn start<const D: usize>(&self, slip: &Slip<P, D>, state: &mut [P]) {
        let contact = ArmstrongState {
            pair: SpringSlip::start(&slip.velocity),
            dwell: P::zero(),
            excess: self.stribeck_excess,
            speed: norm(&slip.velocity),
        };
        contact.store(state);
    }

    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let contact = ArmstrongState::<T, D>::at(state);
        let v = &slip.velocity;
        contact.pair.rates(v, self.memory(), rates);
        let dwells = T::from_f64(if contact.pair.slips { 0.0 } else { 1.0 });
        let delayed = (norm(v) - contact.speed) / self.memory_time;
        rates[2 * D + 1..].copy_from_slice(&[dwells, T::zero(), delayed]);
        self.force(slip, &contact, &contact.pair.heading(v))
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let mut contact = ArmstrongState::<T, D>::of(old);
        let ((d, s), v) = (travel(step), &step.end.velocity);
        if contact.pair.slips && (s.value() <= REST || contact.pair.turns_back(step)) {
            contact = self.stuck(&contact);
        }
        if contact.pair.slips {
            contact.pair = contact.pair.slid(step, self.memory());
            contact.speed = self.delayed(step, contact.speed);
            if dot(v, &contact.pair.last).value() <= 0.0 {
                contact = self.stuck(&contact);
            }
        } else {
            let held = self.held(step, &contact);
            contact = match self.break_away(&contact, &held) {
                None => held,
                Some(place) => self.released(&place, &d),
            };
        }
        contact.store(new);
        self.force(&step.end, &contact, &contact.pair.heading(v))
    }

    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let contact = ArmstrongState::<T, D>::of(old);
        if contact.pair.slips {
            let (pair, u) = contact.pair.slid_in_mode(step, self.memory());
            let slid = ArmstrongState {
                pair,
                speed: self.delayed(step, contact.speed),
                ..contact
            };
            slid.store(new);
            return self.force(&step.end, &slid, &u);
        }
        let held = self.held(step, &contact);
        held.store(new);
        self.force(&step.end, &held, &step.end.velocity)
    }

    /// After a long rest before.
    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let y = (speed / self.stribeck_velocity).min(P::from_f64(1e100));
        let level = self.stribeck_excess / (y * y + 1.0) + self.kinetic_coefficient;
        let force = (level + self.viscous_coefficient * speed) * normal_force;
        (speed.value() > 0.0).then_some(force)
    }
}
