//! Stribeck curves: the friction coefficient of steady sliding against speed.
//!
//! A curve is a component with a card of its own. The laws that carry one name it in their
//! field `stribeck`; the levels μs, μk, the Stribeck velocity vs and the exponent α are
//! fields of the law.

mod cards;
mod exponential;
mod rational;
mod sine;
mod step5;
mod table;

pub use exponential::Exponential;
pub use rational::Rational;
pub use sine::SineCurve;
pub use step5::{Step5, odd_step5_over_argument, step5};
pub use table::{TableCurve, TableError};

use crate::card::LawCard;
use crate::law::slip::speeds_and_squares;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters::{ParameterError, same_name};
use std::sync::Arc;

/// The shape of a Stribeck curve: what the field `stribeck` of a law holds.
#[derive(Clone, Debug, PartialEq, Default)]
#[non_exhaustive]
pub enum Shape {
    /// exp(−(|v|/vs)^α).
    #[default]
    Exponential,
    /// exp(−(|v|/vs)²).
    Gaussian,
    /// 1/(1 + (|v|/vs)^α).
    Rational,
    /// A quintic from μs at vs to μk at the dynamic velocity, m/s (1.5 vs if it is not given).
    Step5(Option<f64>),
    /// Half a cosine from μs at vs to μk at the dynamic velocity, m/s (1.5 vs if not given).
    Sine(Option<f64>),
    /// Measured points.
    Table(Arc<TableCurve>),
}

/// The dynamic velocity of STEP5 and sine over vs, as the vendor laws have it.
const DYNAMIC: f64 = 1.5;

impl Shape {
    /// The field of a law that names its curve.
    pub const FIELD: &'static str = "stribeck";

    /// The card of every shape.
    pub const CARDS: &'static [LawCard<'static>] = cards::CARDS;

    /// The shape of this name that needs nothing more; `table` needs points.
    pub fn named(name: &str) -> Option<Self> {
        [
            Self::Exponential,
            Self::Gaussian,
            Self::Rational,
            Self::Step5(None),
            Self::Sine(None),
        ]
        .into_iter()
        .find(|shape| same_name(shape.name(), name))
    }

    /// Its name in the catalogue.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exponential => "exponential",
            Self::Gaussian => "gaussian",
            Self::Rational => "rational",
            Self::Step5(_) => "step5",
            Self::Sine(_) => "sine",
            Self::Table(_) => "table",
        }
    }

    /// The card of a shape by name.
    pub fn card_of(name: &str) -> Option<&'static LawCard<'static>> {
        Self::CARDS.iter().find(|card| same_name(card.name, name))
    }

    /// Whether the exponent α enters.
    pub fn uses_exponent(&self) -> bool {
        matches!(self, Self::Exponential | Self::Rational)
    }
}

/// A Stribeck curve g(|v|) with its levels.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Curve<P = f64> {
    /// See [`Exponential`]; the Gaussian is the one with α = 2.
    Exponential(Exponential<P>),
    /// See [`Rational`].
    Rational(Rational<P>),
    /// See [`Step5`].
    Step5(Step5<P>),
    /// See [`SineCurve`].
    Sine(SineCurve<P>),
    /// See [`TableCurve`].
    Table(Arc<TableCurve>),
}

/// What the fields of a law say about its curve.
#[derive(Clone, Copy, Debug)]
pub struct Levels<P = f64> {
    /// Static coefficient μs, 1.
    pub mu_s: P,
    /// Kinetic coefficient μk, 1.
    pub mu_k: P,
    /// Stribeck velocity vs, m/s.
    pub v_s: P,
    /// Exponent α, 1.
    pub alpha: P,
}

impl<P: Scalar> Curve<P> {
    /// The curve of a law; the levels have been checked by the law.
    ///
    /// # Errors
    /// If the dynamic velocity of the shape is not above the Stribeck velocity.
    pub fn new(law: &str, shape: &Shape, levels: Levels<P>) -> Result<Self, ParameterError> {
        let Levels {
            mu_s,
            mu_k,
            v_s,
            alpha,
        } = levels;
        let dynamic = |given: &Option<f64>| {
            let dynamic = given.map_or(v_s * DYNAMIC, P::from_f64);
            let (v_d, v_s) = (dynamic.value(), v_s.value());
            if v_d > v_s && v_d.is_finite() {
                return Ok(dynamic);
            }
            Err(ParameterError::Inconsistent {
                law: law.into(),
                name: "stribeck".into(),
                value: v_d,
                unit: "m/s".into(),
                reason: format!(
                    "the dynamic_velocity of the curve must be above stribeck_velocity = {v_s} m/s"
                ),
            })
        };
        Ok(match shape {
            Shape::Exponential => Self::Exponential(Exponential::new(mu_s, mu_k, v_s, alpha)),
            Shape::Gaussian => {
                Self::Exponential(Exponential::new(mu_s, mu_k, v_s, P::from_f64(2.0)))
            }
            Shape::Rational => Self::Rational(Rational::new(mu_s, mu_k, v_s, alpha)),
            Shape::Step5(v_d) => Self::Step5(Step5::new(mu_s, mu_k, v_s, dynamic(v_d)?)),
            Shape::Sine(v_d) => Self::Sine(SineCurve::new(mu_s, mu_k, v_s, dynamic(v_d)?)),
            Shape::Table(table) => Self::Table(Arc::clone(table)),
        })
    }

    /// g at a speed |v| ≥ 0.
    #[allow(
        clippy::inline_always,
        reason = "every evaluation of a law with a curve calls it"
    )]
    #[inline(always)]
    pub fn value<T: Scalar + MixesWith<P>>(&self, speed: T) -> T {
        let [g] = self.values([speed]);
        g
    }

    /// g at several speeds |v| ≥ 0: exponentials of several numbers together cost little more than
    /// one.
    #[allow(
        clippy::inline_always,
        reason = "every evaluation of a law with a curve calls it"
    )]
    #[inline(always)]
    pub fn values<T: Scalar + MixesWith<P>, const N: usize>(&self, speeds: [T; N]) -> [T; N] {
        if let Self::Exponential(curve) = self
            && curve.is_square()
        {
            curve.of_speeds(speeds)
        } else {
            speeds.map(|speed| self.other_value(speed))
        }
    }

    /// |v| and g(|v|) of several velocities.
    #[allow(
        clippy::inline_always,
        reason = "every evaluation of a law with a curve calls it"
    )]
    #[inline(always)]
    pub fn along<T: Scalar + MixesWith<P>, const D: usize, const N: usize>(
        &self,
        velocities: [&[T; D]; N],
    ) -> [(T, T); N] {
        let (speeds, squares) = speeds_and_squares(velocities);
        let levels = self.levels(speeds, squares);
        std::array::from_fn(|i| (speeds[i], levels[i]))
    }

    /// g at several speeds, of which the squares are known as well.
    #[allow(
        clippy::inline_always,
        reason = "every evaluation of a law with a curve calls it"
    )]
    #[inline(always)]
    pub(crate) fn levels<T: Scalar + MixesWith<P>, const N: usize>(
        &self,
        speeds: [T; N],
        squares: Option<[T; N]>,
    ) -> [T; N] {
        match (self, squares) {
            (Self::Exponential(curve), Some(squares)) if curve.is_square() => {
                curve.of_squares(squares)
            }
            _ => self.values(speeds),
        }
    }

    /// [`Self::value`] of the curves that are worth a call.
    #[cold]
    #[inline(never)]
    fn other_value<T: Scalar + MixesWith<P>>(&self, speed: T) -> T {
        match self {
            Self::Exponential(curve) => curve.value(speed),
            Self::Rational(curve) => curve.value(speed),
            Self::Step5(curve) => curve.value(speed),
            Self::Sine(curve) => curve.value(speed),
            Self::Table(curve) => curve.value(speed),
        }
    }

    /// The highest level, at rest unless a table says otherwise.
    pub fn highest(&self) -> P {
        match self {
            Self::Table(curve) => P::from_f64(curve.highest()),
            _ => self.value(P::zero()),
        }
    }
}

impl Curve {
    /// g and dg/d|v| at a speed |v| ≥ 0.
    #[inline]
    pub fn value_and_slope(&self, speed: f64) -> (f64, f64) {
        match self {
            Self::Exponential(curve) => curve.value_and_slope(speed),
            Self::Rational(curve) => curve.value_and_slope(speed),
            Self::Step5(curve) => curve.value_and_slope(speed),
            Self::Sine(curve) => curve.value_and_slope(speed),
            Self::Table(curve) => curve.value_and_slope(speed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(shape: &Shape, alpha: f64) -> Curve {
        let levels = Levels {
            mu_s: 0.5,
            mu_k: 0.3,
            v_s: 1.0,
            alpha,
        };
        Curve::new("lugre", shape, levels).expect("admissible")
    }

    fn all() -> Vec<Curve> {
        let table = TableCurve::new(&[(0.0, 0.5), (0.5, 0.45), (2.0, 0.3), (4.0, 0.31)]);
        vec![
            curve(&Shape::Exponential, 0.7),
            curve(&Shape::Gaussian, 0.7),
            curve(&Shape::Rational, 2.0),
            curve(&Shape::Rational, 1.3),
            curve(&Shape::Step5(None), 2.0),
            curve(&Shape::Sine(Some(3.0)), 2.0),
            curve(&Shape::Table(Arc::new(table.expect("sound"))), 2.0),
        ]
    }

    #[test]
    fn values_in_closed_form() {
        let near = |shape: &Shape, alpha: f64, v: f64, share: f64| {
            let g = curve(shape, alpha).value(v);
            // a handful of roundings
            assert!((g - (0.3 + 0.2 * share)).abs() < 1e-15, "{shape:?} {v} {g}");
        };
        near(&Shape::Gaussian, 0.5, 2.0, (-4.0_f64).exp());
        near(&Shape::Exponential, 1.0, 2.0, (-2.0_f64).exp());
        near(&Shape::Rational, 2.0, 3.0, 0.1);
        near(&Shape::Rational, 0.5, 9.0, 0.25);
        for shape in [Shape::Step5(Some(3.0)), Shape::Sine(Some(3.0))] {
            for (v, share) in [(0.0, 1.0), (1.0, 1.0), (2.0, 0.5), (3.0, 0.0), (1e200, 0.0)] {
                near(&shape, 2.0, v, share);
            }
        }
        // cos(pi/4) and the quintic at a quarter
        near(
            &Shape::Sine(Some(3.0)),
            2.0,
            1.5,
            0.5 + 0.5 * 0.5_f64.sqrt(),
        );
        near(&Shape::Step5(Some(3.0)), 2.0, 1.5, 1.0 - 53.0 / 512.0);
    }

    #[test]
    fn slopes_are_those_of_the_curve() {
        for curve in all() {
            for v in [0.1, 0.4, 0.9, 1.2, 1.4, 2.0, 2.7, 3.9, 10.0] {
                let (g, slope) = curve.value_and_slope(v);
                assert!((g - curve.value(v)).abs() < 1e-15);
                let h = 1e-6;
                let difference = (curve.value(v + h) - curve.value(v - h)) / (2.0 * h);
                // rounding 1e-16/1e-6 and the curvature, which jumps at knots, times 1e-6
                assert!((slope - difference).abs() < 2e-6, "{curve:?} at {v}");
            }
        }
    }

    #[test]
    fn finite_and_positive_everywhere() {
        for curve in all() {
            for v in [0.0, 5e-324, 1e-300, 1e-3, 1.0, 1e200, f64::MAX] {
                let (g, slope) = curve.value_and_slope(v);
                assert!(
                    (0.3..=0.5).contains(&g) && slope.is_finite(),
                    "{curve:?} {v}"
                );
                assert!((0.3..=0.5).contains(&curve.value(v)));
            }
            assert!((curve.value(0.0) - 0.5).abs() < f64::EPSILON);
        }
    }

    #[test]
    fn a_dynamic_velocity_below_the_static_one_is_refused() {
        let levels = Levels {
            mu_s: 0.5,
            mu_k: 0.3,
            v_s: 1.0,
            alpha: 2.0,
        };
        for shape in [Shape::Step5(Some(1.0)), Shape::Sine(Some(0.5))] {
            let error = Curve::new("lugre", &shape, levels).expect_err("not above");
            assert_eq!(error.parameter(), Some("stribeck"));
            assert!(error.to_string().contains("dynamic_velocity"), "{error}");
        }
    }
}
