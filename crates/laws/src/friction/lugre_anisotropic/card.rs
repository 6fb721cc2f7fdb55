//! The card of `lugre_anisotropic`, and the rest that is asked of a law.

use super::LuGreAnisotropic;
use super::LuGreAnisotropicParameters;
use crate::card::{Behaviour, Equation, LawCard, StateCard};
use crate::law::slip::{dot, vector_at};
use crate::law::{FrictionLaw, StateLayout};

impl FrictionLaw for LuGreAnisotropic {
    const CARD: LawCard<'static> = LawCard {
        name: "lugre_anisotropic",
        title: "LuGre, anisotropic (Velenis et al.)",
        summary: "LuGre with an ellipse of friction: tyres, textured and fibrous surfaces.",
        equations: &[
            Equation {
                text: "dz_i/dt = v_i - sigma_0 |M v|/(g(|v|) m_i^2) z_i,  M = diag(1, rho)",
                tex: r"\dot z_i = v_i - \sigma_0\frac{|\mathbf M\mathbf v|}{g(|\mathbf v|)\,m_i^2}\,z_i,\quad \mathbf M=\operatorname{diag}(1,\rho)",
                source: "Velenis et al. 2005, with M_s and M_k in proportion",
            },
            Equation {
                text: "F_i = N (sigma_0 z_i + sigma_1 dz_i/dt + sigma_2 v_i),  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"F_i = N(\sigma_0 z_i+\sigma_1\dot z_i+\sigma_2 v_i)",
                source: "Velenis et al. 2005",
            },
        ],
        parameters: LuGreAnisotropicParameters::CARDS,
        states: &[StateCard::vector(
            "z",
            "m",
            "mean bristle deflection in the tangent plane",
        )],
        behaviour: &[Behaviour::Holds, Behaviour::Drifts, Behaviour::Anisotropic],
        printed: None,
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
            "an ellipse of friction",
        ],
        cannot: &[
            "another stiffness, damping or Stribeck velocity across than along",
            "hold without drift under a vibrating load below break-away",
            "hysteresis with non-local memory",
        ],
        source: "Velenis, Tsiotras, Canudas de Wit 2002, 2005",
        remarks: "The first axis is that of the contact plane. rho = 1 is lugre. Levels along the first axis; across it they are rho times as high. In space the other two axes are alike.",
    };

    fn has_stage(&self) -> bool {
        true
    }

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 0,
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
}
