//! Which laws have a text on lanes, and the choice of it: once for a batch.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use super::blocks::{Constitutive, Continuous};
use super::passes::OnLanes;
use super::text::{Bristles, Curves, DeadZone, Level, NoCurve, Relaxing, Static};
use super::{Points, Steps};
use crate::friction::Friction;
use crate::kind::SpeedLaw;
use crate::law::FrictionLaw;

/// Something to do with a law and its text.
pub(super) trait WithText {
    /// Called with the types of both.
    fn call<L: FrictionLaw, X: OnLanes<S>, const S: usize>(self, law: &L, text: X);
}

/// The continuous view in vector instructions.
pub(super) struct View<'a, 'b, 'c, const D: usize> {
    pub(super) points: &'a Points<'a, D>,
    pub(super) states: &'a [&'a [f64]],
    pub(super) rates: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

/// The update in vector instructions.
pub(super) struct Update<'a, 'b, 'c, const D: usize> {
    pub(super) steps: &'a Steps<'a, D>,
    pub(super) states: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

/// A job with its number of vector states.
struct Job<J, const S: usize>(J);

impl<L: FrictionLaw, X: OnLanes<S>, const D: usize, const S: usize> pulp::WithSimd
    for Job<Continuous<'_, '_, '_, L, X, D>, S>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<I: pulp::Simd>(self, _: I) {
        self.0.run::<S>();
    }
}

impl<L: FrictionLaw, X: OnLanes<S>, const D: usize, const S: usize> pulp::WithSimd
    for Job<Constitutive<'_, '_, '_, L, X, D>, S>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<I: pulp::Simd>(self, _: I) {
        self.0.run::<S>();
    }
}

impl<const D: usize> WithText for View<'_, '_, '_, D> {
    fn call<L: FrictionLaw, X: OnLanes<S>, const S: usize>(self, law: &L, text: X) {
        pulp::Arch::new().dispatch(Job::<_, S>(Continuous {
            law,
            text,
            points: self.points,
            states: self.states,
            rates: self.rates,
            force: self.force,
        }));
    }
}

impl<const D: usize> WithText for Update<'_, '_, '_, D> {
    fn call<L: FrictionLaw, X: OnLanes<S>, const S: usize>(self, law: &L, text: X) {
        pulp::Arch::new().dispatch(Job::<_, S>(Constitutive {
            law,
            text,
            steps: self.steps,
            states: self.states,
            force: self.force,
        }));
    }
}

/// Calls `with` with the law's text; gives it back if there is none.
pub(super) fn with_text<W: WithText>(law: &Friction, with: W) -> Result<(), W> {
    match law {
        Friction::CoulombTanh(law) => with.call(law, Static(law, NoCurve)),
        Friction::CoulombLinear(law) => with.call(law, Static(law, NoCurve)),
        Friction::Threlfall(law) => with.call(law, Static(law, NoCurve)),
        Friction::Ambrosio(law) => with.call(law, Static(law, NoCurve)),
        Friction::BengisuAkay(law) => with.call(law, Static(law, NoCurve)),
        Friction::BrownMcPhee(law) => with.call(law, Static(law, NoCurve)),
        Friction::AdamsRegularised(law) => with.call(law, Static(law, NoCurve)),
        Friction::RecurDynRegularised(law) => with.call(law, Static(law, NoCurve)),
        Friction::SimpackRegularised(law) => with.call(law, Static(law, NoCurve)),
        Friction::Dahl(law) if law.is_linear() => {
            let text = Relaxing::<1> {
                per_length: [law.bristle_stiffness / law.kinetic_coefficient],
                reach: [law.kinetic_coefficient / law.bristle_stiffness],
                stiffness: law.bristle_stiffness,
            };
            with.call(law, text);
        }
        // without applied force: Dahl's law
        Friction::Gear(law) => {
            let p = law.parameters();
            let text = Relaxing::<1> {
                per_length: [1.0 / p.relaxation_length],
                reach: [1.0],
                stiffness: p.kinetic_coefficient,
            };
            with.call(law, text);
        }
        Friction::BlimanSorine(law) => {
            let [(first, fast), (second, slow)] = law.parts();
            let text = Relaxing::<2> {
                per_length: [fast, slow],
                reach: [first, second],
                stiffness: 1.0,
            };
            with.call(law, text);
        }
        _ => return with_curve(law, with),
    }
    Ok(())
}

/// [`with_text`] of the laws with a Stribeck curve.
fn with_curve<W: WithText>(law: &Friction, with: W) -> Result<(), W> {
    let curve = match law {
        Friction::LuGre(law) if law.parameters().damping_velocity.is_none() => Some(law.curve()),
        Friction::LuGreClassical(law) if law.parameters().damping_velocity.is_none() => {
            Some(law.curve())
        }
        Friction::Gkf(law) => law.curve(),
        Friction::Andersson(law) => law.curve(),
        Friction::Karnopp(law) => Some(law.curve()),
        _ => None,
    };
    match curve.and_then(Curves::of) {
        Some(Curves::Square(curve)) => curved(law, curve, with),
        Some(Curves::Power(curve)) => curved(law, curve, with),
        None => Err(with),
    }
}

fn curved<C: Level, W: WithText>(law: &Friction, curve: C, with: W) -> Result<(), W> {
    match law {
        Friction::LuGre(law) => {
            let p = law.parameters();
            let text = Bristles::<_, false> {
                curve,
                sigma_0: p.bristle_stiffness,
                sigma_1: p.bristle_damping,
                sigma_2: p.viscous_coefficient,
                no_load: 0.0,
            };
            with.call(law, text);
        }
        Friction::LuGreClassical(law) => {
            let p = law.parameters();
            let text = Bristles::<_, true> {
                curve,
                sigma_0: p.bristle_stiffness,
                sigma_1: p.bristle_damping,
                sigma_2: p.viscous_coefficient,
                no_load: crate::friction::NO_LOAD,
            };
            with.call(law, text);
        }
        Friction::Gkf(law) => with.call(law, Static(law, curve)),
        Friction::Andersson(law) => with.call(law, Static(law, curve)),
        Friction::Karnopp(law) => {
            let p = law.parameters();
            let text = DeadZone {
                width: p.stiction_velocity,
                sigma_2: p.viscous_coefficient,
            };
            with.call(law, Static(&text, curve));
        }
        _ => return Err(with),
    }
    Ok(())
}
