//! `bengisu_akay`: a parabola to the static level, then an exponential drop.

use crate::card::{Behaviour, Default, Equation, LawCard, Range, Relation, Typical};
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::{ParameterError, static_not_below_kinetic};

parameters! {
    /// Parameters of the law of Bengisu and Akay.
    pub struct BengisuAkayParameters<P> for "bengisu_akay" {
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
        /// Speed of the static level.
        regularisation_velocity: P = {
            symbol: "v_r", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-4),
        },
        /// Rate of the drop from the static to the kinetic level.
        decay_rate: P = {
            symbol: "xi", unit: "s/m", role: StribeckSpeed, range: Range::Positive, typical: Typical::Number(1e3),
        },
    }
}

/// A parabola to the static level, then an exponential drop to the kinetic one.
///
/// $$ \mathbf F = N\mu_s\Bigl[1 - \frac{(|\mathbf v|-v_r)^2}{v_r^2}\Bigr]\frac{\mathbf v}{|\mathbf v|},\ |\mathbf v|\le v_r;
///    \qquad \mathbf F = N\bigl[\mu_k + (\mu_s-\mu_k)e^{-\xi(|\mathbf v|-v_r)}\bigr]\frac{\mathbf v}{|\mathbf v|}\ \text{above} $$
///
/// Static: no state. **Source.** Bengisu and Akay, Journal of Sound and Vibration 171, 1994.
#[derive(Clone, Debug, PartialEq)]
pub struct BengisuAkay<P = f64> {
    parameters: BengisuAkayParameters<P>,
}

impl<P: Scalar> BengisuAkay<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: BengisuAkayParameters<P>) -> Result<Self, ParameterError> {
        let (mu_s, mu_k) = (
            parameters.static_coefficient,
            parameters.kinetic_coefficient,
        );
        static_not_below_kinetic("bengisu_akay", mu_s, mu_k)?;
        Ok(Self { parameters })
    }

    /// The parameters.
    pub fn parameters(&self) -> &BengisuAkayParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for BengisuAkay<P> {
    type Number = P;
    type Kind = Speed;
}

impl<P: Scalar> SpeedLaw<P> for BengisuAkay<P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, _g: impl Fn(T) -> T) -> T {
        let BengisuAkayParameters {
            static_coefficient: mu_s,
            kinetic_coefficient: mu_k,
            regularisation_velocity: v_r,
            decay_rate: xi,
        } = self.parameters;
        // 1 − (r − 1)² over r is 2 − r
        let rise = || (-(speed / v_r) + 2.0) * (mu_s / v_r);
        let drop = || ((speed - v_r) * xi).decay() * (mu_s - mu_k);
        let slow = speed.less(T::of(v_r));
        T::either(slow, rise, || (drop() + mu_k) / speed)
    }
}

impl FrictionLaw for BengisuAkay {
    const CARD: LawCard<'static> = LawCard {
        name: "bengisu_akay",
        title: "Bengisu and Akay",
        summary: "A parabola up to the static level and an exponential drop to the kinetic one.",
        equations: &[
            Equation {
                text: "|v| <= v_r: F = mu_s N (1 - (|v| - v_r)^2/v_r^2) v/|v|",
                tex: r"\mathbf F = \mu_s N\Bigl(1-\frac{(|\mathbf v|-v_r)^2}{v_r^2}\Bigr)\frac{\mathbf v}{|\mathbf v|},\quad |\mathbf v|\le v_r",
                source: "Bengisu and Akay 1994",
            },
            Equation {
                text: "|v| > v_r: F = N (mu_k + (mu_s - mu_k) exp(-xi (|v| - v_r))) v/|v|",
                tex: r"\mathbf F = N\bigl(\mu_k+(\mu_s-\mu_k)e^{-\xi(|\mathbf v|-v_r)}\bigr)\frac{\mathbf v}{|\mathbf v|},\quad |\mathbf v|> v_r",
                source: "Bengisu and Akay 1994",
            },
        ],
        parameters: BengisuAkayParameters::CARDS,
        states: &[],
        behaviour: &[Behaviour::Corner],
        printed: None,
        reproduces: &["stick-slip", "static level above the kinetic one"],
        cannot: &[
            "hold: every load creeps, W at v_r (1 - sqrt(1 - W/(mu_s N)))",
            "presliding displacement, frictional lag, varying break-away force, viscous friction",
        ],
        source: "Bengisu, Akay, Journal of Sound and Vibration 171 (1994) 557-570",
        remarks: "The vector form is ours: radial. Continuous; the slope jumps at |v| = v_r where mu_s > mu_k.",
    };

    fn slip_speed(&self) -> f64 {
        self.parameters.regularisation_velocity
    }

    fn notices(&self) -> Vec<Notice> {
        let speed = self.parameters.regularisation_velocity * (1.0 - 0.5_f64.sqrt());
        vec![Notice::creep("bengisu_akay", speed)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::law::slip::Slip;

    #[test]
    fn peak_drop_and_creep() {
        let law = BengisuAkay::new(BengisuAkayParameters {
            static_coefficient: 0.15,
            kinetic_coefficient: 0.1,
            regularisation_velocity: 1e-4,
            decay_rate: 1e3,
        })
        .expect("admissible");
        let f = |v: f64| law.rates(&Slip::new([v], 10.0), &[], &mut [])[0];
        // the static level at v_r, from both sides
        assert!((f(1e-4 * (1.0 - 1e-9)) - 1.5).abs() < 1e-12);
        assert!((f(1e-4 * (1.0 + 1e-9)) - 1.5).abs() < 1e-9);
        // 1/xi further the excess has fallen to 1/e; half the limit creeps at v_r (1 - sqrt(1/2))
        assert!((f(1.1e-3) - (1.0 + 0.5 / std::f64::consts::E)).abs() < 1e-14);
        assert!((f(1e-4 * (1.0 - 0.5_f64.sqrt())) - 0.75).abs() < 1e-14);
    }
}
