//! The catalogue of normal-force laws. A new law is one file here and one line in the list below.

use crate::card::LawCard;
use crate::numbers::scalar::Scalar;
use crate::parameters::{ParameterError, ParameterSet, Values, same_name};
use nalgebra::SVector;
use num_dual::{Derivative, DualSVec64};
use std::fmt::Debug;

/// The indentation of a contact.
#[derive(Clone, Copy, Debug)]
pub struct Indentation<T> {
    /// Depth δ, m, > 0 in contact.
    pub depth: T,
    /// Depth rate δ̇, m/s, > 0 when closing.
    pub rate: T,
    /// Closing speed at touch-down, m/s, kept until separation.
    pub impact_rate: f64,
}

/// Force and slopes of a normal law at an indentation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalForce {
    /// N, ≥ 0, N.
    pub force: f64,
    /// ∂N/∂δ, N/m.
    pub stiffness: f64,
    /// ∂N/∂δ̇, N s/m.
    pub damping: f64,
}

impl NormalForce {
    /// No force.
    pub const ZERO: Self = Self {
        force: 0.0,
        stiffness: 0.0,
        damping: 0.0,
    };
}

/// A normal-force law: N ≥ 0, and 0 for δ ≤ 0.
pub trait NormalLaw: Clone + Debug + Send + Sync + 'static {
    /// The declaration.
    const CARD: LawCard<'static>;

    /// The force before the clamp, for δ > 0, N.
    fn unclamped<T: Scalar>(&self, indentation: &Indentation<T>) -> T;

    /// Elastic energy at depth δ > 0, J.
    fn stored_energy(&self, depth: f64) -> f64;

    /// N = max(0, …), and 0 for δ ≤ 0, with its slopes.
    fn evaluate(&self, indentation: &Indentation<f64>) -> NormalForce {
        type Dual = DualSVec64<2>;
        if indentation.depth <= 0.0 {
            return NormalForce::ZERO;
        }
        let n = self.unclamped(&Indentation {
            depth: Dual::new(
                indentation.depth,
                Derivative::some(SVector::from([1.0, 0.0])),
            ),
            rate: Dual::new(
                indentation.rate,
                Derivative::some(SVector::from([0.0, 1.0])),
            ),
            impact_rate: indentation.impact_rate,
        });
        if n.re <= 0.0 {
            return NormalForce::ZERO;
        }
        let [stiffness, damping] = n.eps.0.map_or([0.0; 2], Into::into);
        NormalForce {
            force: n.re,
            stiffness,
            damping,
        }
    }
}

/// Stands in for the closing speed of a contact that was not closing when it was made, m/s.
const RESTING_SPEED: f64 = 1e-3;

/// The slowest impact that laws divide by, m/s.
const SLOWEST_IMPACT: f64 = 1e-9;

/// The closing speed at touch-down that a law may divide by.
fn impact_speed(impact_rate: f64) -> f64 {
    if impact_rate > 0.0 {
        impact_rate.max(SLOWEST_IMPACT)
    } else {
        RESTING_SPEED
    }
}

/// Depths below this count as this in powers, m: the derivatives of a power would overflow.
const SHALLOWEST: f64 = 1e-100;

/// δ^e for δ > 0.
fn depth_power<T: Scalar>(depth: T, e: f64) -> T {
    depth.max(T::from_f64(SHALLOWEST)).powf(e)
}

/// Registers the laws: module, type, one line each.
macro_rules! normal_laws {
    ($($module:ident::$Law:ident),* $(,)?) => {
        $(mod $module; pub use $module::$Law;)*

        /// Any normal-force law of the catalogue.
        #[non_exhaustive]
        #[derive(Clone, Debug)]
        pub enum Normal {
            $(
                #[doc = concat!("See [`", stringify!($Law), "`].")]
                $Law($Law),
            )*
        }

        impl Normal {
            /// The card of every law.
            pub const CARDS: &'static [LawCard<'static>] = &[$($Law::CARD),*];

            /// Builds a law by catalogue name from named values (SI).
            ///
            /// # Errors
            /// Names the law or the parameter that is refused, and what is allowed.
            pub fn build(name: &str, values: &Values) -> Result<Self, ParameterError> {
                $(if same_name(name, $Law::CARD.name) {
                    let parameters = ParameterSet::from_values($Law::CARD.name, values)?;
                    return $Law::new(parameters).map(Self::$Law);
                })*
                let known: Vec<_> = Self::CARDS.iter().map(|c| c.name).collect();
                Err(ParameterError::UnknownLaw {
                    kind: "normal", name: name.to_owned(), known: known.join(", "),
                })
            }

            /// The law's card.
            pub fn card(&self) -> LawCard<'static> {
                match self { $(Self::$Law(_) => $Law::CARD),* }
            }

            /// The parameters by field name.
            pub fn to_values(&self) -> Values {
                match self { $(Self::$Law(law) => law.parameters().to_values()),* }
            }

            /// See [`NormalLaw::evaluate`].
            #[inline]
            pub fn evaluate(&self, indentation: &Indentation<f64>) -> NormalForce {
                match self { $(Self::$Law(law) => law.evaluate(indentation)),* }
            }

            /// Elastic energy at depth δ, J; 0 out of contact.
            pub fn stored_energy(&self, depth: f64) -> f64 {
                if depth <= 0.0 {
                    return 0.0;
                }
                match self { $(Self::$Law(law) => law.stored_energy(depth)),* }
            }
        }
    };
}

normal_laws! {
    kelvin_voigt::KelvinVoigt,
    hertz::Hertz,
    hunt_crossley_1975::HuntCrossley1975,
    hunt_crossley::HuntCrossley,
    lankarani_nikravesh::LankaraniNikravesh,
    flores::Flores,
}

impl Normal {
    /// The card of a law by catalogue name.
    pub fn card_of(name: &str) -> Option<&'static LawCard<'static>> {
        Self::CARDS.iter().find(|c| same_name(c.name, name))
    }
}
