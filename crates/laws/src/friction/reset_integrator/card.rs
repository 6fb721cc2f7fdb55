//! The card of `reset_integrator`, and the rest that is asked of a law.

use super::ResetIntegrator;
use super::ResetIntegratorParameters;
use crate::card::{Behaviour, Equation, LawCard, StateCard};
use crate::kind::spring_slip::SpringSlip;
use crate::law::slip::{RATE_INDEPENDENT_SLIP_SPEED, Slip, dot};
use crate::law::{FrictionLaw, StateLayout};

impl FrictionLaw for ResetIntegrator {
    const CARD: LawCard<'static> = LawCard {
        name: "reset_integrator",
        title: "Reset integrator (Haessig and Friedland)",
        summary: "A spring that ends at a deflection, where its stiffness falls: stiction that is lost as the pair slides.",
        equations: &[
            Equation {
                text: "dz/dt = v until |z| = z_0 = mu_k/sigma_0; then z = z_0 u until v reverses",
                tex: r"\dot{\mathbf z}=\mathbf v\ \text{until}\ |\mathbf z|=z_0=\mu_k/\sigma_0;\ \text{then}\ \mathbf z=z_0\mathbf u\ \text{until}\ \mathbf v\ \text{reverses}",
                source: "Haessig and Friedland 1991, vector form of this project",
            },
            Equation {
                text: "F = N ((1 + a) sigma_0 z + sigma_1 dz/dt),  a = mu_s/mu_k - 1 for |z| < z_0, else 0",
                tex: r"\mathbf F = N\bigl[(1+a)\sigma_0\mathbf z+\sigma_1\dot{\mathbf z}\bigr],\quad a=\mu_s/\mu_k-1\ \text{for}\ |\mathbf z|<z_0,\ \text{else}\ 0",
                source: "Haessig and Friedland 1991, per unit of normal force",
            },
        ],
        parameters: ResetIntegratorParameters::CARDS,
        states: &[
            StateCard::vector("z", "m", "deflection in stick"),
            StateCard::vector("e", "1", "last slip direction, 0 in stick"),
            StateCard::scalar("mode", "1", "0 stick, 1 slip at the deflection z_0"),
        ],
        behaviour: &[Behaviour::Holds, Behaviour::Jumps],
        printed: None,
        reproduces: &[
            "static and kinetic level",
            "stick-slip",
            "presliding displacement (one spring)",
            "hold without drift",
            "varying normal force",
        ],
        cannot: &[
            "a continuous force: it drops as the pair breaks away, and rises again at once where v reverses",
            "Stribeck effect, frictional lag, varying break-away force, viscous friction",
        ],
        source: "Haessig, Friedland, On the modeling and simulation of friction, J. Dyn. Syst. Meas. Control 113 (1991) 354-362",
        remarks: "The gain a of the source is mu_s/mu_k - 1. The vector form is ours: in slip z = z_0 u, and stick returns when v.e < 0 with the last slip direction e, which follows u over l = 0.1 z_0 of travel, de/dt = (v - |v| e)/l.",
    };

    fn layout(&self) -> StateLayout {
        SpringSlip::<f64, 1>::layout(0)
    }

    fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
        let pair = SpringSlip::<f64, D>::at(state);
        if pair.slips {
            dot(&slip.velocity, &pair.last) / RATE_INDEPENDENT_SLIP_SPEED
        } else {
            pair.margin(self.reserve(&pair), &slip.velocity)
        }
    }

    fn change_mode<const D: usize>(&self, slip: &Slip<f64, D>, state: &mut [f64]) {
        let pair = SpringSlip::<f64, D>::at(state);
        let changed = if pair.slips {
            pair.stuck(self.z_0)
        } else {
            pair.released(&slip.velocity)
        };
        changed.store(state);
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let (p, pair) = (&self.parameters, SpringSlip::<f64, D>::at(state));
        let (stiffness, square) = if pair.slips {
            (p.bristle_stiffness, self.z_0 * self.z_0)
        } else {
            (p.static_coefficient / self.z_0, dot(&pair.x, &pair.x))
        };
        0.5 * stiffness * normal_force * square
    }

    fn slip_speed(&self) -> f64 {
        RATE_INDEPENDENT_SLIP_SPEED
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some(self.z_0)
    }
}
