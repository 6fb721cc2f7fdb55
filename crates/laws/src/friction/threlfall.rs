//! `threlfall`: Coulomb's law behind an exponential rise.

use crate::card::{Behaviour, Equation, LawCard, Range, Typical};
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;

/// The exponent at v_r: there the law has 95 % of the kinetic level.
const SHARPNESS: f64 = 3.0;

parameters! {
    /// Coulomb's law behind an exponential rise.
    ///
    /// $$ \mathbf F = \mu_k N\,\bigl(1 - e^{-3\min(|\mathbf v|/v_r,\,1)}\bigr)\,\frac{\mathbf v}{|\mathbf v|} $$
    ///
    /// Static: no state. From v_r on the force is 95.02 % of μk N.
    /// **Source.** Threlfall, Mechanism and Machine Theory 13, 1978, pp. 475–483.
    pub law Threlfall<P> for "threlfall" {
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
        /// Speed from which the force is constant.
        regularisation_velocity: P = {
            symbol: "v_r", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-4),
        },
    }
}

impl<P: Scalar> OfKind for Threlfall<P> {
    type Number = P;
    type Kind = Speed;
}

impl<P: Scalar> SpeedLaw<P> for Threlfall<P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, _g: impl Fn(T) -> T) -> T {
        let (mu_k, v_r) = (self.kinetic_coefficient, self.regularisation_velocity);
        // (1 − e^(−a))/a · 3/max(|v|, v_r) is (1 − e^(−a))/|v| for a = 3 min(|v|/v_r, 1)
        let share = (speed / v_r).min(T::from_f64(1.0));
        let mean = (share * SHARPNESS).relaxation().1;
        mean * (mu_k * SHARPNESS) / speed.max(T::of(v_r))
    }
}

impl FrictionLaw for Threlfall {
    const CARD: LawCard<'static> = LawCard {
        name: "threlfall",
        title: "Threlfall",
        summary: "The Coulomb level behind an exponential rise, as an early multibody program had it.",
        equations: &[
            Equation {
                text: "|v| <= v_r: F = mu_k N (1 - exp(-3 |v|/v_r)) v/|v|",
                tex: r"\mathbf F = \mu_k N\bigl(1-e^{-3|\mathbf v|/v_r}\bigr)\,\mathbf v/|\mathbf v|,\quad |\mathbf v|\le v_r",
                source: "Threlfall 1978",
            },
            Equation {
                text: "|v| > v_r: F = mu_k N (1 - exp(-3)) v/|v|",
                tex: r"\mathbf F = \mu_k N\,(1-e^{-3})\,\mathbf v/|\mathbf v|,\quad |\mathbf v|> v_r",
                source: "Threlfall 1978",
            },
        ],
        parameters: Self::CARDS,
        states: &[],
        behaviour: &[Behaviour::Corner],
        printed: None,
        reproduces: &["kinetic friction at speeds above v_r, at 95 % of its level"],
        cannot: &[
            "hold: every load creeps, W at -v_r/3 ln(1 - W/(mu_k N))",
            "a static level above the kinetic one, stick-slip, presliding, lag",
        ],
        source: "Threlfall, Mechanism and Machine Theory 13 (1978) 475-483",
        remarks: "The vector form is ours: radial. The slope has a kink at |v| = v_r.",
    };

    fn slip_speed(&self) -> f64 {
        self.regularisation_velocity
    }

    fn notices(&self) -> Vec<Notice> {
        // half of the level 1 − e^(−3)
        let share = -0.5 * (-SHARPNESS).exp_m1();
        let speed = -self.regularisation_velocity / SHARPNESS * (-share).ln_1p();
        vec![Notice::creep("threlfall", speed)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::law::slip::Slip;

    #[test]
    fn level_and_creep() {
        let law = Threlfall {
            kinetic_coefficient: 0.2,
            regularisation_velocity: 1e-3,
        };
        let f = |v: f64| law.rates(&Slip::new([v], 10.0), &[], &mut [])[0];
        // 0.9502 of the Coulomb force from v_r on
        assert!(
            (f(5e-3) / 2.0 - 0.950_213).abs() < 1e-6 && (f(1e-3) - f(-2.0).abs()).abs() < 1e-15
        );
        // a load of 1 N creeps at -v_r/3 ln(1 - 1/2)
        assert!((f(1e-3 / 3.0 * 2.0_f64.ln()) - 1.0).abs() < 1e-14);
    }
}
