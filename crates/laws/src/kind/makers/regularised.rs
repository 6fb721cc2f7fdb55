//! The regularised friction of Adams, RecurDyn and Simpack.

#![allow(
    clippy::inline_always,
    reason = "small laws go into the loop that calls them, as in the catalogue"
)]

use super::{Maker, StepShape};
use crate::card::{Default, Equation, LawCard, Range, Relation, Typical};
use crate::kind::stick_zone::StickZoneCurve;
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters::ParameterError;
use std::marker::PhantomData;

with_curve! {
    /// Parameters of the regularised friction of multibody programs.
    pub struct RegularisedParameters<P> {}
}

/// The regularised friction of the maker `M`.
///
/// $$ \mathbf F = N\mu(|\mathbf v|)\,\mathbf u, \qquad
///    \mu = \mathrm{STEP5}(|\mathbf v|, -v_s, -\mu_s, v_s, \mu_s)\ \text{up to}\ v_s, \quad
///    \mathrm{STEP5}(|\mathbf v|, v_s, \mu_s, v_d, \mu_k)\ \text{above} $$
///
/// or, of Simpack, with a sine:
///
/// $$ \mu = \mu_s\sin\tfrac{\pi|\mathbf v|}{2v_s}\ \text{up to}\ v_s, \quad
///    \mu_k + \tfrac{\mu_s-\mu_k}{2}\Bigl(1+\cos\tfrac{\pi(|\mathbf v|-v_s)}{v_d-v_s}\Bigr)\ \text{up to}\ v_d,
///    \quad \mu_k\ \text{above} $$
///
/// Static: no state. μ(v_s) = μs exactly, μk from v_d on; the slope at rest is 15 μs/(8 v_s) with STEP5
/// and π μs/(2 v_s) with the sine. v_d is 1.5 v_s if left out.
/// **Source.** Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2; with
/// the sine, the fall to μk is derived from the numbers printed there.
#[derive(Clone, Debug, PartialEq)]
pub struct Regularised<M, P = f64> {
    maker: PhantomData<M>,
    parameters: RegularisedParameters<P>,
    curve: StickZoneCurve<P>,
}

impl<M: Maker, P: Scalar> Regularised<M, P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`, or `dynamic_velocity` not above `stiction_velocity`.
    pub fn new(parameters: RegularisedParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve(M::NAME, M::SHAPE)?;
        Ok(Self {
            maker: PhantomData,
            parameters,
            curve,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &RegularisedParameters<P> {
        &self.parameters
    }
}

impl<M: Maker, P: Scalar> OfKind for Regularised<M, P> {
    type Number = P;
    type Kind = Speed;
}

impl<M: Maker, P: Scalar> SpeedLaw<P> for Regularised<M, P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, _g: impl Fn(T) -> T) -> T {
        // known where the law is compiled: no branch
        match M::SHAPE {
            StepShape::Quintic => self.curve.quintic_over_speed(speed),
            StepShape::Sine => self.curve.sine_over_speed(speed),
        }
    }
}

/// The equations with STEP5.
const STEP5: &[Equation] = &[
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
];

/// The equations with a sine.
const SINE: &[Equation] = &[
    Equation {
        text: "F = N mu u,  |v| <= v_s: mu = mu_s sin(pi |v|/(2 v_s))",
        tex: r"\mathbf F = N\mu\,\mathbf u,\quad \mu = \mu_s\sin\tfrac{\pi|\mathbf v|}{2v_s},\ |\mathbf v|\le v_s",
        source: "Schuderer et al., section 2",
    },
    Equation {
        text: "v_s < |v| < v_d: mu = mu_k + (mu_s - mu_k) (1 + cos(pi (|v| - v_s)/(v_d - v_s)))/2;  mu_k above",
        tex: r"\mu = \mu_k + \tfrac{\mu_s-\mu_k}{2}\Bigl(1+\cos\tfrac{\pi(|\mathbf v|-v_s)}{v_d-v_s}\Bigr),\ v_s<|\mathbf v|<v_d;\quad \mu_k\ \text{above}",
        source: "derived from the numbers of Schuderer et al.",
    },
];

impl<M: Maker> FrictionLaw for Regularised<M> {
    const CARD: LawCard<'static> = LawCard {
        name: M::NAME,
        title: M::TITLE,
        summary: "A smooth curve through static and kinetic level, with a steep ramp in place of stick.",
        equations: match M::SHAPE {
            StepShape::Quintic => STEP5,
            StepShape::Sine => SINE,
        },
        parameters: RegularisedParameters::CARDS,
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
