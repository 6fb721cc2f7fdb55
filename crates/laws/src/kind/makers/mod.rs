//! The laws that multibody programs share: the same formulas under the name of each maker.

use std::fmt::Debug;

pub use crate::kind::stick_zone::StepShape;

/// What the card of a law of one maker says of its own.
pub trait Maker: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// Catalogue name of the law.
    const NAME: &'static str;
    /// Title for people.
    const TITLE: &'static str;
    /// Paper and place.
    const SOURCE: &'static str;
    /// Remarks.
    const REMARKS: &'static str;
    /// The curve of a regularised law.
    const SHAPE: StepShape = StepShape::Quintic;
}

/// [`parameters!`](crate::parameters!) with the levels and speeds of the curve first, and the curve.
macro_rules! with_curve {
    ($(#[$meta:meta])* pub struct $Name:ident<$P:ident> { $($own:tt)* }) => {
        crate::parameters! {
            $(#[$meta])*
            pub struct $Name<$P> for "makers" {
                /// Static friction coefficient.
                static_coefficient: $P = {
                    symbol: "mu_s", unit: "1", role: StaticLevel, range: Range::Positive, typical: Typical::Number(0.15),
                    default: Default::Scaled("kinetic_coefficient", 1.0),
                    relation: Relation::NotBelow("kinetic_coefficient"),
                },
                /// Kinetic friction coefficient.
                kinetic_coefficient: $P = {
                    symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
                },
                /// Speed at which the static level is reached.
                stiction_velocity: $P = {
                    symbol: "v_s", unit: "m/s", role: StickSpeed, range: Range::Positive, typical: Typical::Number(1e-4),
                },
                /// Speed from which the kinetic level holds.
                dynamic_velocity: $P = {
                    symbol: "v_d", unit: "m/s", role: Speed, range: Range::Positive, typical: Typical::Number(1.5e-4),
                    default: Default::Scaled("stiction_velocity", 1.5),
                    relation: Relation::NotBelow("stiction_velocity"),
                },
                $($own)*
            }
        }

        impl<$P: Scalar> $Name<$P> {
            /// The curve of these parameters, for the law of this name.
            fn curve(&self, law: &'static str, shape: StepShape) -> Result<StickZoneCurve<$P>, ParameterError> {
                let curve = StickZoneCurve {
                    shape,
                    mu_s: self.static_coefficient,
                    mu_k: self.kinetic_coefficient,
                    v_s: self.stiction_velocity,
                    v_d: self.dynamic_velocity,
                };
                curve.check(law)?;
                Ok(curve)
            }
        }
    };
}

mod regularised;
mod stick_slip;

pub use regularised::{Regularised, RegularisedParameters};
pub use stick_slip::{StickSlip, StickSlipParameters};
