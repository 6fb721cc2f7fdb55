//! `simpack_stick_slip`: the stick–slip friction of Simpack.

mod card;
mod contact;

use crate::card::{Default, Range, Relation, Typical};
use crate::kind::General;
use crate::kind::remembered_direction::MEMORY;
use crate::kind::spring_slip::SpringSlip;
use crate::law::Law;
use crate::law::slip::{REST, Slip, Step, direction, norm, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::{ParameterError, static_not_below_kinetic};

parameters! {
    /// Parameters of the stick–slip friction of Simpack.
    pub struct SimpackStickSlipParameters<P> for "simpack_stick_slip" {
        /// Stiffness in stick.
        stick_stiffness: P = {
            symbol: "c_f", unit: "N/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e5),
        },
        /// Damping in stick.
        stick_damping: P = {
            symbol: "d_f", unit: "N s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(316.228),
        },
        /// Whether stick starts with the spring at the kinetic level instead of unloaded.
        preloaded: bool = {
            symbol: "preloaded", unit: "1", role: Shape, range: Range::Finite, typical: Typical::Flag(false),
            default: Default::Flag(false),
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

/// The stick–slip friction of Simpack.
///
/// $$ \text{stick: } \dot{\mathbf x} = \mathbf v,\ \mathbf F = c_f\mathbf x + d_f\mathbf v,\ \text{until}\ |c_f\mathbf x| > \mu_s N;
///    \qquad \text{slip: } \mathbf F = \mu_k N\,\mathbf u,\ \text{until}\ \mathbf v = 0\ \text{or reversed} $$
///
/// At the return to stick x = 0, or x = (μk N/c_f) times the last slip direction if `preloaded`.
///
/// **States.** The vectors x (m) and e, the direction of the latest slip; the mode, 0 stick, 1 slip.
/// Starts in stick at rest, else in slip. In slip e follows u over ℓ = 10 µm of travel,
/// ė = (v − |v| e)/ℓ; on a straight path, and at N = 0, it is u.
/// **Cannot** follow a Stribeck curve; the force jumps at both switches, and in stick it does not
/// scale with N (it may exceed μs N by d_f v).
/// **Source.** Schuderer, Rill, Schaeffer, Schulz, section 2. The vector form is ours: "v changes
/// its sign" is v·e < 0.
#[derive(Clone, Debug, PartialEq)]
pub struct SimpackStickSlip<P = f64> {
    parameters: SimpackStickSlipParameters<P>,
}

impl<P: Scalar> SimpackStickSlip<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: SimpackStickSlipParameters<P>) -> Result<Self, ParameterError> {
        let (mu_s, mu_k) = (
            parameters.static_coefficient,
            parameters.kinetic_coefficient,
        );
        static_not_below_kinetic("simpack_stick_slip", mu_s, mu_k)?;
        Ok(Self { parameters })
    }

    /// The parameters.
    pub fn parameters(&self) -> &SimpackStickSlipParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> Law<P> for SimpackStickSlip<P> {
    type Kind = General;

    fn start<const D: usize>(&self, slip: &Slip<P, D>, state: &mut [P]) {
        SpringSlip::start(&slip.velocity).store(state);
    }

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        // one check of the length, in place of one at every access
        let (state, rates) = (&state[..=2 * D], &mut rates[..=2 * D]);
        let v = &slip.velocity;
        if state[2 * D].value() > 0.5 {
            let (last, speed) = (vector_at(state, 1), norm(v));
            let force = self.slip_force(slip, speed, &last);
            SpringSlip::rates_in_slip(v, speed, &last, P::from_f64(MEMORY), rates);
            force
        } else {
            SpringSlip::rates_in_stick(v, rates);
            self.stick_force(slip, &vector_at(state, 0))
        }
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (old, new) = (&old[..=2 * D], &mut new[..=2 * D]);
        if step.end.normal_force.value() <= 0.0 {
            Self::unloaded(&step.end.velocity).store(new);
            return [T::zero(); D];
        }
        let contact = self.advance(step, &SpringSlip::of(old));
        contact.store(new);
        self.force(&step.end, &contact)
    }

    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (v, n) = (&step.end.velocity, step.end.normal_force);
        let contact = SpringSlip::<T, D>::of(old);
        if !contact.slips {
            let held = contact.held(step);
            held.store(new);
            return self.stick_force(&step.end, &held.x);
        }
        let speed = norm(v);
        if n.value() <= 0.0 && speed.value() > REST {
            SpringSlip::sliding(direction(v, speed)).store(new);
            return [T::zero(); D];
        }
        let (slid, u) = contact.slid_in_mode(step, P::from_f64(MEMORY));
        slid.store(new);
        let limit = n.max(T::zero()) * self.parameters.kinetic_coefficient;
        u.map(|u| limit * u)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        (speed.value() > 0.0).then_some(self.parameters.kinetic_coefficient * normal_force)
    }
}
