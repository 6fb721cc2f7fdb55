//! `andersson`: a Stribeck curve smoothed by tanh.

use crate::card::{Default, Equation, LawCard, Range, Typical};
use crate::curve::Curve;
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::numbers::smoothing::tanh_over_argument;
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the law of Andersson, Söderberg and Björklund.
    pub struct AnderssonParameters<P> for "andersson" with stribeck {
        /// Steepness about rest: 76 % of the curve are reached at the speed 1/k.
        transition_rate: P = {
            symbol: "k", unit: "s/m", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
    }
}

/// A Stribeck curve, smoothed about rest by tanh.
///
/// $$ \mathbf F = N\Bigl[g(|\mathbf v|)\tanh(k|\mathbf v|)\,\frac{\mathbf v}{|\mathbf v|} + \sigma_2\mathbf v\Bigr],
///    \qquad g = \mu_k + (\mu_s-\mu_k)e^{-(|\mathbf v|/v_s)^\alpha} $$
///
/// Static: no state. The peak is below μs N, the more so the closer 1/k is to v_s.
/// **Source.** Andersson, Söderberg, Björklund, Tribology International 40, 2007.
#[derive(Clone, Debug, PartialEq)]
pub struct Andersson<P = f64> {
    parameters: AnderssonParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> Andersson<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: AnderssonParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &AnderssonParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for Andersson<P> {
    type Number = P;
    type Kind = Speed;
}

impl<P: Scalar> SpeedLaw<P> for Andersson<P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, g: impl Fn(T) -> T) -> T {
        let (k, sigma_2) = (
            self.parameters.transition_rate,
            self.parameters.viscous_coefficient,
        );
        g(speed) * tanh_over_argument(speed * k) * k + sigma_2
    }

    fn curve(&self) -> Option<&Curve<P>> {
        Some(&self.curve)
    }
}

impl FrictionLaw for Andersson {
    const CARD: LawCard<'static> = LawCard {
        name: "andersson",
        title: "Andersson, Söderberg and Björklund",
        summary: "A Stribeck curve with viscous friction, smooth through rest.",
        equations: &[Equation {
            text: "F = N (g(|v|) tanh(k |v|) v/|v| + sigma_2 v),  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
            tex: r"\mathbf F = N\Bigl(g(|\mathbf v|)\tanh(k|\mathbf v|)\,\frac{\mathbf v}{|\mathbf v|}+\sigma_2\mathbf v\Bigr),\quad g=\mu_k+(\mu_s-\mu_k)e^{-(|\mathbf v|/v_s)^\alpha}",
            source: "Andersson et al. 2007, with a linear viscous term per unit of normal force",
        }],
        parameters: AnderssonParameters::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "Stribeck effect",
            "viscous friction",
        ],
        cannot: &[
            "hold: a small load W creeps at W/(k mu_s N)",
            "the whole static level: the peak of g tanh is below mu_s N",
            "presliding displacement, frictional lag, varying break-away force",
        ],
        source: "Andersson, Söderberg, Björklund, Tribology International 40 (2007) 580-587",
        remarks: "The vector form is ours: radial. Smooth for alpha = 2.",
    };

    fn slip_speed(&self) -> f64 {
        let p = &self.parameters;
        p.stribeck_velocity.max(1.0 / p.transition_rate)
    }

    fn notices(&self) -> Vec<Notice> {
        let half = 0.5 * self.parameters.static_coefficient;
        super::Friction::Andersson(self.clone()).creep_notice(half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Shape;
    use crate::law::Law;
    use crate::law::slip::Slip;

    #[test]
    fn curve_times_tanh() {
        let law = Andersson::new(AnderssonParameters {
            static_coefficient: 0.15,
            kinetic_coefficient: 0.1,
            stribeck_velocity: 1e-3,
            stribeck_exponent: 2.0,
            stribeck: Shape::Exponential,
            transition_rate: 1e4,
            viscous_coefficient: 2.0,
        })
        .expect("admissible");
        let f = |v: f64| law.rates(&Slip::new([v], 10.0), &[], &mut [])[0];
        // at v_s: (0.1 + 0.05/e) tanh(10) + 2e-3, by hand
        let expected = 10.0 * ((0.1 + 0.05 / std::f64::consts::E) * 10.0_f64.tanh() + 2e-3);
        assert!((f(1e-3) - expected).abs() < 1e-14);
        // the slope at rest is N (k mu_s + sigma_2)
        assert!((f(1e-12) / 1e-12 - 10.0 * (1e4 * 0.15 + 2.0)).abs() < 1e-6);
    }
}
