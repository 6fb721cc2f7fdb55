//! What is wrong with a model.

use bristle_laws::Shortest;

/// What is wrong with a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Two bodies or two elements share a name.
    #[error("the name `{0}` is given twice")]
    DuplicateName(String),
    /// A body that can move has no mass.
    #[error(
        "body `{body}` can move but has mass = {} kg; a moving body needs a mass in (0, ∞) kg",
        Shortest(*mass)
    )]
    NoMass {
        /// The body.
        body: String,
        /// Its mass, kg.
        mass: f64,
    },
    /// A body that can turn has an inertia that no mass distribution has.
    #[error(
        "body `{body}` has principal moments of inertia {moments:?} kg m^2: all must be in (0, ∞), and none may exceed the sum of the others"
    )]
    BadInertia {
        /// The body.
        body: String,
        /// Principal moments, kg m².
        moments: [f64; 3],
    },
    /// The parent comes after the child, or is the body itself.
    #[error("body `{0}` must come after its parent")]
    Order(String),
    /// A joint that closes nothing.
    #[error("loop `{0}`: a free or a prescribed joint closes no loop")]
    OpenLoop(String),
    /// A loop within one body.
    #[error("loop `{0}` has both ends on the same body")]
    OneBody(String),
}
