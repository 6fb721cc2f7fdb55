//! The stick–slip friction of Adams and RecurDyn.

#![allow(
    clippy::inline_always,
    reason = "small laws go into the loop that calls them, as in the catalogue"
)]

use super::{Maker, StepShape};
use crate::card::{Behaviour, Default, Equation, LawCard, Range, Relation, StateCard, Typical};
use crate::kind::General;
use crate::kind::stick_zone::{StickZone, StickZoneCurve};
use crate::law::branches::Branches;
use crate::law::slip::{Slip, Step};
use crate::law::{FrictionLaw, Law, StateLayout};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters::ParameterError;
use std::marker::PhantomData;

with_curve! {
    /// Parameters of the stick–slip friction of Adams and RecurDyn.
    pub struct StickSlipParameters<P> {
        /// Displacement at which the static level is reached in the stick zone.
        stiction_displacement: P = {
            symbol: "x_s", unit: "m", role: Length, range: Range::Positive, typical: Typical::Number(1e-5),
        },
    }
}

/// The stick–slip friction of the maker `M`: a spring in a zone of low speed.
///
/// $$ |\mathbf v|\le v_s:\quad \mathbf F = N\bigl\lbrack (1-\beta)\,\mu_1(|\mathbf x|)\,\mathbf x/|\mathbf x|
///    + \mu_s\beta\,\mathbf u\bigr\rbrack , \qquad \dot{\mathbf x} = \mathbf v,\ |\mathbf x|\le x_s $$
///
/// with β = STEP5(|v|, −v_s, −1, v_s, 1) and μ₁ = STEP5(|x|, −x_s, −μs, x_s, μs); above v_s the
/// regularised curve, and x is forgotten.
/// **States.** One vector x (m), the displacement in the stick zone, initially 0, and the mode,
/// 0 in the zone, 1 beyond it.
/// **Numerics.** x moves on the exact path of an elastic–plastic element of limit x_s. |F| ≤ μs N.
/// **Source.** Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), eqs. 2–5 (with the signs of x and v; as
/// printed the terms are even). The bound |x| ≤ x_s and the reset at entry are ours: without
/// the bound a slow slide winds x up, and the reversed slide would be driven by the law.
#[derive(Clone, Debug, PartialEq)]
pub struct StickSlip<M, P = f64> {
    maker: PhantomData<M>,
    parameters: StickSlipParameters<P>,
    zone: StickZone<P>,
}

impl<M: Maker, P: Scalar> StickSlip<M, P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`, or `dynamic_velocity` not above `stiction_velocity`.
    pub fn new(parameters: StickSlipParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve(M::NAME, StepShape::Quintic)?;
        let x_s = parameters.stiction_displacement;
        let zone = StickZone { curve, x_s };
        Ok(Self {
            maker: PhantomData,
            parameters,
            zone,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &StickSlipParameters<P> {
        &self.parameters
    }
}

impl<M: Maker, P: Scalar> Law<P> for StickSlip<M, P> {
    type Kind = General;

    fn start<const D: usize>(&self, slip: &Slip<P, D>, state: &mut [P]) {
        self.zone.start(slip, state);
    }

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        self.zone.rates(slip, state, rates)
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        self.zone.update(step, old, new)
    }

    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        self.zone.update_in_mode(step, old, new)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        Some(self.zone.steady(speed, normal_force))
    }
}

impl<M: Maker> FrictionLaw for StickSlip<M> {
    const CARD: LawCard<'static> = LawCard {
        name: M::NAME,
        title: M::TITLE,
        summary: "The regularised curve with a spring in the zone of low speed, which holds a part.",
        equations: &[
            Equation {
                text: "|v| <= v_s: F = N [(1 - beta) mu_1(|x|) x/|x| + mu_s beta u],  beta = STEP5(|v|, -v_s, -1, v_s, 1),  mu_1 = STEP5(|x|, -x_s, -mu_s, x_s, mu_s)",
                tex: r"\mathbf F = N\bigl[(1-\beta)\,\mu_1(|\mathbf x|)\,\mathbf x/|\mathbf x| + \mu_s\beta\,\mathbf u\bigr],\quad \beta=\mathrm{STEP5}(|\mathbf v|,-v_s,-1,v_s,1),\ \mu_1=\mathrm{STEP5}(|\mathbf x|,-x_s,-\mu_s,x_s,\mu_s)",
                source: "Schuderer et al., eqs. 2-5, with sgn x and sgn v",
            },
            Equation {
                text: "dx/dt = v, |x| <= x_s: at x_s only the part of v along the circle moves x, until x.v < 0",
                tex: r"\dot{\mathbf x} = \mathbf v,\quad |\mathbf x|\le x_s",
                source: "convention of this project",
            },
            Equation {
                text: "|v| > v_s: F = N STEP5(|v|, v_s, mu_s, v_d, mu_k) u,  x = 0",
                tex: r"\mathbf F = N\,\mathrm{STEP5}(|\mathbf v|,v_s,\mu_s,v_d,\mu_k)\,\mathbf u,\quad \mathbf x=0",
                source: "Schuderer et al., section 2",
            },
        ],
        parameters: StickSlipParameters::CARDS,
        states: &[
            StateCard::vector("x", "m", "displacement in the stick zone"),
            StateCard::scalar("mode", "1", "0 in the stick zone, 1 beyond it"),
        ],
        behaviour: &[Behaviour::Holds, Behaviour::Jumps],
        printed: None,
        reproduces: &[
            "static and kinetic level",
            "stick-slip",
            "presliding displacement (one slider)",
            "hold without drift",
        ],
        cannot: &[
            "frictional lag, varying break-away force, viscous friction",
            "fall below the static level in steady sliding slower than v_s",
        ],
        source: "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), eqs. 2-5",
        remarks: M::REMARKS,
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 1,
        }
    }

    fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
        self.zone.mode_margin(slip, state)
    }

    fn branches<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        _change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        self.zone.branches(slip, state)
    }

    fn change_mode<const D: usize>(&self, _slip: &Slip<f64, D>, state: &mut [f64]) {
        StickZone::change_mode::<D>(state);
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        self.zone.stored_energy::<D>(normal_force, state)
    }

    fn slip_speed(&self) -> f64 {
        self.parameters.stiction_velocity
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some(self.parameters.stiction_displacement)
    }
}
