//! `gkf`: the general kinetic friction law, regularised.

use crate::card::{Behaviour, Default, Equation, LawCard, Printed, Range, Typical};
use crate::curve::Curve;
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the general kinetic friction law.
    pub struct GkfParameters<P> for "gkf" with stribeck {
        /// Speed epsilon below which sticking is imitated by a steep ramp.
        regularisation_velocity: P = {
            symbol: "v_r", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-4),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
    }
}

/// General kinetic friction, regularised below the speed ε.
///
/// $$ \mathbf F = N\Bigl(\mu_s \tfrac{\mathbf v}{\varepsilon} + \sigma_2 \mathbf v\Bigr),\ |\mathbf v| < \varepsilon;
///    \qquad \mathbf F = N\Bigl(g(|\mathbf v|-\varepsilon)\tfrac{\mathbf v}{|\mathbf v|} + \sigma_2 \mathbf v\Bigr)\ \text{above} $$
///
/// Static: no state. Source: Colantonio et al. 2022, eq. 38, corrected: no sgn(V) beside the
/// vector V/ε, |V| − ε in the exponent (the printed ε is a constant), the viscous term in both
/// branches so that the force does not jump. σ₂ = f_v/N of the paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Gkf<P = f64> {
    parameters: GkfParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> Gkf<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: GkfParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &GkfParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for Gkf<P> {
    type Number = P;
    type Kind = Speed;
}

impl<P: Scalar> SpeedLaw<P> for Gkf<P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, g: impl Fn(T) -> T) -> T {
        let GkfParameters {
            static_coefficient: mu_s,
            regularisation_velocity: eps,
            viscous_coefficient: sigma_2,
            ..
        } = self.parameters;
        let ramp = || T::of(mu_s / eps);
        let slow = speed.less(T::of(eps));
        T::either(slow, ramp, || g(speed - eps) / speed) + sigma_2
    }

    fn curve(&self) -> Option<&Curve<P>> {
        Some(&self.curve)
    }
}

impl FrictionLaw for Gkf {
    const CARD: LawCard<'static> = LawCard {
        name: "gkf",
        title: "General kinetic friction (GKF), regularised",
        summary: "Static level, Stribeck drop and viscous friction, with a steep ramp in place of stick.",
        equations: &[
            Equation {
                text: "|v| < eps:  F = N (mu_s v/eps + sigma_2 v)",
                tex: r"\mathbf F = N(\mu_s \mathbf v/\varepsilon + \sigma_2\mathbf v),\quad |\mathbf v|<\varepsilon",
                source: "Colantonio et al. 2022, eq. 38a, without sgn(V)",
            },
            Equation {
                text: "|v| >= eps: F = N (g(|v| - eps) v/|v| + sigma_2 v),  g(w) = mu_k + (mu_s - mu_k) exp(-(w/v_s)^alpha)",
                tex: r"\mathbf F = N\bigl(g(|\mathbf v|-\varepsilon)\,\mathbf v/|\mathbf v| + \sigma_2\mathbf v\bigr),\quad g(w)=\mu_k+(\mu_s-\mu_k)e^{-(w/v_s)^\alpha}",
                source: "Colantonio et al. 2022, eq. 38b, |V| - eps in the exponent",
            },
        ],
        parameters: GkfParameters::CARDS,
        states: &[],
        behaviour: &[Behaviour::Corner],
        printed: Some(Printed {
            has: &["steady_state", "stick_slip"],
            differs: &[(
                "computational_cost",
                "its steep slope at rest holds down the step of an explicit rule; an implicit one passes over it",
            )],
        }),
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "Stribeck effect",
            "viscous friction",
        ],
        cannot: &[
            "hold: a load W creeps at eps W/(mu_s N)",
            "presliding displacement, frictional lag, varying break-away force",
        ],
        source: "Colantonio et al. 2022, section 4, eq. 38 (corrected)",
        remarks: "Vector form as printed. The force is continuous; its slope has a kink at |v| = eps.",
    };

    fn slip_speed(&self) -> f64 {
        let p = &self.parameters;
        p.stribeck_velocity.max(p.regularisation_velocity)
    }

    fn notices(&self) -> Vec<Notice> {
        let speed = 0.5 * self.parameters.regularisation_velocity;
        vec![Notice::creep("gkf", speed)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Shape;
    use crate::law::Law;
    use crate::law::slip::Slip;

    #[test]
    fn continuous_at_the_regularisation_speed() {
        let law = Gkf::new(GkfParameters {
            static_coefficient: 0.5,
            kinetic_coefficient: 0.3,
            stribeck_velocity: 0.003,
            stribeck_exponent: 2.0,
            stribeck: Shape::Exponential,
            regularisation_velocity: 3e-4,
            viscous_coefficient: 2.0,
        })
        .expect("admissible");
        let f = |v: f64| law.rates(&Slip::new([v], 5.0), &[], &mut [])[0];
        // both sides give N (mu_s + sigma_2 eps) = 5 (0.5 + 0.0006)
        assert!((f(3e-4 * (1.0 - 1e-12)) - 2.503).abs() < 1e-10);
        assert!((f(3e-4 * (1.0 + 1e-12)) - 2.503).abs() < 1e-10);
    }
}
