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

    /// The state after a step under load.
    #[inline(always)]
    pub(super) fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &SpringSlip<T, D>,
    ) -> SpringSlip<T, D> {
        let (d, s) = travel(step);
        let (v, n) = (&step.end.velocity, step.end.normal_force);
        if !old.slips {
            return self.held_or_released(old.x, &d, s, n);
        }
        if s.value() <= REST || dot(&d, &old.last).value() < 0.0 {
            return self.held_or_released(self.stuck(old, n).x, &d, s, n);
        }
        let last = turned(&old.last, &d, s, P::from_f64(MEMORY));
        if dot(v, &last).value() <= 0.0 {
            self.stuck(&SpringSlip::sliding(last), n)
        } else {
            SpringSlip::sliding(last)
        }
    }

    /// The state after a step from a spring at x, along a path d of length s.
    #[inline]
    fn held_or_released<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        x: [T; D],
        d: &[T; D],
        s: T,
        n: T,
    ) -> SpringSlip<T, D> {
        let x = std::array::from_fn(|i| x[i] + d[i]);
        let limit = n.value() * self.parameters.static_coefficient.value();
        if length(&x) * self.parameters.stick_stiffness.value() <= limit {
            SpringSlip::held_at(x)
        } else if s.value() > REST {
            SpringSlip::sliding(direction(d, s))
        } else {
            // the load fell at rest: along the spring
            SpringSlip::sliding(direction(&x, norm(&x)))
        }
    }

    /// The state after a step without load that ends at this velocity: there is nothing to turn back
    /// against, and at rest nothing to hold.
    #[inline]
    pub(super) fn unloaded<T: Scalar, const D: usize>(v: &[T; D]) -> SpringSlip<T, D> {
        if length(v) > REST {
            SpringSlip::sliding(direction(v, norm(v)))
        } else {
            SpringSlip::unloaded()
        }
    }
}
