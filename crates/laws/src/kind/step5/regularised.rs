//! The regularised friction of Adams and RecurDyn.

#![allow(
    clippy::inline_always,
    reason = "small laws go into the loop that calls them, as in the catalogue"
)]

use super::Maker;
use crate::card::{Default, Equation, LawCard, Range, Relation, Typical};
use crate::kind::stick_zone::{Curve, Shape};
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;
use std::marker::PhantomData;

parameters! {
    /// Parameters of the regularised friction of Adams and RecurDyn.
    pub struct Step5RegularisedParameters<P> for "step5" {
        /// Static friction coefficient.
        static_coefficient: P = {
            symbol: "mu_s", unit: "1", role: StaticLevel, range: Range::Positive, typical: Typical::Number(0.15),
            default: Default::Scaled("kinetic_coefficient", 1.0),
            relation: Relation::NotBelow("kinetic_coefficient"),
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
        /// Speed at which the static level is reached.
        stiction_velocity: P = {
            symbol: "v_s", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-4),
        },
        /// Speed from which the kinetic level holds.
        dynamic_velocity: P = {
            symbol: "v_d", unit: "m/s", role: Speed, range: Range::Positive, typical: Typical::Number(1.5e-4),
            default: Default::Scaled("stiction_velocity", 1.5),
            relation: Relation::NotBelow("stiction_velocity"),
        },
    }
}

/// The regularised friction of the maker `M`.
///
/// $$ \mathbf F = N\mu(|\mathbf v|)\,\mathbf u, \qquad
///    \mu = \mathrm{STEP5}(|\mathbf v|, -v_s, -\mu_s, v_s, \mu_s)\ \text{up to}\ v_s, \quad
///    \mathrm{STEP5}(|\mathbf v|, v_s, \mu_s, v_d, \mu_k)\ \text{above} $$
///
/// Static: no state. μ(v_s) = μs exactly, slope 15 μs/(8 v_s) at rest, μk from v_d on.
/// v_d is 1.5 v_s if left out.
/// **Source.** Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2.
#[derive(Clone, Debug, PartialEq)]
pub struct Step5Regularised<M, P = f64> {
    maker: PhantomData<M>,
    parameters: Step5RegularisedParameters<P>,
    curve: Curve<P>,
}

impl<M: Maker, P: Scalar> Step5Regularised<M, P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`, or `dynamic_velocity` not above `stiction_velocity`.
    pub fn new(parameters: Step5RegularisedParameters<P>) -> Result<Self, ParameterError> {
        let curve = Curve {
            shape: Shape::Quintic,
            mu_s: parameters.static_coefficient,
            mu_k: parameters.kinetic_coefficient,
            v_s: parameters.stiction_velocity,
            v_d: parameters.dynamic_velocity,
        };
        curve.check(M::NAME)?;
        Ok(Self {
            maker: PhantomData,
            parameters,
            curve,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &Step5RegularisedParameters<P> {
        &self.parameters
    }
}

impl<M: Maker, P: Scalar> OfKind for Step5Regularised<M, P> {
    type Number = P;
    type Kind = Speed;
}

impl<M: Maker, P: Scalar> SpeedLaw<P> for Step5Regularised<M, P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, _g: impl Fn(T) -> T) -> T {
        self.curve.quintic_over_speed(speed)
    }
}

impl<M: Maker> FrictionLaw for Step5Regularised<M> {
    const CARD: LawCard<'static> = LawCard {
        name: M::NAME,
        title: M::TITLE,
        summary: "A smooth curve through static and kinetic level, with a steep ramp in place of stick.",
        equations: &[
            Equation {
                text: "F = N mu u,  |v| <= v_s: mu = STEP5(|v|, -v_s, -mu_s, v_s, mu_s)",
                tex: r"\mathbf F = N\mu\,\mathbf u,\quad \mu = \mathrm{STEP5}(|\mathbf v|, -v_s, -\mu_s, v_s, \mu_s),\ |\mathbf v|\le v_s",
                source: "Schuderer et al., section 2",
            },
            Equation {
                text: "|v| > v_s: mu = STEP5(|v|, v_s, mu_s, v_d, mu_k)",
                tex: r"\mu = \mathrm{STEP5}(|\mathbf v|, v_s, \mu_s, v_d, \mu_k),\ |\mathbf v| > v_s",
                source: "Schuderer et al., section 2",
            },
            Equation {
                text: "STEP5(x, x0, y0, x1, y1) = y0 + (y1 - y0) r^3 (10 - 15 r + 6 r^2),  r = (x - x0)/(x1 - x0) in [0, 1]",
                tex: r"\mathrm{STEP5} = y_0 + (y_1-y_0)\,r^3(10-15r+6r^2),\quad r = \tfrac{x-x_0}{x_1-x_0}\in[0,1]",
                source: "Schuderer et al., section 2",
            },
        ],
        parameters: Step5RegularisedParameters::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &["static and kinetic level", "stick-slip"],
        cannot: &[
            "hold: every load below the static level creeps",
            "presliding displacement, frictional lag, varying break-away force, viscous friction",
        ],
        source: M::SOURCE,
        remarks: M::REMARKS,
    };

    fn slip_speed(&self) -> f64 {
        self.parameters.stiction_velocity
    }

    fn notices(&self) -> Vec<Notice> {
        vec![Notice::creep(M::NAME, self.curve.half_level_speed())]
    }
}
