//! `hunt_crossley`: the form of Colantonio et al., with a damper that grows as a power of the depth.

use super::{Indentation, NormalForce, NormalLaw};
use crate::card::{Default, Equation, LawCard, Range, Typical};
use crate::numbers::scalar::Scalar;
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the Hunt–Crossley law; either K, or A with σ.
    pub struct HuntCrossleyParameters for "hunt_crossley" {
        /// Contact stiffness K, in N/m^p; or give area and surface_constant.
        stiffness: Option<f64> = {
            symbol: "K", unit: "N/m^p", role: Stiffness, range: Range::Positive, typical: Typical::Number(1.2e14),
            default: Default::Absent,
        },
        /// Contact area A of one point; K = A/sigma^p.
        area: Option<f64> = {
            symbol: "A", unit: "m^2", role: Shape, range: Range::Positive, typical: Typical::Number(1e-3),
            default: Default::Absent,
        },
        /// Surface constant sigma, in m^2 N^(-1/2) for p = 2.
        surface_constant: Option<f64> = {
            symbol: "sigma", unit: "m^2 N^-1/2", role: Shape, range: Range::Positive, typical: Typical::Number(3e-9),
            default: Default::Absent,
        },
        /// Exponent p of the elastic force.
        exponent: f64 = {
            symbol: "p", unit: "1", role: Shape, range: Range::Closed(1.0, 10.0), typical: Typical::Number(2.0),
            default: Default::Number(2.0),
        },
        /// Damping D, in N s/m^(1+q).
        damping: f64 = {
            symbol: "D", unit: "N s/m^(1+q)", role: Damping, range: Range::NonNegative, typical: Typical::Number(4.88e5),
            default: Default::Number(0.0),
        },
        /// Exponent q of the damping; (p - 1)/2 if left out.
        damping_exponent: Option<f64> = {
            symbol: "q", unit: "1", role: Shape, range: Range::Closed(0.0, 10.0), typical: Typical::Number(0.5),
            default: Default::Absent,
        },
    }
}

/// The Hunt–Crossley law in the form of Colantonio et al.
///
/// $$ N = \max(0,\; K\delta^{p} + D\,\delta^{q}\,\dot\delta), \qquad K = A/\sigma^{p},\quad q = (p-1)/2 $$
///
/// **Source.** Colantonio et al. 2022, eqs. 19–20, clamped at zero; σ is in m² N^(−1/2) for p = 2
/// (the printed N^(1/2) does not give K in N/m²). With q = p it is Hunt & Crossley's form of 1975.
/// With q = (p−1)/2 the restitution does not depend on the impact speed.
#[derive(Clone, Debug, PartialEq)]
pub struct HuntCrossley {
    parameters: HuntCrossleyParameters,
    k: f64,
    p: f64,
    d: f64,
    q: f64,
}

impl HuntCrossley {
    /// The law.
    ///
    /// # Errors
    /// If not exactly one of `stiffness` and `area` with `surface_constant` is given.
    pub fn new(parameters: HuntCrossleyParameters) -> Result<Self, ParameterError> {
        let p = parameters.exponent;
        let inconsistent = |name, value, reason: &str| ParameterError::Inconsistent {
            law: "hunt_crossley".into(),
            name,
            value,
            unit: String::new(),
            reason: reason.to_owned(),
        };
        let k = match (
            parameters.stiffness,
            parameters.area,
            parameters.surface_constant,
        ) {
            (Some(k), None, None) => k,
            (None, Some(area), Some(sigma)) => area / sigma.powf(p),
            (Some(k), _, _) => {
                return Err(inconsistent(
                    "stiffness".into(),
                    k,
                    "give either stiffness, or area with surface_constant, not both",
                ));
            }
            (None, Some(area), None) => {
                return Err(inconsistent(
                    "area".into(),
                    area,
                    "needs surface_constant beside it",
                ));
            }
            (None, None, Some(sigma)) => {
                return Err(inconsistent(
                    "surface_constant".into(),
                    sigma,
                    "needs area beside it",
                ));
            }
            (None, None, None) => {
                return Err(ParameterError::Missing {
                    law: "hunt_crossley".into(),
                    name: "stiffness".into(),
                    symbol: "K".into(),
                    unit: "N/m^p".into(),
                    allowed: "(0, ∞), or area (m^2) with surface_constant".to_owned(),
                });
            }
        };
        let q = parameters.damping_exponent.unwrap_or(0.5 * (p - 1.0));
        Ok(Self {
            k,
            p,
            d: parameters.damping,
            q,
            parameters,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &HuntCrossleyParameters {
        &self.parameters
    }
}

/// δ^e; the exponents of the paper, 2 and 1/2, need no power function.
#[inline]
fn power<T: Scalar>(x: T, e: f64) -> T {
    if same(e, 2.0) {
        x * x
    } else if same(e, 0.5) {
        x.sqrt()
    } else if same(e, 1.0) {
        x
    } else if same(e, 0.0) {
        T::from_f64(1.0)
    } else {
        x.powf(e)
    }
}

#[inline]
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < f64::EPSILON
}

impl NormalLaw for HuntCrossley {
    const CARD: LawCard<'static> = LawCard {
        name: "hunt_crossley",
        title: "Hunt-Crossley, form of Colantonio et al.",
        summary: "Power-law stiffness with a damper that vanishes at first touch; the restitution is the same at every speed.",
        equations: &[
            Equation {
                text: "N = max(0, K d^p + D d^q dd/dt)",
                tex: r"N = \max(0,\;K\delta^{p} + D\,\delta^{q}\,\dot\delta)",
                source: "Colantonio et al. 2022, eq. 19, clamped at zero",
            },
            Equation {
                text: "K = A/sigma^p,  q = (p - 1)/2",
                tex: r"K = A/\sigma^{p},\qquad q=(p-1)/2",
                source: "Colantonio et al. 2022, eq. 20",
            },
        ],
        parameters: HuntCrossleyParameters::CARDS,
        states: &[],
        behaviour: &[],
        printed: None,
        reproduces: &[
            "compliant contact",
            "restitution independent of the impact speed",
        ],
        cannot: &["adhesion: N is never negative"],
        source: "Colantonio et al. 2022, eqs. 19-20; Hunt and Crossley 1975",
        remarks: "q = p gives the form of 1975. sigma is in m^2 N^(-1/2) for p = 2: the printed unit does not give K in N/m^2.",
    };

    fn unclamped<T: Scalar>(&self, c: &Indentation<T>) -> T {
        power(c.depth, self.p) * self.k + power(c.depth, self.q) * c.rate * self.d // (19)
    }

    fn stored_energy(&self, depth: f64) -> f64 {
        self.k * depth.powf(self.p + 1.0) / (self.p + 1.0)
    }

    #[inline]
    fn evaluate(&self, c: &Indentation<f64>) -> NormalForce {
        let depth = c.depth;
        if depth <= 0.0 {
            return NormalForce::ZERO;
        }
        let elastic = self.k * power(depth, self.p);
        let damping = self.d * power(depth, self.q);
        let force = elastic + damping * c.rate;
        if force <= 0.0 {
            return NormalForce::ZERO;
        }
        let stiffness = (self.p * elastic + self.q * damping * c.rate) / depth;
        NormalForce {
            force,
            stiffness,
            damping,
        }
    }
}
