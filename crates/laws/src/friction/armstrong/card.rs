//! The card of `armstrong`, and the rest that is asked of a law.

use super::Armstrong;
use super::modes::{ArmstrongState, SCALARS};
use crate::card::{Behaviour, Equation, LawCard, StateCard};
use crate::kind::spring_slip::SpringSlip;
use crate::law::slip::{RATE_INDEPENDENT_SLIP_SPEED, Slip, dot, vector_at};
use crate::law::{FrictionLaw, StateLayout};

impl FrictionLaw for Armstrong {
    const CARD: LawCard<'static> = LawCard {
        name: "armstrong",
        title: "Armstrong-Hélouvry, seven parameters",
        summary: "Stick with a spring, slip with Stribeck friction that lags, and stiction that grows with the time at rest.",
        equations: &[
            Equation {
                text: "stick: dx/dt = v,  F = N k_t x,  until k_t |x| > mu_k + s,  s = s_a + (s_inf - s_a) t_2/(t_2 + gamma)",
                tex: r"\dot{\mathbf x}=\mathbf v,\quad\mathbf F=Nk_t\mathbf x,\quad\text{until }k_t|\mathbf x|>\mu_k+s,\quad s=s_a+(s_\infty-s_a)\frac{t_2}{t_2+\gamma}",
                source: "Armstrong-Hélouvry et al. 1994, per unit of normal force",
            },
            Equation {
                text: "slip: F = N (mu_k + s/(1 + (y/v_s)^2)) u + N sigma_2 v, until v = 0 or v reversed; then k_t x = F/N, t_2 = 0, s_a = s/(1 + (y/v_s)^2)",
                tex: r"\mathbf F=N\Bigl(\mu_k+\frac{s}{1+(y/v_s)^2}\Bigr)\mathbf u+N\sigma_2\mathbf v",
                source: "Armstrong-Hélouvry et al. 1994; the return to stick is a convention of this project",
            },
            Equation {
                text: "dy/dt = (|v| - y)/t_L",
                tex: r"\dot y=(|\mathbf v|-y)/t_L",
                source: "convention of this project: the source has y(t) = |v(t - t_L)|",
            },
        ],
        parameters: Self::CARDS,
        states: &[
            StateCard::vector("x", "m", "displacement in stick"),
            StateCard::vector("e", "1", "last slip direction, 0 in stick"),
            StateCard::scalar("mode", "1", "0 stick, 1 slip"),
            StateCard::scalar("t_2", "s", "time in stick"),
            StateCard::scalar(
                "s",
                "1",
                "Stribeck excess: at the start of stick, or frozen in slip",
            ),
            StateCard::scalar("y", "m/s", "delayed speed"),
        ],
        behaviour: &[
            Behaviour::Holds,
            Behaviour::Jumps,
            Behaviour::SteadyByHistory,
        ],
        printed: None,
        reproduces: &[
            "Stribeck effect",
            "stick-slip",
            "presliding displacement (one spring)",
            "hold without drift",
            "frictional lag",
            "break-away force that grows with the dwell time",
            "viscous friction",
        ],
        cannot: &[
            "a continuous force: it drops as the pair breaks away, if the speed is high before",
            "hysteresis with non-local memory",
        ],
        source: "Armstrong-Hélouvry, Dupont, Canudas de Wit, A survey of models, analysis tools and compensation methods for the control of machines with friction, Automatica 30 (1994) 1083-1138",
        remarks: "The lag of first order stands for the pure delay of the source. The vector form is ours: stick returns when v.e < 0 with the last slip direction e, which follows u over l = 0.1 mu_k/k_t of travel, de/dt = (v - |v| e)/l.",
    };

    fn layout(&self) -> StateLayout {
        SpringSlip::<f64, 1>::layout(SCALARS)
    }

    fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
        let contact = ArmstrongState::<f64, D>::at(state);
        if contact.pair.slips {
            dot(&slip.velocity, &contact.pair.last) / RATE_INDEPENDENT_SLIP_SPEED
        } else {
            contact.pair.margin(self.reserve(&contact), &slip.velocity)
        }
    }

    fn change_mode<const D: usize>(&self, slip: &Slip<f64, D>, state: &mut [f64]) {
        let contact = ArmstrongState::<f64, D>::at(state);
        let changed = if contact.pair.slips {
            self.stuck(&contact)
        } else {
            self.released(&contact, &slip.velocity)
        };
        changed.store(state);
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let x = vector_at::<f64, D>(state, 0);
        0.5 * self.stick_stiffness * normal_force * dot(&x, &x)
    }

    fn slip_speed(&self) -> f64 {
        self.stribeck_velocity
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some((self.kinetic_coefficient + self.stribeck_excess) / self.stick_stiffness)
    }
}
