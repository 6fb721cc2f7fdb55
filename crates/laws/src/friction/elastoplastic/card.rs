//! The card of `elastoplastic`, and the rest that is asked of a law.

use super::ElastoPlastic;
use super::ElastoPlasticParameters;
use crate::card::StateCard;
use crate::card::{Behaviour, Equation, LawCard};
use crate::kind::Damping;
use crate::law::branches::Branches;
use crate::law::slip::{Slip, dot, norm, vector_at};
use crate::law::{FrictionLaw, Sides, StateLayout};
use crate::notice::Notice;
use crate::notice::passivity::Passivity;

impl FrictionLaw for ElastoPlastic {
    const CARD: LawCard<'static> = LawCard {
        name: "elastoplastic",
        title: "Elasto-plastic (Dupont et al.)",
        summary: "LuGre with bristles that are purely elastic up to z_ba: it holds without drift.",
        equations: &[
            Equation {
                text: "dz/dt = v - alpha |v|/z_m z,  z_m = g(|v|)/sigma_0,  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^a)",
                tex: r"\dot{\mathbf z} = \mathbf v - \alpha\frac{|\mathbf v|}{z_m}\mathbf z,\quad z_m = g(|\mathbf v|)/\sigma_0",
                source: "Dupont et al. 2002",
            },
            Equation {
                text: "alpha = 0 for z.v <= 0 or |z| <= z_ba, 1 for |z| >= z_m, else 1/2 + 1/2 sin(pi (|z| - (z_m + z_ba)/2)/(z_m - z_ba))",
                tex: r"\alpha = \begin{cases}0 & \mathbf z\cdot\mathbf v\le 0\ \text{or}\ |\mathbf z|\le z_{ba}\\ \tfrac12+\tfrac12\sin\Bigl(\pi\frac{|\mathbf z|-(z_m+z_{ba})/2}{z_m-z_{ba}}\Bigr)\\ 1 & |\mathbf z|\ge z_m\end{cases}",
                source: "Dupont et al. 2002, with |z| in the sine",
            },
            Equation {
                text: "F = N (sigma_0 z + sigma_1 dz/dt + sigma_2 v)",
                tex: r"\mathbf F = N(\sigma_0\mathbf z+\sigma_1\dot{\mathbf z}+\sigma_2\mathbf v)",
                source: "Dupont et al. 2002, per unit of normal force",
            },
        ],
        parameters: ElastoPlasticParameters::CARDS,
        states: &[StateCard::vector(
            "z",
            "m",
            "mean bristle deflection in the tangent plane",
        )],
        behaviour: &[Behaviour::Holds],
        printed: None,
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "hold without drift below N sigma_0 z_ba",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
        ],
        cannot: &[
            "hysteresis with non-local memory above z_ba",
            "energy loss in presliding below z_ba, but for sigma_1",
        ],
        source: "Dupont, Hayward, Armstrong, Altpeter 2002",
        remarks: "The vector form is ours: alpha from |z| and the sign of z.v. z_ba -> 0 is not LuGre (alpha = 1 everywhere is): a reversed bristle unloads elastically.",
    };

    const SIDES: Sides = Sides::OfVelocity;

    fn has_stage(&self) -> bool {
        true
    }

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 0,
        }
    }

    /// Whether a bristle beyond z_ba is loaded; in one dimension it turns at v = 0 alone, where
    /// both rates are zero.
    fn branches<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        _change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        let z = vector_at::<f64, D>(state, 0);
        let side = (D > 1 && norm(&z) > self.parameters.breakaway_deflection)
            .then(|| dot(&z, &slip.velocity) > 0.0);
        Branches::NONE.with(0, side)
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
        let notice = Passivity {
            law: "elastoplastic",
            damping: Damping {
                at_rest: p.bristle_damping,
                velocity: None,
            },
            may_fall: false,
            sigma_2: p.viscous_coefficient,
            mu_s: p.static_coefficient,
            mu_k: p.kinetic_coefficient,
            unit: "s/m",
        };
        notice.notice().into_iter().collect()
    }
}
