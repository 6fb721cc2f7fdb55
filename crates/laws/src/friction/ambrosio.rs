//! `ambrosio`: Coulomb's law with a dead zone and a ramp.

use crate::card::{Behaviour, Equation, LawCard, Range, Relation, Typical};
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the law of Ambrósio.
    pub struct AmbrosioParameters<P> for "ambrosio" {
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
        /// Speed below which there is no friction.
        lower_velocity: P = {
            symbol: "v_0", unit: "m/s", role: Speed, range: Range::Positive, typical: Typical::Number(1e-4), standard: 1e-5,
        },
        /// Speed at which the kinetic level is reached.
        upper_velocity: P = {
            symbol: "v_1", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-3), standard: 1e-4,
                    relation: Relation::NotBelow("lower_velocity"),
        },
    }
}

/// Coulomb's law with a dead zone about rest and a ramp.
///
/// $$ \mathbf F = c_d\,\mu_k N\,\frac{\mathbf v}{|\mathbf v|}, \qquad
///    c_d = \min\Bigl(\max\Bigl(\frac{|\mathbf v|-v_0}{v_1-v_0},\,0\Bigr),\,1\Bigr) $$
///
/// Static: no state. The dead zone spares an integrator the change of sign at rest; the law
/// cannot stick. **Source.** Ambrósio 2003, in the comparison of Marques et al. 2016.
#[derive(Clone, Debug, PartialEq)]
pub struct Ambrosio<P = f64> {
    parameters: AmbrosioParameters<P>,
}

impl<P: Scalar> Ambrosio<P> {
    /// The law.
    ///
    /// # Errors
    /// If `upper_velocity` is not above `lower_velocity`.
    pub fn new(parameters: AmbrosioParameters<P>) -> Result<Self, ParameterError> {
        let (lower, upper) = (
            parameters.lower_velocity.value(),
            parameters.upper_velocity.value(),
        );
        if upper > lower {
            return Ok(Self { parameters });
        }
        Err(ParameterError::Inconsistent {
            law: "ambrosio".into(),
            name: "upper_velocity".into(),
            value: upper,
            unit: "m/s".into(),
            reason: format!("must be above lower_velocity = {lower} m/s"),
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &AmbrosioParameters<P> {
        &self.parameters
    }
}

impl<P: Scalar> OfKind for Ambrosio<P> {
    type Number = P;
    type Kind = Speed;
}

impl<P: Scalar> SpeedLaw<P> for Ambrosio<P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, _g: impl Fn(T) -> T) -> T {
        let AmbrosioParameters {
            kinetic_coefficient: mu_k,
            lower_velocity: v_0,
            upper_velocity: v_1,
        } = self.parameters;
        let c_d = || ((speed - v_0) / (v_1 - v_0)).min(T::from_f64(1.0));
        let slides = T::of(v_0).less(speed);
        T::either(slides, || c_d() * mu_k / speed, T::zero)
    }
}

impl FrictionLaw for Ambrosio {
    const CARD: LawCard<'static> = LawCard {
        name: "ambrosio",
        title: "Ambrosio",
        summary: "The Coulomb level behind a ramp that starts beyond a dead zone: no friction at rest.",
        equations: &[Equation {
            text: "F = c_d mu_k N v/|v|,  c_d = 0 (|v| <= v_0), (|v| - v_0)/(v_1 - v_0), 1 (|v| >= v_1)",
            tex: r"\mathbf F = c_d\,\mu_k N\,\mathbf v/|\mathbf v|,\quad c_d = \min\Bigl(\max\Bigl(\frac{|\mathbf v|-v_0}{v_1-v_0},0\Bigr),1\Bigr)",
            source: "Ambrosio 2003",
        }],
        parameters: AmbrosioParameters::CARDS,
        states: &[],
        behaviour: &[Behaviour::Corner],
        printed: None,
        reproduces: &["kinetic friction at speeds above v_1"],
        cannot: &[
            "hold: below v_0 there is no friction at all, a load W moves at v_0 + (v_1 - v_0) W/(mu_k N)",
            "a static level above the kinetic one, stick-slip, presliding, lag",
        ],
        source: "Ambrosio 2003, as in Marques, Flores, Pimenta Claro, Lankarani, Nonlinear Dynamics 86 (2016) 1407-1443",
        remarks: "The vector form is ours: radial. The slope has kinks at v_0 and v_1.",
    };

    fn slip_speed(&self) -> f64 {
        self.parameters.upper_velocity
    }

    fn notices(&self) -> Vec<Notice> {
        let p = &self.parameters;
        let speed = 0.5 * (p.lower_velocity + p.upper_velocity);
        vec![Notice::creep("ambrosio", speed)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::law::slip::Slip;

    #[test]
    fn dead_zone_ramp_and_level() {
        let law = |lower, upper| {
            Ambrosio::new(AmbrosioParameters {
                kinetic_coefficient: 0.2,
                lower_velocity: lower,
                upper_velocity: upper,
            })
        };
        let ramp = law(1e-3, 3e-3).expect("admissible");
        let f = |v: f64| ramp.rates(&Slip::new([v], 10.0), &[], &mut [])[0];
        // nothing in the dead zone, half of 2 N in the middle of the ramp, 2 N beyond it
        assert!(f(1e-3).abs() < 1e-300 && (f(2e-3) - 1.0).abs() < 1e-14);
        assert!((f(-5.0) + 2.0).abs() < 1e-14);
        assert!(law(2e-3, 2e-3).is_err());
    }
}
