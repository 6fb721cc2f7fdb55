//! The card of `gms`, and the rest that is asked of a law.

use super::Gms;
use super::GmsParameters;
use crate::card::{Behaviour, Equation, LawCard, Printed, StateCard};
use crate::law::slip::Slip;
use crate::law::{FrictionLaw, Sides, StateLayout};

impl FrictionLaw for Gms {
    const CARD: LawCard<'static> = LawCard {
        name: "gms",
        title: "Generalised Maxwell slip (GMS)",
        summary: "Parallel sliders that follow the Stribeck curve: hysteresis that remembers, without drift.",
        equations: &[
            Equation {
                text: "stuck: df_i/dt = k_i v, until |f_i| > alpha_i g(|v|) with f_i.v > 0",
                tex: r"\dot{\mathbf f}_i = k_i\mathbf v",
                source: "Al-Bender et al. 2005",
            },
            Equation {
                text: "sliding: df_i/dt = C (alpha_i u - f_i/g(|v|)), until v = 0 or f_i.v < 0",
                tex: r"\dot{\mathbf f}_i = C\Bigl(\alpha_i\mathbf u - \frac{\mathbf f_i}{g(|\mathbf v|)}\Bigr)",
                source: "Al-Bender et al. 2005",
            },
            Equation {
                text: "F = N (sum f_i + sigma_2 v),  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"\mathbf F = N\Bigl(\sum_i\mathbf f_i + \sigma_2\mathbf v\Bigr)",
                source: "Al-Bender et al. 2005, per unit of normal force",
            },
        ],
        parameters: GmsParameters::CARDS,
        states: &[
            StateCard::vector("f", "1", "force of the element per unit of normal force")
                .per_element(),
            StateCard::scalar(
                "mode",
                "1",
                "0 stuck, 1 sliding, 2 held on f.v = 0, 3 held there at its level",
            )
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
                "computational_cost",
            ],
            differs: &[(
                "computational_cost",
                "elements without damping ring in stick, and an integrator that resolves the ringing takes short steps",
            )],
        }),
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "hysteresis with non-local memory",
            "hold without drift",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
        ],
        cannot: &["a smooth force: its slope jumps where an element starts to slide"],
        source: "Al-Bender, Lampaert, Swevers 2005",
        remarks: "The vector form is ours; where the motion turns across a sliding element, it is held on f_i.v = 0, the limit of sliding and sticking by turns, also while its level falls, where the equations leave it open. C is a rate per time: in slow sliding the lag is g/C. One element without Stribeck effect is the Jenkins element.",
    };

    const SIDES: Sides = Sides::OfVelocity;

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: self.elements.count,
            scalars: self.elements.count,
        }
    }

    fn set_modes_after_event<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &mut [f64],
    ) -> bool {
        if D > 1 {
            self.set_modes(slip, change, state);
        }
        D > 1
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

    /// The displacement from rest at which the last element starts to slide.
    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        let mu_s = self.parameters.static_coefficient;
        (0..self.elements.count)
            .map(|i| self.elements.level[i] * mu_s / self.elements.stiffness[i])
            .reduce(f64::max)
    }
}
