//! The card of `simpack_stick_slip`, and the rest that is asked of a law.

use super::SimpackStickSlip;
use super::SimpackStickSlipParameters;
use crate::card::StateCard;
use crate::card::{Behaviour, Equation, LawCard};
use crate::kind::spring_slip::SpringSlip;
use crate::law::slip::{RATE_INDEPENDENT_SLIP_SPEED, REST, Slip, direction, dot, norm, vector_at};
use crate::law::{FrictionLaw, StateLayout};

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
            StateCard::vector("x", "m", "displacement in stick"),
            StateCard::vector("e", "1", "last slip direction, 0 in stick"),
            StateCard::scalar("mode", "1", "0 stick, 1 slip"),
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
        let contact = SpringSlip::<f64, D>::at(state);
        let contact = if contact.slips {
            self.stuck(&contact, slip.normal_force.max(0.0))
        } else {
            let speed = norm(&slip.velocity);
            SpringSlip::sliding(if speed > REST {
                direction(&slip.velocity, speed)
            } else {
                direction(&contact.x, norm(&contact.x))
            })
        };
        contact.store(state);
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
