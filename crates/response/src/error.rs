//! Why there is no response.

/// Why a machine has no forced response that can be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// Nothing can move.
    #[error("nothing can move: the model has no degree of freedom")]
    NothingMoves,
    /// No harmonic load.
    #[error(
        "nothing excites the machine: no load, normal force or motion is harmonic; give one the form \
         {{ harmonic = {{ amplitude = 1 }} }}"
    )]
    NoExcitation,
    /// Harmonic loads that move nothing.
    #[error(
        "the harmonic loads move nothing: they act on bodies that are fixed, or on coordinates that are driven"
    )]
    NoEffect,
    /// A load that is neither constant nor harmonic.
    #[error(
        "{load} is no harmonic: a response needs constants and {{ harmonic = … }}, alone or in a sum"
    )]
    NotHarmonic {
        /// The load.
        load: String,
    },
    /// A law with jumps.
    #[error(
        "{pair}: the law {law} jumps between stick and slip, which has no harmonic balance; use \
         --method time"
    )]
    Jumps {
        /// The pair.
        pair: String,
        /// The law.
        law: String,
    },
    /// Something that harmonic balance does not know.
    #[error("{element}: {what} is not part of harmonic balance; use --method time")]
    Unsupported {
        /// The element.
        element: String,
        /// What of it.
        what: &'static str,
    },
    /// The pair does not come back to its state.
    #[error("{pair}: its friction state does not become periodic within {passes} periods")]
    NotPeriodic {
        /// The pair.
        pair: String,
        /// Periods marched.
        passes: usize,
    },
    /// The machine moves away.
    #[error("the mean force on {coordinate} is not held ({force:.3e} N or N m is left)")]
    MovesAway {
        /// The coordinate.
        coordinate: String,
        /// What is left.
        force: f64,
    },
    /// Newton's method failed.
    #[error(
        "no solution at {frequency:.6} Hz: the residual of {place} stays at {residual:.2e} of the motion"
    )]
    NoSolution {
        /// Frequency, Hz.
        frequency: f64,
        /// The pair with the largest residual.
        place: String,
        /// Residual over the size of the motion.
        residual: f64,
    },
    /// A run in time that fails within the first period.
    #[error("no steady motion at {frequency:.6} Hz: {reason}")]
    NoSteadyMotion {
        /// Frequency, Hz.
        frequency: f64,
        /// Why.
        reason: String,
    },
    /// A matrix without inverse.
    #[error("the equations at {frequency:.6} Hz are singular")]
    Singular {
        /// Frequency, Hz.
        frequency: f64,
    },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, ResponseError>;
