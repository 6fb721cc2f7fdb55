//! The card of `reset_integrator`, and the rest that is asked of a law.

use super::ResetIntegrator;
use super::ResetIntegratorParameters;
use crate::card::{Behaviour, Equation, LawCard, StateCard};
use crate::law::slip::{RATE_INDEPENDENT_SLIP_SPEED, Slip, dot, norm, vector_at};
use crate::law::{FrictionLaw, StateLayout};

impl FrictionLaw for ResetIntegrator {
    const CARD: LawCard<'static> = LawCard {
        name: "reset_integrator",
        title: "Reset integrator (Haessig and Friedland)",
        summary: "A spring that ends at a deflection, where its stiffness falls: stiction that is lost as the pair slides.",
        equations: &[
            Equation {
                text: "dz/dt = v until |z| = z_0 = mu_k/sigma_0, where the part along z ends",
                tex: r"\dot{\mathbf z}=\mathbf v\ \text{until}\ |\mathbf z|=z_0=\mu_k/\sigma_0",
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
            StateCard::new("z", "m", "deflection (vector)"),
            StateCard::new("mode", "1", "0 stuck, 1 sliding at |z| = z_0"),
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
        remarks: "The gain a of the source is mu_s/mu_k - 1. The vector form is ours: z slides along its circle.",
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 1,
        }
    }

    fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
        let z = vector_at::<f64, D>(state, 0);
        if state[D] > 0.5 {
            dot(&z, &slip.velocity) / (self.z_0 * RATE_INDEPENDENT_SLIP_SPEED)
        } else {
            1.0 - norm(&z) / self.z_0
        }
    }

    fn change_mode<const D: usize>(&self, _slip: &Slip<f64, D>, state: &mut [f64]) {
        state[D] = if state[D] > 0.5 { 0.0 } else { 1.0 };
        let size = norm(&vector_at::<f64, D>(state, 0));
        if state[D] > 0.5 && size > 0.0 {
            state[..D].iter_mut().for_each(|z| *z *= self.z_0 / size);
        }
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let z = vector_at::<f64, D>(state, 0);
        0.5 * self.stiffness(state[D] > 0.5) * normal_force * dot(&z, &z)
    }

    fn slip_speed(&self) -> f64 {
        RATE_INDEPENDENT_SLIP_SPEED
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some(self.z_0)
    }
}
