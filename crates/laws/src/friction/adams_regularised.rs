//! `adams_regularised`: the regularised friction of Adams.

use crate::card::{Default, Equation, LawCard, Range, Typical};
use crate::law::{FrictionLaw, Notice};
use crate::over::{self, by_text, exchange};
use crate::parameters;
use crate::parameters::{ParameterError, Values};
use crate::scalar::{Over, Scalar};
use crate::slip::Slip;
use crate::vendor::{Curve, Shape};

parameters! {
    /// Parameters of the regularised friction of Adams.
    pub struct AdamsRegularisedParameters<P> for "adams_regularised" {
        /// Static friction coefficient.
        static_coefficient: P = {
            symbol: "mu_s", unit: "1", range: Range::Positive, typical: Typical::Number(0.15),
            default: Default::Scaled("kinetic_coefficient", 1.0),
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", range: Range::Positive, typical: Typical::Number(0.1),
        },
        /// Speed at which the static level is reached.
        stiction_velocity: P = {
            symbol: "v_s", unit: "m/s", range: Range::Positive, typical: Typical::Number(1e-4),
        },
        /// Speed from which the kinetic level holds.
        dynamic_velocity: P = {
            symbol: "v_d", unit: "m/s", range: Range::Positive, typical: Typical::Number(1.5e-4),
            default: Default::Scaled("stiction_velocity", 1.5),
        },
    }
}

/// The regularised friction of Adams.
///
/// $$ \mathbf F = N\mu(|\mathbf v|)\,\mathbf u, \qquad
///    \mu = \mathrm{STEP5}(|\mathbf v|, -v_s, -\mu_s, v_s, \mu_s)\ \text{up to}\ v_s, \quad
///    \mathrm{STEP5}(|\mathbf v|, v_s, \mu_s, v_d, \mu_k)\ \text{above} $$
///
/// Static: no state. μ(v_s) = μs exactly, slope 15 μs/(8 v_s) at rest, μk from v_d on.
/// v_d is 1.5 v_s if left out, as in the joints of Adams.
/// **Source.** Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamsRegularised<P = f64> {
    parameters: AdamsRegularisedParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> AdamsRegularised<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`, or `dynamic_velocity` not above `stiction_velocity`.
    pub fn new(parameters: AdamsRegularisedParameters<P>) -> Result<Self, ParameterError> {
        let curve = Curve {
            shape: Shape::Quintic,
            mu_s: parameters.static_coefficient,
            mu_k: parameters.kinetic_coefficient,
            v_s: parameters.stiction_velocity,
            v_d: parameters.dynamic_velocity,
        };
        curve.check("adams_regularised")?;
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &AdamsRegularisedParameters<P> {
        &self.parameters
    }
}

impl AdamsRegularised {
    /// The curve, for batches.
    pub(crate) fn curve(&self) -> Curve {
        self.curve
    }
}

impl<P: Scalar> over::LawOver<P> for AdamsRegularised<P> {
    fn rates<T: Scalar + Over<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        _state: &[T],
        _rates: &mut [T],
    ) -> [T; D] {
        self.curve.force(slip)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        Some(self.curve.level(speed, normal_force))
    }
}

exchange!(AdamsRegularised by new);

impl FrictionLaw for AdamsRegularised {
    const CARD: LawCard = LawCard {
        name: "adams_regularised",
        title: "Adams, regularised",
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
        parameters: AdamsRegularisedParameters::CARDS,
        states: &[],
        reproduces: &["static and kinetic level", "stick-slip"],
        cannot: &[
            "hold: every load below the static level creeps",
            "presliding displacement, frictional lag, varying break-away force, viscous friction",
        ],
        source: "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2; Adams joint friction",
        remarks: "u = v/|v|: direction by the vector, size by |v|; the vector form is ours. The contact manual of Adams names the cubic STEP; the published numbers need STEP5 from -v_s to v_s. v_d defaults to 1.5 v_s, the rule of the joints of Adams.",
    };

    fn from_values(values: &Values) -> Result<Self, ParameterError> {
        Self::new(AdamsRegularisedParameters::from_values(values)?)
    }

    fn to_values(&self) -> Values {
        self.parameters.to_values()
    }

    by_text!();

    fn slip_speed(&self) -> f64 {
        self.parameters.stiction_velocity
    }

    fn notices(&self) -> Vec<Notice> {
        vec![Notice::creep(
            "adams_regularised",
            self.curve.half_level_speed(),
        )]
    }
}
