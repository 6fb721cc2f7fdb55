//! What a user should know about a fit, as data.

use bristle_laws::{Notice, Topic};

/// What a notice about a fit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FitTopic {
    /// The fitted law itself.
    Law(Topic),
    /// Parameters that the data cannot identify.
    NotIdentifiable,
    /// No normal force was measured.
    NoLoad,
    /// One normal force only.
    OneLoad,
    /// The motion between samples is not resolved.
    Unresolved,
    /// Much of the force is not explained.
    Unexplained,
    /// One speed only.
    ConstantVelocity,
    /// A speed of the law below the noise of the velocity.
    VelocityNoise,
    /// The noise of the motion shifts parameters.
    NoiseBias,
    /// One start alone ended at the optimum.
    LocalOptima,
    /// Larger errors on records that were not fitted.
    DoesNotCarryOver,
    /// An unusual coefficient of friction.
    SuspiciousLevel,
    /// An unusual speed of the law.
    SuspiciousSpeed,
    /// An unusual stiffness.
    SuspiciousStiffness,
    /// The residuals contain a constant force.
    Offset,
    /// The residuals follow the acceleration.
    Mass,
    /// The residuals follow the velocity.
    Viscous,
    /// Friction differs between the directions.
    Asymmetric,
    /// Friction is not proportional to the load.
    Load,
    /// A law with fewer parameters does as well.
    SimplerLaw,
}

impl FitTopic {
    /// The stable name in files and JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Law(topic) => topic.key(),
            Self::NotIdentifiable => "not_identifiable",
            Self::NoLoad => "no_load",
            Self::OneLoad => "one_load",
            Self::Unresolved => "unresolved",
            Self::Unexplained => "unexplained",
            Self::ConstantVelocity => "constant_velocity",
            Self::VelocityNoise => "velocity_noise",
            Self::NoiseBias => "noise_bias",
            Self::LocalOptima => "local_optima",
            Self::DoesNotCarryOver => "does_not_carry_over",
            Self::SuspiciousLevel => "suspicious_level",
            Self::SuspiciousSpeed => "suspicious_speed",
            Self::SuspiciousStiffness => "suspicious_stiffness",
            Self::Offset => "offset",
            Self::Mass => "mass",
            Self::Viscous => "viscous",
            Self::Asymmetric => "asymmetric",
            Self::Load => "load",
            Self::SimplerLaw => "simpler_law",
        }
    }
}

/// Something the user should know about a fit.
pub type FitNotice = Notice<FitTopic>;
