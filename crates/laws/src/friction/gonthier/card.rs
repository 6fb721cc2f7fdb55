//! The card of `gonthier`, and the rest that is asked of a law.

use super::Gonthier;
use super::GonthierParameters;
use crate::card::{Behaviour, Equation, LawCard, StateCard};
use crate::law::slip::{dot, vector_at};
use crate::law::{FrictionLaw, StateLayout};
use crate::notice::Notice;
use crate::notice::Topic;

impl FrictionLaw for Gonthier {
    const CARD: LawCard<'static> = LawCard {
        name: "gonthier",
        title: "Gonthier et al.",
        summary: "Bristles with a break-away level that builds up with the time at rest.",
        equations: &[
            Equation {
                text: "s = exp(-(|v|/v_s)^2);  ds_dw/dt = (s - s_dw)/tau, tau = tau_dw for s >= s_dw, else sigma_1/sigma_0",
                tex: r"s = e^{-(|\mathbf v|/v_s)^2},\quad \dot s_{dw} = (s-s_{dw})/\tau",
                source: "Gonthier et al. 2004",
            },
            Equation {
                text: "dz/dt = s v + (1 - s) (mu_k/sigma_1 dir(v) - sigma_0/sigma_1 z),  dir(v) = v/|v|, smoothed below v_r",
                tex: r"\dot{\mathbf z} = s\mathbf v + (1-s)\bigl(\tfrac{\mu_k}{\sigma_1}\operatorname{dir}\mathbf v - \tfrac{\sigma_0}{\sigma_1}\mathbf z\bigr)",
                source: "Gonthier et al. 2004",
            },
            Equation {
                text: "F = N (sat(sigma_0 z + sigma_1 dz/dt, mu_k + (mu_s - mu_k) s_dw) + sigma_2 v)",
                tex: r"\mathbf F = N\bigl(\operatorname{sat}(\sigma_0\mathbf z+\sigma_1\dot{\mathbf z},\,\mu_k+(\mu_s-\mu_k)s_{dw})+\sigma_2\mathbf v\bigr)",
                source: "Gonthier et al. 2004, per unit of normal force",
            },
        ],
        parameters: GonthierParameters::CARDS,
        states: &[
            StateCard::vector("z", "m", "bristle deflection in the tangent plane"),
            StateCard::scalar(
                "s_dw",
                "1",
                "memory of rest, 0 sliding to 1 after a long dwell",
            ),
        ],
        behaviour: &[Behaviour::Holds],
        printed: None,
        reproduces: &[
            "stick-slip",
            "presliding displacement",
            "break-away force that grows with the dwell time",
            "frictional lag",
            "varying normal force",
        ],
        cannot: &[
            "hold without drift under a vibrating load (it does at rest)",
            "hysteresis with non-local memory",
            "follow the Stribeck curve of LuGre: its own steady force is min(f_max, mu_k + sigma_1 |v| s/(1-s)) + sigma_2 |v|",
        ],
        source: "Gonthier, McPhee, Lange, Piedboeuf 2004",
        remarks: "Vector form as in the source, for components in the tangent plane. In very slow sliding z winds up to about (mu_k + sigma_1 v_s^2/|v|)/sigma_0, and a reversal has to unwind it.",
    };

    fn has_stage(&self) -> bool {
        true
    }

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 1,
        }
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let z = vector_at::<f64, D>(state, 0);
        0.5 * self.parameters.bristle_stiffness * normal_force * dot(&z, &z)
    }

    fn slip_speed(&self) -> f64 {
        self.parameters.stribeck_velocity
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some(self.parameters.static_coefficient / self.parameters.bristle_stiffness)
    }

    fn notices(&self) -> Vec<Notice> {
        let p = &self.parameters;
        let level = p.kinetic_coefficient + 10.0 * p.bristle_damping * p.stribeck_velocity;
        let (deflection, times) = (level / p.bristle_stiffness, level / p.static_coefficient);
        let text = format!(
            "gonthier does not limit z: at a tenth of stribeck_velocity, long sliding winds the \
             bristle up to {deflection:.3e} m, {times:.0} times its size at break-away, before a \
             reversal acts"
        );
        vec![Notice::new(Topic::WindUp, text).value("deflection", deflection, "m")]
    }
}
