//! The card of `leuven`, and the rest that is asked of a law.

use super::Leuven;
use super::LeuvenParameters;
use crate::card::StateCard;
use crate::card::{Behaviour, Equation, LawCard, Printed};
use crate::kind::Damping;
use crate::kind::elements::{self, MAX_ELEMENTS};
use crate::law::branches::Branches;
use crate::law::slip::{Slip, norm, vector_at};
use crate::law::{FrictionLaw, Sides, StateLayout};
use crate::notice::Notice;
use crate::notice::passivity::Passivity;

/// |dz/ds| below which elements that return and elements that slide move alike.
const SAME_PACE: f64 = 1e-9;

impl FrictionLaw for Leuven {
    const CARD: LawCard<'static> = LawCard {
        name: "leuven",
        title: "Leuven, modified (Lampaert et al.)",
        summary: "LuGre whose bristle drives Maxwell-slip elements: presliding loops that remember.",
        equations: &[
            Equation {
                text: "dz/dt = v - |v| (|Fh|/g(|v|))^n Fh/|Fh|,  Fh = sum f_i",
                tex: r"\dot{\mathbf z} = \mathbf v - |\mathbf v|\Bigl(\frac{|\mathbf F_h|}{g(|\mathbf v|)}\Bigr)^n\frac{\mathbf F_h}{|\mathbf F_h|},\quad \mathbf F_h = \sum_i\mathbf f_i",
                source: "Lampaert et al. 2002",
            },
            Equation {
                text: "df_i/dt = k_i dz/dt, |f_i| <= w_i: at w_i the part along e = f_i/|f_i| is zero until f_i.dz/dt < 0",
                tex: r"\dot{\mathbf f}_i = k_i\dot{\mathbf z},\quad |\mathbf f_i|\le w_i",
                source: "Lampaert et al. 2002, vector form of this project",
            },
            Equation {
                text: "F = N (Fh + sigma_1 dz/dt + sigma_2 v),  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"\mathbf F = N(\mathbf F_h + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v)",
                source: "Lampaert et al. 2002, per unit of normal force",
            },
        ],
        parameters: LeuvenParameters::CARDS,
        states: &[
            StateCard::vector("f", "1", "force of the element per unit of normal force")
                .per_element(),
        ],
        behaviour: &[Behaviour::Holds],
        printed: Some(Printed {
            has: &[
                "steady_state",
                "stick_slip",
                "presliding_displacement",
                "frictional_lag",
                "varying_break_away",
                "nonlocal_memory",
                "transition_curve",
            ],
            differs: &[
                (
                    "nonlocal_memory",
                    "loops of the elements close exactly in the bristle's deflection, but that slips below the limit; in position they close as the exponent grows (leuven_exponent, 2 here)",
                ),
                (
                    "computational_cost",
                    "its elements make an evaluation costlier, but a closed update needs no shorter steps than LuGre",
                ),
            ],
        }),
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "hysteresis with non-local memory (the better, the larger n)",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
        ],
        cannot: &["hold without any drift under a vibrating load: the drift falls with n"],
        source: "Lampaert, Swevers, Al-Bender 2002; Swevers et al. 2000",
        remarks: "The vector form is ours. One element that never slides and n = 1 is lugre with sigma_0 = k. Loops close exactly in z; in position the better, the larger n.",
    };

    const SIDES: Sides = Sides::OfVelocity;

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: self.elements.count,
            scalars: 0,
        }
    }

    /// In one dimension the rates are the same on both sides where an element returns, and the
    /// update splits a step where one comes to its limit.
    fn branches<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        _change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        if D == 1 {
            return Branches::NONE;
        }
        let mut f = [[0.0; D]; MAX_ELEMENTS];
        for (i, f) in f[..self.elements.count].iter_mut().enumerate() {
            *f = vector_at(state, i);
        }
        let sum = self.sum(&f);
        let speed = norm(&slip.velocity);
        let loss = self.loss(norm(&sum), self.curve.value(speed)) * speed;
        let dz: [f64; D] = std::array::from_fn(|i| slip.velocity[i] - loss * sum[i]);
        // z that hardly moves against the pair is steady
        if norm(&dz) <= SAME_PACE * speed {
            return Branches::NONE;
        }
        (0..self.elements.count).fold(Branches::NONE, |branches, i| {
            let slides = elements::branch(
                &f[i],
                &dz,
                self.elements.stiffness[i],
                self.elements.level[i],
                0.0,
            );
            branches.with(i, slides)
        })
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        normal_force * self.elements.stored_energy::<D>(state)
    }

    fn slip_speed(&self) -> f64 {
        self.parameters.stribeck_velocity
    }

    fn state_size(&self, _normal_force: f64) -> Option<f64> {
        Some(self.parameters.static_coefficient)
    }

    /// z at Fh = μs when loaded from rest.
    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        let mu_s = self.parameters.static_coefficient;
        let mut z = 0.0_f64;
        // Newton from below on a concave polygon ends after one step per corner
        for _ in 0..=self.elements.count {
            let (mut force, mut slope) = (0.0, 0.0);
            for i in 0..self.elements.count {
                let elastic = self.elements.stiffness[i] * z;
                force += elastic.min(self.elements.level[i]);
                if elastic < self.elements.level[i] {
                    slope += self.elements.stiffness[i];
                }
            }
            if slope > 0.0 {
                z += (mu_s - force) / slope;
            }
        }
        Some(z)
    }

    fn notices(&self) -> Vec<Notice> {
        let p = &self.parameters;
        let notice = Passivity {
            law: "leuven",
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
