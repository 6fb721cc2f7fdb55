//! `karnopp`: a dead zone of speed in which friction holds the applied force.

use crate::card::{Behaviour, Default, Equation, LawCard, Printed, Range, Typical};
use crate::curve::Curve;
use crate::kind::{General, Kind, KindVisitor, Speed, SpeedLaw};
use crate::law::slip::{Slip, Step, clip, norm};
use crate::law::{FrictionLaw, Law, Sides, StictionLimit, Tangent, tangent_by_dual};
use crate::notice::Notice;
use crate::notice::Topic;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of Karnopp's law.
    pub struct KarnoppParameters<P> for "karnopp" with stribeck {
        /// Half width of the dead zone: slower is at rest.
        stiction_velocity: P = {
            symbol: "Dv", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-4),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
    }
}

/// Karnopp's law.
///
/// $$ |\mathbf v| > D_v:\ \mathbf F = N\bigl(g(|\mathbf v|)\,\mathbf u + \sigma_2\mathbf v\bigr); \qquad
///    |\mathbf v| \le D_v:\ \mathbf F = \mathbf F_e \min\bigl(1,\ \mu_s N/|\mathbf F_e|\bigr) $$
///
/// Static: no state. Inside the dead zone friction answers the applied force Fₑ of the slip,
/// up to the static level, without viscous term; without Fₑ it is zero there. The force jumps
/// at |v| = D_v.
/// **Source.** Karnopp 1985; the vector form (clipped by magnitude) is ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Karnopp<P = f64> {
    parameters: KarnoppParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> Karnopp<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: KarnoppParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &KarnoppParameters<P> {
        &self.parameters
    }
}

/// The law without an applied force.
impl<P: Scalar> SpeedLaw<P> for Karnopp<P> {
    #[inline(always)]
    fn over_speed<T: MixesWith<P>>(&self, speed: T, g: impl Fn(T) -> T) -> T {
        let KarnoppParameters {
            stiction_velocity: d_v,
            viscous_coefficient: sigma_2,
            ..
        } = self.parameters;
        let slides = T::of(d_v).less(speed);
        T::either(slides, || g(speed) / speed + sigma_2, T::zero)
    }

    fn curve(&self) -> Option<&Curve<P>> {
        Some(&self.curve)
    }
}

impl<P: Scalar> Law<P> for Karnopp<P> {
    type Kind = General;

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        _state: &[T],
        _rates: &mut [T],
    ) -> [T; D] {
        let n = slip.normal_force;
        let speed = norm(&slip.velocity);
        if speed.value() <= self.parameters.stiction_velocity.value() {
            return clip(&slip.applied, n * self.parameters.static_coefficient);
        }
        let slope = n * (self.curve.value(speed) / speed + self.parameters.viscous_coefficient);
        slip.velocity.map(|v| slope * v)
    }

    /// None in the dead zone: the force there is the applied one.
    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let level = self.curve.value(speed) + self.parameters.viscous_coefficient * speed;
        (speed.value() > self.parameters.stiction_velocity.value()).then_some(level * normal_force)
    }
}

impl FrictionLaw for Karnopp {
    const CARD: LawCard<'static> = LawCard {
        name: "karnopp",
        title: "Karnopp, dead zone",
        summary: "Slower than D_v a pair is at rest, and friction holds the applied force up to the static level.",
        equations: &[
            Equation {
                text: "|v| > Dv:  F = N (g(|v|) u + sigma_2 v),  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"\mathbf F = N\bigl(g(|\mathbf v|)\,\mathbf u + \sigma_2\mathbf v\bigr),\quad |\mathbf v| > D_v",
                source: "Karnopp 1985",
            },
            Equation {
                text: "|v| <= Dv: F = Fe min(1, mu_s N/|Fe|)",
                tex: r"\mathbf F = \mathbf F_e\min(1, \mu_s N/|\mathbf F_e|),\quad |\mathbf v| \le D_v",
                source: "Karnopp 1985, clipped by magnitude",
            },
        ],
        parameters: KarnoppParameters::CARDS,
        states: &[],
        behaviour: &[Behaviour::Holds, Behaviour::AppliedForce],
        printed: Some(Printed {
            has: &["steady_state", "stick_slip", "computational_cost"],
            differs: &[(
                "computational_cost",
                "cheap where the applied force is known; in a mechanism a contact does not know it, friction is zero in the dead zone, and the run chatters at its edge",
            )],
        }),
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "hold without drift, where the applied force is known",
        ],
        cannot: &[
            "hold in a prescribed motion whose applied force is not given: then F = 0 in the dead zone",
            "presliding displacement, frictional lag, varying break-away force",
        ],
        source: "Karnopp 1985",
        remarks: "The force jumps at |v| = Dv. The vector form is ours. In a model the contact finds the applied force.",
    };

    const SIDES: Sides = Sides::OfVelocity;

    /// That of a law of the speed outside the dead zone.
    #[inline]
    fn update_with_tangent<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        if norm(&step.end.velocity) <= self.parameters.stiction_velocity {
            tangent_by_dual(self, step, old, new)
        } else {
            <Speed as Kind<Self>>::update_with_tangent(self, step, old, new)
        }
    }

    fn visit_kind<V: KindVisitor>(&self, visitor: V) -> V::Output {
        visitor.speed(self)
    }

    fn stiction(&self) -> Option<StictionLimit> {
        Some(StictionLimit {
            speed: self.parameters.stiction_velocity,
            coefficient: self.parameters.static_coefficient,
        })
    }

    fn slip_speed(&self) -> f64 {
        self.parameters
            .stribeck_velocity
            .max(self.parameters.stiction_velocity)
    }

    fn notices(&self) -> Vec<Notice> {
        let speed = self.parameters.stiction_velocity;
        let text = format!(
            "karnopp answers the applied tangential force: a contact of a model finds it, a prescribed \
             motion must give it (columns Fe), or friction is zero below stiction_velocity = {speed:.3e} m/s"
        );
        vec![Notice::new(Topic::DeadZone, text).value("speed", speed, "m/s")]
    }
}
