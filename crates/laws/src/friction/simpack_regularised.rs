//! `simpack_regularised`: the regularised friction of Simpack.

use crate::card::{Default, Equation, LawCard, Range, Relation, Typical};
use crate::kind::stick_zone::{Curve, Shape};
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the regularised friction of Simpack.
    pub struct SimpackRegularisedParameters<P> for "simpack_regularised" {
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

/// The regularised friction of Simpack.
///
/// $$ \mathbf F = N\mu(|\mathbf v|)\,\mathbf u, \qquad
///    \mu = \mu_s\sin\tfrac{\pi|\mathbf v|}{2v_s}\ \text{up to}\ v_s, \quad
///    \mu_k + \tfrac{\mu_s-\mu_k}{2}\Bigl(1+\cos\tfrac{\pi(|\mathbf v|-v_s)}{v_d-v_s}\Bigr)\ \text{up to}\ v_d,
///    \quad \mu_k\ \text{above} $$
///
/// Static: no state. The slope at rest is π μs/(2 v_s).
/// **Source.** Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2; the fall to μk is derived from
/// the numbers printed there.
#[derive(Clone, Debug, PartialEq)]
pub struct SimpackRegularised<P = f64> {
    parameters: SimpackRegularisedParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> SimpackRegularised<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`, or `dynamic_velocity` not above `stiction_velocity`.
    pub fn new(parameters: SimpackRegularisedParameters<P>) -> Result<Self, ParameterError> {
        let curve = Curve {
            shape: Shape::Sine,
            mu_s: parameters.static_coefficient,
            mu_k: parameters.kinetic_coefficient,
            v_s: parameters.stiction_velocity,
            v_d: parameters.dynamic_velocity,
        };
        curve.check("simpack_regularised")?;
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &SimpackRegularisedParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for SimpackRegularised<P> {
    type Number = P;
    type Kind = Speed;
}

impl<P: Scalar> SpeedLaw<P> for SimpackRegularised<P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, _g: impl Fn(T) -> T) -> T {
        self.curve.sine_over_speed(speed)
    }
}

impl FrictionLaw for SimpackRegularised {
    const CARD: LawCard<'static> = LawCard {
        name: "simpack_regularised",
        title: "Simpack, regularised",
        summary: "A smooth curve through static and kinetic level, with a steep ramp in place of stick.",
        equations: &[
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
        ],
        parameters: SimpackRegularisedParameters::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &["static and kinetic level", "stick-slip"],
        cannot: &[
            "hold: every load below the static level creeps",
            "presliding displacement, frictional lag, varying break-away force, viscous friction",
        ],
        source: "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2",
        remarks: "u = v/|v|; the vector form is ours. Less steep at rest than STEP5 (pi/2 against 15/8): it creeps faster.",
    };

    fn slip_speed(&self) -> f64 {
        self.parameters.stiction_velocity
    }

    fn notices(&self) -> Vec<Notice> {
        vec![Notice::creep(
            "simpack_regularised",
            self.curve.half_level_speed(),
        )]
    }
}
