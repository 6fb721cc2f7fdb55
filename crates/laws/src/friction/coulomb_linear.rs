//! `coulomb_linear`: Coulomb's law with a linear ramp about rest.

use crate::card::{Behaviour, Equation, LawCard, Range, Typical};
use crate::kind::{OfKind, Speed, SpeedLaw};
use crate::law::FrictionLaw;
use crate::notice::Notice;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;

parameters! {
    /// Coulomb's law with a linear ramp about rest.
    ///
    /// $$ \mathbf F = \mu_k N\,\frac{\mathbf v}{\max(|\mathbf v|,\,v_r)} $$
    ///
    /// Static: no state. A load W below μk N creeps with v_r W/(μk N).
    /// **Source.** Common form; the direction v/|v| as in Dymore User's Manual, eq. 3.
    pub law CoulombLinear<P> for "coulomb_linear" {
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.3), standard: 0.1,
        },
        /// Speed at which the ramp reaches the kinetic level.
        regularisation_velocity: P = {
            symbol: "v_r", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-3), standard: 1e-4,
        },
    }
}

impl<P: Scalar> OfKind for CoulombLinear<P> {
    type Number = P;
    type Kind = Speed;
}

impl<P: Scalar> SpeedLaw<P> for CoulombLinear<P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, _g: impl Fn(T) -> T) -> T {
        let (mu_k, v_r) = (self.kinetic_coefficient, self.regularisation_velocity);
        T::of(mu_k) / speed.max(T::of(v_r))
    }
}

impl FrictionLaw for CoulombLinear {
    const CARD: LawCard<'static> = LawCard {
        name: "coulomb_linear",
        title: "Coulomb, linear ramp",
        summary: "The Coulomb level with a straight ramp through rest: the simplest regularisation.",
        equations: &[Equation {
            text: "F = mu_k N v/max(|v|, v_r)",
            tex: r"\mathbf F = \mu_k N\,\mathbf v/\max(|\mathbf v|, v_r)",
            source: "common form",
        }],
        parameters: Self::CARDS,
        states: &[],
        behaviour: &[Behaviour::Corner],
        printed: None,
        reproduces: &["kinetic friction at speeds above v_r"],
        cannot: &[
            "hold: every load creeps at v_r W/(mu_k N)",
            "a static level above the kinetic one, stick-slip, presliding, lag",
        ],
        source: "common form; direction as in Dymore User's Manual, eq. 3",
        remarks: "The vector form is radial. The slope has a kink at |v| = v_r.",
    };

    fn slip_speed(&self) -> f64 {
        self.regularisation_velocity
    }

    fn notices(&self) -> Vec<Notice> {
        vec![Notice::creep(
            "coulomb_linear",
            0.5 * self.regularisation_velocity,
        )]
    }
}
