//! `coulomb_tanh`: Coulomb's law smoothed by tanh, as in Dymore.

use crate::card::{Equation, LawCard, Range, Typical};
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::numbers::smoothing::tanh_over_argument;
use crate::parameters;

parameters! {
    /// Coulomb's law smoothed by tanh.
    ///
    /// $$ \mathbf F = \mu_k N \tanh(|\mathbf v|/v_r)\,\frac{\mathbf v}{|\mathbf v|} $$
    ///
    /// Static: no state. Source: Dymore User's Manual, eq. 3, with the direction v/|v| (the
    /// printed V_r/V_s is not a unit vector and would not bound the force by μk N).
    /// Any load below μk N creeps with vr artanh(W/(μk N)).
    pub law CoulombTanh<P> for "coulomb_tanh" {
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.3), standard: 0.1,
        },
        /// Width of the smoothing: the speed at which 76 % of the level is reached.
        regularisation_velocity: P = {
            symbol: "v_r", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-3), standard: 1e-4,
        },
    }
}

impl<P: Scalar> OfKind for CoulombTanh<P> {
    type Number = P;
    type Kind = Speed;
}

impl<P: Scalar> SpeedLaw<P> for CoulombTanh<P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, _g: impl Fn(T) -> T) -> T {
        let (mu_k, v_r) = (self.kinetic_coefficient, self.regularisation_velocity);
        tanh_over_argument(speed / v_r) * (mu_k / v_r)
    }
}

impl FrictionLaw for CoulombTanh {
    const CARD: LawCard<'static> = LawCard {
        name: "coulomb_tanh",
        title: "Coulomb, regularised by tanh",
        summary: "The Coulomb level, smoothed about rest so that an ordinary solver can pass it.",
        equations: &[Equation {
            text: "F = mu_k N tanh(|v|/v_r) v/|v|",
            tex: r"\mathbf F = \mu_k N \tanh(|\mathbf v|/v_r)\,\mathbf v/|\mathbf v|",
            source: "Dymore User's Manual, eq. 3 (direction v/|v|)",
        }],
        parameters: Self::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &["kinetic friction at speeds well above v_r"],
        cannot: &[
            "hold: every load creeps at v_r artanh(W/(mu_k N))",
            "a static level above the kinetic one, stick-slip, presliding, lag",
        ],
        source: "Dymore User's Manual, section 1, eq. 3",
        remarks: "Vector form as printed; the same text serves one, two and three dimensions.",
    };

    fn slip_speed(&self) -> f64 {
        self.regularisation_velocity
    }

    fn notices(&self) -> Vec<Notice> {
        let speed = self.regularisation_velocity * 0.5_f64.atanh();
        vec![Notice::creep("coulomb_tanh", speed)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::law::slip::Slip;

    #[test]
    fn dymore_with_the_corrected_direction() {
        // mu = 0.5 tanh(10 |v|), N = 10, v = (0.03, 0.04): computed elsewhere
        let law = CoulombTanh {
            kinetic_coefficient: 0.5,
            regularisation_velocity: 0.1,
        };
        let f = law.rates(&Slip::new([0.03, 0.04], 10.0), &[], &mut []);
        // the references are printed with six decimals
        assert!((f[0] - 1.386_351).abs() < 1e-6 && (f[1] - 1.848_469).abs() < 1e-6);
    }
}
