//! `brown_mcphee`: a smooth static and kinetic level, infinitely often differentiable.

use crate::card::{Default, Equation, LawCard, Range, Relation, Typical};
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::numbers::smoothing::tanh_over_argument;
use crate::parameters;
use crate::parameters::{ParameterError, static_not_below_kinetic};

parameters! {
    /// Parameters of the law of Brown and McPhee.
    pub struct BrownMcPheeParameters<P> for "brown_mcphee" {
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
        /// Speed of the peak.
        transition_velocity: P = {
            symbol: "v_t", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-3),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
    }
}

/// Speed over v_t beyond which the excess, 64/r³ of its peak, is lost beside the kinetic level; its
/// square would overflow.
const FAR: f64 = 1e8;

/// A static and a kinetic level in one smooth curve.
///
/// $$ \mathbf F = N\Bigl[\mu_k\tanh\frac{4|\mathbf v|}{v_t} + (\mu_s-\mu_k)
///    \frac{|\mathbf v|/v_t}{\bigl(\frac{1}{4}(|\mathbf v|/v_t)^2 + \frac{3}{4}\bigr)^2}\Bigr]\frac{\mathbf v}{|\mathbf v|}
///    + N\sigma_2\mathbf v $$
///
/// Static: no state. Both parts have a continuous derivative of every order; at v_t the second one is μs − μk.
/// **Source.** Brown and McPhee, Journal of Computational and Nonlinear Dynamics 11, 2016. There the
/// viscous part carries a factor tanh(4N/N_t); here it is in proportion to N.
#[derive(Clone, Debug, PartialEq)]
pub struct BrownMcPhee<P = f64> {
    parameters: BrownMcPheeParameters<P>,
}

impl<P: Scalar> BrownMcPhee<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: BrownMcPheeParameters<P>) -> Result<Self, ParameterError> {
        let (mu_s, mu_k) = (
            parameters.static_coefficient,
            parameters.kinetic_coefficient,
        );
        static_not_below_kinetic("brown_mcphee", mu_s, mu_k)?;
        Ok(Self { parameters })
    }

    /// The parameters.
    pub fn parameters(&self) -> &BrownMcPheeParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for BrownMcPhee<P> {
    type Number = P;
    type Kind = Speed;
}

impl<P: Scalar> SpeedLaw<P> for BrownMcPhee<P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, _g: impl Fn(T) -> T) -> T {
        let BrownMcPheeParameters {
            static_coefficient: mu_s,
            kinetic_coefficient: mu_k,
            transition_velocity: v_t,
            viscous_coefficient: sigma_2,
        } = self.parameters;
        let r = speed / v_t;
        let kinetic = tanh_over_argument(r * 4.0) * (mu_k * 4.0);
        let near = r.min(T::from_f64(FAR));
        let q = near * near * 0.25 + 0.75;
        let excess = T::of(mu_s - mu_k) / (q * q);
        (kinetic + excess) / v_t + sigma_2
    }
}

impl FrictionLaw for BrownMcPhee {
    const CARD: LawCard<'static> = LawCard {
        name: "brown_mcphee",
        title: "Brown and McPhee",
        summary: "Static level, drop and viscous friction in one smooth formula, for real-time and optimal control.",
        equations: &[Equation {
            text: "F = N (mu_k tanh(4 r) + (mu_s - mu_k) r/(r^2/4 + 3/4)^2) v/|v| + N sigma_2 v,  r = |v|/v_t",
            tex: r"\mathbf F = N\Bigl(\mu_k\tanh 4r + (\mu_s-\mu_k)\frac{r}{(r^2/4+3/4)^2}\Bigr)\frac{\mathbf v}{|\mathbf v|} + N\sigma_2\mathbf v,\quad r = |\mathbf v|/v_t",
            source: "Brown and McPhee 2016, eq. 13, viscous term in proportion to N",
        }],
        parameters: BrownMcPheeParameters::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &["stick-slip", "Stribeck effect", "viscous friction"],
        cannot: &[
            "hold: every load creeps, one of half the static limit with 0.14 v_t to 0.3 v_t",
            "a drop of its own width: the peak and the end of the drop are both set by v_t",
            "presliding displacement, frictional lag, varying break-away force",
        ],
        source: "Brown, McPhee, Journal of Computational and Nonlinear Dynamics 11 (2016) 054502",
        remarks: "The vector form is ours: radial. At v_t the force is mu_s N - 0.0007 mu_k N.",
    };

    fn slip_speed(&self) -> f64 {
        self.parameters.transition_velocity
    }

    fn notices(&self) -> Vec<Notice> {
        let half = 0.5 * self.parameters.static_coefficient;
        super::Friction::BrownMcPhee(self.clone()).creep_notice(half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::law::slip::Slip;

    #[test]
    fn peak_and_level() {
        let law = BrownMcPhee::new(BrownMcPheeParameters {
            static_coefficient: 0.15,
            kinetic_coefficient: 0.1,
            transition_velocity: 1e-3,
            viscous_coefficient: 0.0,
        })
        .expect("admissible");
        let f = |v: f64| law.rates(&Slip::new([v], 10.0), &[], &mut [])[0];
        // at v_t the excess is whole and tanh 4 is left of the kinetic level
        assert!((f(1e-3) - (0.5 + 4.0_f64.tanh())).abs() < 1e-14);
        // far beyond it the kinetic level: the excess falls with 16/r^3
        assert!((f(1.0) - 1.0).abs() < 1e-7 && (f(-1.0) + 1.0).abs() < 1e-7);
    }
}
