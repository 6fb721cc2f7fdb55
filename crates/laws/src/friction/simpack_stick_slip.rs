//! `simpack_stick_slip`: the stick–slip friction of Simpack.

use crate::card::StateCard;
use crate::card::{Behaviour, Default, Equation, LawCard, Range, Relation, Typical};
use crate::kind::General;
use crate::kind::remembered_direction::{MEMORY, followed, heading, turned};
use crate::law::slip::{
    RATE_INDEPENDENT_SLIP_SPEED, REST, Slip, Step, direction, dot, norm, old_vector_at, travel,
    vector_at,
};
use crate::law::{FrictionLaw, Law, StateLayout};
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

/// State of a pair.
#[derive(Clone, Copy)]
struct Contact<T, const D: usize> {
    x: [T; D],
    last: [T; D],
    slips: bool,
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

    /// The state at the return to stick.
    #[inline(always)]
    fn stuck<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        last: &[T; D],
        n: T,
    ) -> Contact<T, D> {
        let p = &self.parameters;
        let x = if p.preloaded {
            let last = direction(last, norm(last));
            last.map(|e| n * e * (p.kinetic_coefficient / p.stick_stiffness))
        } else {
            [T::zero(); D]
        };
        Contact {
            x,
            last: [T::zero(); D],
            slips: false,
        }
    }

    /// The state of a pair that moves without load: there is nothing to turn back against.
    #[inline(always)]
    fn free<T: Scalar, const D: usize>(v: &[T; D], speed: T) -> Contact<T, D> {
        Contact {
            x: [T::zero(); D],
            last: direction(v, speed),
            slips: true,
        }
    }

    #[inline(always)]
    fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        contact: &Contact<T, D>,
    ) -> [T; D] {
        let p = &self.parameters;
        let (v, n) = (&slip.velocity, slip.normal_force);
        if n.value() <= 0.0 {
            return [T::zero(); D];
        }
        if contact.slips {
            let u = heading(v, &contact.last);
            return u.map(|u| n * u * p.kinetic_coefficient);
        }
        std::array::from_fn(|i| contact.x[i] * p.stick_stiffness + v[i] * p.stick_damping)
    }

    /// The state after a step.
    #[inline(always)]
    fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &Contact<T, D>,
    ) -> Contact<T, D> {
        let (d, s) = travel(step);
        let (v, n) = (&step.end.velocity, step.end.normal_force);
        let speed = norm(v);
        if n.value() <= 0.0 && speed.value() > REST {
            return Self::free(v, speed);
        }
        let mut contact = *old;
        if contact.slips && (s.value() <= REST || dot(&d, &contact.last).value() < 0.0) {
            contact = self.stuck(&contact.last, n);
        }
        if !contact.slips {
            for (x, d) in contact.x.iter_mut().zip(&d) {
                *x = *x + *d;
            }
            let size = norm(&contact.x);
            let limit = n.value() * self.parameters.static_coefficient.value();
            if size.value() * self.parameters.stick_stiffness.value() <= limit && n.value() > 0.0 {
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
                direction(&contact.x, size)
            };
            return Contact {
                x: [T::zero(); D],
                last,
                slips: true,
            };
        }
        contact.last = turned(&contact.last, &d, s);
        if dot(v, &contact.last).value() <= 0.0 {
            self.stuck(&contact.last, n)
        } else {
            contact
        }
    }
}

impl<P: Scalar> Law<P> for SimpackStickSlip<P> {
    type Kind = General;

    fn start<const D: usize>(&self, slip: &Slip<P, D>, state: &mut [P]) {
        state.fill(P::zero());
        let speed = norm(&slip.velocity);
        state[D..2 * D].copy_from_slice(&direction(&slip.velocity, speed));
        state[2 * D] = P::from_f64(if speed.value() > 0.0 { 1.0 } else { 0.0 });
    }

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let contact = Contact {
            x: vector_at(state, 0),
            last: vector_at(state, 1),
            slips: state[2 * D].value() > 0.5,
        };
        let v = &slip.velocity;
        let speed = norm(v);
        for i in 0..D {
            (rates[i], rates[D + i]) = if contact.slips {
                (T::zero(), (v[i] - speed * contact.last[i]) / MEMORY)
            } else {
                (v[i], T::zero())
            };
        }
        rates[2 * D] = T::zero();
        self.force(slip, &contact)
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let contact = Contact {
            x: old_vector_at(old, 0),
            last: old_vector_at(old, 1),
            slips: old[2 * D].value() > 0.5,
        };
        let contact = self.advance(step, &contact);
        new[..D].copy_from_slice(&contact.x);
        new[D..2 * D].copy_from_slice(&contact.last);
        new[2 * D] = T::from_f64(if contact.slips { 1.0 } else { 0.0 });
        self.force(&step.end, &contact)
    }

    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (v, n) = (&step.end.velocity, step.end.normal_force);
        new[2 * D] = T::of(old[2 * D]);
        if old[2 * D].value() < 0.5 {
            let (d, _) = travel(step);
            for i in 0..D {
                new[i] = d[i] + old[i];
                new[D + i] = T::zero();
            }
            let contact = Contact {
                x: vector_at(new, 0),
                last: [T::zero(); D],
                slips: false,
            };
            return self.force(&step.end, &contact);
        }
        new[..D].fill(T::zero());
        let speed = norm(v);
        if n.value() <= 0.0 && speed.value() > REST {
            new[D..2 * D].copy_from_slice(&Self::free(v, speed).last);
            return [T::zero(); D];
        }
        let (last, u) = followed(&old_vector_at(old, 1), step);
        new[D..2 * D].copy_from_slice(&last);
        let limit = n.max(T::zero()) * self.parameters.kinetic_coefficient;
        u.map(|u| limit * u)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        (speed.value() > 0.0).then_some(self.parameters.kinetic_coefficient * normal_force)
    }
}

impl FrictionLaw for SimpackStickSlip {
    const CARD: LawCard<'static> = LawCard {
        name: "simpack_stick_slip",
        title: "Simpack, stick-slip",
        summary: "A spring and damper in stick, the kinetic level in slip, with a switch between.",
        equations: &[
            Equation {
                text: "stick: dx/dt = v,  F = c_f x + d_f v,  until |c_f x| > mu_s N",
                tex: r"\dot{\mathbf x}=\mathbf v,\quad \mathbf F = c_f\mathbf x + d_f\mathbf v,\quad \text{until } |c_f\mathbf x| > \mu_s N",
                source: "Schuderer et al., section 2",
            },
            Equation {
                text: "slip: F = mu_k N u,  until v = 0 or v reversed; then x = 0, or mu_k N/c_f times the last direction if preloaded",
                tex: r"\mathbf F = \mu_k N\,\mathbf u",
                source: "Schuderer et al., section 2; vector form of this project",
            },
        ],
        parameters: SimpackStickSlipParameters::CARDS,
        states: &[
            StateCard::new("x", "m", "displacement in stick (vector)"),
            StateCard::new("e", "1", "last slip direction, 0 in stick (vector)"),
            StateCard::new("mode", "1", "0 stick, 1 slip"),
        ],
        behaviour: &[Behaviour::Holds, Behaviour::Jumps],
        printed: None,
        reproduces: &[
            "static and kinetic level",
            "stick-slip",
            "presliding displacement (one spring)",
            "hold without drift",
        ],
        cannot: &[
            "Stribeck effect, frictional lag, varying break-away force, viscous friction",
            "a continuous force: it jumps at both switches",
            "a normal force that changes in stick: F stays what it was, until release",
        ],
        source: "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2",
        remarks: "Vector form ours: stick returns when v.e < 0 with the last slip direction e. In stick |F| may exceed mu_s N by d_f |v|. At N = 0 the pair is released, and e is u.",
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 2,
            scalars: 1,
        }
    }

    fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
        let n = slip.normal_force;
        if state[2 * D] > 0.5 {
            let along = dot(&slip.velocity, &vector_at(state, 1));
            return if n > 0.0 {
                along / RATE_INDEPENDENT_SLIP_SPEED
            } else {
                f64::INFINITY
            };
        }
        let p = &self.parameters;
        let force = p.stick_stiffness * norm(&vector_at::<f64, D>(state, 0));
        let limit = p.static_coefficient * n.max(0.0);
        if force + limit > 0.0 {
            (limit - force) / (limit + force)
        } else {
            0.0
        }
    }

    fn change_mode<const D: usize>(&self, slip: &Slip<f64, D>, state: &mut [f64]) {
        let slips = state[2 * D] > 0.5;
        let contact = if slips {
            self.stuck(&vector_at(state, 1), slip.normal_force.max(0.0))
        } else {
            let (x, speed) = (vector_at(state, 0), norm(&slip.velocity));
            let last = if speed > REST {
                direction(&slip.velocity, speed)
            } else {
                direction(&x, norm(&x))
            };
            Contact {
                x: [0.0; D],
                last,
                slips: true,
            }
        };
        state[..D].copy_from_slice(&contact.x);
        state[D..2 * D].copy_from_slice(&contact.last);
        state[2 * D] = if contact.slips { 1.0 } else { 0.0 };
    }

    fn stored_energy<const D: usize>(&self, _normal_force: f64, state: &[f64]) -> f64 {
        let x = vector_at::<f64, D>(state, 0);
        0.5 * self.parameters.stick_stiffness * dot(&x, &x)
    }

    fn slip_speed(&self) -> f64 {
        RATE_INDEPENDENT_SLIP_SPEED
    }

    fn breakaway_deflection(&self, normal_force: f64) -> Option<f64> {
        let p = &self.parameters;
        Some(p.static_coefficient * normal_force / p.stick_stiffness)
    }
}
