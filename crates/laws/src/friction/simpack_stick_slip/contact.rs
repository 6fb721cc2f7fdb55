//! Stick and slip of `simpack_stick_slip`, and the changes between them.

use super::SimpackStickSlip;
use crate::kind::remembered_direction::{MEMORY, heading, turned};
use crate::kind::spring_slip::SpringSlip;
use crate::law::slip::{REST, Slip, Step, direction, dot, length, norm, travel};
use crate::numbers::scalar::{MixesWith, Scalar};

impl<P: Scalar> SimpackStickSlip<P> {
    /// Back in stick.
    #[inline(always)]
    pub(super) fn stuck<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &SpringSlip<T, D>,
        n: T,
    ) -> SpringSlip<T, D> {
        let p = &self.parameters;
        if p.preloaded {
            slip.stuck(n * (p.kinetic_coefficient / p.stick_stiffness))
        } else {
            SpringSlip::unloaded()
        }
    }

    /// c_f x + d_f v; none without load.
    #[inline(always)]
    pub(super) fn stick_force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        x: &[T; D],
    ) -> [T; D] {
        let p = &self.parameters;
        if slip.normal_force.value() <= 0.0 {
            return [T::zero(); D];
        }
        std::array::from_fn(|i| x[i] * p.stick_stiffness + slip.velocity[i] * p.stick_damping)
    }

    /// μk N u at |v| = `speed`; none without load.
    #[inline(always)]
    pub(super) fn slip_force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        speed: T,
        last: &[T; D],
    ) -> [T; D] {
        let n = slip.normal_force;
        if n.value() <= 0.0 {
            return [T::zero(); D];
        }
        let u = heading(&slip.velocity, speed, last);
        u.map(|u| n * u * self.parameters.kinetic_coefficient)
    }

    /// The force in stick or slip.
    #[inline(always)]
    pub(super) fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        contact: &SpringSlip<T, D>,
    ) -> [T; D] {
        if contact.slips {
            self.slip_force(slip, norm(&slip.velocity), &contact.last)
        } else {
            self.stick_force(slip, &contact.x)
        }
    }

    /// The state after a step.
    #[inline(always)]
    pub(super) fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &SpringSlip<T, D>,
    ) -> SpringSlip<T, D> {
        let (d, s) = travel(step);
        let (v, n) = (&step.end.velocity, step.end.normal_force);
        if n.value() <= 0.0 && length(v) > REST {
            // there is nothing to turn back against
            return SpringSlip::sliding(direction(v, norm(v)));
        }
        let mut contact = *old;
        if contact.slips && (s.value() <= REST || dot(&d, &contact.last).value() < 0.0) {
            contact = self.stuck(&contact, n);
        }
        if !contact.slips {
            for (x, d) in contact.x.iter_mut().zip(&d) {
                *x = *x + *d;
            }
            let limit = n.value() * self.parameters.static_coefficient.value();
            if length(&contact.x) * self.parameters.stick_stiffness.value() <= limit
                && n.value() > 0.0
            {
                return contact;
            }
            if n.value() <= 0.0 && s.value() <= REST {
                // nothing to hold and no motion: stuck, unloaded
                contact.x = [T::zero(); D];
                return contact;
            }
            // released: along the motion, or along the spring if the load fell away at rest
            let last = if s.value() > REST {
                direction(&d, s)
            } else {
                direction(&contact.x, norm(&contact.x))
            };
            return SpringSlip::sliding(last);
        }
        contact.last = turned(&contact.last, &d, s, P::from_f64(MEMORY));
        if dot(v, &contact.last).value() <= 0.0 {
            self.stuck(&contact, n)
        } else {
            contact
        }
    }
}
