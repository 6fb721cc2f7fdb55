//! `makkar`: a smooth law of tanh functions with a Stribeck hump.

use crate::card::{Default, Equation, LawCard, Range, Relation, Typical};
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::numbers::smoothing::tanh_over_argument;
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the law of Makkar et al., per unit of normal force.
    pub struct MakkarParameters<P> for "makkar" {
        /// Height of the Stribeck hump: friction reaches gamma_1 + gamma_4 where gamma_2 is far above gamma_3.
        stribeck_excess: P = {
            symbol: "gamma_1", unit: "1", role: Drop, range: Range::Positive, typical: Typical::Number(0.05),
        },
        /// Steepness with which the hump rises.
        rise_rate: P = {
            symbol: "gamma_2", unit: "s/m", role: StickSpeed, range: Range::Positive, typical: Typical::Number(2e4),
            relation: Relation::NotBelow("fall_rate"),
        },
        /// Steepness with which the hump falls, the reciprocal of a Stribeck velocity.
        fall_rate: P = {
            symbol: "gamma_3", unit: "s/m", role: StribeckSpeed, range: Range::Positive, typical: Typical::Number(1e3),
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "gamma_4", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
        /// Steepness about rest of the kinetic friction.
        transition_rate: P = {
            symbol: "gamma_5", unit: "s/m", role: StickSpeed, range: Range::Positive, typical: Typical::Number(6e3),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "gamma_6", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
    }
}

/// The continuously differentiable law of Makkar et al.
///
/// $$ \mathbf F = N\bigl\lbrack \gamma_1(\tanh\gamma_2|\mathbf v| - \tanh\gamma_3|\mathbf v|)
///    + \gamma_4\tanh\gamma_5|\mathbf v|\bigr\rbrack \mathbf u + N\gamma_6\mathbf v $$
///
/// Static: no state. The kinetic level is γ₄; the static level γ₁ + γ₄ is reached only for γ₂ ≫ γ₃.
/// **Source.** Makkar, Dixon, Sawyer, Hu 2005; coefficients per unit of normal force.
#[derive(Clone, Debug, PartialEq)]
pub struct Makkar<P = f64> {
    parameters: MakkarParameters<P>,
}

impl<P: Scalar> Makkar<P> {
    /// The law.
    ///
    /// # Errors
    /// If `rise_rate` is not above `fall_rate`: the hump would be a dip.
    pub fn new(parameters: MakkarParameters<P>) -> Result<Self, ParameterError> {
        let (rise, fall) = (parameters.rise_rate.value(), parameters.fall_rate.value());
        if rise > fall {
            return Ok(Self { parameters });
        }
        Err(ParameterError::Inconsistent {
            law: "makkar".into(),
            name: "rise_rate".into(),
            value: rise,
            unit: "s/m".into(),
            reason: format!("must be above fall_rate = {fall} s/m"),
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &MakkarParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for Makkar<P> {
    type Number = P;
    type Kind = Speed;
}

impl<P: Scalar> SpeedLaw<P> for Makkar<P> {
    fn over_speed<T: MixesWith<P>>(&self, speed: T, _g: impl Fn(T) -> T) -> T {
        let MakkarParameters {
            stribeck_excess: gamma_1,
            rise_rate: gamma_2,
            fall_rate: gamma_3,
            kinetic_coefficient: gamma_4,
            transition_rate: gamma_5,
            viscous_coefficient: gamma_6,
        } = self.parameters;
        let tanh = |gamma: P| tanh_over_argument(speed * gamma) * gamma;
        (tanh(gamma_2) - tanh(gamma_3)) * gamma_1 + tanh(gamma_5) * gamma_4 + gamma_6
    }
}

impl FrictionLaw for Makkar {
    const CARD: LawCard<'static> = LawCard {
        name: "makkar",
        title: "Makkar, Dixon, Sawyer and Hu",
        summary: "Six coefficients, smooth everywhere: a hump of the Stribeck effect, Coulomb and viscous friction.",
        equations: &[Equation {
            text: "F = N (gamma_1 (tanh(gamma_2 |v|) - tanh(gamma_3 |v|)) + gamma_4 tanh(gamma_5 |v|)) u + N gamma_6 v",
            tex: r"\mathbf F = N\bigl[\gamma_1(\tanh\gamma_2|\mathbf v|-\tanh\gamma_3|\mathbf v|)+\gamma_4\tanh\gamma_5|\mathbf v|\bigr]\mathbf u+N\gamma_6\mathbf v",
            source: "Makkar et al. 2005, per unit of normal force",
        }],
        parameters: MakkarParameters::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &["Stribeck effect", "stick-slip", "viscous friction"],
        cannot: &[
            "hold: a small load W creeps at W/(N (gamma_1 (gamma_2 - gamma_3) + gamma_4 gamma_5))",
            "presliding displacement, frictional lag, varying break-away force",
        ],
        source: "Makkar, Dixon, Sawyer, Hu, A new continuously differentiable friction model for control systems design, AIM 2005",
        remarks: "The vector form is ours: radial. The peak is below gamma_1 + gamma_4 unless gamma_2 is far above gamma_3.",
    };

    fn slip_speed(&self) -> f64 {
        1.0 / self.parameters.fall_rate
    }

    fn notices(&self) -> Vec<Notice> {
        let half = 0.5 * self.parameters.kinetic_coefficient;
        super::Friction::Makkar(self.clone()).creep_notice(half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::law::slip::Slip;

    #[test]
    fn tanh_of_logarithms_in_closed_form() {
        // tanh(ln 3) = 4/5, tanh(ln 2) = 3/5
        let (three, two) = (3.0_f64.ln(), 2.0_f64.ln());
        let law = Makkar::new(MakkarParameters {
            stribeck_excess: 0.25,
            rise_rate: three,
            fall_rate: two,
            kinetic_coefficient: 0.1,
            transition_rate: three,
            viscous_coefficient: 0.01,
        })
        .expect("admissible");
        let f = |v: f64| law.rates(&Slip::new([v], 10.0), &[], &mut [])[0];
        // 10 (0.25 (0.8 - 0.6) + 0.1 0.8 + 0.01) = 1.4 N
        assert!((f(1.0) - 1.4).abs() < 1e-14 && (f(-1.0) + 1.4).abs() < 1e-14);
        // at 1000 m/s only gamma_4 and gamma_6 are left
        assert!((f(1e3) - 101.0).abs() < 1e-12);
    }
}
